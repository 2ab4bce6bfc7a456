import IntakeLog
import Posix

/// The work left before the intake has taken what had arrived when it was told to stop.
struct Drain {
  /// Connections with so many bytes to read, the next one last.
  var waiting: [(connection: Connection, bytes: Int)]
  let completion: () -> Void
}

extension Intake {
  /// Takes what has arrived, then closes everything and calls `completion`.
  ///
  /// What arrives while this goes on is not waited for, so that no client can hold up the stop. A full intake log can:
  /// then this goes on when a commit has made room.
  func drainAndClose(completion: @escaping () -> Void) {
    for entry in listeners where entry.listener.kind == .stream {
      // What waits in the backlog has arrived; there can't be more than that holds.
      for _ in 0..<4096 where intakeLog.hasRoom {
        guard let descriptor = try? UnixSocket.accept(entry.listener.raw) else { break }
        _ = try? open(descriptor, entry)
      }
    }
    let waiting = connections.values.filter { !$0.isAtEnd }.sorted { $0.name.number > $1.name.number }
      .map { ($0, (try? UnixSocket.bytesWaiting($0.raw)) ?? 0) }
    drain = Drain(waiting: waiting, completion: completion)
    goOnDraining()
  }

  func goOnDraining() {
    while let next = drain?.waiting.popLast() {
      let left = drain(next.connection, next.bytes)
      if waitsForRoom {
        drain?.waiting.append((next.connection, left))
        return
      }
    }
    for entry in listeners where entry.listener.kind == .datagram {
      var batches = 0
      while receiveDatagrams(from: entry.listener.raw) > 0, batches < 4096 { batches += 1 }
      if waitsForRoom { return }
    }
    let completion = drain?.completion
    drain = nil
    close()
    completion?()
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
      if connection.session.hasUnfinishedLine { desk.ledger.counters.unfinishedAtStop += 1 }
      connection.endReading()
      store.forget(connection.name)
    }
    listeners = []
    resumeTimer = nil
    summaryTimer = nil
    sockets.close()
  }
}
