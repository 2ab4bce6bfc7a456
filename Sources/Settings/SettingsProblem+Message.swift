import KeyFiles

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
    case .file(let failure): failure.words
    case .notAFolder: "not a folder"
    case .list(let error): error.words
    case .syntax(.badLine(let line)): "\"\(PrintableText.of(line))\" is \(KeyFileFault.badLine(line).words)"
    case .syntax(let fault): fault.words
    case .badValue(_, let fault, let allowed): "\(fault.words); allowed are \(allowed)"
    case .unknownSection: "unknown section, ignored; there are \(SettingKey.sections.joined(separator: ", "))"
    case .unknownKey:
      "unknown key, ignored; there are \(SettingKey.keys(of: section ?? "").map(\.name).joined(separator: ", "))"
    case .setTwice(let earlier): "set again; the value in line \(earlier) is not used"
    case .furtherWarnings(let count): "\(count) further warnings left out"
    }
  }
}
