import Testing

@testable import Histories

struct CommandNameTests {
  private static func name(_ line: String) -> String? {
    CommandName.of(Array(line.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "a command is the first word that is no assignment, without its folders and quotes",
    arguments: [
      ("ls", "ls"), ("  ls -l", "ls"), ("git commit -m x", "git"), ("/usr/bin/git status", "git"),
      ("./run.sh", "run.sh"),
      ("~/bin/x/", "x"), ("/", "/"), ("..", ".."), ("LANG=C sort", "sort"), ("A=1 B='2 3' C=\"4 \\\" 5\" env", "env"),
      ("A+=x make", "make"), ("A=$(ls -l | wc) make", "make"), ("A=(a b c) make", "make"), ("A=`b c` make", "make"),
      ("1A=x make", "1A=x"), ("'my tool' x", "my%20tool"), ("\"a\\\"b\" x", "a\"b"), ("\\ls", "ls"),
      ("a\\ b c", "a%20b"),
      ("ls;pwd", "ls"), ("ls&", "ls"), ("ls|wc", "ls"), ("ls>file", "ls"), ("(cd x; ls)", "cd"), ("! true", "!"),
      ("f() { ls; }", "f"), ("100%", "100%25"), ("c#", "c%23"), ("\\\nls", "ls"), ("ls\nwc", "ls"), ("été", "été"),
      ("a\u{a0}b", "a%C2%A0b"), ("a\u{7f}", "a%7F"), ("x'unfinished", "xunfinished"), ("$EDITOR x", "$EDITOR"),
    ])
  func words(line: String, expected: String) { #expect(Self.name(line) == expected) }

  @Test(
    "a line without a command has none",
    arguments: ["", "  ", "A=1", "A=1 B=2", "# a remark", "> file", "; ls", "|", "A=$(", "(((("])
  func none(line: String) { #expect(Self.name(line) == nil) }

  @Test("bytes that are no UTF-8 are escaped, and a long name is cut before what does not fit")
  func bytes() {
    #expect(CommandName.of([0x61, 0xff, 0x00, 0xc3]).map { String(decoding: $0, as: UTF8.self) } == "a%FF%00%C3")
    #expect(Self.name(String(repeating: "a", count: 300))?.utf8.count == 200)
    #expect(Self.name(String(repeating: "a", count: 199) + "é")?.utf8.count == 199)
    #expect(Self.name(String(repeating: "a", count: 198) + "%")?.utf8.count == 198)
  }
}
