/// What is kept of one app.
struct AppRecord {
  let name: NameReference
  /// Its best actions.
  var list = RankedList()
  /// Whether something that its list shows has changed since ``ActionRanking/takeChanges()``.
  var hasChanged = false
}

/// All apps, found by id.
struct AppTable: ~Copyable {
  private var index = SlotIndex()
  private var records = GrowingBuffer<AppRecord>()
  private var names = NameArena()
  private let hash: SeededHash

  init(hash: SeededHash) {
    self.hash = hash
  }

  var count: Int { records.count }

  subscript(number: UInt32) -> AppRecord {
    @inline(__always) unsafeAddress { unsafe records.address(of: number) }
    @inline(__always) unsafeMutableAddress { unsafe records.mutableAddress(of: number) }
  }

  /// The id of an app, valid until the next insertion.
  func id(_ number: UInt32) -> UnsafeRawBufferPointer { unsafe names.bytes(records[number].name) }

  /// The number of an app, which is added if it is not known yet.
  mutating func findOrInsert(_ id: UnsafeRawBufferPointer) -> UInt32 {
    let tag = unsafe SlotIndex.tag(hash.hash(id))
    if let known = index.find(tag, matching: { unsafe names.equals(records[$0].name, id) }) { return known }
    let number = unsafe records.append(AppRecord(name: names.append(id)))
    index.insert(tag, number)
    return number
  }
}
