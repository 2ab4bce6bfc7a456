/// What every use needs of an action: a cache line.
struct ActionRecord {
  /// What its uses are worth.
  var score = DecayedCount.zero
  /// How many uses were counted, saturated.
  var uses: UInt64 = 0
  /// The latest use on both faces of time: decay time for the order, wall time for display.
  var lastUse = Moment(decay: .min, wall: .min)
  /// The arrival number of the latest event at that time.
  var lastArrival: UInt64 = 0
  /// The action's id.
  let name: NameReference
  /// What it takes part in.
  var standing: Standing
  /// Whether some event named the app.
  var isAppNamed: Bool
  /// Whether there is an action of this number.
  var isPresent = true
  /// The app that owns it.
  var app: UInt32
  /// Whether it is found by its app and id, not by its id alone.
  var isForeign: Bool
  /// Whether it stands in the list over all apps.
  var isInTopList = false
  /// Whether it was used since ``ActionRanking/takeUncommitted()``.
  var isUncommitted = false

  /// Whether it may stand in its app's list.
  var competesInApp: Bool {
    @inline(__always) get { standing.contains(.inApp) }
  }
  /// Whether it may stand in the list over all apps.
  var competesInTop: Bool {
    @inline(__always) get { standing.contains(.inTop) && uses > 0 }
  }

  /// Makes it one that was never used.
  mutating func clearCounts() {
    score = .zero
    uses = 0
    lastUse = Moment(decay: .min, wall: .min)
    lastArrival = 0
  }
}

/// All actions, found by owner and id.
struct ActionTable: ~Copyable {
  /// Which of an action's counts is meant.
  enum Counter {
    /// The one under the half-life of the ranking.
    case common
    /// The one under the half-life of its app.
    case own
    /// That of a lane of its counters under a half-life of uses, of which its app has had so many.
    case uses(Int, halfLife: Int64, steps: UInt32)
    /// That of a lane of its counters under a half-life.
    case time(Int, HalfLife)
    /// That of the power law once its app has had so many uses.
    case power(steps: UInt32)
  }

  private var index = SlotIndex()
  private var records = GrowingBuffer<ActionRecord>()
  private var counters = GrowingBuffer<ActionCounters>()
  private var names = NameArena()
  private var freeNumbers = FreeNumbers()
  private let hash: SeededHash

  /// ``Fading/powerFactors(uses:)`` of few uses.
  private var knownFactors = GrowingBuffer<SIMD8<Float>>()

  init(hash: SeededHash) {
    self.hash = hash
    for uses in 0..<UInt32(512) { _ = knownFactors.append(Fading.powerFactors(uses: uses)) }
  }

  /// How many actions there are.
  var count: Int { records.count - freeNumbers.count }
  /// Numbers are below this.
  var slots: Int { records.count }

  subscript(number: UInt32) -> ActionRecord {
    @inline(__always) unsafeAddress { unsafe records.address(of: number) }
    @inline(__always) unsafeMutableAddress { unsafe records.mutableAddress(of: number) }
  }

  /// What is kept of an action beside its record.
  subscript(counters number: UInt32) -> ActionCounters {
    @inline(__always) unsafeAddress { unsafe counters.address(of: number) }
    @inline(__always) unsafeMutableAddress { unsafe counters.mutableAddress(of: number) }
  }

  /// The id of an action, valid until the next insertion or removal.
  func id(_ number: UInt32) -> UnsafeRawBufferPointer { unsafe names.bytes(records[number].name) }

  /// What ``find(_:foreignApp:hash:)`` looks for an id by.
  @inline(__always)
  func hash(_ id: UnsafeRawBufferPointer) -> UInt64 { unsafe hash.hash(id) }

  /// An action's place in the index: by id alone under its default owner, by id and app under any other.
  ///
  /// So the common event, which names no app, is found without looking for an app first.
  @inline(__always)
  private func tag(_ idHash: UInt64, foreignApp: UInt32?) -> UInt32 {
    guard let foreignApp else { return SlotIndex.tag(idHash) }
    return SlotIndex.tag(hash.salted(idHash, with: foreignApp))
  }

  /// The number of an action, if it is known.
  @inline(__always)
  func find(_ id: UnsafeRawBufferPointer, foreignApp: UInt32?, hash: UInt64) -> UInt32? {
    index.find(tag(hash, foreignApp: foreignApp)) { number in
      let isOwner =
        if let foreignApp { records[number].isForeign && records[number].app == foreignApp } else {
          !records[number].isForeign
        }
      return unsafe isOwner && names.equals(records[number].name, id)
    }
  }

  /// Adds an action that is not known yet, with nothing counted.
  mutating func insert(
    _ id: UnsafeRawBufferPointer, app: UInt32, isForeign: Bool, standing: Standing, hash: UInt64
  ) -> UInt32 {
    let record = unsafe ActionRecord(
      name: names.append(id), standing: standing, isAppNamed: isForeign, app: app, isForeign: isForeign)
    let number: UInt32
    if let free = freeNumbers.take() {
      number = free
      records[number] = record
      counters[number] = ActionCounters()
    } else {
      number = records.append(record)
      _ = counters.append(ActionCounters())
    }
    index.insert(tag(hash, foreignApp: isForeign ? app : nil), number)
    return number
  }

