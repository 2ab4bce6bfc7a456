/// SHA-256 (FIPS 180-4), for names and ids that nobody can make two things share.
package enum SHA256 {
  /// The first 64 bits of each prime's cube root would be a table to mistype; these are computed from the definition.
  private static let primes: [UInt64] = {
    var primes: [UInt64] = []
    var candidate: UInt64 = 2
    while primes.count < 64 {
      if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
      candidate += 1
    }
    return primes
  }()

  /// The first 32 bits of the fraction of a prime's `root`-th root, by bisection over integers.
  private static func fraction(_ prime: UInt64, root: Int) -> UInt32 {
    // Looks for floor(prime^(1/root) · 2^32), the low 32 bits of which are the fraction.
    let target = UInt128(prime) << (root == 2 ? 64 : 96)
    var (low, high): (UInt128, UInt128) = (0, 1 << 36)
    while high - low > 1 {
      let middle = (low + high) / 2
      let power = root == 2 ? middle * middle : middle * middle * middle
      if power <= target { low = middle } else { high = middle }
    }
    return UInt32(truncatingIfNeeded: low)
  }

  private static let constants = primes.map { fraction($0, root: 3) }
  private static let start = primes.prefix(8).map { fraction($0, root: 2) }

  /// The digest of `bytes`, 32 of them.
  ///
  /// - Complexity: O(*n*), without haste: it is for short texts.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var message = bytes + [0x80]
    while message.count % 64 != 56 { message.append(0) }
    withBigEndianBytes(UInt64(bytes.count) * 8) { message.append(contentsOf: $0) }
    var state = start
    for block in stride(from: 0, to: message.count, by: 64) { mix(message[block..<block + 64], into: &state) }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
  }

  private static func withBigEndianBytes(_ value: UInt64, _ body: ([UInt8]) -> Void) {
    body((0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) })
  }

  private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var words = (0..<16).map { word in
      (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(block[block.startIndex + word * 4 + $1]) }
    }
    for index in 16..<64 {
      let (a, b) = (words[index - 15], words[index - 2])
      let s0 = rotate(a, 7) ^ rotate(a, 18) ^ a >> 3
      let s1 = rotate(b, 17) ^ rotate(b, 19) ^ b >> 10
      words.append(words[index - 16] &+ s0 &+ words[index - 7] &+ s1)
    }
    var v = state
    for index in 0..<64 {
      let s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)
      let choice = v[4] & v[5] ^ ~v[4] & v[6]
      let first = v[7] &+ s1 &+ choice &+ constants[index] &+ words[index]
      let s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)
      let majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]
      v = [first &+ s0 &+ majority, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
    }
    for index in 0..<8 { state[index] &+= v[index] }
  }

  private static func rotate(_ value: UInt32, _ by: UInt32) -> UInt32 { value >> by | value << (32 - by) }
}
