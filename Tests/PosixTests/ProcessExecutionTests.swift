import Glibc
import Posix
import Testing

struct ProcessExecutionTests {
  @Test("arguments are the bytes that the process was given")
  func arguments() throws {
    let given = try String(decoding: RegularFile.read("/proc/self/cmdline", limit: 1 << 20), as: UTF8.self)
    let joined = Process.arguments.map { String(decoding: $0, as: UTF8.self) + "\0" }.joined()
    #expect(joined == given)
  }

  @Test("a process becomes another program, looked for in PATH")
  func replace() async {
    await #expect(processExitsWith: .exitCode(7)) {
      _ = Process.replace(
        by: ["sh", "-c", "test \"$1\" = \"$(printf 'a\\377')\" && exit 7", "sh"].map { Array($0.utf8) }
          + [[0x61, 0xff]])
    }
  }

  @Test("a program that is not there is told, and the process goes on")
  func replaceByNothing() {
    let failure = Process.replace(by: [Array("/no/such/program".utf8)])
    #expect(failure.isMissing)
    #expect(failure.subject == "/no/such/program")
  }

  @Test("a command is looked for as the shell does")
  func executability() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "plain")
    try folder.write("", to: "program")
    chmod(folder.path("program"), 0o700)
    mkdir(folder.path("folder"), 0o700)
    func look(_ name: String, _ path: String? = nil) -> Process.Executability {
      Process.executability(of: Array(name.utf8), path: path)
    }
    #expect(look("sh") == .runs)
    #expect(look("program", folder.path) == .runs)
    #expect(look("program", "/nowhere:\(folder.path)") == .runs)
    #expect(look("plain", folder.path) == .forbidden)
    #expect(look("folder", folder.path) == .forbidden)
    #expect(look("program", "/nowhere") == .missing)
    #expect(look(folder.path("program"), "/nowhere") == .runs)
    #expect(look(folder.path("plain")) == .forbidden)
    #expect(look(folder.path("program/x")) == .missing)
    #expect(look("") == .missing)
  }
}
