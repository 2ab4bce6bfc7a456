private import CPosix

/// Descriptors, each known by a key, of which those are taken that are ready; the corresponding C object is `epoll`.
///
/// What is taken costs by how much that is, however many are watched or ready. One that stays ready comes again, after
/// the others that are.
package struct ReadySet: ~Copyable {
  /// How many ``take(into:)`` takes at most.
  package static let capacity = 64

  private let descriptor: FileDescriptor

  package init() throws(SystemError) {
    descriptor = FileDescriptor(owning: try check("make an epoll") { cposix_epoll() })
  }

  /// The descriptor that is readable while any in the set is ready.
  package var raw: Int32 { descriptor.raw }

  /// Watches a descriptor for something to read, or the end, and if asked for also for room to write.
  ///
  /// - Throws: ENOMEM, or ENOSPC where a user may watch no more.
  package func add(_ raw: Int32, key: UInt64, alsoWritable: Bool) throws(SystemError) {
    _ = try check("watch a descriptor") { cposix_epoll_add(descriptor.raw, raw, key, alsoWritable ? 1 : 0) }
  }

  /// Changes whether room to write is watched for.
  package func change(_ raw: Int32, key: UInt64, alsoWritable: Bool) throws(SystemError) {
    _ = try check("watch a descriptor") { cposix_epoll_change(descriptor.raw, raw, key, alsoWritable ? 1 : 0) }
  }

  /// Watches a descriptor no more: before it is closed, unless there is no copy of it anywhere.
  package func remove(_ raw: Int32) throws(SystemError) {
    _ = try check("watch a descriptor no more") { cposix_epoll_remove(descriptor.raw, raw) }
  }

  /// Puts the keys of descriptors that are ready now into `keys`, as far as there is room (for at least one), without waiting.
  ///
  /// - Returns: how many there are.
  /// - Complexity: O(keys that are returned).
  package func take(into keys: inout [UInt64]) throws(SystemError) -> Int {
    let room = Int32(min(keys.count, Self.capacity))
    return Int(try check("ask what is ready") { unsafe cposix_epoll_take(descriptor.raw, &keys, room) })
  }
}
