import Foundation
import Posix

/// A folder of its own for one test.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "q\(UInt32.random(in: .min ... .max))").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func open() throws -> Directory { try Directory(opening: path) }

  func path(_ name: String) -> String { path + "/" + name }

  func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: URL(filePath: path(name))) }

  func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path(name))), as: UTF8.self)
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }

  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}

/// The permission bits of what is at a path.
func mode(of path: String) -> UInt32 {
  var status = stat()
  return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : .max
}

/// Two ends of a pipe, or of a pair of stream sockets.
struct Pair: ~Copyable {
  let first: FileDescriptor
  let second: FileDescriptor

  static func pipe() throws -> Pair {
    var ends: [Int32] = [-1, -1]
    if Glibc.pipe(&ends) != 0 { throw SystemError("make a pipe", code: errno) }
    try UnixSocket.setNonblocking(ends[0])
    return Pair(first: FileDescriptor(owning: ends[0]), second: FileDescriptor(owning: ends[1]))
  }

  static func sockets() throws -> Pair {
    var ends: [Int32] = [-1, -1]
    if socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) != 0 { throw SystemError("make a pair", code: errno) }
    return Pair(first: FileDescriptor(owning: ends[0]), second: FileDescriptor(owning: ends[1]))
  }

  /// Closes the second end only.
  consuming func closeSecond() -> FileDescriptor { first }
}

/// What `body` fails with; nil if it does not.
func failure(_ body: () throws(SystemError) -> Void) -> SystemError? {
  do { try body() } catch { return error }
  return nil
}

func send(_ bytes: [UInt8], to descriptor: Int32) throws -> Int {
  try bytes.withUnsafeBytes { try UnixSocket.send(descriptor, $0) }
}

func receive(_ descriptor: Int32, room: Int = 4096) throws -> (Received, [UInt8]) {
  var buffer = [UInt8](repeating: 0, count: room)
  let received = try buffer.withUnsafeMutableBytes { try UnixSocket.receive(descriptor, into: $0) }
  if case .bytes(let count) = received { return (received, Array(buffer[..<count])) }
  return (received, [])
}
