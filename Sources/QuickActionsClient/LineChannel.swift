import Posix

/// A connection to one of the daemon's stream sockets: lines out, lines in, and neither ever waits for the other.
final class LineChannel {
  /// Where the daemon was found.
  let places: DaemonPlaces
  private let descriptor: FileDescriptor
  /// What was not sent yet, at most a line over ``mostOutgoing``.
  private var outgoing: [UInt8] = []
  /// Bytes that came and are no whole line yet.
  private var unfinished: [UInt8] = []
  /// Lines that came, in order, without line ends.
  private var lines: [[UInt8]] = []
  /// Whether the daemon has closed the connection.
  private(set) var isAtEnd = false

  private static let mostOutgoing = 65_536
  /// The longest line that is read: a list of 1,000 shortcuts with all that they may carry stays below.
  private static let longestLine = 16 << 20
  private static let retryMilliseconds = 10

  var raw: Int32 { descriptor.raw }

  /// Connects to the first daemon that answers.
  ///
  /// - Parameter deadline: until when to try, where a daemon is there but does not accept.
  init(_ choice: DaemonChoice, _ socket: DaemonPlaces.Socket, until deadline: Deadline) throws(ClientError) {
    var forbidden: String?
    for places in choice.candidates {
      let path = places.path(of: socket)
      do {
        descriptor = try Self.connect(path, until: deadline)
        self.places = places
        return
      } catch {
        guard case .system(let failure) = error else { throw .timedOut }
        if failure.isMissing || failure.isRefusedConnection || failure.isNotAFolder { continue }
        guard failure.isDenied else { throw .system(failure.description) }
        forbidden = forbidden ?? path
      }
    }
    if let forbidden { throw .notPermitted(socket: forbidden) }
    throw .noDaemon(triedDirectories: choice.candidates.map(\.runtimeDirectory))
  }

  private enum ConnectFailure: Error {
    case system(SystemError)
    case timedOut
  }

  private static func connect(_ path: String, until deadline: Deadline) throws(ConnectFailure) -> FileDescriptor {
    while true {
      do { return try UnixSocket.connect(.stream, path: path) } catch {
        // The backlog is full: no descriptor tells when that ends.
        guard error.isWouldBlock else { throw .system(error) }
      }
      let milliseconds = deadline.milliseconds
      if milliseconds == 0 { throw .timedOut }
      _ = try? Poll.wait(for: [], milliseconds: min(milliseconds ?? .max, retryMilliseconds))
    }
  }

  /// Sends bytes, or keeps them until there are enough to be worth a call; reads along what comes meanwhile.
  func send(_ bytes: [UInt8], until deadline: Deadline) throws(ClientError) {
    outgoing += bytes
    if outgoing.count >= Self.mostOutgoing { try flush(until: deadline) }
  }

  /// Sends everything that was kept.
  func flush(until deadline: Deadline) throws(ClientError) {
    while !outgoing.isEmpty {
      let sent: Int
      do {
        sent = try UnixSocket.send(descriptor.raw, outgoing)
      } catch {
        throw error.isPeerGone ? .connectionLost : .system(error.description)
      }
      outgoing.removeFirst(sent)
      if outgoing.isEmpty { return }
      try wait(for: sent > 0 ? [] : [.read, .write], until: deadline)
    }
  }

  /// The next line that came already, without waiting.
  func takeLine() throws(ClientError) -> [UInt8]? {
    if lines.isEmpty { try receive() }
    return lines.isEmpty ? nil : lines.removeFirst()
  }

  /// The next line; nil if the time is over.
  func nextLine(until deadline: Deadline) throws(ClientError) -> [UInt8]? {
    try flush(until: deadline)
    while true {
      if let line = try takeLine() { return line }
      if isAtEnd { throw .connectionLost }
      if deadline.isOver { return nil }
      try wait(for: .read, until: deadline, isPatient: true)
    }
  }

  private func wait(for events: Poll.Events, until deadline: Deadline, isPatient: Bool = false) throws(ClientError) {
    if events.isEmpty { return }
    let ready: Poll.Events
    do {
      // At the end of the input it would always be readable.
      let wanted = isAtEnd ? events.subtracting(.read) : events
      ready = try Poll.wait(for: [(descriptor.raw, wanted)], milliseconds: deadline.milliseconds)[0]
    } catch {
      throw .system(error.description)
    }
    if ready.isEmpty, deadline.isOver, !isPatient { throw .timedOut }
    if !ready.isDisjoint(with: [.read, .end]) { try receive() }
  }

  /// Takes what has come, as far as it is there now.
  private func receive() throws(ClientError) {
    var part = [UInt8](repeating: 0, count: Self.mostOutgoing)
    while !isAtEnd {
      let received: Received
      do {
        received = try UnixSocket.receive(descriptor.raw, into: &part)
      } catch {
        guard error.isPeerGone else { throw .system(error.description) }
        isAtEnd = true
        return
      }
      switch received {
      case .nothing: return
      case .end: isAtEnd = true
      case .bytes(let count): try cut(part.prefix(count))
      }
      if !lines.isEmpty { return }
    }
  }

  private func cut(_ bytes: ArraySlice<UInt8>) throws(ClientError) {
    var rest = bytes
    while let end = rest.firstIndex(of: 0x0a) {
      lines.append(unfinished + rest[..<end])
      unfinished.removeAll(keepingCapacity: true)
      rest = rest[(end + 1)...]
    }
    unfinished += rest
    if unfinished.count > Self.longestLine { throw .badReply("a line of over \(Self.longestLine) bytes") }
  }
}

/// Until when something may take.
struct Deadline {
  /// By the clock that never steps, nanoseconds; nil for ever.
  private let end: Int64?

  /// So long from now; nil for ever.
  init(after time: Duration?) {
    end = time.map {
      let (seconds, attoseconds) = $0.components
      let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      let (sum, overflowOfSum) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
      let (end, overflowOfEnd) = sum.addingReportingOverflow(Clocks.monotonic())
      return overflow || overflowOfSum || overflowOfEnd ? (seconds < 0 ? 0 : .max) : end
    }
  }

  /// What is left, rounded up; 0 if it is over; nil for ever.
  var milliseconds: Int? {
    end.map { end in
      let left = end.subtractingReportingOverflow(Clocks.monotonic()).partialValue
      return left <= 0 ? 0 : Int(left / 1_000_000 + 1)
    }
  }

  var isOver: Bool { milliseconds == 0 }
}
