import Testing
import TestSupport

@testable import Ranking

struct NameArenaTests {
  @Test("names of every length are kept as they were, however many follow")
  func keepsNames() {
    var random = SeededRandom()
    var arena = NameArena()
    var kept: [(NameReference, [UInt8])] = []
    for number in 0..<5_000 {
      let name = (0...number % 255).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      kept.append((name.withUnsafeBytes { arena.append($0) }, name))
    }
    for (reference, name) in kept {
      #expect(Array(arena.bytes(reference)) == name, "seed \(random.seed)")
      #expect(name.withUnsafeBytes { arena.equals(reference, $0) })
      #expect(!(name + [0]).withUnsafeBytes { arena.equals(reference, $0) })
      #expect(!name.dropLast().withUnsafeBytes { arena.equals(reference, $0) })
    }
  }

  @Test("a removed name is wiped out, and its place serves another of its size")
  func removes() {
    var arena = NameArena()
    for length in 1...255 {
      let name = [UInt8](repeating: 0x61, count: length)
      let other = [UInt8](repeating: 0x62, count: (length + 4) / 4 * 4 - 1)
      let reference = name.withUnsafeBytes { arena.append($0) }
      let before = arena.bytes(reference).baseAddress
      arena.remove(reference)
      #expect(arena.bytes(reference).allSatisfy { $0 == 0 })
      let again = other.withUnsafeBytes { arena.append($0) }
      #expect(arena.bytes(again).baseAddress == before && Array(arena.bytes(again)) == other)
    }
  }

  @Test("names sort by their bytes, without a sign")
  func order() {
    var arena = NameArena()
    let names: [[UInt8]] = [
      [0x01], [0x61], [0x61, 0x00], [0x61, 0x61], [0x62], [0x7F], [0x80], [0xFF], [0xFF, 0x01],
    ]
    let references = names.map { name in name.withUnsafeBytes { arena.append($0) } }
    for (i, first) in references.enumerated() {
      for (j, second) in references.enumerated() { #expect(arena.precedes(first, second) == (i < j)) }
    }
  }
}
