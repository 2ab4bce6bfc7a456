package import Ranking

/// Takes over the state while it is read, so that it never lies in memory twice.
package protocol StateReceiver: AnyObject {
  /// Takes over all but the actions.
  ///
  /// Comes again, with everything anew, if damage came to light later: what was received is void then.
  /// - Parameter actionCount: how many actions come, as far as it can be told beforehand.
  func begin(_ state: StoredState, actionCount: Int)

  /// Some actions come soon, of which this is one: what is to be read for all of them can be asked for at once.
  func expect(_ action: UnsafeRawBufferPointer)

  /// Takes over an action. Those of an app follow one another.
  func receive(_ action: StoredAction)

  /// It goes on: called now and then while the state is read, in any case for every 100,000 actions.
  func progress()
}

extension StateReceiver {
  package func expect(_ action: UnsafeRawBufferPointer) {}
}

/// An action as it is stored, valid during the call that it is given to.
@unsafe
package struct StoredAction {
  /// The app's id: 1 to 255 bytes.
  package let app: UnsafeRawBufferPointer
  /// The action's id: 1 to 255 bytes.
  package let action: UnsafeRawBufferPointer
  /// Its place in the order in which actions were first stored, which may have gaps.
  package let number: Int64
  package let values: ActionValues
}
