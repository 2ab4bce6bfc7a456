import Testing

@testable import KeyFiles

/// What a key file is, wherever it is read; ``SettingsSyntaxTests`` tries every fault of a line.
struct KeyFileTests {
  @Test("values are read raw, without escapes, and as lists")
  func values() throws {
    let file = try KeyFile(Array("\u{FEFF}[A]\nx=a\\sb;c\\;d;\nx[de]=ü\n\n[B]\nx=\\q\n".utf8))
    #expect(file.value(section: "A", key: "x") == "a\\sb;c\\;d;")
    #expect(file.strings(section: "A", key: "x") == ["a b", "c;d"])
    #expect(file.string(section: "A", key: "x[de]") == "ü")
    #expect(file.value(section: "B", key: "x") == "\\q")
    #expect(file.string(section: "B", key: "x") == "\\q")
    #expect(file.string(section: "B", key: "y") == nil)
    #expect(file.strings(section: "B", key: "y") == nil)
    #expect(file.value(section: "C", key: "x") == nil)
  }

  @Test("sections and keys are told with their lines")
  func lines() throws {
    let file = try KeyFile(Array("# x\n[A]\r\nx = 1\n\ny[de]=2\n[B]".utf8))
    var seen: [(Int, KeyFileLines.Item)] = []
    file.lines.forEach { seen.append(($0, $1)) }
    #expect(seen.map(\.0) == [2, 3, 5, 6])
    #expect(
      seen.map(\.1) == [
        .section(Array("A".utf8)), .key(Array("x".utf8)), .key(Array("y[de]".utf8)), .section(Array("B".utf8)),
      ])
  }

  @Test("what is no key file is refused with the line")
  func refused() {
    let error = #expect(throws: KeyFileError.self) { _ = try KeyFile(Array("[A]\nx=1\noops\n".utf8)) }
    #expect(error == KeyFileError(line: 3, fault: .badLine("oops")))
    #expect(error?.fault.words == "neither [Section], Key=value nor # comment")
  }
}
