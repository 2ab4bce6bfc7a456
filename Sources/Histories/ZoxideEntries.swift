import Wire

/// The database of zoxide, version 3, as its library bincode writes it: numbers in their full size, lowest byte first.
///
///     database = version count *entry      ; u32, u64
///     entry    = length path rank time     ; u64, that many bytes, f64, u64 of Unix seconds
///
/// An entry has one use of `APP.cd#PATH` with the rank as its count. What makes it the same one later is its path
/// alone: rank and time change with every visit, and those visits would be counted twice.
struct ZoxideEntries: HistoryEntries {
  /// What the file begins with.
  static let signature: [UInt8] = [3, 0, 0, 0]

  private let bytes: [UInt8]
  private let prefix: [UInt8]
  private let app: [UInt8]
  private var at = 0
  private var number = 0
  /// How many entries are still to come; nil before the first.
  private var left: UInt64?

  init(_ bytes: [UInt8], app: [UInt8]) {
    self.bytes = bytes
    self.app = app
    prefix = app + Array(".cd#".utf8)
  }

  mutating func next() -> HistoryEntry? {
    if left == nil {
      let version = take(4)
      guard version == 3 else { return stop(version.map { .version(UInt32($0)) } ?? .cutShort) }
      guard let count = take(8) else { return stop(.cutShort) }
      left = count
    }
    guard let left, left > 0 else { return at == bytes.count ? nil : stop(.trailingBytes(bytes.count - at)) }
    guard let length = take(8), length <= UInt64(bytes.count - at) else { return stop(.cutShort) }
    let path = at..<at + Int(length)
    at = path.upperBound
    guard let rank = take(8), let seconds = take(8) else { return stop(.cutShort) }
    self.left = left - 1
    number += 1
    return HistoryEntry(number, path) { () throws(HistoryFault) in
      let rank = Double(bitPattern: rank).rounded()
      guard (0...1_000_000).contains(rank) else { throw .rank }
      guard let seconds = Int64(exactly: seconds) else { throw .time }
      let action = prefix + UseText.escaped(Array(bytes[path]), limit: CommandName.longest)
      // A rank that has aged to less than a half was a visit once.
      let count = max(UInt32(rank), 1)
      return .use(try HistoryUse(action, app: app, count: count, time: nanoseconds(seconds)))
    }
  }

  /// The next `count` bytes as a number; nil if there are fewer.
  private mutating func take(_ count: Int) -> UInt64? {
    guard bytes.count - at >= count else { return nil }
    defer { at += count }
    return bytes[at..<at + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The last entry: nothing behind it can be read.
  private mutating func stop(_ fault: HistoryFault) -> HistoryEntry {
    let rest = at..<bytes.count
    (at, left) = (bytes.count, 0)
    return HistoryEntry(number + 1, rest) { () throws(HistoryFault) in throw fault }
  }
}
