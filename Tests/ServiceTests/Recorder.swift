import Foundation
import IntakeLog
import Posix
import Ranking
import Settings
import Storage
import Wire

@testable import Service

/// Does what the daemon does with what comes in, so that another one can go on from what it leaves.
final class Recorder {
  let folder: TemporaryFolder
  let fixture: Fixture
  private(set) var sessions: [UInt64: StreamSession] = [:]
  private var sockets: [UInt64: SocketPair] = [:]
  private let datagrams: SocketPair
  private var datagramCutter: LineCutter
  private var log: IntakeLog
  private let database: StateDatabase
  private(set) var settings = Settings()
  private var lastConnection: UInt64 = 0
  /// Up to where the last commit has stored the log.
  private var committed = LogPosition.none

  init(maxLineBytes: Int = 256, halfLife: Int64 = 100 * Fixture.hour) throws {
    folder = try TemporaryFolder()
    settings.maxLineBytes = maxLineBytes
    settings.halfLife = halfLife
    let (database, stored, _) = try StateDatabase.open(collecting: folder.path)
    self.database = database
    fixture = Fixture(halfLife: halfLife, stored: stored)
    log = try IntakeLog.create(inDirectory: folder.path, size: 4 << 20, identity: .random(in: 1 ... .max))
    datagrams = try SocketPair(SOCK_DGRAM)
    datagramCutter = LineCutter(maxLineBytes: maxLineBytes)
    noteSettings()
    try commit()
  }

  private func noteSettings() {
    let logged = LoggedSettings(settings)
    precondition(log.noteSettings(logged.bytes, at: fixture.clocks.reading))
  }

  var open: [UInt64] { sockets.keys.sorted() }

  func connect(_ access: Access = .events) throws -> UInt64 {
    lastConnection += 1
    sockets[lastConnection] = try SocketPair()
    sessions[lastConnection] = StreamSession(
      SessionState(access: access), maxLineBytes: LineLimit.bytes(settings.maxLineBytes, for: access),
      now: fixture.ledger.now())
    precondition(
      log.noteOpened(connection: lastConnection, isControl: access == .control, at: fixture.clocks.reading))
    fixture.ledger.counters.connectionsAccepted += 1
    return lastConnection
  }

  /// Sends on a connection, and reads it in pieces of so many bytes.
  func send(_ text: String, on connection: UInt64, pieces: Int = .max) throws {
    guard let socket = sockets[connection], let session = sessions[connection] else { return }
    try socket.writeSecond(text)
    while case .bytes(let bytes, let reading) = try log.receive(
      from: socket.first.raw, connection: connection, atMost: pieces, clock: { fixture.clocks.reading })
    {
      session.take(bytes, now: fixture.ledger.moment(at: reading), desk: fixture.desk)
    }
  }

  func end(_ connection: UInt64) {
    log.noteEnded(connection: connection, at: fixture.clocks.reading)
    sessions[connection]?.finish(now: fixture.ledger.now(), desk: fixture.desk)
    sockets[connection] = nil
    if sessions[connection]?.owedSyncs == 0 {
      sessions[connection] = nil
      fixture.ledger.counters.connectionsClosed += 1
    }
  }

  func sendDatagram(_ text: String) throws {
    try datagrams.writeSecond(text)
    guard
      case .datagrams(let count, let reading) = try log.receiveDatagrams(
        from: datagrams.first.raw, clock: { fixture.clocks.reading })
    else { return }
    for index in 0..<count {
      fixture.desk.take(
        datagram: log[datagram: index], now: fixture.ledger.moment(at: reading), cutter: &datagramCutter)
    }
  }

  func change(maxLineBytes: Int, halfLife: Int64) {
    (settings.maxLineBytes, settings.halfLife) = (maxLineBytes, halfLife)
    fixture.ledger.ranking.change(
      halfLife: HalfLife(nanoseconds: halfLife), limit: 4, at: fixture.ledger.now().decay)
    for session in sessions.values {
      session.maxLineBytes = LineLimit.bytes(maxLineBytes, for: session.access)
    }
    datagramCutter.maxLineBytes = maxLineBytes
    noteSettings()
  }

