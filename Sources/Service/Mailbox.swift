import Posix
import Synchronization

/// Things handed from a thread to an event loop, in order.
final class Mailbox<Item: Sendable>: Sendable {
  private let items = Mutex<[Item]>([])
  private let bell: Bell

  init() throws(SystemError) {
    bell = try Bell()
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
    return items.withLock { $0.takeAll() }
  }
}

/// Things handed to a thread that does nothing else than to wait for them, in order.
final class WorkQueue<Item: Sendable>: Sendable {
  private let items = Mutex<[Item]>([])
  private let semaphore = Semaphore()

  func put(_ item: Item) {
    items.withLock { $0.append(item) }
    semaphore.post()
  }

  /// Takes everything that is there, and waits until something is put if nothing is; empty if what was put last time had
  /// been taken with the things before it.
  func takeAll() -> [Item] {
    semaphore.wait()
    return items.withLock { $0.takeAll() }
  }
}

extension Array {
  fileprivate mutating func takeAll() -> [Element] {
    defer { self = [] }
    return self
  }
}
