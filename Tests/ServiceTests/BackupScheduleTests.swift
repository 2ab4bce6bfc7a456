import Ranking
import Testing

@testable import Service

@Suite("BackupSchedule")
struct BackupScheduleTests {
  private let minute: Int64 = 60_000_000_000

  private func moments(of schedule: BackupSchedule, minutes: ClosedRange<Int64>) -> [Int64] {
    var schedule = schedule
    return minutes.filter { schedule.isDue(at: Moment(decay: $0 * minute, wall: 0)) }
  }

  @Test("a state without a backup gets one at once, and then at distances that double up to a day")
  func grows() {
    let schedule = BackupSchedule(lastAge: nil, now: Moment(decay: 0, wall: 0))
    let due = moments(of: schedule, minutes: 1...5000)
    #expect(due == [1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 3487, 4927])
  }

  @Test("a state whose backup is young waits until that is a day old; one from the future is young")
  func goesOn() {
    let now = Moment(decay: 0, wall: 0)
    let schedule = BackupSchedule(lastAge: 23 * 60 * minute, now: now)
    #expect(moments(of: schedule, minutes: 1...1600) == [60, 1500])
    #expect(moments(of: BackupSchedule(lastAge: -5, now: now), minutes: 1...1500) == [1440])
  }

  @Test("after a failure another is due in an hour")
  func retries() {
    var schedule = BackupSchedule(lastAge: nil, now: Moment(decay: 0, wall: 0))
    _ = schedule.isDue(at: Moment(decay: minute, wall: 0))
    schedule.retryLater(at: Moment(decay: minute, wall: 0))
    #expect(moments(of: schedule, minutes: 2...100) == [61])
  }
}
