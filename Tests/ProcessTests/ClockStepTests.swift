import Foundation
import Testing

/// Steps of the wall clock, by libfaketime. The clock of the boot is left alone, as a step does.
@Suite("Steps of the wall clock", .enabled(if: FakeClock.library != nil))
struct ClockStepTests {
  static let steps = [
    "-1s", "-1h", "-10y", "+20y", "@1970-01-01 00:00:10", "@2038-01-19 03:14:05", "@2106-02-07 06:28:13",
  ]

  @Test("No step changes a score or an order, loses a use or ends the daemon, while it runs or not", arguments: steps)
  func changesNothing(step: String) throws {
    try withSite(settings: Site.quick + "[Ranking]\nHalfLife=1h\n") { site in
      let clock = try FakeClock(site)
      var daemon = try site.start(command: [Site.program], environment: clock.environment)
      try daemon.count("a.one n=100 id=1\na.two n=50\na.three n=20 t=\(Int(Date().timeIntervalSince1970) - 3600)\n")
      // While it runs.
      try clock.set(step)
      try daemon.count("a.two n=10\n")
      try expect(daemon, ["a.one": (100, 100), "a.two": (60, 60), "a.three": (20, 10)], step)
      #expect(try daemon.count("a.one id=1\n").duplicates == 1)
      // While it does not, and back.
      for (round, time) in ["+0", step, "+0"].enumerated() {
        if round == 1 { daemon.child.kill() } else { #expect(try daemon.stop() == .status(0)) }
        try clock.set(time)
        daemon = try site.start(command: [Site.program], environment: clock.environment)
        try expect(
          daemon, ["a.one": (100, 100), "a.two": (60 + round, Double(60 + round)), "a.three": (20, 10)],
          "\(step), start \(round)")
        let reply = try daemon.count("a.two\na.one id=1\n")
        #expect(reply.durable && reply.accepted == 1 && reply.duplicates == 1)
      }
      #expect(try daemon.status()["wallSteps"] >= 1)
      #expect(try daemon.stop() == .status(0))
    }
  }

  /// The uses and scores that a half-life of an hour leaves within the minute that this takes.
  private func expect(_ daemon: RunningDaemon, _ rows: [String: (uses: Int, score: Double)], _ comment: String) throws {
    let app = try daemon.snapshot(of: "a") { snapshot in rows.allSatisfy { snapshot.uses(of: $0) == $1.uses } }
    #expect(app.shortcuts.map(\.action) == ["a.one", "a.two", "a.three"], "\(comment)")
    for row in app.shortcuts {
      let score = rows[row.action]?.score ?? 0
      #expect((score * 0.98...score * 1.001).contains(row.score), "\(comment): \(row.action) has \(row.score)")
    }
  }
}

/// A wall clock that a daemon sees in the place of the machine's.
final class FakeClock {
  static let library: String? = {
    let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib", "/usr/lib64"]
    return folders.map { $0 + "/faketime/libfaketimeMT.so.1" }.first { FileFacts($0) != nil }
  }()

  private let site: Site
  private let file: String

  init(_ site: Site) throws {
    self.site = site
    file = site.path + "/clock"
    try set("+0")
  }

  var environment: [String: String] {
    [
      // The library changes the environment before the program begins, and Swift then finds no arguments.
      "RUNTIME_DIRECTORY": site.runtime, "STATE_DIRECTORY": site.state, "CONFIGURATION_DIRECTORY": site.path,
      "LD_PRELOAD": Self.library ?? "", "FAKETIME_TIMESTAMP_FILE": file, "FAKETIME_NO_CACHE": "1", "NO_FAKE_STAT": "1",
      "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_RESET": "1",
    ]
  }

  /// Sets the clock: an offset such as `-1h`, or a moment such as `@2038-01-19 03:14:05`.
  func set(_ time: String) throws { try writeFile(file, time + "\n") }
}
