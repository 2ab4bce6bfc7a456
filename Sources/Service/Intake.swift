import Posix
import Ranking
import Settings
import Systemd
import Wire

/// Receives what clients send: accepts connections, reads streams and datagrams, each a bounded share of a turn.
@safe
final class Intake {
  /// Bytes read from one connection in its turn: a use is cheap, an answer on `control.sock` is not.
  private static func readShare(_ access: Access) -> Int {
    switch access {
    case .events: 262_144
    case .control: 8192
    }
  }
  /// Connections accepted in one turn.
  private static let acceptShare = 64
  /// How long accepting pauses when descriptors or memory have run out: 100 ms.
  private static let pause: Int64 = 100_000_000
  /// Connections to `control.sock`, which have places of their own.
  private static let maxControlConnections = 64

  let desk: LineDesk
  private let loop: EventLoop
  private let log: Log
  private let sockets: Sockets
  private var sources: [ListenerSource] = []
  private var connections: [Int32: Connection] = [:]
  private var openByUser: [UInt32: Int] = [:]
  private let buffer: UnsafeMutableRawBufferPointer
  private var datagrams = DatagramBatch()
  /// For datagrams, one after another: each begins and ends with the line.
  private var datagramCutter: LineCutter
  private var resumeTimer: EventSource?
  private var summaryTimer: EventSource?
  /// When the summary timer goes off, decay time.
  private var nextSummary = Int64.max

  private var maxLineBytes: Int
  private var maxConnections: Int
  private var maxConnectionsPerUser: Int
  private let descriptorsForConnections: Int

  private final class ListenerSource {
    let listener: Sockets.Listener
    var source: EventSource?
    var isPaused = false
    var open = 0
    init(_ listener: Sockets.Listener) { self.listener = listener }
  }

  /// - Parameter descriptorsForConnections: how many descriptors connections may use up, so that files can still be
  ///   written when there are as many clients as can be.
  init(
    sockets: Sockets, desk: LineDesk, settings: Settings, descriptorsForConnections: Int, loop: EventLoop, log: Log
  ) throws(SystemError) {
    self.sockets = sockets
    self.desk = desk
    self.loop = loop
    self.log = log
    self.descriptorsForConnections = max(descriptorsForConnections, 1)
    unsafe buffer = .allocate(byteCount: Self.readShare(.events), alignment: 4096)
    maxLineBytes = settings.maxLineBytes
    maxConnections = settings.maxConnections
    maxConnectionsPerUser = settings.maxConnectionsPerUser
    datagramCutter = LineCutter(maxLineBytes: settings.maxLineBytes)
    resumeTimer = try loop.timer(accuracy: Self.pause / 10) { [unowned self] in resume() }
    summaryTimer = try loop.timer(accuracy: Self.pause) { [unowned self] in sendDueSummaries() }
    for listener in sockets.listeners {
      let entry = ListenerSource(listener)
      entry.source = try loop.watch(listener.raw) { [unowned self, unowned entry] _ in
        switch listener.kind {
        case .stream: accept(from: entry)
        case .datagram: receiveDatagrams(from: listener.raw)
        }
      }
      sources.append(entry)
    }
  }

  deinit { unsafe buffer.deallocate() }

  /// Takes settings that were read again. Lines that are under way keep their old limit until they end.
  func apply(_ settings: Settings) {
    maxLineBytes = settings.maxLineBytes
    maxConnections = settings.maxConnections
    maxConnectionsPerUser = settings.maxConnectionsPerUser
    datagramCutter.maxLineBytes = settings.maxLineBytes
    for connection in connections.values { connection.session.maxLineBytes = settings.maxLineBytes }
    resume()
  }

  /// How many connections are open now.
  var openConnections: Int { connections.count }

  // MARK: Connections

  private func limit(for access: Access) -> Int {
    switch access {
    case .events: min(maxConnections, descriptorsForConnections)
    case .control: Self.maxControlConnections
    }
  }

  private func accept(from entry: ListenerSource) {
    for _ in 0..<Self.acceptShare {
      guard entry.open < limit(for: entry.listener.access) else {
        // Further ones wait in the backlog until one closes.
        setPaused(entry, true)
        return
      }
      do {
        guard let descriptor = try UnixSocket.accept(entry.listener.raw) else { return }
        try open(descriptor, entry)
      } catch {
        pauseForWantOf(error, entry)
        return
      }
    }
  }

  private func open(_ descriptor: consuming FileDescriptor, _ entry: ListenerSource) throws(SystemError) {
    let peer = try UnixSocket.peer(descriptor.raw)
    let access = entry.listener.access
    if access == .events, openByUser[peer.user, default: 0] >= maxConnectionsPerUser {
      turnAway(descriptor, peer)
      return
    }
    let connection = try Connection(
      descriptor, access: access, peer: peer, maxLineBytes: maxLineBytes, loop: loop
    ) { [unowned self] connection in read(connection) }
    connections[connection.number] = connection
    entry.open += 1
    if access == .events { openByUser[peer.user, default: 0] += 1 }
    desk.ledger.counters.connectionsAccepted += 1
  }

  private func turnAway(_ descriptor: consuming FileDescriptor, _ peer: PeerCredentials) {
    let error = LineError.tooManyConnections(limit: maxConnectionsPerUser)
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
    entry.source?.setEnabled(!isPaused)
  }

