import TestSupport
import Testing

@testable import Ranking

@Suite("ActionNames: ids, whose beginnings are kept once for an app")
struct ActionNamesTests {
  private static let apps = ["a", "org.b", "c.d.e.f.g.h", String(repeating: "x", count: 250)].map { Array($0.utf8) }

  private static func append(_ id: [UInt8], app: Int, to names: inout ActionNames) -> NameReference {
    id.withUnsafeBytes { id in apps[app].withUnsafeBytes { names.append(id, app: UInt32(app), appID: $0) } }
  }

  /// An id that begins with that of an app and a dot, nearly does, or does not.
  private static func id(app: Int, _ random: inout SeededRandom) -> [UInt8] {
    let rest = (0..<Int.random(in: 0...20, using: &random)).map { _ in UInt8.random(in: 97...99, using: &random) }
    let id =
      switch Int.random(in: 0..<6, using: &random) {
      case 0: apps[app] + rest
      case 1: Array(apps[app].dropLast()) + [46] + rest
      case 2: rest
      default: apps[app] + [46] + rest
      }
    return Array((id.isEmpty ? [97] : id).prefix(255))
  }

  @Test("ids are kept as they were, known again, and told from all others")
  func keeps() {
    var random = SeededRandom()
    var names = ActionNames()
    var kept: [(app: Int, name: NameReference, id: [UInt8])] = []
    for _ in 0..<2_000 {
      let app = Int.random(in: 0..<Self.apps.count, using: &random)
      let id = Self.id(app: app, &random)
      kept.append((app, Self.append(id, app: app, to: &names), id))
    }
    #expect(kept.contains { $0.name.isPart } && kept.contains { !$0.name.isPart })
    for (app, name, id) in kept {
      #expect(Array(names.bytes(name, app: UInt32(app))) == id, "seed \(random.seed)")
      #expect(id.withUnsafeBytes { names.equals(name, app: UInt32(app), $0) })
      for other in [id + [97], Array(id.dropLast()), Self.id(app: app, &random)] {
        let isEqual = other.withUnsafeBytes { names.equals(name, app: UInt32(app), $0) }
        #expect(isEqual == (other == id), "seed \(random.seed)")
      }
      var changed = id
      changed[Int.random(in: 0..<id.count, using: &random)] ^= 1
      #expect(!changed.withUnsafeBytes { names.equals(name, app: UInt32(app), $0) }, "seed \(random.seed)")
    }
    for _ in 0..<4_000 {
      let (one, other) = (kept[Int(random.magnitude(upTo: 1_999))], kept[Int(random.magnitude(upTo: 1_999))])
      let precedes = names.precedes(one.name, app: UInt32(one.app), other.name, app: UInt32(other.app))
      #expect(precedes == one.id.lexicographicallyPrecedes(other.id), "seed \(random.seed)")
    }
  }

  @Test("what was kept of an app that is gone is another's when that has its number")
  func apps() {
    var names = ActionNames()
    let name = Self.append(Array("a.x".utf8), app: 0, to: &names)
    names.remove(name)
    names.remove(app: 0)
    let other = Array("org.b".utf8).withUnsafeBytes { app in
      Array("org.b.y".utf8).withUnsafeBytes { names.append($0, app: 0, appID: app) }
    }
    #expect(other.isPart && Array(names.bytes(other, app: 0)) == Array("org.b.y".utf8))
  }
}
