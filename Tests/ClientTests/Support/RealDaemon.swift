import Foundation
import QuickActionsClient

/// The daemon itself, for one test.
final class RealDaemon {
  let places: Places
  private var running: Running?

  init(_ places: Places) throws {
    self.places = places
    try start()
  }

  deinit { running?.kill() }

  var choice: DaemonChoice {
    .at(DaemonPlaces(runtimeDirectory: places.runtime, stateDirectory: places.state))
  }

  func start() throws {
    try places.folder.write("[Snapshot]\nInterval=100ms\n", to: "settings")
    running = try Running([
      Programs.daemon, "--runtime-dir", places.runtime, "--state-dir", places.state, "--config",
      places.base + "/settings",
    ])
    try wait(for: "the daemon: \(running?.errors ?? "")") {
      (try? ControlConnection(choice).status()) != nil
    }
  }

  /// Ends it cleanly.
  func stop() {
    running?.process.terminate()
    _ = running?.end()
    running = nil
  }

  func status() throws -> DaemonStatus { try ControlConnection(choice).status() }
}

/// Gives `body` a daemon of its own.
func withDaemon(_ body: (RealDaemon) throws -> Void) throws {
  let daemon = try RealDaemon(Places())
  try body(daemon)
  daemon.stop()
}
