import Posix
import QuickActionsClient
import Wire

extension Option {
  fileprivate static let title = Option("--title", value: "TEXT", help: "what a menu shows")
  fileprivate static let subtitle = Option("--subtitle", value: "TEXT", help: "what a menu shows below that")
  fileprivate static let icon = Option(
    "--icon", value: "KIND:NAME", help: "symbol:NAME, type:NAME or file:PATH")
  fileprivate static let userInfo = Option("--user-info", value: "JSON", help: "an object that comes back in lists")
  fileprivate static let file = Option(
    "--file", value: "FILE",
    help: "a JSON list of all actions of an app, in place of those before; - for standard input")
}

extension Subcommand {
  static let define = Subcommand(
    name: "define", summary: "Register an action with its title, or all actions of an app",
    synopsis: "ACTION --title TEXT [OPTION]… | --app APP --file FILE",
    details: """
      What is registered lasts until it is undefined. The elements of a list are as docs/CONTROL.md has them:
      [{"type": "com.example.mail.write", "target": "alice", "localizedTitle": "Write to Alice"}]
      """,
    options: [.title, .subtitle, .icon, .userInfo, .app, .file], operands: 0...1
  ) { invocation in
    let reply = try invocation.value(.file) == nil ? invocation.defineOne() : invocation.defineAll()
    let app = reply["app"]?.string ?? ""
    try invocation.tell(reply) { _ in
      let removed = reply["removed"]?.integer ?? 0
      return "\(VisibleText.of(app)): \(AmountText.count(reply["defined"]?.integer ?? 0, "action")) defined"
        + (removed > 0 ? ", \(removed) of those before taken back" : "")
    }
    return .done
  }
}

extension Invocation {
  fileprivate func defineOne() throws -> JSONNode {
    guard let action = operands.first else {
      throw CommandFailure.usage("define needs an action, or --app APP --file FILE")
    }
    guard let title = value(.title) else { throw CommandFailure.usage("define needs --title TEXT") }
    let definition = Definition(
      ActionID(action), title: title, subtitle: value(.subtitle), icon: try value(.icon).map(icon),
      userInfo: value(.userInfo))
    let node = try definition.node()
    return try connect().request("define") { writer in
      if let app { writer.member("app", app.text) }
      writer.member("action", node)
    }
  }

  private func icon(_ text: String) throws(CommandFailure) -> Icon {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    switch parts.first {
    case "symbol" where parts.count == 2: return .symbol(parts[1])
    case "type" where parts.count == 2: return .type(parts[1])
    case "file" where parts.count == 2: return .file(parts[1])
    default: throw .usage("--icon takes symbol:NAME, type:NAME or file:PATH, not '\(VisibleText.of(text))'")
    }
  }

  fileprivate func defineAll() throws -> JSONNode {
    guard let app, let path = value(.file), operands.isEmpty else {
      throw CommandFailure.usage("--file takes all actions of an app: define --app APP --file FILE")
    }
    let list = try JSONList.read(path)
    return try connect().request("define") { writer in
      writer.member("app", app.text)
      writer.member("actions", list)
    }
  }
}

/// A file with a JSON list.
enum JSONList {
  /// Requests have at most 64 KiB; what is laid out for people may be longer.
  private static let mostBytes = 1 << 20

  /// Reads a file, or standard input for `-`.
  static func read(_ path: String) throws(CommandFailure) -> JSONNode {
    let name = path == "-" ? "standard input" : VisibleText.of(path)
    return try parse(path == "-" ? standardInput(name) : file(path, name), name)
  }

  /// Reads a text.
  static func parse(_ text: [UInt8], _ name: String) throws(CommandFailure) -> JSONNode {
    // The reader takes objects only.
    let opening = Array("{\"\":".utf8)
    do {
      let members = try JSONNode.object(opening + text + [UInt8(ascii: "}")]).members ?? []
      if members.count == 1, members[0].node.elements != nil { return members[0].node }
    } catch {
      var error = error
      error.position = error.position.map { max(1, min($0 - opening.count, text.count + 1)) }
      throw .failed("\(name): \(error.message)", code: error.code.rawValue)
    }
    throw .failed("\(name) holds no JSON list", code: RefusalCode.invalidArgument.rawValue)
  }

  private static func file(_ path: String, _ name: String) throws(CommandFailure) -> [UInt8] {
    do { return try RegularFile.read(path, limit: mostBytes) } catch {
      switch error {
      case .missing, .danglingLink: throw .failed("\(name) is not there")
      case .notRegular(let kind): throw .failed("\(name) is a \(kind.words) and not a file")
      case .tooLarge: throw .failed("\(name) has over \(AmountText.size(UInt64(mostBytes)))")
      case .system(let error): throw .failed("cannot \(error.operation) \(name): \(error.reason)")
      }
    }
  }

  private static func standardInput(_ name: String) throws(CommandFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count <= mostBytes {
      do {
        let part = try StandardStream.input.read(limit: 65_536)
        if part.isEmpty { return bytes }
        bytes += part
      } catch {
        throw .failed("cannot read standard input: \(error.reason)")
      }
    }
    throw .failed("\(name) has over \(AmountText.size(UInt64(mostBytes)))")
  }
}
