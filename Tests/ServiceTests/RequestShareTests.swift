import Testing

@testable import Service

struct RequestShareTests {
  private func share(_ text: String, isContinued: Bool = false) -> Int? {
    Array(text.utf8).withUnsafeBytes { Intake.requestShare(of: $0, isContinued: isContinued) }
  }

  @Test("a turn has one request, or what comes before the next one")
  func shares() {
    #expect(share("{\"op\":\"top\"}\n{\"op\":\"top\"}\n") == 13)
    #expect(share("{}\n") == 3 && share("a.b\n") == 4 && share("\n{}\n") == 1)
    #expect(share("a.b\na.c n=2\n{}\na.d\n") == 12)
    #expect(share("a.b\na.c\n") == 8)
  }

  @Test("the rest of a line may be the rest of a request")
  func rests() {
    #expect(share("\"top\"}\na.b\na.c\n", isContinued: true) == 7)
    #expect(share("a.b\na.c\n", isContinued: true) == 4)
  }

  @Test("without a line's end in sight all is read that a turn may have")
  func unfinished() {
    #expect(
      share("") == nil && share("{\"op\":") == nil && share("a.b\na.c") == nil && share("a", isContinued: true) == nil)
  }
}
