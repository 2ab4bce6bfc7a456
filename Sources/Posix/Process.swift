import Glibc

/// What concerns the process as a whole.
package enum Process {
  /// Blocks signals in this thread and in those it starts, so that an event loop can take them.
  package static func block(_ signals: [Signal]) {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe _ = sigaddset(&set, signal.number) }
    unsafe _ = pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// How many descriptors this process may open; the soft limit is raised to the hard one first, where that is allowed.
  package static func descriptorLimit() -> Int {
    var limit = rlimit()
    unsafe _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    if limit.rlim_cur < limit.rlim_max {
      var raised = limit
      raised.rlim_cur = raised.rlim_max
      if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
    }
    return Int(min(limit.rlim_cur, 1 << 30))
  }

  /// How many descriptors are open now, as far as can be told.
  package static func openDescriptors() -> Int {
    // Two less: the folder itself and what it is listed by, open meanwhile.
    ((try? Directory(opening: "/proc/self/fd").names().count) ?? 18) - 2
  }

  /// The value of an environment variable; nil if it is not set or empty.
  package static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// Ends the process. The corresponding C function is `exit`.
  package static func exit(_ status: Int32) -> Never { Glibc.exit(status) }

  /// The number of this process.
  package static var processID: Int32 { getpid() }

  /// Whether standard error goes to the journal, which understands `<4>`-style priorities.
  ///
  /// The variable alone does not tell: it is inherited by programs whose output goes elsewhere.
  package static var standardErrorIsJournal: Bool {
    var status = stat()
    guard let stream = environment("JOURNAL_STREAM"), unsafe fstat(STDERR_FILENO, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  /// Writes text to standard error in one call; what does not fit is lost, as there is no one left to tell.
  package static func writeToStandardError(_ text: String) {
    var text = text
    text.withUTF8 { unsafe _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Writes text to standard output; false if that failed.
  package static func writeToStandardOutput(_ text: String) -> Bool {
    (try? FileDescriptor.writeAll(Array(text.utf8), to: STDOUT_FILENO)) != nil
  }
}
