/// Reads the rows that lie in one page of a b-tree, or begin there.
///
/// Nothing is believed: every offset and length is held against the page, and whether a row is one is for its checksum
/// to say. (https://www.sqlite.org/fileformat2.html, sections 1.6 and 2.1.)
@safe
struct PageReader {
  /// The kinds of page that hold rows.
  enum Kind: UInt8, CaseIterable {
    case tableLeaf = 13
    case indexLeaf = 10
    case indexInterior = 2

    /// How much of a row lies in the page; the rest lies in a chain of overflow pages.
    fileprivate func bytesInPage(of length: Int) -> Int {
      let usable = DatabaseHeader.pageSize
      let most = self == .tableLeaf ? usable - 35 : (usable - 12) * 64 / 255 - 23
      if length <= most { return length }
      let least = (usable - 12) * 32 / 255 - 23
      let bytes = least + (length - least) % (usable - 4)
      return bytes <= most ? bytes : least
    }
  }

  /// Gives another page by its number, for the rows that go on there.
  typealias Others = (UInt32) -> ArraySlice<UInt8>?

  private let page: UnsafeRawBufferPointer
  private let size: Int
  /// Where the b-tree's header begins: after the file's own header in page 1.
  private let header: Int

  /// No row of ours is longer.
  private static let longestRow: Int64 = 1 << 21

  /// - Parameter page: has to stay for as long as this is used.
  init(_ page: UnsafeRawBufferPointer, number: UInt32) {
    unsafe self.page = page
    size = page.count
    header = number == 1 ? 100 : 0
  }

  /// What the page says that it is; nil if it is too short, or of no kind that holds rows.
  var kind: Kind? { size == DatabaseHeader.pageSize ? Kind(rawValue: byte(header)) : nil }

  /// How many rows it says that it holds.
  var rowCount: Int { word(header + 3) }

  /// The page of what comes before a row of an interior page, or behind the last one; nil if there is no such row.
  func child(before place: Int) -> UInt32? {
    if place == rowCount { return bigEndian(header + 8) }
    return offset(place, .indexInterior).flatMap { bigEndian($0) }
  }

  /// Where a page of a kind says that one of its rows lies; nil if that would be said behind its end.
  @inline(__always)
  private func offset(_ place: Int, _ kind: Kind) -> Int? {
    let pointer = header + (kind == .indexInterior ? 12 : 8) + place * 2
    return pointer + 2 <= size ? word(pointer) : nil
  }

  /// Reads one of the rows of a page that is of a kind; false if it makes no sense.
  @inline(__always)
  func read(_ place: Int, _ kind: Kind, into row: PageRow, others: Others) -> Bool {
    guard let offset = offset(place, kind) else { return false }
    return read(kind, at: offset, into: row, others)
  }

  /// Calls `body` with every row, which says whether it is a sound one; returns whether all were.
  func eachRow(others: Others, _ body: (PageRow) -> Bool) -> Bool {
    guard size == DatabaseHeader.pageSize else { return false }
    if let kind {
      let (sound, damaged) = read(kind, others, body)
      if damaged == 0 { return true }
      if sound > 0 { return false }
    }
    // The byte that says of which kind the page is may be the one that is damaged.
    for kind in Kind.allCases where read(kind, others, body).sound > 0 { break }
    return false
  }

  private func read(_ kind: Kind, _ others: Others, _ body: (PageRow) -> Bool) -> (sound: Int, damaged: Int) {
    var (sound, damaged) = (0, 0)
    let row = PageRow()
    for place in 0..<rowCount {
      guard let offset = offset(place, kind) else { return (sound, damaged + 1) }
      if read(kind, at: offset, into: row, others), body(row) { sound += 1 } else { damaged += 1 }
    }
    return (sound, damaged)
  }

