import QuickActionsClient
import Wire

extension Option {
  fileprivate static let count = Option("-n", value: "N", help: "how many uses, 1 to 1000000")
  fileprivate static let at = Option("--at", value: "TIME", help: "when: RFC 3339 or Unix seconds; else now")
  fileprivate static let id = Option("--id", value: "ID", help: "a second use with this id counts nothing")
  fileprivate static let noWait = Option("--no-wait", help: "send a datagram, and hear of nothing")
}

extension Subcommand {
  static let use = Subcommand(
    name: "use", summary: "Record that an action was used", synopsis: "ACTION… [OPTION]… | -",
    details: """
      Succeeds once the uses are on the disk. If one of several actions is no valid id, none is counted.
      With - lines are read from standard input, as docs/PROTOCOL.md has them; those that are refused are told with
      their number and skipped.
      """,
    options: [.count, .at, .app, .id, .noWait], operands: 1...Int.max
  ) { invocation in
    if invocation.operands == ["-"] {
      guard ![.count, .at, .app, .id, .noWait].contains(where: invocation.has) else {
        throw CommandFailure.usage("with - the lines say everything; no option goes with it")
      }
      var lines = try UseLines(invocation)
      return try lines.run()
    }
    let uses = try invocation.uses()
    if invocation.has(.noWait) { return try invocation.send(uses) }
    let stream = try invocation.stream()
    var refusal: Refusal?
    stream.onRefusal = { refusal = refusal ?? $0 }
    for use in uses { try stream.send(use) }
    let sync = try stream.sync()
    if let refusal { throw ClientError.refused(refusal) }
    return try invocation.finish(sync, refused: 0)
  }
}

extension Invocation {
  /// The uses that are asked for, each of them valid.
  fileprivate func uses() throws -> [Use] {
    if has(.id), operands.count > 1 {
      throw CommandFailure.usage("--id goes with one action: of several with one id only the first would count")
    }
    let count = try number(.count, in: 1...1_000_000) ?? 1
    var time: UnixTime?
    if let text = value(.at) {
      time = UnixTime(text)
      if time == nil {
        throw CommandFailure.usage("--at takes RFC 3339 or Unix seconds, not '\(VisibleText.of(text))'")
      }
    }
    return try operands.map { operand in
      let use = Use(ActionID(operand), count: count, time: time, app: app, id: value(.id))
      try use.check()
      return use
    }
  }

  /// Sends uses without waiting for anything.
  fileprivate func send(_ uses: [Use]) throws -> ExitStatus {
    let sender = UseSender(daemon)
    for use in uses {
      switch try sender.record(use) {
      case .sent: continue
      case .noDaemon: throw ClientError.noDaemon(triedDirectories: daemon.candidates.map(\.runtimeDirectory))
      case .full: throw CommandFailure.failed("dropped: the daemon has more waiting than it takes", code: "dropped")
      }
    }
    return .done
  }

  /// Tells what became of the uses of a stream, but for those that were refused: they were told one by one.
  ///
  /// - Parameter refused: how many lines.
  func finish(_ sync: SyncReply, refused: UInt64) throws(CommandFailure) -> ExitStatus {
    if output.isJSON { try output.json { sync.write(to: &$0, refused: refused) } }
    if sync.notRecorded > 0 {
      throw .failed(
        "\(AmountText.count(sync.notRecorded, "line")) not counted: recording is paused", code: "notRecorded",
        hint: "go on with: quickactions resume")
    }
    if sync.blocked > 0 {
      throw .failed("\(AmountText.count(sync.blocked, "line")) not counted: blocked", code: "blocked")
    }
    if sync.duplicates > 0 { output.note("\(AmountText.count(sync.duplicates, "line")) had been counted before") }
    if !sync.isDurable {
      output.note("counted, but not on the disk yet: \(VisibleText.of(sync.reason ?? "no reason was given"))")
    }
    return refused > 0 ? .failed : .done
  }
}

extension SyncReply {
  /// Writes the members of the JSON form.
  func write(to writer: inout JSONWriter, refused: UInt64) {
    writer.member("accepted", accepted)
    writer.member("duplicates", duplicates)
    writer.member("refused", refused)
    writer.member("blocked", blocked)
    writer.member("notRecorded", notRecorded)
    writer.member("durable", isDurable)
    writer.member("reason", reason)
  }
}
