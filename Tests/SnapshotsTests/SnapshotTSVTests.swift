import Catalogue
import Testing

@testable import Ranking
@testable import Snapshots

struct SnapshotTSVTests {
  @Test("rows have the columns that the header names, parted by tabs")
  func rows() {
    let actions = [
      RankedAction("com.example.mail.write#alice", score: 3.25, uses: 57, lastUsed: noon - 58_000_000_000),
      RankedAction("é", app: "default", score: 0.123456789, uses: .max, lastUsed: 0),
    ]
    let expected = """
      #rank\tkind\tscore\tuses\tlastUsed\tapp\taction\ttitle
      1\tdynamic\t3.25\t57\t2026-11-30T11:59:02Z\tcom.example.mail\tcom.example.mail.write#alice\t
      2\tdynamic\t0.123457\t18446744073709551615\t1970-01-01T00:00:00Z\tdefault\té\t

      """
    for app in [nil, "com.example.mail"] {
      #expect(String(decoding: Snapshot(app: app, actions).tsv(), as: UTF8.self) == expected)
    }
  }

  @Test("without any action there is the header alone")
  func empty() {
    #expect(
      String(decoding: Snapshot(app: "a").tsv(), as: UTF8.self)
        == "#rank\tkind\tscore\tuses\tlastUsed\tapp\taction\ttitle\n")
  }

  @Test("what would end a row or a column, or what a terminal would obey, is a space in a title")
  func titles() {
    let definition = ActionDefinition(
      id: [0x61], kind: .dynamic,
      localizedTitle: "a\tb\r\nc\u{b}\u{1b}]0;d\u{7}\u{7f}\u{85}\u{9b}e\u{2028}\u{2029}é\u{300}")
    let shortcut = Shortcut(action: RankedAction("a"), isStatic: false, definition: definition)
    let snapshot = Snapshot(
      app: nil, generation: 1, computedAt: noon, limit: 4, shortcuts: [shortcut], dynamic: [],
      method: ListMethod(kind: "fixed", halfLife: "7d"))
    #expect(
      String(decoding: snapshot.tsv(), as: UTF8.self).hasSuffix("\tcom.example.mail\ta\ta b  c  ]0;d    e  é\u{300}\n"))
  }
}
