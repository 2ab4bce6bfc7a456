import Posix
import Synchronization

extension Array where Element: Sendable {
  /// As `map`, with the later half on a second thread, if there is one to be had.
  func mapOnTwoThreads<Result: Sendable>(_ transform: @Sendable (Element) -> Result) -> [Result] {
    let middle = count / 2
    let later = self[middle...]
    return withoutActuallyEscaping(transform) { transform in
      let box = Mutex<[Result]>([])
      let thread: Thread?
      do { thread = try Thread { box.withLock { $0 = later.map(transform) } } } catch { return map(transform) }
      let first = self[..<middle].map(transform)
      thread?.join()
      return first + box.withLock { $0 }
    }
  }
}
