import Foundation
import Testing

/// Whether `bench/bench.py` runs, and notices a count that is off. How fast anything is decides nothing here.
@Suite(.enabled(if: Machine.hasRedis, Machine.needsRedis))
struct BenchTests {
  @Test("Every case and every measure of the daemon counts exactly what was sent")
  func everything() async throws {
    let (outcome, result) = try await bench(["--scale", "0.0002"])
    #expect(outcome.status == 0, "\(outcome.output)")
    let cases = try #require(result["cases"] as? [[String: Any]])
    #expect(cases.count == 10)
    for entry in cases {
      let figures = try #require(entry["figures"] as? [String: [String: Double]])
      #expect(figures["daemon"].map { $0.values.allSatisfy { $0 > 0 } } == true, "\(entry)")
    }
    #expect((result["measures"] as? [String: Any])?.count == 5)
  }

  @Test("One event too few is noticed, whoever should have got it", arguments: ["limit", "daemon", "redis"])
  func falsified(contestant: String) async throws {
    let (outcome, _) = try await bench(
      ["--scale", "0.0002", "--only", "plain, 10,000 ids", "--who", contestant, "--leave-out", "1"])
    #expect(outcome.status == 1, "\(outcome.output)")
    #expect(outcome.output.contains(" 799 ") || outcome.output.contains(" 399 ") || outcome.output.contains(" 1999 "))
  }

  /// One round, and what it has written.
  private func bench(
    _ arguments: [String]
  ) async throws -> (outcome: (status: Int32, output: String), result: [String: Any]) {
    let file = FileManager.default.temporaryDirectory.appending(path: "bench-tests-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let program = Machine.folder.appending(path: "../../bench/bench.py").path
    let outcome = try await Machine.run([program, "--rounds", "1", "--json", file.path] + arguments)
    guard let data = try? Data(contentsOf: file) else { return (outcome, [:]) }
    return (outcome, try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:])
  }
}
