import Posix
import Synchronization

/// Does the same on several streams at once, each on a thread of its own, and returns the seconds from the start of the
/// first to the end of the last. Everything that takes time beforehand has to be done by then.
func timeStreams(_ streams: Int, _ work: @escaping @Sendable (Int) throws -> Void) throws -> Double {
  let failures = Mutex<[String]>([])
  let start = Clocks.monotonic()
  var threads: [Running] = []
  for stream in 0..<streams {
    threads.append(
      Running(
        try Thread {
          do { try work(stream) } catch { failures.withLock { $0.append("\(error)") } }
        }))
  }
  for thread in threads { thread.join() }
  let seconds = Double(Clocks.monotonic() - start) / 1e9
  if let failure = failures.withLock({ $0.first }) { throw LoadFailure(failure) }
  return seconds
}

/// A thread in an array.
private final class Running {
  private var thread: Thread?

  init(_ thread: consuming Thread) { self.thread = consume thread }

  func join() { thread.take()?.join() }
}

/// Writes what was found as one JSON object, numbers by their names.
func report(_ fields: [(name: String, value: String)]) {
  let members = fields.map { "\"\($0.name)\":\($0.value)" }
  _ = Process.writeToStandardOutput("{\(members.joined(separator: ","))}\n")
}
