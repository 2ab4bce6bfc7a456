private import KeyFiles

/// The languages that a person reads, and which of the texts there are serves best.
///
/// A locale is LANG[_COUNTRY][.ENCODING][@MODIFIER], and as the Desktop Entry Specification has it, it is served by the
/// texts for LANG_COUNTRY@MODIFIER, LANG_COUNTRY, LANG@MODIFIER and LANG, in this order, and the encoding does not
/// count. Names with `-` are the same as with `_`, also with a script (`zh-Hans-CN`), and letters of either case are
/// alike. Where names with a script are used instead of countries and modifiers, those serve, too: `zh_TW` is served by
/// `zh-Hant` before `zh`, and `sr@latin` by `sr-Latn`.
package struct Languages: Equatable, Sendable {
  /// How many locales of a list count.
  private static let limit = 32

  /// The normalized names that serve, the best first.
  let names: [String]

  /// No language: only texts that are not of a language serve.
  package static let none = Languages(list: "")

  /// Languages in the order of preference, with colons between them, up to the first `C` or `POSIX`.
  package init(list: String) {
    var names: [String] = []
    for locale in list.split(separator: ":").prefix(Self.limit) {
      if Self.isNone(locale) { break }
      for name in Self.candidates(Self.normalized(locale)) where !names.contains(name) { names.append(name) }
    }
    self.names = names
  }

  /// Languages as GNU gettext finds them: `LANGUAGE`, unless the locale is that of C, else the first of `LC_ALL`,
  /// `LC_MESSAGES` and `LANG` that is set.
  ///
  /// - Parameter environment: the value of a variable; nil or empty if it is not set.
  package init(environment: (String) -> String?) {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    let locale = value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG") ?? "C"
    // A colon does not belong in a locale and must not make it a list.
    let single = locale.split(separator: ":").first.map(String.init) ?? ""
    self.init(list: Self.isNone(locale[...]) ? "" : value("LANGUAGE") ?? single)
  }

  /// The value for the language that serves best, or nothing if none serves.
  func best<Value>(_ options: [(name: String, value: Value)]) -> Value? { ranked(options).first }

  /// The values for all languages that serve, the best first; of names that are alike the first counts.
  ///
  /// - Complexity: O(*n*) in the options, plus the languages.
  func ranked<Value>(_ options: [(name: String, value: Value)]) -> [Value] {
    if names.isEmpty { return [] }
    var values: [String: Value] = [:]
    for (name, value) in options {
      let name = Self.normalized(name)
      if values[name] == nil { values[name] = value }
    }
    return names.compactMap { values[$0] }
  }

  /// A name with small letters, `_` for `-`, and without its encoding.
  static func normalized(_ name: some StringProtocol) -> String {
    var result: [UInt8] = []
    var isEncoding = false
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "."): isEncoding = true
      case UInt8(ascii: "@"):
        isEncoding = false
        result.append(byte)
      case _ where isEncoding: break
      case UInt8(ascii: "-"): result.append(UInt8(ascii: "_"))
      default: result.append(byte.isLetter ? byte | 0x20 : byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isNone(_ locale: Substring) -> Bool {
    ["C", "POSIX"].contains(locale.prefix { $0 != "." })
  }

  /// What serves a normalized locale, the best first.
  private static func candidates(_ locale: String) -> [String] {
    let halves = locale.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard let parts = halves.first?.split(separator: "_", maxSplits: 3), let language = parts.first else { return [] }
    var result: [String] = []
    for count in (1...parts.count).reversed() {
      if count == 1 {
        if parts.count > 2 { result.append("\(language)_\(parts[parts.count - 1])") }
        if let script = script(language, country: parts.last, modifier: halves.dropFirst().first) {
          result.append("\(language)_\(script)")
        }
      }
      let name = parts[..<count].joined(separator: "_")
      if halves.count > 1 { result.append("\(name)@\(halves[1])") }
      result.append(name)
    }
    return result
  }

  private static func script(_ language: Substring, country: Substring?, modifier: Substring?) -> String? {
    switch (language, country, modifier) {
    case ("zh", "cn", _), ("zh", "sg", _): "hans"
    case ("zh", "tw", _), ("zh", "hk", _), ("zh", "mo", _): "hant"
    case (_, _, "latin"): "latn"
    case (_, _, "cyrillic"): "cyrl"
    default: nil
    }
  }
}
