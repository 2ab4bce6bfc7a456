import Testing

@testable import Storage

@Suite("A row's checksum")
struct RowChecksumTests {
  private static func sum(_ words: [UInt64], _ table: RowChecksum.Table = .actions) -> RowChecksum {
    var sum = RowChecksum(table)
    for word in words { sum.add(word) }
    return sum
  }

  @Test("A bit that turned in any word does not fit, in the last one neither", arguments: 0..<4)
  func turnedBits(place: Int) {
    let words: [UInt64] = [0, 7, .max, 0x0123_4567_89AB_CDEF]
    let stored = Self.sum(words).value
    #expect(Self.sum(words).fits(stored))
    for bit in 0..<64 as Range<UInt64> {
      var turned = words
      turned[place] ^= 1 << bit
      #expect(!Self.sum(turned).fits(stored), "bit \(bit)")
    }
  }

  @Test("A row of one table does not fit into another, and a row of version 1 fits by its own rule")
  func tables() {
    #expect(!Self.sum([1, 2], .hourlyUses).fits(Self.sum([1, 2], .rememberedIDs).value))
    #expect(!Self.sum([1, 2]).fits(nil))
    // A row that version 1 has written.
    var total = RowChecksum(.totals)
    total.add(Array("accepted".utf8))
    total.add(3 as Int64)
    #expect(total.fits(4_250_766_617) && total.value != 4_250_766_617)
  }
}
