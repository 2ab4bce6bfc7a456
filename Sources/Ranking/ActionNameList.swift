import func Glibc.memcmp

/// The ids of actions and of their apps, one after another in one buffer, so that a name costs no allocation of its own;
/// actions of one app that follow one another share its id. Memory: 12 bytes a name, and the ids.
package struct ActionNameList: Equatable, Sendable {
  /// Where the two ids lie.
  fileprivate struct Entry: Equatable, BitwiseCopyable {
    private var starts: SIMD2<UInt32>
    /// What 32 bits of the starts do not hold, and the lengths.
    private var rest: SIMD4<UInt8>

    init(app: Range<Int>, action: Range<Int>) {
      precondition(max(app.lowerBound, action.lowerBound) >> 40 == 0 && app.count <= 255 && action.count <= 255)
      starts = SIMD2(UInt32(truncatingIfNeeded: app.lowerBound), UInt32(truncatingIfNeeded: action.lowerBound))
      rest = SIMD4(
        UInt8(truncatingIfNeeded: app.lowerBound >> 32), UInt8(app.count),
        UInt8(truncatingIfNeeded: action.lowerBound >> 32), UInt8(action.count))
    }

    @inline(__always)
    var app: Range<Int> { range(start: 0, rest: 0) }
    @inline(__always)
    var action: Range<Int> { range(start: 1, rest: 2) }

    @inline(__always)
    private func range(start place: Int, rest: Int) -> Range<Int> {
      let start = Int(self.rest[rest]) << 32 | Int(starts[place])
      return start..<start + Int(self.rest[rest + 1])
    }
  }

  private(set) var bytes: [UInt8] = []
  private var entries: [Entry] = []

  package init() {}

  /// How many names there are.
  package var count: Int { entries.count }
  package var isEmpty: Bool { entries.isEmpty }

  /// Makes room for so many names more.
  package mutating func reserve(_ additional: Int) { entries.reserveCapacity(entries.count + additional) }

  /// Adds a name, whose ids have at most 255 bytes each.
  ///
  /// - Complexity: O(1) amortised.
  package mutating func append(app: UnsafeRawBufferPointer, action: UnsafeRawBufferPointer) {
    var known = bytes.count..<bytes.count
    if let last = entries.last?.app, unsafe has(app, at: last) {
      known = last
    } else {
      unsafe bytes.append(contentsOf: app)
      known = known.lowerBound..<bytes.count
    }
    entries.append(Entry(app: known, action: bytes.count..<bytes.count + action.count))
    unsafe bytes.append(contentsOf: action)
  }

  /// The same with ids that lie elsewhere.
  package mutating func append(_ name: ActionName) {
    unsafe name.app.withUnsafeBytes { app in unsafe name.action.withUnsafeBytes { unsafe append(app: app, action: $0) }
    }
  }

  private func has(_ id: UnsafeRawBufferPointer, at range: Range<Int>) -> Bool {
    guard id.count == range.count else { return false }
    guard let start = id.baseAddress else { return true }
    return unsafe bytes.withUnsafeBytes { bytes in
      unsafe bytes.baseAddress.map { unsafe memcmp($0 + range.lowerBound, start, id.count) == 0 } ?? false
    }
  }

  /// A name with ids of its own.
  package subscript(place: Int) -> ActionName {
    ActionName(app: Array(bytes[entries[place].app]), action: Array(bytes[entries[place].action]))
  }

  /// Calls `body` with the ids where they lie.
  package func withIDs<Result, Failure: Error>(
    _ body: (Reader) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      try unsafe entries.withUnsafeBufferPointer { entries throws(Failure) in
        try unsafe body(Reader(bytes: UnsafeRawBufferPointer(bytes), entries: entries))
      }
    }
  }

  /// The ids of actions by their places, valid during the call that it is given to.
  @unsafe
  package struct Reader {
    fileprivate let bytes: UnsafeRawBufferPointer
    fileprivate let entries: UnsafeBufferPointer<Entry>

    @inline(__always)
    package func app(_ place: Int) -> UnsafeRawBufferPointer {
      unsafe UnsafeRawBufferPointer(rebasing: bytes[entries[place].app])
    }

    @inline(__always)
    package func action(_ place: Int) -> UnsafeRawBufferPointer {
      unsafe UnsafeRawBufferPointer(rebasing: bytes[entries[place].action])
    }
  }
}
