import Testing
import TestSupport
import Wire

private enum Found: Equatable {
  case line([UInt8])
  case tooLong

  init(_ cut: Cut) {
    switch cut {
    case .line(let bytes, _): self = .line([UInt8](bytes))
    case .tooLong: self = .tooLong
    }
  }
}

/// Cuts chunks and then ends the stream; each chunk lies in an own block that is gone after it.
private func cut(_ chunks: [[UInt8]], limit: Int, cutter: inout LineCutter) -> [Found] {
  var found: [Found] = []
  for chunk in chunks {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk.count, alignment: 1)
    defer { block.deallocate() }
    block.copyBytes(from: chunk)
    var rest = UnsafeRawBufferPointer(block)
    while let cut = cutter.next(&rest) { found.append(Found(cut)) }
    #expect(rest.isEmpty)
    #expect(cutter.heldBytes <= limit + 1)
    #expect(cutter.hasUnfinishedLine || cutter.heldBytes == 0)
    block.initializeMemory(as: UInt8.self, repeating: 0xaa)
  }
  while let cut = cutter.finish() { found.append(Found(cut)) }
  #expect(cutter.hasUnfinishedLine == false)
  #expect(cutter.heldBytes == 0)
  return found
}

private func cut(_ chunks: [[UInt8]], limit: Int) -> [Found] {
  var cutter = LineCutter(maxLineBytes: limit)
  let found = cut(chunks, limit: limit, cutter: &cutter)
  #expect(cutter.lineNumber == UInt64(found.count))
  return found
}

private func cut(_ chunks: [String], limit: Int) -> [Found] { cut(chunks.map { [UInt8]($0.utf8) }, limit: limit) }

private func lines(_ lines: String...) -> [Found] { lines.map { .line([UInt8]($0.utf8)) } }

/// The same, without any thought for memory.
private func naive(_ bytes: [UInt8], limit: Int) -> [Found] {
  var pieces = bytes.split(separator: 0x0a, omittingEmptySubsequences: false).map { [UInt8]($0) }
  if pieces.last?.isEmpty == true { pieces.removeLast() }
  return pieces.map { piece in
    let content = piece.last == 0x0d ? piece.dropLast() : piece[...]
    return content.count > limit ? .tooLong : .line([UInt8](content))
  }
}

@Suite("Cutting lines")
struct LineCutterTests {
  @Test("Lines end with LF, one CR before it is dropped, and the unfinished last one counts")
  func cutsLines() {
    #expect(cut([""], limit: 9) == [])
    #expect(cut(["a"], limit: 9) == lines("a"))
    #expect(cut(["a\n"], limit: 9) == lines("a"))
    #expect(cut(["\n\r\na\r\nb\r\r\nc\rd\n\re\r"], limit: 9) == lines("", "", "a", "b\r", "c\rd", "\re"))
    #expect(cut(["\r"], limit: 9) == lines(""))
  }

  @Test("Where the stream is split changes nothing")
  func joinsChunks() {
    let text = [UInt8]("com.example\r\n\r\n\n\rb\r\r\n#x\nlonger than ten\r\né📷\nend\r".utf8)
    for limit in [1, 2, 3, 7, 10, 11, 14, 15, 100] {
      let expected = naive(text, limit: limit)
      #expect(cut([text], limit: limit) == expected)
      #expect(cut(text.map { [$0] }, limit: limit) == expected)
      for first in 0...text.count {
        for second in first...text.count {
          let chunks = [text[..<first], text[first..<second], text[second...]].map { [UInt8]($0) }
          #expect(cut(chunks, limit: limit) == expected)
        }
      }
    }
  }

