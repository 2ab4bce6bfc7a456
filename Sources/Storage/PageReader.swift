/// Reads the rows that lie in one page of a b-tree, or begin there, without the tree around it.
///
/// Nothing is believed: every offset and length is held against the page, and whether a row is one is for its checksum
/// to say. (https://www.sqlite.org/fileformat2.html, sections 1.6 and 2.1.)
struct PageReader {
  /// The kinds of page that hold rows.
  private enum Kind: UInt8, CaseIterable {
    case tableLeaf = 13
    case indexLeaf = 10
    case indexInterior = 2

    /// How much of a row lies in the page; the rest lies in a chain of overflow pages.
    func bytesInPage(of length: Int) -> Int {
      let usable = DatabaseHeader.pageSize
      let most = self == .tableLeaf ? usable - 35 : (usable - 12) * 64 / 255 - 23
      if length <= most { return length }
      let least = (usable - 12) * 32 / 255 - 23
      let bytes = least + (length - least) % (usable - 4)
      return bytes <= most ? bytes : least
    }
  }

  /// The page; its indices begin anywhere.
  private let page: ArraySlice<UInt8>
  /// Where the b-tree's header begins: after the file's own header in page 1.
  private let header: Int

  /// No row of ours is longer.
  private static let longestRow: Int64 = 1 << 21

  init(_ page: ArraySlice<UInt8>, number: UInt32) {
    self.page = page
    header = number == 1 ? 100 : 0
  }

  /// Calls `body` with every row, which says whether it is a sound one; returns whether all were.
  ///
  /// - Parameter others: gives another page, for the rows that go on there.
  func eachRow(others: (UInt32) -> ArraySlice<UInt8>?, _ body: (PageRow) -> Bool) -> Bool {
    guard page.count == DatabaseHeader.pageSize else { return false }
    if let kind = Kind(rawValue: byte(header)) {
      let (sound, damaged) = read(kind, others, body)
      if damaged == 0 { return true }
      if sound > 0 { return false }
    }
    // The byte that says of which kind the page is may be the one that is damaged.
    for kind in Kind.allCases where read(kind, others, body).sound > 0 { break }
    return false
  }

  private func read(
    _ kind: Kind, _ others: (UInt32) -> ArraySlice<UInt8>?, _ body: (PageRow) -> Bool
  ) -> (sound: Int, damaged: Int) {
    var (sound, damaged) = (0, 0)
    let pointers = header + (kind == .indexInterior ? 12 : 8)
    for place in 0..<word(header + 3) {
      let pointer = pointers + place * 2
      guard pointer + 2 <= page.count else { return (sound, damaged + 1) }
      if let row = row(kind, at: word(pointer), others), body(row) { sound += 1 } else { damaged += 1 }
    }
    return (sound, damaged)
  }

  private func row(_ kind: Kind, at offset: Int, _ others: (UInt32) -> ArraySlice<UInt8>?) -> PageRow? {
    var position = offset + (kind == .indexInterior ? 4 : 0)
    guard let length = number(&position), (1...Self.longestRow).contains(length) else { return nil }
    var rowID: Int64?
    if kind == .tableLeaf {
      guard let number = number(&position) else { return nil }
      rowID = number
    }
    let inPage = kind.bytesInPage(of: Int(length))
    guard position + inPage <= page.count else { return nil }
    let start = page.startIndex + position
    let bytes = page[start..<start + inPage]
    if inPage == length { return PageRow(bytes, rowID: rowID) }
    let whole = Self.whole(Array(bytes), Int(length), page[(start + inPage)...], others)
    return whole.flatMap { PageRow($0[...], rowID: rowID) }
  }

  /// A row with what lies of it in overflow pages; nil if their chain is broken.
  ///
  /// - Parameter pointer: begins with the number of the first of them.
  private static func whole(
    _ start: [UInt8], _ length: Int, _ pointer: ArraySlice<UInt8>, _ others: (UInt32) -> ArraySlice<UInt8>?
  ) -> [UInt8]? {
    var bytes = start
    var pointer = pointer.prefix(4)
    while bytes.count < length {
      let next = pointer.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
      guard pointer.count == 4, next > 0, let page = others(next) else { return nil }
      pointer = page.prefix(4)
      bytes += page.dropFirst(4).prefix(length - bytes.count)
    }
    return bytes
  }

