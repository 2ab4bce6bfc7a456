package import Ranking

extension ActionChanges {
  /// The actions that are given with all of their values, in that order.
  package var states: [ActionState] {
    values.indices.map { index in
      let name = names[place(ofValues: index)]
      return ActionState(app: name.app, action: name.action, values: values[index])
    }
  }
}
