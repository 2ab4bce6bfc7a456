import Glibc

/// The three streams that every process starts with.
package enum StandardStream: Int32, Sendable {
  case input = 0
  case output = 1
  case error = 2

  /// Whether a person sits at it.
  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Writes all bytes to it.
  package func writeAll(_ bytes: [UInt8]) throws(SystemError) {
    try FileDescriptor.writeAll(bytes, to: rawValue)
  }

  /// Reads the next bytes, at most `limit`; empty at the end. Waits for them.
  package func read(limit: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = try check("read") { unsafe Glibc.read(rawValue, &bytes, limit) }
    bytes.removeLast(limit - count)
    return bytes
  }
}
