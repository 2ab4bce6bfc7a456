import Glibc

extension UnsafeRawBufferPointer {
  /// Compares at full speed in unoptimised builds, too.
  package func elementsEqual(bytes other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let own = baseAddress, let others = other.baseAddress else { return true }
    return unsafe memcmp(own, others, count) == 0
  }
}
