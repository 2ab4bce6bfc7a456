/// What is wrong with the text of a value.
package enum ValueFault: Error, Equatable, Sendable {
  /// Not written as a duration.
  case notADuration
  /// A duration with a unit that there is not.
  case unknownUnit(String)
  /// `infinity` where a duration has to end.
  case infinite
  /// A number with a sign.
  case signed
  /// Not written as a size.
  case notASize
  /// Not a whole number.
  case notANumber
  /// Not octal digits.
  case notAMode
  /// Neither yes nor no.
  case notASwitch
  /// None of the words that there are.
  case notAWord
  /// Not names of languages with colons between them.
  case notLanguages
  /// Well written, but outside what is allowed.
  case outOfRange
}

extension ValueFault {
  /// The fault in words.
  package var words: String {
    switch self {
    case .notADuration: "not a duration"
    case .unknownUnit(let unit): "not a duration, \"\(PrintableText.of(unit))\" is no unit of time"
    case .infinite: "a duration that never ends is of no use here"
    case .signed: "a number without a sign is needed"
    case .notASize: "not a size"
    case .notANumber: "not a whole number"
    case .notAMode: "not an octal mode"
    case .notASwitch: "neither yes nor no"
    case .notAWord: "none of the words that there are"
    case .notLanguages: "not a list of languages"
    case .outOfRange: "out of range"
    }
  }
}
