import Foundation

/// Plain calls on Unix sockets.
enum RawSocket {
  static func make(_ type: __socket_type) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
    if descriptor < 0 { throw Failure.system("make a socket") }
    return descriptor
  }

  /// A socket bound to `path`, listening if it is a stream.
  static func bound(_ type: __socket_type, _ path: String) throws -> Int32 {
    let descriptor = try make(type)
    guard withAddress(path, { bind(descriptor, $0, $1) }) == 0,
      type != SOCK_STREAM || listen(descriptor, 16) == 0
    else { throw Failure.system("bind \(path)") }
    return descriptor
  }

  /// A socket connected to `path`.
  static func connected(_ type: __socket_type, _ path: String) throws -> Int32 {
    let descriptor = try make(type)
    while withAddress(path, { connect(descriptor, $0, $1) }) != 0 {
      if errno == EINTR { continue }
      let failure = Failure.system("connect to \(path)")
      close(descriptor)
      throw failure
    }
    return descriptor
  }

  private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    precondition(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }
}

/// A connection to the daemon, for what socat can't do; gone with its owner.
final class Client: @unchecked Sendable {
  private var descriptor: Int32
  private var buffer: [UInt8] = []

  /// Connects; calls that read or write give up after ``patience``.
  init(_ path: String, datagram: Bool = false) throws {
    descriptor = try RawSocket.connected(datagram ? SOCK_DGRAM : SOCK_STREAM, path)
    var time = timeval(tv_sec: Int(patience), tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  deinit { close() }

  func close() {
    if descriptor >= 0 { Foundation.close(descriptor) }
    descriptor = -1
  }

  /// Sends all of it, as one datagram if this is for those; with strings, beware that `\r\n` is one character.
  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    repeat {
      let count = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0 { throw Failure.system("send to the daemon") }
      rest = rest.dropFirst(count)
    } while !rest.isEmpty
  }

  /// Says that nothing more will come.
  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Whether something can be read without waiting.
  var hasInput: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return !buffer.isEmpty || poll(&entry, 1, 0) > 0
  }

  /// The next line without its end; nil at the end of the stream.
  func readLine() throws -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeSubrange(...end)
        return line
      }
      var part = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &part, part.count, 0)
      if count < 0 { throw Failure.system("read from the daemon") }
      if count == 0 { return nil }
      buffer += part[..<count]
    }
  }

  /// All lines up to the end of the stream.
  func readAll() throws -> [String] {
    var lines: [String] = []
    while let line = try readLine() { lines.append(line) }
    return lines
  }

  /// Asks for a sync, and returns its reply and what came before it.
  @discardableResult
  func sync(_ seq: Int = 1) throws -> (reply: SyncReply, before: [String]) {
    try send(#"{"op":"sync","seq":\#(seq)}"# + "\n")
    var before: [String] = []
    while let line = try readLine() {
      if let reply = try? decode(SyncMessage.self, line).sync, reply.seq == seq { return (reply, before) }
      before.append(line)
    }
    throw Failure("the connection ended without a reply to the sync; before it came \(before)")
  }

  /// Asks for the daemon's counters; on `control.sock` only.
  func status() throws -> Status {
    try send(#"{"op":"status"}"# + "\n")
    guard let line = try readLine() else { throw Failure("no reply to status") }
    return try decode(StatusMessage.self, line).status
  }
}

func decode<Value: Decodable>(_ type: Value.Type, _ text: some StringProtocol) throws -> Value {
  do { return try JSONDecoder().decode(type, from: Data(text.utf8)) } catch {
    throw Failure("not a \(type): \(text.prefix(300)) (\(error))")
  }
}

struct SyncMessage: Decodable { let sync: SyncReply }
struct SyncReply: Decodable, Equatable {
  let seq: Int?
  let accepted, duplicates, refused: Int
  var blocked, notRecorded: Int?
  var durable = true
  var reason: String?
}

struct StatusMessage: Decodable { let status: Status }
struct Status: Decodable {
  let pid: Int32
  let actions, apps, connections, generation, diskBusyMilliseconds: Int
  let keptConnections, intakeLogBytes: Int
  let snapshotError, settingsError, storageError, storageErrorSince: String?
  let counters, refused: [String: Int]

  /// One of the counters.
  subscript(counter: String) -> Int { counters[counter] ?? -1 }
  /// Refusals over all codes.
  var refusals: Int { refused.values.reduce(0, +) }
}

struct ErrorMessage: Decodable {
  struct Body: Decodable {
    let line: Int?
    let code: String?
    let message: String?
    let suppressed, firstLine, lastLine: Int?
    let codes: [String: Int]?
  }
  let error: Body

  /// Reads replies, all of which must be errors.
  static func all(_ lines: [String]) throws -> [Body] { try lines.map { try decode(ErrorMessage.self, $0).error } }
}
