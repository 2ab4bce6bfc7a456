/// What a line on `control.sock` asks for, beside uses and `sync`.
package struct ControlRequest: Equatable, Sendable {
  /// What is to be done.
  package let op: Op
  /// A number of the client's choosing, that comes back in the reply.
  package let seq: Int64?

  /// An action as a request names it.
  package struct ActionName: Equatable, Sendable {
    /// `TYPE` or `TYPE#TARGET`, valid.
    package let id: [UInt8]
    /// The app, valid; nil for the default owner.
    package let app: [UInt8]?

    package init(id: [UInt8], app: [UInt8]?) {
      self.id = id
      self.app = app
    }
  }

  /// An action, or all of an app.
  package enum Scope: Equatable, Sendable {
    case action(ActionName)
    case app([UInt8])
  }

  /// What is to be forgotten.
  package enum Forgotten: Equatable, Sendable {
    case scope(Scope)
    /// Everything since the beginning of the hour of this time, Unix nanoseconds.
    case since(Int64)
    case everything
  }

  package enum Op: Equatable, Sendable {
    /// One action; `app` is nil for the default owner.
    case define(JSONNode, app: [UInt8]?)
    /// An app's whole list.
    case defineAll([JSONNode], app: [UInt8])
    case undefine(Scope)
    case setEnabled(Bool, ActionName)
    case setPinned(Bool, ActionName)
    case setBlocked(Bool, Scope)
    case forget(Forgotten)
    /// For a duration as the settings have it; nil: until `resume`.
    case pause(duration: String?)
    case resume
    /// The best of an app, nil: over all apps; `limit` nil: as many as the list holds.
    case top(app: [UInt8]?, limit: Int?)
    case apps(after: [UInt8]?)
    case explain(ActionName)
    /// How often the lists of an app, nil: of all, were right, with as many days.
    case stats(app: [UInt8]?, days: Int)
    case subscribe(app: [UInt8]?)
    case recompute
    case export(after: String?)
    case status
  }

  /// The name of the op that the request was made by.
  package var name: OpName {
    switch op {
    case .define, .defineAll: .define
    case .undefine: .undefine
    case .setEnabled(let isEnabled, _): isEnabled ? .enable : .disable
    case .setPinned(let isPinned, _): isPinned ? .pin : .unpin
    case .setBlocked(let isBlocked, _): isBlocked ? .block : .unblock
    case .forget: .forget
    case .pause: .pause
    case .resume: .resume
    case .top: .top
    case .apps: .apps
    case .explain: .explain
    case .stats: .stats
    case .subscribe: .subscribe
    case .recompute: .recompute
    case .export: .export
    case .status: .status
    }
  }

  /// The most rows that `top` gives.
  package static let largestTop = 100
  /// The most days that `stats` lists, and how many unless asked otherwise.
  package static let mostDays = 400
  static let usualDays = 14
}

extension ControlRequest {
  /// Reads a request whose op is known already.
  ///
  /// - Parameter line: the whole line, an object as the line's parser has found.
  /// - Throws: `invalidArgument`, `invalidAction` or `invalidApp`, with the argument's place in the line.
  /// - Complexity: O(bytes).
  package init(_ name: OpName, line: UnsafeRawBufferPointer) throws(LineError) {
    let arguments = Arguments(try JSONNode.object(unsafe Array(line)))
    seq = try arguments.integer(.seq, in: nil)
    op = try Self.op(name, arguments)
  }

  /// The `seq` of a request that is refused; nil if it can't be read.
  ///
  /// - Complexity: O(bytes).
  package static func seq(in line: UnsafeRawBufferPointer) -> Int64? {
    (try? JSONNode.object(unsafe Array(line)))?["seq"]?.integer
  }

  private static func op(_ name: OpName, _ arguments: Arguments) throws(LineError) -> Op {
    switch name {
    case .define:
      if arguments.has(.actions) {
        if arguments.has(.action) { throw arguments.contradiction(.action) }
        return .defineAll(try arguments.list(.actions), app: try arguments.required(.app, arguments.app()))
      }
      return .define(try arguments.object(.action), app: try arguments.app())
    case .undefine: return .undefine(try arguments.scope())
    case .enable, .disable: return .setEnabled(name == .enable, try arguments.action())
    case .pin, .unpin: return .setPinned(name == .pin, try arguments.action())
    case .block, .unblock: return .setBlocked(name == .block, try arguments.scope())
    case .forget: return .forget(try arguments.forgotten())
    case .pause: return .pause(duration: try arguments.string(.for))
    case .resume: return .resume
    case .top:
      return .top(
        app: try arguments.app(), limit: try arguments.integer(.limit, in: 1...Int64(largestTop)).map { Int($0) })
    case .apps: return .apps(after: try arguments.string(.after).map { Array($0.utf8) })
    case .explain: return .explain(try arguments.action())
    case .stats:
      let days = try arguments.integer(.days, in: 1...Int64(mostDays)).map { Int($0) }
      return .stats(app: try arguments.app(), days: days ?? usualDays)
    case .subscribe: return .subscribe(app: try arguments.app())
    case .recompute: return .recompute
    case .export: return .export(after: try arguments.string(.after))
    case .status: return .status
    }
  }
}

