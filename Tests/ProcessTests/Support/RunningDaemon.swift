import Foundation

/// A daemon that a test has started, and what can be asked of it.
final class RunningDaemon {
  let site: Site
  let child: Child
  private let manager: NotifySocket?

  init(site: Site, child: Child, notify: NotifySocket?) {
    self.site = site
    self.child = child
    manager = notify
  }

  /// The service manager that it was started by.
  var notify: NotifySocket {
    guard let manager else { preconditionFailure("this daemon was started without a service manager") }
    return manager
  }

  /// Where its file system begins for this process: another place if it has mounts of its own.
  var root = ""

  var eventsPath: String { root + site.runtime + "/events.sock" }
  var datagramPath: String { root + site.runtime + "/events.dgram" }
  var controlPath: String { root + site.runtime + "/control.sock" }

  func waitUntilReady() throws {
    if let manager {
      _ = try value(of: "READY=1; the daemon wrote: \(child.errors)") {
        if !child.isRunning { throw Failure("the daemon ended with \(try child.wait()): \(child.errors)") }
        return manager.messages.contains("READY=1") ? true : nil
      }
    } else {
      try wait(for: "an answer on control.sock; the daemon wrote: \(child.errors)") { (try? status()) != nil }
    }
  }

  // MARK: Clients

  /// A connection to `events.sock`.
  func connect() throws -> Client { try Client(eventsPath) }

  /// Sends lines on a connection of their own, and returns once they are counted.
  @discardableResult
  func count(_ lines: String) throws -> SyncReply {
    let client = try connect()
    try client.send(lines)
    return try client.sync().reply
  }

  /// Sends lines on a connection of their own, and returns once so many are accepted in all, stored or not.
  func send(_ lines: String, until accepted: Int) throws {
    let client = try connect()
    try client.send(lines)
    try wait(for: "\(accepted) lines to be accepted") { try status()["accepted"] == accepted }
  }

  /// The daemon's counters.
  func status() throws -> Status { try Client(controlPath).status() }

  // MARK: Snapshots

  func topPath(_ suffix: String = "json") -> String { "\(site.state)/snapshots/top.\(suffix)" }
  func appPath(_ app: String, _ suffix: String = "json") -> String { "\(site.state)/snapshots/apps/\(app).\(suffix)" }

  func top() throws -> Snapshot { try decode(Snapshot.self, String(decoding: readFile(topPath()), as: UTF8.self)) }
  func app(_ app: String) throws -> Snapshot {
    try decode(Snapshot.self, String(decoding: readFile(appPath(app)), as: UTF8.self))
  }

  /// Waits until an app's snapshot is there and satisfies `condition`.
  @discardableResult
  func snapshot(of app: String, where condition: (Snapshot) -> Bool = { _ in true }) throws -> Snapshot {
    try value(of: "the snapshot of \(app), now \((try? self.app(app)).map { "\($0)" } ?? "missing")") {
      guard FileFacts(appPath(app)) != nil else { return nil }
      let snapshot = try self.app(app)
      return condition(snapshot) ? snapshot : nil
    }
  }

  // MARK: Its process

  /// Ends it with SIGTERM or another signal.
  func stop(_ signal: Int32 = SIGTERM) throws -> Exit {
    child.signal(signal)
    return try child.wait()
  }

  /// CPU time that it has used so far, seconds.
  func cpuTime() throws -> Double {
    // Behind the name in parentheses utime and stime are the 12th and 13th field.
    let fields = try stat()
    return (Double(fields[11]) ?? 0) / ticks + (Double(fields[12]) ?? 0) / ticks
  }

  /// The letter of its state, such as `T` while it is stopped.
  func processState() throws -> String { try stat()[0] }

  private var ticks: Double { Double(sysconf(Int32(_SC_CLK_TCK))) }

  private func stat() throws -> [String] {
    let text = String(decoding: try readFile("/proc/\(child.pid)/stat"), as: UTF8.self)
    return text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ").dropFirst().map(String.init)
  }

  /// Memory of its own that it has in use, bytes; the intake log and the pages of programs lie in files.
  func residentMemory() throws -> Int { try memory("RssAnon") }

  /// A figure of its memory, bytes, by the kernel's name for it.
  func memory(_ name: String) throws -> Int {
    let text = String(decoding: try readFile("/proc/\(child.pid)/status"), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    guard let kilobytes = line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap({ Int($0) })
    else { throw Failure("no \(name)") }
    return kilobytes * 1024
  }

  /// How many descriptors it has open.
  func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.pid)/fd").count
  }
}