  /// Stores everything, as the committer does.
  ///
  /// - Parameter releases: whether the log is told; if not, the daemon dies just before that.
  func commit(releases: Bool = true) throws {
    let contents = Committer.Contents(
      logPosition: LogPosition(log: log.identity, offset: log.tail),
      connections: ConnectionChanges(all: sessions.map { $1.state.row($0) }), lastConnection: lastConnection,
      maxLineBytes: settings.maxLineBytes, generation: 1, syncs: [])
    var draft = CommitDraft(fixture.registry, contents: contents, policy: Committer.Policy(settings))
    draft.copyAll(fixture.registry)
    try database.commit(draft.batch)
    committed = contents.logPosition
    if releases { log.release(upTo: contents.logPosition.offset) }
  }

  /// Stores what has come in since the last commit, as the committer does where that is better.
  func commitInput(releases: Bool = true) throws {
    guard let parts = log.bytes(from: committed.offset) else { return try commit(releases: releases) }
    let input = InputBatch(start: committed, ringSize: log.ringSize, parts: parts)
    try database.store(input)
    committed.offset = log.tail
    if releases { log.release(upTo: committed.offset) }
  }

  /// What a daemon has that starts after this one was killed at this moment.
  ///
  /// - Parameters:
  ///   - clocks: what the machine's clocks say then; nil for what they say now.
  ///   - bootID: the boot that it starts in.
  ///   - losesLog: whether the intake log is gone by then, as after a power cut.
  func killed(
    clocks: Fixture.Clocks? = nil, bootID: String = "boot", losesLog: Bool = false,
    damage: (inout [UInt8]) -> Void = { _ in }
  ) throws -> Restarted {
    let copy = try TemporaryFolder()
    for name in try folder.names() where !losesLog || name != IntakeLog.fileName {
      var bytes = Array(try Data(contentsOf: URL(filePath: folder.path(name))))
      if name == IntakeLog.fileName { damage(&bytes) }
      try Data(bytes).write(to: URL(filePath: copy.path(name)))
    }
    return try Restarted(copy, settings: settings, clocks: clocks ?? fixture.clocks, bootID: bootID)
  }
}

/// A daemon's inner parts after a restart, before it serves.
struct Restarted {
  let folder: TemporaryFolder
  let fixture: Fixture
  let recovery: Recovery

  init(_ folder: TemporaryFolder, settings: Settings, clocks: Fixture.Clocks, bootID: String = "boot") throws {
    self.folder = folder
    let (_, stored, actions) = try StateDatabase.open(collecting: folder.path)
    fixture = Fixture(
      halfLife: settings.halfLife, stored: stored, actions: actions, clocks: clocks, bootID: bootID)
    recovery = try Recovery(
      stored, runtimeDirectory: folder.path, desk: fixture.desk, settings: settings, log: fixture.log)
    fixture.ledger.noteStart()
  }
}

/// Keeps what is stored.
private final class Loading: StateReceiver {
  private(set) var loaded: (stored: StoredState, actions: [ActionState])?

  func begin(_ state: StoredState, actionCount: Int) { loaded = (state, []) }

  func receive(_ action: StoredAction) {
    loaded?.actions.append(
      ActionState(app: Array(action.app), action: Array(action.action), values: action.values))
  }

  func progress() {}
}

extension StateDatabase {
  /// Opens the state in a folder, and collects what is stored.
  static func open(
    collecting directory: String
  ) throws(StorageError) -> (StateDatabase, StoredState, [ActionState]) {
    let loading = Loading()
    let (database, _) = try open(directory: directory, now: 0, receiver: loading)
    guard let (stored, actions) = loading.loaded else { preconditionFailure("a state that is open was received") }
    return (database, stored, actions)
  }
}
