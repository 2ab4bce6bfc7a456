private import CPosix
import Glibc

/// The headers of up to 16 messages, and the places for their bytes, in memory of the caller's choice.
///
/// The kernel writes each message's length and flags into the table before the receive call returns.
@safe
package struct MessageTable {
  package static let capacity = 16
  /// How much memory a table takes, bytes.
  package static let byteCount =
    unsafe capacity * (MemoryLayout<cposix_message>.stride + MemoryLayout<iovec>.stride)
  /// The length of a message that did not come.
  package static let none = UInt32.max

  private let memory: UnsafeMutableRawPointer

  /// The table at `memory`, aligned to 8 bytes, as it is: after a crash its lengths are what the kernel wrote.
  package init(at memory: UnsafeMutableRawPointer) {
    unsafe self.memory = memory
  }

  /// Makes a table for messages of up to `size` bytes each, one after another from `slots` on.
  package init(at memory: UnsafeMutableRawPointer, slots: UnsafeMutableRawPointer, size: Int) {
    unsafe self.memory = memory
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: Self.byteCount)
    for index in 0..<Self.capacity {
      unsafe places[index] = iovec(iov_base: slots + index * size, iov_len: size)
      unsafe messages[index].header.msg_iov = places + index
      unsafe messages[index].header.msg_iovlen = 1
      unsafe messages[index].length = Self.none
    }
  }

  private var messages: UnsafeMutablePointer<cposix_message> {
    unsafe memory.assumingMemoryBound(to: cposix_message.self)
  }

  private var places: UnsafeMutablePointer<iovec> {
    unsafe (memory + Self.capacity * MemoryLayout<cposix_message>.stride).assumingMemoryBound(to: iovec.self)
  }

  /// Makes the lengths of the first `count` messages say that none came.
  package func clear(first count: Int) {
    for index in 0..<count {
      unsafe messages[index].length = Self.none
      unsafe messages[index].header.msg_flags = 0
    }
  }

  /// Sets the room for the first message, which may reach over the places of others if only one is asked for.
  package func setRoomForFirst(_ size: Int) { unsafe places[0].iov_len = size }

  /// The length of a message, or ``none``.
  package func length(_ index: Int) -> UInt32 { unsafe messages[index].length }

  /// Whether a message was longer than its place and has been cut.
  package func isCut(_ index: Int) -> Bool { unsafe messages[index].header.msg_flags & Int32(MSG_TRUNC) != 0 }

  /// Receives up to `count` messages without waiting; nil if nothing waits.
  ///
  /// A stream gives one message, of length 0 at its end. The corresponding C function is `recvmmsg`.
  package func receive(from descriptor: Int32, atMost count: Int) throws(SystemError) -> Int? {
    do {
      return try receiveOnce(from: descriptor, atMost: count)
    } catch {
      // recvmmsg, unlike recv, reports a peer that left with our replies unread before the bytes that it had sent,
      // and reports it once: they are still there.
      guard error.code == ECONNRESET else { throw error }
      return try receiveOnce(from: descriptor, atMost: count)
    }
  }

  private func receiveOnce(from descriptor: Int32, atMost count: Int) throws(SystemError) -> Int? {
    try checkNonblocking("receive") {
      unsafe Int(cposix_receive_messages(descriptor, messages, UInt32(truncatingIfNeeded: count)))
    }
  }
}
