package import Wire

/// An action as the catalogue or its app describes it.
package struct ActionDefinition: Equatable, Sendable {
  /// When an action is offered.
  package enum Kind: String, CaseIterable, Sendable {
    /// Before its first use, in the order of the catalogue.
    case `static`
    /// By its rank.
    case dynamic
  }

  /// TYPE or TYPE#TARGET, by the rules of ids.
  package let id: [UInt8]
  /// When it is offered.
  package let kind: Kind
  /// What a menu shows, 1 to 1024 bytes.
  package let localizedTitle: String?
  /// What a menu shows below the title, 1 to 1024 bytes.
  package let localizedSubtitle: String?
  /// What a menu shows beside the title.
  package let icon: Icon?
  /// What the app wants back, at most 4096 bytes as JSON.
  package let userInfo: [JSONObjectMember]
  /// Whether it may be offered at all.
  package let isEnabled: Bool

  /// An action of these parts, which keep to their limits.
  ///
  /// - Parameter id: by the rules of ids.
  package init(
    id: [UInt8], kind: Kind, localizedTitle: String? = nil, localizedSubtitle: String? = nil, icon: Icon? = nil,
    userInfo: [JSONObjectMember] = [], isEnabled: Bool = true
  ) {
    self.id = id
    self.kind = kind
    self.localizedTitle = localizedTitle
    self.localizedSubtitle = localizedSubtitle
    self.icon = icon
    self.userInfo = userInfo
    self.isEnabled = isEnabled
  }

  /// The id up to its first `#`.
  package var type: [UInt8] { Array(id.prefix { $0 != UInt8(ascii: "#") }) }

  /// What follows the first `#` of the id, if there is one.
  package var target: [UInt8]? {
    id.firstIndex(of: UInt8(ascii: "#")).map { Array(id[($0 + 1)...]) }
  }
}

/// A picture, by a name that whoever shows it understands.
package enum Icon: Equatable, Sendable {
  /// The name of a symbol, or of an icon of a theme.
  case symbol(String)
  /// One of the kinds that UIApplicationShortcutIcon has.
  case type(String)
  /// A file.
  case file(String)
}
