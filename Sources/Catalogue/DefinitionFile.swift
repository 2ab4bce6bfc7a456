import KeyFiles
import Posix

/// What a file says of one app.
enum FileOutcome: Equatable {
  /// It is there.
  case defined(AppDefinition)
  /// It is not there, also if other folders have it.
  case hidden(app: [UInt8])

  var app: [UInt8] {
    switch self {
    case .defined(let definition): definition.app
    case .hidden(let app): app
    }
  }
}

/// The formats of files, by the ends of their names.
enum FileFormat: String, CaseIterable {
  case json = ".json"
  case propertyList = ".plist"
  case desktopEntry = ".desktop"

  /// The format of a file of that name, without the folder; nil for one that does not belong to a catalogue.
  init?(name: some Collection<UInt8>) {
    guard name.first != UInt8(ascii: "."),
      let format = Self.allCases.first(where: { name.suffix($0.rawValue.utf8.count).elementsEqual($0.rawValue.utf8) })
    else { return nil }
    self = format
  }
}

/// Reads one file, and keeps what is wrong with it.
struct DefinitionFile {
  let path: [UInt8]
  let languages: Languages

  private(set) var problems: [CatalogueProblem] = []

  /// Whether there is no such file.
  private(set) var isMissing = false

  init(_ path: [UInt8], languages: Languages) {
    self.path = path
    self.languages = languages
  }

  private var name: ArraySlice<UInt8> { path[((path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...] }

  /// What the file says; nothing, and an error among the problems, if it cannot be taken.
  ///
  /// - Complexity: O(*n*) in the file, and for a property list in the texts beside it.
  mutating func read() -> FileOutcome? {
    guard let format = FileFormat(name: name) else {
      let endings = FileFormat.allCases.map(\.rawValue).joined(separator: ", ")
      problems.append(CatalogueProblem(.error, path: path, "its name has to end in one of \(endings)"))
      return nil
    }
    let raw: [UInt8]
    do throws(RegularFile.Failure) {
      raw = try RegularFile.read(path, limit: DefinitionLimits.file)
    } catch {
      isMissing = error == .missing
      problems.append(CatalogueProblem(.error, path: path, error.words))
      return nil
    }
    let text = SourceText(raw, acceptsUTF16: format == .propertyList)
    do throws(DefinitionError) {
      try text.check()
      return try read(text, format)
    } catch {
      problems = [text.problem(.error, path, error)]
      return nil
    }
  }

  private mutating func read(_ text: SourceText, _ format: FileFormat) throws(DefinitionError) -> FileOutcome {
    switch format {
    case .json:
      let (definition, warnings) = try AppDefinition.read(json: text.bytes, languages: languages)
      warn(warnings, in: text)
      return .defined(definition)
    case .propertyList:
      var texts = LocalizedStrings(beside: path, languages: languages)
      let definition = try AppDefinition.read(infoPlist: text, texts: &texts)
      problems += texts.problems
      return .defined(definition)
    case .desktopEntry:
      let app = Array(name.dropLast(format.rawValue.utf8.count))
      let (outcome, warnings) = try DesktopEntry.read(text.bytes, app: app, languages: languages)
      warn(warnings, in: text)
      return outcome
    }
  }

  private mutating func warn(_ warnings: [DefinitionError], in text: SourceText) {
    problems += warnings.prefix(DefinitionLimits.warnings).map { text.problem(.warning, path, $0) }
    let further = warnings.count - DefinitionLimits.warnings
    if further > 0 {
      problems.append(CatalogueProblem(.warning, path: path, "\(further) further warnings left out"))
    }
  }
}
