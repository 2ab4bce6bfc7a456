import Testing
import TestSupport

@testable import Ranking

/// A machine with its two clocks, and the daemon's clock on it.
private struct Machine {
  private(set) var bootID = "boot 1"
  private(set) var reading: ClockReading
  private(set) var clock: DecayClock
  private var boots = 1

  init(wall: Int64 = today) {
    reading = ClockReading(boot: 40 * second, wall: wall)
    clock = DecayClock(bootID: bootID, reading: reading)
  }

  /// This moment; shows the clock its reading.
  mutating func moment() -> Moment { clock.moment(at: reading).0 }

  mutating func decay() -> Int64 { moment().decay }

  mutating func pass(_ time: Int64) {
    reading.boot += time
    reading.wall += time
  }

  /// Sets the wall clock; the step that the daemon's clock sees.
  @discardableResult
  mutating func set(wall: Int64) -> WallStep? {
    reading.wall = wall
    return clock.moment(at: reading).1
  }

  @discardableResult
  mutating func step(_ by: Int64) -> WallStep? { set(wall: reading.wall + by) }

  /// Stops the daemon and starts it again; `meanwhile` happens in between.
  mutating func restart(meanwhile: (inout ClockReading) -> Void = { _ in }) {
    let mark = mark()
    meanwhile(&reading)
    clock = DecayClock(resuming: mark, bootID: bootID, reading: reading)
  }

  /// Boots again, with the wall clock at `wall` when the daemon starts.
  mutating func reboot(wall: Int64) {
    let mark = mark()
    boots += 1
    bootID = "boot \(boots)"
    reading = ClockReading(boot: 9 * second, wall: wall)
    clock = DecayClock(resuming: mark, bootID: bootID, reading: reading)
  }

  private mutating func mark() -> ClockMark {
    _ = clock.moment(at: reading)
    return clock.mark(at: reading)
  }
}

struct DecayClockTests {
  /// Unix time 0, and where 32 bits of seconds end, signed and unsigned.
  private static let dates: [Int64] = [0, (1 << 31) * second, (1 << 32) * second]

  @Test("a clock starts at 0 and moves with the time since boot")
  func startsAfresh() {
    var machine = Machine()
    #expect(machine.decay() == 0)
    machine.pass(5)
    #expect(machine.decay() == 5)
    machine.pass(300 * day)
    #expect(machine.decay() == 300 * day + 5)
  }

  @Test(
    "no step of the wall clock changes decay time",
    arguments: [second, -second, hour, -hour, -10 * year, 20 * year] + dates.map { $0 - today })
  func steps(by: Int64) {
    var machine = Machine()
    machine.pass(day)
    #expect(machine.step(by) == WallStep(by: by, countedAsDowntime: 0))
    #expect(machine.decay() == day)
    machine.pass(second)
    #expect(machine.decay() == day + second)
    #expect(machine.step(-by) == WallStep(by: -by, countedAsDowntime: 0))
    #expect(machine.decay() == day + second)
    // And none while the daemon does not run.
    machine.restart { $0.wall += by }
    #expect(machine.decay() == day + second)
    #expect(machine.clock.mark(at: machine.reading).decay == day + second)
  }

  @Test("a slewed wall clock is no step, however far it goes in the end")
  func slewing() {
    var machine = Machine()
    for _ in 0..<1_000 {
      machine.pass(60 * second)
      #expect(machine.step(second - 1) == nil)
      #expect(machine.step(1 - second) == nil)
      #expect(machine.step(second / 2) == nil)
    }
    #expect(machine.decay() == 60_000 * second)
  }

  @Test("a moment tells the wall time of its reading")
  func wallTime() {
    var machine = Machine()
    machine.step(-hour)
    #expect(machine.moment() == Moment(decay: 0, wall: today - hour))
  }

