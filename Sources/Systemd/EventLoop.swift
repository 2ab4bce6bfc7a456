private import CSystemd
private import Glibc
package import Posix

/// In which order sources that are ready at the same time get their turn.
package enum Priority: Int64, Sendable {
  /// Signals and timers: before any socket, so that no flood delays them.
  case first = -100
  /// Sockets, and whatever has to prove that sockets get their turn. Equal ones take turns, oldest first.
  case normal = 0
}

/// What a descriptor is ready for.
package struct Readiness: OptionSet, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// There is something to read, or the end.
  package static let readable = Readiness(rawValue: 1)
  /// There is room to write.
  package static let writable = Readiness(rawValue: 4)
}

/// One thread's loop over descriptors, signals and timers; the corresponding C object is `sd_event`.
///
/// Not Sendable: the compiler keeps it, and all that hangs on it, on the thread that made it.
@safe
package final class EventLoop {
  private let handle: OpaquePointer
  private let turns = Turns()

  /// The longest time that a handler took, nanoseconds: so long everything else waited.
  package var longestTurn: Int64 { turns.longest }

  package init() throws(SystemError) {
    var handle: OpaquePointer?
    try unsafe Self.check("make an event loop", sd_event_new(&handle))
    guard let handle = unsafe handle else { throw SystemError("make an event loop", code: ENOMEM) }
    unsafe self.handle = handle
  }

  deinit { unsafe _ = sd_event_unref(handle) }

  /// Runs until ``exit()``. The corresponding C function is `sd_event_loop`.
  package func run() throws(SystemError) {
    try unsafe Self.check("run the event loop", sd_event_loop(handle))
  }

  /// Makes ``run()`` return once the handler that runs now is done.
  package func exit() {
    unsafe _ = sd_event_exit(handle, 0)
  }

  /// Calls `handler` whenever `descriptor` is ready. The descriptor must outlive the source.
  package func watch(
    _ descriptor: Int32, for readiness: Readiness = .readable, priority: Priority = .normal,
    handler: @escaping (Readiness) -> Void
  ) throws(SystemError) -> EventSource {
    let box = HandlerBox(turns, handler)
    return try unsafe add("watch a descriptor", priority, box) { source, context in
      unsafe sd_event_add_io(
        handle, source, descriptor, readiness.rawValue,
        { _, _, events, context in
          unsafe HandlerBox<Readiness>.call(context, Readiness(rawValue: events))
        }, context)
    }
  }

  /// Calls `handler` for each signal of this number, which must be blocked in every thread.
  package func catchSignal(_ signal: Signal, handler: @escaping () -> Void) throws(SystemError) -> EventSource {
    let box = HandlerBox(turns) { (_: Void) in handler() }
    return try unsafe add("wait for a signal", .first, box) { source, context in
      unsafe sd_event_add_signal(
        handle, source, signal.number, { _, _, context in unsafe HandlerBox<Void>.call(context, ()) }, context)
    }
  }

  /// A timer on CLOCK_BOOTTIME that is off until it is set, and goes off once each time.
  ///
  /// - Parameter accuracy: nanoseconds by which it may be late so as to wake up together with others; at least 1 µs,
  ///   as 0 stands for 250 ms in the C library.
  package func timer(
    accuracy: Int64, priority: Priority = .first, handler: @escaping () -> Void
  ) throws(SystemError) -> EventSource {
    let box = HandlerBox(turns) { (_: Void) in handler() }
    let source = try unsafe add("make a timer", priority, box) { source, context in
      unsafe sd_event_add_time(
        handle, source, 7 /* CLOCK_BOOTTIME */, .max, UInt64(max(accuracy / 1000, 1)),
        { _, _, context in unsafe HandlerBox<Void>.call(context, ()) }, context)
    }
    source.setEnabled(false)
    return source
  }

  private func add<Event>(
    _ operation: String, _ priority: Priority, _ box: HandlerBox<Event>,
    _ call: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutableRawPointer) -> Int32
  ) throws(SystemError) -> EventSource {
    var source: OpaquePointer?
    let retained = unsafe Unmanaged.passRetained(box)
    do {
      try unsafe Self.check(operation, call(&source, retained.toOpaque()))
    } catch {
      unsafe retained.release()
      throw error
    }
    guard let source = unsafe source else { throw SystemError(operation, code: ENOMEM) }
    let result = unsafe EventSource(owning: source)
    unsafe sd_event_source_set_destroy_callback(source) { context in
      if let context = unsafe context { unsafe Unmanaged<AnyObject>.fromOpaque(context).release() }
    }
    try unsafe Self.check(operation, sd_event_source_set_priority(source, priority.rawValue))
    return result
  }

  static func check(_ operation: String, _ result: Int32) throws(SystemError) {
    if result < 0 { throw SystemError(operation, code: -result) }
  }
}

/// How long handlers take.
private final class Turns {
  private(set) var longest: Int64 = 0

  func note(_ time: Int64) { if time > longest { longest = time } }
}

/// Carries a Swift handler through C; lives as long as the source.
private final class HandlerBox<Event> {
  private let turns: Turns
  private let handler: (Event) -> Void

  init(_ turns: Turns, _ handler: @escaping (Event) -> Void) {
    self.turns = turns
    self.handler = handler
  }

  static func call(_ context: UnsafeMutableRawPointer?, _ event: Event) -> Int32 {
    guard let context = unsafe context else { return 0 }
    let box = unsafe Unmanaged<HandlerBox<Event>>.fromOpaque(context).takeUnretainedValue()
    // The handler may drop the source, and this with it.
    let turns = box.turns
    let start = Clocks.monotonic()
    box.handler(event)
    turns.note(Clocks.monotonic() - start)
    return 0
  }
}
