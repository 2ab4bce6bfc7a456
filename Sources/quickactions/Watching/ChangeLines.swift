import Posix
import QuickActionsClient
import Wire

/// `watch` into a pipe or a file: a line for each change.
struct ChangeLines {
  private let invocation: Invocation
  private let app: AppID?
  private static let retryMilliseconds = 1000

  init(_ invocation: Invocation, app: AppID?) { (self.invocation, self.app) = (invocation, app) }

  /// Goes on for ever, unless it can't write any more.
  func run() throws -> Never {
    var connection = try invocation.connect()
    let daemon = DaemonChoice.at(connection.places)
    try connection.subscribe(to: app)
    while true {
      do {
        while let change = try connection.nextChange() { try tell(change) }
      } catch let error as ClientError where error.meansGone {
        try tell(isThere: false)
        connection = try comeBack(daemon)
        try tell(isThere: true)
      }
    }
  }

  private func comeBack(_ daemon: DaemonChoice) throws -> ControlConnection {
    while true {
      if let connection = try subscribed(to: daemon) { return connection }
      _ = try Poll.wait(for: [], milliseconds: Self.retryMilliseconds)
    }
  }

  /// A connection that has subscribed; nil if no daemon is there.
  private func subscribed(to daemon: DaemonChoice) throws(ClientError) -> ControlConnection? {
    do {
      let connection = try ControlConnection(daemon)
      try connection.subscribe(to: app)
      return connection
    } catch {
      if error.meansGone { return nil }
      throw error
    }
  }

  private func tell(_ change: Change) throws(CommandFailure) {
    if invocation.output.isJSON {
      try invocation.output.json { $0.member("change", object: change.write) }
    } else {
      try invocation.output.line(VisibleText.of(change.words))
    }
    try invocation.output.flush()
  }

  private func tell(isThere: Bool) throws(CommandFailure) {
    if invocation.output.isJSON {
      try invocation.output.json { $0.member("daemon", isThere ? "back" : "gone") }
      try invocation.output.flush()
    } else {
      invocation.output.note(isThere ? "the daemon is back" : "the daemon is gone; waiting for it")
    }
  }
}

extension ClientError {
  /// Whether there is no daemon for the moment, which may pass.
  var meansGone: Bool {
    switch self {
    case .noDaemon, .connectionLost, .timedOut: true
    default: false
    }
  }
}

extension Change {
  /// Writes the members of the JSON form.
  fileprivate func write(to json: inout JSONWriter) {
    json.member("app", app?.text)
    json.member("generation", generation)
    for (name, ids) in [
      ("actions", shortcuts.map(\.action)), ("entered", entered), ("left", left), ("moved", moved),
    ] {
      json.member(name, array: { json in for id in ids { json.string(id.text) } })
    }
    json.member("missed", missed)
  }

  /// The change in one line: whose list, what entered, left and moved, and what the list is now.
  var words: String {
    var parts: [String] = []
    for (verb, ids) in [("entered", entered), ("left", left), ("moved", moved)] where !ids.isEmpty {
      parts.append("\(verb) \(ids.map(\.text).joined(separator: " "))")
    }
    if parts.isEmpty { parts.append("changed") }
    if missed > 0 { parts.append("\(AmountText.count(missed, "change")) missed before") }
    let list = shortcuts.map(\.action.text).joined(separator: " ")
    return "\(app?.text ?? "(all apps)"): \(parts.joined(separator: "; ")); now \(list.isEmpty ? "empty" : list)"
  }
}
