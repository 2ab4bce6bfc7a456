import Ranking

extension StateDatabase {
  /// Stores what has come in since the commit before: on the disk when this returns; or, if it throws, nothing.
  ///
  /// All that is stored otherwise stays as it is, and is what the input is worked out upon at a start. The next
  /// ``commit(_:)`` takes the input away, as it contains what that has come to. After a failure only such a one may follow.
  ///
  /// - Throws: also if the state does not end where the input begins.
  /// - Complexity: O(bytes).
  package func store(_ input: InputBatch) throws(StorageError) {
    try acknowledging { () throws(StorageError) in try attempt(input) }
    boundLog()
  }

  /// The same without taking note of what came of it; returns what is known if it is in the database.
  func attempt(_ input: InputBatch) throws(StorageError) -> Bookkeeping {
    let session = try openedSession()
    guard known.inputEnd == input.start, uncounted == nil, doneEdits.isEmpty else {
      throw StorageError("store what has come in", message: "the state does not end where that begins")
    }
    var next = try beginAttempt(on: session, changes: ActionChanges(), edits: [])
    try write(input, to: session, &next)
    return next
  }

  private func write(_ input: InputBatch, to session: Session, _ next: inout Bookkeeping) throws(StorageError) {
    guard let statements = session.statements else { return }
    try session.connection.execute("BEGIN IMMEDIATE", "begin a commit")
    var end = input.start
    for part in unsafe input.parts.indices {
      try unsafe statements.writeInput(input.parts[part], from: &end, ringSize: input.ringSize)
    }
    next.inputEnd = end
    attempts[attempts.count - 1].known = next
    try statements.write(totals: input.totals)
    var daemon = try session.connection.daemonRecord("store what has come in")
    daemon.commitNumber = next.commitNumber
    daemon.bind(to: statements.writeDaemon)
    try statements.writeDaemon.run()
    try session.connection.execute("COMMIT", "commit")
  }
}
