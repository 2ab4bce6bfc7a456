import Glibc
package import IntakeLog

/// What stands in for the database: how far which log is contained in it, and what was found up to there.
package struct Commit {
  package var identity: UInt64 = 0
  package var offset: UInt64 = 0
  package var found = Found()

  private static let size = 32

  /// The one in `folder`; nothing committed if there is none.
  package init(in folder: String) {
    var words: [UInt64] = [0, 0, 0, 0]
    let file = unsafe open(folder + "/commit", O_RDONLY)
    guard file >= 0 else { return }
    let count = unsafe words.withUnsafeMutableBytes { unsafe pread(file, $0.baseAddress, Self.size, 0) }
    close(file)
    guard count == Self.size else { return }
    (identity, offset, found.bytes, found.datagrams) = (words[0], words[1], words[2], words[3])
  }

  /// One call and within one page: a kill comes before it or after it.
  package func store(in folder: String) {
    let file = unsafe open(folder + "/commit", O_WRONLY | O_CREAT, 0o600)
    precondition(file >= 0, "the commit could not be opened")
    let words = [identity, offset, found.bytes, found.datagrams]
    let count = unsafe words.withUnsafeBytes { unsafe pwrite(file, $0.baseAddress, Self.size, 0) }
    precondition(count == Self.size, "the commit could not be written")
    close(file)
  }

  /// Takes in what a log holds beyond the commit; false if the log is not whole.
  package mutating func takeIn(_ log: borrowing RecoveredLog, _ traffic: borrowing Traffic) -> Bool {
    guard let identity = log.identity else { return false }
    var found = found
    let outcome = log.replay(from: identity == self.identity ? offset : log.head) { found.take($0, traffic) }
    self.found = found
    self.identity = identity
    offset = outcome.end
    return outcome.damage == nil && outcome.missing == 0
  }
}
