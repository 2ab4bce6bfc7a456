import Posix
import QuickActionsClient

/// `watch` on a terminal: a list that fills the screen and is drawn anew each second, and at each change.
struct WatchScreen {
  private let invocation: Invocation
  private let app: AppID?
  private let daemon: DaemonChoice
  private var connection: ControlConnection?
  private var view: WatchView
  private var size = Self.size
  private var due: Int64 = 0

  /// The alternate screen, without cursor and without line wrap; and back.
  private static let opening = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l"
  private static let closing = "\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"
  private static let interval: Int64 = 1_000_000_000
  /// A list that takes longer is not awaited: the keys have to work.
  private static let patience = Duration.seconds(2)
  private static let quitKeys: Set<UInt8> = [UInt8(ascii: "q"), UInt8(ascii: "Q"), 0x03, 0x04]

  private static var size: (columns: Int, rows: Int) { StandardStream.output.size ?? (80, 24) }

  /// Connects; the screen is still as it was.
  init(_ invocation: Invocation, app: AppID?) throws(ClientError) {
    let first = try invocation.connect()
    daemon = .at(first.places)
    (self.invocation, self.app, view) = (invocation, app, WatchView(app: app))
    try begin(first)
  }

  private mutating func begin(_ connection: ControlConnection) throws(ClientError) {
    connection.timeout = Self.patience
    try connection.subscribe(to: app)
    self.connection = connection
    view.goneSince = nil
    due = 0
  }

  /// Shows the list until the person has seen enough, or a signal ends it.
  mutating func run() throws {
    let signals = try SignalQueue([.hangUp, .interrupt, .terminate, .windowChange])
    let mode = TerminalMode(readingKeysOf: .input)
    defer {
      mode?.restore()
      try? StandardStream.output.writeAll(Array(Self.closing.utf8))
    }
    try StandardStream.output.writeAll(Array(Self.opening.utf8))
    repeat {
      if Clocks.monotonic() >= due { try refresh() }
      try draw()
    } while try wait(signals, hasKeys: mode != nil)
  }

  /// Asks for the list, or looks whether the daemon is there again.
  private mutating func refresh() throws(ClientError) {
    due = Clocks.monotonic() + Self.interval
    do {
      if connection == nil { try begin(ControlConnection(daemon, timeout: Self.patience)) }
      due = Clocks.monotonic() + Self.interval
      guard let connection else { return }
      view.show(try connection.top(of: app, limit: WatchView.capacity(rows: size.rows)).shortcuts)
    } catch {
      guard error.meansGone else { throw error }
      connection = nil
      view.goneSince = view.goneSince ?? .now
    }
  }

  private func draw() throws {
    let lines = view.lines(size, now: .now, colours: invocation.output.colours)
    let text = lines.map { $0 + "\u{1b}[K" }.joined(separator: "\r\n")
    try StandardStream.output.writeAll(Array("\u{1b}[H\(text)\u{1b}[J".utf8))
  }

  /// Waits until there is something to draw; false if that was the end.
  private mutating func wait(_ signals: borrowing SignalQueue, hasKeys: Bool) throws -> Bool {
    var sources: [(descriptor: Int32, events: Poll.Events)] = [(signals.raw, .read)]
    if let connection { sources.append((connection.descriptor, .read)) }
    if hasKeys { sources.append((StandardStream.input.rawValue, .read)) }
    let left = max(0, due - Clocks.monotonic())
    let ready = try Poll.wait(for: sources, milliseconds: Int(left / 1_000_000 + 1))
    if hasKeys, ready.last?.isEmpty == false {
      let keys = try StandardStream.input.read(limit: 64)
      if keys.isEmpty || keys.contains(where: Self.quitKeys.contains) { return false }
    }
    while let signal = try signals.take() {
      guard signal == .windowChange else { return false }
      size = Self.size
      view.restart()
      due = 0
    }
    if connection != nil, !ready[1].isEmpty { try takeChanges() }
    return true
  }

  /// A change is no more than a reason to ask for the list at once.
  private mutating func takeChanges() throws(ClientError) {
    do {
      while try connection?.nextChange(timeout: .zero) != nil { due = 0 }
    } catch {
      guard error.meansGone else { throw error }
      connection = nil
      view.goneSince = .now
    }
  }
}
