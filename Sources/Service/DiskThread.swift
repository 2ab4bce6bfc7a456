import Posix
import Snapshots
import Synchronization
import Systemd

/// The one thread that does what can block on a disk, so that the event loop never does.
final class DiskThread {
  enum Job: Sendable {
    case write([SnapshotFiles], mode: FileMode)
    case stop
  }

  /// What became of a job: for each snapshot, nil or why it was not written.
  typealias Report = [SystemError?]

  private let shared: Shared
  private let thread: Thread
  private let source: EventSource

  /// What both threads see.
  private final class Shared: Sendable {
    let folder: SnapshotFolder
    let jobs: Mailbox<Job>
    let reports: Mailbox<Report>
    /// CLOCK_BOOTTIME at which the oldest job that is not taken was put; 0 if there is none.
    let waitingSince = Atomic<Int64>(0)
    /// CLOCK_BOOTTIME at which the job in hand was taken; 0 if there is none.
    let busySince = Atomic<Int64>(0)

    init(folder: SnapshotFolder) throws(SystemError) {
      self.folder = folder
      jobs = try Mailbox(waits: true)
      reports = try Mailbox(waits: false)
    }

    func work() {
      while true {
        for job in jobs.takeAll() {
          waitingSince.store(0, ordering: .relaxed)
          guard case .write(let snapshots, let mode) = job else { return }
          busySince.store(Clocks.boot(), ordering: .relaxed)
          let report = folder.write(snapshots, mode: mode)
          busySince.store(0, ordering: .relaxed)
          reports.put(report)
        }
      }
    }
  }

  /// Starts the thread.
  ///
  /// - Parameter handler: called on the loop's thread with each report.
  init(
    folder: SnapshotFolder, loop: EventLoop, handler: @escaping (Report) -> Void
  ) throws(SystemError) {
    let shared = try Shared(folder: folder)
    self.shared = shared
    source = try loop.watch(shared.reports.descriptor, priority: .first) { _ in
      for report in shared.reports.takeAll() { handler(report) }
    }
    thread = try Thread { shared.work() }
  }

  /// Hands over snapshots to write.
  func write(_ snapshots: [SnapshotFiles], mode: FileMode) {
    shared.waitingSince.store(Clocks.boot(), ordering: .relaxed)
    shared.jobs.put(.write(snapshots, mode: mode))
  }

  /// Ends the thread after what it has in hand. To be called once.
  func stop() {
    shared.jobs.put(.stop)
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
