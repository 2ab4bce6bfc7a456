import Histories
import Testing

struct BashHistoryTests {
  @Test("lines without times happened when the file was changed")
  func plain() {
    #expect(
      entries("ls -l\n\ncd /tmp\nunfinished", .bash) == [
        "1 bash.ls*1@\(changedSeconds)", "3 bash.cd*1@\(changedSeconds)", "4 bash.unfinished*1@\(changedSeconds)",
      ])
  }

  @Test("a time stands before its command, and a command of several lines reaches to the next time")
  func stamped() {
    #expect(
      entries("#100\nfor x in y; do\n  ls\ndone\n#200\n#300\nwc\n#400", .bash) == [
        "1 bash.for*1@100", "6 bash.wc*1@300",
      ])
  }

  @Test("in a file that begins without times each line is a command")
  func mixed() {
    #expect(
      entries("ls\n#100\nwc\npwd\n", .bash) == [
        "1 bash.ls*1@\(changedSeconds)", "2 bash.wc*1@100", "4 bash.pwd*1@\(changedSeconds)",
      ])
  }

  @Test("remarks, assignments and times out of range are told with their line")
  func faults() {
    #expect(
      entries("# note\nA=1\n#99999999999999999999\nls\nls\n", .bash) == [
        "1 ! no command in it", "2 ! no command in it", "3 ! the time is out of range", "5 bash.ls*1@\(changedSeconds)",
      ])
  }
}

struct ZshHistoryTests {
  @Test("extended and plain lines, one after the other")
  func lines() {
    #expect(
      entries(": 100:0;ls -l\npwd\n: 200:17;A=1 make\n: no stamp\n:  300:0;wc\n", .zsh) == [
        "1 zsh.ls*1@100", "2 zsh.pwd*1@\(changedSeconds)", "3 zsh.make*1@200", "4 zsh.:*1@\(changedSeconds)",
        "5 zsh.wc*1@300",
      ])
  }

  @Test("a backslash at the end of a line joins it with the next")
  func joined() {
    #expect(entries(": 100:0;for x in y; do\\\n  ls\\\ndone\npwd\n", .zsh).count == 2)
    #expect(entries(": 100:0;\\\n\\\nls\npwd\\", .zsh) == ["1 zsh.ls*1@100", "4 zsh.pwd*1@\(changedSeconds)"])
  }

  @Test("metafied bytes are what they stand for")
  func metafied() {
    // U+00C3 is C3 83 in UTF-8, and 83 is written as 83 A3.
    #expect(entries(Array(": 1:0;".utf8) + [0xc3, 0x83, 0xa3, 0x0a], .zsh) == ["1 zsh.\u{c3}*1@1"])
    #expect(entries([0x61, 0x83], .zsh) == ["1 zsh.a%83*1@\(changedSeconds)"])
  }

  @Test("a time without a command is told")
  func faults() {
    #expect(entries(": 100:0;\n\n", .zsh) == ["1 ! no command in it"])
  }
}

struct FishHistoryTests {
  @Test("a command, its time, and fields that say nothing here")
  func fields() {
    #expect(
      entries("- cmd: git commit\n  when: 100\n  paths:\n    - a\n- cmd: ls\n- cmd: A=1\\nwc\n  when: 300", .fish) == [
        "1 fish.git*1@100", "5 fish.ls*1@\(changedSeconds)", "6 fish.wc*1@300",
      ])
  }

  @Test("paths that are added to an entry later do not make it another one")
  func paths() {
    #expect(
      ids("- cmd: ls a\n  when: 100\n", .fish) == ids("- cmd: ls a\n  when: 100\n  paths:\n    - a\n", .fish))
  }

  @Test("a line that belongs to no entry is told, and the ones behind it are read")
  func stray() {
    let found = entries("when: 5\n\n- cmd: a\\\\nb\n  when: x\njunk\n", .fish)
    #expect(
      found == [
        "1 ! the line belongs to no entry, which begins with '- cmd: '", "3 fish.anb*1@\(changedSeconds)",
        "5 ! the line belongs to no entry, which begins with '- cmd: '",
      ])
  }
}

struct ZoxideHistoryTests {
  private static let home = Array("/home/a b".utf8)

