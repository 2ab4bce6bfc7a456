import Posix
import Ranking
import Snapshots
import Storage
import Synchronization
import Systemd
import Wire

/// A thread that does what can block on a disk, so that the event loop never does.
///
/// There are two, one with the database and one that writes snapshots: a commit of a million rows takes seconds, and no
/// snapshot is to wait for it.
final class DiskThread {
  enum Job: Sendable {
    case write([SnapshotFiles], mode: FileMode)
    /// Removes the files of apps that are gone.
    case remove([SnapshotName])
    case query(Query, number: UInt64)
    case commit(CommitBatch)
    case storeInput(InputBatch)
    case backUp
    case close

    /// From so many rows on what a commit took of memory is worth to be given back.
    private static let manyRows = 16_384
    /// Whether it takes much memory.
    var isLarge: Bool {
      if case .commit(let batch) = self { batch.changes.values.count > Self.manyRows } else { false }
    }
  }

  /// What became of a job.
  enum Report: Sendable {
    /// For each snapshot, nil or why it was not written.
    case wrote([SystemError?])
    case removed(SystemError?)
    case queried(Answer, number: UInt64)
    /// For ``Job/commit(_:)`` and ``Job/storeInput(_:)``: why it was not stored, if it was not; and, if the state turned out
    /// to be damaged, what it was made anew from.
    case committed(StorageError?, OpeningReport?)
    case backedUp(StorageError?)
    /// The last: the thread is done.
    case closed(StorageError?)
  }

  /// What the thread reads for somebody who waits.
  enum Query: Sendable {
    case storedHours(from: Int64, and: [(app: [UInt8], action: [UInt8])])
    case historyPage(after: HourlyCursor?, limit: Int)
    case dailyHits(app: [UInt8]?, from: Int64)
    case hourlessUses(after: Int64?, limit: Int)
  }

  enum Answer: Sendable {
    case storedHours([HourlyHistory])
    case historyPage(HourlyPage)
    case dailyHits([DailyHitsRow])
    case hourlessUses([HourlessUses])
    case failed(StorageError)
  }

  private let shared: Shared
  private let thread: Thread
  private let source: EventSource

  /// What both threads see.
  private final class Shared: Sendable {
    let jobs = WorkQueue<Job>()
    let reports: Mailbox<Report>
    /// CLOCK_BOOTTIME at which the oldest job that is not taken was put; 0 if there is none.
    let waitingSince = Atomic<Int64>(0)
    /// CLOCK_BOOTTIME at which the job in hand was taken; 0 if there is none.
    let busySince = Atomic<Int64>(0)

    init() throws(SystemError) {
      reports = try Mailbox()
    }

    func work(_ folder: SnapshotFolder, _ database: StateDatabase?, _ stateDirectory: String) {
      var database = database
      while true {
        var queue = Array(jobs.takeAll().reversed())
        while !queue.isEmpty {
          waitingSince.store(0, ordering: .relaxed)
          busySince.store(Clocks.boot(), ordering: .relaxed)
          let isLarge = queue[queue.count - 1].isLarge
          // A batch may be as large as all that is known: it is gone before anybody makes the next one.
          let report = Self.perform(queue.removeLast(), folder, &database, stateDirectory)
          busySince.store(0, ordering: .relaxed)
          reports.put(report)
          if case .closed = report { return }
          if isLarge {
            database?.giveMemoryBack()
            Process.giveMemoryBack()
          }
        }
      }
    }

    private static func perform(
      _ job: Job, _ folder: SnapshotFolder, _ database: inout StateDatabase?, _ stateDirectory: String
    ) -> Report {
      switch job {
      case .write(let snapshots, let mode): return .wrote(folder.write(snapshots, mode: mode))
      case .commit(let batch):
        return commit(&database, stateDirectory) { database throws(StorageError) in try database.commit(batch) }
      case .storeInput(let input):
        guard database != nil else { return .committed(.notReadable(because: "it is being made anew"), nil) }
        return commit(&database, stateDirectory) { database throws(StorageError) in try database.store(input) }
      case .remove(let names):
        do throws(SystemError) { try folder.remove(names) } catch { return .removed(error) }
        return .removed(nil)
      case .query(let query, let number): return .queried(answer(query, database), number: number)
      case .backUp: return .backedUp(failure { () throws(StorageError) in try database?.backUp() })
      case .close: return .closed(failure { () throws(StorageError) in try database?.close() })
      }
    }

    private static func answer(_ query: Query, _ database: StateDatabase?) -> Answer {
      do throws(StorageError) {
        guard let database else { throw .notReadable(because: "it is being made anew") }
        return switch query {
        case .storedHours(let hour, let others): .storedHours(try database.storedHours(from: hour, and: others))
        case .dailyHits(let app, let day): .dailyHits(try database.dailyHits(app: app, from: day))
        case .historyPage(let cursor, let limit): .historyPage(try database.hourlyUses(after: cursor, limit: limit))
        case .hourlessUses(let number, let limit):
          .hourlessUses(try database.hourlessUses(after: number, limit: limit))
        }
      } catch {
        return .failed(error)
      }
    }

