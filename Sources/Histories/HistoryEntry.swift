import Wire

/// One entry of a history, in its own format's sense: a command, a visited folder, a row, a line.
package struct HistoryEntry: Equatable, Sendable {
  /// The line at which it begins, or which entry of the database it is; from 1.
  package let number: Int
  /// The bytes of the file that it was read from.
  package let source: Range<Int>
  /// What it says.
  package var content: HistoryContent

  init(_ number: Int, _ source: Range<Int>, _ body: () throws(HistoryFault) -> HistoryContent) {
    self.number = number
    self.source = source
    do throws(HistoryFault) { content = try body() } catch { content = .fault(error) }
  }
}

/// What an entry of a history says.
package enum HistoryContent: Equatable, Sendable {
  /// An action was used.
  case use(HistoryUse)
  /// A line with an op for `control.sock`, such as an export has for pins.
  case request([UInt8])
  /// Something that cannot be counted.
  case fault(HistoryFault)
}

/// The uses of an action at a time.
package struct HistoryUse: Equatable, Sendable {
  /// The whole id of the action, valid.
  package var action: [UInt8]
  /// The app, valid; nil if it is the action's default owner.
  package var app: [UInt8]?
  /// How many uses, 1 to 1,000,000.
  package var count: UInt32
  /// When, in Unix nanoseconds.
  package var time: Int64
  /// The idempotency id, which is the same whenever the same entry is read again.
  package var id: [UInt8]

  /// A use whose id is still to be given.
  init(_ action: [UInt8], app: [UInt8]?, count: UInt32 = 1, time: Int64) throws(HistoryFault) {
    do throws(LineError) {
      try UseText.checkAction(action)
      if let app { try UseText.checkApp(app) }
    } catch {
      throw .refused(error)
    }
    (self.action, self.app, self.count, self.time, id) = (action, app, count, time, [])
  }
}
