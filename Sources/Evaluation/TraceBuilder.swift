/// Puts the uses of a file together by user.
struct TraceBuilder {
  private var places: [[UInt8]: Int] = [:]
  private var users: [UserBuilder] = []
  private var useCount = 0
  private var actionCount = 0
  let limits: TraceLimits

  init(_ limits: TraceLimits) { self.limits = limits }

  /// Takes what a line said.
  ///
  /// - Throws: `tooManyUses`, `tooManyActions`.
  mutating func add(_ line: TraceLine) throws(TraceFailure) {
    switch line {
    case .nothing: break
    case .row(let user, let time, let action):
      let place = try place(of: user, adding: 1)
      try add(action, to: place) { user, action in
        // A clock that was set back counts as one that stood still, as in the daemon.
        user.uses.append(Trace.Use(time: max(time, user.uses.last?.time ?? time), action: action))
      }
    case .exported(let app, let time, let action, let count):
      let place = try place(of: app, adding: count)
      try add(action, to: place) { user, action in
        user.isExported = true
        for number in 0..<count {
          user.uses.append(Trace.Use(time: Self.time(of: number, of: count, around: time), action: action))
        }
      }
    }
  }

  /// The times of uses that are known by their number and the middle of their hour: spread over it evenly.
  private static func time(of number: Int, of count: Int, around middle: Int64) -> Int64 {
    let offset = Int64.hours(1) / Int64(2 * count) * Int64(2 * number + 1 - count)
    return min(max(middle + offset, -TraceLine.farthestTime), TraceLine.farthestTime)
  }

  private mutating func place(of user: [UInt8], adding count: Int) throws(TraceFailure) -> Int {
    useCount += count
    if useCount > limits.uses { throw .tooManyUses(limit: limits.uses) }
    if let last = users.indices.last, users[last].name == user { return last }
    if let place = places[user] { return place }
    places[user] = users.count
    users.append(UserBuilder(name: user))
    return users.count - 1
  }

  private mutating func add(
    _ action: [UInt8], to place: Int, _ append: (inout UserBuilder, Int32) -> Void
  ) throws(TraceFailure) {
    if let number = users[place].actions[action] { return append(&users[place], number) }
    actionCount += 1
    if actionCount > limits.actions { throw .tooManyActions(limit: limits.actions) }
    let number = Int32(users[place].actions.count)
    users[place].actions[action] = number
    append(&users[place], number)
  }

  /// All of it, when the file has ended.
  ///
  /// - Complexity: O(n log n) in exported uses.
  consuming func finish(refusedLines: Int) -> Trace {
    Trace(users: users.map { $0.finish() }, refusedLines: refusedLines)
  }
}

/// One user's part.
private struct UserBuilder {
  let name: [UInt8]
  var actions: [[UInt8]: Int32] = [:]
  var uses: [Trace.Use] = []
  /// An export is in no order of uses.
  var isExported = false

  init(name: [UInt8]) { self.name = name }

  func finish() -> Trace.User {
    guard isExported else { return Trace.User(name: name, actionCount: actions.count, uses: uses) }
    // Stable: of uses at the same time, the one that stood first in the file comes first.
    let order = uses.indices.sorted { (uses[$0].time, $0) < (uses[$1].time, $1) }
    return Trace.User(name: name, actionCount: actions.count, uses: order.map { uses[$0] })
  }
}