  private func byte(_ offset: Int) -> UInt8 { page[page.startIndex + offset] }
  private func word(_ offset: Int) -> Int { Int(byte(offset)) << 8 | Int(byte(offset + 1)) }
  private func number(_ position: inout Int) -> Int64? {
    var index = page.startIndex + min(position, page.count)
    defer { position = index - page.startIndex }
    return PageRow.number(page, &index)
  }
}

/// One row as it lies in a page: a header of types, then the values.
struct PageRow: RowSource {
  private let bytes: ArraySlice<UInt8>
  /// The type and the place of each column.
  private var columns: [(type: Int64, start: Int)] = []
  /// What stands for the column that is the row's number, which is the first one.
  private let rowID: Int64?

  /// More columns than any table of ours has.
  private static let mostColumns = 32

  init?(_ bytes: ArraySlice<UInt8>, rowID: Int64?) {
    self.bytes = bytes
    self.rowID = rowID
    var index = bytes.startIndex
    guard let length = Self.number(bytes, &index), length >= 1, length <= bytes.count else { return nil }
    let end = bytes.startIndex + Int(length)
    var value = end
    while index < end {
      guard let type = Self.number(bytes, &index), let size = Self.size(of: type), columns.count < Self.mostColumns
      else { return nil }
      columns.append((type, value))
      value += size
      if value > bytes.endIndex { return nil }
    }
  }

  var count: Int { columns.count }

  /// A number of 1 to 9 bytes, 7 bits in each but the ninth.
  static func number(_ bytes: ArraySlice<UInt8>, _ index: inout Int) -> Int64? {
    var value: UInt64 = 0
    for place in 0..<9 {
      guard index < bytes.endIndex else { return nil }
      let byte = bytes[index]
      index += 1
      if place == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { break }
    }
    return Int64(bitPattern: value)
  }

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

  private func word(_ column: Int) -> UInt64 {
    let (type, start) = columns[column]
    return bytes[start..<start + (Self.size(of: type) ?? 0)].reduce(0) { $0 << 8 | UInt64($1) }
  }

  func isNull(_ column: Int) -> Bool {
    columns.indices.contains(column) && columns[column].type == 0 && !(column == 0 && rowID != nil)
  }

  func integer(_ column: Int) -> Int64? {
    guard columns.indices.contains(column) else { return nil }
    switch columns[column].type {
    case 0: return column == 0 ? rowID : nil
    case 8: return 0
    case 9: return 1
    case 1...6:
      let bits = 64 - 8 * (Self.size(of: columns[column].type) ?? 8)
      return Int64(bitPattern: word(column) << UInt64(bits)) >> Int64(bits)
    default: return nil
    }
  }

  /// SQLite keeps whole numbers in a REAL column as integers.
  func real(_ column: Int) -> Double? {
    guard columns.indices.contains(column) else { return nil }
    if columns[column].type == 7 { return Double(bitPattern: word(column)) }
    return columns[column].type == 0 ? nil : integer(column).map { Double($0) }
  }

  func text(_ column: Int) -> [UInt8]? { value(column, remainder: 1) }
  func blob(_ column: Int) -> [UInt8]? { value(column, remainder: 0) }

  private func value(_ column: Int, remainder: Int64) -> [UInt8]? {
    guard columns.indices.contains(column) else { return nil }
    let (type, start) = columns[column]
    guard type >= 12, type % 2 == remainder, let size = Self.size(of: type) else { return nil }
    return Array(bytes[start..<start + size])
  }

  func words(_ column: Int) -> SIMD4<UInt64>? {
    guard let bytes = blob(column), bytes.count == 32 else { return nil }
    var words = SIMD4<UInt64>()
    for (place, byte) in bytes.enumerated() { words[place / 8] |= UInt64(byte) << UInt64(place % 8 * 8) }
    return words
  }
}
