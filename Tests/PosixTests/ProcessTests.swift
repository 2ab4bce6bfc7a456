import Glibc
import Posix
import Testing

struct ProcessTests {
  @Test("signals have the kernel's numbers")
  func numbers() {
    #expect(Signal.allCases.map(\.number) == [SIGHUP, SIGINT, SIGUSR1, SIGPIPE, SIGTERM, SIGWINCH])
  }

  @Test("a blocked signal does not end the process")
  func block() async {
    await #expect(processExitsWith: .exitCode(7)) {
      Process.block([.terminate])
      raise(SIGTERM)
      Process.exit(7)
    }
  }

  @Test("a variable that is not set or empty is no value")
  func environment() async {
    await #expect(processExitsWith: .success) {
      setenv("QUICKACTIONS_TEST", "value=1", 1)
      #expect(Process.environment("QUICKACTIONS_TEST") == "value=1")
      setenv("QUICKACTIONS_TEST", "", 1)
      #expect(Process.environment("QUICKACTIONS_TEST") == nil)
      unsetenv("QUICKACTIONS_TEST")
      #expect(Process.environment("QUICKACTIONS_TEST") == nil)
    }
  }

  @Test("open descriptors are counted exactly")
  func openDescriptors() async {
    await #expect(processExitsWith: .success) {
      func isOpen(_ raw: Int32) -> Bool { fcntl(raw, F_GETFD) >= 0 }
      // Other threads of a test's process open and close some of their own: a count that they disturb is made again.
      let isExact = (0..<1000).contains { _ in
        let before = (0..<1024).count(where: isOpen)
        let counted = Process.openDescriptors()
        return counted == before && counted == (0..<1024).count(where: isOpen)
      }
      #expect(isExact)
    }
  }

  @Test("the soft limit of descriptors is raised to the hard one")
  func descriptorLimit() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = 100
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      #expect(Process.descriptorLimit() == Int(min(limit.rlim_max, 1 << 30)))
    }
  }
}
