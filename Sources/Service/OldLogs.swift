import IntakeLog
import Posix
import Ranking
import Wire

/// The intake logs that earlier processes have left in the runtime directory.
struct OldLogs {
  private let directory: String
  private var names: [String] = []
  private var damaged: Set<String> = []

  init(directory: String) { self.directory = directory }

  mutating func found(_ name: String) { names.append(name) }
  mutating func noteDamage(_ name: String) { damaged.insert(name) }

  /// Whether a new log can be begun beside them.
  var haveRoomForSuccessor: Bool { !names.contains(IntakeLog.successorName) }

  /// A commit contains what was counted from them: those that are damaged are set aside, and the others go.
  mutating func clear(_ log: Log) throws(SystemError) {
    // The first goes first: the state names the last one, and so knows that the first is contained.
    while let name = names.first {
      try clear(name, log)
      names.removeFirst()
    }
  }

  /// As ``clear(_:)``, where a new log takes the place of the one that is left.
  mutating func giveWay(to successor: inout IntakeLog, _ log: Log) throws(SystemError) {
    if let name = names.first, damaged.contains(name) { try clear(name, log) }
    try successor.takePlace()
    names = []
  }

  /// Removes damaged logs that were set aside.
  func removeSetAside(_ log: Log) {
    do { try IntakeLog.removeSetAside(inDirectory: directory) } catch { log(.error, error.description) }
  }

  private mutating func clear(_ name: String, _ log: Log) throws(SystemError) {
    if damaged.contains(name) {
      let time = RFC3339.string(nanoseconds: Clocks.wall(), fractionDigits: 0)
      let place = try IntakeLog.setAside(name, inDirectory: directory, at: time)
      log(.notice, "the damaged intake log was set aside as \(place)")
      damaged.remove(name)
    } else {
      try Directory(opening: directory).remove(name)
    }
  }
}
