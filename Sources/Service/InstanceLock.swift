import Posix

/// Makes sure that two instances never share a folder, for as long as it lives.
struct InstanceLock: ~Copyable {
  private static let name = "quickactionsd.lock"
  private let file: FileDescriptor

  /// The folders to lock: the sockets' and the state's, or the one if they are the same.
  static func folders(of places: Places) throws(StartFailure) -> [String] {
    let areOne = try StartFailure.unlessPossible { () throws(SystemError) in
      let state = try Directory(opening: places.stateDirectory)
      return try Directory(opening: places.runtimeDirectory).isSame(as: state)
    }
    return areOne ? [places.stateDirectory] : [places.runtimeDirectory, places.stateDirectory]
  }

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
