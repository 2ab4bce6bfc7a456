import Testing

@testable import Ranking

struct MomentTests {
  static let now = Moment(decay: 5_000 * second, wall: today)

  @Test("without a time of its own a use happened now")
  func withoutTime() {
    let time = UseTime(clientTime: nil, now: Self.now)
    #expect(time.moment == Self.now && !time.wasClamped)
  }

  @Test(
    "a client's time becomes an age, no less than 0 and no more than ten years",
    arguments: [
      (0, 0, false), (1, 1, false), (day, day, false), (UseTime.oldestAge - 1, UseTime.oldestAge - 1, false),
      (UseTime.oldestAge, UseTime.oldestAge, false), (UseTime.oldestAge + 1, UseTime.oldestAge, true),
      (today, UseTime.oldestAge, true), (-1, 0, true), (-10 * year, 0, true),
    ] as [(Int64, Int64, Bool)])
  func ages(age: Int64, kept: Int64, isClamped: Bool) {
    let time = UseTime(clientTime: today - age, now: Self.now)
    #expect(time.moment == Moment(decay: Self.now.decay - kept, wall: today - kept))
    #expect(time.wasClamped == isClamped)
  }

  @Test("the oldest age is ten years of 365.25 days")
  func oldestAge() { #expect(UseTime.oldestAge == 10 * year) }

  @Test("milliseconds given as seconds saturate to the future, and are taken as now")
  func milliseconds() {
    // 1,796,040,000,000 s in nanoseconds do not fit.
    let time = UseTime(clientTime: .max, now: Self.now)
    #expect(time.moment == Self.now && time.wasClamped)
  }

  @Test("the ends of time on either side are clamped without a trap")
  func extremes() {
    let ends: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    for client in ends {
      for wall in ends {
        for decay in ends {
          let time = UseTime(clientTime: client, now: Moment(decay: decay, wall: wall))
          #expect(time.moment.decay <= decay && time.moment.wall <= wall)
          if client > wall { #expect(time.wasClamped && time.moment == Moment(decay: decay, wall: wall)) }
        }
      }
    }
  }
}
