import Testing

@testable import Service

struct TurnShareTests {
  @Test("turns grow while they are whole and short, shrink when they take long, and stay within their bounds")
  func adapts() {
    var share = TurnShare(1000...8000)
    var seen: [Int] = []
    for time in [0, 4, 6, 1, 1, 1, 10, 11, 11, 11, 11, 4, 5].map({ Int64($0) * 1_000_000 }) {
      share.note(time, wasWhole: true)
      seen.append(share.bytes)
    }
    share.note(0, wasWhole: false)
    #expect(share.bytes == 2000)
    share.note(11_000_000, wasWhole: false)
    #expect(share.bytes == 1000)
    #expect(seen == [2000, 4000, 4000, 8000, 8000, 8000, 8000, 4000, 2000, 1000, 1000, 2000, 2000])
  }
}
