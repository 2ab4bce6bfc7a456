/// An app as the catalogue describes it.
package struct AppDefinition: Equatable, Sendable {
  /// The app's id.
  package let app: [UInt8]
  /// What a person calls it, 1 to 1024 bytes.
  package let localizedName: String?
  /// Nanoseconds after which a use of its actions counts half, if they are not those of all apps.
  package let halfLife: Int64?
  /// How many actions its list offers at most, if that is not as for all apps.
  package let limit: Int?
  /// Its actions in the order in which they were declared, each id once.
  package let actions: [ActionDefinition]

  /// An app of these parts, which keep to their limits.
  ///
  /// - Parameters:
  ///   - app: by the rules of ids.
  ///   - actions: each id once.
  package init(
    app: [UInt8], localizedName: String? = nil, halfLife: Int64? = nil, limit: Int? = nil,
    actions: [ActionDefinition] = []
  ) {
    self.app = app
    self.localizedName = localizedName
    self.halfLife = halfLife
    self.limit = limit
    self.actions = actions
  }
}
