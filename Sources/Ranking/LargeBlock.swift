import func Glibc.madvise
import func Glibc.realloc

/// Memory for tables that may become very large.
enum LargeBlock {
  /// From so many bytes on a table is looked up all over: the kernel is asked for pages of 2 MiB, as finding out where
  /// one of 4 KiB lies would cost more than reading what is there.
  private static let large = 32 << 20
  private static let hugePage = 2 << 20
  private static let adviseHugePages: Int32 = 14

  /// Makes a block larger, or a new one of nil. It is aligned to 16 bytes.
  ///
  /// The C library moves large blocks without copying them, and so without having both.
  static func reallocate(_ old: UnsafeMutableRawPointer?, bytes: Int) -> UnsafeMutableRawPointer {
    guard let new = unsafe realloc(old, bytes) else { fatalError("out of memory") }
    if bytes >= large {
      // Where the kernel has none nothing is lost.
      let start = UInt(bitPattern: new) + UInt(hugePage) - 1 & ~UInt(hugePage - 1)
      let end = (UInt(bitPattern: new) + UInt(bytes)) & ~UInt(hugePage - 1)
      unsafe _ = madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), adviseHugePages)
    }
    return unsafe new
  }
}
