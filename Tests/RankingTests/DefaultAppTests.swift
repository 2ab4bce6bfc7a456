import Testing

@testable import Ranking

struct DefaultAppTests {
  static let owners: [(id: String, app: String)] = [
    ("com.example.a.x", "com.example.a"), ("a.b", "a"), ("x", "default"), (".x", "default"), ("x.", "x"),
    (".", "default"),
    ("..", "."), ("a..b", "a."), (".a.b", ".a"), ("a.b#c.d", "a"), ("a#c.d", "default"), ("a.b#", "a"),
    ("#a.b", "default"),
    ("#", "default"), ("a.b#c#d.e", "a"), ("ä.ö.ü", "ä.ö"), ("default.x", "default"), ("a/b.c", "a/b"),
  ]

  @Test("the default owner is the type up to its last dot, else `default`", arguments: owners)
  func owner(id: String, app: String) {
    let owner = Array(id.utf8).withUnsafeBytes { String(decoding: DefaultApp.of($0), as: UTF8.self) }
    #expect(Array(owner.utf8) == Array(app.utf8))
  }
}
