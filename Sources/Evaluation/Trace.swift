/// Who used what, and when: what rankers are tried on.
package struct Trace: Sendable {
  /// A use.
  package struct Use: Equatable, Sendable, BitwiseCopyable {
    /// Unix nanoseconds, within ±2⁶²; never before the use that precedes it.
    package let time: Int64
    /// Which of its user's actions, counted from 0.
    package let action: Int32

    package init(time: Int64, action: Int32) {
      self.time = time
      self.action = action
    }
  }

  /// A user and what that one used, in order.
  package struct User: Equatable, Sendable {
    /// Bytes as they stood in the file, 1 to 255.
    package let name: [UInt8]
    /// How many different actions the user used.
    package let actionCount: Int
    /// At least one.
    package let uses: [Use]
  }

  /// In the order in which they came first.
  package let users: [User]
  /// Lines of the file that were refused.
  package let refusedLines: Int

  /// All uses of all users.
  package var useCount: Int { users.reduce(0) { $0 + $1.uses.count } }
}
