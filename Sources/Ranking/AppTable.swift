/// What is kept of one app.
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
  /// How many actions its list holds, if not as many as others.
  var ownLimit: UInt8?
  /// How many actions it has.
  var members: UInt32 = 0
  /// How fast uses lose their worth in its list, if not as in others.
  var ownHalfLife: HalfLife?
  /// How many actions its lists hold as they are.
  var listLimit: UInt8
  /// How many uses of its actions were counted.
  var steps: UInt32 = 0
  /// How good its lists were.
  var rates = HitRates()
  /// What an action has to be worth at least to lead the lowest of a full list.
  var bars = ListBars()
  /// The decay that its list goes by if it adapts.
  var inForce = Decay.power
  /// Places that are shown.
  var shownCount: UInt8 = 0
  /// As of how many uses of it the list of the power law was looked at last.
  var settledAt: UInt32 = 0
  /// Whether what it shows may not follow its lists, and it is noted.
  var isUnsettled = false
  /// Whether it is as it was stored.
  var isRestored = false
  /// Whether it may be stored, and whether somebody may have published it.
  var isStored = false
  var isTold = false
  /// ``ActionRanking/appMark`` if it has to be stored, the one before while a commit has still to copy it, else 0.
  var mark: UInt8 = 0
  /// Whether anything was published of it.
  var isPublished = false
}

/// What an action has to be worth at least to lead the lowest of each list of counted decays that is full; nothing where
/// that is not known. The lowest of a list only ever rises, so what was true once does as a bound, if it fades as counts
/// do.
struct ListBars: BitwiseCopyable {
  private var fast = SIMD4<Float>.zero
  private var slow = SIMD4<Float>.zero
  /// The decay time that those of time-counted decays are as of: not before any use of the app.
  private var time = Int64.min

  /// Bounds are so much too low each time that rounding does not matter.
  @inline(__always)
  private static var caution: Float { 1 - 0x1p-20 }

  /// Fades at a use of the app.
  @inline(__always)
  mutating func fade(in fading: borrowing FadingTable) {
    let factors = fading.factors(uses: 1) * Self.caution
    fast *= factors.lowHalf
    slow *= factors.highHalf
  }

  /// Fades until a decay time, if that is later.
  @inline(__always)
  mutating func fade(until time: Int64) {
    if time <= self.time { return }
    let nanoseconds = time.saturatingSubtracting(self.time)
    self.time = time
    slow *= Fading.factors(nanoseconds: nanoseconds.magnitude) * Self.caution
  }

  /// Knows how much the lowest of a list is worth by now, and by what margin that is to be led.
  @inline(__always)
  mutating func set(_ decay: Decay, lowest: Float, margin: Double) {
    let bar = lowest * Float(1 + margin) * (1 - 0x1p-12)
    switch decay {
    case .use1: fast[0] = bar
    case .uses5: fast[1] = bar
    case .uses20: fast[2] = bar
    case .uses100: fast[3] = bar
    case .uses500: slow[0] = bar
    case .hour: slow[1] = bar
    case .day: slow[2] = bar
    case .month: slow[3] = bar
    case .power, .fixed: break
    }
  }

  /// What is left by now of what was counted until a decay time.
  func fading(_ lane: Int, since time: Int64) -> Float {
    Fading.factors(nanoseconds: self.time.saturatingSubtracting(time).magnitude)[lane - 4]
  }

  /// The lists whose lowest may be led by counts that are worth so much by now, or less.
  @inline(__always)
  func lists(openTo values: SIMD8<Float>) -> DecaySet {
    let bits = Self.signs(fast - values.lowHalf) | Self.signs(slow - values.highHalf) << 4
    return DecaySet(rawValue: UInt16(truncatingIfNeeded: bits))
  }

  /// A bit for each lane that is negative.
  @inline(__always)
  private static func signs(_ lanes: SIMD4<Float>) -> UInt32 {
    let bits = unsafe unsafeBitCast(lanes, to: SIMD4<UInt32>.self) &>> 31
    return bits[0] | bits[1] << 1 | bits[2] << 2 | bits[3] << 3
  }
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
