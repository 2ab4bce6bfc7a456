private import CPosix

/// The checksum of RFC 3720 over `bytes`, going on from the checksum of what precedes them.
///
/// - Parameter start: the checksum so far; 0 for none.
/// - Complexity: O(bytes), over 10 GB/s where the processor has an instruction for it.
package func crc32c(_ bytes: UnsafeRawBufferPointer, after start: UInt32 = 0) -> UInt32 {
  unsafe cposix_crc32c(start, bytes.baseAddress, bytes.count)
}
