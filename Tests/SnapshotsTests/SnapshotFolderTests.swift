import Dispatch
import Foundation
import Glibc
import Posix
import Ranking
import Synchronization
import Testing
import Wire

@testable import Snapshots

/// Up to four snapshots are synced file by file, more of them share one sync.
private let batchSizes = [1, 4, 5, 9]

@Suite(.timeLimit(.minutes(1)))
struct SnapshotFolderTests {
  @Test("all files of a batch are there whole, and nothing else", arguments: batchSizes)
  func writes(size: Int) throws {
    let state = try State()
    try state.prepare()
    let batch = [SnapshotFiles(nil)] + (1..<size).map { SnapshotFiles("app\($0)") }
    #expect(state.folder.write(batch, mode: 0o640) == batch.map { _ in nil })
    #expect(try state.names(in: "snapshots") == ["apps", "top.json", "top.tsv"])
    #expect(try state.names(in: "snapshots/apps").count == 2 * (size - 1))
    for files in batch {
      let base = "snapshots/" + (files.name.map { "apps/" + $0.base } ?? "top")
      #expect(try state.bytes(of: base + ".json") == files.json)
      #expect(try state.bytes(of: base + ".tsv") == files.tsv)
    }
  }

  @Test("new contents replace old ones by another file", arguments: batchSizes)
  func replaces(size: Int) throws {
    let state = try State()
    try state.prepare()
    let names = (0..<size).map { "app\($0)" }
    _ = state.folder.write(names.map { SnapshotFiles($0, generation: 1) }, mode: 0o640)
    // An open reader keeps what it has.
    let reader = try #require(FileHandle(forReadingAtPath: state.path("snapshots/apps/app0.json")))
    let before = state.status(of: "snapshots/apps/app0.json").st_ino
    let batch = names.map { SnapshotFiles($0, generation: 1_000) }
    #expect(state.folder.write(batch, mode: 0o640) == batch.map { _ in nil })
    #expect(state.status(of: "snapshots/apps/app0.json").st_ino != before)
    #expect(try reader.readToEnd().map { Array($0) } == SnapshotFiles("app0", generation: 1).json)
    for (name, files) in zip(names, batch) {
      #expect(try state.bytes(of: "snapshots/apps/\(name).json") == files.json)
    }
    #expect(try state.names(in: "snapshots/apps").count == 2 * size)
  }

  // MARK: Modes

