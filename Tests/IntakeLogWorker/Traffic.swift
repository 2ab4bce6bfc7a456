package import IntakeLog

/// What the sender sends and the receiver must find: every byte and every datagram is known by its number.
@safe
package struct Traffic: ~Copyable {
  private static let period = 1_048_573
  private static let longest = 262_144
  private let pattern: UnsafeMutableRawBufferPointer

  package init() {
    unsafe pattern = .allocate(byteCount: Self.period + Self.longest, alignment: 8)
    var state: UInt64 = 1
    for index in 0..<Self.period {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      unsafe pattern[index] = UInt8(truncatingIfNeeded: state >> 56)
    }
    for index in 0..<Self.longest { unsafe pattern[Self.period + index] = pattern[index] }
  }

  deinit { unsafe pattern.deallocate() }

  /// `count` bytes of the stream from byte `start` on; at most 256 KiB.
  package func stream(from start: UInt64, _ count: Int) -> UnsafeRawBufferPointer {
    let place = Int(start % UInt64(Self.period))
    return unsafe UnsafeRawBufferPointer(rebasing: pattern[place..<place + count])
  }

  /// Datagram `number`: most are short, some are empty, some just fit, some are too long.
  package func datagram(_ number: UInt64) -> UnsafeRawBufferPointer {
    var mixed = (number &+ 1) &* 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ mixed >> 29) &* 0xbf58_476d_1ce4_e5b9
    mixed ^= mixed >> 32
    let length =
      switch mixed % 64 {
      case 0: 0
      case 1: 65_537 + Int(mixed >> 8 % 4096)
      case 2: 65_536
      default: 8 + Int(mixed >> 8 % 200)
      }
    return unsafe stream(from: mixed >> 16 % 1_000_000, length)
  }
}

/// How much of the traffic has been found, and whether all of it was as it should be.
package struct Found: Equatable {
  package var bytes: UInt64 = 0
  package var datagrams: UInt64 = 0
  package var isRight = true

  package init() {}

  package mutating func take(stream chunk: UnsafeRawBufferPointer, _ traffic: borrowing Traffic) {
    let expected = unsafe traffic.stream(from: bytes, chunk.count)
    isRight = unsafe isRight && chunk.elementsEqual(bytes: expected)
    bytes += UInt64(chunk.count)
  }

  /// - Parameter datagram: nil for one that was cut.
  package mutating func take(datagram: UnsafeRawBufferPointer?, _ traffic: borrowing Traffic) {
    let expected = unsafe traffic.datagram(datagrams)
    if let datagram = unsafe datagram {
      isRight = unsafe isRight && datagram.elementsEqual(bytes: expected)
    } else {
      isRight = isRight && expected.count > IntakeLog.largestDatagram
    }
    datagrams += 1
  }

  package mutating func take(_ record: LoggedRecord, _ traffic: borrowing Traffic) {
    switch record {
    case .data(_, let bytes, _): unsafe take(stream: bytes, traffic)
    case .datagram(let bytes, _): unsafe take(datagram: bytes, traffic)
    case .cutDatagram: unsafe take(datagram: nil, traffic)
    case .opened, .ended, .answered, .settings: break
    }
  }
}
