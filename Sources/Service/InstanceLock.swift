import Posix

/// Makes sure that two instances never share a folder, for as long as it lives.
struct InstanceLock: ~Copyable {
  private static let name = "quickactionsd.lock"
  private let file: FileDescriptor

  /// Locks a folder. The file stays when the lock goes, so that nobody can lock a file that has lost its name.
  init(_ folder: String) throws(StartFailure) {
    let file = try StartFailure.unlessPossible { () throws(SystemError) in
      try Directory(opening: folder).openLockFile(Self.name)
    }
    let isLocked = try StartFailure.unlessPossible { () throws(SystemError) in try file.lock() }
    guard isLocked else {
      throw StartFailure(
        status: .anotherInstanceRuns, message: "another instance runs; it holds \(folder)/\(Self.name)")
    }
    self.file = file
  }
}
