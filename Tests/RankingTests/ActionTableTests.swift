import Testing

@testable import Ranking

struct ActionTableTests {
  @Test("an action is found by its id and owner and by nothing else")
  func finds() {
    var table = ActionTable(hash: SeededHash(seed: (1, 2)))
    let id = Array("a.x".utf8)
    id.withUnsafeBytes { id in
      for foreignApp in [nil, 1, 2, 7] as [UInt32?] {
        #expect(table.find(id, foreignApp: foreignApp, hash: table.hash(id)) == nil)
        let number = table.insert(id, foreignApp: foreignApp)
        #expect(table.find(id, foreignApp: foreignApp, hash: table.hash(id)) == number)
      }
      #expect(table.find(id, foreignApp: 0, hash: table.hash(id)) == nil)
      #expect(table.find(id, foreignApp: 3, hash: table.hash(id)) == nil)
    }
    #expect(table.count == 4)
    #expect((0..<UInt32(4)).allSatisfy { Array(table.id($0)) == id })
  }

  @Test("a removed action is found no more, others of its id are, and its number comes back when it is recycled")
  func removes() {
    var table = ActionTable(hash: SeededHash(seed: (1, 2)))
    Array("a.x".utf8).withUnsafeBytes { id in
      for foreignApp in [nil, 1, 2] as [UInt32?] { _ = table.insert(id, foreignApp: foreignApp) }
      table.remove(1)
      #expect(table.find(id, foreignApp: 1, hash: table.hash(id)) == nil)
      #expect(table.find(id, foreignApp: nil, hash: table.hash(id)) == 0)
      #expect(table.find(id, foreignApp: 2, hash: table.hash(id)) == 2)
      #expect(table.insert(id, foreignApp: 1) == 3)
      table.recycleNumbers()
      #expect(table.insert(id, foreignApp: 4) == 1)
      #expect(table.count == 4 && table.slots == 4)
    }
  }

  @Test("an action that is filed anew is found under its new owner and no more under the old one")
  func refiles() {
    var table = ActionTable(hash: SeededHash(seed: (1, 2)))
    Array("a.x".utf8).withUnsafeBytes { id in
      let number = table.insert(id, foreignApp: nil)
      Array("b".utf8).withUnsafeBytes { table.move(number, to: 5, appID: $0) }
      #expect(Array(table.id(number)) == Array(id))
      table.refile(number, isForeign: true)
      #expect(table.find(id, foreignApp: nil, hash: table.hash(id)) == nil)
      #expect(table.find(id, foreignApp: 5, hash: table.hash(id)) == number)
      table.refile(number, isForeign: false)
      #expect(table.find(id, foreignApp: 5, hash: table.hash(id)) == nil)
      #expect(table.find(id, foreignApp: nil, hash: table.hash(id)) == number)
    }
  }

  @Test("a record is a line and a half of the cache")
  func recordSize() { #expect(MemoryLayout<ActionRecord>.stride == 96) }

  @Test("without a difference in score and use the bytes of the id decide")
  func lastResort() {
    var table = ActionTable(hash: SeededHash(seed: (1, 2)))
    for id in ["b", "a", "\u{E9}", "aa"] {
      Array(id.utf8).withUnsafeBytes { id in
        _ = table.insert(id, foreignApp: nil)
      }
    }
    let sorted = (0..<UInt32(4)).sorted { table.precedes($0, $1, by: .common) }
    #expect(sorted == [1, 3, 0, 2])
    #expect((0..<UInt32(4)).allSatisfy { !table.precedes($0, $0, by: .common) })
  }
}

extension ActionTable {
  /// Adds an action of app 0, or a foreign one.
  fileprivate mutating func insert(_ id: UnsafeRawBufferPointer, foreignApp: UInt32?) -> UInt32 {
    let appID = Array("a".utf8)
    return appID.withUnsafeBytes {
      insert(id, app: foreignApp ?? 0, appID: $0, isForeign: foreignApp != nil, standing: .inApp, hash: hash(id))
    }
  }
}
