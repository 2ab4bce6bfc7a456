import Glibc
import Posix
import Systemd
import Testing

/// Sockets that were really passed are met in the tests of whole processes.
struct InheritedSocketsTests {
  @Test("a process that was passed no sockets finds none, nor does one that inherited another's variables")
  func none() async {
    await #expect(processExitsWith: .success) {
      for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
      let passed = try InheritedSockets.take()
      #expect(passed == [])
      setenv("LISTEN_PID", "1", 1)
      setenv("LISTEN_FDS", "3", 1)
      #expect(try InheritedSockets.take() == [])
      // The variables are gone, so that no child takes them for its own.
      #expect(getenv("LISTEN_FDS") == nil)
    }
  }
}
