import Posix

/// Where things lie in the file: the superblock, the landing area, the ring.
///
/// ```
/// page 0        superblock: the constant part, then the two offsets that move, a cache line each
/// page 1        arming of the landing area, its seal, and the message table that the kernel fills in
/// 8 KiB …       landing: 16 slots of 64 KiB; the first 256 KiB of it are the one slot of a stream
/// 8 KiB + 1 MiB ring, to the end of the file
/// ```
enum LogLayout {
  static let page = 4096

  static let headPlace = 64
  static let tailPlace = 128

  static let armingPlace = page
  static let sealPlace = page + 64
  static let messagesPlace = page + 128
  static let slotsPlace = 2 * page

  static let slotSize = 65_536
  static let slotCount = MessageTable.capacity
  static let streamSlotSize = 4 * slotSize

  static let ringPlace = slotsPlace + slotSize * slotCount

  /// The most that one receive call can add to the ring: every slot full, and a gap at the ring's end.
  static let largestBatch = (slotCount + 1) * (RecordHeader.size + slotSize)
  /// Room that is kept for records that are noted, not received.
  static let reserve = 512 * 1024
}

/// The constant part of the superblock.
struct Superblock: Equatable {
  var magic: UInt64
  var version: UInt32
  /// Over this struct, with a 0 in this place.
  var checksum: UInt32
  var identity: UInt64
  /// Of the whole file, bytes.
  var size: UInt64

  /// "QAintake" in the machine's byte order: a file of a machine of the other order is not taken for ours.
  static let magic: UInt64 = 0x656b_6174_6e69_4151
  static let version: UInt32 = 1

  init(identity: UInt64, size: Int) {
    magic = Self.magic
    version = Self.version
    checksum = 0
    self.identity = identity
    self.size = UInt64(size)
    checksum = sum
  }

  private var sum: UInt32 {
    var copy = self
    copy.checksum = 0
    return unsafe withUnsafeBytes(of: copy) { unsafe crc32c($0) }
  }

  /// What is wrong with it, if anything.
  var damage: LogDamage? {
    if magic != Self.magic { return .notALog }
    if version != Self.version { return .unknownVersion(version) }
    guard checksum == sum, IntakeLog.sizes.contains(Int(clamping: size)), size % UInt64(LogLayout.page) == 0 else {
      return .superblock
    }
    return nil
  }
}
