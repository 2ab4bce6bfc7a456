import Foundation
import Testing

@testable import Catalogue

/// The schema that is published for editors and validators, held against the reader.
struct SchemaTests {
  static let hasValidator = run(["-c", "import jsonschema"]) != nil

  /// What python3 prints, or nothing if it fails.
  static func run(_ arguments: [String]) -> String? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
  }

  /// For each file whether it keeps to the schema.
  static func verdicts(_ files: [String]) throws -> [Bool] {
    let script = """
      import json, sys, jsonschema
      with open(sys.argv[1]) as file: schema = json.load(file)
      kind = jsonschema.Draft202012Validator
      kind.check_schema(schema)
      for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file: print(kind(schema).is_valid(json.load(file)))
      """
    let text = try #require(run(["-c", script, repositoryPath("docs/catalogue.schema.json")] + files))
    return text.split(separator: "\n").map { $0 == "True" }
  }

  @Test(
    "the samples keep to the schema and are read without a problem",
    .enabled(if: hasValidator, "python3-jsonschema is missing"))
  func samples() throws {
    let folder = repositoryPath("etc/catalogue.d")
    let (catalogue, problems) = Catalogue.load(folders: [folder], languages: .none)
    #expect(problems == [])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(catalogue.ids == names.map { String($0.dropLast(5)) } && names.count == 3)
    #expect(try Self.verdicts(names.map { folder + "/" + $0 }) == [true, true, true])
  }

  @Test(
    "the schema refuses nothing that the reader takes without a warning, and most of what it does not take",
    .enabled(if: hasValidator, "python3-jsonschema is missing"))
  func variants() throws {
    let folder = try Folder()
    var files: [String] = []
    var expected: [Bool] = []
    func add(_ text: String, _ isValid: Bool) throws {
      let name = "\(files.count).json"
      try folder.write(text, to: name)
      files.append(folder.path + "/" + name)
      expected.append(isValid)
    }
    for bad in JSONDefinitionTests.bad where bad.isInSchema { try add(bad.text, false) }
    let good = [
      #"{"app": "a"}"#,
      #"{"$schema": "x", "app": "a", "localizedName": null, "halfLife": "1.5h 3 min", "limit": 1, "actions": []}"#,
      #"{"app": "a", "localizedName": "", "halfLife": null, "limit": null, "actions": null}"#,
      #"{"app": "a", "halfLife": "90"}"#,
      JSONDefinitionTests.action(#""target": null, "icon": null, "userInfo": null, "enabled": null, "titles": null"#),
      JSONDefinitionTests.action(#""titles": {"de": ""}, "localizedTitle": "", "userInfo": {"x": [{}]}"#),
      JSONDefinitionTests.file(#"{"type": "a#b", "kind": "static", "localizedTitle": "T"}"#),
      JSONDefinitionTests.file(#"{"type": "a", "target": "", "kind": "static", "localizedTitle": "T"}"#),
    ]
    for text in good {
      try add(text, true)
      #expect(Catalogue.read(file: files[files.count - 1]).problems == [], "\(text)")
    }
    try add(#"{"app": "a", "unknown": 1}"#, false)
    let verdicts = try Self.verdicts(files)
    #expect(verdicts.count == expected.count)
    for (index, verdict) in verdicts.enumerated() {
      let text = try String(contentsOfFile: files[index], encoding: .utf8)
      #expect(verdict == expected[index], "\(text)")
    }
  }
}
