import Foundation
import Testing
import Wire

struct ExportCommandTests {
  private static let lines = (0..<5).map { "{\"type\":\"a\($0)\",\"time\":100}" }

  /// Gives two lines a page; closes the connection before the page `breaksAt`.
  private func standIn(breaksAt: String? = nil) throws -> StandIn {
    try StandIn { line in
      let after = line["after"]?.string ?? "0"
      if after == breaksAt { return nil }
      let start = Int(after) ?? 0
      let page = Self.lines[start..<min(start + 2, 5)].map { "\"\($0.replacing("\"", with: "\\\""))\"" }
      let next = start + 2 < 5 ? "\"\(start + 2)\"" : "null"
      return [
        "{\"export\":{\"seq\":\(line["seq"]?.integer ?? 0),\"lines\":[\(page.joined(separator: ","))],\"next\":\(next)}}"
      ]
    }
  }

  @Test("all pages go to standard output")
  func output() throws {
    let standIn = try standIn()
    defer { standIn.stop() }
    let ended = try Running([Programs.client, "--runtime-dir", standIn.runtime, "export"]).end()
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(ended.output == Self.lines.map { $0 + "\n" }.joined())
  }

  @Test("a file is for its owner alone, and takes the old one's place when it is whole")
  func file() throws {
    let folder = try Folder()
    let path = try folder.write("old", to: "out")
    let broken = try standIn(breaksAt: "2")
    defer { broken.stop() }
    let failed = try Running([Programs.client, "--runtime-dir", broken.runtime, "export", path]).end()
    #expect(failed.status == 1)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")

    let whole = try standIn()
    defer { whole.stop() }
    let ended = try Running([Programs.client, "--runtime-dir", whole.runtime, "--json", "export", path]).end()
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(try json(ended.output)["lines"]?.integer == 5)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.lines.map { $0 + "\n" }.joined())
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
  }

  @Test("a folder that is not there is an error with its name")
  func noFolder() throws {
    let standIn = try standIn()
    defer { standIn.stop() }
    let ended = try Running([Programs.client, "--runtime-dir", standIn.runtime, "export", "/nowhere/out"]).end()
    #expect(ended.status == 1)
    #expect(ended.errors.contains("/nowhere"))
  }
}
