import Foundation
import Testing

/// The programs in `Tests/machines`, each with a short count: they start daemons of their own, make things go wrong
/// around them, and print one line that says how it went.
///
/// `make machines-all` runs them with their full counts.
@Suite(.serialized)
struct MachineTests {
  @Test(
    "No kill and no fault in a call on a file costs or repeats a use",
    .enabled(if: Machine.canTrace, Machine.needsTracing))
  func faults() async throws { try await run("faults", "--count", "60") }

  @Test(
    "A disk that is too small costs nothing once there is room", .enabled(if: Machine.canMount, Machine.needsMounts))
  func smallDisks() async throws { try await run("small_disks", "--count", "10") }

  @Test("A slow disk holds up neither the loop nor the watchdog", .enabled(if: Machine.canTrace, Machine.needsTracing))
  func slowDisk() async throws { try await run("slow_disk", "--seconds", "8") }

  @Test("Damage to the files stops nothing, and is said", .enabled(if: Machine.hasPython, Machine.needsPython))
  func damage() async throws { try await run("damage", "--count", "40") }

  @Test(
    "No step of the wall clock changes a score or loses a use", .enabled(if: Machine.canCompile, Machine.needsCompiler))
  func clocks() async throws { try await run("clocks") }

  @Test("Many clients cost little each, and lose nothing", .enabled(if: Machine.hasPython, Machine.needsPython))
  func manyClients() async throws { try await run("many_clients") }

  @Test(
    "Snapshots and commits of everything at full speed lose nothing, and in the end every file says so",
    .enabled(if: Machine.hasPython, Machine.needsPython))
  func stalls() async throws {
    try await run(
      "stalls", "--actions", "2000", "--apps", "200", "--intervals", "4", "--interval", "0.5", "--pause", "1")
  }

  @Test(
    "However many actions clients make up, memory is what is promised",
    .enabled(if: Machine.hasPython, Machine.needsPython))
  func hostile() async throws { try await run("hostile", "--ids", "40000", "--actions", "4000") }

  private func run(_ name: String, _ arguments: String...) async throws {
    let outcome = try await Machine.run([Machine.folder.appending(path: "\(name).py").path] + arguments)
    print(outcome.output)
    #expect(outcome.status == 0, "\(name) ended with \(outcome.status):\n\(outcome.output)")
  }
}

/// What the programs need of this machine, and how they are run.
enum Machine {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "machines")

  /// The build under test, where the program is that runs these tests.
  private static let products = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent()

  static let needsPython: Comment = "python3 is missing"
  static let hasPython = succeeds("command -v python3")
  static let needsTracing: Comment = "python3 or strace is missing, or processes may not be traced here"
  static let canTrace = hasPython && succeeds("strace -qq -o /dev/null true")
  static let needsMounts: Comment = "python3 is missing, or there is no mounting here, not even in a namespace"
  static let canMount =
    hasPython
    && succeeds(
      "if [ $(id -u) = 0 ]; then unshare --mount true; else unshare --mount --map-root-user mount -t tmpfs none /mnt; fi"
    )
  static let needsRedis: Comment = "python3 or redis-server is missing"
  static let hasRedis = hasPython && succeeds("command -v redis-server")
  static let needsCompiler: Comment = "python3 or a C compiler is missing"
  static let canCompile = hasPython && succeeds("command -v cc || command -v gcc || command -v clang")

  private static func succeeds(_ command: String) -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// Runs a program to its end, without holding up a thread meanwhile.
  static func run(_ words: [String]) async throws -> (status: Int32, output: String) {
    let file = FileManager.default.temporaryDirectory.appending(path: "machine-tests-\(UUID().uuidString).log")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let log = try FileHandle(forWritingTo: file)
    defer { try? log.close() }

    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3"] + words
    process.environment = ProcessInfo.processInfo.environment.merging([
      "QUICKACTIONSD": products.appending(path: "quickactionsd").path,
      "LOADTOOL": products.appending(path: "LoadTool").path,
    ]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = log
    process.standardError = log
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in done.resume() }
      do { try process.run() } catch { done.resume(throwing: error) }
    }
    return (process.terminationStatus, String(decoding: try Data(contentsOf: file), as: UTF8.self))
  }
}
