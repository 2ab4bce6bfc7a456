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
    due.removeAll { $0 % 2 == 0 }
    #expect(due.end == due.taken + 50)
    while let app = due.takeFirst() {
      #expect(app % 2 == 1 && app >= taken)
      taken = app
    }
    #expect(taken == 5049 && due.end == due.taken && due.takeFirst() == nil)
  }
}
