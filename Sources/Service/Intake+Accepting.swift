import IntakeLog
import Posix
import Ranking
import Systemd
import Wire

extension Intake {
  /// Connections accepted in one turn.
  private static let acceptShare = 64
  /// Bytes read at once from a connection that was just accepted. Its first read may not wait for its turn: until then
  /// a crash breaks it.
  private static let firstShare = 8192
  /// How long accepting pauses when descriptors or memory have run out: 100 ms.
  static let pause: Int64 = 100_000_000
  /// Connections to `control.sock`, which have places of their own.
  private static let maxControlConnections = 64

  private func limit(for access: Access) -> Int {
    switch access {
    case .events: min(limits.maxConnections, descriptors(for: access))
    case .control: descriptors(for: access)
    }
  }

  /// How many connections there are descriptors for.
  func descriptors(for access: Access) -> Int {
    switch access {
    case .events: limits.descriptors
    case .control: Self.maxControlConnections
    }
  }

  func accept(from entry: ListenerSource) {
    for _ in 0..<Self.acceptShare {
      guard intakeLog.hasRoom else { return waitForRoom() }
      guard entry.open < limit(for: entry.listener.access) else {
        // Further ones wait in the backlog until one closes.
        setPaused(entry, true)
        return
      }
      do {
        guard let descriptor = try UnixSocket.accept(entry.listener.raw) else { return }
        // Turning one away may have cost the connections' turn.
        guard let connection = try open(descriptor, entry) else { return }
        if entry.listener.access == .control { return takeFirstRequest(connection) }
        if read(connection, atMost: Self.firstShare) != nil { watch(connection) }
      } catch {
        pauseForWantOf(error, entry)
        return
      }
    }
  }

  private func takeFirstRequest(_ connection: Connection) {
    if readRequest(connection) != nil { watch(connection) }
  }

  /// Begins to serve a new connection; nil if it was turned away.
  func open(_ descriptor: consuming FileDescriptor, _ entry: ListenerSource) throws(SystemError) -> Connection? {
    let peer = try UnixSocket.peer(descriptor.raw)
    let access = entry.listener.access
    if isFull(access, for: peer) {
      // What the user has closed before is to be free, also if its end waits for its turn.
      readReady()
      if isFull(access, for: peer) {
        turnAway(descriptor, peer)
        return nil
      }
    }
    let name = ConnectionName(number: takeNumber(), access: access)
    let session = StreamSession(
      SessionState(access: access), maxLineBytes: LineLimit.bytes(limits.maxLineBytes, for: access),
      now: desk.ledger.now())
    let connection = add(descriptor, name, peer, session)
    intakeLog.noteOpened(connection: name.number, isControl: access == .control, at: desk.ledger.reading())
    desk.ledger.counters.connectionsAccepted += 1
    return connection
  }

  private func isFull(_ access: Access, for peer: PeerCredentials) -> Bool {
    access == .events && openByUser[peer.user, default: 0] >= limits.maxConnectionsPerUser
  }

  private func takeNumber() -> UInt64 {
    repeat { lastConnection = (lastConnection + 1) % ConnectionName.end } while connections[lastConnection] != nil
    return lastConnection
  }

  /// Begins to serve a connection, a new one or one that was kept.
  func add(
    _ descriptor: consuming FileDescriptor, _ name: ConnectionName, _ peer: PeerCredentials, _ session: StreamSession
  ) -> Connection {
    let connection = Connection(
      descriptor, name: name, peer: peer, session: session, ready: name.access == .control ? requests : ready)
    connections[name.number] = connection
    unstored.mark(connection)
    if name.access == .events { openByUser[peer.user, default: 0] += 1 }
    listener(for: name.access)?.open += 1
    return connection
  }

  /// Has a connection take its turns from now on; one that can't be watched, for want of memory, is closed.
  func watch(_ connection: Connection) {
    do { try connection.watch() } catch {
      log.limited(.warning, kind: "watching", now: desk.ledger.now().decay, error.description)
      end(connection)
    }
  }

  private func turnAway(_ descriptor: consuming FileDescriptor, _ peer: PeerCredentials) {
    let error = LineError.tooManyConnections(limit: limits.maxConnectionsPerUser)
    desk.noteRefusal(error, from: "user \(peer.user), process \(peer.process)", now: desk.ledger.now())
    var reply: [UInt8] = []
    errorReply(line: nil, error, to: &reply)
    unsafe reply.withUnsafeBytes { unsafe _ = try? UnixSocket.send(descriptor.raw, $0) }
  }

  private func pauseForWantOf(_ error: SystemError, _ entry: ListenerSource) {
    desk.ledger.counters.acceptPauses += 1
    log.limited(
      .warning, kind: "accepting paused", now: desk.ledger.now().decay,
      "\(error.description); connections wait for it")
    setPaused(entry, true)
    resumeTimer?.fire(after: Self.pause)
  }

  private func setPaused(_ entry: ListenerSource, _ isPaused: Bool) {
    guard entry.isPaused != isPaused else { return }
    entry.isPaused = isPaused
    if !waitsForRoom { entry.source?.setEnabled(!isPaused) }
  }

  func resumeAccepting() {
    for entry in listeners where entry.open < limit(for: entry.listener.access) { setPaused(entry, false) }
  }

  private func listener(for access: Access) -> ListenerSource? {
    listeners.first { $0.listener.kind == .stream && $0.listener.access == access }
  }

  /// Ends a connection whose end is in the intake log.
  func close(_ connection: Connection) {
    store.forget(connection.name)
    subscriptions.remove(connection.name.number)
    connections[connection.name.number] = nil
    unstored.noteClosed(connection)
    if !isClosed { desk.ledger.counters.connectionsClosed += 1 }
    if connection.name.access == .events {
      let left = openByUser[connection.peer.user, default: 1] - 1
      openByUser[connection.peer.user] = left > 0 ? left : nil
    }
    if let entry = listener(for: connection.name.access) {
      entry.open -= 1
      setPaused(entry, false)
    }
  }
}