  @Test(
    "files have the mode of the settings whatever the umask, folders with the x bits that go with it",
    .serialized,
    arguments: [(0o600, 0o700), (0o640, 0o750), (0o644, 0o755), (0o660, 0o770), (0o604, 0o705)]
      as [(FileMode, FileMode)])
  func modes(mode: FileMode, folderMode: FileMode) throws {
    #expect(SnapshotFolder.folderMode(for: mode) == folderMode)
    for mask in [0o077, 0o022, 0] as [mode_t] {
      let old = umask(mask)
      defer { umask(old) }
      let state = try State()
      try state.prepare(mode: mode)
      #expect(state.folder.write([SnapshotFiles(nil), SnapshotFiles("a")], mode: mode) == [nil, nil])
      for folder in ["snapshots", "snapshots/apps"] { #expect(state.mode(of: folder) == folderMode) }
      for file in ["top.json", "top.tsv", "apps/a.json", "apps/a.tsv"] {
        #expect(state.mode(of: "snapshots/" + file) == mode)
      }
    }
  }

  @Test("another mode of the settings is the mode of what is there already, once it is written")
  func changesMode() throws {
    let state = try State()
    try state.prepare(mode: 0o600)
    _ = state.folder.write([SnapshotFiles(nil), SnapshotFiles("a")], mode: 0o600)
    #expect(state.folder.write([SnapshotFiles(nil), SnapshotFiles("a")], mode: 0o644) == [nil, nil])
    #expect(state.mode(of: "snapshots") == 0o755 && state.mode(of: "snapshots/apps") == 0o755)
    #expect(state.mode(of: "snapshots/top.json") == 0o644 && state.mode(of: "snapshots/apps/a.tsv") == 0o644)
    try state.prepare(mode: 0o600)
    #expect(state.mode(of: "snapshots") == 0o700 && state.mode(of: "snapshots/apps") == 0o700)
  }

  // MARK: Links

  @Test("a target that is a symbolic link is written through", arguments: batchSizes)
  func linkedFiles(size: Int) throws {
    let state = try State()
    try state.prepare()
    for folder in ["near", "far", "dangling"] { try state.makeFolder(folder) }
    try state.put("old", at: "near/a.json")
    try state.put("old", at: "far/a.tsv")
    try state.put("old", at: "snapshots/same.json")
    try state.link("snapshots/apps/app0.json", to: "../../near/a.json")
    try state.link("snapshots/apps/app0.tsv", to: state.path("far/a.tsv"))
    try state.link("snapshots/top.json", to: "same.json")
    try state.link("dangling/second", to: "new.tsv")
    try state.link("snapshots/top.tsv", to: "../dangling/second")
    let batch = (0..<size).map { SnapshotFiles("app\($0)") } + [SnapshotFiles(nil)]
    #expect(state.folder.write(batch, mode: 0o644) == batch.map { _ in nil })

    #expect(try state.destination(of: "snapshots/apps/app0.json") == "../../near/a.json")
    #expect(try state.destination(of: "snapshots/apps/app0.tsv") == state.path("far/a.tsv"))
    #expect(try state.destination(of: "snapshots/top.json") == "same.json")
    #expect(try state.destination(of: "snapshots/top.tsv") == "../dangling/second")
    #expect(try state.destination(of: "dangling/second") == "new.tsv")
    let (app, top) = (batch[0], batch[size])
    for (file, bytes) in [
      ("near/a.json", app.json), ("far/a.tsv", app.tsv), ("snapshots/same.json", top.json),
      ("dangling/new.tsv", top.tsv),
    ] {
      #expect(state.isRegular(file) && state.mode(of: file) == 0o644)
      #expect(try state.bytes(of: file) == bytes)
    }
    #expect(try state.names(in: "near") == ["a.json"])
    #expect(try state.names(in: "far") == ["a.tsv"])
    #expect(try state.names(in: "dangling") == ["new.tsv", "second"])
    #expect(try state.names(in: "snapshots") == ["apps", "same.json", "top.json", "top.tsv"])
  }

  @Test("the state folder may itself be reached by a link")
  func linkedFolder() throws {
    let state = try State()
    try state.makeFolder("real")
    try state.link("state", to: "real")
    let folder = SnapshotFolder(stateDirectory: state.path("state"))
    try folder.prepare(mode: 0o640, keeping: []) { _ in }
    #expect(folder.write([SnapshotFiles("a")], mode: 0o640) == [nil])
    #expect(try state.names(in: "real/snapshots/apps") == ["a.json", "a.tsv"])
    #expect(try state.destination(of: "state") == "real")
  }

  @Test("a loop of links is an error for its snapshot, and the others are written", arguments: batchSizes)
  func linkLoop(size: Int) throws {
    let state = try State()
    try state.prepare()
    try state.link("snapshots/apps/loop.json", to: "again")
    try state.link("snapshots/apps/again", to: "loop.json")
    let batch = [SnapshotFiles("loop")] + (0..<size).map { SnapshotFiles("app\($0)") } + [SnapshotFiles(nil)]
    let outcomes = state.folder.write(batch, mode: 0o640)
    #expect(outcomes.first??.code == ELOOP)
    #expect(outcomes.dropFirst().allSatisfy { $0 == nil })
    #expect(try state.bytes(of: "snapshots/apps/app0.json") == batch[1].json)
    #expect(try state.names(in: "snapshots/apps").count == 2 * size + 2)
    #expect(try state.destination(of: "snapshots/apps/loop.json") == "again")
  }

  @Test("a link into a folder that is not there is an error for its snapshot")
  func linkToNowhere() throws {
    let state = try State()
    try state.prepare()
    try state.link("snapshots/apps/a.tsv", to: "../gone/a.tsv")
    let outcomes = state.folder.write([SnapshotFiles("a"), SnapshotFiles("b")], mode: 0o640)
    #expect(outcomes.map { $0?.code } == [ENOENT, nil])
    #expect(try state.names(in: "snapshots/apps") == ["a.tsv", "b.json", "b.tsv"])
  }

  // MARK: Faults

  @Test("a target that is a folder is an error for its snapshot, and no temporary file stays", arguments: batchSizes)
  func targetIsFolder(size: Int) throws {
    let state = try State()
    try state.prepare()
    try state.makeFolder("snapshots/apps/a.json/full")
    try state.makeFolder("snapshots/top.tsv")
    let batch = [SnapshotFiles("a")] + (0..<size).map { SnapshotFiles("app\($0)") } + [SnapshotFiles(nil)]
    let outcomes = state.folder.write(batch, mode: 0o640)
    #expect(outcomes.map { $0?.code } == [EISDIR] + (0..<size).map { _ in nil } + [EISDIR])
    let names = try state.names(in: "snapshots") + state.names(in: "snapshots/apps")
    #expect(!names.contains { AtomicFile.isTemporary($0) })
    #expect(try state.names(in: "snapshots/apps").count == 2 * size + 1)
    #expect(try state.names(in: "snapshots/apps/a.json") == ["full"])
    #expect(try state.bytes(of: "snapshots/apps/app0.json") == batch[1].json)
  }

  @Test("a file in the place of a folder is an error for what belongs there, and only for that")
  func fileInPlaceOfFolder() throws {
    let state = try State()
    try state.prepare()
    try FileManager.default.removeItem(atPath: state.path("snapshots/apps"))
    try state.put("kept", at: "snapshots/apps")
    let batch = [SnapshotFiles("a"), SnapshotFiles(nil), SnapshotFiles("b")]
    #expect(state.folder.write(batch, mode: 0o640).map { $0?.code } == [ENOTDIR, nil, ENOTDIR])
    #expect(try state.bytes(of: "snapshots/top.json") == batch[1].json)
    #expect(try state.bytes(of: "snapshots/apps") == Array("kept".utf8))
    #expect(throws: SystemError.self) { try state.prepare() }
    #expect(throws: SystemError.self) { try state.folder.remove([SnapshotName("a")]) }
  }

  @Test("a folder that may not be written to is an error")
  func unwritable() async {
    await #expect(processExitsWith: .success) {
      // Root may write everywhere: a process of its own takes the rights of nobody.
      if geteuid() == 0, seteuid(65534) != 0 { fatalError("root can't become nobody") }
      let state = try State()
      chmod(state.path, 0o500)
      defer { chmod(state.path, 0o700) }
      var wasPrepared = true
      do { try state.prepare() } catch { wasPrepared = false }
      let codes = state.folder.write([SnapshotFiles("a")], mode: 0o640).map { $0?.code }
      if wasPrepared || codes != [EACCES] { fatalError("prepared: \(wasPrepared), \(codes)") }
    }
  }

