/// What changes of stored actions in one commit. Memory: 148 bytes an action and its name, and 16 for its uses in an hour.
package struct ActionChanges: Sendable {
  /// Uses of an action to add in one hour.
  package struct Uses: BitwiseCopyable, Sendable {
    private let storedPlace: UInt32
    private let storedHour: Int32
    package let uses: UInt64

    fileprivate init(place: Int, hour: Int64, uses: UInt64) {
      (storedPlace, storedHour, self.uses) = (UInt32(place), Int32(clamping: hour), uses)
    }

    package var place: Int { Int(storedPlace) }
    /// Whole hours since 1970, UTC.
    package var hour: Int64 { Int64(storedHour) }
  }

  /// The actions that something is said of, each by its place; of an action may be said something in several.
  package private(set) var names = ActionNameList()
  /// All values of actions, which replace what is stored.
  package private(set) var values: [ActionValues] = []
  private var valuePlaces: [UInt32] = []
  /// What is added.
  package private(set) var uses: [Uses] = []

  package init() {}

  package var isEmpty: Bool { names.isEmpty }
  /// How many uses are added, over all actions.
  package var addedUses: UInt64 { uses.reduce(0) { $0.saturatingAdding($1.uses) } }

  /// The place of the action whose values are given as the `index`th.
  @inline(__always)
  package func place(ofValues index: Int) -> Int { Int(valuePlaces[index]) }

  /// Makes room for all values of so many actions more, and so many hours.
  package mutating func reserve(actions: Int, hours: Int) {
    names.reserve(actions + hours)
    values.reserveCapacity(values.count + actions)
    valuePlaces.reserveCapacity(valuePlaces.count + actions)
    uses.reserveCapacity(uses.count + actions + hours)
  }

  /// Names an action, to say something of it.
  ///
  /// - Parameters:
  ///   - app: 1 to 255 bytes.
  ///   - action: 1 to 255 bytes.
  /// - Returns: its place, which the other calls ask for.
  /// - Complexity: O(1) amortised.
  package mutating func name(app: UnsafeRawBufferPointer, action: UnsafeRawBufferPointer) -> Int {
    unsafe names.append(app: app, action: action)
    return names.count - 1
  }

  /// The same with ids that lie elsewhere.
  package mutating func name(app: [UInt8], action: [UInt8]) -> Int {
    names.append(ActionName(app: app, action: action))
    return names.count - 1
  }

  /// Gives all values of an action.
  package mutating func set(_ place: Int, _ values: ActionValues) {
    self.values.append(values)
    valuePlaces.append(UInt32(place))
  }

  /// Adds uses in an hour, whole hours since 1970, to what is stored. An action that is not stored then is left out.
  package mutating func add(_ uses: UInt64, to place: Int, hour: Int64) {
    self.uses.append(Uses(place: place, hour: hour, uses: uses))
  }
}