  @Test("Random streams in random chunks give the lines of a naive model")
  func agreesWithModel() {
    var random = SeededRandom()
    for round in 0..<2000 {
      let limit = Int.random(in: 1...20, using: &random)
      let alphabet: [UInt8] = [0x0a, 0x0d, 0x61, 0x62, 0x20, 0xe4]
      let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
        alphabet[min(Int.random(in: 0...12, using: &random), 5)]
      }
      var chunks: [[UInt8]] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let size = Int.random(in: 0...30, using: &random)
        chunks.append([UInt8](rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      #expect(cut(chunks, limit: limit) == naive(bytes, limit: limit), "seed \(random.seed), round \(round)")
    }
  }

  @Test("A line of exactly the limit is fine, one byte more is refused, and the stream goes on")
  func keepsTheLimit() {
    let fits = String(repeating: "a", count: 256)
    for end in ["\n", "\r\n"] {
      #expect(cut([fits + end + fits + "a" + end + "b" + end], limit: 256) == lines(fits) + [.tooLong] + lines("b"))
    }
    #expect(cut([fits + "\r"], limit: 256) == lines(fits))
    #expect(cut([fits + "\rx"], limit: 256) == [.tooLong])
    #expect(cut([fits, "\r", "\r", "\nb"], limit: 256) == [.tooLong] + lines("b"))
    #expect(cut([fits + "a"], limit: 256) == [.tooLong])
    #expect(cut([String(repeating: "x", count: 80 * 1024), "\ngood\n"], limit: 4096) == [.tooLong] + lines("good"))
  }

  @Test("A stream without a line end keeps to the limit's memory, and to none once it is over")
  func boundsMemory() {
    var cutter = LineCutter(maxLineBytes: 4096)
    let chunk = [UInt8](repeating: 0x78, count: 1000)
    for _ in 0..<1049 {
      chunk.withUnsafeBytes { bytes in
        var rest = bytes
        while cutter.next(&rest) != nil { Issue.record("a line out of nothing") }
      }
      #expect(cutter.heldBytes <= 4097)
    }
    #expect(cutter.heldBytes == 0)
    #expect(cutter.hasUnfinishedLine == true)
    #expect(cut([[0x0a, 0x62, 0x0a]], limit: 4096, cutter: &cutter) == [.tooLong] + lines("b"))
    #expect(cutter.lineNumber == 2)
  }

  @Test("A line within one chunk is returned where it lies")
  func copiesNothing() {
    let chunk = [UInt8]("a\nbc\r\nd".utf8)
    chunk.withUnsafeBytes { bytes in
      var cutter = LineCutter(maxLineBytes: 10)
      var rest = bytes
      guard case .line(let first, _)? = cutter.next(&rest), case .line(let second, _)? = cutter.next(&rest) else {
        Issue.record("no lines")
        return
      }
      #expect(first.baseAddress == bytes.baseAddress && first.count == 1)
      #expect(second.baseAddress == bytes.baseAddress.map { $0 + 2 } && second.count == 2)
      #expect(cutter.heldBytes == 0)
      #expect(cutter.next(&rest) == nil)
      #expect(cutter.hasUnfinishedLine == true)
      #expect((1...11).contains(cutter.heldBytes))
    }
  }

  @Test("What is known of a line when it is cut is true, and changes nothing in what it means")
  func knowsVisibleBytes() {
    var random = SeededRandom()
    var parser = LineParser()
    let rare: [UInt8] = [0x20, 0x09, 0x0d, 0x7f, 0x80, 0xc3, 0xa9, 0x01, 0x23, 0x7b, 0x7e, 0x21, 0x3d]
    for _ in 0..<500 {
      let stream = (0..<Int.random(in: 0...400, using: &random)).map { _ -> UInt8 in
        switch Int.random(in: 0...40, using: &random) {
        case 0...1: 0x0a
        case 2...4: rare.randomElement(using: &random) ?? 0x20
        default: UInt8.random(in: 0x61...0x7a, using: &random)
        }
      }
      stream.withUnsafeBytes { bytes in
        var cutter = LineCutter(maxLineBytes: 300)
        var rest = bytes
        while case .line(let line, let visible)? = cutter.next(&rest) {
          let line = [UInt8](line)
          let isVisible = { (byte: UInt8) in (0x21...0x7e).contains(byte) }
          #expect(visible == line.prefix(while: isVisible).count, "\(line), seed \(random.seed)")
          func meaning(_ visible: Int) -> Result<Meaning, LineError> {
            do throws(LineError) {
              return .success(try parse(line, with: &parser, visible: visible))
            } catch {
              return .failure(error)
            }
          }
          #expect(meaning(visible) == meaning(0), "\(line), seed \(random.seed)")
        }
      }
    }
  }

  @Test("A character cut by the end of its line spoils that line and no other")
  func keepsDamageInTheLine() {
    let stream: [UInt8] = [0x61, 0xe2, 0x82, 0x0a, 0xac, 0x0a, 0x10, 0xe4, 0xfd, 0xfd, 0x8b, 0x58, 0x0a, 0x62]
    let meanings = cut(stream.map { [$0] }, limit: 256).map { found in
      switch found {
      case .line(let bytes): meaning(of: bytes)
      case .tooLong: Meaning.refused(.lineTooLong)
      }
    }
    #expect(meanings == [.refused(.invalidAction), .refused(.invalidAction), .refused(.invalidAction), .use("b")])
  }

  @Test("A lower limit holds for a line that has begun before it")
  func takesNewLimits() {
    var cutter = LineCutter(maxLineBytes: 100)
    "aaaaaaaaaa".utf8.withContiguousStorageIfAvailable { text in
      var rest = UnsafeRawBufferPointer(text)
      #expect(cutter.next(&rest) == nil)
    }
    cutter.maxLineBytes = 5
    #expect(cut([[0x0a, 0x62]], limit: 100, cutter: &cutter) == [.tooLong] + lines("b"))
    cutter.maxLineBytes = 50
    #expect(
      cut([[UInt8](repeating: 0x61, count: 50)], limit: 50, cutter: &cutter) == [
        .line([UInt8](repeating: 0x61, count: 50))
      ])
    #expect(cutter.lineNumber == 3)
  }
}
