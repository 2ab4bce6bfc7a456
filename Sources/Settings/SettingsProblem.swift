package import KeyFiles
package import Posix

/// One thing that is wrong in the settings, and where.
package struct SettingsProblem: Equatable, Sendable {
  /// The path of the file.
  package let file: String

  /// The line, counted from 1, if the problem is in one.
  package let line: Int?

  /// The section, if the problem is in one.
  package let section: String?

  /// The key, if the problem is one key's.
  package let key: String?

  /// What is wrong.
  package let fault: SettingsFault
}

/// What can be wrong with settings.
package enum SettingsFault: Error, Equatable, Sendable {
  // Errors: what a file as a whole is.

  /// A file that is not read.
  case file(RegularFile.Failure)
  /// Something other than a folder where the drop-ins are to be.
  case notAFolder
  /// A folder that is not listed.
  case list(SystemError)

  // Errors: what a line is.

  /// A line that does not belong in a key file.
  case syntax(KeyFileFault)
  /// A value that its key does not take.
  case badValue(String, ValueFault, allowed: String)

  // Warnings.

  /// A section that there is not.
  case unknownSection
  /// A key that its section does not have.
  case unknownKey
  /// A key that stands twice in one file; the value of the line named before is not used.
  case setTwice(earlierLine: Int)
  /// Warnings that were left out.
  case furtherWarnings(Int)
}

/// Everything that keeps a set of files from being used.
package struct SettingsErrors: Error, Equatable, Sendable {
  /// The problems, at least one, in the order of the files and their lines.
  package let problems: [SettingsProblem]

  /// What was merely odd in the same files.
  package let warnings: [SettingsProblem]
}
