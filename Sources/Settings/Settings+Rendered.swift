extension Settings {
  /// The settings as a key file that loads back to the same settings, every key written out.
  package func rendered() -> String {
    SettingKey.sections.map { section in
      "[\(section)]\n" + SettingKey.keys(of: section).map { "\($0.name)=\($0.print(self))\n" }.joined()
    }.joined(separator: "\n")
  }
}
