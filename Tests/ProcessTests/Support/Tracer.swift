import Foundation

/// A strace that makes a running daemon's system calls slow, or fail, for as long as it is there.
final class Tracer {
  private let child: Child

  /// - Parameters:
  ///   - calls: the names of the calls, separated by commas.
  ///   - fault: what becomes of them, as strace(1) has it after the names.
  init(_ daemon: RunningDaemon, calls: String, fault: String) throws {
    let child = try daemon.site.spawn([
      "strace", "-f", "-p", "\(daemon.child.pid)", "-o", "/dev/null", "-e", "trace=\(calls)", "-e",
      "inject=\(calls):\(fault)",
    ])
    self.child = child
    try wait(for: "strace to be attached: \(child.errors)") {
      if !child.isRunning { throw Failure("strace has ended: \(child.errors)") }
      return child.errors.contains("attached")
    }
  }

  /// Leaves the daemon alone again.
  func detach() throws {
    child.signal(SIGINT)
    try child.wait()
  }

  /// Whether processes can be traced here.
  static let isThere: Bool = {
    guard let site = try? Site(settings: "") else { return false }
    defer { site.close() }
    return (try? site.run(["strace", "-o", "/dev/null", "-e", "trace=none", "true"]).exit) == .status(0)
  }()
}

/// A mount namespace with a file system of its own in some folder, for daemons to start in. It needs ``canMount``.
final class PrivateMount {
  private let holder: Child
  let root: String
  let wrapper: [String]

  init(_ site: Site, at path: String, size: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let holder = try site.spawn([
      "unshare", "-m", "sh", "-c",
      "mount -t tmpfs -o size=\(size),mode=0700 tmpfs '\(path)' && echo ready && exec sleep 600",
    ])
    self.holder = holder
    root = "/proc/\(holder.pid)/root"
    wrapper = ["nsenter", "-t", "\(holder.pid)", "-m"]
    try wait(for: "a mount: \(holder.errors)") { holder.output.contains("ready") }
  }

  /// Writes a file until there is no room left.
  func fill(_ path: String) throws {
    let descriptor = open(root + path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw Failure.system("open \(path)") }
    defer { close(descriptor) }
    for size in [65_536, 4096, 1] {
      let block = [UInt8](repeating: 0, count: size)
      while write(descriptor, block, block.count) > 0 {}
    }
  }
}
