extension RecoveryReport: CustomStringConvertible {
  /// What was wrong and what was kept, in words for the log.
  package var description: String {
    let place = setAside.map { " and was set aside as \($0)" } ?? ""
    let kept =
      switch source {
      case .damagedFile: "\(actions) actions were read from it"
      case .backup: "\(actions) actions came from the backup, as they were when it was made"
      case .both: "\(actions) actions were kept, \(actionsFromBackup) of them as the backup has them"
      case .nothing: "nothing could be read from it and there is no backup"
      }
    return "the state was damaged (\(problem))\(place); \(kept)"
  }
}
