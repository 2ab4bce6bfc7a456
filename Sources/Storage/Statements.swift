/// The statements of a commit, compiled once.
final class Statements {
  let findAction: Statement
  let insertAction: Statement
  let updateAction: Statement
  let findHour: Statement
  let insertHour: Statement
  let updateHour: Statement
  let hours: TimedTable
  let rememberedIDs: IDTable
  let importedIDs: IDTable
  let writeRegistration: Statement
  let deleteRegistration: Statement
  let writeChoice: Statement
  let deleteChoice: Statement
  let writeApp: Statement
  let deleteApp: Statement
  let findDay: Statement
  let writeDay: Statement
  let days: TimedTable
  let writeTotal: Statement
  let deleteConnections: Statement
  let deleteConnection: Statement
  let writeConnection: Statement
  let writePendingInput: Statement
  let deletePendingInput: Statement
  let writeDaemon: Statement

  init(_ connection: Connection) throws(StorageError) {
    findAction = try connection.prepare("SELECT action_number FROM actions WHERE app = ? AND action = ?")
    insertAction = try connection.prepare(
      "INSERT INTO actions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    // The numbered parameters are those of the insertion, so that both are bound alike.
    updateAction = try connection.prepare(
      """
      UPDATE actions SET action_number = ?3, uses = ?4, first_used_ns = ?5, last_used_ns = ?6, last_used_decay_ns = ?7,
        last_arrival = ?8, score_value = ?9, score_landmark = ?10, checksum = ?11, app_is_named = ?12,
        own_half_life_ns = ?13, own_score_value = ?14, own_score_landmark = ?15, decayed_counts = ?16,
        counted_at_step = ?17, list_mask = ?18, shown_place = ?19 WHERE app = ?1 AND action = ?2
      """)
    findHour = try connection.prepare(
      "SELECT hour, action_number, uses, checksum FROM hourly_uses WHERE hour = ? AND action_number = ?")
    insertHour = try connection.prepare("INSERT INTO hourly_uses VALUES (?, ?, ?, ?)")
    updateHour = try connection.prepare(
      "UPDATE hourly_uses SET uses = ?3, checksum = ?4 WHERE hour = ?1 AND action_number = ?2")
    hours = try TimedTable("hourly_uses", time: "hour", key: "action_number", in: connection)
    rememberedIDs = try IDTable(.rememberedIDs, in: connection)
    importedIDs = try IDTable(.importedIDs, in: connection)
    writeRegistration = try connection.prepare("INSERT OR REPLACE INTO registered_actions VALUES (?, ?, ?, ?, ?, ?)")
    deleteRegistration = try connection.prepare("DELETE FROM registered_actions WHERE app = ? AND action = ?")
    writeChoice = try connection.prepare("INSERT OR REPLACE INTO choices VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
    deleteChoice = try connection.prepare("DELETE FROM choices WHERE app = ? AND action = ?")
    writeApp = try connection.prepare("INSERT OR REPLACE INTO apps VALUES (?, ?, ?, ?, ?, ?, ?)")
    deleteApp = try connection.prepare("DELETE FROM apps WHERE app = ?")
    findDay = try connection.prepare("SELECT 1 FROM daily_hits WHERE day = ? AND app = ?")
    writeDay = try connection.prepare("INSERT OR REPLACE INTO daily_hits VALUES (?, ?, ?, ?, ?, ?)")
    days = try TimedTable("daily_hits", time: "day", key: "app", in: connection)
    writeTotal = try connection.prepare("INSERT OR REPLACE INTO totals VALUES (?, ?, ?)")
    deleteConnections = try connection.prepare("DELETE FROM connections")
    deleteConnection = try connection.prepare("DELETE FROM connections WHERE connection = ?")
    writeConnection = try connection.prepare(
      "INSERT OR REPLACE INTO connections VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    writePendingInput = try connection.prepare("INSERT INTO pending_input VALUES (?, ?, ?, ?, ?)")
    deletePendingInput = try connection.prepare("DELETE FROM pending_input")
    writeDaemon = try DaemonRecord.statement(in: connection)
  }
}
