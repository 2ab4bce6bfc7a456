private import CPosix
import Glibc

extension FileDescriptor {
  /// Writes all bytes, for files and other things that do not refuse to wait.
  package func writeAll(_ bytes: [UInt8]) throws(SystemError) {
    try Self.writeAll(bytes, to: raw)
  }

  /// As ``writeAll(_:)``, to a descriptor that is not ours to close.
  static func writeAll(_ bytes: [UInt8], to raw: Int32) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = try check("write") {
        unsafe rest.withUnsafeBytes { unsafe write(raw, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(written)
    }
  }

  /// Waits until the file's bytes are on the disk. The corresponding C function is `fsync`.
  ///
  /// After a failure the kernel may have dropped the bytes and report success the next time: write the file anew.
  package func synchronize() throws(SystemError) {
    _ = try check("sync") { fsync(raw) }
  }

  /// Sets the mode, whatever the umask. The corresponding C function is `fchmod`.
  package func setMode(_ mode: FileMode) throws(SystemError) {
    _ = try check("set the mode") { fchmod(raw, mode) }
  }

  /// Takes an exclusive lock on the file without waiting; false if another process has it.
  ///
  /// The corresponding C function is `flock`. The lock goes with the descriptor.
  package func lock() throws(SystemError) -> Bool {
    try checkNonblocking("lock") { cposix_lock_exclusively(raw) } != nil
  }
}