  /// Files an action under its id alone or under a foreign app, whatever it was filed under.
  mutating func refile(_ number: UInt32, app: UInt32, isForeign: Bool) {
    let idHash = unsafe hash(id(number))
    let old = tag(idHash, foreignApp: records[number].isForeign ? records[number].app : nil)
    let new = tag(idHash, foreignApp: isForeign ? app : nil)
    if new != old {
      index.remove(old, number)
      index.insert(new, number)
    }
    records[number].app = app
    records[number].isForeign = isForeign
  }

  /// Removes an action and wipes its id out.
  mutating func remove(_ number: UInt32) {
    let record = records[number]
    unsafe index.remove(tag(hash(id(number)), foreignApp: record.isForeign ? record.app : nil), number)
    names.remove(record.name)
    records[number].isPresent = false
    freeNumbers.add(number)
  }

  /// Lets the numbers of removed actions be used again.
  mutating func recycleNumbers() { freeNumbers.recycle() }

  // MARK: Order

  /// What an action's uses are worth: for use-counted ones, a position of so many uses is as many before the latest.
  @inline(__always)
  func score(_ number: UInt32, by counter: Counter) -> DecayedCount {
    switch counter {
    case .common: return records[number].score
    case .own: return counters[number].ownScore
    case .uses(let lane, let halfLife, let steps):
      let value = counters[number].values[lane]
      if value == 0 { return .zero }
      let age = Int64(steps &- counters[number].step) - 1
      return DecayedCount(weight: Double(value), at: DecayPosition(of: -age, halfLife: halfLife))
    case .time(let lane, let halfLife):
      let value = counters[number].values[lane]
      if value == 0 { return .zero }
      return DecayedCount(weight: Double(value), at: halfLife.position(of: records[number].lastUse.decay))
    case .power(let steps): return DecayedCount(value: Double(power(number, steps: steps)), landmark: 0)
    }
  }

  /// What an action's uses are worth under the power law once its app has had so many uses.
  @inline(__always)
  func power(_ number: UInt32, steps: UInt32) -> Float {
    Fading.power(counters[number].values, powerFactors(number, steps: steps))
  }

  /// The same, and by how many of its own half-lives that fades at the next use of the app, at the most.
  func powerAndPace(_ number: UInt32, steps: UInt32) -> (power: Float, pace: Float) {
    let factors = powerFactors(number, steps: steps)
    let power = Fading.power(counters[number].values, factors)
    return (power, Fading.powerPace(counters[number].values, factors, power: power))
  }

  @inline(__always)
  private func powerFactors(_ number: UInt32, steps: UInt32) -> SIMD8<Float> {
    let uses = steps &- counters[number].step
    return uses < knownFactors.count ? knownFactors[uses] : Fading.powerFactors(uses: uses)
  }

  /// The order of actions: score, then latest use (time, then arrival), then the bytes of the id.
  ///
  /// - Returns: whether `first` is ahead of `second`, and what decided that.
  @inline(__always)
  func order(_ first: UInt32, _ second: UInt32, by counter: Counter) -> (isAhead: Bool, rule: OrderRule) {
    order(first, score(first, by: counter), second, score(second, by: counter))
  }

  @inline(__always)
  private func order(
    _ first: UInt32, _ score: DecayedCount, _ second: UInt32, _ other: DecayedCount
  ) -> (isAhead: Bool, rule: OrderRule) {
    if score.isGreater(than: other) { return (true, .score) }
    if other.isGreater(than: score) { return (false, .score) }
    let (a, b) = (records[first], records[second])
    if a.lastUse.decay != b.lastUse.decay { return (a.lastUse.decay > b.lastUse.decay, .laterUse) }
    if a.lastArrival != b.lastArrival { return (a.lastArrival > b.lastArrival, .laterArrival) }
    return (names.precedes(a.name, b.name), .id)
  }

  /// Whether one action is so far ahead of another that it takes its place: by a share of the other's score, or in the
  /// order at all if there is no margin or nothing to have a share of.
  @inline(__always)
  func leads(
    _ first: UInt32, _ score: DecayedCount, _ second: UInt32, _ other: DecayedCount, margin: Double
  ) -> Bool {
    if margin > 0, other.value > 0 { return score.isGreater(than: other, times: 1 + margin) }
    return order(first, score, second, other).isAhead
  }

  /// Whether one action is ahead of another.
  func precedes(_ first: UInt32, _ second: UInt32, by counter: Counter) -> Bool {
    order(first, second, by: counter).isAhead
  }
}

/// What puts one action ahead of another: the first of these in which they differ.
package enum OrderRule: String, Sendable {
  /// Its uses are worth more.
  case score
  /// Its latest use was later.
  case laterUse = "lastUse"
  /// Its latest use, at the same time, arrived later.
  case laterArrival = "arrival"
  /// The bytes of its id sort before.
  case id
}
