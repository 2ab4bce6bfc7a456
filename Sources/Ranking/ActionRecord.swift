/// What is kept of an action: 96 bytes.
struct ActionRecord: BitwiseCopyable {
  /// What the lists of its app go by.
  var counters = ActionCounters()
  /// What it takes part in.
  var standing: Standing
  private var flags: Flags
  /// The app that owns it.
  var app: UInt32
  /// The action's id.
  let name: NameReference
  private var landmark = Int32.min
  private var lastSecond: UInt32 = 0
  private var value = 0.0
  /// How many uses were counted, saturated.
  var uses: UInt64 = 0
  private var lastDecay = Int64.min
  /// The arrival number of the latest event at the time of the latest use.
  var lastArrival: UInt64 = 0

  /// Where it stands in ``UseHistory`` if it has to be stored; else 0.
  var mark: UInt8 = 0

  private struct Flags: OptionSet, BitwiseCopyable {
    let rawValue: UInt8
    static let isAppNamed = Flags(rawValue: 1)
    static let isPresent = Flags(rawValue: 2)
    static let isForeign = Flags(rawValue: 4)
    static let isInTopList = Flags(rawValue: 8)
    static let hasRisen = Flags(rawValue: 16)
    static let isStored = Flags(rawValue: 32)
  }

  init(name: NameReference, standing: Standing, isAppNamed: Bool, app: UInt32, isForeign: Bool) {
    (self.name, self.standing, self.app, flags) = (name, standing, app, .isPresent)
    (self.isAppNamed, self.isForeign) = (isAppNamed, isForeign)
  }

  @inline(__always)
  private subscript(flag: Flags) -> Bool {
    get { flags.contains(flag) }
    set { if newValue { flags.insert(flag) } else { flags.remove(flag) } }
  }

  /// Whether some event named the app.
  var isAppNamed: Bool {
    @inline(__always) get { self[.isAppNamed] }
    @inline(__always) set { self[.isAppNamed] = newValue }
  }
  /// Whether there is an action of this number.
  var isPresent: Bool {
    @inline(__always) get { self[.isPresent] }
    set { self[.isPresent] = newValue }
  }
  /// Whether it is found by its app and id, not by its id alone.
  var isForeign: Bool {
    @inline(__always) get { self[.isForeign] }
    set { self[.isForeign] = newValue }
  }
  /// Whether it stands in the list over all apps.
  var isInTopList: Bool {
    @inline(__always) get { self[.isInTopList] }
    @inline(__always) set { self[.isInTopList] = newValue }
  }
  /// Whether it may be stored.
  var isStored: Bool {
    get { self[.isStored] }
    set { self[.isStored] = newValue }
  }
  /// Whether it was used in a flood that lists have not followed yet.
  var hasRisen: Bool {
    @inline(__always) get { self[.hasRisen] }
    @inline(__always) set { self[.hasRisen] = newValue }
  }

  /// What its uses are worth. Landmarks reach over 68 years either way at a half-life of 1 s; beyond they stay there.
  var score: DecayedCount {
    @inline(__always) get { DecayedCount(value: value, landmark: landmark == .min ? .min : Int64(landmark)) }
    @inline(__always) set {
      value = newValue.value
      landmark = Int32(clamping: newValue.landmark)
    }
  }

  /// The latest use on both faces of time: decay time for the order; wall time for display, in whole seconds from 1970
  /// to 2106.
  var lastUse: Moment {
    @inline(__always) get {
      uses == 0 ? Moment(decay: lastDecay, wall: .min) : Moment(decay: lastDecay, wall: WallSecond.time(lastSecond))
    }
    @inline(__always) set {
      lastDecay = newValue.decay
      lastSecond = WallSecond.number(of: newValue.wall)
    }
  }

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
    counters.clearCounts()
  }
}

/// Wall time by the second, in 32 bits: from 1970 to 2106; what lies outside has the first or the last.
enum WallSecond {
  private static let length: Int64 = 1_000_000_000

  @inline(__always)
  static func number(of wall: Int64) -> UInt32 { UInt32(clamping: wall / length) }

  @inline(__always)
  static func time(_ number: UInt32) -> Int64 { Int64(number) &* length }
}
