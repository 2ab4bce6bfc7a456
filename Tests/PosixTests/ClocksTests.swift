import Foundation
import Posix
import Testing

struct ClocksTests {
  @Test("the boot has a name, and the same one each time")
  func bootID() {
    let id = Clocks.bootID()
    #expect(UUID(uuidString: id) != nil)
    #expect(Clocks.bootID() == id)
  }

  @Test("the clocks of the boot never go back")
  func monotone() {
    var (boot, monotonic) = (Clocks.boot(), Clocks.monotonic())
    for _ in 0..<10_000 {
      let (newBoot, newMonotonic) = (Clocks.boot(), Clocks.monotonic())
      #expect(newBoot >= boot && newMonotonic >= monotonic)
      (boot, monotonic) = (newBoot, newMonotonic)
    }
    #expect(Clocks.boot() >= monotonic)
  }

  @Test("the wall clock counts nanoseconds since 1970")
  func wall() {
    let before = Date.now.timeIntervalSince1970
    let wall = Double(Clocks.wall()) / 1e9
    #expect(abs(wall - before) < 60)
  }
}
