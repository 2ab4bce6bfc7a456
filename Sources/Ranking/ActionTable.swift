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
  /// What uses are worth under the half-life of the app, if it has its own: of as many actions as were asked for.
  private var ownScores = GrowingBuffer<DecayedCount>()
  private var names = ActionNames()
  private var freeNumbers = FreeNumbers()
  /// Whether any action was ever filed under its app: as long as none was, none is looked for there.
  private var mayHaveForeign = false
  private let hash: SeededHash

  /// What is left of counts.
  let fading = FadingTable()

  init(hash: SeededHash) {
    self.hash = hash
  }

  /// How many actions there are.
  var count: Int { records.count - freeNumbers.count }
  /// Numbers are below this.
  var slots: Int { records.count }

  subscript(number: UInt32) -> ActionRecord {
    @inline(__always) unsafeAddress { unsafe records.address(of: number) }
    @inline(__always) unsafeMutableAddress { unsafe records.mutableAddress(of: number) }
  }

  /// What the lists of an action's app go by.
  subscript(counters number: UInt32) -> ActionCounters {
    @inline(__always) get { self[number].counters }
    @inline(__always) _modify { yield &self[number].counters }
  }

  /// What an action's uses are worth under the half-life of its app; nothing if that has none of its own.
  subscript(ownScore number: UInt32) -> DecayedCount {
    get { number < ownScores.count ? ownScores[number] : .zero }
    set {
      if number >= ownScores.count {
        if newValue.value == 0 { return }
        ownScores.reserve(records.count - ownScores.count)
        while number >= ownScores.count { _ = ownScores.append(.zero) }
      }
      ownScores[number] = newValue
    }
  }

  /// The id of an action, valid until the next call of anything here.
  func id(_ number: UInt32) -> UnsafeRawBufferPointer {
    unsafe names.bytes(records[number].name, app: records[number].app)
  }

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
    if foreignApp != nil, !mayHaveForeign { return nil }
    return index.find(tag(hash, foreignApp: foreignApp)) { number in
      let isOwner =
        if let foreignApp { records[number].isForeign && records[number].app == foreignApp } else {
          !records[number].isForeign
        }
      return unsafe isOwner && names.equals(records[number].name, app: records[number].app, id)
    }
  }

  /// The number of the action that has an id under its default owner.
  @inline(__always)
  func find(_ key: ActionKey) -> UInt32? {
    if key.likely < records.count, unsafe isFiled(key.likely, under: key.id) { return key.likely }
    return unsafe find(key.id, foreignApp: nil, hash: key.hash)
  }

  @inline(__always)
  private func isFiled(_ number: UInt32, under id: UnsafeRawBufferPointer) -> Bool {
    let record = records[number]
    return unsafe record.isPresent && !record.isForeign && names.equals(record.name, app: record.app, id)
  }

  /// Reads where an action is looked for; what it returns means nothing.
  @inline(__always)
  func reachIndex(_ hash: UInt64) -> UInt64 { index.reach(SlotIndex.tag(hash)) }

  /// Who is probably found by a hash; `.max` for nobody.
  @inline(__always)
  func candidate(_ hash: UInt64) -> UInt32 { index.find(SlotIndex.tag(hash)) { _ in true } ?? .max }

  /// Reads something of what finding and counting an action reads; what it returns means nothing.
  @inline(__always)
  func reachRecord(_ number: UInt32) -> UInt64 { number < records.count ? UInt64(records[number].app) : 0 }
  @inline(__always)
  func reachName(_ number: UInt32) -> UInt64 { number < records.count ? names.reach(records[number].name) : 0 }

  /// Makes room for so many actions more, but for their ids.
  mutating func reserve(_ additional: Int) {
    index.reserve(additional)
    records.reserve(additional)
  }

  /// Adds an action that is not known yet, with nothing counted.
  ///
  /// - Parameter appID: the id of the app that owns it.
  mutating func insert(
    _ id: UnsafeRawBufferPointer, app: UInt32, appID: UnsafeRawBufferPointer, isForeign: Bool, standing: Standing,
    hash: UInt64
  ) -> UInt32 {
    let record = unsafe ActionRecord(
      name: names.append(id, app: app, appID: appID), standing: standing, isAppNamed: isForeign, app: app,
      isForeign: isForeign)
    let number: UInt32
    if let free = freeNumbers.take() {
      number = free
      records[number] = record
      self[ownScore: number] = .zero
    } else {
      number = records.append(record)
    }
    index.insert(tag(hash, foreignApp: isForeign ? app : nil), number)
    mayHaveForeign = mayHaveForeign || isForeign
    return number
  }

  /// Gives an action to another app.
  ///
  /// - Parameter appID: the id of that.
  mutating func move(_ number: UInt32, to app: UInt32, appID: UnsafeRawBufferPointer) {
    let id = unsafe Array(id(number))
    file(number, app: app, isForeign: records[number].isForeign)
    names.remove(records[number].name)
    records[number].name = unsafe id.withUnsafeBytes { unsafe names.append($0, app: app, appID: appID) }
  }

  /// Takes note that an app without actions is gone.
  mutating func remove(app: UInt32) { names.remove(app: app) }

  /// Files an action under its id alone or under its app, whatever it was filed under.
  mutating func refile(_ number: UInt32, isForeign: Bool) {
    file(number, app: records[number].app, isForeign: isForeign)
  }

  private mutating func file(_ number: UInt32, app: UInt32, isForeign: Bool) {
    let idHash = unsafe hash(id(number))
    let old = tag(idHash, foreignApp: records[number].isForeign ? records[number].app : nil)
    let new = tag(idHash, foreignApp: isForeign ? app : nil)
    if new != old {
      index.remove(old, number)
      index.insert(new, number)
    }
    records[number].app = app
    records[number].isForeign = isForeign
    mayHaveForeign = mayHaveForeign || isForeign
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

  /// Lets those of the actions that were removed last, so many, be used again.
  mutating func reuseNumbers(ofLast count: Int) { freeNumbers.recycle(last: count) }

  // MARK: Order

  /// What an action's uses are worth: for use-counted ones, a position of so many uses is as many before the latest.
  @inline(__always)
  func score(_ number: UInt32, by counter: Counter) -> DecayedCount {
    switch counter {
    case .common: return records[number].score
    case .own: return self[ownScore: number]
    case .uses(let lane, let halfLife, let steps):
      let value = self[number].counters.values[lane]
      if value == 0 { return .zero }
      let age = Int64(steps &- self[number].counters.step) - 1
      return DecayedCount(weight: Double(value), at: DecayPosition(of: -age, halfLife: halfLife))
    case .time(let lane, let halfLife):
      let value = self[number].counters.values[lane]
      if value == 0 { return .zero }
      return DecayedCount(weight: Double(value), at: halfLife.position(of: records[number].lastUse.decay))
    case .power(let steps): return DecayedCount(value: Double(worths.power(number, steps: steps, fading)), landmark: 0)
    }
  }

  /// What actions are worth quickly, for as long as none is inserted.
  var worths: ActionWorths {
    @inline(__always) get { unsafe ActionWorths(records: records.address(of: 0), factors: fading.few) }
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
    return (names.precedes(a.name, app: a.app, b.name, app: b.app), .id)
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

  /// Whether one action is ahead of another by its common score, which is nearly always decided by one comparison.
  @inline(__always)
  func isAhead(_ first: UInt32, _ second: UInt32) -> Bool {
    let (score, other) = (self[first].score, self[second].score)
    if score.landmark == other.landmark, score.value != other.value { return score.value > other.value }
    return precedes(first, second, by: .common)
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
