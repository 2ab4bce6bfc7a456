import Storage

/// What a commit has to say of connections.
struct ConnectionChanges {
  let rows: [ConnectionRow]
  /// Those that are gone; nil if the rows are all there are.
  let closed: [UInt64]?

  /// All connections.
  init(all rows: [ConnectionRow]) {
    self.rows = rows
    closed = nil
  }

  /// Those that have changed.
  init(_ rows: [ConnectionRow], closed: [UInt64]) {
    self.rows = rows
    self.closed = closed
  }
}

/// Which connections are not stored as they are now, so that a commit costs by what has happened and not by how many
/// are open.
struct UnstoredConnections {
  /// Those that a commit has not taken yet.
  private var changed: Set<UInt64> = []
  /// Those that one took which has not succeeded yet; if it fails the next one takes them again.
  private var taken: Set<UInt64> = []
  /// The same for all there are. Of those of an earlier process nobody knows how they are stored.
  private var (allChanged, allTaken) = (true, false)

  /// A connection is new, or something of it has changed.
  mutating func mark(_ connection: Connection) { changed.insert(connection.name.number) }

  /// A connection is gone. Most come and go between two commits, and none has to hear of them.
  mutating func noteClosed(_ connection: Connection) {
    if connection.mayBeStored {
      changed.insert(connection.name.number)
    } else {
      changed.remove(connection.name.number)
    }
  }

  /// Nobody knows what is stored.
  mutating func markAll() { allChanged = true }

  /// Takes what a commit that begins now has to say.
  mutating func take(of open: [UInt64: Connection]) -> ConnectionChanges {
    taken.formUnion(changed)
    changed.removeAll(keepingCapacity: taken.count < 1024)
    allTaken = allTaken || allChanged
    allChanged = false
    if allTaken { return ConnectionChanges(all: open.values.map { $0.takeRow() }) }
    return ConnectionChanges(taken.compactMap { open[$0]?.takeRow() }, closed: taken.filter { open[$0] == nil })
  }

  /// The commit that took them last has succeeded.
  mutating func noteStored() {
    taken.removeAll(keepingCapacity: taken.count < 1024)
    allTaken = false
  }
}

extension Connection {
  /// As it is to be stored.
  fileprivate func takeRow() -> ConnectionRow {
    mayBeStored = true
    return session.state.row(name.number)
  }
}
