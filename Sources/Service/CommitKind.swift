/// What a commit stores.
enum CommitKind {
  /// Everything that has changed since the last commit of this kind: a row for each action.
  case changes
  /// What has come in since the commit before, as it came.
  case input
  /// Nothing, for now.
  case none
}

/// Decides what a commit stores, so that a flood of new actions costs by what has come in and not by what it changes.
///
/// A row of an action takes some microseconds to store, and nobody needs it as long as the bytes are stored that led to
/// it: a start works them out again. So where very many actions have changed by few bytes, the bytes are stored at once
/// and the rows later: when an interval brings little, after ``longest`` at the latest, or when what has come in
/// gets more than a start should have to work through; but not so soon after one another that nothing else is done.
struct CommitRule {
  /// From so many changed actions on (`[Storage] LargeCommit=`).
  var largeCommit: Int
  /// The most bytes that may wait to be worked out.
  var mostInput: Int

  /// A row costs about as much as storing so many bytes.
  static let bytesOfRow = 256
  /// An interval has brought little if it brought fewer bytes than this for each action of ``largeCommit``.
  static let bytesOfCalm = 32
  /// Nanoseconds after which rows are stored however much comes in.
  static let longest: Int64 = 60_000_000_000
  /// So many times as long as a commit of rows took nothing but input is stored after it.
  static let rest: Int64 = 4
  /// The most bytes that may wait to be worked out, however large the intake log is.
  static let mostInput = 64 << 20

  /// What is stored as it came and waits to be worked out, bytes, and since when, decay time.
  private(set) var stored: (bytes: Int, since: Int64)?
  /// When the last commit of rows began and ended, decay time.
  private var changes: (began: Int64, ended: Int64)?

  /// What there is to be stored.
  struct Situation {
    /// Decay time.
    var now: Int64
    /// Actions that have changed since the last commit of rows.
    var changedActions: Int
    /// Bytes that have come in since the commit before; nil if these can't stand for all that has changed.
    var input: Int?
    /// How many of them have come in since the last interval began, if one is over; nil if somebody waits for this commit.
    var inputOfInterval: Int?
  }

  init(largeCommit: Int, intakeLogSize: Int) {
    self.largeCommit = largeCommit
    mostInput = min(intakeLogSize, Self.mostInput)
  }

  func kind(of situation: Situation) -> CommitKind {
    guard let input = situation.input, situation.changedActions >= largeCommit,
      (stored?.bytes ?? 0) + input <= mostInput, input <= situation.changedActions * Self.bytesOfRow
    else { return .changes }
    if let stored, let inputOfInterval = situation.inputOfInterval, isRested(at: situation.now) {
      if situation.now - stored.since >= Self.longest { return .changes }
      if inputOfInterval < largeCommit * Self.bytesOfCalm { return .changes }
    }
    return input > 0 || situation.inputOfInterval == nil ? .input : .none
  }

  private func isRested(at now: Int64) -> Bool {
    changes.map { now - $0.ended >= ($0.ended - $0.began) * Self.rest } ?? true
  }

  /// A commit of rows is done.
  mutating func noteChanges(began: Int64, ended: Int64) {
    changes = (began, ended)
    stored = nil
  }

  /// A commit of so many bytes is done.
  mutating func noteInput(_ count: Int, at time: Int64) {
    stored = ((stored?.bytes ?? 0) + count, stored?.since ?? time)
  }
}
