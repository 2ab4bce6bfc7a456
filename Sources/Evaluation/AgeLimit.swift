/// Tells of each use when it becomes older than a limit.
struct AgeLimit {
  private let limit: Int64
  private var next = 0

  /// - Parameter limit: nanoseconds.
  init(_ limit: Int64) { self.limit = limit }

  /// Takes the next use that is older than the limit by now.
  ///
  /// - Parameter times: of all uses so far.
  /// - Returns: its index; nil if there is none any more.
  mutating func pass(_ times: [Int64], at now: Int64) -> Int? {
    guard next < times.count, now - times[next] > limit else { return nil }
    defer { next += 1 }
    return next
  }
}
