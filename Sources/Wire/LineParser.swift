/// Reads what a line means. One parser serves any number of streams, a line at a time.
///
///     line    = *blank ( json / plain ) / comment / *blank
///     comment = "#" *byte                  ; at the very first byte
///     json    = "{" …                      ; LineParser+JSON.swift
///     plain   = action …                   ; LineParser+Plain.swift
///     blank   = SP / HTAB
package struct LineParser: ~Copyable {
  /// Where ids are put together that do not lie in the line as they are meant.
  var scratch = Scratch()
  /// What the last line that was a use tells of it. It is kept here, as it is too large to be handed on from function to
  /// function with every line.
  package internal(set) var use = UseLine()

  /// A parser; it holds about 800 bytes of memory.
  package init() {}

  /// Reads one line, which comes without its line end.
  ///
  /// - Parameter visible: how many of its first bytes are known to be visible ASCII, as a cutter says it; 0 if nothing is
  ///   known.
  /// - Returns: what it means; slices in ``use`` are valid until the next call, and no longer than `line`.
  /// - Throws: why the line is refused. The code is the one of the first fault that a reader from left to right meets,
  ///   but in JSON the syntax of the whole line comes first.
  /// - Complexity: O(n). A good plain line, and a flat JSON line of known members, touch no heap.
  package mutating func parse(_ line: UnsafeRawBufferPointer, visible: Int = 0) throws(LineError) -> ParsedLine {
    let line = unsafe Bytes(line)
    use = UseLine()
    if line.isEmpty || line[0] == UInt8(ascii: "#") { return .nothing }
    if visible > 0, line[0] != UInt8(ascii: "{") {
      if visible < line.count || visible > IdRules.maxNameBytes {
        return try parsePlain(line, from: 0, visible: visible)
      }
      // The commonest line is an action and nothing else.
      unsafe use.action = line.raw
      return .use
    }
    var start = 0
    while line[start] == 0x20 || line[start] == 0x09 {
      start += 1
      if start == line.count { return .nothing }
    }
    return line[start] == UInt8(ascii: "{")
      ? try parseJSON(line, from: start) : try parsePlain(line, from: start, visible: start)
  }

  /// Most uses in one event.
  package static let maxCount: UInt32 = 1_000_000
}
