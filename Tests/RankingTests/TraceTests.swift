import Testing

@testable import Ranking

@Suite("On traces of real use", .enabled(if: Trace.folder != nil, "QUICKACTIONS_TRACES names no folder of traces"))
struct TraceTests {
  @Test(
    "as many uses are of what is shown as in the reference",
    arguments: [("kypo", 0.6243), ("gitfiles", 0.3566), ("sea", 0.4998)])
  func hitRates(name: String, expected: Double) throws {
    let rate = try Trace(named: name).hitRate()
    #expect(abs(rate - expected) < 0.0001, "\(rate)")
  }
}
