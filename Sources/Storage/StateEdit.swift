package import Ranking

/// A change of what is stored already. Ids are the bytes of the protocol's ids; hours are whole hours since 1970, UTC.
package enum StateEdit: Equatable, Sendable {
  /// The action and all of its hourly uses are gone.
  case forgetAction(app: [UInt8], action: [UInt8])
  /// The same for all actions of an app, and what is kept of the app itself and of its days.
  case forgetApp([UInt8])
  /// The hourly uses of all actions from this hour on are gone; the actions' own rows stay as they are.
  case forgetHours(from: Int64)
  /// All actions, their hourly uses, the imported ids, and all that is kept of apps and of their days are gone.
  case forgetEverything
  /// The action goes to another app with its hourly uses. If that has such an action already, which keeps its own row,
  /// the hourly uses are added to those.
  case moveAction(action: [UInt8], from: [UInt8], to: [UInt8])
  /// The actions and all of their hourly uses are gone, and what is kept of the apps themselves; unlike what is forgotten
  /// they may stay in other files.
  case drop(GoneNames)

  /// Whether nothing of what it removes may stay in any file.
  var forgets: Bool {
    switch self {
    case .moveAction, .drop: false
    default: true
    }
  }
}

extension CommitBatch {
  /// Whether nothing of what it removes may stay in any file.
  var asksForWipe: Bool { wipes || edits.contains(where: \.forgets) }
}
