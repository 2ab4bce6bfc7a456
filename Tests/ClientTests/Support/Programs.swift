import Foundation

/// The programs that were built with these tests.
enum Programs {
  static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
  static let client = folder + "/quickactions"
  static let daemon = folder + "/quickactionsd"
}

/// What a program that has ended left.
struct Ended {
  let status: Int32
  let output: String
  let errors: String
  let process: Int32
}

/// A program that was started here.
final class Running {
  let process = Process()
  private let folder: Folder
  private let input = Pipe()
  private let outputFile: String
  private let errorFile: String

  /// - Parameter environment: all that the program gets beside PATH.
  init(_ command: [String], environment: [String: String] = [:]) throws {
    folder = try Folder()
    (outputFile, errorFile) = (try folder.write("", to: "out"), try folder.write("", to: "err"))
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = environment.merging(["PATH": "/usr/bin:/bin"]) { own, _ in own }
    process.standardInput = input
    process.standardOutput = FileHandle(forWritingAtPath: outputFile)
    process.standardError = FileHandle(forWritingAtPath: errorFile)
    try process.run()
  }

  /// What it has written so far.
  var output: String { (try? String(contentsOfFile: outputFile, encoding: .utf8)) ?? "" }
  var errors: String { (try? String(contentsOfFile: errorFile, encoding: .utf8)) ?? "" }

  func type(_ bytes: some Sequence<UInt8>) throws { try input.fileHandleForWriting.write(contentsOf: Data(bytes)) }

  func closeInput() throws { try input.fileHandleForWriting.close() }

  /// Waits for its end.
  func end() -> Ended {
    process.waitUntilExit()
    return Ended(
      status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
      output: output, errors: errors, process: process.processIdentifier)
  }

  func kill() {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }
}

/// Where one test's daemon is, and the client that asks it.
struct Places {
  let folder: Folder
  var base: String { folder.path }
  var runtime: String { base + "/quickactions" }
  var state: String { base + "/quickactions" }

  init() throws { folder = try Folder() }

  /// Starts the client with these places as the user's own.
  func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Running {
    let own = ["XDG_RUNTIME_DIR": base, "XDG_STATE_HOME": base, "HOME": base]
    return try Running([Programs.client] + arguments, environment: own.merging(environment) { $1 })
  }

  /// Runs the client to its end.
  func run(_ arguments: String..., input: String = "", environment: [String: String] = [:]) throws -> Ended {
    let running = try start(arguments, environment: environment)
    try running.type(input.utf8)
    try running.closeInput()
    return running.end()
  }
}
