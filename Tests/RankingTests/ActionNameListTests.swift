import Testing

@testable import Ranking

@Suite("Names of actions in one buffer")
struct ActionNameListTests {
  @Test("Actions of one app that follow one another share its id, and all ids come back")
  func sharesIDs() {
    let names = [("a", "a.x"), ("a", "a.y"), ("b", "a"), ("ab", "b"), ("a", "a.x")].map {
      ActionName(app: Array($0.utf8), action: Array($1.utf8))
    }
    var list = ActionNameList()
    list.reserve(names.count)
    for name in names { list.append(name) }
    #expect((0..<list.count).map { list[$0] } == names && !list.isEmpty)
    #expect(list.bytes.count == "aa.xa.ybaabbaa.x".utf8.count)
    unsafe list.withIDs { ids in
      for (place, name) in names.enumerated() {
        #expect(unsafe ids.app(place).elementsEqual(name.app) && ids.action(place).elementsEqual(name.action))
      }
    }
  }

  @Test("The longest ids fit, and an empty list has nothing")
  func bounds() {
    let name = ActionName(app: [UInt8](repeating: 97, count: 255), action: [UInt8](repeating: 98, count: 255))
    var list = ActionNameList()
    #expect(list.isEmpty && list == ActionNameList())
    for _ in 0..<3 { list.append(name) }
    #expect(list.count == 3 && list[2] == name && list.bytes.count == 4 * 255)
  }

  @Test("What is copied of an action takes no more room than it is said to")
  func sizes() {
    #expect(MemoryLayout<ActionValues>.stride <= 144 && MemoryLayout<ActionChanges.Uses>.stride == 16)
  }
}
