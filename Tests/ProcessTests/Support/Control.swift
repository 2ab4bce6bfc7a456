import Foundation
import Testing

extension Client {
  /// The next line, which has to be JSON.
  func readJSON() throws -> JSON {
    guard let line = try readLine() else { throw Failure("the connection ended without a reply") }
    return try decode(JSON.self, line)
  }

  /// Sends a request, and returns the reply to it.
  @discardableResult
  func ask(_ request: String) throws -> JSON {
    try send(request + "\n")
    return try readJSON()
  }
}

extension RunningDaemon {
  /// A connection to `control.sock`.
  func control() throws -> Client { try Client(controlPath) }

  /// Asks on a connection of its own; the reply must not be an error.
  @discardableResult
  func ask(_ request: String) throws -> JSON {
    let reply = try control().ask(request)
    if reply["error"] != .null { throw Failure("\(request.prefix(200)) was refused: \(reply)") }
    return reply
  }

  /// Asks on a connection of its own; the reply must be an error, whose code is returned.
  func refusal(of request: String) throws -> String {
    let reply = try control().ask(request)
    guard let code = reply["error"]["code"].string else { throw Failure("\(request.prefix(200)) got \(reply)") }
    return code
  }

  /// Asks, and waits until it is on the disk.
  @discardableResult
  func askDurably(_ request: String) throws -> JSON {
    let client = try control()
    let reply = try client.ask(request)
    if reply["error"] != .null { throw Failure("\(request.prefix(200)) was refused: \(reply)") }
    let sync = try client.sync().reply
    if !sync.durable { throw Failure("\(request.prefix(200)) is not safe: \(sync)") }
    return reply
  }

  /// The actions of an app's list, or of that over all apps, at this moment.
  func list(_ app: String?) throws -> [String] {
    let top = try ask(app.map { #"{"op":"top","app":"\#($0)"}"# } ?? #"{"op":"top"}"#)["top"]
    return top["shortcuts"].elements.map(Self.action)
  }

  /// The id of a row's action.
  static func action(_ row: JSON) -> String {
    (row["type"].string ?? "?") + (row["target"].string.map { "#" + $0 } ?? "")
  }

  /// What `explain` says of an action.
  func explain(_ action: String) throws -> JSON { try ask(#"{"op":"explain","action":"\#(action)"}"#)["explain"] }

  /// Publishes what has changed, and returns an app's file once uses are judged by it. Something has to have changed, and
  /// no round may come by itself.
  @discardableResult
  func publish(_ app: String) throws -> JSON {
    let written = try status()["snapshotsWritten"]
    let generation = try ask(#"{"op":"recompute"}"#)["recompute"]["generation"]
    // The counter moves together with what uses are judged by, a moment after the files.
    try wait(for: "the files of round \(generation)") { try status()["snapshotsWritten"] > written }
    return try file(of: app)
  }

  /// What `stats` says of an app, or of all.
  func stats(_ app: String? = nil) throws -> JSON {
    try ask(app.map { #"{"op":"stats","app":"\#($0)"}"# } ?? #"{"op":"stats"}"#)["stats"]
  }

  /// What the client prints of this daemon.
  func client(_ arguments: String...) throws -> String {
    let places = ["--runtime-dir", site.runtime, "--state-dir", site.state]
    let (exit, output, errors) = try site.run([Site.client] + arguments + places)
    if exit != .status(0) { throw Failure("\(arguments) ended with \(exit): \(errors)") }
    return output
  }

  /// Has settings and catalogue read again, and waits until that is done and published.
  func reload() throws {
    let (mark, reloads) = (notify.mark, try status()["reloads"])
    child.signal(SIGHUP)
    try notify.wait(forLine: "READY=1", after: mark)
    #expect(try status()["reloads"] == reloads + 1)
  }

  /// A snapshot's file as it is.
  func file(of app: String?) throws -> JSON {
    try decode(JSON.self, String(decoding: readFile(app.map { appPath($0) } ?? topPath()), as: UTF8.self))
  }
}

extension Site {
  /// Puts a file into a folder of the catalogue, whole.
  func declare(_ name: String, _ text: String, folder: Int = 0) throws {
    try FileManager.default.createDirectory(atPath: catalogues[folder], withIntermediateDirectories: true)
    let path = "\(catalogues[folder])/\(name)"
    try writeFile(path + ".new", text)
    if rename(path + ".new", path) != 0 { throw Failure.system("make \(path)") }
  }

  /// The files of state and runtime directory that hold these bytes, by their paths behind the site's.
  func filesHolding(_ text: String) throws -> [String] {
    let wanted = Data(text.utf8)
    var found: [String] = []
    for folder in [state, runtime] {
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
        guard FileFacts("\(folder)/\(name)")?.isRegular == true else { continue }
        // SQLite's own may go while they are looked for.
        guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
        if bytes.range(of: wanted) != nil || name.contains(text) {
          found.append("\(folder.dropFirst(path.count + 1))/\(name)")
        }
      }
    }
    return found.sorted()
  }

  /// What sqlite3 reads from the state.
  func query(_ sql: String) throws -> String {
    let (exit, output, errors) = try run(["sqlite3", "-readonly", state + "/state.db", sql])
    if exit != .status(0) { throw Failure("sqlite3: \(errors)") }
    return output.trimmingCharacters(in: .newlines)
  }
}
