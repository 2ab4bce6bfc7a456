import Ranking
import Wire

/// What a line of a trace says.
///
///     line = row / export / comment / ""
///     row = user TAB seconds TAB action         ; 1 to 255 bytes each of user and action, none a TAB
///     seconds = ["-"] 1*DIGIT ["." 1*DIGIT]     ; or a date and time of RFC 3339
///     export = "{" …                            ; a use in JSON, or an op, which says nothing here
///     comment = "#" *byte
enum TraceLine {
  /// Nothing that counts.
  case nothing
  /// A use in a trace's own form.
  case row(user: [UInt8], time: Int64, action: [UInt8])
  /// Some uses in the form of the daemon's export, all at one time.
  case exported(app: [UInt8], time: Int64, action: [UInt8], count: Int)

  /// Longest name of a user or of an action, in bytes.
  static let longestName = 255
  /// Times are within this of 1970, in nanoseconds, so that no difference of two overflows.
  static let farthestTime: Int64 = 1 << 62

  /// Reads a line, which comes without its line end.
  init(_ line: UnsafeRawBufferPointer, _ parser: inout LineParser) throws(TraceFault.Reason) {
    switch unsafe line.first {
    case nil, UInt8(ascii: "#"): self = .nothing
    case UInt8(ascii: "{"): self = unsafe try Self.exported(line, &parser)
    default: self = unsafe try Self.row(line)
    }
  }

  private static func row(_ line: UnsafeRawBufferPointer) throws(TraceFault.Reason) -> TraceLine {
    let columns = unsafe line.split(separator: 0x09, maxSplits: 3, omittingEmptySubsequences: false)
    guard unsafe columns.count == 3 else {
      throw .columns(unsafe line.reduce(1) { $0 + ($1 == 0x09 ? 1 : 0) })
    }
    guard unsafe (1...longestName).contains(columns[0].count) else { throw .user }
    guard unsafe (1...longestName).contains(columns[2].count) else { throw .action }
    let time = try? UseText.time(unsafe Array(columns[1]))
    return unsafe .row(user: Array(columns[0]), time: try checked(time), action: Array(columns[2]))
  }

  private static func exported(
    _ line: UnsafeRawBufferPointer, _ parser: inout LineParser
  ) throws(TraceFault.Reason) -> TraceLine {
    let parsed: ParsedLine
    do throws(LineError) { parsed = unsafe try parser.parse(line) } catch { throw .refused(error) }
    guard case .use = parsed else { return .nothing }
    let use = parser.use
    let app = unsafe use.app ?? DefaultApp.of(use.action)
    return unsafe .exported(
      app: Array(app), time: try checked(use.time), action: Array(use.action), count: Int(use.count))
  }

  private static func checked(_ time: Int64?) throws(TraceFault.Reason) -> Int64 {
    guard let time, time.magnitude <= farthestTime.magnitude else { throw .time }
    return time
  }
}
