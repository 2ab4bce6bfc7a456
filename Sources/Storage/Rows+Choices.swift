/// A row of `registered_actions`.
struct RegistrationRecord {
  static let columns = 6

  var row: RegistrationRow

  func bind(to statement: Statement) {
    statement.bind(0, text: row.app)
    statement.bind(1, text: row.action)
    statement.bind(2, row.position)
    statement.bind(3, text: row.definition)
    statement.bind(4, Int64(row.isAppNamed ? 1 : 0))
    statement.bind(5, checksum.value)
  }

  private var checksum: RowChecksum {
    var sum = RowChecksum(.registeredActions)
    sum.add(row.app)
    sum.add(row.action)
    sum.add(row.position)
    sum.add(row.definition)
    sum.add(Int64(row.isAppNamed ? 1 : 0))
    return sum
  }

  init(_ row: RegistrationRow) { self.row = row }

  init?(_ source: some RowSource) {
    guard
      let app = source.id(0), let action = source.id(1), let position = source.integer(2),
      let definition = source.text(3), let isAppNamed = source.integer(4)
    else { return nil }
    row = RegistrationRow(
      app: app, action: action, position: position, definition: definition, isAppNamed: isAppNamed != 0)
    guard checksum.fits(source.integer(5)) else { return nil }
  }
}

/// A row of `choices`.
struct ChoiceRecord {
  static let columns = 9

  var row: ChoiceRow

  func bind(to statement: Statement) {
    statement.bind(0, text: row.app)
    statement.bind(1, text: row.action)
    statement.bind(2, row.pinnedAt)
    statement.bind(3, row.pinPosition)
    statement.bind(4, row.blockedAt)
    statement.bind(5, row.disabledAt)
    statement.bind(6, row.enabledAt)
    statement.bind(7, Int64(row.isAppNamed ? 1 : 0))
    statement.bind(8, checksum.value)
  }

  private var checksum: RowChecksum {
    var sum = RowChecksum(.choices)
    sum.add(row.app)
    sum.add(row.action)
    sum.add(row.pinnedAt)
    sum.add(row.pinPosition)
    sum.add(row.blockedAt)
    sum.add(row.disabledAt)
    sum.add(row.enabledAt)
    sum.add(Int64(row.isAppNamed ? 1 : 0))
    return sum
  }

  init(_ row: ChoiceRow) { self.row = row }

  init?(_ source: some RowSource) {
    guard
      let app = source.id(0), let action = source.text(1), action.count <= 255, let pinPosition = source.integer(3),
      let isAppNamed = source.integer(7)
    else { return nil }
    row = ChoiceRow(
      app: app, action: action, pinnedAt: source.integer(2), pinPosition: pinPosition, blockedAt: source.integer(4),
      disabledAt: source.integer(5), enabledAt: source.integer(6), isAppNamed: isAppNamed != 0)
    guard checksum.fits(source.integer(8)) else { return nil }
  }
}
