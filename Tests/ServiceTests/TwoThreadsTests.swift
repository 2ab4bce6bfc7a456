import Testing

@testable import Service

struct TwoThreadsTests {
  @Test("what two threads make of a list is in its order", arguments: [0, 1, 2, 3, 1001])
  func order(count: Int) {
    #expect((0..<count).map(\.self).mapOnTwoThreads { $0 * 2 } == (0..<count).map { $0 * 2 })
  }
}
