import KeyFiles

/// One key of the settings files: where it stands, what it may be, and which property it fills.
package struct SettingKey: Sendable {
  /// The section's name, without brackets.
  package let section: String

  /// The key's name.
  package let name: String

  /// The default, as it is written in a file.
  package let defaultText: String

  /// What may be written, in words that follow "allowed are".
  package let allowed: String

  /// The values at and just past both ends of the range, for keys that have one.
  package let edges: ValueEdges?

  /// Sets the property to its default.
  let reset: @Sendable (inout Settings) -> Void

  /// Sets the property from the text of a value, or leaves it alone and says what is wrong.
  let read: @Sendable (String, inout Settings) throws(ValueFault) -> Void

  /// The property as it is written in a file.
  let print: @Sendable (Settings) -> String

  init<Value>(
    _ section: String, _ name: String, _ property: any WritableKeyPath<Settings, Value> & Sendable,
    default standard: Value, _ form: ValueForm<Value>
  ) {
    self.section = section
    self.name = name
    self.defaultText = form.print(standard)
    self.allowed = form.allowed
    self.edges = form.edges
    self.reset = { $0[keyPath: property] = standard }
    self.read = { (text, settings) throws(ValueFault) in settings[keyPath: property] = try form.parse(text) }
    self.print = { form.print($0[keyPath: property]) }
  }

  /// The names of all sections, each once, in the order of the table.
  package static let sections: [String] = all.reduce(into: []) { sections, key in
    if !sections.contains(key.section) { sections.append(key.section) }
  }

  /// The keys of one section, in the order of the table.
  package static func keys(of section: String) -> [SettingKey] {
    all.filter { $0.section == section }
  }
}
