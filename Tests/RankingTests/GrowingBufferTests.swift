import Testing

@testable import Ranking

struct GrowingBufferTests {
  @Test("values keep their numbers and their changes while the buffer grows")
  func grows() {
    var buffer = GrowingBuffer<UInt64>()
    for value in UInt64(0)..<10_000 {
      #expect(buffer.append(value * 3) == UInt32(value))
      buffer[UInt32(value / 2)] += 1
    }
    #expect(buffer.count == 10_000)
    for number in UInt32(0)..<10_000 {
      #expect(buffer[number] == UInt64(number) * 3 + (number < 5_000 ? 2 : 0))
    }
  }
}
