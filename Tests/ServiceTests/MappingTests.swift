import Testing

@testable import Service

@Suite("Work on two threads")
struct MappingTests {
  @Test(
    "has its results in the order of the values, however it is shared", arguments: [0, 1, 2, 7, 1000], [0, 0.5, 0.7, 1])
  func order(count: Int, share: Double) {
    let mapping = Mapping(Array(0..<count), share: share) { $0 * 2 }
    #expect(mapping.results() == (0..<count).map { $0 * 2 })
  }
}
