import Testing
import Wire

struct ValidateCommandTests {
  private static let good = """
    {"app": "com.example.mail", "actions": [
      {"type": "com.example.mail.compose", "kind": "static", "localizedTitle": "New", "unheardOf": 1}
    ]}
    """

  @Test("a good file is told with what it defines, and a warning is no failure")
  func good() throws {
    let places = try Places()
    let path = try places.folder.write(Self.good, to: "mail.json")
    let ended = try places.run("validate", path)
    #expect(ended.status == 0)
    let lines = ended.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("\(path):2:") == true && lines.first?.hasSuffix("(warning)") == true)
    #expect(lines.last == "\(path): 1 action of com.example.mail")
  }

  @Test("a file that would be refused is told with its place, the others are checked all the same")
  func bad() throws {
    let places = try Places()
    let good = try places.folder.write(Self.good, to: "mail.json")
    let bad = try places.folder.write("{\"app\": \"a\",\n \"actions\": [{}]}", to: "bad.json")
    let ended = try places.run("validate", bad, good, "--json")
    #expect(ended.status == 1)
    let files = try json(ended.output)["files"]?.elements ?? []
    #expect(files.map { $0["file"]?.string } == [bad, good])
    #expect(files.map { $0["actions"]?.integer } == [nil, 1])
    let problem = files.first?["problems"]?.elements?.first
    #expect(problem?["severity"]?.string == "error")
    #expect(problem?["line"]?.integer == 2)
    #expect(try places.run("validate", good, "/nowhere.json").status == 1)
  }
}
