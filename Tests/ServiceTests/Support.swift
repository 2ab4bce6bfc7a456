import Catalogue
import Foundation
import Ranking
import Settings
import TestSupport
import Wire

@testable import Posix
@testable import Service
@testable import Storage

/// A folder of its own for one test.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "q\(UInt32.random(in: .min ... .max))").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { path + "/" + name }

  func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: URL(filePath: path(name))) }

  func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path(name))), as: UTF8.self)
  }

  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

  func kind(of name: String) throws -> FileKind? { try Directory(opening: path).kind(of: name) }
}

/// A daemon's inner parts, with a clock that is set by hand and a log that is kept.
final class Fixture {
  static let second: Int64 = 1_000_000_000
  static let hour = 3600 * second
  /// The machine's own clock, for what really takes time.
  static var now: Int64 { Posix.Clocks.boot() }

  /// What the machine's clocks say; they go forward together, as long as nobody sets one alone.
  final class Clocks {
    var boot: Int64 = 1_000 * Fixture.second
    var wall: Int64 = 1_800_000_000 * Fixture.second
    var reading: ClockReading { ClockReading(boot: boot, wall: wall) }
    func advance(by time: Int64) {
      boot += time
      wall += time
    }
  }

  final class Lines {
    var lines: [String] = []
  }

  let clocks: Clocks
  private let logged = Lines()
  let log: Log
  let ledger: Ledger
  let registry: Registry
  let control: ControlDesk
  let desk: LineDesk

  /// - Parameters:
  ///   - stored: what the ledger goes on from.
  ///   - actions: those that were stored.
  init(
    halfLife: Int64 = 100 * Fixture.hour, limit: Int = 4, stored: StoredState = StoredState(idSecret: (1, 2)),
    actions: [ActionState] = [], clocks: Clocks = Clocks(), bootID: String = "boot"
  ) {
    let logged = logged
    self.clocks = clocks
    log = Log(isUnderSystemd: false) { logged.lines.append($0) }
    // Lists go by the score alone, which can be worked out by hand.
    var settings = Settings()
    (settings.halfLife, settings.limit) = (halfLife, limit)
    (settings.method, settings.swapMargin, settings.keepPlaces) = (.fixed, 0, false)
    ledger = Ledger(stored, RankingSettings(settings), idLifetime: 24 * Fixture.hour, log: log, bootID: bootID) {
      clocks.reading
    }
    for action in actions { _ = ledger.ranking.restore(action) }
    ledger.finishRestoring(stored)
    registry = Registry(ledger: ledger)
    registry.restore(stored, languages: .none)
    control = ControlDesk(
      ledger: ledger, registry: registry, languages: .none, storedHours: { _, _ in [] },
      historyPage: { _, _ in HourlyPage(rows: [], end: nil) }, hourlessUses: { _, _ in [] })
    desk = LineDesk(control: control, log: log)
  }

  var logLines: [String] { logged.lines }

  /// Counts uses of an action.
  func use(_ action: String, times: UInt32 = 1) {
    let bytes = Array(action.utf8)
    _ = bytes.withUnsafeBytes { bytes in
      ledger.ranking.count(bytes, app: nil, uses: times, at: UseTime(clientTime: nil, now: ledger.now()))
    }
  }

  /// Takes all that is not stored, as a commit does.
  func takeUncommitted() -> UncommittedChanges {
    var changes = UncommittedChanges(takenFrom: registry)
    ledger.ranking.freeze()
    while ledger.ranking.copyFrozen(atMost: 100) {}
    changes.actions = ledger.ranking.takeCopies()
    changes.apps = changes.actions.apps.map(\.number)
    return changes
  }

  func session(_ access: Access = .events, maxLineBytes: Int = 4096) -> StreamSession {
    let session = StreamSession(
      SessionState(access: access), maxLineBytes: maxLineBytes, now: ledger.now())
    session.peer = PeerCredentials(user: 1000, group: 1000, process: 42)
    return session
  }

  /// Answers the syncs that wait on a stream, as a commit would.
  func answerSyncs(of session: StreamSession, unsafeBecause reason: String? = nil) {
    for sync in session.takePendingSyncs() { session.answer(sync, unsafeBecause: reason, desk: desk) }
  }

  func feed(_ text: String, to session: StreamSession) { feed(Array(text.utf8)[...], to: session) }

  func feed(_ bytes: ArraySlice<UInt8>, to session: StreamSession) {
    bytes.withUnsafeBytes { session.take($0, now: ledger.now(), desk: desk) }
  }

  /// The replies that wait, as lines.
  func replies(of session: StreamSession) throws -> [String] {
    let pair = try SocketPair()
    var lines = ""
    while !session.replies.isEmpty {
      session.replies.flush(to: pair.first.raw)
      lines += String(decoding: pair.readSecond(), as: UTF8.self)
    }
    #if DEBUG
      precondition(lines.isEmpty || lines.hasSuffix("\n"))
    #endif
    return lines.split(separator: "\n").map(String.init)
  }
}

/// Two sockets that are connected and do not block.
final class SocketPair {
  let first: FileDescriptor
  private var second: FileDescriptor?

  init(_ type: __socket_type = SOCK_STREAM) throws {
    var ends: [Int32] = [-1, -1]
    let type = Int32(type.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    if socketpair(AF_UNIX, type, 0, &ends) != 0 { throw SystemError("make a pair of sockets", code: errno) }
    first = FileDescriptor(owning: ends[0])
    second = FileDescriptor(owning: ends[1])
  }

  func closeSecond() { second = nil }

  /// Sends from the second end.
  func writeSecond(_ text: String) throws {
    let bytes = Array(text.utf8)
    let sent = try bytes.withUnsafeBytes { try UnixSocket.send(second?.raw ?? -1, $0) }
    precondition(sent == bytes.count)
  }

  /// Everything that waits at the second end.
  func readSecond() -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let raw = second?.raw ?? -1
    while case .bytes(let count)? = try? buffer.withUnsafeMutableBytes({ try UnixSocket.receive(raw, into: $0) }) {
      bytes += buffer[..<count]
    }
    return bytes
  }
}

/// Why something does not start; nil if it does.
func startFailure(_ body: () throws(StartFailure) -> Void) -> StartFailure? {
  do { try body() } catch { return error }
  return nil
}

extension CommitBatch {
  /// The actions that change.
  var actions: [ActionRow] { changes.states }
}
