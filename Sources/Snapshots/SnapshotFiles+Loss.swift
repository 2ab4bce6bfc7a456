package import Posix
import Wire

// What of a file may change without its being written anew: the round, the time, rates, and scores by little. Each member
// of an object has a line of its own, so the files are compared line by line.

/// How files that were published before compare with those that are to be.
package struct PublishedBefore: Equatable, Sendable {
  /// How much of their scores they would lose by being replaced, as a share of the largest difference; nil if anything
  /// else that counts would change.
  package let loss: Double?
  /// The round that they are of; 0 if that is not to be seen.
  package let generation: UInt64

  package init(loss: Double?, generation: UInt64) { (self.loss, self.generation) = (loss, generation) }
}

extension SnapshotFiles {
  /// What was published before in place of these.
  ///
  /// - Parameter folder: holds what was published.
  /// - Complexity: O(bytes).
  package func publishedBefore(in folder: borrowing PublishedFolder) -> PublishedBefore {
    let base = name?.base ?? "top"
    guard let json = folder.contents(base + ".json", isApp: name != nil) else {
      return PublishedBefore(loss: nil, generation: 0)
    }
    let generation = PublishedText.generation(json)
    guard let tsv = folder.contents(base + ".tsv", isApp: name != nil),
      let rows = PublishedText.loss(from: tsv, to: self.tsv, { PublishedText.scoreOfRow($0) }),
      let members = PublishedText.loss(from: json, to: self.json, { PublishedText.scoreOfMember($0) })
    else { return PublishedBefore(loss: nil, generation: generation) }
    return PublishedBefore(loss: max(rows, members), generation: generation)
  }
}

/// A text that was published, or is to be, read line by line.
private struct PublishedText {
  typealias Line = ArraySlice<UInt8>

  private let bytes: [UInt8]
  private var next = 0
  /// The line that is looked at; nil behind the last one.
  private(set) var line: Line?
  /// Where the member of the whole object begins that the line belongs to.
  private var section: Line = []

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    advance()
  }

  private mutating func advance() {
    guard next < bytes.count else { return line = nil }
    let end = endOfLine(from: next)
    let line = bytes[next..<end]
    if line.starts(with: Self.member) { section = line }
    self.line = line
    next = end + 1
  }

  private func endOfLine(from start: Int) -> Int {
    unsafe bytes.withUnsafeBufferPointer { unsafe $0[start...].firstIndex(of: UInt8(ascii: "\n")) ?? $0.count }
  }

  /// - Parameter score: the part of a line that is a score, if there is one.
  static func loss(from old: [UInt8], to new: [UInt8], _ score: (Line) -> Range<Int>?) -> Double? {
    var (old, new) = (PublishedText(old), PublishedText(new))
    var loss = 0.0
    while let before = old.line, let after = new.line {
      if before == after || before.isIgnored && after.isIgnored {
        old.advance()
        new.advance()
      } else if old.isInIgnoredPart, new.isInIgnoredPart {
        old.skipSection()
        new.skipSection()
      } else if let share = difference(before, after, score) {
        loss = max(loss, share)
        old.advance()
        new.advance()
      } else {
        return nil
      }
    }
    return old.line == nil && new.line == nil ? loss : nil
  }

  /// By what share of the old one two lines differ, if they differ in their scores alone.
  private static func difference(_ before: Line, _ after: Line, _ score: (Line) -> Range<Int>?) -> Double? {
    guard let place = score(before), let newPlace = score(after),
      before[..<place.lowerBound] == after[..<newPlace.lowerBound],
      before[place.upperBound...] == after[newPlace.upperBound...],
      let value = number(before[place]), let newValue = number(after[newPlace]), value > 0
    else { return nil }
    return abs(value - newValue) / value
  }

  private static func number(_ text: Line) -> Double? { Double(String(decoding: text, as: UTF8.self)) }

  // MARK: The rows for shells

  /// The third column.
  static func scoreOfRow(_ line: Line) -> Range<Int>? {
    let tab = UInt8(ascii: "\t")
    guard let first = line.firstIndex(of: tab), let second = line[(first + 1)...].firstIndex(of: tab),
      let third = line[(second + 1)...].firstIndex(of: tab)
    else { return nil }
    return second + 1..<third
  }

  // MARK: The JSON

  private static let member = Array("  \"".utf8)
  private static let scoreMember = Array("      \"score\": ".utf8)
  private static let method = Array("  \"method\": ".utf8)
  private static let hits = Array("  \"hits\": ".utf8)
  private static let methodMembers = ["kind", "halfLife"].map { Array("    \"\($0)\": ".utf8) }

  private static let generationMember = Array("  \"generation\": ".utf8)

  /// The round that a file is of; 0 if that is not to be seen.
  static func generation(_ json: [UInt8]) -> UInt64 {
    var text = PublishedText(json)
    while let line = text.line {
      if line.starts(with: generationMember) {
        let digits = line.dropFirst(generationMember.count).prefix { (0x30...0x39).contains($0) }
        return UInt64(String(decoding: digits, as: UTF8.self)) ?? 0
      }
      text.advance()
    }
    return 0
  }

  /// The value of a member of a row, without the comma that follows it.
  static func scoreOfMember(_ line: Line) -> Range<Int>? {
    guard line.starts(with: scoreMember) else { return nil }
    return line.startIndex + scoreMember.count..<line.endIndex - (line.last == UInt8(ascii: ",") ? 1 : 0)
  }

  /// Whether the line belongs to what does not count: all of the hits, and of the method all but its name.
  private var isInIgnoredPart: Bool {
    guard let line, !line.starts(with: Self.member) else { return false }
    if section.starts(with: Self.hits) { return true }
    return section.starts(with: Self.method) && !Self.methodMembers.contains { line.starts(with: $0) }
  }

  private mutating func skipSection() {
    repeat { advance() } while line.map { !$0.starts(with: Self.member) } ?? false
  }
}

extension ArraySlice<UInt8> {
  private static let members = ["generation", "computedAt"].map { Array("  \"\($0)\": ".utf8) }

  /// Whether the line is of a member of the whole object that does not count.
  fileprivate var isIgnored: Bool { Self.members.contains { starts(with: $0) } }
}

/// What was published before, as far as it is as it should be.
package struct PublishedFolder: ~Copyable {
  private let top: Directory
  private let apps: Directory
  private let mode: FileMode

  /// The most bytes of a file that is looked at.
  private static let largest = 1 << 20

  /// - Parameter mode: of files; others are not as they should be.
  package init(_ folder: SnapshotFolder, mode: FileMode) throws(SystemError) {
    let top = try Directory(opening: folder.path)
    let apps = try Directory(opening: folder.path + "/apps")
    self.top = top
    self.apps = apps
    self.mode = mode
  }

  fileprivate func contents(_ name: String, isApp: Bool) -> [UInt8]? {
    do {
      let file = try isApp ? apps.openToRead(name) : top.openToRead(name)
      return try file.contents(withMode: mode, atMost: Self.largest)
    } catch {
      // What can't be read is written anew, and whatever is wrong is said then.
      return nil
    }
  }
}
