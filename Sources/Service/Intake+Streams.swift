import IntakeLog
import Posix
import Ranking
import Systemd

extension Intake {
  /// Bytes read from one connection in its turn: a use is cheap, an answer on `control.sock` is not.
  static func readShare(_ access: Access) -> Int {
    switch access {
    case .events: IntakeLog.largestShare
    case .control: 8192
    }
  }

  /// Bytes after which a turn is over, so that all else gets one: of the connections to the events socket, or of the
  /// datagrams. What is read at once counts as at least ``leastOfTurn``, for what each call costs.
  static let turnShares = 16_384...IntakeLog.largestShare
  static let leastOfTurn = 4096

  /// Reads from those that are ready, a share from one after another, until their turn is over or nothing is left.
  func readReady() {
    takeTurn { share in
      var left = share
      while left > 0, !waitsForRoom, let number = ready.take() {
        guard let connection = connections[number] else { continue }
        left -= max(read(connection, atMost: max(left, Self.leastOfTurn)) ?? 0, Self.leastOfTurn)
      }
      return left <= 0
    }
  }

  /// Has so many bytes received as a turn may be worth; `receive` returns whether there were as many.
  func takeTurn(_ receive: (Int) -> Bool) {
    let start = Clocks.monotonic()
    let wasWhole = receive(turnShare.bytes)
    turnShare.note(Clocks.monotonic() - start, wasWhole: wasWhole)
  }

  /// Reads once, and closes the connection at its end.
  ///
  /// - Returns: how many bytes came; nil at the end.
  func read(_ connection: Connection, atMost share: Int) -> Int? {
    let chunk: ReceivedChunk
    do {
      chunk = try intakeLog.receive(
        from: connection.raw, connection: connection.name.number, atMost: share, clock: desk.ledger.reading)
    } catch {
      if error.isExhaustion { return 0 }
      // Whatever else goes wrong with a connection is its end: what had arrived before was read before.
      chunk = .end
    }
    switch chunk {
    case .full:
      waitForRoom()
      return 0
    case .nothing:
      connection.flushReplies()
      return 0
    case .bytes(let bytes, let reading):
      unsafe take(bytes, from: connection, now: desk.ledger.moment(at: reading))
      if !connection.hasBeenRead {
        connection.hasBeenRead = true
        if UnixSocket.isAtEnd(connection.raw) {
          // One that is over with its first read is not worth the manager's time. As nobody keeps it, its end is taken
          // now: a last line without a line end would be lost with the daemon.
          end(connection)
          return nil
        }
        store.keep(connection.raw, connection.name)
      }
      return bytes.count
    case .end:
      end(connection)
      return nil
    }
  }

  /// Takes the end of a connection.
  func end(_ connection: Connection) {
    unstored.mark(connection)
    intakeLog.noteEnded(connection: connection.name.number, at: desk.ledger.reading())
    connection.session.finish(now: desk.ledger.now(), desk: desk)
    askForPendingSyncs(of: connection)
    connection.flushReplies()
    if connection.session.owedSyncs > 0, !UnixSocket.isHungUp(connection.raw) {
      // A client that has closed its side may still wait for the answer to a sync, through a crash as well, unless it
      // is gone altogether.
      store.keep(connection.raw, connection.name)
      connection.endReading()
    } else {
      close(connection)
    }
    noteArrival()
  }

  private func take(_ bytes: UnsafeRawBufferPointer, from connection: Connection, now: Moment) {
    unstored.mark(connection)
    unsafe connection.session.take(bytes, now: now, desk: desk)
    noteSubscription(of: connection)
    askForPendingSyncs(of: connection)
    connection.flushReplies()
    if let due = connection.session.summaryDueAt { planSummary(at: due) }
    noteArrival()
  }

  private func askForPendingSyncs(of connection: Connection) {
    guard connection.session.hasPendingSyncs else { return }
    syncing.insert(connection.name.number)
    onSync()
  }

  /// Takes the syncs that wait for a commit to begin, and were asked at `time` or before.
  func takePendingSyncs(askedUntil time: Int64) -> [(connection: UInt64, sync: PendingSync)] {
    var taken: [(connection: UInt64, sync: PendingSync)] = []
    for number in syncing {
      guard let session = connections[number]?.session else { continue }
      taken += session.takePendingSyncs(askedUntil: time).map { (number, $0) }
    }
    syncing = syncing.filter { connections[$0]?.session.hasPendingSyncs == true }
    return taken
  }

  /// When the first of the syncs was asked that wait for a commit to begin, decay time.
  var firstSyncAskedAt: Int64? { syncing.compactMap { connections[$0]?.session.firstSyncAskedAt }.min() }

  /// Answers syncs.
  ///
  /// - Parameter reason: why what came before them is not safe; nil if it is.
  func answer(_ syncs: [(connection: UInt64, sync: PendingSync)], unsafeBecause reason: String?) {
    for (number, sync) in syncs {
      guard let connection = connections[number] else { continue }
      unstored.mark(connection)
      connection.session.answer(sync, unsafeBecause: reason, desk: desk)
      connection.flushReplies()
      // Once it is on its way no later process has to answer again.
      if connection.session.replies.isEmpty {
        intakeLog.noteAnswered(connection: number, at: desk.ledger.reading())
      }
      if connection.isAtEnd, connection.session.owedSyncs == 0 { close(connection) }
    }
  }

  private func planSummary(at due: Int64) {
    guard due < nextSummary else { return }
    nextSummary = due
    summaryTimer?.fire(after: max(due - desk.ledger.now().decay, 0))
  }

  func sendDueSummaries() {
    let now = desk.ledger.now()
    nextSummary = .max
    for connection in connections.values {
      connection.session.sendSummaryIfDue(now: now, desk: desk)
      connection.flushReplies()
    }
    if let next = connections.values.compactMap(\.session.summaryDueAt).min() { planSummary(at: next) }
  }
}
