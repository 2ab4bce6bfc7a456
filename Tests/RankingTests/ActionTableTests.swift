import Testing

@testable import Ranking

struct ActionTableTests {
  @Test("an action is found by its id and owner and by nothing else")
  func finds() {
    var table = ActionTable(hash: SeededHash(seed: (1, 2)))
    let id = Array("a.x".utf8)
    id.withUnsafeBytes { id in
      for foreignApp in [nil, 1, 2, 7] as [UInt32?] {
        let tag = table.tag(id, foreignApp: foreignApp)
        #expect(table.find(id, foreignApp: foreignApp, tag: tag) == nil)
        let number = table.insert(id, app: foreignApp ?? 0, isForeign: foreignApp != nil, tag: tag)
        #expect(table.find(id, foreignApp: foreignApp, tag: tag) == number)
      }
      #expect(table.find(id, foreignApp: 0, tag: table.tag(id, foreignApp: 0)) == nil)
      #expect(table.find(id, foreignApp: 3, tag: table.tag(id, foreignApp: 3)) == nil)
    }
    #expect(table.count == 4)
    #expect((0..<UInt32(4)).allSatisfy { Array(table.id($0)) == id })
  }

  @Test("a record is one cache line")
  func recordSize() { #expect(MemoryLayout<ActionRecord>.stride == 64) }

  @Test("without a difference in score and use the bytes of the id decide")
  func lastResort() {
    var table = ActionTable(hash: SeededHash(seed: (1, 2)))
    for id in ["b", "a", "\u{E9}", "aa"] {
      Array(id.utf8).withUnsafeBytes { id in
        _ = table.insert(id, app: 0, isForeign: false, tag: table.tag(id, foreignApp: nil))
      }
    }
    let sorted = (0..<UInt32(4)).sorted { table.precedes($0, $1) }
    #expect(sorted == [1, 3, 0, 2])
    #expect((0..<UInt32(4)).allSatisfy { !table.precedes($0, $0) })
  }
}
