import Testing
import Wire

struct UseTextTests {
  private static func code(_ body: () throws(LineError) -> Void) -> LineError? {
    do throws(LineError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "an id by itself is judged as in a line",
    arguments: [
      ("com.example.mail.compose", nil), ("a#", nil), ("", .empty), ("#a", .noType), ("a b", .whiteSpace),
      ("a\u{7f}", .controlCharacter), (String(repeating: "a", count: 256), .tooLong(limit: 255)),
    ] as [(String, LineError.Reason?)])
  func action(id: String, reason: LineError.Reason?) {
    let error = Self.code { () throws(LineError) in try UseText.checkAction(Array(id.utf8)) }
    #expect(error?.reason == reason)
    #expect(error.map { $0.code == .invalidAction } ?? true)
  }

  @Test("an app's id may begin with # and an idempotency id ends at 64 bytes")
  func others() {
    #expect(Self.code { () throws(LineError) in try UseText.checkApp(Array("#a".utf8)) } == nil)
    #expect(Self.code { () throws(LineError) in try UseText.checkApp([0xff]) }?.code == .invalidApp)
    let id = [UInt8](repeating: 0x61, count: 64)
    #expect(Self.code { () throws(LineError) in try UseText.checkIdempotency(id) } == nil)
    #expect(Self.code { () throws(LineError) in try UseText.checkIdempotency(id + id) }?.code == .invalidId)
  }

  @Test("counts and times are those of a line")
  func values() throws {
    #expect(try UseText.count(Array("1000000".utf8)) == 1_000_000)
    #expect(try UseText.time(Array("1796061600.25".utf8)) == 1_796_061_600_250_000_000)
    #expect(try UseText.time(Array("2026-11-30T18:00:00Z".utf8)) == 1_796_061_600_000_000_000)
    for text in ["", "0", "1000001", "-1", "1.5", "x"] {
      #expect(Self.code { () throws(LineError) in _ = try UseText.count(Array(text.utf8)) }?.code == .invalidCount)
    }
    for text in ["", "x", "1e3", "2026-11-30"] {
      #expect(Self.code { () throws(LineError) in _ = try UseText.time(Array(text.utf8)) }?.code == .invalidTime)
    }
  }
}
