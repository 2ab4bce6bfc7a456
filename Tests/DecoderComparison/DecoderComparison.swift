import Wire

/// Holds what a JSON line means for the daemon against what Foundation's `JSONDecoder` reads in it.
///
/// They differ on purpose in this only:
/// - A name that comes twice in one object is refused by us; the decoder takes one of the two and skips the other,
///   whatever its value holds.
/// - A comma before the end of an object or an array is refused by us only.
/// - We refuse more than 128 objects and arrays within each other, the decoder more than 512.
/// - A number beyond `Double` is refused by the decoder; we take it as a time, held within Int64, and where it is ignored.
/// - A 0 with an exponent right after it (0e3) is refused by the decoder, though it is JSON.
/// - What a use may say, the daemon has rules of its own for: their codes are not `invalidJSON`.
package struct DecoderComparison: ~Copyable {
  private var parser = LineParser()
  /// How many lines were uses, and how many were no JSON, for both.
  package private(set) var usesAlike = 0
  package private(set) var refusedAlike = 0

  package init() {}

  /// Compares one line that begins with a brace.
  ///
  /// - Returns: in what they differ; nil if they agree.
  package mutating func difference(in line: [UInt8]) -> String? {
    let object = DecodedObject(line)
    return unsafe line.withUnsafeBytes { bytes in
      do throws(LineError) {
        let parsed = unsafe try parser.parse(bytes)
        guard let object else { return hasNumberForUsOnly(line) ? nil : "the decoder refuses what we take" }
        guard case .use = parsed else { return nil }
        usesAlike += 1
        return valueDifference(parser.use, object)
      } catch {
        guard case .json(let fault) = error.reason else { return nil }
        guard let object else {
          refusedAlike += 1
          return nil
        }
        let isOnPurpose =
          fault == .tooDeep || object.memberCount < colonCount(line) || isAfterComma(error.position, line)
        return isOnPurpose ? nil : "we refuse what the decoder takes: \(fault)"
      }
    }
  }
}

private func valueDifference(_ use: UseLine, _ object: DecodedObject) -> String? {
  guard case .string(var action)? = object["type"] else { return "the type" }
  if let target = object["target"] {
    guard case .string(let target) = target else { return "the target" }
    action += "#" + target
  }
  // Bytes, as strings are equal also if they are only canonically so.
  if unsafe !use.action.elementsEqual(action.utf8) { return "the action" }
  if unsafe !isSame(use.app, object["app"]) { return "the app" }
  if unsafe !isSame(use.id, object["id"]) { return "the id" }
  switch object["count"] {
  case nil: if use.count != 1 { return "no count" }
  case .number(let count)?: if Double(use.count) != count { return "the count" }
  default: return "a count of another kind"
  }
  switch object["time"] {
  case nil: if use.time != nil { return "no time" }
  case .number(let seconds)?: if !isSame(use.time, seconds) { return "the time" }
  case .string(let date)?: if use.time != RFC3339.parse(date) { return "the date" }
  default: return "a time of another kind"
  }
  return nil
}

private func isSame(_ bytes: UnsafeRawBufferPointer?, _ value: DecodedValue?) -> Bool {
  guard let bytes = unsafe bytes else { return value == nil }
  guard case .string(let text)? = value else { return false }
  return unsafe bytes.elementsEqual(text.utf8)
}

/// As exactly as a `Double` can say it.
private func isSame(_ nanoseconds: Int64?, _ seconds: Double) -> Bool {
  guard let nanoseconds else { return false }
  let exact = min(max(seconds * 1e9, -0x1p63), 0x1p63)
  return abs(Double(nanoseconds) - exact) <= 1 + abs(exact) * 1e-15
}

/// The colons outside of strings: as many as there are members in a text that the decoder takes.
private func colonCount(_ line: [UInt8]) -> Int {
  var (count, isInString, isEscaped) = (0, false, false)
  for byte in line {
    if isEscaped {
      isEscaped = false
    } else if isInString {
      isEscaped = byte == UInt8(ascii: "\\")
      isInString = byte != UInt8(ascii: "\"")
    } else {
      isInString = byte == UInt8(ascii: "\"")
      if byte == UInt8(ascii: ":") { count += 1 }
    }
  }
  return count
}

/// Whether a fault is that an object or an array ends after a comma; places are counted from 1.
private func isAfterComma(_ position: Int?, _ line: [UInt8]) -> Bool {
  guard let position, position <= line.count, "]}".utf8.contains(line[position - 1]) else { return false }
  return line[..<(position - 1)].last { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: ",")
}

/// Whether some run of the bytes that numbers are made of says a number too large or too small for `Double`, or begins with
/// a 0 and an exponent.
private func hasNumberForUsOnly(_ line: [UInt8]) -> Bool {
  line.split { !"0123456789+-.eE".utf8.contains($0) }.contains { run in
    if run.first == UInt8(ascii: "0"), let next = run.dropFirst().first, next | 0x20 == UInt8(ascii: "e") {
      return true
    }
    guard let value = Double(String(decoding: run, as: UTF8.self)) else { return false }
    return !value.isNormal && run.prefix { $0 | 0x20 != 0x65 }.contains { (0x31...0x39).contains($0) }
  }
}
