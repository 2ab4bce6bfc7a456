import IntakeLog
import Posix
import Ranking
import Settings
import Testing
import TestSupport
import Wire

@testable import Service

struct RecoveryTests {
  /// Everything that was counted, to be compared.
  private struct Known {
    var counters: Counters
    var top: [Row]
    var ofA: [Row]
    var actions: Int
    var arrivals: UInt64
    var streams: [UInt64: SessionState]

    /// An action but for its number, which is each process's own.
    struct Row: Equatable {
      let app, id: [UInt8]
      let score: Double
      let uses: UInt64

      init(_ action: RankedAction) { (app, id, score, uses) = (action.app, action.id, action.score, action.uses) }
    }

    init(_ fixture: Fixture, _ sessions: [UInt64: StreamSession]) {
      let now = fixture.ledger.now().decay
      counters = fixture.ledger.counters
      // Replies are made for those who are there.
      counters.repliesDropped = 0
      counters.commits = 0
      top = fixture.ledger.ranking.ranking(at: now).map(Row.init)
      let app = fixture.ledger.ranking.findApp(Array("a".utf8))
      ofA = app.map { fixture.ledger.ranking.ranking(ofApp: $0, at: now).map(Row.init) } ?? []
      actions = fixture.ledger.ranking.actionCount
      arrivals = fixture.ledger.ranking.arrivals
      streams = sessions.mapValues(\.state)
    }
  }

  private func expectSame(_ recorder: Recorder, _ comment: String = "", losesLog: Bool = false) throws {
    let restarted = try recorder.killed(losesLog: losesLog)
    let before = Known(recorder.fixture, recorder.sessions)
    let after = Known(restarted.fixture, restarted.recovery.sessions)
    #expect(before.counters == after.counters, "\(comment)")
    #expect(before.top == after.top, "\(comment)")
    #expect(before.ofA == after.ofA, "\(comment)")
    #expect((before.actions, before.arrivals) == (after.actions, after.arrivals), "\(comment)")
    #expect(before.streams == after.streams, "\(comment)")
  }

  @Test("with nothing left behind there is nothing to recover")
  func nothing() throws {
    let folder = try TemporaryFolder()
    let restarted = try Restarted(folder, settings: Recorder().settings, clocks: Fixture.Clocks())
    #expect(restarted.recovery.position == nil && restarted.recovery.sessions.isEmpty)
    #expect(restarted.fixture.ledger.counters == Counters())
    #expect(restarted.fixture.logLines == [])
  }

  @Test("what was logged and not committed is counted as it was, and said", arguments: [false, true])
  func logged(commits: Bool) throws {
    let recorder = try Recorder()
    let first = try recorder.connect()
    try recorder.send("a.b n=3 id=x\na.c\nbad n=0\na.b id=x\n", on: first)
    if commits { try recorder.commit() }
    recorder.fixture.clocks.advance(by: Fixture.hour)
    try recorder.send("a.c n=5 id=y\n{\"type\":\"a.d\"}\na.b id=y\n", on: first)
    try recorder.sendDatagram("d.x\nd.y n=2")
    try expectSame(recorder)
    let restarted = try recorder.killed()
    #expect(restarted.fixture.ledger.counters.uses == 13)
    #expect(restarted.fixture.logLines.filter { $0.contains("did not end cleanly") }.count == 1)
    // Ids of before and after the commit are known.
    restarted.fixture.feed("a.b id=x\na.b id=y\na.b id=z\n", to: restarted.fixture.session())
    #expect(restarted.fixture.ledger.counters.uses == 14)
  }

