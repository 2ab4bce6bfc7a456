/// Reads what a line means. One parser serves any number of streams, a line at a time.
///
///     line    = *blank ( json / plain ) / comment / *blank
///     comment = "#" *byte                  ; at the very first byte
///     json    = "{" …                      ; LineParser+JSON.swift
///     plain   = action …                   ; LineParser+Plain.swift
///     blank   = SP / HTAB
package struct LineParser: ~Copyable {
  var scratch = Scratch()

  /// A parser; it holds about 800 bytes of memory.
  package init() {}

  /// Reads one line, which comes without its line end.
  ///
  /// - Returns: what it means; slices in it are valid until the next call, and no longer than `line`.
  /// - Throws: why the line is refused. The code is the one of the first fault that a reader from left to right meets,
  ///   but in JSON the syntax of the whole line comes first.
  /// - Complexity: O(n). A good plain line, and a flat JSON line of known members, touch no heap.
  package mutating func parse(_ line: UnsafeRawBufferPointer) throws(LineError) -> ParsedLine {
    let line = unsafe Bytes(line)
    if line.isEmpty || line[0] == UInt8(ascii: "#") { return .nothing }
    var start = 0
    while line[start] == 0x20 || line[start] == 0x09 {
      start += 1
      if start == line.count { return .nothing }
    }
    return line[start] == UInt8(ascii: "{") ? try parseJSON(line, from: start) : try parsePlain(line, from: start)
  }

  /// Most uses in one event.
  package static let maxCount: UInt32 = 1_000_000
}
