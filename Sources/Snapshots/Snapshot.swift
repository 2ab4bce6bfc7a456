package import Catalogue
package import Ranking
import Wire

/// One ranked list as it is published: of one app, or over all apps.
package struct Snapshot: Equatable, Sendable {
  /// The app's id; nil for the list over all apps.
  package var app: [UInt8]?
  /// Counts the rounds of writing in which some file changed; the same for all files of a round.
  package var generation: UInt64
  /// Wall time at which the scores hold, Unix nanoseconds.
  package var computedAt: Int64
  /// The most entries that the list may have.
  package var limit: Int
  /// What a menu shows, best first.
  package var shortcuts: [Shortcut]
  /// The best dynamic actions, whatever the static ones are; of an app only.
  package var dynamic: [Shortcut]

  /// Of all that it says but generation, time and scores; of no meaning in another process.
  package var fingerprint: Int {
    var hasher = Hasher()
    hasher.combine(limit)
    hasher.combine(method.kind)
    hasher.combine(method.halfLife)
    for list in [shortcuts, dynamic] {
      hasher.combine(list.count)
      for shortcut in list { shortcut.hash(into: &hasher) }
    }
    return hasher.finalize()
  }

  /// By how much a score may be too low, as some of the action's uses may not be counted any more.
  package var maxError: Double
  /// By what the dynamic actions are ordered.
  package var method: ListMethod
  /// How often the app's list was right, as far as that is known.
  package var hits: ListHits?

  package init(
    app: [UInt8]?, generation: UInt64, computedAt: Int64, limit: Int, shortcuts: [Shortcut], dynamic: [Shortcut] = [],
    method: ListMethod, hits: ListHits? = nil, maxError: Double = 0
  ) {
    self.maxError = maxError
    self.method = method
    self.hits = hits
    self.app = app
    self.generation = generation
    self.computedAt = computedAt
    self.limit = limit
    self.shortcuts = shortcuts
    self.dynamic = dynamic
  }
}

/// One entry of a list.
package struct Shortcut: Equatable, Sendable {
  /// What is counted of it.
  package var action: RankedAction
  /// Whether it is declared as static.
  package var isStatic: Bool
  /// What is known of it beside its uses; nil if nobody has defined it.
  package var definition: ActionDefinition?

  package init(action: RankedAction, isStatic: Bool, definition: ActionDefinition?) {
    self.action = action
    self.isStatic = isStatic
    self.definition = definition
  }

  fileprivate func hash(into hasher: inout Hasher) {
    hasher.combine(action.app)
    hasher.combine(action.id)
    hasher.combine(action.uses)
    hasher.combine(action.lastUsed)
    hasher.combine(isStatic)
    var writer = JSONWriter()
    writer.object { definition?.json(to: &$0) }
    hasher.combine(writer.bytes)
  }

  /// As lists name it: `static` or `dynamic`.
  package var kind: String { isStatic ? "static" : "dynamic" }
}
