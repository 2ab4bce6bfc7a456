import Foundation
import Testing

@Suite("Steps of the wall clock", .enabled(if: hasCompiler))
struct ClockStepTests {
  private static let year = 31_557_600
  /// A second and an hour back, ten years back, twenty on, 1970, and just before the ends of 31 and 32 bits.
  static let steps: [ClockStep] = [
    .by(-1), .by(-3600), .by(-10 * year), .by(20 * year), .to(10), .to(2_147_483_643), .to(4_294_967_291),
  ]

  @Test("No step changes a score or an order, loses a use or ends the daemon, while it runs or not", arguments: steps)
  func changesNothing(step: ClockStep) throws {
    try withSite(settings: Site.quick + "[Ranking]\nHalfLife=1h\n") { site in
      let clock = try FakeClock(site)
      var daemon = try site.start(environment: clock.environment)
      try daemon.count("a.one n=100 id=1\na.two n=50\na.three n=20 t=\(Int(Date().timeIntervalSince1970) - 3600)\n")
      // While it runs.
      try clock.set(step)
      try daemon.count("a.two n=10\n")
      try expect(daemon, ["a.one": (100, 100), "a.two": (60, 60), "a.three": (20, 10)], "\(step)")
      #expect(try daemon.count("a.one id=1\n").duplicates == 1)
      // While it does not, and back.
      for (round, time) in [.back, step, .back].enumerated() {
        if round == 1 { daemon.child.kill() } else { #expect(try daemon.stop() == .status(0)) }
        try clock.set(time)
        daemon = try site.start(environment: clock.environment)
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

/// A wall clock that a daemon sees in the place of the machine's: a library before the C library's own. (libfaketime
/// moves the timers of the boot's clock as well, which no step of the wall clock does.)
final class FakeClock {
  private let file: String
  private let library: String

  init(_ site: Site) throws {
    let source = site.path + "/clock.c"
    (file, library) = (site.path + "/clock", site.path + "/clock.so")
    try writeFile(
      source,
      """
      #define _GNU_SOURCE
      #include <fcntl.h>
      #include <stdlib.h>
      #include <sys/syscall.h>
      #include <sys/time.h>
      #include <time.h>
      #include <unistd.h>
      static long long offset(void) {
        char text[32] = "";
        int file = open("\(file)", O_RDONLY | O_CLOEXEC);
        if (file < 0) return 0;
        if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
        close(file);
        return atoll(text);
      }
      int clock_gettime(clockid_t clock, struct timespec *now) {
        int result = syscall(SYS_clock_gettime, clock, now);
        if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += offset();
        return result;
      }
      int gettimeofday(struct timeval *now, void *zone) {
        struct timespec time;
        clock_gettime(CLOCK_REALTIME, &time);
        now->tv_sec = time.tv_sec;
        now->tv_usec = time.tv_nsec / 1000;
        return 0;
      }
      time_t time(time_t *result) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        if (result) *result = now.tv_sec;
        return now.tv_sec;
      }
      """)
    let (exit, _, errors) = try site.run(["cc", "-shared", "-fPIC", "-o", library, source])
    if exit != .status(0) { throw Failure("the clock was not compiled: \(errors)") }
    try set(.back)
  }

  var environment: [String: String] { ["LD_PRELOAD": library] }

  /// Sets the clock, in one step.
  func set(_ step: ClockStep) throws {
    try writeFile(file + ".new", "\(step.offset)\n")
    if rename(file + ".new", file) != 0 { throw Failure.system("set the clock") }
  }
}

/// Where a wall clock is set to.
enum ClockStep: Sendable {
  /// The machine's own time.
  case back
  /// So many seconds off that.
  case by(Int)
  /// A moment, Unix seconds.
  case to(Int)

  /// Seconds from the machine's own time.
  var offset: Int {
    switch self {
    case .back: 0
    case .by(let seconds): seconds
    case .to(let time): time - Int(Date().timeIntervalSince1970)
    }
  }
}
