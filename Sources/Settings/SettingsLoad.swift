import KeyFiles
import Posix

/// One reading of all the files.
struct SettingsLoad {
  /// The largest settings file, in bytes.
  static let fileLimit = 1 << 20

  /// The most warnings that are kept of one file.
  static let warningsPerFile = 100

  var result = LoadedSettings(settings: Settings(), warnings: [], files: [])
  var problems: [SettingsProblem] = []

  /// Reads one file over what was read before.
  mutating func read(_ path: [UInt8], mustExist: Bool) {
    let file = String(decoding: path, as: UTF8.self)
    func report(_ fault: SettingsFault, line: Int? = nil) {
      problems.append(SettingsProblem(file: file, line: line, section: nil, key: nil, fault: fault))
    }
    let contents: [UInt8]
    do throws(RegularFile.Failure) {
      contents = try RegularFile.read(path, limit: Self.fileLimit)
    } catch {
      if error != .missing || mustExist { report(.file(error)) }
      return
    }
    result.files.append(file)
    do throws(KeyFileError) {
      apply(try KeyFile(contents), file: file)
    } catch {
      report(.syntax(error.fault), line: error.line)
    }
  }

  private mutating func apply(_ keyFile: borrowing KeyFile, file: String) {
    var survey = Survey()
    keyFile.lines.forEach { survey.see($1, line: $0) }
    for (index, line) in survey.found.sorted(by: { $0.value < $1.value }) {
      let key = SettingKey.all[index]
      let raw = keyFile.value(section: key.section, key: key.name) ?? ""
      let value = String(decoding: Array(raw.utf8)[...].trimmed, as: UTF8.self)
      do throws(ValueFault) {
        if value.isEmpty { key.reset(&result.settings) } else { try key.read(value, &result.settings) }
      } catch {
        problems.append(
          SettingsProblem(
            file: file, line: line, section: key.section, key: key.name,
            fault: .badValue(value, error, allowed: key.allowed)))
      }
    }
    for odd in survey.oddities.prefix(Self.warningsPerFile) {
      result.warnings.append(
        SettingsProblem(file: file, line: odd.line, section: odd.section, key: odd.key, fault: odd.fault))
    }
    let further = survey.oddities.count - Self.warningsPerFile
    if further > 0 {
      result.warnings.append(
        SettingsProblem(file: file, line: nil, section: nil, key: nil, fault: .furtherWarnings(further)))
    }
  }
}

/// What stands where in one file.
private struct Survey {
  /// The last line of each known key, by its place in the table.
  private(set) var found: [Int: Int] = [:]

  /// What deserves a warning, in the order of lines.
  private(set) var oddities: [(line: Int, section: String, key: String?, fault: SettingsFault)] = []

  private var section: [UInt8] = []
  private var isKnown = false
  private var reportedSections: Set<[UInt8]> = []

  mutating func see(_ item: KeyFileLines.Item, line: Int) {
    switch item {
    case .section(let name):
      section = name
      isKnown = SettingKey.sections.contains { $0.utf8.elementsEqual(name) }
      if !isKnown && reportedSections.insert(name).inserted {
        oddities.append((line, String(decoding: name, as: UTF8.self), nil, .unknownSection))
      }
    case .key(let name) where isKnown:
      // Bytes are compared: two strings can be equal and differ in their bytes, which is what GLib goes by.
      let index = SettingKey.all.firstIndex {
        $0.section.utf8.elementsEqual(section) && $0.name.utf8.elementsEqual(name)
      }
      let sectionName = String(decoding: section, as: UTF8.self)
      let keyName = String(decoding: name, as: UTF8.self)
      guard let index else { return oddities.append((line, sectionName, keyName, .unknownKey)) }
      if let earlier = found.updateValue(line, forKey: index) {
        oddities.append((line, sectionName, keyName, .setTwice(earlierLine: earlier)))
      }
    case .key: break
    }
  }
}
