import Posix
import Ranking

/// What the landing area was armed for: who was asked, when, and at which end of the log.
struct Arming {
  enum Kind: UInt64 { case stream = 1, datagrams }

  /// The tail at the time: once that has moved, what has landed is in the ring.
  var offset: UInt64
  var connection: UInt64
  var boot: Int64
  var wall: Int64
  var kind: UInt64

  static let size = 40

  init(_ kind: Kind, connection: UInt64, at offset: UInt64, reading: ClockReading) {
    self.offset = offset
    self.connection = connection
    boot = reading.boot
    wall = reading.wall
    self.kind = kind.rawValue
  }

  var reading: ClockReading { ClockReading(boot: boot, wall: wall) }

  /// Never 0, which stands for an arming that is under way.
  func seal(identity: UInt64) -> UInt64 {
    let start = UInt32(truncatingIfNeeded: identity)
    return unsafe withUnsafeBytes(of: self) { UInt64(unsafe crc32c($0, after: start)) } | 1 << 32
  }
}

/// The place where the kernel puts what it takes from a socket, with its own record of how much.
///
/// The message table lies in the file as well, and the kernel writes the received lengths into it before the call
/// returns; a process that is killed ends before the call or after it. So there is no instant in which bytes have left
/// the socket and the file does not say so.
///
/// The kernel would break this rule only if a page of the area were missing while a kill is pending, as it then gives
/// up in the middle; so the area is made present at the start, and locked where that is allowed.
@safe
struct Landing {
  private let base: UnsafeMutableRawPointer
  private let table: MessageTable
  /// How many messages the last call brought.
  private var used = 0

  /// Lays the area out in the file's memory.
  init(in base: UnsafeMutableRawPointer) {
    unsafe self.base = base
    unsafe table = MessageTable(
      at: base + LogLayout.messagesPlace, slots: base + LogLayout.slotsPlace, size: LogLayout.slotSize)
  }

  /// Makes ready for a receive call whose bytes will belong where the log ends now.
  ///
  /// The lengths of the last call are taken back before the seal makes them mean anything again.
  mutating func arm(_ arming: Arming, room: Int, identity: UInt64) {
    let sealPlace = unsafe (base + LogLayout.sealPlace).assumingMemoryBound(to: UInt64.self)
    unsafe storeInOrder(0, to: sealPlace)
    table.clear(first: used)
    table.setRoomForFirst(room)
    used = 0
    unsafe base.storeBytes(of: arming, toByteOffset: LogLayout.armingPlace, as: Arming.self)
    unsafe storeInOrder(arming.seal(identity: identity), to: sealPlace)
  }

  /// Puts zeros in the place of what the last call brought, which is in the ring by now.
  mutating func wipe() {
    unsafe storeInOrder(0, to: (base + LogLayout.sealPlace).assumingMemoryBound(to: UInt64.self))
    table.clear(first: used)
    used = 0
    unsafe (base + LogLayout.slotsPlace).initializeMemory(
      as: UInt8.self, repeating: 0, count: LogLayout.slotSize * LogLayout.slotCount)
  }

  /// Asks the kernel; how many messages came, nil if nothing waits.
  mutating func receive(from descriptor: Int32, atMost count: Int) throws(SystemError) -> Int? {
    let received = try table.receive(from: descriptor, atMost: count)
    used = received ?? 0
    return received
  }

  /// What has landed in a slot; nil if it was cut to the slot's size.
  func bytes(_ index: Int) -> UnsafeRawBufferPointer? {
    precondition(index < used, "no such message came")
    if table.isCut(index) { return nil }
    return unsafe UnsafeRawBufferPointer(
      start: base + LogLayout.slotsPlace + index * LogLayout.slotSize, count: Int(table.length(index)))
  }
}
