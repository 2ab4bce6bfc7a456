private import CPosix
import Glibc

/// What a terminal is made to do, and is freed of again.
package struct TerminalMode {
  private let stream: StandardStream
  private let before: termios

  /// Has a terminal give each key at once, without showing it, Ctrl-C and its like as bytes; nil if it is no terminal.
  ///
  /// The corresponding C function is `tcsetattr`.
  package init?(readingKeysOf stream: StandardStream) {
    var mode = termios()
    guard unsafe tcgetattr(stream.rawValue, &mode) == 0 else { return nil }
    (self.stream, before) = (stream, mode)
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    guard unsafe tcsetattr(stream.rawValue, TCSANOW, &mode) == 0 else { return nil }
  }

  /// Makes the terminal what it was before.
  package func restore() {
    var mode = before
    unsafe _ = tcsetattr(stream.rawValue, TCSANOW, &mode)
  }
}

extension StandardStream {
  /// How many columns and rows the terminal has; nil if it is none, or does not know.
  ///
  /// The corresponding C function is `ioctl` with TIOCGWINSZ.
  package var size: (columns: Int, rows: Int)? {
    var (columns, rows): (UInt16, UInt16) = (0, 0)
    guard unsafe cposix_terminal_size(rawValue, &columns, &rows) == 0, columns > 0, rows > 0 else { return nil }
    return (Int(columns), Int(rows))
  }
}
