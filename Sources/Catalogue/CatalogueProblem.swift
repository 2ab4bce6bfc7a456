import KeyFiles

/// One thing that is wrong in the catalogue, and where.
package struct CatalogueProblem: Equatable, Sendable, CustomStringConvertible {
  /// What a problem means for the file.
  package enum Severity: Sendable {
    /// The file or folder is not taken.
    case error
    /// It is taken but for what is told.
    case warning
  }

  /// What it means for the file.
  package let severity: Severity
  /// The path of the file or folder, fit to be printed.
  package let path: String
  /// The line, counted from 1, if the problem is in one.
  package let line: Int?
  /// The character of the line, counted from 1, if the problem is at one.
  package let column: Int?
  /// What is wrong, without any text for persons that the file holds.
  package let message: String

  init(_ severity: Severity, path: [UInt8], place: (line: Int, column: Int)? = nil, _ message: String) {
    self.severity = severity
    self.path = PrintableText.of(String(decoding: path, as: UTF8.self), limit: .max)
    line = place?.line
    column = place?.column
    self.message = message
  }

  /// `PATH:LINE:COLUMN: reason`, in one line.
  package var description: String {
    [path, line.map(String.init), column.map(String.init)].compactMap { $0 }.joined(separator: ":") + ": " + message
  }
}
