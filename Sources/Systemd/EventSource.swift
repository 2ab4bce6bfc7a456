private import CSystemd
private import Posix

/// Something that an ``EventLoop`` waits for; gone from the loop when its owner goes away, also from within its own
/// handler. The corresponding C object is `sd_event_source`.
@safe
package struct EventSource: ~Copyable {
  private let handle: OpaquePointer

  init(owning handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe _ = sd_event_source_disable_unref(handle) }

  /// Switches the source on or off. The corresponding C function is `sd_event_source_set_enabled`.
  package func setEnabled(_ isEnabled: Bool) {
    unsafe _ = sd_event_source_set_enabled(handle, isEnabled ? Int32(SD_EVENT_ON) : Int32(SD_EVENT_OFF))
  }

  /// Changes what a watched descriptor is waited for.
  package func watch(for readiness: Readiness) {
    unsafe _ = sd_event_source_set_io_events(handle, readiness.rawValue)
  }

  /// By how much a timer may be late, nanoseconds; see ``EventLoop/timer(accuracy:priority:handler:)``.
  ///
  /// The corresponding C function is `sd_event_source_set_time_accuracy`.
  package func setAccuracy(_ accuracy: Int64) {
    unsafe _ = sd_event_source_set_time_accuracy(handle, UInt64(max(accuracy / 1000, 1)))
  }

  /// Sets a timer to go off once at `time` on CLOCK_BOOTTIME, nanoseconds.
  package func fire(at time: Int64) {
    unsafe _ = sd_event_source_set_time(handle, UInt64(max(time, 0)) / 1000)
    unsafe _ = sd_event_source_set_enabled(handle, Int32(SD_EVENT_ONESHOT))
  }

  /// Sets a timer to go off once, `delay` nanoseconds from now.
  package func fire(after delay: Int64) {
    fire(at: Clocks.boot() + delay)
  }
}
