import Posix
import Synchronization

/// Things handed from one thread to another, in order.
final class Mailbox<Item: Sendable>: Sendable {
  private let items = Mutex<[Item]>([])
  private let bell: Bell

  /// - Parameter waits: whether ``takeAll()`` waits until there is something; if not, an event loop watches
  ///   ``descriptor``.
  init(waits: Bool) throws(SystemError) {
    bell = try Bell(waits: waits)
  }

  /// Readable while something may be in the box.
  var descriptor: Int32 { bell.raw }

  func put(_ item: Item) {
    items.withLock { $0.append(item) }
    bell.ring()
  }

  /// Takes everything that is in the box.
  func takeAll() -> [Item] {
    bell.take()
    return items.withLock { items in
      defer { items = [] }
      return items
    }
  }
}
