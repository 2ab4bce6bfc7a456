import Foundation

/// A temporary folder with places for one daemon or several; all that was started in it ends with it.
final class Site {
  let path: String
  var runtime: String { path + "/run" }
  var state: String { path + "/state" }
  var config: String { path + "/quickactions.conf" }
  /// The folders of the catalogue, the last of which wins; none is there at first.
  var catalogues: [String] { ["vendor", "local"].map { "\(path)/\($0)-catalogue.d" } }
  private var children: [Child] = []
  private var notifySockets: [NotifySocket] = []

  /// Snapshots as often as can be, so that no test has to wait long for one.
  static let quick = "[Snapshot]\nInterval=100ms\n"
  /// No snapshots but the first, the last and those that are asked for.
  static let slow = "[Snapshot]\nInterval=1d\n"

  /// Lists go by the score under one half-life alone, so that they can be worked out by hand.
  private static let exact = "[Ranking]\nMethod=fixed\nSwapMargin=0%\nKeepPlaces=no\n"

  /// - Parameter isExact: whether lists go by the score alone, whatever `settings` say; if not, they adapt as is usual.
  init(settings: String, isExact: Bool = true) throws {
    var template = Array((FileManager.default.temporaryDirectory.path + "/qa-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure.system("make a temporary folder") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try writeFile(config, settings)
    if isExact {
      try FileManager.default.createDirectory(atPath: config + ".d", withIntermediateDirectories: false)
      try writeFile(config + ".d/00-exact.conf", Self.exact)
    }
  }

  /// Kills what runs still, and removes the folder.
  func close() {
    for child in children { child.kill() }
    for socket in notifySockets { socket.close() }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The daemon that was built with these tests, and its client.
  static let program = builtProgram("quickactionsd")
  static let client = builtProgram("quickactions")

  private static func builtProgram(_ name: String) -> String {
    let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return bundle.deletingLastPathComponent().appendingPathComponent(name).path
  }

  /// What a process gets: nothing of the test runner's own.
  private var environment: [String: String] {
    ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": path + "/home"]
  }

  /// The daemon's command line with this site's places.
  func command(runtime: String? = nil, state: String? = nil) -> [String] {
    [Self.program, "--runtime-dir", runtime ?? self.runtime, "--state-dir", state ?? self.state, "--config", config]
      + catalogues.flatMap { ["--catalogue-dir", $0] }
  }

  /// Starts any program.
  func spawn(_ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [], passing: [Int32] = [])
    throws -> Child
  {
    let child = try Child(
      arguments, environment: self.environment.merging(environment) { $1 }, input: input, passing: passing,
      output: "\(path)/process-\(children.count)")
    children.append(child)
    return child
  }

  /// Runs any program to its end.
  func run(_ arguments: [String], environment: [String: String] = [:], input: [UInt8] = []) throws -> (
    exit: Exit, output: String, errors: String
  ) {
    let child = try spawn(arguments, environment: environment, input: input)
    let exit = try child.wait()
    return (exit, child.output, child.errors)
  }

  /// Starts the daemon and waits until it is ready: for READY=1, or without that for an answer on `control.sock`.
  ///
  /// - Parameters:
  ///   - wrapper: a command that starts the daemon in its own process, such as `prlimit`.
  ///   - command: the whole command line, if it is not this site's own.
  ///   - passing: descriptors that it gets as 3, 4 and so on.
  func start(
    wrapper: [String] = [], command: [String]? = nil, environment: [String: String] = [:], notifies: Bool = true,
    passing: [Int32] = [], waits: Bool = true
  ) throws -> RunningDaemon {
    let notify = notifies ? try NotifySocket(path: "\(path)/notify-\(notifySockets.count)") : nil
    if let notify { notifySockets.append(notify) }
    var environment = environment
    environment["NOTIFY_SOCKET"] = notify?.path
    let child = try spawn(wrapper + (command ?? self.command()), environment: environment, passing: passing)
    let daemon = RunningDaemon(site: self, child: child, notify: notify)
    if waits { try daemon.waitUntilReady() }
    return daemon
  }
}

/// Gives `body` a folder of its own, and clears up behind it.
///
/// - Parameter isExact: whether lists go by the score alone.
func withSite(settings: String = Site.quick, isExact: Bool = true, _ body: (Site) throws -> Void) throws {
  let site = try Site(settings: settings, isExact: isExact)
  defer { site.close() }
  try body(site)
}

/// Gives `body` a running daemon in a folder of its own, and clears up behind it.
func withDaemon(
  settings: String = Site.quick, isExact: Bool = true, wrapper: [String] = [], environment: [String: String] = [:],
  _ body: (RunningDaemon) throws -> Void
) throws {
  try withSite(settings: settings, isExact: isExact) { site in
    let daemon = try site.start(wrapper: wrapper, environment: environment)
    do { try body(daemon) } catch { throw Failure("\(error)\nThe daemon wrote: \(daemon.child.errors)") }
  }
}