  @Test("a restart in the same boot goes on, and the time in between counts")
  func restarts() {
    var machine = Machine()
    machine.pass(day)
    machine.restart()
    #expect(machine.decay() == day)
    machine.restart { reading in
      reading.boot += 200 * day
      reading.wall += 200 * day
    }
    #expect(machine.decay() == 201 * day)
    machine.pass(second)
    #expect(machine.decay() == 201 * day + second)
  }

  @Test("a step while the daemon did not run is seen once, at the first reading")
  func unseenStep() {
    var machine = Machine()
    machine.restart { $0.wall -= hour }
    #expect(machine.step(0) == WallStep(by: -hour, countedAsDowntime: 0))
    #expect(machine.step(0) == nil)
  }

  @Test(
    "a reboot adds the difference of the wall clock, at least 0 and at most 180 days",
    arguments: [
      (0, 0), (1, 1), (second, second), (59 * second, 59 * second), (60 * second, 60 * second), (day, day),
      (180 * day - 1, 180 * day - 1), (180 * day, 180 * day), (180 * day + 1, 180 * day), (20 * year, 180 * day),
      (-1, 0), (-hour, 0), (-56 * year, 0),
    ] as [(Int64, Int64)])
  func reboots(difference: Int64, counted: Int64) {
    var machine = Machine()
    machine.pass(day)
    machine.reboot(wall: machine.reading.wall + difference)
    #expect(machine.decay() == day + counted)
    machine.pass(second)
    #expect(machine.decay() == day + counted + second)
  }

  @Test("after a boot with a clock that can be trusted a forward step is no downtime")
  func trustedBoot() {
    var machine = Machine()
    machine.reboot(wall: today + 60 * second)
    #expect(machine.step(10 * day) == WallStep(by: 10 * day, countedAsDowntime: 0))
    #expect(machine.decay() == 60 * second)
  }

  @Test(
    "the first forward step after a boot with the clock in the past counts as the missing downtime, once",
    arguments: [0, today - 56 * year, today - day, today - 1, today, today + 59 * second] as [Int64])
  func missingDowntime(wallAtBoot: Int64) {
    var machine = Machine()
    machine.reboot(wall: wallAtBoot)
    let early = max(0, wallAtBoot - today)
    #expect(machine.decay() == early)
    machine.pass(20 * second)
    let step = machine.set(wall: today + 3 * day)
    #expect(step?.countedAsDowntime == 3 * day - early - 20 * second)
    // What the whole machine has lived through, not the years that its clock was wrong by.
    #expect(machine.decay() == 3 * day)
    #expect(machine.step(day) == WallStep(by: day, countedAsDowntime: 0))
    #expect(machine.decay() == 3 * day)
  }

  @Test("missing downtime is bounded as any other, however long the machine ran until its clock was set")
  func longMissingDowntime() {
    var machine = Machine()
    machine.reboot(wall: 0)
    machine.pass(10 * day)
    machine.set(wall: today + 5 * year)
    #expect(machine.decay() == 190 * day)

    var patient = Machine()
    patient.reboot(wall: 0)
    patient.pass(300 * day)
    patient.set(wall: today + 301 * day)
    #expect(patient.decay() == 301 * day)
  }

  @Test("backward steps and slewing leave the missing downtime to the first forward step")
  func backwardFirst() {
    var machine = Machine()
    machine.reboot(wall: today - hour)
    #expect(machine.step(-hour) == WallStep(by: -hour, countedAsDowntime: 0))
    machine.step(second / 2)
    #expect(machine.decay() == 0)
    machine.set(wall: today + day)
    #expect(machine.decay() == day)
  }

  @Test("missing downtime is not lost when the daemon restarts before the clock is set, nor counted again after it")
  func missingDowntimeOverRestart() {
    var machine = Machine()
    machine.reboot(wall: 0)
    machine.pass(5 * second)
    machine.restart()
    machine.pass(5 * second)
    machine.restart()
    machine.set(wall: today + 2 * day)
    #expect(machine.decay() == 2 * day)
    machine.restart()
    machine.step(day)
    #expect(machine.decay() == 2 * day)
    machine.restart { $0.wall += day }
    #expect(machine.decay() == 2 * day)
  }

