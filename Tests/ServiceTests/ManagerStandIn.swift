import Foundation
import Posix

/// Stands in for the service manager of this process, for tests that have a process of their own.
final class ManagerStandIn {
  private let folder: TemporaryFolder
  private let socket: FileDescriptor

  init() throws {
    folder = try TemporaryFolder()
    socket = try UnixSocket.bind(.datagram, path: folder.path("notify"), mode: 0o600)
    setenv("NOTIFY_SOCKET", folder.path("notify"), 1)
  }

  /// The messages that wait, without those that only filled its queue.
  func messages() throws -> [String] {
    var messages: [String] = []
    var batch = DatagramBatch()
    while case let count = try batch.receive(from: socket.raw), count > 0 {
      messages += (0..<count).map { batch[$0].map { String(decoding: $0, as: UTF8.self) } ?? "" }
    }
    return messages.filter { $0 != "WATCHDOG=1" }
  }
}
