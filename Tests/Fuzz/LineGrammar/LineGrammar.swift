// A libFuzzer target for everything a client can send: the cutter, the parser and the replies. It checks what has to be
// true of any input, so that it finds wrong answers and not only crashes. scripts/fuzz.sh builds and runs it.
//
// Input: the first byte chooses the limit of a line, the second how the rest is split into chunks, the rest is the stream.

import DecoderComparison
import Wire

private enum Found: Equatable {
  case line([UInt8])
  case tooLong

  init(_ cut: Cut) {
    switch cut {
    case .line(let bytes, _): self = unsafe .line([UInt8](bytes))
    case .tooLong: self = .tooLong
    }
  }
}

/// A use, with copies in place of slices.
private struct Use: Equatable {
  var action: [UInt8]
  var app: [UInt8]?
  var count: UInt32
  var time: Int64?
  var id: [UInt8]?

  init(_ use: UseLine) {
    action = unsafe [UInt8](use.action)
    app = unsafe use.app.map { unsafe [UInt8]($0) }
    count = use.count
    time = use.time
    id = unsafe use.id.map { unsafe [UInt8]($0) }
  }
}

/// One input; libFuzzer calls it.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: size))
  guard input.count >= 2 else { return 0 }
  let limit = 1 + Int(input[0]) * 2
  let stream = [UInt8](input[2...])
  let lines = cut(stream, limit: limit, chunk: { stream.count })
  var step = UInt32(input[1])
  let others = cut(stream, limit: limit) {
    step = step &* 1_103_515_245 &+ 12345
    return Int(step >> 16) % (Int(input[1]) % 32 + 1) + 1
  }
  check(lines == others, "the lines depend on where the stream is split")

  var parser = LineParser()
  var comparison = DecoderComparison()
  for (index, line) in lines.enumerated() {
    switch line {
    case .tooLong: checkReply(.lineTooLong(limit: limit), line: UInt64(index + 1), parser: &parser)
    case .line(let bytes):
      check(bytes.count <= limit && !bytes.contains(0x0a), "a line over the limit")
      check(bytes, line: UInt64(index + 1), parser: &parser)
      if bytes.first == 0x7b, let difference = comparison.difference(in: bytes) { fatalError(difference) }
    }
  }
  return 0
}

private func cut(_ stream: [UInt8], limit: Int, chunk: () -> Int) -> [Found] {
  var cutter = LineCutter(maxLineBytes: limit)
  var found: [Found] = []
  var at = 0
  while at < stream.count {
    let end = min(at + chunk(), stream.count)
    unsafe withBlock(stream[at..<end]) { block in
      var rest = unsafe block
      while let cut = unsafe cutter.next(&rest) { found.append(Found(cut)) }
      check(rest.count == 0 && cutter.heldBytes <= limit + 1, "memory over the limit")
    }
    at = end
  }
  if let cut = cutter.finish() { found.append(Found(cut)) }
  check(cutter.finish() == nil && cutter.heldBytes == 0, "more after the end")
  check(cutter.lineNumber == UInt64(found.count), "a line was not counted")
  return found
}

private func parse(_ line: [UInt8], parser: inout LineParser) throws(LineError) -> (use: Use?, request: Request?) {
  var outcome: Result<(Use?, Request?), LineError> = .success((nil, nil))
  unsafe withBlock(line[...]) { block in
    do throws(LineError) {
      switch unsafe try parser.parse(block) {
      case .nothing: break
      case .use: outcome = .success((Use(parser.use), nil))
      case .request(let request): outcome = .success((nil, request))
      }
    } catch {
      outcome = .failure(error)
    }
  }
  return try outcome.get()
}