  @inline(__always)
  private func read(_ kind: Kind, at offset: Int, into row: PageRow, _ others: Others) -> Bool {
    var position = offset + (kind == .indexInterior ? 4 : 0)
    guard let length = number(&position), (1...Self.longestRow).contains(length) else { return false }
    var rowID: Int64?
    if kind == .tableLeaf {
      guard let number = number(&position) else { return false }
      rowID = number
    }
    let inPage = kind.bytesInPage(of: Int(length))
    guard position + inPage <= size else { return false }
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: page[position..<position + inPage])
    if inPage == length { return unsafe row.read(bytes, rowID: rowID) }
    let rest = unsafe Array(page[(position + inPage)...].prefix(4))
    let whole = unsafe Self.whole(Array(bytes), Int(length), rest[...], others)
    return whole.map { row.read(whole: $0, rowID: rowID) } ?? false
  }

  /// A row with what lies of it in overflow pages; nil if their chain is broken.
  ///
  /// - Parameter pointer: the number of the first of them.
  private static func whole(
    _ start: [UInt8], _ length: Int, _ pointer: ArraySlice<UInt8>, _ others: Others
  ) -> [UInt8]? {
    var bytes = start
    var pointer = pointer
    while bytes.count < length {
      let next = pointer.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
      guard pointer.count == 4, next > 0, let page = others(next) else { return nil }
      pointer = page.prefix(4)
      bytes += page.dropFirst(4).prefix(length - bytes.count)
    }
    return bytes
  }

  private func byte(_ offset: Int) -> UInt8 { unsafe page[offset] }
  @inline(__always)
  private func word(_ offset: Int) -> Int { Int(byte(offset)) << 8 | Int(byte(offset + 1)) }
  private func bigEndian(_ offset: Int) -> UInt32? {
    guard offset + 4 <= size else { return nil }
    return unsafe UInt32(bigEndian: page.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  @inline(__always)
  private func number(_ position: inout Int) -> Int64? { unsafe PageRow.number(page, &position) }
}

/// One row as it lies in a page: a header of types, then the values. Valid for as long as its page is, and until it becomes
/// another row.
@safe
final class PageRow: RowSource {
  private struct Column: BitwiseCopyable {
    var type: UInt32 = 0
    var start: UInt32 = 0
  }

  private var bytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  private var size = 0
  /// Holds the bytes of a row that is not in one piece in a page.
  private var owner: Whole?
  /// The type and the place of each column.
  private var columns = InlineArray<32, Column>(repeating: Column())
  private(set) var count = 0
  /// What stands for the column that is the row's number, which is the first one.
  private var rowID: Int64?

  @safe
  private final class Whole {
    let bytes: UnsafeMutableRawBufferPointer

    init(_ row: [UInt8]) {
      unsafe bytes = .allocate(byteCount: row.count, alignment: 8)
      unsafe bytes.copyBytes(from: row)
    }

    deinit { unsafe bytes.deallocate() }
  }

  init() {}

  fileprivate func read(whole: [UInt8], rowID: Int64?) -> Bool {
    let owner = Whole(whole)
    let isRow = unsafe read(UnsafeRawBufferPointer(owner.bytes), rowID: rowID)
    self.owner = owner
    return isRow
  }

  /// Becomes the row that these bytes are; false if they are none.
  @inline(__always)
  fileprivate func read(_ bytes: UnsafeRawBufferPointer, rowID: Int64?) -> Bool {
    unsafe self.bytes = bytes
    size = bytes.count
    owner = nil
    self.rowID = rowID
    count = 0
    var index = 0
    guard let length = unsafe Self.number(bytes, &index), length >= 1, length <= size else { return false }
    var value = Int(length)
    while index < length {
      guard let type = unsafe Self.number(bytes, &index), let length = Self.size(of: type), count < columns.count
      else { return false }
      columns[count] = Column(type: UInt32(truncatingIfNeeded: type), start: UInt32(truncatingIfNeeded: value))
      count += 1
      value += length
      if value > size { return false }
    }
    return true
  }

  /// A number of 1 to 9 bytes, 7 bits in each but the ninth.
  @inline(__always)
  fileprivate static func number(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Int64? {
    if index < bytes.count, unsafe bytes[index] < 0x80 {
      defer { index += 1 }
      return unsafe Int64(bytes[index])
    }
    return unsafe longNumber(bytes, &index)
  }

  private static func longNumber(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Int64? {
    var value: UInt64 = 0
    for place in 0..<9 {
      guard index < bytes.count else { return nil }
      let byte = unsafe bytes[index]
      index += 1
      if place == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { break }
    }
    return Int64(bitPattern: value)
  }

  @inline(__always)
  private static func size(of type: Int64) -> Int? {
    switch type {
    case 0, 8, 9: 0
    case 1...4: Int(type)
    case 5: 6
    case 6, 7: 8
    case 12...(1 << 22): Int(type - 12) / 2
    default: nil
    }
  }

  /// The type of a column; nil if there is no such column.
  @inline(__always)
  private func type(_ column: Int) -> Int64? { column < count ? Int64(columns[column].type) : nil }

  /// What a column holds, as a number of so many bytes, with its sign.
  @inline(__always)
  private func number(_ column: Int, bytes length: Int) -> Int64 {
    let start = Int(columns[column].start)
    if start + 8 <= size {
      let word = unsafe Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int64.self))
      return word >> Int64(64 - 8 * length)
    }
    var word: UInt64 = 0
    for place in start..<start + length { word = unsafe word << 8 | UInt64(bytes[place]) }
    return Int64(bitPattern: word << UInt64(64 - 8 * length)) >> Int64(64 - 8 * length)
  }

  func isNull(_ column: Int) -> Bool { type(column) == 0 && !(column == 0 && rowID != nil) }

  @inline(__always)
  func integer(_ column: Int) -> Int64? {
    switch type(column) {
    case 0: column == 0 ? rowID : nil
    case 8: 0
    case 9: 1
    case let type? where 1...6 ~= type: number(column, bytes: Self.size(of: type) ?? 8)
    default: nil
    }
  }

  /// SQLite keeps whole numbers in a REAL column as integers.
  @inline(__always)
  func real(_ column: Int) -> Double? {
    switch type(column) {
    case 7: Double(bitPattern: UInt64(bitPattern: number(column, bytes: 8)))
    case 0, nil: nil
    default: integer(column).map { Double($0) }
    }
  }

  func text(_ column: Int) -> [UInt8]? { unsafe value(column, remainder: 1).map { unsafe Array($0) } }
  func blob(_ column: Int) -> [UInt8]? { unsafe value(column, remainder: 0).map { unsafe Array($0) } }

  /// An id where it lies.
  @inline(__always)
  func rawID(_ column: Int) -> UnsafeRawBufferPointer? {
    guard let bytes = unsafe value(column, remainder: 1), unsafe isID(bytes) else { return nil }
    return unsafe bytes
  }

  @inline(__always)
  private func value(_ column: Int, remainder: Int64) -> UnsafeRawBufferPointer? {
    guard let type = type(column), type >= 12, type % 2 == remainder, let length = Self.size(of: type)
    else { return nil }
    let start = Int(columns[column].start)
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
  }

  @inline(__always)
  func words(_ column: Int) -> SIMD4<UInt64>? {
    guard let bytes = unsafe value(column, remainder: 0) else { return nil }
    return unsafe SIMD4(littleEndian: bytes)
  }
}
