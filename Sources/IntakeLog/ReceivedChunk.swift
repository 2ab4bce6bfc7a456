package import Ranking

/// What a receive call on a stream came back with.
@safe
package enum ReceivedChunk {
  /// The next bytes of the stream, at least one, valid until the next call on the log, and the clocks after the call.
  case bytes(UnsafeRawBufferPointer, ClockReading)
  /// Nothing now.
  case nothing
  /// The peer has closed its side. Not a record yet: ``IntakeLog/noteEnded(connection:at:)`` makes one.
  case end
  /// The log has no room and the socket was not asked: a commit must come first.
  case full
}

/// What a receive call on a datagram socket came back with.
package enum ReceivedDatagrams: Equatable, Sendable {
  /// So many datagrams, at least one, and the clocks after the call.
  case datagrams(Int, ClockReading)
  /// Nothing now.
  case nothing
  /// The log has no room and the socket was not asked: a commit must come first.
  case full
}
