/// What a line means.
package enum ParsedLine: Equatable, Sendable {
  /// Empty, blanks only, or a comment.
  case nothing
  /// An action was used: ``LineParser/use`` says which, and all that the line tells of it.
  case use
  /// The client wants something of the daemon.
  case request(Request)
}

/// The use of an action, as a line tells it.
///
/// The slices point into the line or into the parser, and are valid until the next call of the parser or of the
/// cutter that the line came from.
@safe package struct UseLine {
  /// The whole id, `TYPE` or `TYPE#TARGET`: 1 to 255 bytes.
  package var action: UnsafeRawBufferPointer
  /// The app, 1 to 255 bytes; nil if the line names none.
  package var app: UnsafeRawBufferPointer?
  /// How many uses, 1 to 1,000,000.
  package var count: UInt32
  /// When, in Unix nanoseconds, held within the range of Int64; nil if the line does not say.
  package var time: Int64?
  /// The idempotency id, 1 to 64 bytes; nil if the line has none.
  package var id: UnsafeRawBufferPointer?

  /// One use of nothing yet.
  init() {
    unsafe action = UnsafeRawBufferPointer(start: nil, count: 0)
    count = 1
  }

  /// A use that obeys the rules above, which are not checked here.
  package init(
    action: UnsafeRawBufferPointer, app: UnsafeRawBufferPointer?, count: UInt32, time: Int64?,
    id: UnsafeRawBufferPointer?
  ) {
    unsafe self.action = action
    unsafe self.app = app
    self.count = count
    self.time = time
    unsafe self.id = id
  }
}

/// What a client may ask for.
package enum Request: Equatable, Sendable {
  /// A reply once everything before it on the connection is safe; `seq` comes back in the reply.
  case sync(seq: Int64?)
  /// What only `control.sock` takes; ``ControlRequest`` reads the rest of it.
  case control(OpName)
}