private func check(_ line: [UInt8], line number: UInt64, parser: inout LineParser) {
  do throws(LineError) {
    let parsed = try parse(line, parser: &parser)
    if case .control(let op)? = parsed.request { return try check(op, line) }
    guard let use = parsed.use else { return }
    check(isAllowed(use.action, limit: 255) && use.action[0] != 0x23, "an action against the rules")
    check(use.app.map { isAllowed($0, limit: 255) } ?? true, "an app against the rules")
    check(use.id.map { isAllowed($0, limit: 64) } ?? true, "an id against the rules")
    check((1...1_000_000).contains(use.count), "a count against the rules")
    for isSplit in [false, true] {
      let json = json(use, isSplit: isSplit)
      guard let again = try? parse(json, parser: &parser).use else { fatalError("what we wrote is refused") }
      check(again == use, "what we wrote reads differently")
    }
  } catch {
    checkReply(error, line: number, parser: &parser)
  }
}

/// A request is of the op that the parser saw, with ids by the rules.
private func check(_ op: OpName, _ line: [UInt8]) throws(LineError) {
  var outcome: Result<ControlRequest, LineError> = .failure(.unknownAction)
  unsafe withBlock(line[...]) { block in
    do throws(LineError) { outcome = .success(unsafe try ControlRequest(op, line: block)) } catch {
      outcome = .failure(error)
    }
  }
  let request = try outcome.get()
  check(request.name == op, "a request of another op")
  switch request.op {
  case .explain(let name), .setPinned(_, let name), .setEnabled(_, let name):
    check(
      isAllowed(name.id, limit: 255) && name.app.map { isAllowed($0, limit: 255) } ?? true, "a name against the rules")
  default: break
  }
}

/// The use as a JSON line; split at the first `#` into type and target if that is asked for.
private func json(_ use: Use, isSplit: Bool) -> [UInt8] {
  var writer = JSONWriter(isSplit ? .indented : .compact)
  writer.object { json in
    if isSplit, let hash = use.action.firstIndex(of: 0x23) {
      json.member("target", utf8: use.action[(hash + 1)...])
      json.member("type", utf8: use.action[..<hash])
    } else {
      json.member("type", utf8: use.action)
    }
    if let app = use.app { json.member("app", utf8: app) }
    json.member("count", use.count)
    if let id = use.id { json.member("id", utf8: id) }
  }
  var bytes = writer.bytes
  guard let time = use.time else { return bytes }
  // As a fraction of seconds, exact: the writer's numbers have six digits.
  let nanoseconds = String(time.magnitude % 1_000_000_000)
  let padded = String(repeating: "0", count: 9 - nanoseconds.utf8.count) + nanoseconds
  bytes.removeLast()
  bytes += [UInt8](",\"time\":\(time < 0 ? "-" : "")\(time.magnitude / 1_000_000_000).\(padded)}".utf8)
  return bytes
}

/// A reply is one line, and one JSON object by our own scanner: a request with an unknown op, as there is none.
private func checkReply(_ error: LineError, line: UInt64, parser: inout LineParser) {
  var reply: [UInt8] = []
  errorReply(line: line, error, to: &reply)
  check(reply.popLast() == 0x0a && !reply.contains { $0 < 0x20 || $0 > 0x7e }, "a reply that is not one ASCII line")
  do throws(LineError) {
    _ = try parse(reply, parser: &parser)
    fatalError("a reply that is a use")
  } catch {
    check(error.reason == .missing, "a reply that is not JSON")
  }
}

/// The rules of ids once more, as simply as can be.
private func isAllowed(_ id: [UInt8], limit: Int) -> Bool {
  guard (1...limit).contains(id.count), let text = String(validating: id, as: UTF8.self) else { return false }
  return text.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0.properties.generalCategory != .control }
}

/// Lends a block of memory of exactly this size, so that a sanitizer sees a read beyond it.
private func withBlock(_ bytes: ArraySlice<UInt8>, _ body: (UnsafeRawBufferPointer) -> Void) {
  let block = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
  unsafe block.copyBytes(from: bytes)
  unsafe body(UnsafeRawBufferPointer(block))
  unsafe block.deallocate()
}

private func check(_ condition: Bool, _ message: StaticString) {
  if !condition { fatalError("\(message)") }
}
