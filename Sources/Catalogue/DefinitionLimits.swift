/// How large what defines actions may be.
enum DefinitionLimits {
  /// Bytes of a file.
  static let file = 1 << 20
  /// Files of a folder.
  static let files = 4096
  /// Actions of an app.
  static let actions = 256
  /// Bytes of a title and other texts.
  static let text = 1024
  /// Bytes of the user info as JSON.
  static let userInfo = 4096
  /// Containers within each other in a property list.
  static let depth = 64
  /// Warnings that are kept of one file.
  static let warnings = 100
}
