/// One reading of the machine's two clocks, nanoseconds.
package struct ClockReading: Equatable, Sendable {
  /// CLOCK_BOOTTIME: since this boot, suspend included.
  package var boot: Int64
  /// CLOCK_REALTIME: since 1970, may step at any time.
  package var wall: Int64

  package init(boot: Int64, wall: Int64) {
    self.boot = boot
    self.wall = wall
  }
}

/// What has to be stored for decay time to go on after a restart or a reboot.
package struct ClockMark: Equatable, Sendable {
  /// Which boot the mark was made in, as the kernel names it.
  package var bootID: String
  /// The clocks at the mark.
  package var reading: ClockReading
  /// Decay time at the mark.
  package var decay: Int64
  /// The last mark that is known for sure, while the downtime since then is not.
  package var unsureSince: UnsureDowntime?

  package init(bootID: String, reading: ClockReading, decay: Int64, unsureSince: UnsureDowntime?) {
    self.bootID = bootID
    self.reading = reading
    self.decay = decay
    self.unsureSince = unsureSince
  }
}

/// The last moment of the last boot whose wall clock is trusted, kept while this boot's is not yet.
package struct UnsureDowntime: Equatable, Sendable {
  /// Wall time of the last mark in that boot, nanoseconds.
  package var wall: Int64
  /// Decay time of that mark.
  package var decay: Int64

  package init(wall: Int64, decay: Int64) {
    self.wall = wall
    self.decay = decay
  }
}

/// A step of the wall clock, for the log.
package struct WallStep: Equatable, Sendable {
  /// How far it went, nanoseconds; negative is backwards.
  package var by: Int64
  /// How much of it was taken for downtime that had been missing, nanoseconds: 0 in nearly all cases.
  package var countedAsDowntime: Int64
}

/// Decay time and wall time, kept apart.
///
/// Decay time moves with CLOCK_BOOTTIME within one boot, and from one boot to the next by the difference of the wall
/// clock, at least 0 and at most 180 days. If the first start in a boot finds the wall clock less than 60 s after the
/// last mark, or before it (a machine without a battery clock), that boot's first forward step is taken for the
/// missing downtime, once. No other step of the wall clock touches decay time.
package struct DecayClock: Sendable {
  /// The most that one downtime may add to decay time: 180 days.
  package static let longestDowntime: Int64 = 180 * 86_400 * 1_000_000_000
  /// A boot whose wall clock is less than this after the last mark may not have set its clock yet.
  package static let trustedDowntime: Int64 = 60 * 1_000_000_000
  /// A smaller change between two readings is slewing, not a step: 1 s.
  package static let smallestStep: Int64 = 1_000_000_000

  private let bootID: String
  /// Decay time minus CLOCK_BOOTTIME.
  private var offset: Int64
  /// CLOCK_REALTIME minus CLOCK_BOOTTIME at the last reading.
  private var wallOffset: Int64
  private var unsureSince: UnsureDowntime?
  private var lastDecay: Int64

  /// A clock that starts afresh: decay time 0 is now.
  package init(bootID: String, reading: ClockReading) {
    self.bootID = bootID
    self.offset = Int64(0).saturatingSubtracting(reading.boot)
    self.wallOffset = reading.wall.saturatingSubtracting(reading.boot)
    self.unsureSince = nil
    self.lastDecay = 0
  }

  /// A clock that goes on where `mark` left it.
  package init(resuming mark: ClockMark, bootID: String, reading: ClockReading) {
    self.bootID = bootID
    self.wallOffset = reading.wall.saturatingSubtracting(reading.boot)
    let elapsed: Int64
    if bootID == mark.bootID {
      elapsed = max(0, reading.boot.saturatingSubtracting(mark.reading.boot))
      unsureSince = mark.unsureSince
      // A step between the mark and this start went unseen: the offsets tell.
      wallOffset = mark.reading.wall.saturatingSubtracting(mark.reading.boot)
    } else {
      // A boot that never came to trust its own wall clock says nothing: its downtime and this one count together.
      let before = mark.unsureSince ?? UnsureDowntime(wall: mark.reading.wall, decay: mark.decay)
      let downtime = Self.downtime(since: before, wall: reading.wall, decay: mark.decay)
      elapsed = Self.bounded(downtime)
      unsureSince = downtime < Self.trustedDowntime ? before : nil
    }
    lastDecay = mark.decay.saturatingAdding(elapsed)
    offset = lastDecay.saturatingSubtracting(reading.boot)
  }

  /// The moment of a reading, and the step of the wall clock that it shows against the reading before, if any.
  ///
  /// Decay time never goes back, whatever the reading says.
  package mutating func moment(at reading: ClockReading) -> (Moment, WallStep?) {
    let newOffset = reading.wall.saturatingSubtracting(reading.boot)
    let change = newOffset.saturatingSubtracting(wallOffset)
    wallOffset = newOffset
    lastDecay = max(lastDecay, reading.boot.saturatingAdding(offset))
    var step: WallStep?
    if change >= Self.smallestStep || change <= -Self.smallestStep {
      var missing: Int64 = 0
      if change > 0, let before = unsureSince {
        missing = Self.bounded(Self.downtime(since: before, wall: reading.wall, decay: lastDecay))
        lastDecay = lastDecay.saturatingAdding(missing)
        offset = offset.saturatingAdding(missing)
        unsureSince = nil
      }
      step = WallStep(by: change, countedAsDowntime: missing)
    }
    return (Moment(decay: lastDecay, wall: reading.wall), step)
  }

  /// What to store beside the state that was reached at `reading`.
  package func mark(at reading: ClockReading) -> ClockMark {
    ClockMark(
      bootID: bootID, reading: reading, decay: max(lastDecay, reading.boot.saturatingAdding(offset)),
      unsureSince: unsureSince)
  }

  /// What the wall clock has moved by since `before`, without what decay time has.
  private static func downtime(since before: UnsureDowntime, wall: Int64, decay: Int64) -> Int64 {
    wall.saturatingSubtracting(before.wall).saturatingSubtracting(decay.saturatingSubtracting(before.decay))
  }

  private static func bounded(_ downtime: Int64) -> Int64 { min(max(downtime, 0), longestDowntime) }
}
