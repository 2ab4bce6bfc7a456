import Foundation

/// A fact that did not come about, or a call that failed: what was wanted, and what there was instead.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// A system call that failed just now.
  static func system(_ operation: String) -> Failure {
    Failure("cannot \(operation): \(String(cString: strerror(errno)))")
  }
}

/// How long any fact may take before a test gives up, seconds. Passing tests never wait for it.
let patience = 30.0

/// Waits until `fact` holds.
///
/// - Parameter what: names the fact, for the message if it does not come about.
func wait(for what: @autoclosure () -> String, _ fact: () throws -> Bool) throws {
  _ = try value(of: what()) { try fact() ? true : nil }
}

/// Waits until `fact` has a value.
func value<Value>(of what: @autoclosure () -> String, _ fact: () throws -> Value?) throws -> Value {
  let end = Date(timeIntervalSinceNow: patience)
  while true {
    if let value = try fact() { return value }
    if Date() > end { throw Failure("waited \(patience) s in vain for \(what())") }
    Thread.sleep(forTimeInterval: 0.01)
  }
}

/// Runs `body` in so many threads at once, waits for all, and throws the first error there was.
func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
  let results = (0..<count).map { index in inThread { try body(index) } }
  for result in results { try result.join() }
}

/// Runs `body` in a thread of its own.
func inThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) -> RunningThread<Value> {
  let running = RunningThread<Value>()
  Thread { running.finish(Result { try body() }) }.start()
  return running
}

/// The result of a thread, once it is there.
final class RunningThread<Value: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var result: Result<Value, any Error>?

  fileprivate func finish(_ result: Result<Value, any Error>) {
    condition.withLock {
      self.result = result
      condition.broadcast()
    }
  }

  /// Waits for the thread's end, and returns or throws what it did.
  func join() throws -> Value {
    try condition.withLock {
      while true {
        if let result { return try result.get() }
        condition.wait()
      }
    }
  }
}

/// Whether the long forms of some tests are asked for, by QUICKACTIONS_LONG=1.
let isLong = ProcessInfo.processInfo.environment["QUICKACTIONS_LONG"] == "1"

/// Whether this process may mount in a namespace of its own.
let canMount: Bool = {
  let path = FileManager.default.temporaryDirectory.path
  guard let site = try? Site(settings: "") else { return false }
  defer { site.close() }
  return (try? site.run(["unshare", "-m", "mount", "--bind", path, path]).exit) == .status(0)
}()

/// Whether this is root, who can act as another user.
let isRoot = geteuid() == 0

/// Whether there is a C compiler, for what stands between the daemon and the kernel.
let hasCompiler: Bool = {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
  return path.split(separator: ":").contains { access("\($0)/cc", X_OK) == 0 }
}()
