package import Ranking

/// One record of a log that a process left behind, with the clocks as they were.
///
/// The bytes are valid while the record is being handled.
@safe
package enum LoggedRecord {
  case opened(connection: UInt64, isControl: Bool, ClockReading)
  /// The next bytes of a connection's stream.
  case data(connection: UInt64, UnsafeRawBufferPointer, ClockReading)
  case ended(connection: UInt64, ClockReading)
  /// The oldest sync of a connection that was not answered has been answered.
  case answered(connection: UInt64, ClockReading)
  case datagram(UnsafeRawBufferPointer, ClockReading)
  /// A datagram that was longer than ``IntakeLog/largestDatagram``.
  case cutDatagram(ClockReading)
  /// What follows was read by these settings.
  case settings(UnsafeRawBufferPointer, ClockReading)

  init(_ kind: RecordKind, connection: UInt64, _ payload: UnsafeRawBufferPointer, _ reading: ClockReading) {
    switch kind {
    case .opened: self = .opened(connection: connection, isControl: false, reading)
    case .openedControl: self = .opened(connection: connection, isControl: true, reading)
    case .data: unsafe self = .data(connection: connection, payload, reading)
    case .ended: self = .ended(connection: connection, reading)
    case .answered: self = .answered(connection: connection, reading)
    case .datagram: unsafe self = .datagram(payload, reading)
    case .cutDatagram: self = .cutDatagram(reading)
    case .settings: unsafe self = .settings(payload, reading)
    }
  }
}

/// What is wrong with a log.
package enum LogDamage: Equatable, Sendable {
  /// A folder, a link, a socket or a device.
  case notARegularFile
  /// Empty, zeros, or another kind of file.
  case notALog
  /// Of a later version of this program, or an earlier one.
  case unknownVersion(UInt32)
  /// Its first page is not as it was written.
  case superblock
  /// The record there is not as it was written, or missing.
  case record
  /// What was received last is not as the kernel writes it.
  case landing
}

extension LogDamage: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notARegularFile: "it is not a regular file"
    case .notALog: "it is not an intake log"
    case .unknownVersion(let version): "its version is \(version), which is not known here"
    case .superblock: "its first page is damaged"
    case .record: "a record is damaged"
    case .landing: "the landing area is damaged"
    }
  }
}

/// How far a log could be replayed.
package struct ReplayOutcome: Equatable, Sendable {
  /// How many records were handed over.
  package var records = 0
  /// The offset that follows the last of them.
  package var end: UInt64
  /// How many bytes of the log were missing where the replay was to begin, as they had been given up or overwritten.
  package var missing: UInt64 = 0
  /// Why the replay could not go on to the log's end at `end`; nil: it is complete.
  package var damage: LogDamage?
}
