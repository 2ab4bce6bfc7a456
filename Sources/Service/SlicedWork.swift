import Posix
import Systemd

/// Long work on the loop's thread, done a slice at a time: between two slices the loop has as long for everything else.
///
/// Several works take turns, so that together they take half of the loop's time at most. What is done within its first
/// slice is done at once. Where the loop's other turns are longer than a pause, the next slice is, too, up to a bound.
final class SlicedWork {
  /// How long a slice takes at most, but for its last step, nanoseconds.
  static let slice: Int64 = 5_000_000
  /// And after a long pause.
  static let longestSlice: Int64 = 20_000_000

  /// Does a little of a work: at most some hundred microseconds. Returns whether more is left.
  typealias Step = () -> Bool

  private var waiting: [Step] = []
  private var isPaused = false
  private var pausedAt: Int64 = 0
  private let now: () -> Int64
  /// Calls ``resume()`` after so many nanoseconds.
  var pause: (Int64) -> Void = { _ in }
  private var timer: EventSource?

  /// Work of which as much is done as fits into a slice by a clock; ``pause`` is to be set.
  init(now: @escaping () -> Int64) { self.now = now }

  /// Work on a loop.
  convenience init(on loop: EventLoop) throws(SystemError) {
    self.init(now: Clocks.monotonic)
    timer = try loop.timer(accuracy: 1000) { [unowned self] in resume() }
    pause = { [unowned self] in timer?.fire(after: $0) }
  }

  /// Work that knows no time: all of it is done at once.
  static var atOnce: SlicedWork { SlicedWork { 0 } }

  /// Begins a work, or queues it.
  func begin(_ step: @escaping Step) {
    waiting.append(step)
    if waiting.count == 1, !isPaused { work(for: Self.slice) }
  }

  /// Goes on after a pause.
  func resume() {
    isPaused = false
    work(for: min(max(now() - pausedAt, Self.slice), Self.longestSlice))
  }

  private func work(for length: Int64) {
    let start = now()
    var time: Int64 = 0
    // While it is done it stays first, so that what it begins waits.
    while time < length, let step = waiting.first {
      if !step() { waiting.removeFirst() }
      time = now() - start
    }
    if time < length { return }
    if waiting.count > 1 { waiting.append(waiting.removeFirst()) }
    (isPaused, pausedAt) = (true, start + time)
    pause(time)
  }
}
