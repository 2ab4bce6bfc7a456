import Ranking
import Storage

extension Registry {
  /// What has to be stored, by name, as numbers of actions and apps are of no use once these are gone. However long
  /// nothing can be stored, there is one entry for each name.
  struct Uncommitted {
    private(set) var edits: [StateEdit] = []
    /// How many of the edits were in a commit that failed: it may be in the database all the same, so they stay first
    /// and as they are.
    private var tried = 0
    /// Whether what is stored of actions that are gone is to be found by looking at all of them.
    private(set) var sweeps = false
    private var changes: [Name: RegistrationChange] = [:]
    private var chosen: [Name: ChoiceRow] = [:]

    var isEmpty: Bool { edits.isEmpty && !sweeps && followsFromInput }
    /// Whether whoever counts again what has come in finds all of it out: that is, nothing but what was purged is gone.
    var followsFromInput: Bool { !leavesTraces && changes.isEmpty && chosen.isEmpty }
    var registrations: [RegistrationChange] { Array(changes.values) }
    var choices: [ChoiceRow] { Array(chosen.values) }

    private struct Name: Hashable {
      let app: [UInt8]
      let action: [UInt8]
    }

    /// Something stored has to be changed before anything else is stored.
    mutating func edit(_ edit: StateEdit) {
      // Done twice it does no more, unless something has come in between.
      let sinceLastMove = edits[tried...].reversed().prefix { if case .moveAction = $0 { false } else { true } }
      if !sinceLastMove.contains(edit) { edits.append(edit) }
    }

    /// What is gone has to be dropped. Of more than `most` the names are not remembered: only where no commit succeeds
    /// can there be so many.
    mutating func drop(_ names: GoneNames, most: Int) {
      if names.count == 0 || sweeps { return }
      let waiting = edits.reduce(0) { if case .drop(let names) = $1 { $0 + names.count } else { $0 } }
      if waiting + names.count > most { sweeps = true } else { edits.append(.drop(names)) }
    }

    mutating func set(_ row: RegistrationRow) { changes[Name(app: row.app, action: row.action)] = .set(row) }

    mutating func removeRegistration(app: [UInt8], action: [UInt8]) {
      changes[Name(app: app, action: action)] = .remove(app: app, action: action)
    }

    /// A choice that is empty is removed.
    mutating func set(_ row: ChoiceRow) { chosen[Name(app: row.app, action: row.action)] = row }

    /// What is stored of hours once the edits are done.
    func applied(to stored: [HourlyHistory]) -> [HourlyHistory] {
      edits.reduce(stored) { rows, edit in
        switch edit {
        case .forgetAction(let app, let action): rows.filter { $0.app != app || $0.action != action }
        case .forgetApp(let app): rows.filter { $0.app != app }
        case .forgetEverything: []
        case .forgetHours(let first):
          rows.map {
            HourlyHistory(app: $0.app, action: $0.action, hours: $0.hours.filter { hour in hour.hour < first })
          }
        case .drop(let names):
          dropped(names.actions, from: rows)
        case .moveAction(let action, let from, let to):
          rows.map {
            $0.app == from && $0.action == action ? HourlyHistory(app: to, action: action, hours: $0.hours) : $0
          }
        }
      }
    }

    private func dropped(_ names: ActionNameList, from rows: [HourlyHistory]) -> [HourlyHistory] {
      let names = Set((0..<names.count).map { names[$0] })
      return rows.filter { !names.contains(ActionName(app: $0.app, action: $0.action)) }
    }

    /// The apps under which an action may be stored until the edits are done.
    func storedOwners(of action: [UInt8], nowOf app: [UInt8]) -> [[UInt8]] {
      edits.reversed().reduce([app]) { owners, edit in
        if case .moveAction(action, let from, let to) = edit, owners.contains(to) { owners + [from] } else { owners }
      }
    }

    /// Whether something stored has to be moved or forgotten: what is merely dropped may stay in other files.
    var leavesTraces: Bool { edits.contains { if case .drop = $0 { false } else { true } } }

    /// Whether actions move to other owners.
    var movesActions: Bool { edits.contains { if case .moveAction = $0 { true } else { false } } }

    /// This, and then what has changed since.
    func followed(by later: Uncommitted) -> Uncommitted {
      var all = self
      all.edits += later.edits
      all.tried = edits.count
      all.sweeps = sweeps || later.sweeps
      all.changes.merge(later.changes) { $1 }
      all.chosen.merge(later.chosen) { $1 }
      return all
    }
  }
}