    /// Stores a batch. A state that turns out to be damaged is made anew of what can be read of it; the batch is then
    /// still to be stored, as is everything else that is known.
    private static func commit(
      _ database: inout StateDatabase?, _ stateDirectory: String,
      _ store: (StateDatabase) throws(StorageError) -> Void
    ) -> Report {
      do throws(StorageError) {
        let report = database == nil ? try reopen(&database, stateDirectory) : nil
        if let database { try store(database) }
        return .committed(nil, report)
      } catch {
        guard error.isDamaged else { return .committed(error, nil) }
        database = nil
        return .committed(error, try? reopen(&database, stateDirectory))
      }
    }

    private static func reopen(
      _ database: inout StateDatabase?, _ stateDirectory: String
    ) throws(StorageError) -> OpeningReport {
      // Its folder may be gone as well. If it can't be made, opening says why.
      try? Directory.create(stateDirectory, mode: 0o700)
      let (sound, report) = try StateDatabase.open(directory: stateDirectory, now: Clocks.wall(), receiver: nil)
      database = sound
      return report
    }

    private static func failure(_ body: () throws(StorageError) -> Void) -> StorageError? {
      do { try body() } catch { return error }
      return nil
    }
  }

  /// Starts the thread, which is the only one to use the database from then on.
  ///
  /// - Parameters:
  ///   - database: nil for a thread that only writes snapshots.
  ///   - handler: called on the loop's thread with each report.
  init(
    folder: SnapshotFolder, database: StateDatabase?, stateDirectory: String, loop: EventLoop,
    handler: @escaping (Report) -> Void
  ) throws(SystemError) {
    let shared = try Shared()
    self.shared = shared
    source = try loop.watch(shared.reports.descriptor, priority: .first) { _ in
      for report in shared.reports.takeAll() { handler(report) }
    }
    let handedOver = HandedOver(database)
    thread = try Thread { shared.work(folder, handedOver.database, stateDirectory) }
  }

  /// Carries the database to its thread: whoever opened it does not use it any more.
  private struct HandedOver: @unchecked Sendable {
    let database: StateDatabase?
    init(_ database: StateDatabase?) { self.database = database }
  }

  /// Hands over a job; its report follows those of the jobs before.
  func perform(_ job: Job) {
    shared.waitingSince.store(Clocks.boot(), ordering: .relaxed)
    shared.jobs.put(job)
  }

  private var lastQuery: UInt64 = 0
  /// How long somebody who asks the database waits at most, nanoseconds.
  private static let patience: Int64 = 5_000_000_000

  /// Asks the database, and waits for the answer: nothing else is done meanwhile.
  ///
  /// - Throws: if there is none within ``patience``, or the commit before it has failed, so that it would lack something.
  func ask(_ query: Query) throws(StorageError) -> Answer {
    lastQuery += 1
    perform(.query(query, number: lastQuery))
    let end = Clocks.monotonic() + Self.patience
    var others: [Report] = []
    var answer: Answer?
    var failure: StorageError?
    while answer == nil, Clocks.monotonic() < end {
      for report in shared.reports.takeAll() {
        // The answer to an earlier question that came too late is of no use.
        if case .queried(let reported, let number) = report {
          if number == lastQuery { answer = reported }
        } else {
          others.append(report)
        }
        if case .committed(let error?, _) = report { failure = error }
      }
      let left = Int((end - Clocks.monotonic()) / 1_000_000)
      if answer == nil {
        _ = try? Poll.wait(for: [(shared.reports.descriptor, .read)], milliseconds: max(left, 1))
      }
    }
    for report in others { shared.reports.put(report) }
    guard let answer else { throw .notReadable(because: "the disk has not answered") }
    if case .failed(let error) = answer { throw error }
    if let failure { throw failure }
    return answer
  }

  /// How long the job in hand has taken so far, nanoseconds; nil if there is none.
  func busyTime(now: Int64) -> Int64? {
    let since = shared.busySince.load(ordering: .relaxed)
    return since == 0 ? nil : now - since
  }

  /// Whether the thread takes its jobs.
  ///
  /// A job in hand counts as moving however long it takes: the thread is in the kernel then, waiting for a disk, and
  /// killing the daemon would not bring the disk back.
  func isMoving(now: Int64, patience: Int64) -> Bool {
    let since = shared.waitingSince.load(ordering: .relaxed)
    return since == 0 || now - since < patience || busyTime(now: now) != nil
  }
}
