import Posix
import Ranking
import Snapshots

extension Publisher {
  /// Apps whose files are compared together.
  private static let adoptedTogether = 512
  /// What part of the comparing is the second thread's: this one makes the snapshots as well.
  private static let secondThreadsShare = 0.7

  /// Takes files of an earlier process for published where they say what they should. To be called before the first round.
  ///
  /// Rounds go on after the last one that any of them is of.
  ///
  /// - Parameter before: what was published before in place of some files; called on two threads at a time.
  /// - Complexity: O(apps).
  func adopt(_ before: @Sendable (SnapshotFiles) -> PublishedBefore) {
    withoutActuallyEscaping(before) { adoptAll($0) }
  }

  private func adoptAll(_ before: @escaping @Sendable (SnapshotFiles) -> PublishedBefore) {
    roundMoment = ledger.now()
    collectChanges(ledger.ranking.takeChanges(), at: roundMoment.decay)
    let snapshot = snapshot(of: nil)
    if let known = adopted(nil, snapshot, before(SnapshotFiles(snapshot))) { top = known }
    var rest = dueApps.takeAll()[...]
    // While some are compared, the snapshots of the next are made.
    var next = nextToAdopt(&rest)
    while let (some, snapshots) = next {
      let comparing = Mapping(snapshots, share: Self.secondThreadsShare) { snapshot in
        snapshot.map { before(SnapshotFiles($0)) }
      }
      next = nextToAdopt(&rest)
      for (app, (snapshot, found)) in zip(some, zip(snapshots, comparing.results())) {
        guard let snapshot, let found, let known = adopted(app, snapshot, found) else {
          dueApps.append(app)
          continue
        }
        apps[Int(app)] = known
      }
    }
  }

  /// The next few of some apps, and their snapshots, if they are there; nil if none is left.
  private func nextToAdopt(_ rest: inout ArraySlice<UInt32>) -> (apps: ArraySlice<UInt32>, [Snapshot?])? {
    if rest.isEmpty { return nil }
    let some = rest.prefix(Self.adoptedTogether)
    rest = rest.dropFirst(some.count)
    return (some, some.map { ledger.ranking.isPresent(app: $0) ? snapshot(of: $0) : nil })
  }

  /// What is known of files that say what they should; nil if they do not.
  private func adopted(_ app: UInt32?, _ snapshot: Snapshot, _ known: PublishedBefore) -> Publication? {
    generation = max(generation, known.generation)
    guard let loss = known.loss, loss < Self.noticeableLoss else { return nil }
    if let app {
      ledger.ranking.noteTold(app: app)
      ledger.ranking.setPublished(snapshot.shortcuts.map(\.action.number), ofApp: app)
    }
    let age = ledger.ranking.listHalfLife(ofApp: app)?.time(toLose: loss) ?? 0
    return Publication(snapshot, scoresAt: roundMoment.decay.saturatingSubtracting(age))
  }
}
