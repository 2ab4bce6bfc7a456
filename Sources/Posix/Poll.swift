import Glibc

/// Waits for descriptors, for programs that have no event loop.
package enum Poll {
  /// What a descriptor is waited for, and what it is ready for.
  package struct Events: OptionSet, Sendable {
    package let rawValue: Int16

    package init(rawValue: Int16) { self.rawValue = rawValue }

    /// Bytes, an end or an error can be read.
    package static let read = Events(rawValue: Int16(POLLIN))
    /// Bytes can be written.
    package static let write = Events(rawValue: Int16(POLLOUT))
    /// The other side is gone; reported without being asked for.
    package static let end = Events(rawValue: Int16(POLLHUP) | Int16(POLLERR))
  }

  /// Waits until one of the descriptors is ready, a signal was handled, or the time is over, and returns what each is
  /// ready for; empty sets in the last two cases.
  ///
  /// The corresponding C function is `poll`.
  ///
  /// - Parameter milliseconds: how long to wait at most; nil for ever.
  package static func wait(
    for descriptors: [(descriptor: Int32, events: Events)], milliseconds: Int?
  ) throws(SystemError) -> [Events] {
    var entries = descriptors.map { pollfd(fd: $0.descriptor, events: $0.events.rawValue, revents: 0) }
    let time = milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1
    let (count, code) = (unsafe poll(&entries, nfds_t(entries.count), time), errno)
    if count < 0, code != EINTR { throw SystemError("wait", code: code) }
    return entries.map { count > 0 ? Events(rawValue: $0.revents) : [] }
  }
}
