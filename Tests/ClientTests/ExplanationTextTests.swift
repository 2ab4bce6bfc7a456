import QuickActionsClient
import Testing
import Wire

@testable import quickactions

struct ExplanationTextTests {
  private static let now = UnixTime("2026-12-01T12:00:00Z") ?? .now

  private func lines(_ members: String) throws -> [String] {
    try ExplanationText(json("{\"app\":\"m\",\"action\":\"m.w#bob\",\"limit\":4,\(members)}"), now: Self.now).lines
  }

  private static let place5 =
    "\"place\":{\"dynamic\":5,\"of\":12,\"statics\":1,\"pinned\":2,"
    + "\"ahead\":{\"action\":\"m.w#alice\",\"score\":5.5,\"by\":\"BY\"}}"

  private func fifth(by rule: String) throws -> [String] {
    try lines(
      """
      "localizedTitle":"Write to Bob","defined":"registered","uses":57,"firstUsed":"2026-09-01T12:00:00Z",
      "lastUsed":"2026-12-01T10:00:00Z","score":3.25,"halfLife":"7d","halfLifeOfApp":false,"weightOfLastUse":0.9918,
      "rank":null,"absent":"outranked",\(Self.place5.replacing("BY", with: rule))
      """)
  }

  @Test("an action that is outranked: its uses, what decay did to them, and what it takes to pass the next one")
  func outranked() throws {
    #expect(
      try fifth(by: "score") == [
        "m.w#bob (“Write to Bob”) is not in the list of m: 4 actions fit in, and others stand before it.",
        "A program has registered it.",
        "It was used 57 times, first 2 months ago (2026-09-01T12:00:00Z), last 2 hours ago (2026-12-01T10:00:00Z).",
        "Its score is 3.25: what its uses are worth in uses of just now. A use loses half of its worth every 7d, the "
          + "half-life; one at the time of the last is worth 0.9918 now.",
        "By score it is 5th of the app's 12 dynamic actions. Before all of them the list has 1 static and 2 pinned ones.",
        "m.w#alice is 4th, as it has the higher score: 5.50. To pass it takes 3 more uses now.",
      ])
  }

  @Test(
    "where scores are equal it says what decided",
    arguments: [
      ("lastUse", "m.w#alice is 4th: the scores are equal, and it was used later. To pass it takes 1 more use now."),
      (
        "arrival",
        "m.w#alice is 4th: scores and times of the last use are equal, and its use arrived later. "
          + "To pass it takes 1 more use now."
      ),
      (
        "id",
        "m.w#alice is 4th: all else is equal, and its id comes first byte by byte. To pass it takes 1 more use now."
      ),
      ("somethingNew", "m.w#alice is 4th."),
    ])
  func ties(rule: String, sentence: String) throws {
    #expect(try fifth(by: rule).last == sentence)
  }

  @Test(
    "how uses fade is said of time, of uses and of what has no half-life, with the reason for it",
    arguments: [
      (#""7d","method":{"kind":"fixed","halfLife":"7d"}"#, "half of its worth every 7d, the half-life."),
      (
        #""20 uses","method":{"kind":"adaptive","halfLife":"20 uses","hitRate":0.49}"#,
        "half of its worth every 20 uses of the app, the way by which the list had 49.0 % of the latest uses, and no "
          + "other did clearly better."
      ),
      (
        #""1h","method":{"kind":"adaptive","halfLife":"1h","hitRate":0.5}"#,
        "half of its worth every 1h, the way by which the list had 50.0 % of the latest uses, and no other did clearly "
          + "better."
      ),
      (
        #""power law of uses","method":{"kind":"adaptive","halfLife":"power law of uses","hitRate":null}"#,
        "its worth by the power law of uses of the app, with which every app begins."
      ),
    ])
  func fading(halfLife: String, sentence: String) throws {
    let found = try lines(
      #""uses":2,"rank":null,"absent":"outranked","halfLife":\#(halfLife),"#
        + Self.place5.replacing("BY", with: "score"))
    #expect(found.contains { $0.hasSuffix("A use loses " + sentence) }, "\(found)")
    // What it takes to pass is known only where uses do not change what others are worth.
    #expect((found.last?.contains("To pass") == true) == !halfLife.contains("use"), "\(found)")
  }

  @Test("where the margin decides, that is said of the one that stays and of the one that waits")
  func margin() throws {
    let out = try lines(#""uses":9,"rank":null,"absent":"outranked","keptOutBy":"m.w#alice","heldAgainst":null"#)
    #expect(
      out.last == "m.w#alice, which is in the list, has a lower score: to take its place takes a lead of the margin "
        + "(SwapMargin=).")
    let stays = try lines(#""uses":9,"rank":4,"keptOutBy":null,"heldAgainst":"m.w#alice""#)
    #expect(
      stays.last == "m.w#alice, which is not in the list, has a higher score: it does not lead by the margin "
        + "(SwapMargin=).")
  }

  @Test(
    "an action that is kept out: why, and since when",
    arguments: [
      ("blocked", "blockedSince", "it is blocked, and its uses are not recorded", "blocked"),
      ("appBlocked", "blockedSince", "its app is blocked, and its uses are not recorded", "blocked"),
      ("disabled", "disabledSince", "it is disabled; its uses are counted all the same", "disabled"),
    ])
  func keptOut(absent: String, since: String, reason: String, word: String) throws {
    let found = try lines("\"uses\":0,\"absent\":\"\(absent)\",\"\(since)\":\"2026-11-30T12:00:00Z\",\"rank\":null")
    #expect(found[0] == "m.w#bob is not in the list of m: \(reason).")
    #expect(found[1] == "It has been \(word) since 2026-11-30T12:00:00Z, 24 hours ago.")
  }

  @Test("an action that nobody has defined or used")
  func unknown() throws {
    #expect(
      try lines("\"uses\":0,\"absent\":\"neverUsed\",\"rank\":null") == [
        "m.w#bob is not in the list of m: it was never used, and nobody has defined it."
      ])
    #expect(try lines("\"uses\":1,\"absent\":\"undefined\",\"rank\":null")[0].contains("OnlyDefined=yes"))
  }

  @Test("a static and a pinned action say that scores do not matter")
  func fixed() throws {
    let pinned = try lines(
      "\"uses\":0,\"rank\":2,\"pinnedSince\":\"2026-11-30T12:00:00Z\",\"defined\":\"catalogue\",\(Self.place5)")
    #expect(pinned[0] == "m.w#bob has rank 2 of at most 4 in the list of m.")
    #expect(pinned.contains("Pinned actions stand in the order of pinning, whatever their scores."))
    #expect(pinned.last == "By score it is 5th of the app's 12 dynamic actions.")
    let fixed = try lines("\"uses\":0,\"rank\":1,\"defined\":\"static\",\"kind\":\"static\"")
    #expect(fixed[1] == "It is static: declared in the catalogue, and shown before all dynamic ones.")
    #expect(fixed.last == "It was never used.")
  }

  @Test("one use is once, and control characters of a title are made visible")
  func once() throws {
    let found = try lines(
      "\"localizedTitle\":\"a\\u001b]0;x\",\"uses\":1,\"rank\":1,\"score\":1,\"halfLife\":\"1h\",\"halfLifeOfApp\":true,"
        + "\"lastUsed\":\"2026-12-01T11:59:00Z\"")
    #expect(found[0].hasPrefix("m.w#bob (“a\\u{1b}]0;x”) has rank 1"))
    #expect(found[1] == "It was used once, last 60 seconds ago (2026-12-01T11:59:00Z).")
    #expect(found[2].hasSuffix("every 1h, the app's own half-life."))
  }

  @Test("a reply without members is told as far as it goes")
  func empty() throws {
    #expect(try lines("\"rank\":null").count == 1)
    #expect(throws: ClientError.self) { try ExplanationText(json("{}"), now: Self.now) }
  }
}
