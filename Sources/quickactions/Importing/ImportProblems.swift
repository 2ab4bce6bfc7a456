import QuickActionsClient

/// What can't be imported: told one by one while there are few, and the rest by its number.
final class ImportProblems {
  private let output: Output
  private let unit: String
  /// How many there were.
  private(set) var count: UInt64 = 0
  /// The entries that the lines of the stream came from; nil for a sync.
  private var sent: [Int?] = []

  private static let mostTold: UInt64 = 20

  /// - Parameter unit: what the numbers count: "line".
  init(_ output: Output, unit: String) { (self.output, self.unit) = (output, unit) }

  /// Tells of one, if there were not too many.
  func add(_ number: Int?, code: String, message: String) {
    count += 1
    if count > Self.mostTold { return }
    if output.isJSON {
      output.report(Refusal(line: number.flatMap { UInt64(exactly: $0) }, code: code, message: message))
    } else {
      output.note("\(unit) \(number.map(String.init) ?? "?"): \(VisibleText.of(message))")
    }
  }

  /// Notes which entry the next line of the stream comes from; nil for a sync.
  func noteNext(_ number: Int?) { sent.append(number) }

  /// Tells what the daemon refuses.
  func add(_ refusal: Refusal) {
    let index = refusal.line.flatMap { Int(exactly: $0) }.map { $0 - 1 }
    let number = index.flatMap { sent.indices.contains($0) ? sent[$0] : nil }
    add(number, code: refusal.code, message: refusal.message)
  }

  /// Counts some that the daemon has not told one by one.
  func add(untold number: UInt64) { count += number }

  /// Says how many were not told.
  func tellRest() {
    if count > Self.mostTold { output.note("and \(count - Self.mostTold) more") }
  }
}
