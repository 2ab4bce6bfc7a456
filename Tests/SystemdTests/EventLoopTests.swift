import Glibc
import Posix
import Systemd
import Testing

struct EventLoopTests {
  @Test("a handler is called with what its descriptor is ready for, each time until it is read")
  func readable() throws {
    let loop = try EventLoop()
    let guardTimer = try limit(loop)
    let pair = try SocketPair()
    var calls: [Readiness] = []
    let source = try loop.watch(pair.second.raw) { readiness in
      calls.append(readiness)
      // The first call leaves the bytes where they are.
      if calls.count == 2 {
        #expect(pair.read() == 3)
        loop.exit()
      }
    }
    pair.write([1, 2, 3])
    try loop.run()
    #expect(calls == [.readable, .readable])
    drop(source)
    drop(guardTimer)
  }

  @Test("a descriptor is watched for room to write only as long as that is asked for")
  func writable() throws {
    let loop = try EventLoop()
    let guardTimer = try limit(loop)
    let pair = try SocketPair()
    let slot = Slot()
    var calls: [Readiness] = []
    slot.source = try loop.watch(pair.second.raw, for: [.readable, .writable]) { readiness in
      calls.append(readiness)
      slot.source?.watch(for: .readable)
      if calls.count == 1 { pair.write() } else { loop.exit() }
    }
    try loop.run()
    #expect(calls == [.writable, .readable])
    slot.source = nil
    drop(guardTimer)
  }

  @Test("the end of a stream makes its descriptor readable")
  func end() throws {
    let loop = try EventLoop()
    let guardTimer = try limit(loop)
    let pair = try SocketPair()
    var isReadable = false
    let source = try loop.watch(pair.second.raw) { readiness in
      isReadable = readiness.contains(.readable)
      loop.exit()
    }
    shutdown(pair.first.raw, Int32(SHUT_RDWR))
    try loop.run()
    #expect(isReadable)
    drop(source)
    drop(guardTimer)
  }

  @Test("a source may be dropped inside its own handler, which is then not called again and goes away with it")
  func dropInside() throws {
    final class Held {}
    let loop = try EventLoop()
    let (pair, other) = (try SocketPair(), try SocketPair())
    let slot = Slot()
    weak var seen: Held?
    var calls = 0
    do {
      let held = Held()
      seen = held
      slot.source = try loop.watch(pair.second.raw) { _ in
        slot.source = nil
        // What the handler holds is still there while it runs.
        withExtendedLifetime(held) { calls += 1 }
        other.write()
      }
    }
    // Comes later than any second call would.
    let last = try loop.watch(other.second.raw) { _ in
      if other.read() > 0, calls > 0 { loop.exit() }
    }
    let guardTimer = try limit(loop)
    pair.write()
    try loop.run()
    #expect(calls == 1)
    #expect(seen == nil)
    drop(last)
    drop(guardTimer)
  }

  @Test("what a handler holds is let go with its source, whatever kind it is")
  func letsGo() throws {
    final class Held {}
    let loop = try EventLoop()
    let pair = try SocketPair()
    let slot = Slot()
    weak var seen: Held?
    func make(_ body: (Held) throws -> EventSource) throws {
      let held = Held()
      seen = held
      slot.source = try body(held)
    }
    try make { held in try loop.watch(pair.second.raw) { _ in withExtendedLifetime(held) {} } }
    #expect(seen != nil)
    slot.source = nil
    #expect(seen == nil)
    try make { held in try loop.timer(accuracy: 1) { withExtendedLifetime(held) {} } }
    #expect(seen != nil)
    slot.source = nil
    #expect(seen == nil)
  }

