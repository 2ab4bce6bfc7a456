import Histories
import Wire

/// When the file of a test was changed, seconds and nanoseconds.
let changedSeconds: Int64 = 1_800_000_000
let changed = changedSeconds * 1_000_000_000

/// An entry in a test's short form: `action*count@seconds`, or what is wrong with it.
func entries(
  _ bytes: [UInt8], _ format: HistoryFormat, app: String? = nil
) -> [String] {
  HistoryReader(bytes, format: format, app: app.map { Array($0.utf8) }, modified: changed).map { entry in
    switch entry.content {
    case .use(let use):
      "\(entry.number) \(String(decoding: use.action, as: UTF8.self))*\(use.count)@\(use.time / 1_000_000_000)"
    case .request(let line): "\(entry.number) \(String(decoding: line, as: UTF8.self))"
    case .fault(let fault): "\(entry.number) ! \(fault.message)"
    }
  }
}

func entries(_ text: String, _ format: HistoryFormat, app: String? = nil) -> [String] {
  entries(Array(text.utf8), format, app: app)
}

/// The idempotency ids of a history's uses.
func ids(_ bytes: [UInt8], _ format: HistoryFormat) -> [String] {
  uses(bytes, format).map { String(decoding: $0.id, as: UTF8.self) }
}

func ids(_ text: String, _ format: HistoryFormat) -> [String] { ids(Array(text.utf8), format) }

func uses(_ bytes: [UInt8], _ format: HistoryFormat) -> [HistoryUse] {
  HistoryReader(bytes, format: format, app: nil, modified: changed).compactMap { entry in
    if case .use(let use) = entry.content { use } else { nil }
  }
}

/// A database as zoxide writes it.
func zoxide(version: UInt32 = 3, count: UInt64? = nil, _ folders: [(path: [UInt8], rank: Double, time: UInt64)])
  -> [UInt8]
{
  func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
  return bytes(version) + bytes(count ?? UInt64(folders.count))
    + folders.flatMap { bytes(UInt64($0.path.count)) + $0.path + bytes($0.rank.bitPattern) + bytes($0.time) }
}
