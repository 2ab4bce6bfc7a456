import Testing
import TestSupport
import Wire

extension SnapshotName {
  fileprivate init(_ app: String) { self.init(app: Array(app.utf8)) }
}

struct SnapshotNameTests {
  @Test(
    "a name is the app's id with every other byte as its hexadecimal digits",
    arguments: [
      ("com.example.mail", "com.example.mail"), ("A-Z_a-z.0-9", "A-Z_a-z.0-9"), (".", "%2E"), ("..", "%2E."),
      (".a", "%2Ea"), ("a.", "a."), ("..a..", "%2E.a.."), ("/", "%2F"),
      ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"),
      ("%", "%25"), ("%2F", "%252F"), ("a%", "a%25"), ("~", "%7E"), ("a:b*c?", "a%3Ab%2Ac%3F"), ("é", "%C3%A9"),
      ("e\u{301}", "e%CC%81"), ("📷", "%F0%9F%93%B7"), ("-rf", "-rf"), ("a\\b", "a%5Cb"),
      ("'$(x)\"", "%27%24%28x%29%22"),
      ("#", "%23"), ("top", "top"), ("default", "default"),
    ])
  func encoding(app: String, name: String) {
    #expect(SnapshotName(app).base == name)
  }

  @Test("every byte has a name that a folder can hold, and no two have the same")
  func everyByte() {
    var names: Set<String> = []
    for byte in UInt8.min ... .max {
      for id in [[byte], [0x61, byte], [byte, byte]] {
        let name = SnapshotName(app: id).base
        names.insert(name)
        #expect(!name.contains("/") && !name.hasPrefix(".") && name.utf8.allSatisfy { (0x21...0x7E).contains($0) })
      }
    }
    // "aa" comes twice.
    #expect(names.count == 256 * 3 - 1)
  }

  @Test("a name of up to 200 bytes stays whole; a longer one is cut there and gets 32 digits of its hash")
  func cut() {
    let whole = String(repeating: "a", count: 200)
    #expect(SnapshotName(whole).base == whole)
    let digits = SHA256.digest(Array((whole + "b").utf8)).prefix(16).map { byte in
      let text = String(byte, radix: 16, uppercase: true)
      return (text.count < 2 ? "0" : "") + text
    }
    #expect(SnapshotName(whole + "b").base == whole + "~" + digits.joined())
    // What counts is the length of the name, not of the id.
    let escaped = SnapshotName(String(repeating: "/", count: 67)).base
    #expect(escaped.hasPrefix(String(repeating: "%2F", count: 66) + "%2~"))
    #expect(SnapshotName(String(repeating: "/", count: 66)).base == String(repeating: "%2F", count: 66))
  }

  @Test("the longest name leaves room for its suffix and a temporary file's")
  func length() {
    for id in ["a", "/", "é"].map({ Array(String(repeating: $0, count: 255).utf8.prefix(255)) }) {
      let name = SnapshotName(app: id).base
      #expect(name.utf8.count == 233)
      #expect(SnapshotName.suffixes.allSatisfy { (".\(name)\($0).tmp").utf8.count <= 255 })
    }
  }

  @Test("no two ids share a name, also where names are cut")
  func unique() {
    var random = SeededRandom()
    var ids: Set<[UInt8]> = []
    let alphabet = Array("a.%/~2F".utf8)
    for _ in 0..<10_000 {
      ids.insert((0...Int.random(in: 0...5, using: &random)).map { _ in alphabet[Int(random.next() % 7)] })
    }
    for _ in 0..<200 {
      let start = [UInt8](repeating: 0x61, count: Int.random(in: 196...204, using: &random))
      ids.insert(start + (0...Int.random(in: 0...50, using: &random)).map { _ in alphabet[Int(random.next() % 7)] })
    }
    // The text of a cut name is itself an id that has another name.
    ids.insert(Array(SnapshotName(String(repeating: "a", count: 255)).base.utf8))
    ids.insert([UInt8](repeating: 0x61, count: 255))
    let names = Set(ids.map { SnapshotName(app: $0).base })
    #expect(names.count == ids.count, "seed \(random.seed)")
    #expect(names.allSatisfy { !$0.contains("/") && !$0.hasPrefix(".") && !$0.isEmpty }, "seed \(random.seed)")
  }
}
