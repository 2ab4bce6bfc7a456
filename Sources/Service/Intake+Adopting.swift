import IntakeLog
import Posix
import Ranking
import Storage

extension Intake {
  /// Goes on with the connections that the service manager kept, and counts those that are lost.
  ///
  /// - Parameters:
  ///   - kept: the descriptors, with the names they were kept under.
  ///   - sessions: what is known of the connections that were open.
  func adopt(_ kept: [(name: ConnectionName, raw: Int32)], _ sessions: [UInt64: StreamSession]) {
    var unknown = sessions
    let now = desk.ledger.startedAt
    for (name, raw) in kept {
      let descriptor = FileDescriptor(owning: raw)
      guard connections[name.number] == nil, let peer = try? UnixSocket.peer(raw) else { continue }
      let known = unknown.removeValue(forKey: name.number)
      if known?.subscription != nil {
        // What it has been told is not known any more: it has to connect again.
        store.noteKept(name.number)
        store.forget(name)
        desk.ledger.counters.connectionsLost += 1
        continue
      }
      if known == nil, UnixSocket.isAtEnd(raw) {
        // It had ended, and the daemon before could not tell the service manager any more.
        store.noteKept(name.number)
        store.forget(name)
        continue
      }
      let session =
        known
        ?? StreamSession(
          restoredWithoutState: name.access, maxLineBytes: LineLimit.bytes(limits.maxLineBytes, for: name.access),
          now: now)
      session.access = name.access
      do { try UnixSocket.setNonblocking(raw) } catch {
        log(.warning, "a connection that was kept can't be gone on with: \(error.description)")
        continue
      }
      let connection = add(descriptor, name, peer, session)
      if session.hasPendingSyncs { syncing.insert(name.number) }
      connection.hasBeenRead = true
      store.noteKept(name.number)
      desk.ledger.counters.connectionsRestored += 1
      watch(connection)
    }
    for session in unknown.values {
      desk.ledger.counters.connectionsLost += 1
      if session.hasUnfinishedLine { desk.ledger.counters.unfinishedAtStop += 1 }
    }
  }

  /// What of the connections has to be stored for them to go on after a restart; once the daemon ends they do not.
  ///
  /// - Complexity: O(connections that have changed).
  func takeConnectionChanges() -> ConnectionChanges {
    if isClosed { return ConnectionChanges(all: []) }
    return unstored.take(of: connections)
  }

  /// Up to where the intake log is worked through; the earlier one as long as that is not stored.
  var logPosition: LogPosition {
    unstoredLog ?? LogPosition(log: intakeLog.identity, offset: intakeLog.tail)
  }

  /// A commit succeeded: what it contains needs the intake log no more, and its syncs can be answered.
  ///
  /// - Parameter traces: what there was in the log that may not be kept anywhere.
  func committed(_ contents: Committer.Contents, _ traces: Committer.Traces) {
    if contents.connections != nil { unstored.noteStored() }
    if unstoredLog != nil {
      protect()
      goOnIfRoom()
    } else {
      makeRoom(upTo: contents.logPosition.offset)
      if intakeLog.isSuccessor { replaceOldLog() }
    }
    if traces != .none { intakeLog.wipe() }
    if traces == .forgotten { oldLogs.removeSetAside(log) }
    answer(contents.syncs, unsafeBecause: nil)
  }

  /// Makes the intake log that could not be made at the start, as an earlier one had to be kept.
  private func protect() {
    do {
      try oldLogs.clear(log)
      intakeLog = try makeLog()
      unstoredLog = nil
      log(.notice, "what was recovered is stored, and what arrives survives a crash again")
    } catch {
      log.limited(.error, kind: "intake log", now: desk.ledger.now().decay, error.description)
    }
  }

  /// What earlier intake logs hold is stored: the one in use takes their place.
  private func replaceOldLog() {
    do {
      try oldLogs.giveWay(to: &intakeLog, log)
      log(.notice, "what was recovered is stored")
    } catch {
      log.limited(.error, kind: "intake log", now: desk.ledger.now().decay, error.description)
    }
  }

  /// The daemon ends: without anything left to be stored the intake log goes.
  func finish(isStored: Bool) {
    connections = [:]
    guard isStored else { return }
    do {
      // In this order: an earlier log without the one that the state names would be counted again.
      try oldLogs.clear(log)
      try intakeLog.remove()
    } catch {
      log(.warning, error.description)
    }
  }
}
