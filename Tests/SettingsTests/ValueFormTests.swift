import KeyFiles
import Testing

@testable import Settings

struct ValueFormTests {
  @Test("a file's mode lets the owner read and write and nobody execute")
  func fileModes() {
    let form = ValueForm<UInt32>.fileMode
    for mode in UInt32(0)...0o7777 {
      let parsed = Result { () throws(ValueFault) in try form.parse(ModeText.print(mode)) }
      let isAllowed = mode & 0o600 == 0o600 && mode & 0o7111 == 0
      #expect(parsed == (isAllowed ? .success(mode) : .failure(.outOfRange)), "\(ModeText.print(mode))")
    }
  }

  @Test("languages are names with colons between them", arguments: ["", "de", "pt_BR.UTF-8:zh-Hans:C", "sr@latin"])
  func languages(text: String) throws {
    #expect(try ValueForm<String>.languages.parse(text) == text)
  }

  @Test("a list of languages with anything else is refused", arguments: ["de, en", "de\nen", "dé", "de;en"])
  func otherLanguages(text: String) {
    #expect(throws: ValueFault.notLanguages) { try ValueForm<String>.languages.parse(text) }
  }
}
