import Foundation
import Testing

/// The daemon and its units under a real systemd, one case a script in `Tests/boot/scenarios`.
///
/// The scripts run one after another: each boots a machine of its own, and some of them measure
/// what a loaded machine would blur. They need root, namespaces, an overlay file system and
/// cgroup2; without those they are skipped, and the runner has said what is missing.
@Suite(.serialized, .enabled("this machine can boot a systemd in namespaces", { await BootMachine.isPossible() }))
struct BootTests {
  @Test("There are scenarios to run")
  func scenariosExist() {
    #expect(!BootMachine.scenarios.isEmpty)
  }

  @Test("The installed daemon behaves under systemd", arguments: BootMachine.scenarios)
  func scenarioSucceeds(_ scenario: String) async throws {
    let outcome = try await BootMachine.run([
      "-t", "150", "-d", BootMachine.daemon.path,
      BootMachine.folder.appending(path: "scenarios/\(scenario).sh").path,
    ])
    print("== \(scenario)\n\(outcome.output)")
    #expect(outcome.status == 0, "scenario \(scenario) ended with \(outcome.status):\n\(outcome.output)")
  }

  /// The long run is `make kill-test`.
  @Test("Twenty kills at random moments under load lose nothing and count nothing twice")
  func killsLoseNothing() async throws {
    let outcome = try await BootMachine.run([
      "-t", "300", "-d", BootMachine.daemon.path, BootMachine.folder.appending(path: "machines/kill.sh").path, "20",
    ])
    print("== kill\n\(outcome.output)")
    #expect(outcome.status == 0, "the kills ended with \(outcome.status):\n\(outcome.output)")
    #expect(outcome.output.contains("kill: 20 loops"))
  }
}

/// The script that boots systemd, and where its parts are.
enum BootMachine {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "boot")

  /// The build under test, beside the program that runs these tests.
  static let daemon = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "quickactionsd")

  /// The names of the scripts, without their suffix.
  static let scenarios: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "scenarios").path)
    return (files ?? []).filter { $0.hasSuffix(".sh") }.map { String($0.dropLast(3)) }.sorted()
  }()

  static func isPossible() async -> Bool {
    guard let outcome = try? await run(["-c"]) else { return false }
    if outcome.status != 0 { print("The boot tests are skipped. \(outcome.output)") }
    return outcome.status == 0
  }

  /// Runs the script to its end, without holding up a thread meanwhile.
  static func run(_ arguments: [String]) async throws -> (status: Int32, output: String) {
    let file = FileManager.default.temporaryDirectory.appending(path: "boot-tests-\(UUID().uuidString).log")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let log = try FileHandle(forWritingTo: file)
    defer { try? log.close() }

    let process = Process()
    process.executableURL = folder.appending(path: "run-under-systemd.sh")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = log
    process.standardError = log
    let status = try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Int32, any Error>) in
      process.terminationHandler = { ended.resume(returning: $0.terminationStatus) }
      do { try withNoSignalBlocked { try process.run() } } catch {
        process.terminationHandler = nil
        ended.resume(throwing: error)
      }
    }
    return (status, String(decoding: try Data(contentsOf: file), as: UTF8.self))
  }

  /// Dispatch blocks most signals on its threads, and a process that is started there inherits
  /// that: the script could not be ended by SIGTERM.
  private static func withNoSignalBlocked(_ body: () throws -> Void) rethrows {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
  }
}