  @Test("folders that went away while running are made again")
  func missingFolders() throws {
    let state = try State()
    #expect(state.folder.write([SnapshotFiles("a"), SnapshotFiles(nil)], mode: 0o640) == [nil, nil])
    try FileManager.default.removeItem(atPath: state.path("snapshots"))
    #expect(state.folder.write([SnapshotFiles("a"), SnapshotFiles(nil)], mode: 0o640) == [nil, nil])
    #expect(state.mode(of: "snapshots/apps") == 0o750)
  }

  @Test("a pipe is replaced and not waited for, as a target and as a temporary file left over")
  func pipes() throws {
    let state = try State()
    try state.prepare()
    for name in ["top.json", ".top.tsv.tmp", "apps/a.tsv", "apps/.a.json.tmp"] {
      #expect(mkfifo(state.path("snapshots/" + name), 0o600) == 0)
    }
    let batch = [SnapshotFiles(nil), SnapshotFiles("a")]
    #expect(state.folder.write(batch, mode: 0o640) == [nil, nil])
    for name in ["top.json", "top.tsv", "apps/a.json", "apps/a.tsv"] { #expect(state.isRegular("snapshots/" + name)) }
    #expect(try state.bytes(of: "snapshots/top.json") == batch[0].json)
    #expect(try state.names(in: "snapshots") == ["apps", "top.json", "top.tsv"])
    #expect(try state.names(in: "snapshots/apps") == ["a.json", "a.tsv"])
  }

  @Test("a link under a temporary file's name is not followed")
  func linkedTemporary() throws {
    let state = try State()
    try state.prepare()
    try state.put("kept", at: "other")
    try state.link("snapshots/.top.json.tmp", to: "../other")
    #expect(state.folder.write([SnapshotFiles(nil)], mode: 0o640) == [nil])
    #expect(try state.bytes(of: "other") == Array("kept".utf8))
    #expect(state.isRegular("snapshots/top.json"))
  }

  // MARK: Preparing and removing

  @Test("left-over temporary files and the files of apps that are gone go, everything else stays")
  func prepares() throws {
    let state = try State()
    try state.makeFolder("snapshots/apps/folder")
    try state.makeFolder("snapshots/apps/gone-too.json")
    try state.makeFolder("snapshots/.folder.tmp/full")
    let kept = ["top.json", "top.tsv", "notes.txt", ".hidden", "x.tmp", "old.json"]
    let keptApps = ["a.json", "a.tsv", "%2Eb.json", "readme", "a.json.bak", "c.html", ".hidden"]
    let gone = [".top.json.tmp", "apps/.a.json.tmp", "apps/.gone.tsv.tmp", "apps/gone.json", "apps/gone.tsv"]
    for name in kept + keptApps.map({ "apps/" + $0 }) + gone { try state.put("x", at: "snapshots/" + name) }
    try state.link("snapshots/apps/linked.json", to: "../notes.txt")
    try state.prepare(keeping: [SnapshotName("a"), SnapshotName(".b"), SnapshotName("not yet")])
    #expect(try state.names(in: "snapshots") == (kept + ["apps", ".folder.tmp"]).sorted())
    #expect(try state.names(in: "snapshots/apps") == (keptApps + ["folder", "gone-too.json"]).sorted())
  }

  @Test("progress is told for every thousand files")
  func progress() throws {
    let state = try State()
    try state.makeFolder("snapshots/apps")
    for number in 0..<1_050 {
      for suffix in SnapshotName.suffixes { try state.put("", at: "snapshots/apps/a\(number)\(suffix)") }
    }
    var told: [Int] = []
    try state.folder.prepare(mode: 0o640, keeping: []) { told.append($0) }
    #expect(told == [1_000, 2_000])
    #expect(try state.names(in: "snapshots/apps") == [])
  }

  @Test("an app that is gone loses both its files, and no other app does")
  func removes() throws {
    let state = try State()
    try state.prepare()
    _ = state.folder.write(["a", "b", "c"].map { SnapshotFiles($0) }, mode: 0o640)
    try state.folder.remove([SnapshotName("a"), SnapshotName("c"), SnapshotName("never there")])
    #expect(try state.names(in: "snapshots/apps") == ["b.json", "b.tsv"])
  }

  @Test("a file that can't be removed is an error, and the others are removed all the same")
  func removesOthers() throws {
    let state = try State()
    try state.prepare()
    _ = state.folder.write(["a", "b"].map { SnapshotFiles($0) }, mode: 0o640)
    try FileManager.default.removeItem(atPath: state.path("snapshots/apps/a.json"))
    try state.makeFolder("snapshots/apps/a.json")
    #expect(throws: SystemError.self) { try state.folder.remove([SnapshotName("a"), SnapshotName("b")]) }
    #expect(try state.names(in: "snapshots/apps") == ["a.json"])
  }

  // MARK: Readers

  @Test("a reader never sees a part of a file, nor none", arguments: [2, 6])
  func readers(size: Int) throws {
    let state = try State()
    try state.prepare()
    // A long one and a short one in turn: a file written in place would show a mixture.
    let actions = (0..<20).map { RankedAction("a." + String(repeating: "x", count: 200) + "\($0)") }
    let versions = [actions, []].map { actions in
      (0..<size).map { SnapshotFiles(Snapshot(app: "app\($0)", limit: 20, actions)) }
    }
    #expect(state.folder.write(versions[0], mode: 0o640).allSatisfy { $0 == nil })
    let reader = Reader(state.path("snapshots/apps/app0.json"), expecting: Set(versions.map { Data($0[0].json) }))
    // Both at the same time, for as long as it takes that each has done a good deal.
    var rounds = 0
    while rounds < 10_000, rounds < 100 || reader.reads < 2_000 {
      rounds += 1
      _ = state.folder.write(versions[rounds % 2], mode: 0o640)
    }
    reader.stop()
    #expect(reader.reads >= 2_000 && reader.wrong == 0)
  }
}

/// Reads a file again and again, on a thread of its own.
private final class Reader: Sendable {
  private let counts = Mutex((reads: 0, wrong: 0, isStopping: false))
  private let isDone = DispatchSemaphore(value: 0)

  init(_ path: String, expecting whole: Set<Data>) {
    Thread { [self] in
      while !counts.withLock(\.isStopping) {
        let isWhole = FileManager.default.contents(atPath: path).map(whole.contains) ?? false
        counts.withLock { counts in
          counts.reads += 1
          if !isWhole { counts.wrong += 1 }
        }
      }
      isDone.signal()
    }.start()
  }

  var reads: Int { counts.withLock(\.reads) }
  /// How often the file was not one of those expected, or not there.
  var wrong: Int { counts.withLock(\.wrong) }

  func stop() {
    counts.withLock { $0.isStopping = true }
    isDone.wait()
  }
}
