/// How long a line may be.
enum LineLimit {
  /// A request may register a whole list of actions: 64 KiB.
  private static let control = 65_536

  /// The limit on a socket where `[Intake] MaxLineBytes=` is `setting`.
  static func bytes(_ setting: Int, for access: Access) -> Int {
    switch access {
    case .events: setting
    case .control: max(setting, control)
    }
  }
}
