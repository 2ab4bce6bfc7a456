import Testing
import TestSupport

@testable import Ranking

struct SeededHashTests {
  private static func hash(_ bytes: [UInt8], seed: (UInt64, UInt64) = (1, 2)) -> UInt64 {
    bytes.withUnsafeBytes { SeededHash(seed: seed).hash($0) }
  }

  @Test(
    "no two of a million short ids have the same 64 bits",
    arguments: [(0, 0), (0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210)] as [(UInt64, UInt64)])
  func collisions(first: UInt64, second: UInt64) {
    let hash = SeededHash(seed: (first, second))
    var hashes: [UInt64] = []
    hashes.reserveCapacity(1_000_000)
    var tags: Set<UInt32> = []
    // Ids as a program makes them: a common start, and digits that count up.
    withUnsafeTemporaryAllocation(byteCount: 11, alignment: 1) { id in
      id.copyBytes(from: "a.b.c000000".utf8)
      for number in 0..<1_000_000 {
        var (rest, place) = (number, 10)
        while place >= 5 {
          id[place] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
          place -= 1
        }
        hashes.append(hash.hash(UnsafeRawBufferPointer(id)))
        if number < 10_000, let last = hashes.last { tags.insert(SlotIndex.tag(last)) }
      }
    }
    hashes.sort()
    #expect(zip(hashes, hashes.dropFirst()).allSatisfy { $0 != $1 })
    #expect(tags.count >= 9_998)
  }

  @Test("every bit of an id, whatever its length, changes its hash")
  func everyBit() {
    var random = SeededRandom()
    for length in 0...64 {
      let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      let hash = Self.hash(bytes)
      var changedBits = 0
      for bit in 0..<length * 8 {
        var flipped = bytes
        flipped[bit / 8] ^= 1 << (bit % 8)
        let other = Self.hash(flipped)
        #expect(other != hash, "bit \(bit) of \(length) bytes, seed \(random.seed)")
        changedBits += (other ^ hash).nonzeroBitCount
      }
      // About half of the 64 bits change each time.
      if length > 0 {
        #expect((26...38).contains(changedBits / (length * 8)), "\(length) bytes, seed \(random.seed)")
      }
    }
  }

  @Test("ids of equal bytes and different lengths have different hashes")
  func lengths() {
    for byte: UInt8 in [0, 0x61, 0xFF] {
      let hashes = Set((0...255).map { Self.hash([UInt8](repeating: byte, count: $0)) })
      #expect(hashes.count == 256)
    }
  }

  @Test("a hash is of the bytes alone, not of where they lie")
  func placeInMemory() {
    var random = SeededRandom()
    for length in 0...64 {
      let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      let expected = Self.hash(bytes)
      for offset in 0..<9 {
        let padding = (0..<offset).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let moved = (padding + bytes + [7, 7]).withUnsafeBytes { block in
          SeededHash(seed: (1, 2)).hash(UnsafeRawBufferPointer(rebasing: block[offset..<offset + length]))
        }
        #expect(moved == expected, "\(length) bytes at \(offset), seed \(random.seed)")
      }
    }
    #expect(SeededHash(seed: (1, 2)).hash(UnsafeRawBufferPointer(start: nil, count: 0)) == Self.hash([]))
  }

  @Test("another seed or another salt gives other hashes")
  func seedsAndSalts() {
    let id = Array("com.example.mail.compose".utf8)
    let seeds: [(UInt64, UInt64)] = [(0, 0), (0, 1), (1, 0), (1, 1), (1 << 63, 0), (0, 1 << 63), (.max, .max)]
    #expect(Set(seeds.map { Self.hash(id, seed: $0) }).count == seeds.count)
    let hash = SeededHash(seed: (1, 2))
    let salted = id.withUnsafeBytes { id in (UInt32(0)..<1_000).map { hash.salted(hash.hash(id), with: $0) } }
    #expect(Set(salted + [Self.hash(id)]).count == 1_001)
  }
}
