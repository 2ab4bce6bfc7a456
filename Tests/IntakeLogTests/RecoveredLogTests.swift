import Glibc
import Posix
import Ranking
import Testing

@testable import IntakeLog

struct RecoveredLogTests {
  private let folder = TemporaryFolder()
  private let now = ClockReading(boot: 1, wall: 2)

  private func damage() throws -> LogDamage? { try replay(folder, from: 0)?.outcome.damage }

  @Test func `what is no log is said to be none, whatever it is, and nothing hangs`() throws {
    #expect(try replay(folder, from: 0)?.outcome == nil)
    folder.write([])
    #expect(try damage() == .notALog)
    folder.write([UInt8](repeating: 0, count: 4 << 20))
    #expect(try damage() == .notALog)
    unlink(folder.file())
    mkdir(folder.file(), 0o700)
    #expect(try damage() == .notARegularFile)
    rmdir(folder.file())
    mkfifo(folder.file(), 0o600)
    #expect(try damage() == .notARegularFile)
    unlink(folder.file())
    symlink("/dev/zero", folder.file())
    #expect(try damage() == .notARegularFile)
  }

  @Test func `a superblock with another version, a giant size or a flipped bit is not believed`() throws {
    _ = try IntakeLog.create(inDirectory: folder.path, size: 4 << 20, identity: 3)
    let file = folder.read()
    var block = Superblock(identity: 3, size: 4 << 20)
    block.version = 2
    folder.write(withUnsafeBytes(of: block) { Array($0) } + file.dropFirst(32))
    #expect(try damage() == .unknownVersion(2))
    for size in [0, 4096, 1 << 40, 5_000_001] {
      folder.write(withUnsafeBytes(of: Superblock(identity: 3, size: size)) { Array($0) } + file.dropFirst(32))
      #expect(try damage() == .superblock)
    }
    var flipped = file
    flipped[20] ^= 1
    folder.write(flipped)
    #expect(try damage() == .superblock)
    #expect(try damage()?.description == "its first page is damaged")
  }

  @Test func `a log that was set aside keeps its bytes, and only the last one is kept`() throws {
    for time in ["1", "2"] {
      folder.write([7, 7])
      let log = try IntakeLog.recover(inDirectory: folder.path)
      let path = try log?.setAside(at: time)
      #expect(path == folder.file("intake.log.damaged-\(time)"))
      #expect(folder.names == ["intake.log.damaged-\(time)"])
    }
    #expect(folder.read("intake.log.damaged-2") == [7, 7])
  }

  @Test func `an earlier log can be removed to make room for the next`() throws {
    folder.write([7])
    try IntakeLog.recover(inDirectory: folder.path)?.remove()
    #expect(folder.names.isEmpty)
  }

  @Test func `an offset that no commit can have had replays nothing that is not there`() throws {
    var log = try IntakeLog.create(inDirectory: folder.path, size: 4 << 20, identity: 3)
    log.noteEnded(connection: 1, at: now)
    log.noteEnded(connection: 2, at: now)
    for offset: UInt64 in [1, 8, 47, 96, 97, 1 << 40, .max, .max - 7] {
      let (entries, outcome) = try #require(try replay(folder, from: offset))
      #expect(entries.isEmpty)
      #expect(outcome.end >= offset)
    }
  }

  @Test func `a full runtime directory is an error at the start, and leaves no file`() throws {
    guard geteuid() == 0 else {
      print("skipped: a file system of 1 MiB can only be mounted by root")
      return
    }
    // A mount namespace of its own: nothing of it is seen outside or left behind.
    let script = """
      mount -t tmpfs -o size=3M tmpfs '\(folder.path)' || { echo 'no mount'; exit 0; }
      '\(Child.worker)' create '\(folder.path)' 4194304 2>&1; echo "status $?"; ls -A '\(folder.path)'
      """
    let output = try Child.output(of: ["unshare", "--mount", "--propagation", "private", "sh", "-c", script])
    if output == "no mount\n" || output.hasPrefix("unshare:") {
      print("skipped: no file system can be mounted here")
      return
    }
    #expect(
      output == """
        cannot allocate 4194304 bytes for \(folder.path)/.intake.log.tmp: No space left on device
        status 1

        """)
  }
}
