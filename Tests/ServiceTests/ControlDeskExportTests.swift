import Catalogue
import Testing
import Wire

@testable import Service

struct ControlDeskExportTests {
  @Test("A page has as many definitions as fit, so that ten thousand do not take thousands of pages")
  func fillsPages() throws {
    let fixture = Fixture()
    let now = fixture.ledger.now()
    for index in 0..<1000 {
      let text = #"{"type":"app\#(index % 8).x\#(index)","localizedTitle":"\#(index)"}"#
      let node = try JSONNode.object(Array(text.utf8))
      _ = try fixture.registry.define(RegisteredDefinition(node, languages: .none), app: nil)
    }
    var lines: [String] = []
    var pages = 0
    var after: String? = nil
    repeat {
      var json = JSONWriter()
      json.object(try fixture.control.exportPage(after: after, at: now))
      #expect(json.bytes.count <= 48 * 1024)
      let page = try JSONNode.object(json.bytes)
      lines += page["lines"]?.elements?.compactMap(\.string) ?? []
      after = page["next"]?.string
      pages += 1
    } while after != nil
    #expect(Set(lines).count == 1000 && lines.count == 1000)
    #expect(pages < 20)
  }
}
