import Foundation
import Testing

@Suite("A start that takes long")
struct LongStartTests {
  private func signs(_ daemon: RunningDaemon, _ words: String) -> [String] {
    daemon.notify.messages.filter { $0.contains("STATUS=Starting: ") && $0.contains(words) }
  }

  @Test("With many actions it tells how far it has come, and asks for more time each time")
  func manyActions() throws {
    try withSite(settings: Site.slow) { site in
      let actions = 60_000
      var daemon = try site.start()
      #expect(try daemon.count((0..<actions).map { "app.number\($0 % 50).action\($0)\n" }.joined()).accepted == actions)
      #expect(try daemon.stop() == .status(0))
      daemon = try site.start()
      #expect(!signs(daemon, "reading the state").isEmpty && !signs(daemon, "actions of the state").isEmpty)
      #expect(signs(daemon, "").allSatisfy { $0.contains("EXTEND_TIMEOUT_USEC=60000000") })
      #expect(try daemon.status()["uses"] == actions)
      _ = try daemon.stop()
    }
  }

  @Test("With a long intake log it tells how far it has come, and asks for more time each time")
  func longLog() throws {
    try withSite(settings: RestartTests.unstored) { site in
      var daemon = try site.start()
      let rest = String(repeating: "x", count: 240)
      try daemon.send((0..<40_000).map { "app.\($0 % 100).\(rest)\n" }.joined(), until: 40_000)
      daemon.child.signal(SIGKILL)
      #expect(try daemon.stop(SIGKILL) == .signal(SIGKILL))
      daemon = try site.start()
      #expect(!signs(daemon, "4 MiB of the intake log").isEmpty && !signs(daemon, "8 MiB of the intake log").isEmpty)
      #expect(signs(daemon, "").allSatisfy { $0.contains("EXTEND_TIMEOUT_USEC=60000000") })
      #expect(try daemon.status()["uses"] == 40_000)
      _ = try daemon.stop()
    }
  }

  /// Which file is at a path: a file that is written anew is another one.
  private func file(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int ?? 0
  }

  @Test("Files that say what they should are left alone, others are written before it is ready")
  func files() throws {
    try withSite { site in
      var daemon = try site.start()
      try daemon.count("same.x n=5\ngone.x n=4\nmode.x n=3\ntext.x n=2\n")
      for app in ["same", "gone", "mode", "text"] { try daemon.snapshot(of: app) }
      #expect(try daemon.stop() == .status(0))
      let paths = ["same", "gone", "mode", "text"].flatMap { [daemon.appPath($0), daemon.appPath($0, "tsv")] }
      let generation = try daemon.top().generation
      // A second name keeps the number of a file that goes from being used again.
      for path in paths { #expect(link(path, "\(site.path)/\(path.split(separator: "/").last ?? "")") == 0) }
      let before = try paths.map(file)
      try FileManager.default.removeItem(atPath: daemon.appPath("gone"))
      #expect(chmod(daemon.appPath("mode", "tsv"), 0o666) == 0)
      let tsv = try String(contentsOfFile: daemon.appPath("text", "tsv"), encoding: .utf8)
      #expect(truncate(daemon.appPath("text", "tsv"), off_t(tsv.utf8.count - 3)) == 0)
      daemon = try site.start()
      let after = try paths.map(file)
      #expect(zip(before, after).map { $0 == $1 } == [true, true] + [Bool](repeating: false, count: 6))
      #expect(try String(contentsOfFile: daemon.appPath("text", "tsv"), encoding: .utf8) == tsv)
      #expect(try daemon.app("gone").generation > generation && daemon.app("same").generation <= generation)
      try daemon.count("same.x\n")
      try daemon.snapshot(of: "same") { $0.uses(of: "same.x") == 6 }
      _ = try daemon.stop()
    }
  }
}
