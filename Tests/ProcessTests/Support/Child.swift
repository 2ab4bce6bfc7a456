import Foundation

/// How a process ended.
enum Exit: Equatable {
  case status(Int32)
  case signal(Int32)
}

/// A process started here, with its output in files. To be ended by ``wait()`` or ``kill()``.
final class Child {
  let pid: pid_t
  let outputPath: String
  let errorsPath: String
  private(set) var exit: Exit?

  /// - Parameters:
  ///   - arguments: the program, looked for in PATH unless it is a path, and what follows it.
  ///   - input: what it reads from standard input.
  ///   - passing: descriptors that it gets as its own 3, 4 and so on.
  ///   - output: the path that output goes to, with `.out` and `.err` behind it.
  init(
    _ arguments: [String], environment: [String: String], input: [UInt8] = [], passing: [Int32] = [], output: String
  ) throws {
    (outputPath, errorsPath) = (output + ".out", output + ".err")
    let standard = [
      try Self.unnamedFile(input), try Self.open(outputPath, O_WRONLY | O_CREAT | O_TRUNC),
      try Self.open(errorsPath, O_WRONLY | O_CREAT | O_APPEND),
    ]
    defer { for descriptor in standard { close(descriptor) } }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Out of the way first, so that none is overwritten before its turn. Whatever else the test runner has open is none
    // of the child's business; closing what is not open is no error.
    let (moved, all) = (Int32(600), standard + passing)
    for (number, descriptor) in all.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, moved + Int32(number))
    }
    for descriptor in 3..<moved { posix_spawn_file_actions_addclose(&actions, descriptor) }
    for number in all.indices {
      posix_spawn_file_actions_adddup2(&actions, moved + Int32(number), Int32(number))
      posix_spawn_file_actions_addclose(&actions, moved + Int32(number))
    }
    // The daemon must not depend on what the test runner has done to signals.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, every) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&every)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &every)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    let argv = arguments.map { strdup($0) } + [nil]
    let envp = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var pid: pid_t = 0
    let code = posix_spawnp(&pid, arguments[0], &actions, &attributes, argv, envp)
    if code != 0 { throw Failure("cannot start \(arguments[0]): \(String(cString: strerror(code)))") }
    self.pid = pid
  }

  deinit { kill() }

  private static func open(_ path: String, _ flags: Int32) throws -> Int32 {
    let descriptor = Foundation.open(path, flags | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw Failure.system("open \(path)") }
    return descriptor
  }

  private static func unnamedFile(_ bytes: [UInt8]) throws -> Int32 {
    if bytes.isEmpty { return try open("/dev/null", O_RDONLY) }
    let path = FileManager.default.temporaryDirectory.path + "/qa-input-" + UUID().uuidString
    let descriptor = try open(path, O_RDWR | O_CREAT | O_EXCL)
    unlink(path)
    try writeAll(bytes, to: descriptor)
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }

  /// Its standard output so far.
  var output: String { (try? String(decoding: readFile(outputPath), as: UTF8.self)) ?? "" }
  /// Its standard error so far.
  var errors: String { (try? String(decoding: readFile(errorsPath), as: UTF8.self)) ?? "" }
  /// The lines of its standard error so far.
  var errorLines: [Substring] { errors.split(separator: "\n") }

  /// Whether it has not ended yet.
  var isRunning: Bool { poll() == nil }

  /// Sends a signal; once the process has ended there is nobody to get it.
  func signal(_ number: Int32) {
    if isRunning { Foundation.kill(pid, number) }
  }

  /// Waits for its end.
  @discardableResult
  func wait() throws -> Exit {
    try value(of: "the end of process \(pid); it wrote: \(errors)") { poll() }
  }

  /// Ends it at once if it runs still.
  func kill() {
    if exit != nil { return }
    Foundation.kill(pid, SIGKILL)
    reap(options: 0)
  }

  private func poll() -> Exit? {
    if exit == nil { reap(options: WNOHANG) }
    return exit
  }

  private func reap(options: Int32) {
    var status: Int32 = 0
    var result: pid_t
    repeat { result = waitpid(pid, &status, options) } while result < 0 && errno == EINTR
    if result == pid { exit = status & 0x7f == 0 ? .status((status >> 8) & 0xff) : .signal(status & 0x7f) }
  }
}

/// Writes all of `bytes` to a descriptor.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0 { throw Failure.system("write") }
    rest = rest.dropFirst(count)
  }
}

/// The bytes of a file.
func readFile(_ path: String) throws -> [UInt8] {
  Array(try Data(contentsOf: URL(fileURLWithPath: path)))
}

/// Makes a file of this text, or overwrites it.
func writeFile(_ path: String, _ text: String) throws {
  try Data(text.utf8).write(to: URL(fileURLWithPath: path))
}
