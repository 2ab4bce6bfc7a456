import Posix
import Synchronization

/// What a function makes of some values, on two threads if there is a second one to be had: that begins with the later of
/// the values at once, and the others are done when it is asked for the results.
struct Mapping<Value: Sendable, Result: Sendable>: ~Copyable {
  private final class Later: Sendable {
    let results = Mutex<[Result]>([])
  }

  private let transform: @Sendable (Value) -> Result
  private let first: ArraySlice<Value>
  private let later = Later()
  private let thread: Thread?

  /// - Parameter share: what part of the values the second thread takes, 0 to 1.
  init(_ values: [Value], share: Double, _ transform: @escaping @Sendable (Value) -> Result) {
    self.transform = transform
    let middle = values.count - Int(Double(values.count) * share)
    let (later, rest) = (later, values[middle...])
    do {
      thread = try Thread { later.results.withLock { $0 = rest.map(transform) } }
      first = values[..<middle]
    } catch {
      thread = nil
      first = values[...]
    }
  }

  /// The results, in the order of the values.
  consuming func results() -> [Result] {
    let (first, later) = (first.map(transform), later)
    thread?.join()
    return first + later.results.withLock { $0 }
  }
}
