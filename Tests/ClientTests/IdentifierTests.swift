import QuickActionsClient
import Testing

struct IdentifierTests {
  @Test("names are their bytes: what Unicode holds for equal stays two")
  func bytes() {
    let (composed, decomposed): (ActionID, ActionID) = ("caf\u{e9}", "cafe\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(decomposed < composed)
    #expect(composed == ActionID("caf\u{e9}"))
  }

  @Test(
    "a target is what follows the first #",
    arguments: [("a.b", "a.b", nil), ("a#b", "a", "b"), ("a#", "a", ""), ("a#b#c", "a", "b#c"), ("#a", "", "a")]
      as [(String, String, String?)])
  func parts(text: String, type: String, target: String?) {
    let id = ActionID(text)
    #expect(id.type == type)
    #expect(id.target == target)
    #expect(ActionID(type: type, target: target) == id)
  }

  @Test(
    "times are read as lines have them",
    arguments: [
      ("0", 0), ("1796040000", 1_796_040_000_000_000_000), ("0.000000001", 1), ("", nil), (" 1", nil),
      ("1 n=2", nil), ("2026-11-30T12:00:00Z", 1_796_040_000_000_000_000), ("2026-11-30", nil), ("1e3", nil),
      ("99999999999999999999", Int64.max),
    ] as [(String, Int64?)])
  func times(text: String, nanoseconds: Int64?) {
    #expect(UnixTime(text)?.nanoseconds == nanoseconds)
  }

  @Test("seconds beyond what 64 bits of nanoseconds hold stay at the end of the range")
  func range() {
    #expect(UnixTime(seconds: .max).nanoseconds == .max)
    #expect(UnixTime(seconds: .min).nanoseconds == .min)
    #expect(UnixTime(seconds: 1).description == "1970-01-01T00:00:01.000Z")
  }
}
