/// What went wrong, for whoever reads standard error.
struct LoadFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Options of the form `--name value`.
struct Options {
  private var values: [String: String] = [:]

  init(_ words: ArraySlice<String>) throws {
    var rest = words
    while let name = rest.popFirst() {
      guard name.hasPrefix("--"), let value = rest.popFirst() else { throw LoadFailure("no value for \(name)") }
      values[String(name.dropFirst(2))] = value
    }
  }

  func text(_ name: String) throws -> String {
    guard let value = values[name] else { throw LoadFailure("--\(name) is missing") }
    return value
  }

  /// A whole number that is not negative.
  func number(_ name: String, default standard: Int? = nil) throws -> Int {
    if values[name] == nil, let standard { return standard }
    guard let number = Int(try text(name)), number >= 0 else { throw LoadFailure("--\(name) takes a number") }
    return number
  }
}
