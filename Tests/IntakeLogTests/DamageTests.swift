import Glibc
import Posix
import Testing
import TestSupport

@testable import IntakeLog

struct DamageTests {
  /// Ways in which a file comes to harm.
  enum Harm: Int, CaseIterable {
    case flippedBits, flippedBitsInTheFirstPages, cut, zeros, noise, empty, offsets, length, longer, allNoise
  }

  /// A log as a process left it, and what it holds from the last commit on.
  struct Original {
    var file: [UInt8]
    var committed: UInt64
    var entries: [Entry]
    /// Where records begin, as places in the file.
    var records: [Int]
    /// How many of the last entries are only in the landing area.
    var landed: Int

    func sharesBytes(_ range: some RangeExpression<Int>, with other: [UInt8]) -> Bool {
      let range = range.relative(to: file)
      return other.count >= range.upperBound && Blob(other[range]) == Blob(file[range])
    }
  }

  /// Damages copies of a log of several laps, one with all of its records in the ring and one whose last batch has
  /// landed and was not copied. No replay may crash, hang, or hand over anything but the first records as they were.
  @Test func `a damaged log is replayed up to the damage, and never beyond what it proves`() throws {
    let copies = Int(Process.environment("QUICKACTIONS_DAMAGE") ?? "") ?? 1000
    var generator = SeededRandom()
    print("seed \(generator.seed)")
    let originals = [try makeOriginal(landed: false, generator), try makeOriginal(landed: true, generator)]
    let folder = TemporaryFolder()
    var (complete, upToDamage, refused) = (0, 0, 0)
    for copy in 0..<copies {
      let original = originals[copy % 2]
      let harm = Harm.allCases[copy / 2 % Harm.allCases.count]
      var file = original.file
      damage(&file, harm, original, &generator)
      folder.write(file)
      let (entries, outcome) = try #require(try replay(folder, from: original.committed))

      // What landed has no checksum yet, as the kernel makes none: its payload is as the file has it.
      let isTouched = !original.sharesBytes(..<LogLayout.ringPlace, with: file)
      let sure = original.entries.count - (isTouched ? original.landed : 0)
      let found = original.landed == 0 ? entries : entries.map(\.withoutClocks)
      let isPrefix = zip(found.prefix(sure), original.entries).allSatisfy { $0 == $1 }
      #expect(isPrefix, "\(harm), copy \(copy)")
      let most = original.entries.count + (isTouched ? MessageTable.capacity : 0)
      #expect(entries.count <= most, "\(harm), copy \(copy)")
      #expect(outcome.records == entries.count)
      let knowsTail = original.sharesBytes(LogLayout.tailPlace..<LogLayout.tailPlace + 8, with: file)
      if outcome.damage == nil, knowsTail {
        #expect(entries.count >= sure, "\(harm), copy \(copy): nothing is missing silently")
      }
      if Blob(file) == Blob(original.file) { #expect(outcome.damage == nil && isPrefix && entries.count == sure) }
      switch outcome.damage {
      case nil: complete += 1
      case .record?, .landing?: upToDamage += 1
      default: refused += 1
      }
    }
    print(
      "damage: \(copies) copies, 0 crashes; \(complete) complete, \(upToDamage) replayed up to the damage, "
        + "\(refused) no logs any more")
  }

  private func makeOriginal(landed: Bool, _ generator: SeededRandom) throws -> Original {
    let folder = TemporaryFolder()
    var model = try ModelledLog(in: folder, generator: generator)
    var committed: UInt64 = 0
    while model.log.tail < 9 << 20 || model.log.used < 1 << 20 {
      if try model.step() { continue }
      committed = model.log.tail
      model.log.release(upTo: committed)
      model.forget(before: committed)
    }
    // Ends with a batch that the kernel wrote.
    var before = model.log.tail
    while true {
      guard try model.step() else {
        committed = model.log.tail
        model.log.release(upTo: committed)
        model.forget(before: committed)
        continue
      }
      if case .datagram? = model.expected(from: before).first { break }
      before = model.log.tail
    }
    var file = folder.read()
    if landed { file.store(before, at: LogLayout.tailPlace) }
    let entries = model.expected(from: committed)
    let capacity = UInt64(file.count - LogLayout.ringPlace)
    return Original(
      file: file, committed: committed,
      entries: landed ? model.expected(from: committed).map(\.withoutClocks) : entries,
      records: Set(model.entries.map(\.offset)).map { LogLayout.ringPlace + Int($0 % capacity) },
      landed: landed ? model.expected(from: before).count : 0)
  }

  private func damage(
    _ file: inout [UInt8], _ harm: Harm, _ original: Original, _ generator: inout SeededRandom
  ) {
    func place(_ end: Int) -> Int { Int.random(in: 0..<end, using: &generator) }
    switch harm {
    case .flippedBits:
      for _ in 0...place(8) { file[place(file.count)] ^= 1 << place(8) }
    case .flippedBitsInTheFirstPages:
      for _ in 0...place(3) { file[place(LogLayout.slotsPlace)] ^= 1 << place(8) }
    case .cut: file.removeLast(place(file.count))
    case .zeros, .noise:
      let start = place(file.count)
      let count = min(1 + place(1 << (1 + place(18))), file.count - start)
      let bytes = harm == .zeros ? [UInt8](repeating: 0, count: count) : generator.bytes(count)
      file.replaceSubrange(start..<start + count, with: bytes)
    case .empty: file = []
    case .offsets:
      let values = [0, .max, original.committed, 1 << 63, generator.next(), generator.next() % (16 << 20)]
      file.store(values[place(values.count)], at: LogLayout.headPlace)
      file.store(values[place(values.count)], at: LogLayout.tailPlace)
    case .length:
      let record = original.records[place(original.records.count)]
      guard record + RecordHeader.size <= file.count else { return }
      let length = [UInt32.max, 0x7fff_ffff, 0, UInt32(truncatingIfNeeded: generator.next())][place(4)]
      withUnsafeBytes(of: length) { file.replaceSubrange(record + 40..<record + 44, with: $0) }
    case .longer: file += generator.bytes(1 + place(1 << 16))
    case .allNoise: file = generator.bytes(place(1 << 16))
    }
  }
}
