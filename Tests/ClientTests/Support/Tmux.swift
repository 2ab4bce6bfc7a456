import Foundation

/// A terminal for one command.
final class Tmux {
  private let name = "qa-\(UUID().uuidString)"
  private let folder: Folder
  private var server: Running?

  /// - Parameter command: for a shell, with the client as `$QA`; places are the user's own.
  init(_ command: String, at places: Places, columns: Int = 80, rows: Int = 12) throws {
    folder = try Folder()
    // A server that went into the background would keep what its starter waits for open.
    server = try Running(tmux + ["-D", "-f", "/dev/null"], environment: environment)
    let own = [
      "XDG_RUNTIME_DIR=\(places.base)", "XDG_STATE_HOME=\(places.base)", "HOME=\(places.base)", "QA=\(Programs.client)",
    ]
    let arguments =
      ["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"] + own.flatMap { ["-e", $0] } + ["sh", "-c", command]
    try ClientTests.wait(for: "tmux") { (try? call(["-N"] + arguments)) != nil }
  }

  deinit { server?.kill() }

  private var tmux: [String] { ["/usr/bin/tmux", "-u", "-L", name] }

  private var environment: [String: String] {
    ["TMUX_TMPDIR": folder.path, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]
  }

  /// What the screen shows; with the codes of colours if they are wanted.
  func screen(codes: Bool = false) throws -> String { try call(["capture-pane", "-p"] + (codes ? ["-e"] : [])) }

  func type(_ keys: String) throws { try call(["send-keys", keys]) }

  func resize(columns: Int, rows: Int) throws {
    try call(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// The process of the command that the shell has started last.
  func child() throws -> Int32 {
    let shell = try call(["display-message", "-p", "#{pane_pid}"]).trimmingCharacters(in: .whitespacesAndNewlines)
    let text = try String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
    guard let pid = text.split(separator: " ").last.flatMap({ Int32($0) }) else { throw Failure("no child") }
    return pid
  }

  /// Waits until the screen shows a text, and returns all of it.
  @discardableResult
  func wait(for text: String) throws -> String {
    try wait(for: "'\(text)'") { $0.contains(text) }
  }

  /// Waits until the screen is as wanted.
  @discardableResult
  func wait(for what: String, _ fact: (String) -> Bool) throws -> String {
    var last = ""
    let end = Date(timeIntervalSinceNow: patience)
    while Date() < end {
      last = try screen()
      if fact(last) { return last }
      Thread.sleep(forTimeInterval: 0.02)
    }
    throw Failure("waited \(patience) s in vain for \(what); the screen shows:\n\(last)")
  }

  @discardableResult
  private func call(_ arguments: [String]) throws -> String {
    let ended = try Running(tmux + arguments, environment: environment).end()
    guard ended.status == 0 else { throw Failure("tmux \(arguments.joined(separator: " ")): \(ended.errors)") }
    return ended.output
  }
}
