import Posix
import Systemd
import Testing

@testable import Service

struct MailboxTests {
  @Test("what is put comes out once, in order")
  func order() throws {
    let mailbox = try Mailbox<Int>()
    #expect(mailbox.takeAll() == [])
    for number in 0..<5 { mailbox.put(number) }
    #expect(mailbox.takeAll() == [0, 1, 2, 3, 4])
    #expect(mailbox.takeAll() == [])
  }

  @Test("a thread that waits gets everything that another one puts")
  func acrossThreads() throws {
    let there = WorkQueue<Int>()
    let back = WorkQueue<Int>()
    let thread = try Thread {
      while true {
        for number in there.takeAll() {
          if number < 0 { return }
          back.put(number * 2)
        }
      }
    }
    var seen: [Int] = []
    for number in 0..<1000 { there.put(number) }
    while seen.count < 1000 { seen += back.takeAll() }
    #expect(seen == (0..<1000).map { $0 * 2 })
    there.put(-1)
    thread.join()
  }

  @Test("a box wakes an event loop")
  func wakesLoop() throws {
    let mailbox = try Mailbox<Int>()
    let loop = try EventLoop()
    var seen: [Int] = []
    let source = try loop.watch(mailbox.descriptor) { _ in
      seen += mailbox.takeAll()
      if seen.count == 100 { loop.exit() }
    }
    let thread = try Thread { for number in 0..<100 { mailbox.put(number) } }
    try loop.run()
    thread.join()
    #expect(seen == Array(0..<100))
    source.setEnabled(false)
  }
}
