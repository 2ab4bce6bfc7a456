import Catalogue
import Ranking
@testable import Storage
import TestSupport
import Testing
import Wire

@testable import Service
@testable import Snapshots

struct RegistryTests {
  private func id(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func name(_ action: String, _ app: String? = nil) -> ControlRequest.ActionName {
    ControlRequest.ActionName(id: id(action), app: app.map { id($0) })
  }

  private func catalogue(_ files: [String]) throws -> Catalogue {
    let folder = try TemporaryFolder()
    for (index, text) in files.enumerated() { try folder.write(text, to: "\(index).json") }
    let loaded = Catalogue.load(folders: [folder.path], languages: .none)
    #expect(loaded.problems.isEmpty)
    return loaded.catalogue
  }

  private func apply(_ files: [String], onlyDefined: Bool = false, to fixture: Fixture) throws {
    fixture.registry.apply(try catalogue(files), onlyDefined: onlyDefined, at: fixture.ledger.now())
    fixture.ledger.ranking.refreshLists()
  }

  private func menu(_ app: String, _ fixture: Fixture) -> [String] {
    fixture.ledger.ranking.refreshLists()
    guard let number = fixture.ledger.ranking.findApp(id(app)) else { return [] }
    return fixture.registry.menu(ofApp: number, at: fixture.ledger.now().decay).shortcuts
      .map { String(decoding: $0.action.id, as: UTF8.self) }
  }

  private func define(_ action: String, app: String? = nil, in fixture: Fixture) throws {
    let node = try JSONNode.object(id("{\"type\":\"\(action)\",\"localizedTitle\":\"T\"}"))
    _ = try fixture.registry.define(RegisteredDefinition(node, languages: .none), app: app.map { id($0) })
  }

  @Test("static ones come first, then pinned ones in the order of pinning, then the others by score, each once")
  func selection() throws {
    var random = SeededRandom(seed: 7)
    for statics in 0...6 {
      for dynamics in 0...6 {
        let fixture = Fixture()
        let declared = (0..<statics).map { "{\"type\":\"a.s\($0)\",\"kind\":\"static\",\"localizedTitle\":\"S\"}" }
        let (staticIDs, dynamicIDs) = ((0..<statics).map { "a.s\($0)" }, (0..<dynamics).map { "a.d\($0)" })
        for (index, action) in dynamicIDs.enumerated() { fixture.use(action, times: UInt32(index + 1)) }
        var pinned: [String] = []
        for limit in 1...5 {
          try apply(
            ["{\"app\":\"a\",\"limit\":\(limit),\"actions\":[\(declared.joined(separator: ","))]}"], to: fixture)
          for mask in 0..<(1 << dynamics) {
            for action in pinned { _ = try fixture.registry.setPinned(false, name(action), at: fixture.ledger.now()) }
            pinned = dynamicIDs.indices.filter { mask >> $0 & 1 == 1 }.map { dynamicIDs[$0] }.shuffled(using: &random)
            for action in pinned { _ = try fixture.registry.setPinned(true, name(action), at: fixture.ledger.now()) }
            let others = dynamicIDs.reversed().filter { !pinned.contains($0) }
            let expected = Array((staticIDs + pinned + others).prefix(limit))
            #expect(menu("a", fixture) == expected, "\(statics) \(dynamics) \(limit) \(pinned)")
          }
        }
      }
    }
  }

  @Test("what names its app stays with it when the catalogue is read again, used or not")
  func named() throws {
    let fixture = Fixture()
    try define("mail.write", app: "com.example.app", in: fixture)
    #expect(try fixture.registry.setPinned(true, name("x.y", "com.example.app"), at: fixture.ledger.now()))
    try apply([], to: fixture)
    #expect(menu("com.example.app", fixture) == ["x.y", "mail.write"])
    #expect(menu("mail", fixture) == [] && fixture.registry.takeUncommitted().edits.isEmpty)
  }

  @Test("What is chosen and registered without uses goes with its action to another owner, also after a restart")
  func storedChoicesMove() throws {
    let fixture = Fixture()
    var stored = StoredState(idSecret: (1, 2))
    stored.registrations = [
      RegistrationRow(
        app: id("o"), action: id("o.p.q.y"), position: 1, definition: id(#"{"type":"o.p.q.y","localizedTitle":"Y"}"#))
    ]
    stored.choices = [
      ChoiceRow(app: id("o"), action: id("o.p.q.x"), blockedAt: 1),
      ChoiceRow(app: id("other"), action: id("o.p.q.z"), blockedAt: 1, isAppNamed: true),
    ]
    fixture.registry.restore(stored, languages: .none)
    // The catalogue has changed while no daemon ran.
    try apply([#"{"app":"o"}"#, #"{"app":"o.p"}"#], to: fixture)
    fixture.use("o.p.q.x")
    fixture.use("o.p.q.z")
    func entry(_ action: String, _ app: String) -> Registry.Entry? {
      fixture.ledger.ranking.find(id(action), app: id(app)).flatMap { fixture.registry.entries[$0] }
    }
    #expect(entry("o.p.q.x", "o.p")?.choice.blockedAt == 1 && entry("o.p.q.x", "o") == nil)
    #expect(entry("o.p.q.y", "o.p")?.registered != nil && entry("o.p.q.y", "o") == nil)
    #expect(entry("o.p.q.z", "other")?.choice.blockedAt == 1)
    let known = fixture.ledger.ranking.find(id("o.p.q.x"), app: nil)
    let report = fixture.ledger.ranking.report(try #require(known), at: fixture.ledger.now().decay)
    #expect(report.uses == 0)
  }

  @Test("what was forgotten while a commit was under way does not come back when that fails")
  func forgottenInFlight() {
    let fixture = Fixture()
    fixture.use("a.x", times: 5)
    _ = fixture.registry.setEnabled(true, name("a.x"), at: fixture.ledger.now())
    _ = try? define("a.x", in: fixture)
    let flight = fixture.takeUncommitted()
    #expect(fixture.registry.forget(.action(name("a.x"))).uses == 5)
    fixture.use("a.x", times: 2)
    flight.giveBack(to: fixture.registry)
    let next = fixture.takeUncommitted()
    #expect(next.actions.changes.uses.map(\.uses) == [2])
    #expect(next.registry.edits == [.forgetAction(app: id("a"), action: id("a.x"))])
  }
}
