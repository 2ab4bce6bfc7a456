import Posix

extension SettingsProblem {
  /// The problem in one line of printable text: file, line, section, key, what is wrong, what is allowed.
  package var message: String {
    var place = PrintableText.of(file, limit: .max)
    if let line { place += ":\(line)" }
    place += ":"
    if let section { place += " [\(PrintableText.of(section))]" }
    if let key { place += " \(PrintableText.of(key))" }
    switch fault {
    case .badValue(let value, let fault, let allowed):
      return "\(place)=\(PrintableText.of(value)): \(fault.words); allowed are \(allowed)"
    default:
      return section == nil && key == nil ? "\(place) \(words)" : "\(place): \(words)"
    }
  }

  private var words: String {
    switch fault {
    case .missing: "there is no such file"
    case .danglingLink: "a link to a file that does not exist"
    case .notAFile(let kind): "a \(kind.words), not a regular file"
    case .notAFolder: "not a folder"
    case .tooLarge(let limit): "larger than \(SizeText.print(limit))"
    case .system(let error): "can't \(error.operation) it: \(error.reason)"
    case .containsNUL: "contains a NUL byte"
    case .notUTF8: "not UTF-8"
    case .keyBeforeSection: "a key before the first section"
    case .encoding: "only UTF-8 is read"
    case .badLine(let line) where line.utf8.first == UInt8(ascii: ";"):
      "\"\(PrintableText.of(line))\" is neither a section, a key nor a comment; comments start with #"
    case .badLine(let line): "\"\(PrintableText.of(line))\" is neither [Section], Key=value nor # comment"
    case .badValue(_, let fault, let allowed): "\(fault.words); allowed are \(allowed)"
    case .unknownSection: "unknown section, ignored; there are \(SettingKey.sections.joined(separator: ", "))"
    case .unknownKey:
      "unknown key, ignored; there are \(SettingKey.keys(of: section ?? "").map(\.name).joined(separator: ", "))"
    case .setTwice(let earlier): "set again; the value in line \(earlier) is not used"
    case .furtherWarnings(let count): "\(count) further warnings left out"
    }
  }
}

extension ValueFault {
  fileprivate var words: String {
    switch self {
    case .notADuration: "not a duration"
    case .unknownUnit(let unit): "not a duration, \"\(PrintableText.of(unit))\" is no unit of time"
    case .infinite: "a duration that never ends is of no use here"
    case .signed: "a number without a sign is needed"
    case .notASize: "not a size"
    case .notANumber: "not a whole number"
    case .notAMode: "not an octal mode"
    case .outOfRange: "out of range"
    }
  }
}
