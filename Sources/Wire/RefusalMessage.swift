// The words of every refusal stand here and nowhere else.

extension LineError {
  /// What was wrong, where, and what is allowed, in one English sentence for the person who wrote the client.
  ///
  /// Bytes of the line are never repeated, but for the name of an unknown field or op if it is short visible ASCII.
  package var message: String {
    switch (code, reason) {
    case (_, .json(let fault)): "not one JSON object: \(Self.words(for: fault))\(place)"
    case (_, .datagramCut(let limit)): "the datagram is over \(limit) bytes and was refused as a whole"
    case (.lineTooLong, .tooLong(let limit)): "the line is over \(limit) bytes"
    case (_, .controlOnly): "this op is taken on control.sock only"
    case (_, .streamOnly): "this op needs a stream, a datagram gets no reply"
    case (_, .tooMany(let limit)): "this user already has \(limit) connections; close some and try again"
    case (.unknownOp, .unknown(let name)):
      "unknown op\(Self.quoted(name))\(place); known are sync, and on control.sock "
        + OpName.allCases.map(\.rawValue).joined(separator: ", ")
    case (_, .words(let words)): words
    case (_, .notKnown): "this action has no uses and no definition; an app= may have to be named"
    case (_, .argument(let name, let fault)):
      "'\(name.rawValue)' \(Self.words(for: fault))\(place); \(Self.allowed(for: name))"
    case (_, .unknown(let name)):
      "unknown field\(Self.quoted(name))\(place); after the action come n=, t=, app= and id=, each as key=value"
    case (_, .givenTwice): "the \(subject) is given a second time\(place); once is allowed"
    default: "the \(subject) \(fault)\(place); \(allowed)"
    }
  }

  private var place: String { position.map { " at byte \($0)" } ?? "" }

  private var subject: String {
    switch code {
    case .invalidAction: "action"
    case .invalidApp: "app"
    case .invalidCount: "count"
    case .invalidTime: "time"
    case .invalidId: "idempotency id"
    case .invalidArgument: "argument of the op"
    default: "line"
    }
  }

  private var fault: String {
    switch reason {
    case .empty: "is empty"
    case .noType: "has no type before its #"
    case .tooLong(let limit): "is over \(limit) bytes"
    case .notUTF8: "is not UTF-8"
    case .controlCharacter: "holds a control character"
    case .whiteSpace: "holds white space"
    case .missing: "is missing"
    case .wrongKind: "is a JSON value of the wrong kind"
    case .twoTargets: "has a target in its type and another as a member"
    default: "is not valid"
    }
  }

  private var allowed: String {
    let bytes = "bytes of UTF-8 without white space and control characters"
    return switch code {
    case .invalidAction: "allowed is TYPE or TYPE#TARGET, 1 to \(IdRules.maxNameBytes) \(bytes)"
    case .invalidApp: "allowed are 1 to \(IdRules.maxNameBytes) \(bytes)"
    case .invalidId: "allowed are 1 to \(IdRules.maxIdempotencyBytes) \(bytes)"
    case .invalidCount: "allowed is a whole number from 1 to 1000000"
    case .invalidTime: "allowed are Unix seconds, with a fraction if need be, or an RFC 3339 date and time"
    case .invalidArgument: "allowed are a string as op and a whole number of 64 bits as seq"
    default: "see the protocol's description"
    }
  }

  private static func words(for fault: ArgumentFault) -> String {
    switch fault {
    case .missing: "is missing"
    case .wrongKind: "is of the wrong kind"
    case .outOfRange: "is out of range"
    case .contradictory: "contradicts what else is given"
    }
  }

  private static func allowed(for argument: ControlArgument) -> String {
    switch argument {
    case .action: "allowed is one action, and then no list, no time and no 'all'; define takes an object"
    case .actions: "allowed is a list of objects"
    case .app: "allowed is the app's id; a list needs one, and a time and 'all' stand alone"
    case .since: "allowed are Unix seconds or an RFC 3339 date and time, alone"
    case .all: "allowed is true, alone"
    case .for: "allowed is a duration such as \"1h 30min\", up to a year"
    case .limit: "allowed is a whole number from 1 to \(ControlRequest.largestTop)"
    case .days: "allowed is a whole number from 1 to \(ControlRequest.mostDays)"
    case .after: "allowed is what the page before said as next"
    case .seq: "allowed is a whole number of 64 bits"
    }
  }

  private static func quoted(_ name: String?) -> String { name.map { " '\($0)'" } ?? "" }

  private static func words(for fault: JSONFault) -> String {
    switch fault {
    case .unexpectedByte: "unexpected byte"
    case .unexpectedEnd: "it ends too early"
    case .trailingBytes: "more follows its closing brace"
    case .tooDeep: "nested over \(JSONScanner.maxDepth) levels deep"
    case .badEscape: "invalid escape"
    case .loneSurrogate: "half of a surrogate pair"
    case .badNumber: "invalid number"
    case .duplicateMember: "a member's name comes a second time"
    case .controlCharacter: "control character inside a string"
    case .notUTF8: "string that is not UTF-8"
    }
  }
}
