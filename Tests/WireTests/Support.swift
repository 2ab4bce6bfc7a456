import Wire

/// What a line means, with copies in place of slices.
enum Meaning: Equatable {
  case nothing
  case use(action: String, app: String? = nil, count: UInt32 = 1, time: Int64? = nil, id: String? = nil)
  case request(Request)
  case refused(RefusalCode)

  static func use(_ action: String) -> Meaning { .use(action: action) }
}

func parse(_ bytes: [UInt8], with parser: inout LineParser, visible: Int = 0) throws(LineError) -> Meaning {
  // An own block of the exact size: a sanitizer sees a read beyond it.
  let block = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
  defer { block.deallocate() }
  block.copyBytes(from: bytes)
  func text(_ slice: UnsafeRawBufferPointer?) -> String? { slice.map { String(decoding: $0, as: UTF8.self) } }
  switch try parser.parse(UnsafeRawBufferPointer(block), visible: visible) {
  case .nothing: return .nothing
  case .request(let request): return .request(request)
  case .use:
    let use = parser.use
    return .use(
      action: text(use.action) ?? "", app: text(use.app), count: use.count, time: use.time, id: text(use.id))
  }
}

func parse(_ bytes: [UInt8]) throws(LineError) -> Meaning {
  var parser = LineParser()
  return try parse(bytes, with: &parser)
}

func meaning(of line: String) -> Meaning { meaning(of: [UInt8](line.utf8)) }

func meaning(of bytes: [UInt8]) -> Meaning {
  do throws(LineError) {
    return try parse(bytes)
  } catch {
    return .refused(error.code)
  }
}

func error(of line: String) -> LineError? {
  do throws(LineError) {
    _ = try parse([UInt8](line.utf8))
    return nil
  } catch {
    return error
  }
}
