import Glibc
import Posix
import Testing

struct SystemErrorTests {
  @Test("a description says what was being done, to what, and why not")
  func description() {
    #expect(SystemError("open", "/x", code: ENOENT).description == "cannot open /x: No such file or directory")
    #expect(
      SystemError("accept a connection", code: EMFILE).description == "cannot accept a connection: Too many open files")
    #expect(SystemError("open", code: EACCES).reason == "Permission denied")
  }

  @Test("what passes by itself and what does not are told apart")
  func kinds() {
    for code in [EMFILE, ENFILE, ENOBUFS, ENOMEM] {
      #expect(SystemError("x", code: code).isExhaustion && !SystemError("x", code: code).isForbidden)
    }
    for code in [EACCES, EPERM, EROFS, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG] {
      #expect(SystemError("x", code: code).isForbidden && !SystemError("x", code: code).isExhaustion)
    }
    for code in [ENOSPC, EIO, EPIPE] {
      #expect(!SystemError("x", code: code).isForbidden && !SystemError("x", code: code).isExhaustion)
    }
  }
}
