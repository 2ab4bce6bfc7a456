import Testing

@testable import Service

struct DueAppsTests {
  @Test("apps come in the order in which they became due, also while others are added, and are counted")
  func order() {
    var due = DueApps()
    var (added, taken): (UInt32, UInt32) = (0, 0)
    for round in 1...100 {
      for _ in 0..<round {
        due.append(added)
        added += 1
      }
      for _ in 0..<round - 1 {
        #expect(due.takeFirst() == taken)
        taken += 1
      }
      #expect(due.taken == Int(taken) && due.end == Int(added))
    }
    #expect(due.takeAll() == Array(taken..<added))
    #expect(due.end == Int(added) && due.taken == due.end && due.takeFirst() == nil)
    due.append(7)
    #expect(due.takeFirst() == 7 && due.taken == Int(added) + 1)
  }
}
