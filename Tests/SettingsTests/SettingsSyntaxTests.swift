import Foundation
import KeyFiles
import Testing
import TestSupport

@testable import Settings

/// What may stand in a file.
struct SettingsSyntaxTests {
  /// Texts that cannot be used, and what is said of them after the file's name.
  static let bad: [(text: String, message: String)] = [
    ("Limit=4\n", "1: a key before the first section"),
    ("\n# x\n\nLimit=4\n[Ranking]\n", "4: a key before the first section"),
    ("[Ranking]\n\n; old\nLimit=4", "3: \"; old\" is neither a section, a key nor a comment; comments start with #"),
    ("[Ranking]\nLimit\n", "2: \"Limit\" is neither [Section], Key=value nor # comment"),
    ("[Ranking]\n=4\n", "2: \"=4\" is neither [Section], Key=value nor # comment"),
    ("[Ranking] # x\n", "1: \"[Ranking] # x\" is neither [Section], Key=value nor # comment"),
    ("[Ranking\nLimit=4\n", "1: \"[Ranking\" is neither [Section], Key=value nor # comment"),
    ("[]\n", "1: \"[]\" is neither [Section], Key=value nor # comment"),
    ("[Ranking]\r\nLimit=4\r\noops\r\n", "3: \"oops\" is neither [Section], Key=value nor # comment"),
    ("[Ranking]\nLimit=4\n  continued", "3: \"continued\" is neither [Section], Key=value nor # comment"),
    ("\u{1B}[2J\n", "1: \"\\u{1b}[2J\" is neither [Section], Key=value nor # comment"),
    ("[Ranking]\nEncoding=latin1\n", "2: only UTF-8 is read"),
    (
      "[Ranking]\nLimit=4\n\u{FEFF}[Intake]\n", "3: \"\\u{feff}[Intake]\" is neither [Section], Key=value nor # comment"
    ),
    ("[Ranking]\n#\0\nLimit=4\n", "2: contains a NUL byte"),
    ("[Ranking]\nLimit=4\0\n", "2: contains a NUL byte"),
    ("[Ranking]\nHalfLife=soon\n", "2: [Ranking] HalfLife=soon: not a duration; allowed are 1s to 100y"),
    (
      "[Ranking]\nHalfLife=3 eons\n",
      "2: [Ranking] HalfLife=3 eons: not a duration, \"eons\" is no unit of time; allowed are 1s to 100y"
    ),
    (
      "[Ranking]\nHalfLife=infinity\n",
      "2: [Ranking] HalfLife=infinity: a duration that never ends is of no use here; allowed are 1s to 100y"
    ),
    ("[Ranking]\nLimit=-1\n", "2: [Ranking] Limit=-1: a number without a sign is needed; allowed are 1 to 20"),
    ("[Ranking]\nLimit=4 # four\n", "2: [Ranking] Limit=4 # four: not a whole number; allowed are 1 to 20"),
    ("[Ranking]\nLimit=1\nLimit=x\n", "3: [Ranking] Limit=x: not a whole number; allowed are 1 to 20"),
    (
      "[Ranking]\nLimit=1\n[Intake]\n[Ranking]\nLimit=x\n",
      "5: [Ranking] Limit=x: not a whole number; allowed are 1 to 20"
    ),
    ("[Intake]\nMaxLineBytes=4k\n", "2: [Intake] MaxLineBytes=4k: not a size; allowed are 256 to 1M"),
    (
      "[Snapshot]\nMode=0750\n",
      "2: [Snapshot] Mode=0750: out of range; allowed are 0600 to 0666 without bits to execute"
    ),
    (
      "[Snapshot]\nMode=0620\nMode=rw\n",
      "3: [Snapshot] Mode=rw: not an octal mode; allowed are 0600 to 0666 without bits to execute"
    ),
    (
      "[Ranking]\nLimit=\u{1B}]0;x\u{7}\u{202E}\n",
      "2: [Ranking] Limit=\\u{1b}]0;x\\u{7}\\u{202e}: not a whole number; allowed are 1 to 20"
    ),
  ]

