import Catalogue
import Foundation
import Posix
import Ranking
import Testing

@testable import Snapshots

@Suite("What was published before")
struct PublishedFilesTests {
  private static let app = "com.example.mail"

  private static func snapshot(
    score: Double = 100, uses: UInt64 = 3, rate: Double? = 0.5, trials: UInt64 = 8, generation: UInt64 = 1,
    title: String? = nil
  ) -> Snapshot {
    var snapshot = Snapshot(
      app: app, generation: generation, [RankedAction("a.x", score: score, uses: uses), RankedAction("a.y", score: 7)])
    snapshot.computedAt += Int64(generation) * 1_000_000_000
    snapshot.method = ListMethod(
      kind: "adaptive", halfLife: "20 uses", hitRate: rate, runnerUp: rate.map { ("1 use", $0) })
    snapshot.hits = ListHits(trials: trials, hits: 1, recentRate: rate)
    if let title {
      snapshot.shortcuts[0].definition = ActionDefinition(
        id: Array("a.x".utf8), kind: .dynamic, localizedTitle: title)
    }
    return snapshot
  }

  /// What replacing the first one by the second would cost.
  private static func loss(_ published: Snapshot, _ next: Snapshot, mode: FileMode = 0o640) throws -> Double? {
    let state = try State()
    try state.folder.prepare(mode: 0o640, keeping: []) { _ in }
    #expect(state.folder.write([SnapshotFiles(published)], mode: 0o640) == [nil])
    return SnapshotFiles(next).publishedBefore(in: try PublishedFolder(state.folder, mode: mode)).loss
  }

  @Test("the same, and one of another round, time and other rates, would lose nothing")
  func nothing() throws {
    #expect(try Self.loss(Self.snapshot(), Self.snapshot()) == 0)
    #expect(try Self.loss(Self.snapshot(), Self.snapshot(rate: nil, trials: 9, generation: 12)) == 0)
    #expect(try Self.loss(Self.snapshot(rate: nil), Self.snapshot()) == 0)
    #expect(try Self.loss(Snapshot(app: nil), Snapshot(app: nil, generation: 2)) == 0)
  }

  @Test("scores that have faded are told by their share")
  func faded() throws {
    let loss = try #require(try Self.loss(Self.snapshot(), Self.snapshot(score: 99.25)))
    #expect(abs(loss - 0.0075) < 1e-9)
  }

  @Test("anything else counts")
  func other() throws {
    #expect(try Self.loss(Self.snapshot(), Self.snapshot(uses: 4)) == nil)
    #expect(try Self.loss(Self.snapshot(), Self.snapshot(title: "Title")) == nil)
    #expect(try Self.loss(Self.snapshot(title: "One"), Self.snapshot(title: "\"score\": 1")) == nil)
    var (other, shorter) = (Self.snapshot(), Self.snapshot())
    other.method = ListMethod(kind: "adaptive", halfLife: "1 use", hitRate: 0.5, runnerUp: ("20 uses", 0.5))
    shorter.shortcuts.removeLast()
    #expect(try Self.loss(Self.snapshot(), other) == nil)
    #expect(try Self.loss(Self.snapshot(), shorter) == nil && Self.loss(shorter, Self.snapshot()) == nil)
    #expect(try Self.loss(Self.snapshot(), Self.snapshot(), mode: 0o600) == nil)
  }

  @Test("files that are missing, cut or changed are to be written anew", arguments: ["json", "tsv"])
  func damaged(suffix: String) throws {
    let state = try State()
    let files = SnapshotFiles(Self.snapshot())
    #expect(files.publishedBefore(in: try PublishedFolder(prepared(state), mode: 0o640)).loss == nil)
    #expect(state.folder.write([files], mode: 0o640) == [nil])
    let path = state.path("snapshots/apps/\(Self.app).\(suffix)")
    let sound = try Data(contentsOf: URL(filePath: path))
    for bytes in [sound.dropLast(20), sound + Data("more\n".utf8), Data(), Data(sound.map { $0 == 0x33 ? 0x34 : $0 })] {
      try bytes.write(to: URL(filePath: path))
      #expect(chmod(path, 0o640) == 0)
      #expect(files.publishedBefore(in: try PublishedFolder(state.folder, mode: 0o640)).loss == nil)
    }
    try sound.write(to: URL(filePath: path))
    #expect(
      try files.publishedBefore(in: PublishedFolder(state.folder, mode: 0o640)).generation == Self.snapshot().generation
    )
    #expect(files.publishedBefore(in: try PublishedFolder(state.folder, mode: 0o640)).loss == 0)
    try FileManager.default.removeItem(atPath: path)
    #expect(files.publishedBefore(in: try PublishedFolder(state.folder, mode: 0o640)).loss == nil)
  }

  private func prepared(_ state: State) throws -> SnapshotFolder {
    try state.folder.prepare(mode: 0o640, keeping: []) { _ in }
    return state.folder
  }
}
