import CZlib
import Foundation
import Posix
import Testing
import Wire

@testable import Evaluation

struct TraceTests {
  /// The users of a file with this text, and the lines that were refused.
  private static func read(
    _ text: some Sequence<UInt8>, _ limits: TraceLimits = TraceLimits()
  ) throws -> (users: [String: [Trace.Use]], faults: [TraceFault]) {
    let file = try TemporaryFile(text)
    var faults: [TraceFault] = []
    let trace = try Trace.read(file.path, limits) { faults.append($0) }
    #expect(trace.refusedLines == faults.count)
    return (
      Dictionary(uniqueKeysWithValues: trace.users.map { (String(decoding: $0.name, as: UTF8.self), $0.uses) }), faults
    )
  }

  private static func use(_ time: Int64, _ action: Int32) -> Trace.Use { Trace.Use(time: time, action: action) }

  private static func compressed(_ text: [UInt8]) throws -> [UInt8] {
    let file = try TemporaryFile([])
    let stream = try #require(gzopen(file.path, "wb"))
    #expect(gzwrite(stream, text, UInt32(text.count)) == Int32(text.count))
    #expect(gzclose(stream) == Z_OK)
    return Array(try Data(contentsOf: URL(fileURLWithPath: file.path)))
  }

  @Test("rows come to their users in the order of the file, with fractions of seconds, LF or CRLF")
  func rows() throws {
    let text = "u\t10\ta\nv\t5.25\ta b\r\nu\t11.5\tb\n\n# a comment\nu\t12\ta"
    let (users, faults) = try Self.read(text.utf8)
    #expect(users["u"] == [Self.use(10 * second, 0), Self.use(23 * second / 2, 1), Self.use(12 * second, 0)])
    #expect(users["v"] == [Self.use(21 * second / 4, 0)])
    #expect(faults == [])
  }

  @Test("a clock that was set back counts as one that stood still")
  func backwards() throws {
    let (users, _) = try Self.read("u\t10\ta\nu\t5\tb\nu\t11\ta\n".utf8)
    #expect(users["u"]?.map(\.time) == [10 * second, 10 * second, 11 * second])
    #expect(users["u"]?.map(\.action) == [0, 1, 0])
  }

  @Test("a compressed file says the same, also in several parts")
  func gzip() throws {
    let lines = Array("u\t10\ta\nu\t11\tb\n".utf8)
    let plain = try Self.read(lines + lines)
    #expect(try Self.read(Self.compressed(lines + lines)).users == plain.users)
    #expect(try Self.read(Self.compressed(lines) + Self.compressed(lines)).users == plain.users)
  }

  @Test("a compressed file that is cut short or changed is not taken for a whole one")
  func damaged() throws {
    let whole = try Self.compressed((0..<2000).flatMap { "u\t\($0)\ta\($0 % 97)\n".utf8 })
    for bytes in [Array(whole.dropLast(9)), Array(whole.prefix(whole.count / 2)), Array(whole.prefix(11))] {
      #expect(throws: TraceFailure.damaged) { try Self.read(bytes) }
    }
    var changed = whole
    changed[changed.count - 6] ^= 1  // Of the checksum.
    #expect(throws: TraceFailure.damaged) { try Self.read(changed) }
    changed = whole
    changed[changed.count / 2] ^= 0xff
    #expect(throws: TraceFailure.damaged) { try Self.read(changed) }
  }

