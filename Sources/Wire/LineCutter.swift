import func Glibc.memchr

/// What `LineCutter` found.
@safe package enum Cut {
  /// A line without its LF and without one CR before it; valid until the cutter's next call, and no longer than the
  /// chunk that was cut.
  ///
  /// As many of its first bytes as `visible` says are known to be visible ASCII, as the search for its end has met them
  /// anyway; 0 where it came in pieces.
  case line(UnsafeRawBufferPointer, visible: Int)
  /// A line over the limit has ended; its bytes are gone.
  case tooLong
}

/// Cuts a stream of bytes, which comes in chunks of any size, into lines, in bounded memory.
///
///     stream = *line [rest]       ; the rest counts as a line once the stream has ended
///     line   = content [CR] LF
///
/// A line that lies within one chunk is returned where it lies. Only the unfinished end of a chunk is copied, at most
/// `maxLineBytes` + 1 bytes of it, and a cutter with nothing unfinished holds no memory once `next` has returned nil.
@safe package struct LineCutter: ~Copyable {
  /// Most bytes of a line's content; may be changed between calls and holds from the next one on.
  package var maxLineBytes: Int
  /// The number, from 1, of the line that was returned last; every line counts, also one that is empty or too long.
  package internal(set) var lineNumber: UInt64 = 0

  var storage: UnsafeMutableRawBufferPointer?
  var stored = 0
  var isSkipping = false
  /// The stored bytes were returned as a line and stay for the caller until the next call.
  private var isStoredReturned = false

  /// A cutter at the start of a stream, with a limit of 1 or more.
  package init(maxLineBytes: Int) {
    precondition(maxLineBytes > 0 && maxLineBytes < Int.max)
    self.maxLineBytes = maxLineBytes
    unsafe storage = nil
  }

  deinit { unsafe storage?.deallocate() }

  /// A line has begun and its end has not come.
  package var hasUnfinishedLine: Bool { isSkipping || (stored > 0 && !isStoredReturned) }

  /// Bytes of memory held for an unfinished line.
  package var heldBytes: Int { unsafe storage?.count ?? 0 }

  /// Takes the next line off the front of `bytes`, which then begins after it.
  ///
  /// - Returns: nil when no line end was left; an unfinished rest has then been stored, or dropped while a line over
  ///   the limit is skipped, and `bytes` is empty.
  /// - Complexity: O(n) in the bytes taken, also over many calls.
  package mutating func next(_ bytes: inout UnsafeRawBufferPointer) -> Cut? {
    dropReturned()
    guard let base = bytes.baseAddress, bytes.count > 0 else {
      releaseIfEmpty()
      return nil
    }
    let visible = unsafe Bytes(bytes).endOfVisible(from: 0)
    guard let length = unsafe Self.lineEnd(in: bytes, from: visible) else {
      unsafe store(bytes)
      unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[bytes.endIndex...])
      releaseIfEmpty()
      return nil
    }
    let piece = unsafe UnsafeRawBufferPointer(start: base, count: length)
    unsafe bytes = UnsafeRawBufferPointer(start: base + length + 1, count: bytes.count - length - 1)
    if stored == 0, !isSkipping {
      lineNumber += 1
      return unsafe cut(piece, visible: visible)
    }
    unsafe store(piece)
    return endStoredLine()
  }

  /// Where the first LF at or after `start` stands; most often it is there.
  @inline(__always)
  private static func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = bytes.baseAddress, start < bytes.count else { return nil }
    if unsafe bytes[start] == 0x0a { return start }
    return unsafe memchr(base + start, 0x0a, bytes.count - start).map { unsafe UnsafeRawPointer($0) - base }
  }

  /// Ends the stream: an unfinished line counts as if its LF had come. The cutter may be used for another stream then,
  /// whose lines are counted on.
  ///
  /// - Returns: the last line; nil if nothing was unfinished.
  package mutating func finish() -> Cut? {
    dropReturned()
    if hasUnfinishedLine { return endStoredLine() }
    releaseIfEmpty()
    return nil
  }

  private mutating func endStoredLine() -> Cut {
    lineNumber += 1
    if isSkipping {
      isSkipping = false
      return .tooLong
    }
    isStoredReturned = true
    guard let storage = unsafe storage else {
      return unsafe cut(UnsafeRawBufferPointer(start: nil, count: 0), visible: 0)
    }
    return unsafe cut(UnsafeRawBufferPointer(rebasing: storage[..<stored]), visible: 0)
  }

  @inline(__always)
  private func cut(_ line: UnsafeRawBufferPointer, visible: Int) -> Cut {
    var count = line.count
    if count > 0, unsafe line[count - 1] == 0x0d { count -= 1 }
    if count > maxLineBytes { return .tooLong }
    return unsafe .line(UnsafeRawBufferPointer(start: line.baseAddress, count: count), visible: visible)
  }
}

// Storage.
extension LineCutter {
  private mutating func dropReturned() {
    if isStoredReturned {
      isStoredReturned = false
      stored = 0
    }
  }

  private mutating func releaseIfEmpty() {
    if stored == 0, let storage = unsafe storage {
      unsafe storage.deallocate()
      unsafe self.storage = nil
    }
  }

  /// Adds to the unfinished line, or begins to skip it if it cannot be within the limit any more.
  mutating func store(_ piece: UnsafeRawBufferPointer) {
    if isSkipping { return }
    let total = stored + piece.count
    if total > maxLineBytes + 1 {
      isSkipping = true
      stored = 0
      releaseIfEmpty()
      return
    }
    if total > heldBytes { grow(to: total) }
    if let storage = unsafe storage {
      unsafe UnsafeMutableRawBufferPointer(rebasing: storage[stored...]).copyMemory(from: piece)
    }
    stored = total
  }

  private mutating func grow(to needed: Int) {
    let size = max(needed, min(max(128, heldBytes * 2), maxLineBytes + 1))
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
    if let storage = unsafe storage {
      unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[..<stored]))
      unsafe storage.deallocate()
    }
    unsafe storage = larger
  }
}
