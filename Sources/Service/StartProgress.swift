import Systemd

/// Tells the service manager how far a start has come, so that one that takes long and moves is not taken for a stuck one.
final class StartProgress {
  private let manager: ServiceManager

  /// How long whatever comes next may take, nanoseconds.
  private static let patience: Int64 = 60_000_000_000

  init(manager: ServiceManager) { self.manager = manager }

  /// - Parameter words: what is done now, as it follows "Starting:".
  func tell(_ words: String) {
    _ = manager.notify(.status("Starting: \(words)"), .extendTimeout(Self.patience))
  }
}
