import Wire

/// Reads the members of an object as what they have to be. A member that is null, and a text without a byte, is as good
/// as none.
struct MemberReader {
  private let node: JSONNode

  /// - Throws: if the node, which goes by `name`, is no object.
  init(_ node: JSONNode, _ name: String) throws(DefinitionError) {
    guard case .object = node.value else { throw Self.wrongKind(node, name, "an object") }
    self.node = node
  }

  /// Where the object begins.
  var offset: Int { node.offset }

  /// Where a member's value begins, or the object if there is none.
  func offset(of name: String) -> Int { node[name]?.offset ?? node.offset }

  /// Whether there is a member of that name.
  func has(_ name: String) -> Bool { node[name] != nil }

  /// A text of at most `DefinitionLimits.text` bytes.
  func text(_ name: String) throws(DefinitionError) -> String? {
    guard let node = node[name] else { return nil }
    let text = try Self.text(node, name)
    return text.isEmpty ? nil : text
  }

  /// A text that has to be there; it may be without a byte.
  func requiredText(_ name: String) throws(DefinitionError) -> String {
    guard let node = node[name] else { throw DefinitionError(.missing(name), at: offset) }
    return try Self.text(node, name)
  }

  /// A whole number of 64 bits; nothing if there is another value.
  func integer(_ name: String) -> Int64? { node[name]?.integer }

  /// True or false.
  func bool(_ name: String) throws(DefinitionError) -> Bool? {
    guard let node = node[name] else { return nil }
    guard let value = node.bool else { throw Self.wrongKind(node, name, "true or false") }
    return value
  }

  /// Another object.
  func object(_ name: String) throws(DefinitionError) -> JSONNode? {
    guard let node = node[name] else { return nil }
    _ = try MemberReader(node, name)
    return node
  }

  /// A list; an absent one is empty.
  func elements(_ name: String) throws(DefinitionError) -> [JSONNode] {
    guard let node = node[name] else { return [] }
    guard let elements = node.elements else { throw Self.wrongKind(node, name, "an array") }
    return elements
  }

  /// The members of an object of at most `DefinitionLimits.userInfo` bytes as JSON.
  func userInfo(_ name: String) throws(DefinitionError) -> [JSONObjectMember] {
    guard let node = try object(name) else { return [] }
    return try Self.userInfo(node.members ?? [], name, at: node.offset)
  }

  /// As ``userInfo(_:)``, of members that were put together.
  static func userInfo(_ members: [JSONObjectMember], _ name: String, at offset: Int) throws(DefinitionError)
    -> [JSONObjectMember]
  {
    var json = JSONWriter()
    json.value(JSONNode(.object(members)))
    if json.bytes.count > DefinitionLimits.userInfo {
      throw DefinitionError(.tooLong(name, limit: DefinitionLimits.userInfo), at: offset)
    }
    return members
  }

  /// A node that has to be a text.
  static func text(_ node: JSONNode, _ name: String) throws(DefinitionError) -> String {
    guard let text = node.string else { throw wrongKind(node, name, "a string") }
    return try self.text(text, name, at: node.offset)
  }

  /// A text, held to its limit.
  static func text(_ text: String, _ name: String, at offset: Int) throws(DefinitionError) -> String {
    if text.utf8.count > DefinitionLimits.text {
      throw DefinitionError(.tooLong(name, limit: DefinitionLimits.text), at: offset)
    }
    if text.utf8.contains(0) { throw DefinitionError(.holdsNUL(name), at: offset) }
    return text
  }

  static func wrongKind(_ node: JSONNode, _ name: String, _ expected: String) -> DefinitionError {
    DefinitionError(.wrongKind(name, expected: expected), at: node.offset)
  }
}
