import Wire

/// What the daemon says to a ``UseStream/sync()``. The counts are of lines since the stream began.
public struct SyncReply: Hashable, Sendable {
  /// Lines that were counted.
  public let accepted: UInt64
  /// Lines whose idempotency id had been seen before.
  public let duplicates: UInt64
  /// Lines that were refused.
  public let refused: UInt64
  /// Lines about what the person has blocked.
  public let blocked: UInt64
  /// Lines that came while recording was paused.
  public let notRecorded: UInt64
  /// Whether everything is on the disk.
  public let isDurable: Bool
  /// Why it is not.
  public let reason: String?
}

/// Uses on a stream, in any number: with back-pressure, replies read along, and an answer when they are safe.
///
/// A stream belongs to one thread. Its memory is bounded.
public final class UseStream {
  /// What a stream is connected to.
  public enum Socket: Sendable {
    /// Takes uses only.
    case events
    /// Takes everything; open to the daemon's own user alone.
    case control
  }

  /// Called for each line that is refused, as soon as that was read.
  public var onRefusal: (Refusal) -> Void = { _ in }
  /// Called for refusals that the daemon did not tell one by one, as there were over 100 in a second: how many, and
  /// between which lines.
  public var onUntoldRefusals: (_ count: UInt64, _ lines: ClosedRange<UInt64>) -> Void = { _, _ in }
  /// How long a call may wait for the daemon, at most.
  public var timeout: Duration
  /// Lines sent so far.
  public private(set) var lineCount: UInt64 = 0

  private let channel: LineChannel

  /// To look for refusals is a call of the kernel, and not worth it for every line.
  private static let linesBetweenLooks: UInt64 = 64

  /// Connects to a daemon.
  public init(
    _ daemon: DaemonChoice = .automatic, over socket: Socket = .events, timeout: Duration = .seconds(10)
  ) throws(ClientError) {
    channel = try LineChannel(daemon, socket == .events ? .events : .control, until: Deadline(after: timeout))
    self.timeout = timeout
  }

  /// Where the daemon was found.
  public var places: DaemonPlaces { channel.places }

  /// Sends a use, and returns the number of its line.
  ///
  /// - Throws: ``ClientError/refused(_:)`` for a use that the daemon would refuse; the stream goes on.
  @discardableResult
  public func send(_ use: Use) throws(ClientError) -> UInt64 { try send(line: use.line()) }

  /// Sends a line as it is, which ends with its line end, and returns its number.
  @discardableResult
  package func send(line: [UInt8]) throws(ClientError) -> UInt64 {
    try channel.send(line, until: Deadline(after: timeout))
    lineCount += 1
    if lineCount.isMultiple(of: Self.linesBetweenLooks) { try takeRefusals() }
    return lineCount
  }

  /// Sends what was kept back until there was more of it.
  public func flush() throws(ClientError) {
    try channel.flush(until: Deadline(after: timeout))
    try takeRefusals()
  }

  /// Becomes readable when the daemon has said something; ``takeReplies()`` is to be called then.
  package var descriptor: Int32 { channel.raw }

  /// Tells of the refusals that came meanwhile.
  package func takeReplies() throws(ClientError) {
    try takeRefusals()
    if channel.isAtEnd { throw .connectionLost }
  }

  /// Sends the line of a use without its end, so that the use counts when the stream ends, as it does when this process
  /// becomes another program; ``takeBack()`` is still possible until then.
  package func sendUnfinished(_ use: Use) throws(ClientError) {
    try channel.send(Array(use.line().dropLast()), until: Deadline(after: timeout))
    try flush()
  }

  /// Has the daemon refuse the unfinished line.
  package func takeBack() throws(ClientError) {
    // More behind the object's brace is no JSON.
    try send(line: Array("-\n".utf8))
    try flush()
  }

  /// Sends what was kept back, and waits until the daemon has counted everything and stored it.
  public func sync() throws(ClientError) -> SyncReply {
    let deadline = Deadline(after: timeout)
    let seq = lineCount
    try send(line: Array("{\"op\":\"sync\",\"seq\":\(seq)}\n".utf8))
    while let line = try channel.nextLine(until: deadline) {
      if let sync = try take(line), sync["seq"]?.integer == Int64(seq) { return SyncReply(sync) }
    }
    throw .timedOut
  }

  private func takeRefusals() throws(ClientError) {
    while let reply = try channel.takeLine() { _ = try take(reply) }
  }

  /// Tells of a refusal, or returns the answer to a sync.
  private func take(_ line: [UInt8]) throws(ClientError) -> JSONNode? {
    let reply = try JSONNode.reply(line)
    if let error = reply["error"] {
      if let count = error["suppressed"]?.count {
        let first = error["firstLine"]?.count ?? 1
        onUntoldRefusals(count, first...max(first, error["lastLine"]?.count ?? first))
      } else {
        let refusal = Refusal(error)
        // About the connection and not about a line of it.
        if refusal.line == nil { throw .refused(refusal) }
        onRefusal(refusal)
      }
    }
    return reply["sync"]
  }
}

extension SyncReply {
  init(_ node: JSONNode) {
    accepted = node["accepted"]?.count ?? 0
    duplicates = node["duplicates"]?.count ?? 0
    refused = node["refused"]?.count ?? 0
    blocked = node["blocked"]?.count ?? 0
    notRecorded = node["notRecorded"]?.count ?? 0
    isDurable = node["durable"]?.bool ?? false
    reason = node["reason"]?.string
  }
}
