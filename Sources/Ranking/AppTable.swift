/// What is kept of one app. What each use reads comes first, so that it lies together.
struct AppRecord: BitwiseCopyable {
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
  /// Whether what it shows may not follow its lists, and it is noted.
  var isUnsettled = false
  /// Whether it is as it was stored.
  var isRestored = false
  /// Whether it may be stored, and whether somebody may have published it.
  var isStored = false
  var isTold = false
  /// Whether anything was published of it.
  var isPublished = false
  /// ``ActionRanking/appMark`` if it has to be stored, the one before while a commit has still to copy it, else 0.
  var mark: UInt8 = 0
  /// The decay that its list goes by if it adapts.
  var inForce = Decay.power
  /// How many actions its lists hold as they are.
  var listLimit: UInt8
  /// Places that are shown.
  var shownCount: UInt8 = 0
  /// How many actions its list holds, if not as many as others.
  var ownLimit: UInt8?
  /// How many actions it has.
  var members: UInt32 = 0
  /// How many uses of its actions were counted.
  var steps: UInt32 = 0
  /// As of how many uses of it the list of the power law was looked at last.
  var settledAt: UInt32 = 0
  /// Uses of the flood that goes on which its actions have as pending, and how many of them were of what is published;
  /// only while these are counted.
  var pending: (uses: UInt32, hits: UInt32) = (0, 0)
  /// How fast uses lose their worth in its list, if not as in others.
  var ownHalfLife: HalfLife?
  /// What an action has to be worth at least to lead the lowest of a full list.
  var bars = ListBars()
  /// How good its lists were.
  var rates = HitRates()

  init(name: NameReference, listLimit: UInt8) { (self.name, self.listLimit) = (name, listLimit) }
}

/// All apps, found by id.
struct AppTable: ~Copyable {
  private var index = SlotIndex()
  private var records = GrowingBuffer<AppRecord>()
  private var hits = GrowingBuffer<AppHits>()
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

  /// How good an app's lists were.
  subscript(hits number: UInt32) -> AppHits {
    @inline(__always) unsafeAddress { unsafe hits.address(of: number) }
    @inline(__always) unsafeMutableAddress { unsafe hits.mutableAddress(of: number) }
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

  /// Makes room for so many apps more, but for their ids.
  mutating func reserve(_ additional: Int) {
    index.reserve(additional)
    records.reserve(additional)
    hits.reserve(additional)
  }

  /// Adds an app that is not known yet.
  mutating func insert(_ id: UnsafeRawBufferPointer, limit: UInt8) -> UInt32 {
    var record = unsafe AppRecord(name: names.append(id), listLimit: limit)
    let number: UInt32
    if let free = freeNumbers.take() {
      number = free
      // Who had the number may be noted as changed or unsettled: it is to stand there once.
      record.hasChanged = records[number].hasChanged
      record.isUnsettled = records[number].isUnsettled
      records[number] = record
      hits[number] = AppHits()
    } else {
      number = records.append(record)
      _ = hits.append(AppHits())
    }
    unsafe index.insert(tag(id), number)
    return number
  }

  /// Removes an app.
  mutating func remove(_ number: UInt32) {
    unsafe index.remove(tag(id(number)), number)
    names.remove(records[number].name)
    records[number].isPresent = false
    records[number].mark = 0
    freeNumbers.add(number)
  }

  /// Lets the numbers of removed apps be used again.
  mutating func recycleNumbers() { freeNumbers.recycle() }

  /// Lets those of the apps that were removed last, so many, be used again.
  mutating func reuseNumbers(ofLast count: Int) -> ArraySlice<UInt32> { freeNumbers.recycle(last: count) }
}
