import Posix

/// How far something has come, on a terminal's standard error; nothing elsewhere.
struct ProgressBar {
  private let total: Int
  private let isShown: Bool
  private var isThere = false
  private static let columns = 30

  /// - Parameter isShown: whether it is wanted, if there is a terminal for it.
  init(total: Int, isShown: Bool) {
    self.total = total
    self.isShown = isShown && StandardStream.error.isTerminal && Process.environment("TERM") ?? "dumb" != "dumb"
  }

  /// Shows the bar for so much of the total, and a count beside it.
  mutating func show(_ done: Int, _ count: Int) {
    guard isShown else { return }
    Process.writeToStandardError("\r\(Self.text(done, of: total))  \(count)\u{1b}[K")
    isThere = true
  }

  /// Takes it away, so that other text can stand there.
  mutating func clear() {
    if isThere { Process.writeToStandardError("\r\u{1b}[K") }
    isThere = false
  }

  /// A bar of ASCII with a percentage behind it.
  static func text(_ done: Int, of total: Int) -> String {
    let share = total > 0 ? min(1, Double(done) / Double(total)) : 1
    let filled = Int(share * Double(columns))
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: columns - filled)
    return "[\(bar)] \(Int(share * 100))%"
  }
}
