import Catalogue
import Ranking
import Snapshots
import Wire

/// Who wants to hear of lists that change, and what they have been told.
///
/// Only while somebody listens is anything kept: what each list showed last.
final class Subscriptions {
  /// The connections that have subscribed.
  private(set) var connections: Set<UInt64> = []
  /// What a list showed last, by app; under nil that over all apps.
  private var shown: [[UInt8]?: [Entry]] = [:]

  /// What a subscriber sees of an entry, but for numbers.
  fileprivate struct Entry: Equatable {
    /// The app and the action: the list over all apps may have one id twice.
    let name: [[UInt8]]
    let kind: String
    let title: String?

    init(_ shortcut: Shortcut) {
      name = [shortcut.action.app, shortcut.action.id]
      kind = shortcut.kind
      title = shortcut.definition?.localizedTitle
    }
  }

  /// How many there are.
  var count: Int { connections.count }

  /// A connection wants to hear of changes from now on.
  ///
  /// - Parameter lists: makes what all lists show now; only asked if nobody else listens.
  func add(_ connection: UInt64, showing lists: () -> [Snapshot]) {
    if connections.isEmpty {
      for list in lists() { shown[list.app] = list.shortcuts.map(Entry.init) }
    }
    connections.insert(connection)
  }

  /// A connection is gone.
  func remove(_ connection: UInt64) {
    guard connections.remove(connection) != nil, connections.isEmpty else { return }
    shown = [:]
  }

  /// What has changed in a list that is about to be published; nil if nobody listens or nothing has but numbers.
  func change(to snapshot: Snapshot) -> ListChange? {
    if connections.isEmpty { return nil }
    let before = shown[snapshot.app] ?? []
    let now = snapshot.shortcuts.map(Entry.init)
    if before == now { return nil }
    shown[snapshot.app] = now
    let (old, new) = (before.map(\.name), now.map(\.name))
    let stayed = new.filter(old.contains)
    let stayedBefore = old.filter(new.contains)
    return ListChange(
      snapshot: snapshot, before: before, entered: new.filter { !old.contains($0) }.map { $0[1] },
      left: old.filter { !new.contains($0) }.map { $0[1] },
      moved: zip(stayed, stayedBefore).filter { $0 != $1 }.map { $0.0[1] })
  }

  /// A change did not become public: the next one is told from what was shown before.
  func takeBack(_ change: ListChange) {
    if !connections.isEmpty { shown[change.app] = change.before }
  }

  /// The list of an app that is gone: it is empty from now on.
  func change(gone app: [UInt8], generation: UInt64, at now: Moment) -> ListChange? {
    guard !connections.isEmpty, shown[app]?.isEmpty == false else { return nil }
    let change = change(
      to: Snapshot(
        app: app, generation: generation, computedAt: now.wall, limit: 1, shortcuts: [],
        method: ListMethod(kind: "", halfLife: "")))
    shown[app] = nil
    return change
  }
}

/// A list that has changed in more than numbers.
struct ListChange {
  private let snapshot: Snapshot
  fileprivate let before: [Subscriptions.Entry]
  private let entered, left, moved: [[UInt8]]

  fileprivate init(
    snapshot: Snapshot, before: [Subscriptions.Entry], entered: [[UInt8]], left: [[UInt8]], moved: [[UInt8]]
  ) {
    self.snapshot = snapshot
    self.before = before
    self.entered = entered
    self.left = left
    self.moved = moved
  }

  /// Whose list; nil for that over all apps.
  var app: [UInt8]? { snapshot.app }

  /// The line that a subscriber gets.
  func line(missed: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    appendReply("change", to: &bytes) { json in
      if let app { json.member("app", utf8: app) } else { json.memberNull("app") }
      json.member("generation", snapshot.generation)
      json.member(
        "shortcuts",
        array: { json in
          for (place, shortcut) in snapshot.shortcuts.enumerated() {
            json.object { shortcut.writeMembers(rank: place + 1, namesApp: app == nil, to: &$0) }
          }
        })
      for (name, ids) in [("entered", entered), ("left", left), ("moved", moved)] {
        json.member(name, array: { json in for id in ids { json.string(utf8: id) } })
      }
      json.member("missed", missed)
    }
    return bytes
  }
}
