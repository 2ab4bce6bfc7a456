import Posix
import Ranking
import Storage
import Wire

extension Daemon {
  /// Lets the ops of the control socket reach what they need.
  func connectControl() {
    let control = intake.desk.control
    control.languages = catalogue.languages
    control.writeStatus = { [unowned self] in statusReport().write(to: &$0) }
    control.generation = { [unowned self] in publisher.generation }
    control.publish = { [unowned self] in
      publisher.startRound()
      return publisher.generation
    }
    control.onForgotten = { [unowned self] in
      publishesForgotten = true
      // Before the reply: whenever the daemon is killed, either this is done or the request is worked through again.
      intake.oldLogs.removeSetAside(log)
      publisher.startRound()
    }
    control.storedHours = { [unowned self] (hour, others) throws(StorageError) in
      guard case .storedHours(let hours) = try ask(.storedHours(from: hour, and: others)) else { return [] }
      return hours
    }
    control.historyPage = { [unowned self] (cursor, limit) throws(StorageError) in
      guard case .historyPage(let page) = try ask(.historyPage(after: cursor, limit: limit)) else {
        return HourlyPage(rows: [], end: nil)
      }
      return page
    }
    control.dailyHits = { [unowned self] (app, day) throws(StorageError) in
      guard case .dailyHits(let rows) = try ask(.dailyHits(app: app, from: day)) else { return [] }
      return rows
    }
    control.hourlessUses = { [unowned self] (number, limit) throws(StorageError) in
      guard case .hourlessUses(let uses) = try ask(.hourlessUses(after: number, limit: limit)) else { return [] }
      return uses
    }
    publisher.listChange = { [unowned self] in subscriptions.change(to: $0) }
    publisher.goneChange = { [unowned self] in
      subscriptions.change(gone: $0, generation: publisher.generation, at: ledger.now())
    }
    publisher.onLost = { [unowned self] in subscriptions.takeBack($0) }
    publisher.onChange = { [unowned self] in intake.tell($0) }
  }

  /// Asks the database once it has all that the commit under way contains.
  private func ask(_ query: DiskThread.Query) throws(StorageError) -> DiskThread.Answer {
    committer.sendDraft()
    return try disk.ask(query)
  }
}
