import Testing

@testable import Ranking

struct SaturatingArithmeticTests {
  @Test("sums and differences stay at the nearest end where they do not fit, for every pair of bytes")
  func everyPair() {
    for a in Int8.min ... .max {
      for b in Int8.min ... .max {
        let (sum, difference) = (Int(a) + Int(b), Int(a) - Int(b))
        #expect(Int(a.saturatingAdding(b)) == min(max(sum, -128), 127))
        #expect(Int(a.saturatingSubtracting(b)) == min(max(difference, -128), 127))
      }
    }
  }

  @Test("a number of uses stays at its greatest value")
  func uses() {
    #expect((UInt64.max - 1).saturatingAdding(UInt64(1)) == .max)
    #expect((UInt64.max - 1).saturatingAdding(UInt64(UInt32.max)) == .max)
    #expect(UInt64.max.saturatingAdding(UInt64(1_000_000)) == .max)
    #expect(UInt64(1).saturatingSubtracting(2) == 0)
  }
}
