package import Posix
import Ranking

/// A log that was found at the start, because the process before could not remove it: a copy in private memory.
///
/// Its contents are believed only as far as they prove themselves; whatever they are, nothing outside of the copy is
/// read and every replay ends.
@safe
package struct RecoveredLog: ~Copyable {
  /// Which log it is; nil if it does not say.
  package let identity: UInt64?
  /// From here on nothing was known to be contained in a commit, by the log's own word.
  package let head: UInt64
  /// How far the log reaches at least, by its own word.
  package let tail: UInt64
  private let damage: LogDamage?
  /// Keeps `bytes` where they are.
  private let memory: MappedMemory?
  private let bytes: UnsafeRawBufferPointer?
  private let directory: String
  private let name: String

  /// - Throws: if the file can't be looked at or read, or there is no memory for the copy.
  static func find(inDirectory path: String, named name: String) throws(SystemError) -> RecoveredLog? {
    let folder = try Directory(opening: path)
    guard let kind = try folder.kind(of: name) else { return nil }
    guard kind == .regular, let page = try folder.copyIntoMemory(name, size: LogLayout.page) else {
      return RecoveredLog(.notARegularFile, path, name)
    }
    let superblock = unsafe page.bytes.load(as: Superblock.self)
    if let damage = superblock.damage { return RecoveredLog(damage, path, name) }
    guard let memory = try folder.copyIntoMemory(name, size: Int(superblock.size)) else {
      return RecoveredLog(.notARegularFile, path, name)
    }
    return RecoveredLog(memory, superblock.identity, path, name)
  }

  private init(_ damage: LogDamage, _ directory: String, _ name: String) {
    self.damage = damage
    self.directory = directory
    self.name = name
    unsafe bytes = nil
    memory = nil
    (identity, head, tail) = (nil, 0, 0)
  }

  private init(_ memory: consuming MappedMemory, _ identity: UInt64, _ directory: String, _ name: String) {
    damage = nil
    self.directory = directory
    self.name = name
    unsafe bytes = UnsafeRawBufferPointer(memory.bytes)
    self.identity = identity
    unsafe head = memory.bytes.load(fromByteOffset: LogLayout.headPlace, as: UInt64.self)
    unsafe tail = memory.bytes.load(fromByteOffset: LogLayout.tailPlace, as: UInt64.self)
    self.memory = consume memory
  }

  /// Hands over the records from `offset` on, in order, up to the log's end or the first damage.
  ///
  /// - Parameter offset: what the last commit contains of this log; if no commit knows this log, ``head``.
  /// - Complexity: O(bytes from `offset` on).
  package func replay(from offset: UInt64, _ body: (LoggedRecord) -> Void) -> ReplayOutcome {
    var outcome = ReplayOutcome(end: offset)
    guard damage == nil, let identity, let bytes = unsafe bytes else {
      outcome.damage = damage ?? .notALog
      return outcome
    }
    let reader = unsafe RingReader(
      UnsafeRawBufferPointer(rebasing: bytes[LogLayout.ringPlace...]), identity: identity)
    let landed = unsafe LandedBatch(in: bytes, identity: identity)
    // What was committed last may be long overwritten, but only if the log gave it up or was told of a later commit.
    if offset < head, reader.entry(at: offset) == nil {
      outcome.end = head
      outcome.missing = head - offset
    }
    while true {
      // From the tail on a batch that has landed goes before what may have been copied of it.
      if outcome.end >= tail, let landed, landed.offset == outcome.end {
        guard landed.isSound else {
          outcome.damage = .landing
          return outcome
        }
        outcome.records += landed.forEach(body)
        outcome.end = landed.end(capacity: reader.capacity)
      } else if let entry = reader.entry(at: outcome.end) {
        if let record = entry.record {
          outcome.records += 1
          body(record)
        }
        outcome.end = entry.end
      } else {
        // The tail may be damaged as well, so it only says what must be there; sound records beyond it count.
        if outcome.end < tail {
          outcome.damage = .record
        } else if unsafe LandedBatch.isBroken(in: bytes, identity: identity) {
          outcome.damage = .landing
        }
        return outcome
      }
    }
  }

  /// Removes the file: for after a commit that contains all of it.
  package func remove() throws(SystemError) {
    try Directory(opening: directory).remove(name)
  }

  /// As ``IntakeLog/setAside(_:inDirectory:at:)``.
  package func setAside(at time: String) throws(SystemError) -> String {
    try IntakeLog.setAside(name, inDirectory: directory, at: time)
  }
}

extension IntakeLog {
  /// The log that an earlier process left in a folder, copied; nil if there is none.
  package static func recover(
    inDirectory path: String, named name: String = fileName
  ) throws(SystemError) -> RecoveredLog? {
    try RecoveredLog.find(inDirectory: path, named: name)
  }

  /// Renames a log's file, so that someone can look at it, and returns its new path. An earlier one that was set aside
  /// is removed: each takes as much of the runtime directory as a log.
  ///
  /// - Parameter time: stands at the end of the name.
  package static func setAside(
    _ name: String, inDirectory path: String, at time: String
  ) throws(SystemError) -> String {
    let folder = try Directory(opening: path)
    try? removeSetAside(name, in: folder)
    let place = name + damagedMark + time
    try folder.rename(name, to: place)
    return folder.path(of: place)
  }

  private static let damagedMark = ".damaged-"

  private static func removeSetAside(_ name: String, in folder: borrowing Directory) throws(SystemError) {
    for earlier in try folder.names() where earlier.hasPrefix(name + damagedMark) { try folder.remove(earlier) }
  }

  /// Removes all logs that were set aside.
  package static func removeSetAside(inDirectory path: String) throws(SystemError) {
    let folder = try Directory(opening: path)
    for name in [fileName, successorName] { try removeSetAside(name, in: folder) }
  }
}
