import CPosix
import Posix
import Testing

struct CRC32CTests {
  /// RFC 3720, appendix B.4, and the check value that catalogues of checksums give.
  static let vectors: [([UInt8], UInt32)] = [
    ([], 0),
    ([UInt8](repeating: 0, count: 32), 0x8a91_36aa),
    ([UInt8](repeating: 0xff, count: 32), 0x62a8_ab43),
    (Array(0...31), 0x46dd_794e),
    (Array("123456789".utf8), 0xe306_9283),
  ]

  @Test func `the checksum is that of RFC 3720, with and without the processor's help`() {
    for (bytes, expected) in Self.vectors {
      let (sum, byTables) = bytes.withUnsafeBytes {
        (crc32c($0), cposix_crc32c_by_tables(0, $0.baseAddress, $0.count))
      }
      #expect(sum == expected)
      #expect(byTables == expected)
    }
  }

  @Test func `both ways agree at every length and alignment, and in parts`() {
    let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 >> 3) }
    bytes.withUnsafeBytes { bytes in
      for (start, count) in (0..<600).map({ ($0 % 9, $0) }) + (0..<200).map({ ($0, 90 * $0) }) {
        let slice = UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
        let whole = crc32c(slice)
        #expect(whole == cposix_crc32c_by_tables(0, slice.baseAddress, slice.count))
        let cut = count / 3
        let first = crc32c(UnsafeRawBufferPointer(rebasing: slice[..<cut]))
        #expect(crc32c(UnsafeRawBufferPointer(rebasing: slice[cut...]), after: first) == whole)
      }
    }
  }
}
