import Foundation
import Posix
import Systemd
import Testing

@testable import Service

/// Which connections the service manager is asked to keep. The variable that names it belongs to the whole process: each
/// test has a process of its own.
struct ConnectionStoreTests {
  /// A store with a manager that hears what it says.
  private final class Bench {
    let stand: ManagerStandIn
    let manager: ServiceManager
    let loop: EventLoop
    let store: ConnectionStore
    private let pair: SocketPair

    init(limit: Int) throws {
      stand = try ManagerStandIn()
      manager = ServiceManager()
      loop = try EventLoop()
      store = try ConnectionStore(limit: limit, manager: manager, loop: loop)
      pair = try SocketPair()
    }

    static func name(_ number: UInt64) -> ConnectionName { ConnectionName(number: number, access: .events) }
    func keep(_ number: UInt64) { store.keep(pair.first.raw, Self.name(number)) }
    func forget(_ number: UInt64) { store.forget(Self.name(number)) }

    /// What the manager has heard, in short: `+E1` is kept, `-E1` forgotten.
    func heard() throws -> [String] {
      try stand.messages().map { message in
        let lines = message.split(separator: "\n").map(String.init)
        let name = lines.first { $0.hasPrefix("FDNAME=") }?.dropFirst(7) ?? "?"
        return (lines.first == "FDSTORE=1" ? "+" : "-") + name
      }
    }

    /// Leaves the manager no room for another message.
    func fillQueue() { while manager.notify(.watchdog) == .delivered {} }

    /// Runs the loop long enough for what is tried again.
    func run() throws {
      let end = try loop.timer(accuracy: 1_000_000) { [loop] in loop.exit() }
      end.fire(after: 200_000_000)
      try loop.run()
    }
  }

  @Test("so many are kept as there is room for, each once, and one that is forgotten makes room")
  func limit() async {
    await #expect(processExitsWith: .success) {
      let bench = try Bench(limit: 2)
      for number in [1, 1, 2, 3] as [UInt64] { bench.keep(number) }
      #expect(bench.store.count == 2)
      #expect(try bench.heard() == ["+E1", "+E2"])
      bench.forget(3)
      bench.forget(1)
      bench.forget(1)
      bench.keep(4)
      bench.keep(5)
      #expect(try bench.heard() == ["-E1", "+E4"])
      #expect(bench.store.count == 2)
    }
  }

  @Test("those that were kept across a crash count, and are forgotten like others")
  func kept() async {
    await #expect(processExitsWith: .success) {
      let bench = try Bench(limit: 2)
      for number in [7, 8, 9] as [UInt64] { bench.store.noteKept(number) }
      bench.keep(10)
      #expect(bench.store.count == 3)
      bench.forget(7)
      bench.forget(8)
      bench.keep(11)
      #expect(try bench.heard() == ["-E7", "-E8", "+Eb"])
    }
  }

  @Test("a busy manager holds up nobody, and hears it all once it has room")
  func busy() async {
    await #expect(processExitsWith: .success) {
      let bench = try Bench(limit: 10)
      bench.keep(1)
      bench.keep(2)
      #expect(try bench.heard() == ["+E1", "+E2"])
      bench.fillQueue()
      bench.keep(3)
      bench.forget(1)
      bench.keep(4)
      bench.forget(2)
      #expect(bench.store.count == 2)
      #expect(try bench.heard() == [])
      try bench.run()
      let heard = try bench.heard()
      #expect(Array(heard.prefix(2)) == ["-E1", "-E2"])
      #expect(heard.dropFirst(2).sorted() == ["+E3", "+E4"])
    }
  }

  @Test("one that is forgotten before the manager has heard of it is never named to it")
  func forgottenEarly() async {
    await #expect(processExitsWith: .success) {
      let bench = try Bench(limit: 10)
      bench.fillQueue()
      bench.keep(1)
      bench.keep(2)
      bench.forget(1)
      #expect(try bench.heard() == [])
      try bench.run()
      #expect(try bench.heard() == ["+E2"])
      #expect(bench.store.count == 1)
    }
  }

  @Test("a number that comes again is first forgotten and then kept")
  func again() async {
    await #expect(processExitsWith: .success) {
      let bench = try Bench(limit: 10)
      bench.keep(1)
      #expect(try bench.heard() == ["+E1"])
      bench.fillQueue()
      bench.forget(1)
      bench.keep(1)
      #expect(try bench.heard() == [])
      try bench.run()
      #expect(try bench.heard() == ["-E1", "+E1"])
    }
  }

  @Test("without a manager nothing is kept")
  func none() async {
    await #expect(processExitsWith: .success) {
      unsetenv("NOTIFY_SOCKET")
      let store = try ConnectionStore(limit: 10, manager: ServiceManager(), loop: EventLoop())
      store.keep(0, Bench.name(1))
      #expect(store.count == 0)
      store.forget(Bench.name(1))
    }
  }
}
