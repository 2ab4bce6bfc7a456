/// A fast hash of byte strings under a secret seed, so that nobody can build ids that collide.
///
/// Folded 64 × 64 → 128 bit multiplication, as in wyhash and its kin (Wang Yi, public domain). The seed is drawn anew
/// by each process, so nothing may depend on the values from one run to the next.
package struct SeededHash: Sendable {
  private let first: UInt64
  private let second: UInt64

  /// - Parameter seed: 128 random bits that outsiders do not know.
  package init(seed: (UInt64, UInt64)) {
    // Constants keep a poor seed (tests use small numbers) from weakening the mixing.
    first = seed.0 ^ 0x9E37_79B9_7F4A_7C15
    second = seed.1 ^ 0xD1B5_4A32_D192_ED03
  }

  /// 64 bits for `bytes`.
  ///
  /// - Complexity: one multiplication for each 16 bytes.
  package func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    // An empty buffer may have an address all the same, with nothing behind it to read.
    guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else { return Self.fold(first, second) }
    let count = bytes.count
    var state = first
    var offset = 0
    while count - offset > 16 {
      state = unsafe Self.fold(Self.word(start + offset) ^ second, Self.word(start + offset + 8) ^ state)
      offset += 16
    }
    var (low, high): (UInt64, UInt64)
    if count >= 16 {
      // The last 16 bytes, some of them perhaps for the second time.
      low = unsafe Self.word(start + count - 16)
      high = unsafe Self.word(start + count - 8)
    } else if count >= 8 {
      low = unsafe Self.word(start)
      high = unsafe Self.word(start + count - 8)
    } else if count >= 4 {
      low = unsafe UInt64(start.loadUnaligned(as: UInt32.self))
      high = unsafe UInt64((start + count - 4).loadUnaligned(as: UInt32.self))
    } else {
      low = unsafe UInt64(start.load(as: UInt8.self)) << 8 | UInt64((start + count / 2).load(as: UInt8.self))
      high = unsafe UInt64((start + count - 1).load(as: UInt8.self))
    }
    low ^= second
    high ^= state
    return Self.fold(Self.fold(low, high) ^ UInt64(count), first)
  }

  /// A hash in the context of a number, so that the same bytes can be filed under several.
  package func salted(_ hash: UInt64, with salt: UInt32) -> UInt64 {
    Self.fold(hash ^ UInt64(salt) &* 0xA24B_AED4_963E_E407, second)
  }

  /// Eight bytes, wherever they lie, as one number.
  @inline(__always)
  static func word(_ address: UnsafeRawPointer) -> UInt64 {
    unsafe address.loadUnaligned(as: UInt64.self)
  }

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
