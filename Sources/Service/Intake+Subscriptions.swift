import Snapshots
import Wire

extension Intake {
  /// Takes note of a subscription that a connection has just begun.
  ///
  /// The service manager does not keep such a connection: what a subscriber has been told is known to this process only,
  /// so after a crash it has to connect again.
  func noteSubscription(of connection: Connection) {
    let number = connection.name.number
    guard connection.session.subscription != nil, !subscriptions.connections.contains(number) else { return }
    store.forget(connection.name)
    connection.hasBeenRead = true
    let desk = desk
    subscriptions.add(number) { desk.control.allSnapshots() }
  }

  /// Tells all who want to hear of it that a list has changed.
  func tell(_ change: ListChange) {
    for number in subscriptions.connections {
      guard let connection = connections[number] else { continue }
      connection.session.tell(change, desk: desk)
      connection.flushReplies()
    }
  }
}
