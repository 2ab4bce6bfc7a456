import Foundation
import QuickActionsClient
import Testing
import Wire

@testable import quickactions

struct TextTests {
  @Test(
    "what a terminal would obey is made visible, and what people write stays",
    arguments: [
      ("Write to Alice", "Write to Alice"), ("a\u{1b}[2Jb", "a\\u{1b}[2Jb"), ("a\nb\r\tc", "a\\u{a}b\\u{d}\\u{9}c"),
      ("\u{7f}\u{85}\u{9b}", "\\u{7f}\\u{85}\\u{9b}"), ("\u{202e}evil", "\\u{202e}evil"),
      ("a\u{2028}b\u{feff}", "a\\u{2028}b\\u{feff}"), ("日本 é e\u{301} 👨‍👩‍👧", "日本 é e\u{301} 👨‍👩‍👧"), ("", ""),
    ])
  func visible(text: String, shown: String) { #expect(VisibleText.of(text).utf8.elementsEqual(shown.utf8)) }

  @Test("no text of any scalars brings a control character to a terminal")
  func anyScalar() {
    for value in UInt32(0)...0x30ff {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let shown = VisibleText.of("a\(Character(scalar))b")
      #expect(!shown.unicodeScalars.contains { $0.value < 0x20 || (0x7f...0x9f).contains($0.value) })
    }
  }

  @Test(
    "wide characters take two columns, and what combines takes none",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한국", 4), ("ﾊﾟ", 2), ("👍🏽", 2),
      ("\u{1112}\u{1161}\u{11ab}", 2), ("Ａ", 2), ("📷", 2),
      ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("☎\u{fe0f}", 2), ("☎", 1), ("a\u{200d}", 1), ("ไทย", 3), ("ที่", 1),
    ])
  func width(text: String, columns: Int) { #expect(DisplayWidth.of(text) == columns) }

  @Test(
    "text is cut to columns and not to characters",
    arguments: [
      ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("日本語", 4, "日…"), ("日本", 4, "日本"), ("abc", 1, "…"), ("abc", 0, ""),
    ])
  func fit(text: String, columns: Int, cut: String) {
    #expect(DisplayWidth.fit(text, columns: columns) == cut)
  }

  @Test("columns stand under each other, and no line ends in blanks")
  func table() {
    var table = Table([("#", .right), ("action", .left), ("title", .left)])
    table.add([.init("1"), .init("日本"), .init("Write\u{1b}")])
    table.add([.init("10", .bold), .init("b"), .init("")])
    #expect(table.lines(colours: false) == [" #  action  title", " 1  日本    Write\\u{1b}", "10  b"])
    #expect(table.lines(colours: true)[2] == "\u{1b}[1m10\u{1b}[0m  b")
  }

  @Test("a table without titles has no header")
  func noHeader() {
    var table = Table([("", .left), ("", .left)])
    table.add([.init("a"), .init("b")])
    #expect(table.lines(colours: false) == ["a  b"])
  }

  @Test(
    "times are told as people tell them",
    arguments: [
      (0, "just now"), (-1, "just now"), (-90, "in 90 seconds"), (1, "1 second ago"), (59, "59 seconds ago"),
      (90, "90 seconds ago"),
      (120, "2 minutes ago"), (7199, "119 minutes ago"), (7200, "2 hours ago"), (172_800, "2 days ago"),
      (1_209_600, "2 weeks ago"), (5_259_600, "2 months ago"), (63_115_200, "2 years ago"),
    ])
  func ago(seconds: Int64, words: String) {
    let now = UnixTime(seconds: 1_796_040_000)
    #expect(TimeText.ago(UnixTime(seconds: 1_796_040_000 - seconds), now: now) == words)
  }

  @Test("what was never is never, also at the ends of time")
  func never() {
    #expect(TimeText.ago(nil, now: .now) == "never")
    #expect(TimeText.ago(UnixTime(nanoseconds: .min), now: UnixTime(nanoseconds: .max)).hasSuffix("ago"))
  }

  @Test(
    "sizes are told as people tell them",
    arguments: [
      (0, "0 bytes"), (1023, "1023 bytes"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (10_240, "10 KiB"),
      (1_048_575, "1023 KiB"), (1_048_576, "1.0 MiB"), (.max, "15 EiB"),
    ] as [(UInt64, String)])
  func size(bytes: UInt64, words: String) { #expect(AmountText.size(bytes) == words) }

  @Test(
    "scores have as many digits as say something",
    arguments: [
      (0, "0.00"), (3.25, "3.25"), (0.999, "0.9990"), (0.00005, "0.0001"), (1234.567, "1234.57"), (1e20, "1e+20"),
    ])
  func score(value: Double, text: String) { #expect(AmountText.score(value) == text) }

  @Test(
    "what was probably meant is near, and not just anything",
    arguments: [
      ("statsu", "status"), ("staus", "status"), ("stattus", "status"), ("stAtus", "status"), ("top", "top"),
      ("tpo", "top"), ("xyz", nil), ("", nil), (String(repeating: "s", count: 5000), nil),
    ] as [(String, String?)])
  func suggestion(word: String, meant: String?) {
    #expect(Suggestion.nearest(to: word, among: ["status", "top", "resume"]) == meant)
  }

  @Test("the distance of two words is that of the textbook")
  func distance() {
    for (first, second, slips) in [
      ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3), ("ab", "ba", 1), ("abc", "abc", 0),
      ("ca", "abc", 3),
    ] {
      #expect(Suggestion.distance(first, second) == slips, "\(first) \(second)")
    }
  }

  @Test("a status names everything, problems first, and leaves out counters that are 0")
  func status() throws {
    let status = try json(
      #"{"version":"1","startedAt":"2026-11-30T12:00:00Z","intakeLogBytes":2048,"storageError":"disk \u001b full","#
        + #""snapshotError":null,"newThing":7,"counters":{"uses":3,"syncs":0},"refused":{"invalidJSON":1}}"#)
    let lines = StatusText.lines(status, at: "/run/q", now: UnixTime(seconds: 1_796_040_060), colours: false)
    let rows = lines.map { $0.split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) } }
    #expect(rows[0] == ["storage error", "disk \\u{1b} full"])
    for row in [
      ["daemon in", "/run/q"], ["started at", "60 seconds ago (2026-11-30T12:00:00Z)"], ["intake log", "2.0 KiB"],
      ["new thing", "7"], ["uses", "3"], ["invalid JSON", "1"],
    ] {
      #expect(rows.contains(row), "\(row)")
    }
    #expect(!rows.contains { $0.first == "syncs" || $0.first == "snapshot error" })
  }

  @Test("a JSON list is read from a text, and a fault in it has its place there")
  func list() throws {
    #expect(try JSONList.parse(Array("[1, 2]\n".utf8), "f").elements?.count == 2)
    for (text, part) in [
      ("{}", "no JSON list"), ("", "byte 1"), ("[1,]", "byte 4"), ("[1] x", "byte 5"), ("1},{", "byte"),
      ("[1],\"\":[2]", "byte"), ("[],\"a\":[2]", "no JSON list"),
    ] {
      do throws(CommandFailure) {
        _ = try JSONList.parse(Array(text.utf8), "f")
        Issue.record("\(text) was taken")
      } catch {
        #expect(error.message.contains(part), "\(text): \(error.message)")
      }
    }
  }
}
