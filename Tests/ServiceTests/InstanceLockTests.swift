import Foundation
import Posix
import Testing

@testable import Service

struct InstanceLockTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var failure: StartFailure? {
    startFailure { () throws(StartFailure) in _ = try InstanceLock(folder.path) }
  }

  @Test("a folder is locked by one instance at a time, and free again when that has gone")
  func lock() throws {
    func hold() throws {
      let lock = try InstanceLock(folder.path)
      let second = failure
      #expect(second?.status.rawValue == 69)
      #expect(second?.message == "another instance runs; it holds \(folder.path)/quickactionsd.lock")
      _ = consume lock
    }
    try hold()
    #expect(failure == nil)
    #expect(try folder.names() == ["quickactionsd.lock"])
  }

  @Test("a link or a folder in the lock's place is refused and kept")
  func inPlace() throws {
    let path = folder.path("quickactionsd.lock")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "target")
    #expect(failure?.status.rawValue == 73)
    #expect(try folder.names() == ["quickactionsd.lock"])
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(failure?.status.rawValue == 73)
    #expect(try folder.kind(of: "quickactionsd.lock") == .folder)
  }

  @Test("a folder that serves for sockets and state is locked once, by whatever paths it is named")
  func folders() throws {
    try Directory.create(folder.path("a"), mode: 0o700)
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "a")
    var places = try Places(Options(["--runtime-dir", folder.path("a"), "--state-dir", folder.path("link")])) { _ in nil
    }
    #expect(try InstanceLock.folders(of: places).count == 1)
    places.stateDirectory = folder.path
    #expect(try InstanceLock.folders(of: places) == [folder.path("a"), folder.path])
  }
}