  @Test("what a handler holds is let go if its source can't be made")
  func letsGoOnFailure() throws {
    final class Held {}
    let loop = try EventLoop()
    weak var seen: Held?
    func make() throws {
      let held = Held()
      seen = held
      // A regular file can't be polled.
      let file = FileDescriptor(owning: open("/proc/self/exe", O_RDONLY))
      let error = #expect(throws: SystemError.self) {
        _ = try loop.watch(file.raw) { _ in withExtendedLifetime(held) {} }
      }
      #expect(error?.code == EPERM)
    }
    try make()
    #expect(seen == nil)
  }

  @Test("a source outlives the variable of its loop, and goes with no harm")
  func outlivesLoop() throws {
    let pair = try SocketPair()
    let slot = Slot()
    func make() throws { slot.source = try EventLoop().watch(pair.second.raw) { _ in } }
    try make()
    slot.source?.setEnabled(false)
    slot.source = nil
  }

  @Test("a source that is switched off keeps still, and is heard again when it is on")
  func setEnabled() throws {
    let loop = try EventLoop()
    let guardTimer = try limit(loop)
    let (pair, other) = (try SocketPair(), try SocketPair())
    let slot = Slot()
    var order: [String] = []
    slot.source = try loop.watch(pair.second.raw) { _ in
      order.append("pair")
      loop.exit()
    }
    let switcher = try loop.watch(other.second.raw) { _ in
      _ = other.read()
      order.append("other")
      if order.count == 3 { slot.source?.setEnabled(true) } else { other.write() }
    }
    slot.source?.setEnabled(false)
    pair.write()
    other.write()
    try loop.run()
    #expect(order == ["other", "other", "other", "pair"])
    slot.source = nil
    drop(switcher)
    drop(guardTimer)
  }

  // MARK: Timers

  @Test("a timer is off until it is set, goes off once, not early, and again when it is set again")
  func timer() throws {
    let loop = try EventLoop()
    let guardTimer = try limit(loop)
    let slot = Slot()
    var (due, late): (Int64, [Int64]) = (0, [])
    // Goes off well after the timer would have gone off a third time, without being set.
    let end = Slot()
    end.source = try loop.timer(accuracy: 1000) { loop.exit() }
    slot.source = try loop.timer(accuracy: 1000) {
      late.append(Clocks.boot() - due)
      if late.count == 2 {
        end.source?.fire(after: 50_000_000)
        return
      }
      due = Clocks.boot() + 5_000_000
      slot.source?.fire(at: due)
    }
    due = Clocks.boot() + 10_000_000
    slot.source?.fire(after: 10_000_000)
    try loop.run()
    #expect(late.count == 2)
    // The kernel's timer counts microseconds.
    #expect(late.allSatisfy { $0 > -1000 })
    slot.source = nil
    end.source = nil
    drop(guardTimer)
  }

  @Test("a timer for a time that is over goes off at once, and one that is not set never")
  func overdue() throws {
    let loop = try EventLoop()
    var fired: [String] = []
    let unset = try loop.timer(accuracy: 1000) { fired.append("unset") }
    let end = try loop.timer(accuracy: 1000) {
      fired.append("end")
      loop.exit()
    }
    end.fire(at: -1)
    try loop.run()
    #expect(fired == ["end"])
    drop(unset)
    drop(end)
  }

  // MARK: Order

  @Test("a timer comes before sockets that are always ready")
  func timerFirst() throws {
    let loop = try EventLoop()
    let guardTimer = try limit(loop)
    let pairs = try (0..<50).map { _ in try SocketPair() }
    var slots: [Slot] = []
    var calls = 0
    let timer = Slot()
    timer.source = try loop.timer(accuracy: 1) { loop.exit() }
    for pair in pairs {
      pair.write()
      let slot = Slot()
      slot.source = try loop.watch(pair.second.raw) { _ in
        // Nobody reads: every socket stays ready, and each call could go on for ever.
        calls += 1
        if calls == 100 { timer.source?.fire(at: 0) }
        if calls == 10_000 { loop.exit() }
      }
      slots.append(slot)
    }
    try loop.run()
    #expect(calls == 100)
    timer.source = nil
    drop(guardTimer)
  }

  @Test("sockets that are always ready take turns")
  func turns() throws {
    let loop = try EventLoop()
    let guardTimer = try limit(loop)
    let pairs = try (0..<3).map { _ in try SocketPair() }
    var counts = [0, 0, 0]
    var slots: [Slot] = []
    for (index, pair) in pairs.enumerated() {
      pair.write()
      let slot = Slot()
      slot.source = try loop.watch(pair.second.raw) { _ in
        counts[index] += 1
        if counts.reduce(0, +) == 300 { loop.exit() }
      }
      slots.append(slot)
    }
    try loop.run()
    #expect(counts.allSatisfy { abs($0 - 100) <= 1 }, "\(counts)")
    drop(guardTimer)
  }

  // MARK: Signals

  @Test("a blocked signal is caught each time, and comes before sockets that are always ready")
  func signals() async {
    await #expect(processExitsWith: .success) {
      Process.block(Signal.allCases)
      let loop = try EventLoop()
      let pair = try SocketPair()
      var order: [String] = []
      let socket = try loop.watch(pair.second.raw) { _ in
        order.append("socket")
        if order.count == 1 || order.count == 3 { pthread_kill(pthread_self(), SIGUSR1) }
        if order.count > 4 { loop.exit() }
      }
      let user = try loop.catchSignal(.user1) { order.append("user1") }
      let stop = try loop.catchSignal(.terminate) { order.append("terminate") }
      let hangUp = try loop.catchSignal(.hangUp) { order.append("hangUp") }
      pair.write()
      try loop.run()
      #expect(order == ["socket", "user1", "socket", "user1", "socket"])
      drop(socket)
      drop(user)
      drop(stop)
      drop(hangUp)
    }
  }

  @Test("a signal that is not blocked can't be caught")
  func unblocked() async {
    await #expect(processExitsWith: .success) {
      var set = sigset_t()
      sigaddset(&set, SIGHUP)
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
      let loop = try EventLoop()
      let error = #expect(throws: SystemError.self) { _ = try loop.catchSignal(.hangUp) {} }
      #expect(error?.code == EBUSY)
    }
  }
}
