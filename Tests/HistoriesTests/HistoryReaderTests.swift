import Histories
import TestSupport
import Testing
import Wire

struct HistoryReaderTests {
  @Test("a use has the id import: and 32 digits, the same at every reading")
  func same() {
    let text = "a\t5\nb\t6\n"
    let first = ids(text, .tsv)
    #expect(first == ids(text, .tsv))
    #expect(first.allSatisfy { $0.hasPrefix("import:") && $0.utf8.count == 39 })
    #expect(first[0] == "import:" + hexadecimal(SHA256.digest(Array("tsv\na\t5\n1".utf8)).prefix(16)))
  }

  @Test("equal lines have ids of their own, and those stay when the file grows")
  func grown() {
    let few = ids("ls\nls\npwd\n", .bash)
    let more = ids("ls\nls\npwd\nls\nwc\n", .bash)
    #expect(Set(more).count == 5)
    #expect(Array(more.prefix(3)) == few)
  }

  @Test("the same line in two formats has two ids")
  func formats() {
    #expect(Set(ids("ls\n", .bash) + ids("ls\n", .zsh)).count == 2)
  }

  @Test("commands belong to the format's name, or to the app that is given")
  func app() {
    #expect(entries("ls\n", .zsh) == ["1 zsh.ls*1@\(changedSeconds)"])
    #expect(entries("ls\n", .zsh, app: "org.work") == ["1 org.work.ls*1@\(changedSeconds)"])
    #expect(uses(Array("ls\n".utf8), .zsh).first?.app == Array("zsh".utf8))
    let long = String(repeating: "a", count: 255)
    #expect(entries("ls\n", .zsh, app: long).first?.hasPrefix("1 ! the action is over 255 bytes") == true)
    #expect(entries("ls\n", .zsh, app: "a b").first?.hasPrefix("1 ! the action holds white space") == true)
  }

  @Test("whatever the bytes, each format ends, names valid actions only, and gives the same again")
  func hostile() throws {
    var random = SeededRandom()
    let parts =
      [
        ": 1:0;", "#12\n", "- cmd: ", "  when: 5\n", "\\", "\n", "\t", "{\"type\":\"a\",", "\"op\":\"pin\"}", "}", "'",
        "\"",
        "(", "$(", "A=", "/", "%", "#", "é", "\r", " ", "99999999999999999999", "x",
      ].map { Array($0.utf8) } + [
        [0x83], [0], [0xff], [3, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0], [UInt8](repeating: 0xff, count: 8),
      ]
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 0...30, using: &random)).flatMap { _ in parts.randomElement(using: &random) ?? []
      }
      for format in HistoryFormat.allCases {
        let start = format == .zoxide ? [3, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0] + bytes : bytes
        let found = uses(start, format)
        for use in found {
          try UseText.checkAction(use.action)
          try UseText.checkApp(use.app ?? [0x61])
          try UseText.checkIdempotency(use.id)
          #expect((1...1_000_000).contains(use.count), "seed \(random.seed)")
        }
        #expect(found == uses(start, format), "seed \(random.seed)")
        #expect(Set(found.map(\.id)).count == found.count, "seed \(random.seed)")
      }
      _ = HistoryFormat.guess(bytes, name: "")
    }
  }

  private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
