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
  /// Whether it stands in its app's list, and in the list over all apps.
  var isInAppList = false
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
  }

  private var index = SlotIndex()
  private var records = GrowingBuffer<ActionRecord>()
  private var ownScores = GrowingBuffer<DecayedCount>()
  private var names = NameArena()
  private var freeNumbers = FreeNumbers()
  private let hash: SeededHash

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

  /// What an action's uses are worth under the half-life of its app; nothing if that has none of its own.
  subscript(ownScore number: UInt32) -> DecayedCount {
    @inline(__always) unsafeAddress { unsafe ownScores.address(of: number) }
    @inline(__always) unsafeMutableAddress { unsafe ownScores.mutableAddress(of: number) }
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
      ownScores[number] = .zero
    } else {
      number = records.append(record)
      _ = ownScores.append(.zero)
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

  /// What an action's uses are worth.
  @inline(__always)
  func score(_ number: UInt32, by counter: Counter) -> DecayedCount {
    switch counter {
    case .common: records[number].score
    case .own: ownScores[number]
    }
  }

  /// The order of actions: score, then latest use (time, then arrival), then the bytes of the id.
  ///
  /// - Returns: whether `first` is ahead of `second`, and what decided that.
  @inline(__always)
  func order(_ first: UInt32, _ second: UInt32, by counter: Counter) -> (isAhead: Bool, rule: OrderRule) {
    let (score, other) = (score(first, by: counter), score(second, by: counter))
    if score.isGreater(than: other) { return (true, .score) }
    if other.isGreater(than: score) { return (false, .score) }
    let (a, b) = (records[first], records[second])
    if a.lastUse.decay != b.lastUse.decay { return (a.lastUse.decay > b.lastUse.decay, .laterUse) }
    if a.lastArrival != b.lastArrival { return (a.lastArrival > b.lastArrival, .laterArrival) }
    return (names.precedes(a.name, b.name), .id)
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
