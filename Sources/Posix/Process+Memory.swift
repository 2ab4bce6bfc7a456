private import CPosix

extension Process {
  /// Has memory that is free again given back to the kernel, from 1 MiB on. To be called before anything large is
  /// allocated.
  ///
  /// Of itself the C library comes to keep what large blocks it has seen, up to 32 MiB each, for the next ones: a daemon
  /// that has stored a million changes once would stay large for good.
  package static func keepLittleMemory() { cposix_keep_little_memory(1 << 20) }

  /// Gives all whole pages that are free back to the kernel, of all threads.
  ///
  /// - Complexity: O(free blocks); other threads that allocate meanwhile wait.
  package static func giveMemoryBack() { cposix_give_memory_back() }
}
