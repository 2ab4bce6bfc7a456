private import CPosix
import Glibc

/// Whole pages of memory, private or those of a file, given back when their owner goes away.
@safe
package struct MappedMemory: ~Copyable {
  /// The bytes; they start at a page.
  package let bytes: UnsafeMutableRawBufferPointer

  /// Zeroed memory of this process alone; it takes up room only as far as it is touched.
  ///
  /// The corresponding C function is `mmap` with MAP_ANONYMOUS.
  package init(privateSize size: Int) throws(SystemError) {
    unsafe bytes = try Self.map(size, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, "memory")
  }

  /// The first `size` bytes of a file, which must have that many: what is written there is in the file at once.
  ///
  /// The corresponding C function is `mmap` with MAP_SHARED.
  package init(sharing file: borrowing FileDescriptor, size: Int, subject: String) throws(SystemError) {
    unsafe bytes = try Self.map(size, MAP_SHARED, file.raw, subject)
  }

  deinit { unsafe _ = munmap(bytes.baseAddress, bytes.count) }

  private static func map(
    _ size: Int, _ flags: Int32, _ descriptor: Int32, _ subject: String
  ) throws(SystemError) -> UnsafeMutableRawBufferPointer {
    let base = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, flags, descriptor, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else { throw SystemError("map", subject, code: errno) }
    return unsafe UnsafeMutableRawBufferPointer(start: base, count: size)
  }

  /// Makes the first `count` bytes present and, where the limits allow it, keeps them so.
  ///
  /// The corresponding C function is `mlock`; if it is refused every page is touched once.
  package func makePresent(first count: Int) {
    if let base = unsafe bytes.baseAddress, unsafe mlock(base, count) == 0 { return }
    for offset in unsafe stride(from: 0, to: min(count, bytes.count), by: 4096) {
      let value = unsafe bytes.load(fromByteOffset: offset, as: UInt8.self)
      unsafe bytes.storeBytes(of: value, toByteOffset: offset, as: UInt8.self)
    }
  }
}

extension Directory {
  /// Makes a file of `size` zero bytes that only its owner may open, all of them allocated, and maps it.
  ///
  /// - Throws: ENOSPC if the file system has not so much room; there is no file then.
  package func createMapped(_ name: String, size: Int) throws(SystemError) -> MappedMemory {
    let file = try open(name, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    do {
      try file.allocate(size, subject: path(of: name))
      return try MappedMemory(sharing: file, size: size, subject: path(of: name))
    } catch {
      try? remove(name)
      throw error
    }
  }

  /// Copies the first bytes of a file into private memory of `size` bytes; the rest of it stays zero.
  ///
  /// Blocks on nothing but the file system: a FIFO or a device is refused.
  /// - Returns: nil if it is not a regular file.
  package func copyIntoMemory(_ name: String, size: Int) throws(SystemError) -> MappedMemory? {
    let file = try open(name, flags: O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
    var status = stat()
    _ = try check("look at", path(of: name)) { unsafe fstat(file.raw, &status) }
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    let memory = try MappedMemory(privateSize: size)
    var filled = 0
    while filled < size {
      let count = try check("read", path(of: name)) {
        unsafe pread(file.raw, memory.bytes.baseAddress.map { unsafe $0 + filled }, size - filled, off_t(filled))
      }
      if count == 0 { break }
      filled += count
    }
    return memory
  }
}

extension FileDescriptor {
  /// Allocates the first `size` bytes of a file, so that no later write to them can want for room.
  ///
  /// The corresponding C function is `posix_fallocate`, which returns its error.
  func allocate(_ size: Int, subject: String) throws(SystemError) {
    while true {
      let code = posix_fallocate(raw, 0, off_t(size))
      if code == 0 { return }
      if code != EINTR { throw SystemError("allocate \(size) bytes for", subject, code: code) }
    }
  }
}

/// Stores a number so that the compiler moves the store neither before what was done earlier nor after what is done
/// later: the memory of a process that is killed is then as the program's order had it.
package func storeInOrder(_ value: UInt64, to place: UnsafeMutablePointer<UInt64>) {
  unsafe cposix_store_in_order(place, value)
}
