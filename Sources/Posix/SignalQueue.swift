private import CPosix
import Glibc

/// Signals that wait until they are asked for, in place of whatever they would do.
///
/// The corresponding C function is `signalfd`.
package struct SignalQueue: ~Copyable {
  private let descriptor: FileDescriptor

  /// Blocks the signals, in this thread and in those it starts, for as long as the process lives.
  package init(_ signals: [Signal]) throws(SystemError) {
    Process.block(signals)
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe _ = sigaddset(&set, signal.number) }
    descriptor = FileDescriptor(owning: try check("make a signalfd") { unsafe cposix_signalfd(&set) })
  }

  /// The descriptor that is readable while a signal waits.
  package var raw: Int32 { descriptor.raw }

  /// The next signal, or nil.
  package func take() throws(SystemError) -> Signal? {
    guard let number = try checkNonblocking("take a signal", { cposix_take_signal(descriptor.raw) }) else { return nil }
    return Signal.allCases.first { $0.number == number }
  }
}
