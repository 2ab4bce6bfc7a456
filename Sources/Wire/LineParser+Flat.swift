// The JSON lines that programs write are flat objects of known members and plain values. Those are read here, in one
// pass without heap. Whatever looks like anything else, a fault above all, is left to JSONScanner: so there is no error
// here, and what is taken here means the same there, which Tests/WireTests/DecoderComparisonTests.swift compares.
//
//     flat   = "{" member *( "," member ) "}"       ; each name once; blanks around it, before a name and around a value
//     member = ( "type" / "target" / "app" / "id" ) ":" string
//            / "count" ":" whole / "time" ":" ( whole [ "." 1*9DIGIT ] / string )        ; names in quotes
//     string = %x22 1*( scalar of an id but %x22 and "\" ) %x22       ; nothing but its length can make it no id
//     whole  = "0" / %x31-39 *9DIGIT

extension LineParser {
  /// Reads a JSON line whose opening brace is at `start` into ``use``, which tells of nothing yet.
  ///
  /// - Returns: false if it is no flat object of a use; ``use`` and the scratch buffer are of no meaning then.
  /// - Complexity: O(n).
  mutating func readFlat(_ line: Bytes, from start: Int) -> Bool {
    var at = start + 1
    var action = line[start..<start]
    var target = action
    var hasCount = false
    repeat {
      guard let member = line.flatMember(at: &at) else { return false }
      switch member {
      case .type:
        guard action.isEmpty, let value = line.flatString(at: &at, IdRules.maxNameBytes) else { return false }
        action = value
      case .target:
        guard target.isEmpty, let value = line.flatString(at: &at, IdRules.maxNameBytes) else { return false }
        target = value
      case .app:
        guard unsafe use.app == nil, let value = line.flatString(at: &at, IdRules.maxNameBytes) else { return false }
        unsafe use.app = value.raw
      case .id:
        guard unsafe use.id == nil, let value = line.flatString(at: &at, IdRules.maxIdempotencyBytes) else {
          return false
        }
        unsafe use.id = value.raw
      case .count:
        guard !hasCount, let value = line.plainWhole(at: &at), (1...UInt64(Self.maxCount)).contains(value) else {
          return false
        }
        use.count = UInt32(value)
        hasCount = true
      case .time:
        guard use.time == nil, let value = line.plainSeconds(at: &at) ?? line.flatDate(at: &at) else { return false }
        use.time = value
      case .op, .seq: return false
      }
      line.skipJSONBlanks(at: &at)
    } while line.take(UInt8(ascii: ","), at: &at)
    guard line.take(UInt8(ascii: "}"), at: &at) else { return false }
    line.skipJSONBlanks(at: &at)
    guard at == line.count, !action.isEmpty, action[0] != UInt8(ascii: "#") else { return false }
    if !target.isEmpty {
      guard let joined = join(action, target) else { return false }
      action = joined
    }
    unsafe use.action = action.raw
    return true
  }

  /// Makes one id of a type and a target; nil if that can't be.
  private mutating func join(_ type: Bytes, _ target: Bytes) -> Bytes? {
    guard type.count + target.count < IdRules.maxNameBytes, type.firstIndex(of: UInt8(ascii: "#")) == nil else {
      return nil
    }
    scratch.removeAll()
    scratch.append(type)
    scratch.append(UInt8(ascii: "#"))
    scratch.append(target)
    return scratch.bytes(from: 0)
  }
}

// Inlined, so that the place in the line stays in a register.
extension Bytes {
  /// Reads the name of a member that means something, up to its value.
  @inline(__always)
  fileprivate func flatMember(at index: inout Int) -> JSONMember? {
    skipJSONBlanks(at: &index)
    // The shortest member is `"id":"a"`, and the end of the object comes after it.
    guard index <= count - 9, self[index] == UInt8(ascii: "\"") else { return nil }
    let word = word(at: index + 1)
    let length = word.flagsOfJSONSpecial.firstFlaggedByte
    guard length < 7, word &>> UInt64(8 * length) & 0xffff == 0x3a22 else { return nil }  // ":
    index += length + 3
    skipJSONBlanks(at: &index)
    return JSONMember(word, length)
  }

  /// Reads a string without escapes that is 1 to `maxBytes` bytes of what an id may hold.
  @inline(__always)
  fileprivate func flatString(at index: inout Int, _ maxBytes: Int) -> Bytes? {
    guard take(UInt8(ascii: "\""), at: &index) else { return nil }
    var end = endOfVisibleJSON(from: index)
    if end < count, self[end] >= 0x80 { end = endOfScalars(from: end) }
    guard end > index, end - index <= maxBytes, end < count, self[end] == UInt8(ascii: "\"") else { return nil }
    defer { index = end + 1 }
    return self[index..<end]
  }

  /// Where the run of what an id may hold but `"` and `\` ends, which begins at `start` with more than ASCII.
  @inline(never)
  private func endOfScalars(from start: Int) -> Int {
    var end = start
    while end < count, self[end] >= 0x80, let (value, length) = scalar(at: end), IdRules.isAllowed(value) {
      end = endOfVisibleJSON(from: end + length)
    }
    return end
  }

  @inline(never)
  fileprivate func flatDate(at index: inout Int) -> Int64? {
    flatString(at: &index, IdRules.maxNameBytes).flatMap { RFC3339.parse($0) }
  }

  /// Moves `index` behind the blanks of JSON that stand there.
  @inline(__always)
  func skipJSONBlanks(at index: inout Int) {
    while index < count, self[index] <= 0x20 {
      switch self[index] {
      case 0x20, 0x09, 0x0a, 0x0d: index += 1
      default: return
      }
    }
  }

  /// Moves `index` behind `byte` if that stands there.
  @inline(__always)
  func take(_ byte: UInt8, at index: inout Int) -> Bool {
    guard index < count, self[index] == byte else { return false }
    index += 1
    return true
  }
}
