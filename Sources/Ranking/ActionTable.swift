/// What every use needs of an action: a cache line.
struct ActionRecord {
  /// What its uses are worth.
  var score: DecayedCount
  /// How many uses were counted, saturated.
  var uses: UInt64
  /// The latest use on both faces of time: decay time for the order, wall time for display.
  var lastUse: Moment
  /// The arrival number of the latest event at that time.
  var lastArrival: UInt64
  /// The action's id.
  let name: NameReference
  /// The app that owns it.
  let app: UInt32
  /// Whether an event named an app that is not the default owner of this id.
  let isForeign: Bool
  /// Whether it stands in its app's list, and in the list over all apps.
  var isInAppList = false
  var isInTopList = false
  /// Whether it was used since ``ActionRanking/takeUncommitted(at:)``.
  var isUncommitted = false
}

/// All actions, found by owner and id.
struct ActionTable: ~Copyable {
  private var index = SlotIndex()
  private var records = GrowingBuffer<ActionRecord>()
  private var names = NameArena()
  private let hash: SeededHash

  init(hash: SeededHash) {
    self.hash = hash
  }

  var count: Int { records.count }

  subscript(number: UInt32) -> ActionRecord {
    @inline(__always) unsafeAddress { unsafe records.address(of: number) }
    @inline(__always) unsafeMutableAddress { unsafe records.mutableAddress(of: number) }
  }

  /// The id of an action, valid until the next insertion.
  func id(_ number: UInt32) -> UnsafeRawBufferPointer { unsafe names.bytes(records[number].name) }

  /// An action's place in the index: by id alone under its default owner, by id and app under any other.
  ///
  /// So the common event, which names no app, is found without looking for an app first.
  @inline(__always)
  func tag(_ id: UnsafeRawBufferPointer, foreignApp: UInt32?) -> UInt32 {
    guard let foreignApp else { return unsafe SlotIndex.tag(hash.hash(id)) }
    return unsafe SlotIndex.tag(hash.hash(id, salt: foreignApp))
  }

  /// The number of an action, if it is known.
  @inline(__always)
  func find(_ id: UnsafeRawBufferPointer, foreignApp: UInt32?, tag: UInt32) -> UInt32? {
    index.find(tag) { number in
      let isOwner =
        if let foreignApp { records[number].isForeign && records[number].app == foreignApp } else {
          !records[number].isForeign
        }
      return unsafe isOwner && names.equals(records[number].name, id)
    }
  }

  /// Adds an action that is not known yet, with nothing counted.
  mutating func insert(_ id: UnsafeRawBufferPointer, app: UInt32, isForeign: Bool, tag: UInt32) -> UInt32 {
    let name = unsafe names.append(id)
    let number = records.append(
      ActionRecord(
        score: .zero, uses: 0, lastUse: Moment(decay: .min, wall: .min), lastArrival: 0, name: name, app: app,
        isForeign: isForeign))
    index.insert(tag, number)
    return number
  }

  /// The order of actions: score, then latest use (time, then arrival), then the bytes of the id.
  func precedes(_ first: UInt32, _ second: UInt32) -> Bool {
    let (a, b) = (records[first], records[second])
    if a.score.isGreater(than: b.score) { return true }
    if b.score.isGreater(than: a.score) { return false }
    if a.lastUse.decay != b.lastUse.decay { return a.lastUse.decay > b.lastUse.decay }
    if a.lastArrival != b.lastArrival { return a.lastArrival > b.lastArrival }
    return names.precedes(a.name, b.name)
  }
}
