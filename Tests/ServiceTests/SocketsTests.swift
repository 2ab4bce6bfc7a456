import Foundation
import Posix
import Testing

@testable import Service
@testable import Systemd

struct SocketsTests {
  private let folder: TemporaryFolder
  private let fixture = Fixture()

  init() throws { folder = try TemporaryFolder() }

  private func sockets(_ inherited: [InheritedSocket] = []) throws(StartFailure) -> Sockets {
    try Sockets(inherited: inherited, runtimeDirectory: folder.path, log: fixture.log)
  }

  private var failure: StartFailure? {
    startFailure { () throws(StartFailure) in try sockets().close() }
  }

  private func mode(of name: String) -> UInt32 {
    var status = stat()
    return stat(folder.path(name), &status) == 0 ? status.st_mode & 0o7777 : .max
  }

  @Test("three sockets are bound for their owner alone, and their files go with them")
  func bind() throws {
    let sockets = try sockets()
    #expect(try folder.names() == ["control.sock", "events.dgram", "events.sock"])
    for name in try folder.names() { #expect(mode(of: name) == 0o600) }
    #expect(sockets.listeners.map(\.ownName) == ["events.sock", "events.dgram", "control.sock"])
    #expect(sockets.listeners.map(\.kind) == [.stream, .datagram, .stream])
    #expect(sockets.listeners.map(\.access) == [.events, .events, .control])
    sockets.close()
    #expect(try folder.names() == [])
  }

  @Test("sockets that a dead instance left are replaced")
  func stale() throws {
    func die() throws {
      _ = try UnixSocket.bind(.stream, path: folder.path("events.sock"), mode: 0o600)
      _ = try UnixSocket.bind(.datagram, path: folder.path("events.dgram"), mode: 0o600)
      _ = try UnixSocket.bind(.stream, path: folder.path("control.sock"), mode: 0o600)
    }
    try die()
    #expect(try folder.names().count == 3)
    let sockets = try sockets()
    let client = try UnixSocket.connect(.stream, path: folder.path("events.sock"))
    #expect(try UnixSocket.accept(sockets.listeners[0].raw) != nil)
    _ = client.raw
    sockets.close()
  }

  @Test("a socket that somebody listens at is kept", arguments: ["events.sock", "events.dgram", "control.sock"])
  func living(name: String) throws {
    let kind: UnixSocket.Kind = name == "events.dgram" ? .datagram : .stream
    let other = try UnixSocket.bind(kind, path: folder.path(name), mode: 0o600)
    let failure = failure
    #expect(failure?.status == .anotherInstanceRuns)
    #expect(failure?.status.rawValue == 69)
    #expect(failure?.message == "another process listens at \(folder.path)/\(name)")
    #expect(try folder.names() == [name])
    let client = try UnixSocket.connect(kind, path: folder.path(name))
    _ = (client.raw, other.raw)
  }

  @Test(
    "what is no socket is refused by its kind and kept", arguments: ["events.sock", "events.dgram", "control.sock"])
  func notASocket(name: String) throws {
    let path = folder.path(name)
    try folder.write("precious", to: name)
    #expect(failure?.status.rawValue == 73)
    #expect(failure?.message == "\(path) is a regular file, not a socket; it was left as it is")
    #expect(try folder.text(of: name) == "precious")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(failure?.message == "\(path) is a folder, not a socket; it was left as it is")
    #expect(try folder.kind(of: name) == .folder)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
    #expect(failure?.message == "\(path) is a symbolic link, not a socket; it was left as it is")
    #expect(failure?.status.rawValue == 73)
    #expect(try folder.kind(of: name) == .link)
    #expect(try folder.names() == [name])
  }

  @Test("a path that is too long is refused by name and number of bytes")
  func tooLong() throws {
    let deep = folder.path(String(repeating: "d", count: 100))
    try Directory.create(deep, mode: 0o700)
    let failure = startFailure { () throws(StartFailure) in
      try Sockets(inherited: [], runtimeDirectory: deep, log: fixture.log).close()
    }
    #expect(failure?.status.rawValue == 73)
    let path = deep + "/events.sock"
    #expect(failure?.message == "the socket path \(path) has \(path.utf8.count) bytes; allowed are 107")
    #expect(try FileManager.default.contentsOfDirectory(atPath: deep) == [])
  }

  @Test("sockets of the service manager are taken, what is missing is bound, and the manager's files are kept")
  func inherited() throws {
    let raw = try UnixSocket.bind(.stream, path: folder.path("passed"), mode: 0o600).release()
    let sockets = try sockets([InheritedSocket(name: "events", kind: .stream, raw: raw)])
    #expect(sockets.listeners.map(\.ownName) == [nil, "events.dgram", "control.sock"])
    #expect(sockets.listeners.first?.raw == raw)
    #expect(try folder.names() == ["control.sock", "events.dgram", "passed"])
    sockets.close()
    #expect(try folder.names() == ["passed"])
    #expect(fixture.logLines == [])
  }

  @Test("sockets of no use are closed with a warning: a wrong name, a wrong type, one too many")
  func useless() throws {
    func bind(_ kind: UnixSocket.Kind, _ name: String) throws -> Int32 {
      try UnixSocket.bind(kind, path: folder.path(name), mode: 0o600).release()
    }
    let sockets = try sockets([
      InheritedSocket(name: "other", kind: .stream, raw: try bind(.stream, "1")),
      InheritedSocket(name: "control", kind: .datagram, raw: try bind(.datagram, "2")),
      InheritedSocket(name: "control", kind: .stream, raw: try bind(.stream, "3")),
      InheritedSocket(name: "control", kind: .stream, raw: try bind(.stream, "4")),
      InheritedSocket(name: "events", kind: nil, raw: FileDescriptor(owning: open("/dev/null", O_RDONLY)).release()),
    ])
    #expect(fixture.logLines.count == 4)
    #expect(fixture.logLines.first?.contains("'other'") == true)
    #expect(sockets.listeners.map(\.ownName) == [nil, "events.sock", "events.dgram"])
    for name in ["1", "4"] {
      let error = #expect(throws: SystemError.self) { _ = try UnixSocket.connect(.stream, path: folder.path(name)) }
      #expect(error?.isRefusedConnection == true)
    }
    sockets.close()
  }
}