  @Test("missing downtime is counted also when the clock is set while the daemon does not run")
  func setWhileStopped() {
    var machine = Machine()
    machine.reboot(wall: 0)
    machine.restart { $0.wall = today + 2 * day }
    #expect(machine.decay() == 2 * day)
  }

  @Test("two boots in a row with the clock in the past count from the last time that was known")
  func missingDowntimeOverReboot() {
    var machine = Machine()
    machine.reboot(wall: 0)
    machine.pass(day)
    machine.reboot(wall: 0)
    machine.pass(day)
    #expect(machine.decay() == 2 * day)
    machine.set(wall: today + 30 * day)
    #expect(machine.decay() == 30 * day)

    // The second boot has its clock set before the daemon starts.
    var other = Machine()
    other.reboot(wall: 0)
    other.pass(day)
    other.reboot(wall: today + 30 * day)
    #expect(other.decay() == 30 * day)
    #expect(other.step(day) == WallStep(by: day, countedAsDowntime: 0))
  }

  @Test("decay time follows the true time through all that a machine can live through, once its clock is right")
  func followsTrueTime() {
    var random = SeededRandom()
    for _ in 0..<300 {
      var machine = Machine()
      var lived: Int64 = 0
      var isSet = true
      for _ in 0..<30 {
        let time = random.magnitude(upTo: 5 * day)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: machine.restart()
        case 1:
          lived += time
          machine.restart { reading in
            reading.boot += time
            reading.wall += time
          }
        case 2 where isSet:
          // A reboot within a minute leaves the clock unsure for good; the rule for its next step has its own test.
          lived += time + 60 * second
          machine.reboot(wall: today + lived)
        case 3:
          lived += time
          machine.reboot(wall: Int64.random(in: 0...day, using: &random))
          isSet = false
        case 4 where !isSet:
          machine.set(wall: today + lived)
          isSet = true
        default:
          lived += time
          machine.pass(time)
        }
        let decay = machine.decay()
        #expect(decay <= lived, "seed \(random.seed)")
        if isSet { #expect(decay == lived, "seed \(random.seed)") }
      }
    }
  }

  @Test("decay time never goes back, even if the readings do")
  func neverBack() {
    var random = SeededRandom()
    for _ in 0..<200 {
      var clock = DecayClock(bootID: "a", reading: ClockReading(boot: 0, wall: 0))
      var last: Int64 = 0
      for _ in 0..<50 {
        let reading = ClockReading(
          boot: Int64.random(in: -year...year, using: &random), wall: Int64.random(in: -year...year, using: &random))
        if random.oneIn(4) {
          clock = DecayClock(resuming: clock.mark(at: reading), bootID: random.oneIn(2) ? "a" : "b", reading: reading)
        }
        let now = clock.moment(at: reading).0.decay
        #expect(now >= last, "seed \(random.seed)")
        #expect(clock.mark(at: reading).decay == now, "seed \(random.seed)")
        last = now
      }
    }
  }

  @Test("the ends of time do not trap, and decay time does not go back over them")
  func extremes() {
    let ends: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    let readings = ends.flatMap { boot in ends.map { ClockReading(boot: boot, wall: $0) } }
    for first in readings {
      var clock = DecayClock(bootID: "a", reading: first)
      for second in readings {
        _ = clock.moment(at: second)
        for decay in ends {
          for unsure in [nil, UnsureDowntime(wall: second.wall, decay: first.boot)] {
            for bootID in ["a", "b"] {
              let mark = ClockMark(bootID: "a", reading: first, decay: decay, unsureSince: unsure)
              var resumed = DecayClock(resuming: mark, bootID: bootID, reading: second)
              #expect(resumed.moment(at: first).0.decay >= decay)
              #expect(resumed.moment(at: second).0.decay >= decay)
            }
          }
        }
      }
    }
  }
}
