private import CPosix

/// What arrived at a datagram socket in one call.
@safe
package struct DatagramBatch: ~Copyable {
  /// The largest datagram that is taken whole: 64 KiB.
  package static let largest = 65_536
  /// How many datagrams one call may bring.
  package static let capacity = 16

  private let storage: UnsafeMutableRawBufferPointer
  private var lengths = [UInt32](repeating: 0, count: capacity)
  private var truncated = [UInt8](repeating: 0, count: capacity)

  /// Reserves 1 MiB of address space; memory is used only as far as datagrams have reached.
  package init() {
    unsafe storage = .allocate(byteCount: Self.largest * Self.capacity, alignment: 4096)
  }

  deinit { unsafe storage.deallocate() }

  /// Receives up to ``capacity`` datagrams that wait at a socket, and returns how many there were.
  ///
  /// The corresponding C function is `recvmmsg`.
  package mutating func receive(from descriptor: Int32) throws(SystemError) -> Int {
    let (base, capacity) = unsafe (storage.baseAddress, UInt32(Self.capacity))
    let count = try checkNonblocking("receive datagrams") {
      unsafe cposix_receive_datagrams(descriptor, base, Self.largest, capacity, &lengths, &truncated)
    }
    return Int(count ?? 0)
  }

  /// A datagram of the last batch, valid until the next; nil if it was longer than ``largest``.
  package subscript(index: Int) -> UnsafeRawBufferPointer? {
    guard truncated[index] == 0 else { return nil }
    let start = index * Self.largest
    return unsafe UnsafeRawBufferPointer(rebasing: storage[start..<start + Int(lengths[index])])
  }
}