  /// Texts that set `Limit` to 2 and nothing else.
  static let good = [
    "[Ranking]\nLimit=2\n", "[Ranking]\nLimit=2", "\u{FEFF}[Ranking]\nLimit=2\n", "[Ranking]\r\nLimit=2\r\n",
    "[Ranking]\r\nLimit=2\r", "  [Ranking]\t \n\t Limit \t=\t 2 \t\n", "\n\n# x\n  # y\n[Ranking]\n\nLimit=2\n\n",
    "[Ranking]\n[Intake]\n[Ranking]\nLimit=2\n", "[Ranking]\nHalfLife=\nLimit=2\n",
    "[Intake]\n#Limit=3\n[Ranking]\nLimit=2",
  ]

  static let odd: [(text: String, warnings: [String])] = [
    (
      "[Ranking]\nLimits=3\n",
      [
        "2: [Ranking] Limits: unknown key, ignored; there are HalfLife, Method, SwapMargin, KeepPlaces, Limit, MaxActions, OnlyDefined"
      ]
    ),
    (
      "[Ranking]\nlimit=3\n",
      [
        "2: [Ranking] limit: unknown key, ignored; there are HalfLife, Method, SwapMargin, KeepPlaces, Limit, MaxActions, OnlyDefined"
      ]
    ),
    (
      "[Ranking]\nLimit[de]=3\n",
      [
        "2: [Ranking] Limit[de]: unknown key, ignored; there are HalfLife, Method, SwapMargin, KeepPlaces, Limit, MaxActions, OnlyDefined"
      ]
    ),
    (
      "[Ranking]\n\u{1B}=3\n",
      [
        "2: [Ranking] \\u{1b}: unknown key, ignored; there are HalfLife, Method, SwapMargin, KeepPlaces, Limit, MaxActions, OnlyDefined"
      ]
    ),
    (
      "[Ranking]\nMaxConnections=3\n",
      [
        "2: [Ranking] MaxConnections: unknown key, ignored; there are HalfLife, Method, SwapMargin, KeepPlaces, Limit, MaxActions, OnlyDefined"
      ]
    ),
    (
      "[ranking]\nLimit=3\n",
      ["1: [ranking]: unknown section, ignored; there are Ranking, Snapshot, Intake, Storage, Privacy, Catalogue"]
    ),
    (
      "[X]\na=1\n[Ranking]\n[X]\nb=1\n[Y]\n",
      [
        "1: [X]: unknown section, ignored; there are Ranking, Snapshot, Intake, Storage, Privacy, Catalogue",
        "6: [Y]: unknown section, ignored; there are Ranking, Snapshot, Intake, Storage, Privacy, Catalogue",
      ]
    ),
    (
      "[Ran\u{212A}ing]\n",
      [
        "1: [Ran\u{212A}ing]: unknown section, ignored; there are Ranking, Snapshot, Intake, Storage, Privacy, Catalogue"
      ]
    ),
    (
      "[Ranking]\nLimit=x\nLimit=y\n[Ranking]\nLimit=4\n",
      [
        "3: [Ranking] Limit: set again; the value in line 2 is not used",
        "5: [Ranking] Limit: set again; the value in line 3 is not used",
      ]
    ),
  ]

  let folder: Folder

  init() throws { folder = try Folder() }

  @Test("what cannot be used is refused with its line", arguments: bad)
  func refuses(text: String, message: String) throws {
    try folder.write(text, to: folder.main)
    #expect(folder.errors() == ["DIR/quickactions.conf:" + message])
  }

  @Test("a file in the style of systemd's is read", arguments: good)
  func reads(text: String) throws {
    try folder.write(text, to: folder.main)
    let loaded = try folder.load()
    var expected = Settings()
    expected.limit = 2
    #expect(loaded.settings == expected)
    #expect(loaded.warnings == [])
  }

