/// What is kept of one app.
struct AppRecord {
  let name: NameReference
  /// Whether something that its list shows has changed since ``ActionRanking/takeChanges()``.
  var hasChanged = false
  /// Whether its list is empty because it has to be made anew.
  var isStale = false
  /// Whether there is an app of this number.
  var isPresent = true
  /// Whether it stays without actions.
  var isKept = false
  /// Whether its actions' uses count nothing.
  var isBlocked = false
  /// How many actions its list holds, if not as many as others.
  var ownLimit: UInt8?
  /// How many actions it has.
  var members: UInt32 = 0
  /// How fast uses lose their worth in its list, if not as in others.
  var ownHalfLife: HalfLife?
  /// Its best actions.
  var list = RankedList()

  /// Which of an action's counts orders the list.
  var counter: ActionTable.Counter {
    @inline(__always) get { ownHalfLife == nil ? .common : .own }
  }
}

/// All apps, found by id.
struct AppTable: ~Copyable {
  private var index = SlotIndex()
  private var records = GrowingBuffer<AppRecord>()
  private var names = NameArena()
  private var freeNumbers = FreeNumbers()
  private let hash: SeededHash

  init(hash: SeededHash) {
    self.hash = hash
  }

  /// How many apps there are.
  var count: Int { records.count - freeNumbers.count }
  /// Numbers are below this.
  var slots: Int { records.count }

  subscript(number: UInt32) -> AppRecord {
    @inline(__always) unsafeAddress { unsafe records.address(of: number) }
    @inline(__always) unsafeMutableAddress { unsafe records.mutableAddress(of: number) }
  }

  /// The id of an app, valid until the next insertion or removal.
  func id(_ number: UInt32) -> UnsafeRawBufferPointer { unsafe names.bytes(records[number].name) }

  /// Whether an app has this very id.
  @inline(__always)
  func hasID(_ number: UInt32, _ id: UnsafeRawBufferPointer) -> Bool {
    unsafe names.equals(records[number].name, id)
  }

  /// The number of an app, if it is known.
  func find(_ id: UnsafeRawBufferPointer) -> UInt32? { unsafe find(id, tag: tag(id)) }

  private func tag(_ id: UnsafeRawBufferPointer) -> UInt32 { unsafe SlotIndex.tag(hash.hash(id)) }

  @inline(__always)
  private func find(_ id: UnsafeRawBufferPointer, tag: UInt32) -> UInt32? {
    index.find(tag) { unsafe hasID($0, id) }
  }

  /// Adds an app that is not known yet.
  mutating func insert(_ id: UnsafeRawBufferPointer) -> UInt32 {
    var record = unsafe AppRecord(name: names.append(id))
    let number: UInt32
    if let free = freeNumbers.take() {
      number = free
      // Who had the number may be noted as changed: it is to stand there once.
      record.hasChanged = records[number].hasChanged
      records[number] = record
    } else {
      number = records.append(record)
    }
    unsafe index.insert(tag(id), number)
    return number
  }

  /// Removes an app.
  mutating func remove(_ number: UInt32) {
    unsafe index.remove(tag(id(number)), number)
    names.remove(records[number].name)
    records[number].isPresent = false
    freeNumbers.add(number)
  }

  /// Lets the numbers of removed apps be used again.
  mutating func recycleNumbers() { freeNumbers.recycle() }
}
