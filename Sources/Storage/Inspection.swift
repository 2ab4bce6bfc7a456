import Posix
import Ranking
private import Synchronization

/// Looks through a database on a thread and a connection of its own, while another connection reads what is to be taken
/// over of it.
///
/// Two connections are no danger where none of them writes.
final class Inspection: Sendable {
  /// What has to be known of a sound database that nobody takes over.
  struct Findings {
    var hourlyRows = 0
    /// Above the numbers of all actions that have hourly uses, should there be any whose action is gone: nobody is to
    /// inherit them.
    var numbersEnd: Int64 = 0
  }

  private struct State {
    var outcome: Result<Findings, OpeningFailure>?
    var isCalledOff = false
  }

  private let state = Mutex(State())
  /// Rung when it is over and its connection is closed.
  private let bell: Bell

  /// Begins it.
  ///
  /// - Throws: if a descriptor or a thread is not to be had.
  init(of path: String) throws(SystemError) {
    bell = try Bell()
    _ = try Thread { [self] in
      let outcome = look(at: path)
      state.withLock { $0.outcome = outcome }
      bell.ring()
    }
  }

  private func look(at path: String) -> Result<Findings, OpeningFailure> {
    do throws(OpeningFailure) {
      let connection: Connection
      do throws(StorageError) { connection = try Session(opening: path).connection } catch {
        throw OpeningFailure(error)
      }
      connection.report { [self] in state.withLock { !$0.isCalledOff } }
      return .success(try Self.inspect(connection))
    } catch {
      return .failure(error)
    }
  }

  /// Holds a database against the rules of its format, and its hourly uses against their checksums.
  ///
  /// - Complexity: O(size of the database).
  static func inspect(_ connection: Connection) throws(OpeningFailure) -> Findings {
    var findings = Findings()
    let problem: String?
    do throws(StorageError) {
      let problems = try connection.texts("PRAGMA quick_check(1)")
      if problems == ["ok"] {
        let areSound = try connection.each("hourly_uses") { query in
          guard let hour = HourlyRecord(query) else { return false }
          findings.hourlyRows += 1
          findings.numbersEnd = max(findings.numbersEnd, hour.actionNumber.saturatingAdding(1))
          return true
        }
        problem = areSound ? nil : "a row of hourly_uses is damaged"
      } else {
        problem = problems.first ?? "it cannot be checked"
      }
    } catch {
      throw OpeningFailure(error)
    }
    if let problem { throw .damage(problem) }
    return findings
  }

  /// Whether it has found that the database can't be used.
  var hasFailed: Bool {
    state.withLock { if case .failure = $0.outcome { true } else { false } }
  }

  /// Has it end before it has looked at everything, and waits for that.
  ///
  /// - Returns: false if it was over before.
  func callOff() -> Bool {
    let isOver = state.withLock { state in
      state.isCalledOff = true
      return state.outcome != nil
    }
    if !isOver { _ = try? findings {} }
    return !isOver
  }

  /// Waits until it is over, and says what it has found.
  ///
  /// - Parameter progress: called once a second meanwhile.
  func findings(progress: () -> Void) throws(OpeningFailure) -> Findings {
    while true {
      if let outcome = state.withLock({ $0.outcome }) { return try outcome.get() }
      _ = try? Poll.wait(for: [(bell.raw, .read)], milliseconds: 1000)
      progress()
    }
  }
}
