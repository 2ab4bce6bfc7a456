import Foundation
import TestSupport
import Testing

@testable import Catalogue

/// Files that were good once.
struct MutationTests {
  /// Changes a few bytes: replaced, removed, doubled, or taken from elsewhere.
  private static func mutate(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...16, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }

  @Test(
    "no change to a good file crashes a reader, and what is refused has a reason",
    arguments: ["json", "plist", "bplist", "desktop", "strings"])
  func mutations(form: String) throws {
    let sources = [
      "json": repositoryPath("etc/catalogue.d/com.example.mail.json"), "plist": dataPath("com.example.notes.plist"),
      "bplist": dataPath("com.example.notes.plist"), "desktop": dataPath("org.example.editor.desktop"),
      "strings": dataPath("de.lproj/InfoPlist.strings"),
    ]
    var good = try bytes(try #require(sources[form]))
    if form == "bplist" {
      let value = try PropertyListSerialization.propertyList(from: Data(good), format: nil)
      good = Array(try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
    }
    var random = SeededRandom()
    let folder = try Folder()
    let name = form == "bplist" ? "x.plist" : form == "strings" ? "de.lproj/InfoPlist.strings" : "x.\(form)"
    if form == "strings" { try folder.write(InfoPlistTests.plist(item: InfoPlistTests.minimal), to: "x.plist") }
    for _ in 0..<300 {
      try folder.write(Self.mutate(good, &random), to: name)
      let (definition, problems) = folder.read(form == "strings" ? "x.plist" : name, Languages(list: "de"))
      let isHidden = form == "desktop" && definition == nil && problems.isEmpty
      #expect(definition != nil || !problems.isEmpty || isHidden, "seed \(random.seed)")
    }
  }

  @Test("no random bytes crash a reader", arguments: ["json", "plist", "desktop"])
  func randomBytes(form: String) throws {
    var random = SeededRandom()
    let folder = try Folder()
    let starts = ["", "{", "bplist00", "<plist>", "[Desktop Entry]\n", "\u{FEFF}"]
    for _ in 0..<300 {
      let start = starts.randomElement(using: &random) ?? ""
      let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      try folder.write(Array(start.utf8) + bytes, to: "x.\(form)")
      #expect(folder.read("x.\(form)").definition == nil, "seed \(random.seed)")
    }
  }
}
