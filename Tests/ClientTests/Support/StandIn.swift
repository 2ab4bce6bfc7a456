import Foundation
import Posix
import QuickActionsClient
import Synchronization
import Wire

/// A daemon that says what a test wants it to.
final class StandIn: Sendable {
  /// Answers a line: the lines to send back; nil to close the connection.
  typealias Script = @Sendable (_ line: JSONNode) -> [String]?

  let runtime: String
  private let script: Script
  private let listener: Int32
  private let received = Mutex<[JSONNode]>([])

  /// - Parameters:
  ///   - socket: which of the sockets there is.
  ///   - reads: whether it takes what it is sent; if not, it only listens.
  init(_ socket: String = "control.sock", reads: Bool = true, script: @escaping Script) throws {
    var template = Array("/tmp/qc-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure("no temporary folder") }
    runtime = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.script = script
    listener = try UnixSocket.bind(.stream, path: "\(runtime)/\(socket)", mode: 0o600).release()
    if reads { Foundation.Thread { [self] in serve() }.start() }
  }

  var choice: DaemonChoice { .at(DaemonPlaces(runtimeDirectory: runtime, stateDirectory: nil)) }

  /// The lines that came, in order.
  var lines: [JSONNode] { received.withLock { $0 } }

  /// Ends it; connections that are open see their end.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    try? FileManager.default.removeItem(atPath: runtime)
  }

  private func serve() {
    while let _ = try? Poll.wait(for: [(listener, .read)], milliseconds: nil) {
      guard let connection = try? UnixSocket.accept(listener) else { break }
      let raw = connection.release()
      Foundation.Thread { [self] in talk(FileDescriptor(owning: raw)) }.start()
    }
    close(listener)
  }

  private func talk(_ connection: consuming FileDescriptor) {
    var (unfinished, part) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while true {
      guard (try? Poll.wait(for: [(connection.raw, .read)], milliseconds: nil)) != nil,
        case .bytes(let count)? = try? UnixSocket.receive(connection.raw, into: &part)
      else { return }
      unfinished += part[..<count]
      while let end = unfinished.firstIndex(of: 0x0a) {
        let line = Array(unfinished[..<end])
        unfinished.removeFirst(end + 1)
        guard let node = try? JSONNode.object(line) else { continue }
        received.withLock { $0.append(node) }
        guard let replies = script(node) else { return }
        guard (try? send(replies, over: connection.raw)) != nil else { return }
      }
    }
  }
}

extension StandIn {
  private func send(_ replies: [String], over connection: Int32) throws {
    var bytes = Array(replies.map { $0 + "\n" }.joined().utf8)
    while !bytes.isEmpty {
      bytes.removeFirst(try UnixSocket.send(connection, bytes))
      if !bytes.isEmpty { _ = try Poll.wait(for: [(connection, .write)], milliseconds: nil) }
    }
  }

  /// One that answers each op with an object of these members, in which `SEQ` stands for the request's number.
  convenience init(answering answers: [String: String]) throws {
    try self.init { line in
      guard let op = line["op"]?.string, let answer = answers[op] else { return nil }
      return [answer.replacing("SEQ", with: "\(line["seq"]?.integer ?? 0)")]
    }
  }
}

/// A JSON text as it is read.
func json(_ text: String) throws -> JSONNode { try JSONNode.object(Array(text.utf8)) }
