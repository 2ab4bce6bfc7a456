/// What is kept of an action: 96 bytes.
struct ActionRecord: BitwiseCopyable {
  /// What the lists of its app go by.
  var counters = ActionCounters()
  /// The standing in the lowest four bits, then the flags, then the mark.
  private var bits: UInt16
  /// The app that owns it.
  var app: UInt32
  /// The action's id, see ``ActionNames``.
  var name: NameReference
  private var landmark = Int32.min
  private var lastSecond: UInt32 = 0
  private var value = 0.0
  /// How many uses were counted, saturated.
  var uses: UInt64 = 0
  private var lastDecay = Int64.min
  /// The arrival number of the latest event at the time of the latest use.
  var lastArrival: UInt64 = 0
  /// Uses of the flood that goes on, which nothing else here has yet.
  var pending: UInt16 = 0
  /// Uses of the hour of its group in ``UseHistory`` that no commit and none of the notes there have.
  var fresh: UInt16 = 0
  private var firstSecond = UInt32.max

  private static let standingMask: UInt16 = 0xF
  private static let markShift: UInt16 = 10
  /// The largest ``mark``.
  static let lastMark: UInt8 = 63

  private struct Flags: OptionSet, BitwiseCopyable {
    let rawValue: UInt16
    static let isAppNamed = Flags(rawValue: 1 << 4)
    static let isPresent = Flags(rawValue: 1 << 5)
    static let isForeign = Flags(rawValue: 1 << 6)
    static let isInTopList = Flags(rawValue: 1 << 7)
    static let hasRisen = Flags(rawValue: 1 << 8)
    static let isStored = Flags(rawValue: 1 << 9)
  }

  init(name: NameReference, standing: Standing, isAppNamed: Bool, app: UInt32, isForeign: Bool) {
    (self.name, self.app) = (name, app)
    bits = UInt16(standing.rawValue) & Self.standingMask | Flags.isPresent.rawValue
    (self.isAppNamed, self.isForeign) = (isAppNamed, isForeign)
  }

  @inline(__always)
  private subscript(flag: Flags) -> Bool {
    get { bits & flag.rawValue != 0 }
    set { bits = newValue ? bits | flag.rawValue : bits & ~flag.rawValue }
  }

  /// What it takes part in.
  var standing: Standing {
    @inline(__always) get { Standing(rawValue: UInt8(truncatingIfNeeded: bits & Self.standingMask)) }
    set { bits = bits & ~Self.standingMask | UInt16(newValue.rawValue) & Self.standingMask }
  }

  /// Where it stands in ``UseHistory`` if it has to be stored, 1 to ``lastMark``; else 0.
  var mark: UInt8 {
    @inline(__always) get { UInt8(truncatingIfNeeded: bits &>> Self.markShift) }
    set { bits = bits & (1 << Self.markShift - 1) | UInt16(newValue) << Self.markShift }
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

  /// Wall time of the earliest use, in whole seconds as that of the latest; `.max` before the first.
  var firstUsed: Int64 {
    get { firstSecond == .max ? .max : WallSecond.time(firstSecond) }
    set { firstSecond = newValue == .max ? .max : min(WallSecond.number(of: newValue), .max - 1) }
  }

  /// Takes note of the wall time of a use.
  @inline(__always)
  mutating func noteUse(at wall: Int64) {
    if wall >= WallSecond.time(firstSecond), firstSecond != .max { return }
    firstUsed = min(firstUsed, wall)
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