/// An op's argument, by its name in the request.
package enum ControlArgument: String, Sendable {
  case action, actions, app, since, all, `for`, limit, days, after, seq
}

/// The arguments of one request.
private struct Arguments {
  private let request: JSONNode

  init(_ request: JSONNode) { self.request = request }

  func has(_ name: ControlArgument) -> Bool { request[name.rawValue] != nil }

  func contradiction(_ name: ControlArgument) -> LineError { fault(name, .contradictory) }

  private func fault(_ name: ControlArgument, _ fault: LineError.ArgumentFault) -> LineError {
    let place = request.members?.first { $0.name == name.rawValue }?.node.offset
    return LineError(code: .invalidArgument, reason: .argument(name, fault), position: place.map { $0 + 1 })
  }

  private func value<Value>(
    _ name: ControlArgument, _ read: (JSONNode) -> Value?
  ) throws(LineError) -> Value? {
    guard let node = request[name.rawValue] else { return nil }
    guard let value = read(node) else { throw fault(name, .wrongKind) }
    return value
  }

  func required<Value>(_ name: ControlArgument, _ value: Value?) throws(LineError) -> Value {
    guard let value else { throw fault(name, .missing) }
    return value
  }

  func string(_ name: ControlArgument) throws(LineError) -> String? { try value(name, \.string) }

  func list(_ name: ControlArgument) throws(LineError) -> [JSONNode] { try required(name, value(name, \.elements)) }

  func object(_ name: ControlArgument) throws(LineError) -> JSONNode {
    try required(name, value(name) { $0.members == nil ? nil : $0 })
  }

  func integer(_ name: ControlArgument, in range: ClosedRange<Int64>?) throws(LineError) -> Int64? {
    guard let number = try value(name, \.integer) else { return nil }
    if let range, !range.contains(number) { throw fault(name, .outOfRange) }
    return number
  }

  func app() throws(LineError) -> [UInt8]? {
    try id(.app, .invalidApp) { (id) throws(IdRules.Fault) in try IdRules.check(id, maxBytes: IdRules.maxNameBytes) }
  }

  func action() throws(LineError) -> ControlRequest.ActionName {
    let id = try id(.action, .invalidAction) { (id) throws(IdRules.Fault) in try IdRules.checkAction(id) }
    return ControlRequest.ActionName(id: try required(.action, id), app: try app())
  }

  private func id(
    _ name: ControlArgument, _ code: RefusalCode, _ check: (Bytes) throws(IdRules.Fault) -> Void
  ) throws(LineError) -> [UInt8]? {
    guard let text = try string(name) else { return nil }
    let id = Array(text.utf8)
    do throws(IdRules.Fault) {
      try unsafe id.withUnsafeBufferPointer { (bytes) throws(IdRules.Fault) in
        try unsafe check(Bytes(UnsafeRawBufferPointer(bytes)))
      }
    } catch {
      throw LineError(code: code, reason: error.reason, position: request[name.rawValue].map { $0.offset + 1 })
    }
    return id
  }

  /// An action, with its app if that is given, or else an app.
  ///
  /// An action that is null is no way to mean the whole app.
  func scope() throws(LineError) -> ControlRequest.Scope {
    if has(.action) { return .action(try action()) }
    if request.members?.contains(where: { $0.name == ControlArgument.action.rawValue }) == true {
      throw fault(.action, .wrongKind)
    }
    guard let app = try app() else { throw fault(.action, .missing) }
    return .app(app)
  }

  func forgotten() throws(LineError) -> ControlRequest.Forgotten {
    let isAll = try value(.all, \.bool) ?? false
    if isAll || has(.since) {
      for other in [ControlArgument.action, .app] where has(other) { throw contradiction(other) }
    }
    if isAll {
      if has(.since) { throw contradiction(.since) }
      return .everything
    }
    if let time = try value(.since, Self.time) { return .since(time) }
    return .scope(try scope())
  }

  /// Unix seconds or RFC 3339, in Unix nanoseconds.
  private static func time(_ node: JSONNode) -> Int64? {
    switch node.value {
    case .number(let number): number.nanoseconds
    case .string(let text): RFC3339.parse(text)
    default: nil
    }
  }
}
