/// The statements of a commit, compiled once.
final class Statements {
  let findAction: Statement
  let insertAction: Statement
  let updateAction: Statement
  let findHour: Statement
  let writeHour: Statement
  let oldestHours: Statement
  let countOldHours: Statement
  let deleteHours: Statement
  let insertID: Statement
  let oldestIDs: Statement
  let deleteIDs: Statement
  let writeTotal: Statement
  let deleteConnection: Statement
  let writeConnection: Statement
  let writeDaemon: Statement

  init(_ connection: Connection) throws(StorageError) {
    findAction = try connection.prepare("SELECT action_number FROM actions WHERE app = ? AND action = ?")
    insertAction = try connection.prepare("INSERT INTO actions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    // The numbered parameters are those of the insertion, so that both are bound alike.
    updateAction = try connection.prepare(
      """
      UPDATE actions SET action_number = ?3, uses = ?4, first_used_ns = ?5, last_used_ns = ?6, last_used_decay_ns = ?7,
        last_arrival = ?8, score_value = ?9, score_landmark = ?10, checksum = ?11 WHERE app = ?1 AND action = ?2
      """)
    findHour = try connection.prepare(
      "SELECT hour, action_number, uses, checksum FROM hourly_uses WHERE hour = ? AND action_number = ?")
    writeHour = try connection.prepare(
      """
      INSERT INTO hourly_uses VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET uses = excluded.uses, checksum = excluded.checksum
      """)
    oldestHours = try connection.prepare(
      "SELECT hour, action_number FROM hourly_uses ORDER BY hour, action_number LIMIT 1 OFFSET ?")
    countOldHours = try connection.prepare(
      "SELECT count(*) FROM (SELECT 1 FROM hourly_uses WHERE hour < ? ORDER BY hour LIMIT ?)")
    deleteHours = try connection.prepare("DELETE FROM hourly_uses WHERE (hour, action_number) < (?, ?)")
    insertID = try connection.prepare("INSERT INTO remembered_ids VALUES (?, ?, ?, ?)")
    oldestIDs = try connection.prepare(
      "SELECT arrival, arrived_decay_ns FROM remembered_ids ORDER BY arrival LIMIT ?")
    deleteIDs = try connection.prepare("DELETE FROM remembered_ids WHERE arrival < ?")
    writeTotal = try connection.prepare("INSERT OR REPLACE INTO totals VALUES (?, ?, ?)")
    deleteConnection = try connection.prepare("DELETE FROM connections WHERE connection = ?")
    writeConnection = try connection.prepare("INSERT OR REPLACE INTO connections VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    writeDaemon = try connection.prepare(
      "INSERT OR REPLACE INTO daemon VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
  }
}
