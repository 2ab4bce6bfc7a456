/// A write-ahead log, read without SQLite: which pages it holds, and whether it is damaged.
///
/// SQLite takes a log up to the first frame that does not fit its checksum and says nothing of the rest, as that is how
/// a commit looks that a power cut has torn. Only the last commit can be torn: where whole commits follow, they were
/// synced, and it is damage. (https://www.sqlite.org/fileformat2.html, section 4.)
struct WriteAheadLog {
  private static let headerSize = 32
  private static let frameHeaderSize = 24
  private static let frameSize = frameHeaderSize + DatabaseHeader.pageSize

  private let bytes: [UInt8]
  /// Frames of the log's present generation, from the first one on.
  private let generation: Int
  /// Frames up to the last commit that SQLite would see.
  private let committed: Int
  /// Frames up to the last commit that the generation holds, damaged or not.
  private let lastCommit: Int
  /// What is wrong with the log; nil if it is sound.
  let problem: String?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let frames = max(0, bytes.count - Self.headerSize) / Self.frameSize
    guard frames > 0 else {
      (generation, committed, lastCommit, problem) = (0, 0, 0, nil)
      return
    }
    let isBigEndian = bytes[3] & 1 == 1
    var sum = Self.checksum(bytes, 0, 24, isBigEndian: isBigEndian, (0, 0))
    let isSound =
      [0x377F_0682, 0x377F_0683].contains(DatabaseHeader.bigEndian(bytes, 0))
      && DatabaseHeader.bigEndian(bytes, 4) == 3_007_000
      && DatabaseHeader.bigEndian(bytes, 8) == UInt32(DatabaseHeader.pageSize)
      && sum == (DatabaseHeader.bigEndian(bytes, 24), DatabaseHeader.bigEndian(bytes, 28))
    // Where the header is not to be trusted the first frame tells which generation the log is of.
    let salts = isSound ? bytes[16..<24] : bytes[Self.headerSize + 8..<Self.headerSize + 16]
    var (generation, committed, lastCommit, commitsAfterBreak) = (0, 0, 0, 0)
    var isWhole = isSound
    for frame in 0..<frames {
      let start = Self.headerSize + frame * Self.frameSize
      let isOfGeneration = bytes[start + 8..<start + 16].elementsEqual(salts)
      if isWhole {
        sum = Self.checksum(bytes, start, 8, isBigEndian: isBigEndian, sum)
        sum = Self.checksum(
          bytes, start + Self.frameHeaderSize, DatabaseHeader.pageSize, isBigEndian: isBigEndian, sum)
        let stored = (DatabaseHeader.bigEndian(bytes, start + 16), DatabaseHeader.bigEndian(bytes, start + 20))
        isWhole = isOfGeneration && sum == stored
      }
      guard isOfGeneration else { continue }
      generation = frame + 1
      guard DatabaseHeader.bigEndian(bytes, start + 4) != 0 else { continue }
      if isWhole { committed = frame + 1 } else { commitsAfterBreak += 1 }
      lastCommit = frame + 1
    }
    (self.generation, self.committed) = (generation, committed)
    if !isSound {
      problem = "the header of its log is damaged"
      self.lastCommit = lastCommit
    } else if commitsAfterBreak > 1 {
      problem = "its log is damaged after \(committed) of \(generation) pages"
      self.lastCommit = lastCommit
    } else {
      problem = nil
      self.lastCommit = committed
    }
  }

  /// The images of pages that the log holds of commits, newest first.
  ///
  /// - Parameter body: takes the page's number and where its bytes begin.
  func eachPageNewestFirst(_ body: (UInt32, ArraySlice<UInt8>) -> Void) {
    for frame in (0..<lastCommit).reversed() {
      let start = Self.headerSize + frame * Self.frameSize
      let page = start + Self.frameHeaderSize
      body(DatabaseHeader.bigEndian(bytes, start), bytes[page..<page + DatabaseHeader.pageSize])
    }
  }

  /// The newest image of each page that the log holds of commits.
  var newestPages: [UInt32: ArraySlice<UInt8>] {
    var newest: [UInt32: ArraySlice<UInt8>] = [:]
    eachPageNewestFirst { number, page in if newest[number] == nil { newest[number] = page } }
    return newest
  }

  private static func checksum(
    _ bytes: [UInt8], _ start: Int, _ count: Int, isBigEndian: Bool, _ seed: (UInt32, UInt32)
  ) -> (UInt32, UInt32) {
    var (first, second) = seed
    unsafe bytes.withUnsafeBytes { buffer in
      for offset in stride(from: start, to: start + count, by: 8) {
        let one = unsafe buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        let two = unsafe buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        first &+= (isBigEndian ? UInt32(bigEndian: one) : UInt32(littleEndian: one)) &+ second
        second &+= (isBigEndian ? UInt32(bigEndian: two) : UInt32(littleEndian: two)) &+ first
      }
    }
    return (first, second)
  }
}
