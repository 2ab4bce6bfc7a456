import Testing

@testable import Service

struct LogTests {
  private final class Lines {
    var lines: [String] = []
  }

  private func log(underSystemd: Bool = false) -> (Log, Lines) {
    let lines = Lines()
    return (Log(isUnderSystemd: underSystemd) { lines.lines.append($0) }, lines)
  }

  @Test("a message is one line with the program's name, and says whether it is an error or a warning")
  func plain() {
    let (log, written) = log()
    log(.error, "a")
    log(.warning, "b")
    log(.notice, "c")
    log(.info, "d")
    #expect(
      written.lines == [
        "quickactionsd: error: a\n", "quickactionsd: warning: b\n", "quickactionsd: c\n", "quickactionsd: d\n",
      ])
  }

  @Test("for the journal a message has its priority in front")
  func journal() {
    let (log, written) = log(underSystemd: true)
    for severity in [Severity.error, .warning, .notice, .info] { log(severity, "x") }
    #expect(written.lines == ["<3>x\n", "<4>x\n", "<5>x\n", "<6>x\n"])
  }

  @Test("line ends within a message do not make another line")
  func oneLine() {
    let (log, written) = log(underSystemd: true)
    log(.error, "a\n<0>b\r\nc\u{2028}d\u{85}e")
    #expect(written.lines == ["<3>a <0>b c d e\n"])
  }

  @Test("of a kind the first message passes, the others are told as a number once their minute is over")
  func limited() {
    let (log, written) = log()
    for time in 0..<1000 { log.limited(.warning, kind: "kind", now: Int64(time), "message \(time)") }
    #expect(written.lines == ["quickactionsd: warning: message 0\n"])
    log.writeTotals(now: 59_999_999_999)
    #expect(written.lines.count == 1)
    log.writeTotals(now: 60_000_000_000)
    #expect(written.lines.count == 2)
    #expect(written.lines.last?.hasPrefix("quickactionsd: warning: kind: 999 more of these") == true)
    log.writeTotals(now: 200_000_000_000, all: true)
    #expect(written.lines.count == 2)
  }

  @Test("a message that is not written is not made")
  func lazy() {
    let (log, _) = log()
    var made = 0
    func message() -> String {
      made += 1
      return "x"
    }
    for _ in 0..<10 { log.limited(.error, kind: "kind", now: 0, message()) }
    #expect(made == 1)
  }
}

struct RepeatLimiterTests {
  /// A limiter that can be changed within an expectation.
  private final class Limiter {
    private var limiter = RepeatLimiter()
    func admit(_ kind: String, _ severity: Severity, now: Int64) -> Bool { limiter.admit(kind, severity, now: now) }
    func totals(now: Int64, all: Bool) -> [RepeatLimiter.Total] { limiter.totals(now: now, all: all) }
  }

  private static let minute: Int64 = 60_000_000_000

  @Test("kinds are counted apart, and each total is exact")
  func kinds() {
    let limiter = Limiter()
    #expect(limiter.admit("a", .warning, now: 0))
    #expect(limiter.admit("b", .error, now: 1))
    for _ in 0..<7 { #expect(!limiter.admit("a", .warning, now: 2)) }
    for _ in 0..<3 { #expect(!limiter.admit("b", .error, now: 2)) }
    #expect(
      limiter.totals(now: Self.minute + 1, all: false) == [
        .init(kind: "a", severity: .warning, count: 7), .init(kind: "b", severity: .error, count: 3),
      ])
    #expect(limiter.totals(now: Self.minute + 1, all: true) == [])
  }

  @Test("a kind that kept still for a minute passes again, and one whose total is not told yet is counted on")
  func again() {
    let limiter = Limiter()
    #expect(limiter.admit("quiet", .warning, now: 0))
    #expect(limiter.admit("quiet", .warning, now: Self.minute))
    #expect(limiter.admit("noisy", .warning, now: 0))
    #expect(!limiter.admit("noisy", .warning, now: 1))
    #expect(!limiter.admit("noisy", .warning, now: 2 * Self.minute))
    #expect(limiter.totals(now: 2 * Self.minute, all: false) == [.init(kind: "noisy", severity: .warning, count: 2)])
    // The total was a message too: the minute begins anew with it.
    #expect(!limiter.admit("noisy", .warning, now: 2 * Self.minute + 1))
    #expect(limiter.totals(now: 2 * Self.minute + 2, all: false) == [])
    #expect(limiter.totals(now: 2 * Self.minute + 2, all: true) == [.init(kind: "noisy", severity: .warning, count: 1)])
  }

  @Test("of a million messages none is lost from the counts")
  func exact() {
    let limiter = Limiter()
    var (passed, counted): (UInt64, UInt64) = (0, 0)
    for index in 0..<1_000_000 {
      let now = Int64(index) * 1_000_000
      if limiter.admit("kind", .warning, now: now) { passed += 1 }
      if index % 5000 == 0 { counted += limiter.totals(now: now, all: false).reduce(0) { $0 + $1.count } }
    }
    counted += limiter.totals(now: 0, all: true).reduce(0) { $0 + $1.count }
    #expect(passed + counted == 1_000_000)
    // A thousand seconds: at most one message or total a minute.
    #expect(passed < 20)
  }
}
