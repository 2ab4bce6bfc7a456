import KeyFiles
import Posix

/// The texts in the `LANG.lproj` folders beside an Info.plist, read when one is looked up.
struct LocalizedStrings {
  private static let fallbacks = Languages(list: "Base:en")

  private let folder: [UInt8]
  private let languages: Languages
  private var tables: [[[UInt8]: String]]?

  /// What is wrong with them: warnings, for the Info.plist has texts of its own.
  private(set) var problems: [CatalogueProblem] = []

  init(beside path: [UInt8], languages: Languages) {
    let slash = path.lastIndex(of: UInt8(ascii: "/"))
    folder = slash.map { Array(path[..<$0]) } ?? [UInt8(ascii: ".")]
    self.languages = languages
  }

  /// The text of a key in the language that serves best, else in `Base.lproj`, else in `en.lproj`.
  mutating func text(_ key: String) -> String? {
    let tables = tables ?? load()
    self.tables = tables
    let key = Array(key.utf8)
    for table in tables {
      if let text = table[key], !text.isEmpty { return text }
    }
    return nil
  }

  private mutating func load() -> [[[UInt8]: String]] {
    let names: [[UInt8]]
    do throws(SystemError) {
      // The folder of a path that is not UTF-8 has no texts.
      names = try Directory(opening: String(decoding: folder, as: UTF8.self)).rawNames()
    } catch {
      return []
    }
    let ending = ".lproj".utf8
    let folders = names.filter { $0.suffix(ending.count).elementsEqual(ending) }
      .sorted { $0.lexicographicallyPrecedes($1) }
      .map { (name: String(decoding: $0.dropLast(ending.count), as: UTF8.self), value: $0) }
    var chosen: [[UInt8]] = []
    for name in languages.ranked(folders) + Self.fallbacks.ranked(folders) where !chosen.contains(name) {
      chosen.append(name)
    }
    return chosen.compactMap { read($0) }
  }

  private mutating func read(_ name: [UInt8]) -> [[UInt8]: String]? {
    let path = folder + [UInt8(ascii: "/")] + name + Array("/InfoPlist.strings".utf8)
    let raw: [UInt8]
    do throws(RegularFile.Failure) {
      raw = try RegularFile.read(path, limit: DefinitionLimits.file)
    } catch {
      if error != .missing { problems.append(CatalogueProblem(.warning, path: path, "\(error.words); not used")) }
      return nil
    }
    let text = SourceText(raw, acceptsUTF16: true)
    do throws(DefinitionError) {
      try text.check()
      return try StringsFile.read(text)
    } catch {
      problems.append(text.problem(.warning, path, error))
      return nil
    }
  }
}
