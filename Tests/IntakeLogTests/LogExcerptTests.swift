import Ranking
import TestSupport
import Testing

@testable import IntakeLog

struct LogExcerptTests {
  private let folder = TemporaryFolder()

  /// A copy of what a log holds from an offset on.
  private func bytes(_ log: borrowing IntakeLog, from offset: UInt64) -> [UInt8]? {
    log.bytes(from: offset).map { $0.flatMap { Array($0) } }
  }

  private func replay(_ excerpt: LogExcerpt) -> (entries: [Entry], outcome: ReplayOutcome) {
    var entries: [Entry] = []
    let outcome = excerpt.replay { entries.append(Entry($0)) }
    return (entries, outcome)
  }

  @Test func `what is kept elsewhere reads as in the log, however often that went round`() throws {
    let random = SeededRandom()
    var model = try ModelledLog(in: folder, generator: random)
    var (start, laps, excerpts) = (model.log.tail, 0, 0)
    for step in 0..<3000 {
      let before = model.log.tail
      let isThere = try model.step()
      if model.log.tail / UInt64(model.log.ringSize) > before / UInt64(model.log.ringSize) { laps += 1 }
      guard !isThere || step % 40 == 0 else { continue }
      let kept = bytes(model.log, from: start) ?? []
      #expect(UInt64(kept.count) == model.log.tail - start)
      let (entries, outcome) = replay(
        LogExcerpt(identity: model.log.identity, ringSize: model.log.ringSize, start: start, bytes: kept))
      #expect(entries.isSame(as: model.expected(from: start)), "seed \(random.seed)")
      #expect(outcome == ReplayOutcome(records: entries.count, end: model.log.tail), "seed \(random.seed)")
      excerpts += 1
      model.log.release(upTo: start)
      let isStillThere = bytes(model.log, from: start) != nil
      #expect(isStillThere)
      start = model.log.tail
      if !isThere { model.log.release(upTo: start) }
    }
    #expect(laps >= 2 && excerpts > 20, "seed \(random.seed)")
  }

  @Test func `what was released, is yet to come or is not kept is not given`() throws {
    var model = try ModelledLog(in: folder, generator: SeededRandom())
    while model.log.tail < 100_000 { _ = try model.step() }
    let end = model.log.tail
    let (atEnd, beyond) = (bytes(model.log, from: end), bytes(model.log, from: end + 8))
    #expect(atEnd == [] && beyond == nil)
    model.log.release(upTo: end)
    let (released, rest) = (bytes(model.log, from: 0), bytes(model.log, from: end))
    #expect(released == nil && rest == [])
    let none = try IntakeLog.create(inDirectory: folder.path, size: 0, identity: 1)
    let (ofNone, size) = (bytes(none, from: 0), none.ringSize)
    #expect(ofNone == nil && size == 0)
  }

  @Test func `it reads up to the first damage, and nothing of another log or another place`() throws {
    let random = SeededRandom()
    var generator = random
    var model = try ModelledLog(in: folder, generator: random)
    while model.log.tail < 200_000 { _ = try model.step() }
    let (identity, size) = (model.log.identity, model.log.ringSize)
    let sound = bytes(model.log, from: 0) ?? []
    let all = model.expected(from: 0)
    for _ in 0..<200 {
      var damaged = sound
      let place = Int.random(in: 0..<damaged.count, using: &generator)
      damaged[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      let (entries, outcome) = replay(LogExcerpt(identity: identity, ringSize: size, start: 0, bytes: damaged))
      // A bit between two records says nothing.
      if outcome.damage == nil { #expect(entries.isSame(as: all)) } else { #expect(outcome.damage == .record) }
      #expect(
        entries.isSame(as: all.prefix(entries.count)) && outcome.end <= UInt64(damaged.count), "seed \(random.seed)")
    }
    for (identity, start) in [(identity &+ 1, 0), (identity, 8)] as [(UInt64, UInt64)] {
      let outcome = replay(LogExcerpt(identity: identity, ringSize: size, start: start, bytes: sound)).outcome
      #expect(outcome.records == 0 && outcome.damage == .record && outcome.end == start)
    }
    let cut = LogExcerpt(identity: identity, ringSize: size, start: 0, bytes: Array(sound.dropLast(8)))
    #expect(replay(cut).outcome.damage == .record)
  }
}
