import Glibc
import Posix

/// A process of a test's own.
struct Child {
  let number: pid_t

  /// The worker of these tests, which is built beside them.
  static var worker: String {
    let own = (try? Directory(opening: "/proc/self").destination(of: "exe")) ?? ""
    return own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      + "/IntakeLogWorker"
  }

  /// Starts a program, looked up by name, with the given descriptors as 0, 1, 2, …
  init(_ arguments: [String], descriptors: [Int32]) throws(SystemError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // First out of the way, so that none is written over before it is taken.
    let away = Int32(descriptors.count)
    for (index, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, 200 + Int32(index))
    }
    for index in 0..<away { posix_spawn_file_actions_adddup2(&actions, 200 + index, index) }
    for index in 0..<away { posix_spawn_file_actions_addclose(&actions, 200 + index) }
    var strings = arguments.map { strdup($0) }
    defer { for string in strings { free(string) } }
    strings.append(nil)
    var number = pid_t()
    let code = posix_spawnp(&number, arguments[0], &actions, nil, strings, environ)
    if code != 0 { throw SystemError("start", arguments[0], code: code) }
    self.number = number
  }

  /// Waits for its end: its exit status, or the negative number of the signal that killed it.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(number, &status, 0) < 0, errno == EINTR {}
    return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
  }

  /// What a program writes to its standard output and error.
  static func output(of arguments: [String]) throws(SystemError) -> String {
    var pipe: [Int32] = [0, 0]
    precondition(Glibc.pipe(&pipe) == 0)
    for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let reading = FileDescriptor(owning: pipe[0])
    let child: Child
    do {
      let writing = FileDescriptor(owning: pipe[1])
      child = try Child(arguments, descriptors: [STDIN_FILENO, writing.raw, writing.raw])
    }
    var output: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(reading.raw, &part, part.count)
      if count <= 0 { break }
      output += part[..<count]
    }
    _ = child.wait()
    return String(decoding: output, as: UTF8.self)
  }
}
