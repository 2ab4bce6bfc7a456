import Foundation
import QuickActionsClient
import Testing

struct SnapshotTests {
  private static let text = """
    {"format": "quickactions-snapshot/1", "app": "a", "generation": 7, "computedAt": "2026-11-30T12:00:00.123Z",
     "limit": 4, "shortcuts": [{"rank": 1, "kind": "dynamic", "type": "a.b", "score": 1, "uses": 1}], "dynamic": []}
    """

  @Test("a list that is published is read, and one that is not is nil")
  func read() throws {
    let folder = try Folder()
    try folder.write(Self.text, to: "snapshots/apps/a.json")
    try folder.write(Self.text, to: "snapshots/top.json")
    #expect(try Snapshot.read(of: "a", in: folder.path)?.generation == 7)
    #expect(try Snapshot.read(in: folder.path)?.shortcuts.map(\.action) == ["a.b"])
    #expect(try Snapshot.read(of: "b", in: folder.path) == nil)
    #expect(try Snapshot.read(in: folder.path + "/nowhere") == nil)
    #expect(try Snapshot.read(in: folder.path + "/snapshots/top.json") == nil)
  }

  @Test("an app whose id is no name for a file is found, and reaches no other folder")
  func names() throws {
    let folder = try Folder()
    try folder.write(Self.text, to: "snapshots/apps/%2E.%2Fa.json")
    try folder.write(Self.text, to: "snapshots/a.json")
    #expect(try Snapshot.read(of: "../a", in: folder.path) != nil)
    try FileManager.default.removeItem(atPath: folder.path + "/snapshots/apps/%2E.%2Fa.json")
    #expect(try Snapshot.read(of: "../a", in: folder.path) == nil)
  }

  @Test(
    "what is no list is told with its path, and never waited for",
    arguments: [
      "", "{}", "[]", "{\"format\":\"quickactions-snapshot/2\"}", "\u{0}\u{0}",
      "{\"format\":\"quickactions-snapshot/1\",\"shortcuts\":[{}]}", String(repeating: " ", count: 1_048_577),
    ])
  func bad(text: String) throws {
    let folder = try Folder()
    try folder.write(text, to: "snapshots/top.json")
    #expect(throws: ClientError.self) { try Snapshot.read(in: folder.path) }
  }

  @Test("a pipe and a folder in a file's place are told")
  func kinds() throws {
    let folder = try Folder()
    try folder.write("", to: "snapshots/x")
    mkfifo(folder.path + "/snapshots/top.json", 0o600)
    #expect(throws: ClientError.self) { try Snapshot.read(in: folder.path) }
    unlink(folder.path + "/snapshots/top.json")
    mkdir(folder.path + "/snapshots/top.json", 0o700)
    #expect(throws: ClientError.self) { try Snapshot.read(in: folder.path) }
  }
}
