package import KeyFiles
package import Wire

/// What is wrong with a definition: values only, the words are made from them when somebody reads them.
package struct DefinitionError: Error, Equatable, Sendable {
  /// What is wrong.
  package let reason: Reason
  /// The byte of the text, counted from 0, at which it is wrong; nil if that is about the text as a whole.
  package let offset: Int?

  /// What can be wrong. Names are those of members, keys and groups; no text for persons is repeated.
  package enum Reason: Equatable, Sendable {
    // The text as a whole.

    /// No byte at all.
    case empty
    /// A NUL byte, or bytes that are not UTF-8.
    case containsNUL, notUTF8
    /// Not JSON; without a position.
    case json(LineError)
    /// Not a property list.
    case propertyList(PropertyListFault)
    /// Not a file of strings.
    case strings(StringsFault)
    /// Not a key file.
    case keyFile(KeyFileFault)

    // A member or key.

    /// It has to be there and is not.
    case missing(String)
    /// A value of another kind than it takes.
    case wrongKind(String, expected: String)
    /// More bytes than it may have.
    case tooLong(String, limit: Int)
    /// A text that holds U+0000.
    case holdsNUL(String)
    /// The id of an action or app that breaks the rules of ids; without a position.
    case id(LineError)
    /// An id that holds a variable, which the build of the app replaces.
    case buildVariable(String)
    /// A value that is none of those allowed.
    case notAllowed(String, allowed: String)
    /// A duration that is none, or out of range.
    case duration(String, ValueFault, allowed: String)
    /// An id that another action of the app has.
    case duplicateAction
    /// More actions than an app may have.
    case tooManyActions(limit: Int)
    /// A key file without the group that makes it a desktop entry.
    case noDesktopEntry

    // Warnings.

    /// A member that means nothing.
    case unknownMember(String, known: [String])
    /// An action that is listed and has no group, or no name there.
    case actionWithoutGroup, actionWithoutName
  }

  /// Something that is wrong, at a byte, counted from 0, if it is one's.
  package init(_ reason: Reason, at offset: Int?) {
    self.reason = reason
    self.offset = offset
  }

  /// A text that is not JSON.
  init(json error: LineError) {
    self.init(.json(LineError(code: error.code, reason: error.reason)), at: error.position.map { $0 - 1 })
  }

  /// What is wrong, in one line for the person who wrote the definition; the place is left out.
  package var message: String {
    switch reason {
    case .empty: "the file is empty"
    case .containsNUL: KeyFileFault.containsNUL.words
    case .notUTF8: KeyFileFault.notUTF8.words
    case .json(let error), .id(let error): error.message
    case .propertyList(let fault): "not a property list: \(fault.words)"
    case .strings(let fault): "not a file of strings: \(fault.words)"
    case .keyFile(let fault): fault.words
    case .missing(let name): "\(name) is missing"
    case .wrongKind(let name, let expected): "\(name) is not \(expected)"
    case .tooLong(let name, let limit): "\(name) is over \(limit) bytes"
    case .holdsNUL(let name): "\(name) holds a NUL"
    case .buildVariable(let name): "\(name) holds a variable of the build; the Info.plist of the built app is needed"
    case .notAllowed(let name, let allowed): "\(name) has a value that is not allowed; allowed are \(allowed)"
    case .duration(let name, let fault, let allowed): "\(name): \(fault.words); allowed are \(allowed)"
    case .duplicateAction: "an action with this id was defined before"
    case .tooManyActions(let limit): "over \(limit) actions"
    case .noDesktopEntry: "there is no group [Desktop Entry]"
    case .unknownMember(let name, let known):
      "unknown member \"\(PrintableText.of(name))\", ignored; there are \(known.joined(separator: ", "))"
    case .actionWithoutGroup: "an action in Actions= has no group [Desktop Action …], skipped"
    case .actionWithoutName: "an action without Name=, skipped"
    }
  }
}
