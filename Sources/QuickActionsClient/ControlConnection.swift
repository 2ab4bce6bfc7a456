package import Wire

/// A connection to `control.sock`: asks and steers, one request after the other.
///
/// A connection belongs to one thread. Calls wait for their answer, up to ``timeout``.
public final class ControlConnection {
  /// How long a call may wait for its answer.
  public var timeout: Duration

  private let channel: LineChannel
  private var lastSeq: Int64 = 0
  /// Changes that came while an answer was waited for, oldest first.
  var changes: [Change] = []

  /// Connects to a daemon.
  public init(_ daemon: DaemonChoice = .automatic, timeout: Duration = .seconds(10)) throws(ClientError) {
    channel = try LineChannel(daemon, .control, until: Deadline(after: timeout))
    self.timeout = timeout
  }

  /// Where the daemon was found.
  public var places: DaemonPlaces { channel.places }

  /// Becomes readable when the daemon has said something: for an event loop, that calls
  /// ``nextChange(timeout:)`` with a timeout of zero then, until that returns nil.
  public var descriptor: Int32 { channel.raw }

  /// Makes a request, and returns the inside of its reply.
  ///
  /// - Parameter members: writes what the request says beside its `op`.
  @discardableResult
  package func request(
    _ op: String, _ members: (inout JSONWriter) -> Void = { _ in }
  ) throws(ClientError) -> JSONNode {
    let deadline = Deadline(after: timeout)
    lastSeq += 1
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("op", op)
      writer.member("seq", lastSeq)
      members(&writer)
    }
    writer.newline()
    try channel.send(writer.bytes, until: deadline)
    while let line = try channel.nextLine(until: deadline) {
      let reply = try JSONNode.reply(line)
      if let change = reply["change"] {
        keep(try Change(change))
      } else if let error = reply["error"], isOurs(error) {
        throw .refused(Refusal(error))
      } else if let answer = reply[op], isOurs(answer) {
        return answer
      }
    }
    throw .timedOut
  }

  /// Whether a reply is to the last request, and not to one whose time was over.
  private func isOurs(_ reply: JSONNode) -> Bool { reply["seq"].map { $0.integer == lastSeq } ?? true }

  /// Waits until everything before it is as safe as the storage makes it.
  public func sync() throws(ClientError) -> SyncReply { SyncReply(try request("sync")) }

  /// The next line that is no answer; nil if the time is over.
  func nextChangeLine(timeout: Duration?) throws(ClientError) -> Change? {
    let deadline = Deadline(after: timeout)
    while let line = try channel.nextLine(until: deadline) {
      if let change = try JSONNode.reply(line)["change"] { return try Change(change) }
    }
    return nil
  }
}
