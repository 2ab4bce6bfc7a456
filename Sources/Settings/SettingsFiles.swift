import Posix

/// Settings as files gave them.
package struct LoadedSettings: Sendable {
  /// The settings in effect.
  package var settings: Settings

  /// What was odd in the files, in their order.
  package var warnings: [SettingsProblem]

  /// The files that were read, in order.
  package var files: [String]
}

/// The places of settings: a main file and its drop-ins.
package enum SettingsFiles {
  /// Reads the main file and then its drop-ins; a later value wins.
  ///
  /// The drop-ins are the entries of the folder `path + ".d"` whose names end in `.conf` and do not start with a
  /// dot, in the order of their bytes. Each has to be a regular file of at most 1 MiB, or a link to one.
  ///
  /// - Parameters:
  ///   - path: The main file.
  ///   - mustExist: Whether a missing main file is an error; else it is as good as an empty one.
  /// - Returns: The settings, with the defaults for what no file sets.
  /// - Throws: ``SettingsErrors`` with everything that is wrong in all the files.
  package static func load(path: String, mustExist: Bool) throws(SettingsErrors) -> LoadedSettings {
    var load = SettingsLoad()
    load.read(Array(path.utf8), mustExist: mustExist)
    let folder = path + ".d"
    do throws(SystemError) {
      for name in try Directory(opening: folder).rawNames().filter(isDropIn).sorted(by: {
        $0.lexicographicallyPrecedes($1)
      }) {
        load.read(Array(folder.utf8) + [UInt8(ascii: "/")] + name, mustExist: true)
      }
    } catch {
      if !error.isMissing {
        let fault: SettingsFault = error.isNotAFolder ? .notAFolder : .list(SystemError("list", code: error.code))
        load.problems.append(SettingsProblem(file: folder, line: nil, section: nil, key: nil, fault: fault))
      }
    }
    guard load.problems.isEmpty else {
      throw SettingsErrors(problems: load.problems, warnings: load.result.warnings)
    }
    return load.result
  }

  private static func isDropIn(_ name: [UInt8]) -> Bool {
    name.first != UInt8(ascii: ".") && name.suffix(5).elementsEqual(".conf".utf8)
  }
}
