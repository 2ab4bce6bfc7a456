/// What an action takes part in.
package struct Standing: OptionSet, Sendable, BitwiseCopyable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It competes in its app's list.
  package static let inApp = Standing(rawValue: 1)
  /// It competes in the list over all apps, once it was used.
  package static let inTop = Standing(rawValue: 2)
  /// It exists although it was never used.
  package static let kept = Standing(rawValue: 4)
  /// Its uses count nothing.
  package static let blocked = Standing(rawValue: 8)
}