  @Test("what is odd is a warning with its line and changes nothing", arguments: odd)
  func warns(text: String, warnings: [String]) throws {
    try folder.write(text, to: folder.main)
    #expect(try folder.warnings() == warnings.map { "DIR/quickactions.conf:" + $0 })
    #expect(try folder.load().settings == Settings())
  }

  @Test("a file without a setting is as good as none", arguments: ["", "\n", "\r\n", "\u{FEFF}", "# x", "[Ranking]"])
  func nothing(text: String) throws {
    try folder.write(text, to: folder.main)
    #expect(try folder.load().settings == Settings())
    #expect(try folder.warnings() == [])
    #expect(try folder.load().files == [folder.main])
  }

  @Test("bytes that are not UTF-8 are refused with their line, in comments too")
  func notUTF8() throws {
    try folder.write(Array("[Ranking]\n# caf".utf8) + [0xE9, 0x0A], to: folder.main)
    #expect(folder.errors() == ["DIR/quickactions.conf:2: not UTF-8"])
    try folder.write([0xFF, 0xFE, 0x5B, 0x00], to: folder.main)  // UTF-16 with its mark.
    #expect(folder.errors().first?.hasPrefix("DIR/quickactions.conf:1: ") == true)
  }

  @Test("a long value is cut to 64 bytes between two characters")
  func longValue() throws {
    let value = String(repeating: "é", count: 100_000)
    try folder.write("[Ranking]\nLimit=\(value)\n", to: folder.main)
    let shown = String(repeating: "é", count: 30) + "…"
    #expect(shown.utf8.count <= 64)
    #expect(
      folder.errors() == [
        "DIR/quickactions.conf:2: [Ranking] Limit=\(shown): not a whole number; allowed are 1 to 20"
      ])
  }

  @Test("a value of exactly 64 bytes is shown whole")
  func valueOf64Bytes() {
    let value = String(repeating: "x", count: 64)
    #expect(PrintableText.of(value) == value)
    #expect(PrintableText.of(value + "x") == String(repeating: "x", count: 61) + "…")
  }

  @Test("the first bad line is found among many", arguments: [1, 2, 777, 19_999, 20_000])
  func firstBadLine(line: Int) throws {
    var lines = ["[Ranking]"] + [String](repeating: "# x", count: 19_999)
    lines[line - 1] = "first"
    lines.append("second")
    try folder.write(lines.joined(separator: "\n"), to: folder.main)
    #expect(
      folder.errors() == ["DIR/quickactions.conf:\(line): \"first\" is neither [Section], Key=value nor # comment"])
  }

  @Test("a flood of warnings is cut and counted")
  func manyWarnings() throws {
    let text = "[Ranking]\n" + (1...1_000).map { "Key\($0)=1\n" }.joined()
    try folder.write(text, to: folder.main)
    let warnings = try folder.warnings()
    #expect(warnings.count == 101)
    #expect(warnings.last == "DIR/quickactions.conf: 900 further warnings left out")
  }

  @Test("no random text crashes the reader, and what is refused has a line")
  func randomTexts() throws {
    var random = SeededRandom()
    let pieces = [
      "[", "]", "=", "#", ";", "\n", "\r\n", " ", "\t", "\u{B}", "\0", "Ranking", "Limit", "4", "é", "[Ranking]\n",
      "Limit=4\n",
    ]
    for _ in 0..<2_000 {
      let count = Int.random(in: 0..<12, using: &random)
      let text = (0..<count).compactMap { _ in pieces.randomElement(using: &random) }.joined()
      try folder.write(text, to: folder.main)
      do throws(SettingsErrors) {
        _ = try folder.load()
      } catch {
        #expect(error.problems.allSatisfy { $0.line != nil }, "\(text.debugDescription), seed \(random.seed)")
      }
    }
  }
}
