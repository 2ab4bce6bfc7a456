package import Ranking

/// What changes of actions in one commit.
///
/// All ids lie in one buffer, so that a row costs no allocation of its own; actions of one app that follow one another
/// share its id.
package struct ActionChanges: Sendable {
  /// An action by its ids.
  struct Name: BitwiseCopyable {
    fileprivate let app: Int
    fileprivate let action: Int
    fileprivate let appLength: UInt8
    fileprivate let actionLength: UInt8
  }

  /// All of an action's values, which replace what is stored.
  struct Row: BitwiseCopyable {
    let place: Int
    var values: ActionValues
  }

  /// Uses of an action to add in one hour.
  struct Uses: BitwiseCopyable {
    let place: Int
    /// Whole hours since 1970, UTC.
    let hour: Int64
    let uses: UInt64
  }

  /// All ids.
  private(set) var bytes: [UInt8] = []
  private(set) var names: [Name] = []
  private(set) var rows: [Row] = []
  private(set) var uses: [Uses] = []

  package init() {}

  /// How many actions are given with all of their values.
  package var rowCount: Int { rows.count }
  /// How many uses are added, over all actions.
  package var addedUses: UInt64 { uses.reduce(0) { $0.saturatingAdding($1.uses) } }
  var isEmpty: Bool { names.isEmpty }

  /// Makes room for so many actions more.
  package mutating func reserve(_ additional: Int) {
    names.reserveCapacity(names.count + additional)
    rows.reserveCapacity(rows.count + additional)
    uses.reserveCapacity(uses.count + additional)
  }

  /// Names an action, to say something of it.
  ///
  /// - Parameters:
  ///   - app: 1 to 255 bytes.
  ///   - action: 1 to 255 bytes.
  /// - Returns: its place, which the other calls ask for.
  /// - Complexity: O(1) amortised.
  package mutating func name(app: UnsafeRawBufferPointer, action: UnsafeRawBufferPointer) -> Int {
    var start = bytes.count
    if let last = names.last, unsafe bytes[last.app..<last.app + Int(last.appLength)].elementsEqual(app) {
      start = last.app
    } else {
      unsafe bytes.append(contentsOf: app)
    }
    names.append(
      Name(app: start, action: bytes.count, appLength: UInt8(app.count), actionLength: UInt8(action.count)))
    unsafe bytes.append(contentsOf: action)
    return names.count - 1
  }

  /// The same with ids that lie elsewhere.
  package mutating func name(app: [UInt8], action: [UInt8]) -> Int {
    unsafe app.withUnsafeBytes { app in unsafe action.withUnsafeBytes { unsafe name(app: app, action: $0) } }
  }

  /// Gives all values of an action.
  package mutating func set(_ place: Int, _ values: ActionValues) { rows.append(Row(place: place, values: values)) }

  /// Adds uses in an hour, whole hours since 1970, to what is stored. An action that is not stored then is left out.
  package mutating func add(_ uses: UInt64, to place: Int, hour: Int64) {
    self.uses.append(Uses(place: place, hour: hour, uses: uses))
  }

  // MARK: Reading

  /// Calls `body` with the ids of all actions where they lie.
  func withNames<Result, Failure: Error>(_ body: (NameReader) throws(Failure) -> Result) throws(Failure) -> Result {
    try unsafe bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      try unsafe names.withUnsafeBufferPointer { names throws(Failure) in
        try unsafe body(NameReader(bytes: UnsafeRawBufferPointer(bytes), names: names))
      }
    }
  }

  /// The ids of actions, valid during the call that it is given to.
  @unsafe
  struct NameReader {
    fileprivate let bytes: UnsafeRawBufferPointer
    fileprivate let names: UnsafeBufferPointer<Name>

    @inline(__always)
    func app(_ place: Int) -> UnsafeRawBufferPointer {
      let name = unsafe names[place]
      return unsafe UnsafeRawBufferPointer(rebasing: bytes[name.app..<name.app + Int(name.appLength)])
    }

    @inline(__always)
    func action(_ place: Int) -> UnsafeRawBufferPointer {
      let name = unsafe names[place]
      return unsafe UnsafeRawBufferPointer(rebasing: bytes[name.action..<name.action + Int(name.actionLength)])
    }
  }
}

extension ActionChanges {
  /// The ids of an action as values of their own.
  func ids(_ place: Int) -> (app: [UInt8], action: [UInt8]) {
    unsafe withNames { unsafe (Array($0.app(place)), Array($0.action(place))) }
  }
}