  private func resume() {
    for entry in sources where entry.open < limit(for: entry.listener.access) { setPaused(entry, false) }
  }

  private func close(_ connection: Connection) {
    connections[connection.number] = nil
    desk.ledger.counters.connectionsClosed += 1
    if connection.access == .events {
      let left = openByUser[connection.peer.user, default: 1] - 1
      openByUser[connection.peer.user] = left > 0 ? left : nil
    }
    for entry in sources where entry.listener.kind == .stream && entry.listener.access == connection.access {
      entry.open -= 1
      setPaused(entry, false)
    }
  }

  // MARK: Streams

  private func read(_ connection: Connection) {
    _ = read(connection, atMost: Self.readShare(connection.access))
  }

  /// Reads once, and closes the connection at its end.
  ///
  /// - Returns: how many bytes came; nil at the end.
  private func read(_ connection: Connection, atMost share: Int) -> Int? {
    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<share])
    var received = Received.end
    // Whatever else goes wrong with a connection is its end: what had arrived before was read before.
    do { received = try unsafe UnixSocket.receive(connection.number, into: part) } catch {
      if error.isExhaustion { return 0 }
    }
    switch received {
    case .nothing:
      connection.flushReplies()
      return 0
    case .bytes(let count):
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: part[..<count])
      unsafe connection.session.take(bytes, now: desk.ledger.now(), desk: desk)
      connection.flushReplies()
      if let due = connection.session.summaryDueAt { planSummary(at: due) }
      return count
    case .end:
      connection.session.finish(now: desk.ledger.now(), desk: desk)
      connection.flushReplies()
      close(connection)
      return nil
    }
  }

  private func planSummary(at due: Int64) {
    guard due < nextSummary else { return }
    nextSummary = due
    summaryTimer?.fire(after: max(due - desk.ledger.now().decay, 0))
  }

  private func sendDueSummaries() {
    let now = desk.ledger.now()
    nextSummary = .max
    for connection in connections.values {
      connection.session.sendSummaryIfDue(now: now, desk: desk)
      connection.flushReplies()
    }
    if let next = connections.values.compactMap(\.session.summaryDueAt).min() { planSummary(at: next) }
  }

  // MARK: Datagrams

  /// Takes one batch.
  ///
  /// - Returns: how many datagrams there were.
  @discardableResult
  private func receiveDatagrams(from descriptor: Int32) -> Int {
    var count = 0
    do { count = try datagrams.receive(from: descriptor) } catch {
      log.limited(.warning, kind: "datagrams", now: desk.ledger.now().decay, error.description)
    }
    if count == 0 { return 0 }
    let now = desk.ledger.now()
    var tally = Tally()
    for index in 0..<count { unsafe take(datagrams[index], now: now, tally: &tally) }
    desk.ledger.counters.datagrams += UInt64(count)
    desk.ledger.add(tally)
    return count
  }

  private func take(_ datagram: UnsafeRawBufferPointer?, now: Moment, tally: inout Tally) {
    guard var bytes = unsafe datagram else {
      return desk.noteRefusal(.datagramCut(limit: DatagramBatch.largest), from: "a datagram", now: now)
    }
    while let cut = unsafe datagramCutter.next(&bytes) { take(cut, now: now, tally: &tally) }
    if let cut = datagramCutter.finish() { take(cut, now: now, tally: &tally) }
  }

  private func take(_ cut: Cut, now: Moment, tally: inout Tally) {
    switch desk.take(cut, lineLimit: datagramCutter.maxLineBytes, now: now, tally: &tally) {
    case .counted, .duplicate, .skipped: break
    case .refused(let error): desk.noteRefusal(error, from: "a datagram", now: now)
    case .request: desk.noteRefusal(.notPermitted(.streamOnly), from: "a datagram", now: now)
    }
  }

  // MARK: The end

  /// Counts what has arrived, and closes everything.
  ///
  /// What arrives while this goes on is not waited for, so that no client can hold up the stop.
  func drainAndClose() {
    for entry in sources where entry.listener.kind == .stream {
      // What waits in the backlog has arrived; there can't be more than that holds.
      for _ in 0..<4096 {
        guard let descriptor = try? UnixSocket.accept(entry.listener.raw) else { break }
        try? open(descriptor, entry)
      }
    }
    let waiting = connections.values.sorted { $0.number < $1.number }
      .map { ($0, (try? UnixSocket.bytesWaiting($0.number)) ?? 0) }
    for (connection, bytes) in waiting { drain(connection, bytes) }
    for entry in sources where entry.listener.kind == .datagram {
      var batches = 0
      while receiveDatagrams(from: entry.listener.raw) > 0, batches < 4096 { batches += 1 }
    }
    for connection in connections.values where connection.session.hasUnfinishedLine {
      desk.ledger.counters.unfinishedAtStop += 1
    }
    connections = [:]
    sources = []
    resumeTimer = nil
    summaryTimer = nil
    sockets.close()
  }

  /// Reads what had arrived on a connection, and its end if that had come as well.
  private func drain(_ connection: Connection, _ waiting: Int) {
    var left = waiting
    while left > 0 {
      guard let count = read(connection, atMost: min(left, Self.readShare(connection.access))) else { return }
      if count == 0 { return }
      left -= count
    }
    _ = read(connection, atMost: 1)
  }
}
