import IntakeLog
import Posix

/// The work left before the intake has taken what had arrived when it was told to stop.
struct Drain {
  /// Connections with so many bytes to read, the next one last.
  var waiting: [(connection: Connection, bytes: Int)]
  /// How many connections may still be accepted: what waited in the backlogs has arrived.
  var acceptable: Int
  let completion: () -> Void
}

extension Intake {
  /// Takes what has arrived, then closes everything and calls `completion`.
  ///
  /// What arrives while this goes on is not waited for, so that no client can hold up the stop. A full intake log can:
  /// then this goes on when a commit has made room.
  func drainAndClose(completion: @escaping () -> Void) {
    let waiting = connections.values.filter { !$0.isAtEnd }.sorted { $0.name.number > $1.name.number }.map(withBytes)
    // There can't be more in the backlogs than they hold.
    drain = Drain(waiting: waiting, acceptable: 4096 * listeners.count, completion: completion)
    goOnDraining()
  }

  private func withBytes(_ connection: Connection) -> (connection: Connection, bytes: Int) {
    (connection, (try? UnixSocket.bytesWaiting(connection.raw)) ?? 0)
  }

  func goOnDraining() {
    repeat {
      while let next = drain?.waiting.popLast() {
        let left = drain(next.connection, next.bytes)
        if waitsForRoom {
          drain?.waiting.append((next.connection, left))
          return
        }
      }
    } while acceptBacklogs()
    if waitsForRoom { return }
    for entry in listeners where entry.listener.kind == .datagram {
      var batches = 0
      while receiveDatagrams(from: entry.listener.raw) != nil, batches < 4096 { batches += 1 }
      if waitsForRoom { return }
    }
    let completion = drain?.completion
    drain = nil
    close()
    completion?()
  }

  /// Accepts what waits in the backlogs, as far as descriptors and the intake log reach. To be called when all that was
  /// accepted before is drained: where descriptors are short, it makes room.
  ///
  /// - Returns: whether there is more to drain.
  private func acceptBacklogs() -> Bool {
    var accepted: [(connection: Connection, bytes: Int)] = []
    for entry in listeners where entry.listener.kind == .stream {
      while let drain, drain.acceptable > 0 {
        guard intakeLog.hasRoom else {
          waitForRoom()
          break
        }
        if entry.open >= descriptors(for: entry.listener.access) {
          if !accepted.isEmpty || !closeDrained(entry.listener.access) { break }
        }
        do {
          guard let descriptor = try UnixSocket.accept(entry.listener.raw) else { break }
          self.drain?.acceptable -= 1
          if let connection = try open(descriptor, entry) { accepted.append(withBytes(connection)) }
        } catch {
          // The files that are being written may have taken the last descriptor: what was accepted is drained first.
          if !error.isExhaustion || !accepted.isEmpty || !closeDrained(entry.listener.access) { break }
        }
      }
    }
    drain?.waiting = accepted.reversed()
    return !accepted.isEmpty
  }

  /// Closes the connections of a socket to which no answer is owed.
  ///
  /// - Returns: whether there were any.
  private func closeDrained(_ access: Access) -> Bool {
    let drained = connections.values.filter { $0.name.access == access && $0.session.owedSyncs == 0 }
    for connection in drained {
      noteUnfinished(connection)
      close(connection)
    }
    return !drained.isEmpty
  }

  private func noteUnfinished(_ connection: Connection) {
    if connection.session.hasUnfinishedLine { desk.ledger.counters.unfinishedAtStop += 1 }
  }

  /// Reads what had arrived on a connection, and its end if that had come as well.
  ///
  /// - Returns: how many bytes could not be read yet.
  private func drain(_ connection: Connection, _ waiting: Int) -> Int {
    var left = waiting
    while left > 0 {
      guard let count = read(connection, atMost: min(left, Self.readShare(connection.name.access))) else { return 0 }
      if count == 0 { return left }
      left -= count
    }
    _ = read(connection, atMost: 1)
    return 0
  }

  /// Stops listening and reading. Connections stay open until the daemon ends, for the answers to their syncs.
  private func close() {
    isClosed = true
    desk.ledger.counters.connectionsClosed += UInt64(connections.count)
    for connection in connections.values {
      noteUnfinished(connection)
      connection.endReading()
      store.forget(connection.name)
    }
    listeners = []
    resumeTimer = nil
    summaryTimer = nil
    requestTimer = nil
    sockets.close()
  }
}
