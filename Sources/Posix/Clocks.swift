import Glibc

/// The clocks of the machine, nanoseconds. A reading costs some 20 ns.
package enum Clocks {
  /// CLOCK_BOOTTIME: since this boot, suspend included.
  package static func boot() -> Int64 { read(CLOCK_BOOTTIME) }
  /// CLOCK_REALTIME: since 1970, saturated to what 64 bits hold.
  package static func wall() -> Int64 { read(CLOCK_REALTIME) }
  /// CLOCK_MONOTONIC: what systemd wants in MONOTONIC_USEC.
  package static func monotonic() -> Int64 { read(CLOCK_MONOTONIC) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe _ = clock_gettime(clock, &time)
    let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? (time.tv_sec < 0 ? .min : .max) : seconds &+ Int64(time.tv_nsec)
  }

  /// The kernel's name for this boot, or an empty string where it can't be read.
  package static func bootID() -> String {
    (try? RegularFile.read("/proc/sys/kernel/random/boot_id", limit: 64))
      .map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) } ?? ""
  }
}
