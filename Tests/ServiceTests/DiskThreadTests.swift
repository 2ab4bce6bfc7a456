import Posix
import Snapshots
import Systemd
import Testing

@testable import Service

struct DiskThreadTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func files(_ app: String?) -> SnapshotFiles {
    SnapshotFiles(Snapshot(app: app.map { Array($0.utf8) }, generation: 1, computedAt: 0, limit: 4, shortcuts: []))
  }

  @Test("snapshots are written beside the loop, in order, and each job is reported to the loop's thread")
  func writes() throws {
    let loop = try EventLoop()
    var reports: [DiskThread.Report] = []
    let disk = try DiskThread(folder: SnapshotFolder(stateDirectory: folder.path), loop: loop) { report in
      reports.append(report)
      if reports.count == 2 { loop.exit() }
    }
    #expect(disk.busyTime(now: Clocks.boot()) == nil)
    disk.write([files(nil), files("com.example.a")], mode: 0o640)
    disk.write([files("com.example.b")], mode: 0o600)
    try loop.run()
    #expect(reports == [[nil, nil], [nil]])
    #expect(try folder.text(of: "snapshots/top.json").contains("quickactions-snapshot/1"))
    #expect(try folder.text(of: "snapshots/apps/com.example.b.json").contains("com.example.b"))
    #expect(disk.busyTime(now: Clocks.boot()) == nil)
    #expect(disk.isMoving(now: .max, patience: 1))
    disk.stop()
  }

  @Test("what can't be written is reported with the reason, and the thread goes on")
  func fails() throws {
    let loop = try EventLoop()
    var reports: [DiskThread.Report] = []
    try folder.write("in the way", to: "snapshots")
    let slot = Slot()
    slot.disk = try DiskThread(folder: SnapshotFolder(stateDirectory: folder.path), loop: loop) { report in
      reports.append(report)
      if reports.count == 2 { return loop.exit() }
      #expect((try? folder.text(of: "snapshots")) == "in the way")
      try? Directory(opening: folder.path).remove("snapshots")
      slot.disk?.write([files(nil)], mode: 0o640)
    }
    slot.disk?.write([files(nil)], mode: 0o640)
    try loop.run()
    #expect(reports.first?.first??.isNotAFolder == true)
    #expect(reports.last == [nil])
    slot.disk?.stop()
    slot.disk = nil
  }

  private final class Slot {
    var disk: DiskThread?
  }
}
