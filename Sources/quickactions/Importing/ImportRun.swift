import Histories
import Posix
import QuickActionsClient
import Wire

/// One import: the entries of a history go to the daemon, and what became of them is told.
struct ImportRun {
  private let invocation: Invocation
  private let format: HistoryFormat
  private let stream: UseStream
  private var reader: HistoryReader
  private var progress: ProgressBar
  private var problems: ImportProblems
  private var summary = ImportSummary()

  /// Lines between two syncs: what was counted before a connection is lost need not be sent again.
  private static let linesBetweenSyncs: UInt64 = 4096

  init(_ invocation: Invocation, _ file: HistoryFile, _ format: HistoryFormat) throws(ClientError) {
    (self.invocation, self.format) = (invocation, format)
    let app = invocation.app.map { Array($0.text.utf8) }
    reader = HistoryReader(file.bytes, format: format, app: app, modified: file.modified)
    // Ops are for the control socket alone.
    stream = try invocation.stream(over: format == .export ? .control : .events)
    progress = ProgressBar(total: file.bytes.count, isShown: !invocation.output.isJSON)
    problems = ImportProblems(invocation.output, unit: format == .zoxide ? "entry" : "line")
  }

  mutating func run() throws -> ExitStatus {
    stream.onRefusal = { [problems] in problems.add($0) }
    stream.onUntoldRefusals = { [problems] count, _ in problems.add(untold: count) }
    let last: SyncReply
    do throws(ClientError) {
      var first: SyncReply?
      while let entry = reader.next() {
        summary.read += 1
        guard try send(entry) else { continue }
        if first != nil, !stream.lineCount.isMultiple(of: Self.linesBetweenSyncs) { continue }
        // The first one tells whether anything is recorded at all.
        let reply = try sync()
        first = first ?? reply
        if reply.notRecorded > 0 { break }
        progress.show(entry.source.upperBound, summary.read)
      }
      last = try sync()
    } catch {
      progress.clear()
      guard error == .connectionLost else { throw error }
      throw CommandFailure.failed(error.description, code: "connectionLost", hint: "run it again: nothing counts twice")
    }
    return try finish(last)
  }

  /// Sends what an entry says; false if there is nothing to send.
  private mutating func send(_ entry: HistoryEntry) throws(ClientError) -> Bool {
    switch entry.content {
    case .use(let use):
      problems.noteNext(entry.number)
      try stream.send(Use(use))
    case .request(let line):
      summary.requests += 1
      problems.noteNext(entry.number)
      try stream.send(line: line + [0x0a])
    case .fault(let fault):
      progress.clear()
      problems.add(entry.number, code: fault.code, message: fault.message)
      return false
    }
    return true
  }

  private func sync() throws(ClientError) -> SyncReply {
    // It is a line of the stream, too.
    problems.noteNext(nil)
    return try stream.sync()
  }

  private mutating func finish(_ sync: SyncReply) throws -> ExitStatus {
    progress.clear()
    problems.tellRest()
    summary.skipped = problems.count
    summary.sync = sync
    if invocation.output.isJSON {
      try invocation.output.json { summary.write(to: &$0, format) }
    } else {
      try invocation.output.line(summary.words(format))
    }
    if sync.notRecorded > 0 {
      throw CommandFailure.failed(
        "recording is paused: nothing was counted", code: "notRecorded", hint: "go on with: quickactions resume")
    }
    if !sync.isDurable {
      throw CommandFailure.failed(
        "counted, but not on the disk yet: \(sync.reason ?? "no reason was given")", code: "notDurable")
    }
    if summary.read > 0, summary.skipped == UInt64(summary.read) {
      throw CommandFailure.failed("nothing in it could be read as \(format.rawValue)", code: "invalidFormat")
    }
    return .done
  }
}

extension Use {
  fileprivate init(_ use: HistoryUse) {
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    self.init(
      ActionID(text(use.action)), count: Int(use.count), time: UnixTime(nanoseconds: use.time),
      app: use.app.map { AppID(text($0)) }, id: text(use.id))
  }
}

extension HistoryFault {
  /// For programs.
  fileprivate var code: String {
    if case .refused(let error) = self { error.code.rawValue } else { "invalidEntry" }
  }
}

/// What became of the entries of a history.
struct ImportSummary {
  /// Entries that were read.
  var read = 0
  /// Ops among them.
  var requests: UInt64 = 0
  /// Entries that were not taken.
  var skipped: UInt64 = 0
  /// What the daemon said last.
  var sync: SyncReply?

  /// For people.
  func words(_ format: HistoryFormat) -> String {
    var parts = ["\(sync?.accepted ?? 0) counted", "\(sync?.duplicates ?? 0) known already", "\(skipped) skipped"]
    if requests > 0 { parts.insert(AmountText.count(requests, "request") + " sent", at: 0) }
    if let blocked = sync?.blocked, blocked > 0 { parts.append("\(blocked) blocked") }
    if let paused = sync?.notRecorded, paused > 0 { parts.append("\(paused) not recorded") }
    return "\(format.rawValue): \(read) \(read == 1 ? "entry" : "entries") read: \(parts.joined(separator: ", "))"
  }

  /// Writes the members of the JSON form.
  func write(to json: inout JSONWriter, _ format: HistoryFormat) {
    json.member("format", format.rawValue)
    json.member("read", read)
    json.member("requests", requests)
    json.member("counted", sync?.accepted ?? 0)
    json.member("known", sync?.duplicates ?? 0)
    json.member("skipped", skipped)
    json.member("blocked", sync?.blocked ?? 0)
    json.member("notRecorded", sync?.notRecorded ?? 0)
    json.member("durable", sync?.isDurable ?? false)
  }
}