  @Test("a folder has as many uses as its rank says, at the time of the last")
  func folders() {
    #expect(
      entries(zoxide([(Self.home, 2.5, 100), (Array("/c#d%".utf8), 0.2, 200), ([0x2f, 0xff], 1, 3)]), .zoxide) == [
        "1 zoxide.cd#/home/a%20b*3@100", "2 zoxide.cd#/c#d%25*1@200", "3 zoxide.cd#/%FF*1@3",
      ])
  }

  @Test("a folder that was visited again is the same entry")
  func visited() {
    #expect(ids(zoxide([(Self.home, 2, 100)]), .zoxide) == ids(zoxide([(Self.home, 3, 200)]), .zoxide))
  }

  @Test(
    "a rank that is none, and a time out of range, are told", arguments: [-1, .nan, .infinity, 1_000_001, 1e300])
  func ranks(rank: Double) {
    #expect(
      entries(zoxide([(Self.home, rank, 1), (Self.home, 1, .max)]), .zoxide) == [
        "1 ! the rank is not a number from 0 to 1000000", "2 ! the time is out of range",
      ])
  }

  @Test("a database cut short anywhere gives the entries before, and says so")
  func cut() {
    let whole = zoxide([(Self.home, 1, 100), (Self.home, 1, 100)])
    for length in 0..<whole.count {
      let found = entries(Array(whole.prefix(length)), .zoxide)
      #expect(found.count == (length < 45 ? 1 : 2), "\(length)")
      #expect(found.last?.hasSuffix("! the database is cut short") == true, "\(length)")
    }
  }

  @Test("other versions, false counts and lengths, and bytes behind the end")
  func hostile() {
    #expect(
      entries(zoxide(version: 2, []), .zoxide) == ["1 ! a database of version 2; version 3 can be read"])
    #expect(entries(zoxide(count: .max, []), .zoxide) == ["1 ! the database is cut short"])
    #expect(
      entries(zoxide(count: 1, []) + [UInt8](repeating: 0xff, count: 100), .zoxide) == [
        "1 ! the database is cut short"
      ])
    #expect(entries(zoxide([]) + [0], .zoxide) == ["1 ! 1 byte behind the last entry"])
    #expect(entries(zoxide([]), .zoxide).isEmpty)
  }
}

struct TableTests {
  @Test("rows have an action and a time, and may have a count and an app")
  func rows() {
    let table = "# action\ttime\tn\tapp\na\t100\r\nb#c\t1970-01-01T00:00:05Z\t7\n\nd\t1.5\t\tx\n"
    #expect(entries(table, .tsv) == ["2 a*1@100", "3 b#c*7@5", "5 d*1@1"])
    #expect(uses(Array(table.utf8), .tsv).map(\.app) == [nil, nil, [0x78]])
    let given = HistoryReader(Array(table.utf8), format: .tsv, app: [0x79], modified: 0).compactMap { entry in
      if case .use(let use) = entry.content { use.app } else { nil }
    }
    #expect(given == [[0x79], [0x79], [0x78]])
  }

  @Test(
    "a bad row is told with the reason that the daemon would give",
    arguments: [
      ("a", "1 column; allowed are action, time, count and app, separated by tabs"),
      ("a\t1\t1\tb\tc", "5 columns; allowed are action, time, count and app, separated by tabs"),
      ("\t1", "the action is empty at byte 1"), ("a b\t1", "the action holds white space at byte 2"),
      ("a\tyesterday", "the time is not valid at byte 1"), ("a\t1\t0", "the count is not valid at byte 1"),
      ("a\t1\t1\tb c", "the app holds white space at byte 2"), ("#a\t1", nil), ("{\t1", nil),
    ] as [(String, String?)])
  func faults(row: String, message: String?) {
    let found = entries(row + "\n", .tsv).first { $0.hasPrefix("1 ! ") }
    #expect(message.map { found?.dropFirst(4).hasPrefix($0) == true } ?? (found == nil))
  }
}

struct ExportTests {
  @Test("uses get ids, what steers goes through as it is, and other ops do not")
  func lines() {
    let pin = #"{"op":"pin","action":"a.b"}"#
    let text = """
      # remark
      {"type":"a","target":"b","count":3,"time":100,"app":"x"}
      \(pin)

      {"op":"forget","all":true}
      {"op":7}
      c n=2 t=5 id=mine
      {"type":5}
      d
      """
    let found = entries(text, .export)
    #expect(
      Array(found.prefix(5)) == [
        "2 a#b*3@100", "3 \(pin)", "5 ! an op that no export has; allowed are define, enable, disable, pin and block",
        "6 ! an op that no export has; allowed are define, enable, disable, pin and block", "7 c*2@5",
      ])
    #expect(found[5].hasPrefix("8 ! the action is a JSON value of the wrong kind"))
    #expect(found[6] == "9 d*1@\(changedSeconds)")
    #expect(ids(text, .export)[1] == "mine")
    #expect(ids(text, .export)[0].hasPrefix("import:"))
  }
}

struct HistoryFormatTests {
  @Test(
    "a file's bytes tell its format",
    arguments: [
      (": 100:0;ls", HistoryFormat.zsh), ("ls\n: 100:0;ls", .zsh), ("#100\nls", .bash), ("ls\n#100\nls", .bash),
      ("- cmd: ls\n  when: 1\n", .fish), ("# a table\na\t100\n", .tsv), ("a\t2026-11-30T12:00:00Z\t2\n", .tsv),
      ("\n{\"type\":\"a\"}\n", .export),
    ])
  func bytes(text: String, format: HistoryFormat) {
    #expect(HistoryFormat.guess(Array(text.utf8), name: "") == format)
  }

  @Test("a database of zoxide is known by its version")
  func zoxideDatabase() {
    #expect(HistoryFormat.guess(zoxide([]), name: "bash") == .zoxide)
  }

  @Test("mere lines are told apart by the file's name only")
  func names() {
    #expect(HistoryFormat.guess(Array("ls\n".utf8), name: ".bash_history") == .bash)
    #expect(HistoryFormat.guess(Array("ls\n".utf8), name: ".zsh_history") == .zsh)
    #expect(HistoryFormat.guess(Array("ls\n".utf8), name: "history") == nil)
    #expect(HistoryFormat.guess([], name: "x") == nil)
  }
}