  @Test(
    "stored input is worked through, and what the log holds beyond it if the log is there", arguments: [true, false])
  func storedInput(releases: Bool) throws {
    let recorder = try Recorder()
    let first = try recorder.connect()
    try recorder.send("a.b n=3 id=x\n", on: first)
    try recorder.commit()
    try recorder.send("a.b n=5 id=y\na.c\n{\"op\":\"sync\",\"seq\":4}\na.half n", on: first)
    try recorder.commitInput(releases: releases)
    try expectSame(recorder, losesLog: true)
    try recorder.send("=7\na.b id=x\na.b id=y\n", on: first)
    try expectSame(recorder)
    let lost = try recorder.killed(losesLog: true)
    #expect(lost.fixture.ledger.counters.uses == 9 && lost.recovery.position != nil)
    #expect(lost.recovery.sessions[first]?.state.pendingSyncs == [4])
    #expect(
      lost.fixture.logLines.filter { $0.contains("records of stored input were worked through, 2 uses") }.count == 1)
    try recorder.commitInput(releases: releases)
    try expectSame(recorder, losesLog: true)
    try expectSame(recorder)
    let restarted = try recorder.killed(losesLog: true)
    #expect(restarted.fixture.ledger.counters.uses == 16 && restarted.fixture.ledger.counters.duplicates == 2)
    // A commit of rows takes it away.
    try recorder.commit()
    #expect(try recorder.killed(losesLog: true).recovery.position == nil)
    try expectSame(recorder)
  }

  @Test("stored input of an earlier boot is counted at the time at which it came")
  func storedInEarlierBoot() throws {
    let recorder = try Recorder(halfLife: Fixture.hour)
    recorder.fixture.clocks.advance(by: 1000 * Fixture.hour)
    try recorder.commit()
    recorder.fixture.clocks.advance(by: 2 * Fixture.hour)
    try recorder.send("a.b n=4\n", on: try recorder.connect())
    try recorder.commitInput()
    let before = recorder.fixture.ledger.now()
    // This boot has been up for longer than the last one had been then.
    let clocks = Fixture.Clocks()
    (clocks.boot, clocks.wall) = (5000 * Fixture.hour, recorder.fixture.clocks.wall + Fixture.hour)
    for losesLog in [true, false] {
      let restarted = try recorder.killed(clocks: clocks, bootID: "the next boot", losesLog: losesLog)
      let now = restarted.fixture.ledger.now()
      #expect(now.decay == before.decay + Fixture.hour)
      let action = try #require(restarted.fixture.ledger.ranking.ranking(at: now.decay).first)
      #expect(abs(action.score - 2) < 1e-9 && action.uses == 4 && action.lastUsed == before.wall)
    }
  }

  @Test("a log that outlived its boot does not move decay time by that boot's clock")
  func otherBoot() throws {
    let recorder = try Recorder()
    recorder.fixture.clocks.advance(by: 1000 * Fixture.hour)
    try recorder.send("a.b n=3\n", on: try recorder.connect())
    let clocks = Fixture.Clocks()
    (clocks.boot, clocks.wall) = (10 * Fixture.second, recorder.fixture.clocks.wall + Fixture.hour)
    let restarted = try recorder.killed(clocks: clocks, bootID: "the next boot")
    #expect(restarted.fixture.ledger.counters.uses == 3)
    let before = recorder.fixture.ledger.now().decay
    #expect(restarted.fixture.ledger.now().decay == before + Fixture.hour)
  }

  @Test("a commit that the log was not told of is not counted a second time")
  func committedOnly() throws {
    let recorder = try Recorder()
    let first = try recorder.connect()
    try recorder.send("a.b n=3\nunfin", on: first)
    try recorder.commit(releases: false)
    try expectSame(recorder)
    #expect(try recorder.killed().fixture.ledger.counters.uses == 3)
    try recorder.send("ished n=2\n", on: first)
    try expectSame(recorder)
    #expect(try recorder.killed().fixture.ledger.counters.uses == 5)
  }

  @Test("a line may lie on both sides of a commit, at any place, also one that is too long", arguments: [true, false])
  func splitLines(isLong: Bool) throws {
    let line = isLong ? String(repeating: "x", count: 300) + "\n" : "a.b n=12 id=7\r\n"
    let step = isLong ? 50 : 1
    for place in stride(from: 1, to: line.utf8.count, by: step) {
      let recorder = try Recorder()
      let first = try recorder.connect()
      try recorder.send("a.a\n" + String(decoding: Array(line.utf8)[..<place], as: UTF8.self), on: first, pieces: 100)
      try recorder.commit()
      try expectSame(recorder, "cut at \(place), not gone on")
      try recorder.send(String(decoding: Array(line.utf8)[place...], as: UTF8.self) + "a.c\n", on: first)
      try expectSame(recorder, "cut at \(place)")
      let counters = try recorder.killed().fixture.ledger.counters
      #expect(counters.uses == (isLong ? 2 : 14) && counters.refused[.lineTooLong] == (isLong ? 1 : 0))
    }
  }

  @Test("lines are read by the limit that was in force, and scores kept by the half-life that was")
  func settings() throws {
    let recorder = try Recorder()
    let first = try recorder.connect()
    let long = "a.b" + String(repeating: " ", count: 300)
    try recorder.send(long + "\n" + long, on: first)
    try recorder.commit()
    recorder.change(maxLineBytes: 1000, halfLife: Fixture.hour)
    try recorder.send("\n" + long + "\n", on: first)
    recorder.fixture.clocks.advance(by: 2 * Fixture.hour)
    try recorder.sendDatagram(long)
    recorder.change(maxLineBytes: 256, halfLife: 7 * Fixture.hour)
    try recorder.send(long + "\na.c\n", on: first)
    try expectSame(recorder)
    let restarted = try recorder.killed()
    #expect(restarted.fixture.ledger.ranking.halfLife.nanoseconds == 7 * Fixture.hour)
    #expect(restarted.fixture.ledger.counters.refused[.lineTooLong] == 3)
  }

  @Test("settings that were changed while nobody ran hold for what comes, not for what was logged")
  func changedMeanwhile() throws {
    let recorder = try Recorder(maxLineBytes: 1000)
    let first = try recorder.connect()
    try recorder.send("a.b" + String(repeating: " ", count: 300) + "\nhalf", on: first)
    let copy = try recorder.killed()
    #expect(copy.fixture.ledger.counters.accepted == 1)
    var settings = recorder.settings
    settings.maxLineBytes = 256
    let restarted = try Restarted(copy.folder, settings: settings, clocks: recorder.fixture.clocks)
    let session = try #require(restarted.recovery.sessions[first])
    #expect(session.maxLineBytes == 256)
    #expect(restarted.fixture.ledger.counters.accepted == 1)
  }

  @Test("a connection that has ended is over, with its unfinished line, before or after the commit")
  func ended() throws {
    let recorder = try Recorder()
    let (first, second) = (try recorder.connect(), try recorder.connect(.control))
    try recorder.send("a.b\na.c n=4", on: first)
    try recorder.send("a.d", on: second)
    recorder.end(first)
    try expectSame(recorder)
    try recorder.commit()
    recorder.end(second)
    try expectSame(recorder)
    let restarted = try recorder.killed()
    #expect(restarted.fixture.ledger.counters.uses == 6)
    #expect(restarted.recovery.sessions.isEmpty && restarted.recovery.lastConnection == second)
    #expect(restarted.fixture.ledger.counters.connectionsClosed == 2)
  }

  @Test("syncs that were not answered are known, on both sides of a commit, also when their client sends no more")
  func syncs() throws {
    let recorder = try Recorder()
    let (first, second) = (try recorder.connect(), try recorder.connect())
    try recorder.send("a.b\n{\"op\":\"sync\",\"seq\":1}\n", on: first)
    try recorder.commit()
    try recorder.send("a.b\n{\"op\":\"sync\",\"seq\":2}\n", on: first)
    try recorder.send("{\"op\":\"sync\"}\n", on: second)
    recorder.end(second)
    try expectSame(recorder)
    let restarted = try recorder.killed()
    let session = try #require(restarted.recovery.sessions[first])
    #expect(session.state.pendingSyncs == [1, 2] && session.replies.isEmpty)
    restarted.fixture.answerSyncs(of: session)
    #expect(
      try restarted.fixture.replies(of: session) == [
        #"{"sync":{"seq":1,"accepted":1,"duplicates":0,"refused":0,"durable":true}}"#,
        #"{"sync":{"seq":2,"accepted":2,"duplicates":0,"refused":0,"durable":true}}"#,
      ])
    // The other has ended, but may be there for its answer; it is not closed yet.
    #expect(restarted.recovery.sessions[second]?.owedSyncs == 1)
    #expect(restarted.fixture.ledger.counters.connectionsClosed == 0)
  }

  @Test("nothing is answered while what was logged is worked through")
  func silent() throws {
    let recorder = try Recorder()
    let first = try recorder.connect(.control)
    try recorder.send("bad n=0\n{\"op\":\"status\"}\n", on: first)
    #expect(try recorder.killed().recovery.sessions[first]?.replies.isEmpty == true)
  }

  @Test("a damaged log is counted up to the damage, and set aside only when it is told to")
  func damaged() throws {
    let recorder = try Recorder()
    let first = try recorder.connect()
    try recorder.send("a.b\n", on: first)
    try recorder.send("a.c marker=1 n=5\n", on: first)
    try recorder.send("a.d\n", on: first)
    let restarted = try recorder.killed { bytes in
      // In the ring, which comes last, not in the landing area.
      let marker = Array("marker".utf8)
      let places = bytes.indices.dropLast(6).filter { bytes[$0] == marker[0] && Array(bytes[$0..<$0 + 6]) == marker }
      if let place = places.last { bytes[place] ^= 1 }
    }
    #expect(restarted.fixture.ledger.counters.uses == 1)
    #expect(restarted.fixture.logLines.filter { $0.contains("error: the intake log is damaged") }.count == 1)
    #expect(restarted.recovery.position != nil)
    #expect(try restarted.folder.names().contains(IntakeLog.fileName))
    try restarted.recovery.oldLogs.clear(restarted.fixture.log)
    try restarted.recovery.oldLogs.clear(restarted.fixture.log)
    let names = try restarted.folder.names()
    #expect(!names.contains(IntakeLog.fileName))
    #expect(names.filter { $0.hasPrefix("intake.log.damaged-") }.count == 1)
    #expect(restarted.fixture.logLines.filter { $0.contains("set aside") }.count == 1)
  }

  @Test("whatever is done and wherever it is cut, what is recovered is what was known")
  func random() throws {
    for _ in 0..<6 {
      let seed = UInt64.random(in: 0 ... .max)
      var random = SeededRandom(seed: seed)
      let recorder = try Recorder()
      for _ in 0..<150 {
        try step(recorder, &random)
        if random.below(25) == 0 { try expectSame(recorder, "seed \(seed)") }
      }
      try expectSame(recorder, "seed \(seed)")
    }
  }

  private func step(_ recorder: Recorder, _ random: inout SeededRandom) throws {
    recorder.fixture.clocks.advance(by: Int64(random.below(100)) * Fixture.second)
    switch random.below(20) {
    case 0, 1: _ = try recorder.connect(random.below(4) == 0 ? .control : .events)
    case 2: if let connection = recorder.open.randomElement(using: &random) { recorder.end(connection) }
    case 3, 4: try recorder.sendDatagram((0...random.below(3)).map { _ in line(&random) }.joined())
    case 5: try recorder.commit(releases: random.below(2) == 0)
    case 6:
      try recorder.commitInput(releases: random.below(2) == 0)
      if random.below(3) == 0 { try expectSame(recorder, "the log is lost", losesLog: true) }
    case 7 where random.below(4) == 0:
      recorder.change(maxLineBytes: 256 + random.below(300), halfLife: Int64(1 + random.below(50)) * Fixture.hour)
    default:
      guard let connection = recorder.open.randomElement(using: &random) else { return }
      var bytes = Array((0...random.below(4)).map { _ in line(&random) }.joined().utf8)
      if random.below(3) == 0 { bytes.removeLast(random.below(bytes.count)) }
      try recorder.send(String(decoding: bytes, as: UTF8.self), on: connection, pieces: 1 + random.below(200))
    }
  }

  private func line(_ random: inout SeededRandom) -> String {
    switch random.below(12) {
    case 0: "bad n=0\n"
    case 1: String(repeating: "x", count: 200 + random.below(400)) + "\n"
    case 2: "\n#\n"
    case 3: "a.i\(random.below(4)) id=\(random.below(20)) n=2\n"
    case 4: "a.t t=\(1_799_990_000 + random.below(20_000))\r\n"
    default: "\(["a", "b", "c"][random.below(3)]).x\(random.below(8)) n=\(1 + random.below(5))\n"
    }
  }
}

extension SeededRandom {
  mutating func below(_ end: Int) -> Int { Int.random(in: 0..<end, using: &self) }
}