  @Test(
    "a bad line is told with its number and reason, and the others count",
    arguments: [
      ("u\t1", .columns(2)), ("x", .columns(1)), ("u\t1\ta\t", .columns(4)), ("u\t1\ta\tb\tc", .columns(5)),
      ("\t1\ta", .user), ("u\t1\t", .action), ("u\t\ta", .time), ("u\t1e5\ta", .time), ("u\tnan\ta", .time),
      ("u\t0x10\ta", .time), ("u\t 1\ta", .time), ("u\t4611686019\ta", .time), ("u\t-4611686019\ta", .time),
      ("u\t99999999999999999999999\ta", .time), (String(repeating: "u", count: 256) + "\t1\ta", .user),
      ("u\t1\t" + String(repeating: "a", count: 256), .action),
      (String(repeating: "u", count: 4097), .tooLong(limit: 4096)), ("{\"type\":\"a\",\"app\":\"u\"}", .time),
    ] as [(String, TraceFault.Reason)])
  func badLines(line: String, reason: TraceFault.Reason) throws {
    let (users, faults) = try Self.read("u\t1\ta\n\(line)\nu\t2\ta\n".utf8)
    #expect(faults == [TraceFault(line: 2, reason: reason)])
    #expect(users == ["u": [Self.use(second, 0), Self.use(2 * second, 0)]])
    #expect(!faults[0].message.isEmpty)
  }

  @Test("a JSON line that is no use is refused with the parser's reason")
  func badJSON() throws {
    let (users, faults) = try Self.read("{\"type\":7}\n{\"type\":\"a\"\n".utf8)
    #expect(users.isEmpty)
    let errors = faults.compactMap { if case .refused(let error) = $0.reason { error.code } else { nil } }
    #expect(errors == [.invalidAction, .invalidJSON] && faults.map(\.line) == [1, 2])
  }

  @Test("any bytes but a TAB make a name")
  func bytes() throws {
    let file = try TemporaryFile([0x75, 0x09, 0x31, 0x09, 0xff, 0x00, 0xfe, 0x0a, 0x75, 0x09, 0x32, 0x09, 0xff, 0x0a])
    let trace = try Traces.read(file.path)
    #expect(trace.users.map(\.actionCount) == [2])
  }

  @Test("an export: apps are users, ops say nothing, and hours come in order with their uses spread")
  func export() throws {
    let text = """
      {"op":"define","app":"m","action":{"type":"m.x"}}
      {"type":"m.a","app":"m","count":2,"time":"1970-01-01T02:30:00Z"}
      {"type":"m.b","target":"t","app":"m","time":9000}
      {"type":"m.a","app":"m","count":1,"time":1800}
      {"type":"n.x","time":0.5}
      {"op":"pin","app":"m","type":"m.a"}
      """
    let (users, faults) = try Self.read(text.utf8)
    #expect(faults == [])
    #expect(
      users["m"] == [
        Self.use(1800 * second, 0), Self.use(8100 * second, 0), Self.use(9000 * second, 1), Self.use(9900 * second, 0),
      ])
    #expect(users["n"] == [Self.use(second / 2, 0)])
  }

  @Test("more than is replayed is refused as a whole, whatever a count says")
  func limits() throws {
    let limits = TraceLimits(uses: 3, actions: 2)
    let three = "u\t1\ta\nu\t2\tb\nu\t3\ta\n"
    #expect(try Self.read(three.utf8, limits).users["u"]?.count == 3)
    #expect(throws: TraceFailure.tooManyUses(limit: 3)) { try Self.read((three + "u\t4\ta").utf8, limits) }
    #expect(throws: TraceFailure.tooManyActions(limit: 2)) { try Self.read("u\t1\ta\nu\t1\tb\nv\t1\ta".utf8, limits) }
    #expect(throws: TraceFailure.tooManyUses(limit: 3)) {
      try Self.read("{\"type\":\"a\",\"count\":1000000,\"time\":1}".utf8, limits)
    }
  }

  @Test("a file that is not there, or is none, says so")
  func missing() throws {
    func code(_ path: String) throws -> Int32 {
      do throws(TraceFailure) { _ = try Trace.read(path) { _ in } } catch {
        if case .system(let error) = error { return error.code }
      }
      return 0
    }
    #expect(try code("/nonexistent/trace.tsv") == ENOENT)
    #expect(try code("/") == EISDIR)
    #expect(try Traces.read("/dev/null").users.isEmpty)
  }
}
