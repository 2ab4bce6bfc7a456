import QuickActionsClient
import Testing
import Wire

@testable import quickactions

struct WatchViewTests {
  private static let now = UnixTime(seconds: 1_800_000_000)

  /// Rows by action and score, used a minute ago.
  private func rows(_ rows: [(String, Double)], title: String? = nil) throws -> [Shortcut] {
    let texts = rows.enumerated().map { place, row in
      let titleText = title.map { ",\"localizedTitle\":\"\($0)\"" } ?? ""
      return "{\"rank\":\(place + 1),\"type\":\"\(row.0)\",\"score\":\(row.1),\"uses\":3,"
        + "\"lastUsed\":\"2027-01-15T07:59:00Z\"\(titleText)}"
    }
    return try Snapshot(json("{\"shortcuts\":[\(texts.joined(separator: ","))]}")).shortcuts
  }

  private func lines(_ view: WatchView, columns: Int = 60, rows: Int = 10, colours: Bool = false) -> [String] {
    view.lines((columns, rows), now: Self.now, colours: colours)
  }

  @Test("a row has rank, bar, score, uses, last use and title, best first")
  func columns() throws {
    var view = WatchView(app: "com.example.mail")
    view.show(try rows([("a", 4), ("b", 1)]))
    #expect(
      lines(view, columns: 80) == [
        "The best of com.example.mail",
        "#                       score  uses  last use        title",
        "1     ████████████████   4.00     3  60 seconds ago  a",
        "2     ████               1.00     3  60 seconds ago  b",
        "", "q quits",
      ])
  }

  @Test("what moved or is new stays marked until the order changes again")
  func moves() throws {
    var view = WatchView(app: nil)
    view.show(try rows([("a", 4), ("b", 3), ("c", 2)]))
    #expect(marks(view) == [" ", " ", " "])
    view.show(try rows([("b", 5), ("a", 4), ("d", 3)]))
    #expect(marks(view) == ["↑", "↓", "+"])
    view.show(try rows([("b", 6), ("a", 4), ("d", 3)]))
    #expect(marks(view) == ["↑", "↓", "+"])
    view.show(try rows([("b", 6), ("d", 5), ("a", 4)]))
    #expect(marks(view) == [" ", "↑", "↓"])
    view.restart()
    view.show(try rows([("a", 6)]))
    #expect(marks(view) == [" "])
  }

  private func marks(_ view: WatchView) -> [String] {
    lines(view).dropFirst(2).dropLast(2).map { String($0.dropFirst(3).prefix(1)) }
  }

  @Test("no line is wider than the screen, and there are no more than it has", arguments: [20, 40, 50, 60, 200])
  func sizes(columns: Int) throws {
    var view = WatchView(app: "com.example.a.long.name.of.an.app")
    view.show(try rows((0..<30).map { ("action\($0)", Double(30 - $0)) }, title: "漢字のとても長い題名です。もっと長い"))
    for rows in [1, 2, 3, 4, 5, 10, 50] {
      let found = lines(view, columns: columns, rows: rows)
      #expect(found.count <= rows)
      // Below 50 columns the numbers alone fill a row, and the terminal cuts it.
      if columns >= 50 { #expect(found.allSatisfy { DisplayWidth.of($0) <= columns }) }
    }
  }

  @Test("a title cannot move the cursor")
  func hostile() throws {
    var view = WatchView(app: nil)
    view.show(try rows([("a", 1)], title: "x\\u001b[2Jy"))
    #expect(lines(view)[2].hasSuffix("x\\u{1b}[2Jy"))
    view.show(try rows([("a", 1)], title: "x\\ny"))
    #expect(lines(view)[2].hasSuffix("x\\u{a}y"))
  }

  @Test("it says since when the daemon is away, and shows the last list meanwhile")
  func gone() throws {
    var view = WatchView(app: nil)
    #expect(lines(view) == ["The best of all apps", "", "", "q quits"])
    view.show([])
    #expect(lines(view)[1] == "Nothing has been used yet.")
    view.show(try rows([("a", 1)]))
    view.goneSince = UnixTime(seconds: 1_799_999_990)
    let found = lines(view, columns: 100)
    #expect(found.last == "The daemon went away 10 seconds ago; waiting for it. q quits")
    #expect(found[2].hasSuffix("  a"))
  }

  @Test("a bar has eighths of a column, and at least one for any score")
  func bars() {
    #expect(WatchView.bar(1, of: 1, 3) == "███")
    #expect(WatchView.bar(0.5, of: 1, 3) == "█▌")
    #expect(WatchView.bar(1e-9, of: 1, 3) == "▏")
    #expect(WatchView.bar(0, of: 1, 3).isEmpty)
    #expect(WatchView.bar(0, of: 0, 3).isEmpty)
    #expect(WatchView.bar(1, of: 1, 0).isEmpty)
  }
}
