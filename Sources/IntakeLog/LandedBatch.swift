import Posix
import Ranking

/// What lies in the landing area of a log that was left behind: the last receive call, if it was armed in full.
@safe
struct LandedBatch {
  private let arming: Arming
  private let kind: Arming.Kind
  /// The memory of the whole log.
  private let bytes: UnsafeRawBufferPointer
  private let lengths: [UInt32]
  private let cut: [Bool]

  /// Whether there is a seal and it does not fit. An arming that is under way has none.
  static func isBroken(in bytes: UnsafeRawBufferPointer, identity: UInt64) -> Bool {
    let seal = unsafe bytes.load(fromByteOffset: LogLayout.sealPlace, as: UInt64.self)
    let arming = unsafe bytes.load(fromByteOffset: LogLayout.armingPlace, as: Arming.self)
    return seal != 0 && seal != arming.seal(identity: identity)
  }

  /// Nil if nothing has landed, or the arming was not finished.
  init?(in bytes: UnsafeRawBufferPointer, identity: UInt64) {
    unsafe self.bytes = bytes
    unsafe arming = bytes.load(fromByteOffset: LogLayout.armingPlace, as: Arming.self)
    let seal = unsafe bytes.load(fromByteOffset: LogLayout.sealPlace, as: UInt64.self)
    guard seal == arming.seal(identity: identity), let kind = Arming.Kind(rawValue: arming.kind),
      let base = bytes.baseAddress
    else { return nil }
    self.kind = kind
    let table = unsafe MessageTable(at: UnsafeMutableRawPointer(mutating: base) + LogLayout.messagesPlace)
    let all = (0..<(kind == .stream ? 1 : MessageTable.capacity)).prefix { table.length($0) != MessageTable.none }
    lengths = all.map(table.length)
    cut = all.map(table.isCut)
    if lengths.isEmpty || kind == .stream && lengths == [0] { return nil }
  }

  /// Where in the log the batch belongs.
  var offset: UInt64 { arming.offset }

  /// Whether the lengths are such as the kernel writes.
  var isSound: Bool {
    let most = kind == .stream ? LogLayout.streamSlotSize : LogLayout.slotSize
    return lengths.allSatisfy { $0 <= most } && offset % UInt64(RecordHeader.alignment) == 0
      && offset < UInt64.max / 2
  }

  /// Hands over the batch, which is sound, record by record; how many there were.
  func forEach(_ body: (LoggedRecord) -> Void) -> Int {
    for index in lengths.indices {
      let start = LogLayout.slotsPlace + index * LogLayout.slotSize
      let payload = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(lengths[index])])
      switch kind {
      case .stream: unsafe body(.data(connection: arming.connection, payload, arming.reading))
      case .datagrams where cut[index]: body(.cutDatagram(arming.reading))
      case .datagrams: unsafe body(.datagram(payload, arming.reading))
      }
    }
    return lengths.count
  }

  /// Where the log ends if the batch is copied to the ring.
  func end(capacity: Int) -> UInt64 {
    var end = offset
    for index in lengths.indices {
      let space = RecordHeader.space(cut[index] ? 0 : Int(lengths[index]))
      end = Ring.start(of: space, at: end, capacity: capacity) + UInt64(space)
    }
    return end
  }
}
