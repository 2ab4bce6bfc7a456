import Posix

/// Reads settings files and lists folders of them, with what goes wrong as faults of settings.
enum FileContents {
  /// The largest settings file, in bytes.
  static let limit = 1 << 20

  /// The bytes of a regular file; `/dev/null` counts as an empty one, as it does for systemd's drop-ins.
  ///
  /// - Throws: ``SettingsFault``; `missing` if there is nothing at the path.
  static func read(_ path: [UInt8]) throws(SettingsFault) -> [UInt8] {
    do {
      return try RegularFile.read(path, limit: limit)
    } catch {
      switch error {
      case .missing: throw .missing
      case .danglingLink: throw .danglingLink
      case .notRegular(let kind): throw .notAFile(kind)
      case .tooLarge(let limit): throw .tooLarge(limit: limit)
      case .system(let error): throw .system(error)
      }
    }
  }

  /// The names in a folder, as bytes and in no order; nothing if there is no such folder.
  ///
  /// - Throws: ``SettingsFault``.
  static func names(in path: String) throws(SettingsFault) -> [[UInt8]] {
    do {
      return try Directory(opening: path).rawNames()
    } catch {
      if error.isMissing { return [] }
      if error.isNotAFolder { throw .notAFolder }
      throw .system(SystemError("list", code: error.code))
    }
  }
}
