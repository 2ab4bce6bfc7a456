/// The tables, as a row of steps from an empty database to the one that this version works with.
enum Schema {
  /// "QACT": by this a file is known as ours.
  static let applicationID: Int32 = 0x5141_4354
  /// The version that this program reads and writes.
  static var version: Int { steps.count }

  /// One step forward. A step that has been released is never changed.
  struct Step: Sendable {
    let summary: String
    let sql: String
  }

  /// Opens the table of the versions, the one table that no later version may change: by it a later schema is known.
  static let versionsTable = """
    CREATE TABLE schema_versions (
      version INTEGER PRIMARY KEY, -- the user_version that the step led to
      summary TEXT NOT NULL        -- what the step did
    ) STRICT
    """

  static let steps = [
    Step(
      summary: "Actions, hourly uses, remembered ids, totals, connections and the daemon's own state",
      sql: """
        CREATE TABLE actions (
          app TEXT NOT NULL,                   -- the app that owns the action
          action TEXT NOT NULL,                -- TYPE or TYPE#TARGET
          action_number INTEGER NOT NULL,      -- 0, 1, 2 … in the order in which actions were first stored
          uses INTEGER NOT NULL,               -- how many uses were counted
          first_used_ns INTEGER NOT NULL,      -- wall time of the first use, nanoseconds since 1970
          last_used_ns INTEGER NOT NULL,       -- wall time of the latest use, nanoseconds since 1970
          last_used_decay_ns INTEGER NOT NULL, -- decay time of the latest use, see daemon.decay_time_ns
          last_arrival INTEGER NOT NULL,       -- which of all events the latest use was
          score_value REAL NOT NULL,           -- the score is score_value * 2^(score_landmark - half-lives passed)
          score_landmark INTEGER NOT NULL,     -- whole half-lives since the origin of decay time
          checksum INTEGER NOT NULL,           -- over the row, to find damage
          PRIMARY KEY (app, action)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE hourly_uses (
          hour INTEGER NOT NULL,               -- whole hours since 1970, UTC
          action_number INTEGER NOT NULL,      -- actions.action_number
          uses INTEGER NOT NULL,               -- uses counted in that hour
          checksum INTEGER NOT NULL,
          PRIMARY KEY (hour, action_number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE remembered_ids (
          arrival INTEGER PRIMARY KEY,         -- the order of arrival; the oldest leave first
          id_hash BLOB NOT NULL,               -- 16 bytes: the id, hashed with daemon.id_secret
          arrived_decay_ns INTEGER NOT NULL,   -- decay time of the arrival
          checksum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE totals (
          name TEXT NOT NULL PRIMARY KEY,      -- a counter's name
          value INTEGER NOT NULL,              -- since the state was made
          checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE connections (
          connection INTEGER PRIMARY KEY,      -- the connection's number
          is_control INTEGER NOT NULL,         -- 1 at the control socket
          line_number INTEGER NOT NULL,        -- lines so far
          accepted INTEGER NOT NULL,           -- of these: counted,
          duplicates INTEGER NOT NULL,         -- known by their id,
          refused INTEGER NOT NULL,            -- refused
          is_skipping INTEGER NOT NULL,        -- 1 while the rest of an overlong line is dropped, 2 of an unknown one
          unfinished BLOB NOT NULL,            -- the bytes of a line that has no end yet
          pending_syncs TEXT NOT NULL,         -- the seq of each sync not answered yet, a JSON array
          checksum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE daemon (                  -- one row
          only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
          commit_number INTEGER NOT NULL,      -- how many commits there have been
          half_life_ns INTEGER,                -- the half-life that scores are kept with
          boot_id TEXT NOT NULL,               -- the boot that the clocks were read in
          boot_time_ns INTEGER,                -- CLOCK_BOOTTIME at the last commit
          wall_time_ns INTEGER,                -- wall time at the last commit, nanoseconds since 1970
          decay_time_ns INTEGER,               -- decay time at the last commit: runs on through restarts, never steps
          unsure_since_wall_ns INTEGER,        -- while the downtime before this boot is not sure: the commit before it
          unsure_since_decay_ns INTEGER,
          intake_log INTEGER,                  -- which intake log
          intake_log_offset INTEGER,           -- is contained in this state up to where
          next_connection INTEGER NOT NULL,    -- the number of the next connection
          arrivals INTEGER NOT NULL,           -- how many events were counted
          id_secret BLOB NOT NULL,             -- 16 random bytes
          checksum INTEGER NOT NULL
        ) STRICT;
        CREATE VIEW readable_actions AS
          SELECT app, action, uses,
            round(score_value * pow(2.0, score_landmark - 1.0 * decay_time_ns / half_life_ns), 6) AS score,
            strftime('%Y-%m-%dT%H:%M:%SZ', last_used_ns / 1000000000, 'unixepoch') AS last_used,
            strftime('%Y-%m-%dT%H:%M:%SZ', first_used_ns / 1000000000, 'unixepoch') AS first_used
          FROM actions, daemon;
        CREATE VIEW readable_hourly_uses AS
          SELECT strftime('%Y-%m-%dT%H:00Z', hour * 3600, 'unixepoch') AS hour, app, action, hourly_uses.uses
          FROM hourly_uses JOIN actions USING (action_number);
        """),
    // The rows that are there keep their checksums, which cover a value of these columns only where there is one.
    Step(
      summary: "Owners, own half-lives, adaptive ranking, imported ids, registered actions, the user's choices, wiping",
      sql: """
        ALTER TABLE actions ADD COLUMN app_is_named /* 1 if an event named the app, 0 if none did */ INTEGER;
        ALTER TABLE actions ADD COLUMN own_half_life_ns /* the app's own half-life, if it has one, */ INTEGER;
        ALTER TABLE actions ADD COLUMN own_score_value /* and the score under that one */ REAL;
        ALTER TABLE actions ADD COLUMN own_score_landmark INTEGER;
        ALTER TABLE actions ADD COLUMN decayed_counts /* 8 numbers of 4 bytes, the least byte first: decayed uses, */ BLOB;
        ALTER TABLE actions ADD COLUMN counted_at_step /* as of this step of the app */ INTEGER;
        ALTER TABLE actions ADD COLUMN list_mask /* the lists that the action stands in, a bit each */ INTEGER;
        ALTER TABLE actions ADD COLUMN shown_place /* its place among what is shown, 0 for none */ INTEGER;
        ALTER TABLE connections ADD COLUMN blocked /* uses of what is blocked */ INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE connections ADD COLUMN not_recorded /* while nothing was recorded */ INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE daemon ADD COLUMN wipe_is_owed
          /* 1 until what was forgotten is gone from every file */ INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE imported_ids (            -- as remembered_ids, of uses that were imported; not forgotten by age
          arrival INTEGER PRIMARY KEY,
          id_hash BLOB NOT NULL,
          arrived_decay_ns INTEGER NOT NULL,
          checksum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE registered_actions (
          app TEXT NOT NULL,                   -- the app that registered the action
          action TEXT NOT NULL,                -- TYPE or TYPE#TARGET
          position INTEGER NOT NULL,           -- its place among those of the app
          definition TEXT NOT NULL,            -- titles, icon and the like, a JSON object
          app_is_named INTEGER NOT NULL,       -- 1 if it stays with its app whoever owns it by its name
          checksum INTEGER NOT NULL,
          PRIMARY KEY (app, action)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE choices (                 -- what the user has decided; wall times, NULL where it is not so
          app TEXT NOT NULL,
          action TEXT NOT NULL,                -- empty for the whole app
          pinned_at_ns INTEGER,                -- when it was pinned
          pin_position INTEGER NOT NULL,       -- its place among what is pinned
          blocked_at_ns INTEGER,               -- when it was blocked: its uses are not counted
          disabled_at_ns INTEGER,              -- when it was disabled, whatever a catalogue says
          enabled_at_ns INTEGER,               -- when it was enabled, whatever a catalogue says
          app_is_named INTEGER NOT NULL,       -- 1 if it stays with its app whoever owns it by its name
          checksum INTEGER NOT NULL,
          PRIMARY KEY (app, action)
        ) STRICT, WITHOUT ROWID;
        CREATE VIEW readable_choices AS
          SELECT app, action, pin_position,
            strftime('%Y-%m-%dT%H:%M:%SZ', pinned_at_ns / 1000000000, 'unixepoch') AS pinned,
            strftime('%Y-%m-%dT%H:%M:%SZ', blocked_at_ns / 1000000000, 'unixepoch') AS blocked,
            strftime('%Y-%m-%dT%H:%M:%SZ', disabled_at_ns / 1000000000, 'unixepoch') AS disabled,
            strftime('%Y-%m-%dT%H:%M:%SZ', enabled_at_ns / 1000000000, 'unixepoch') AS enabled
          FROM choices;
        CREATE TABLE apps (                    -- what was published of an app, and how it was used since
          app TEXT NOT NULL PRIMARY KEY,
          state BLOB NOT NULL,                 -- what the ranking keeps of it
          trials INTEGER NOT NULL,             -- uses that were held against what was published
          hits INTEGER NOT NULL,               -- of these: uses of what was published
          changes INTEGER NOT NULL,            -- places in which what is published has changed
          hit_rate REAL,                       -- the part of the latest trials that were hits; NULL if not known
          checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE daily_hits (              -- the same by the day
          day INTEGER NOT NULL,                -- whole days since 1970, UTC
          app TEXT NOT NULL,                   -- the app
          trials INTEGER NOT NULL,
          hits INTEGER NOT NULL,
          changes INTEGER NOT NULL,
          checksum INTEGER NOT NULL,
          PRIMARY KEY (day, app)
        ) STRICT, WITHOUT ROWID;
        CREATE VIEW readable_daily_hits AS
          SELECT strftime('%Y-%m-%d', day * 86400, 'unixepoch') AS day, app, trials, hits, changes,
            round(1.0 * hits / nullif(trials, 0), 4) AS hit_rate
          FROM daily_hits;
        """),
    Step(
      summary: "Pending input",
      sql: """
        CREATE TABLE pending_input (           -- what has come in since the other tables were written; mostly nothing
          start_offset INTEGER PRIMARY KEY,    -- where in the intake log it begins
          intake_log INTEGER NOT NULL,         -- which intake log, as in daemon
          ring_size INTEGER NOT NULL,          -- of the part of the log that is written round and round, bytes
          input BLOB NOT NULL,                 -- the log's bytes from there on
          checksum INTEGER NOT NULL
        ) STRICT;
        """),
  ]

  /// Takes a database from version `version` to the last one, in one transaction.
  static func migrate(_ connection: Connection, from version: Int, steps: [Step] = Schema.steps) throws(StorageError) {
    guard version < steps.count else { return }
    let operation = "bring the state to version \(steps.count)"
    try connection.execute("BEGIN IMMEDIATE", operation)
    do throws(StorageError) {
      if version == 0 {
        try connection.execute("PRAGMA application_id = \(applicationID)", operation)
        try connection.execute(versionsTable, operation)
      }
      let note = try connection.prepare("INSERT INTO schema_versions VALUES (?, ?)")
      for (offset, step) in steps[version...].enumerated() {
        try connection.execute(step.sql, operation)
        note.bind(0, Int64(version + offset + 1))
        note.bind(1, text: Array(step.summary.utf8))
        try note.run()
      }
      try connection.execute("PRAGMA user_version = \(steps.count)", operation)
      try connection.execute("COMMIT", operation)
    } catch {
      try? connection.execute("ROLLBACK", operation)
      throw error
    }
  }

  /// What the tables and views are made with, one entry each, as SQLite keeps it.
  static func definitions(in connection: Connection) throws(StorageError) -> [String] {
    try connection.texts("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
  }

  /// The definitions that a sound database has.
  static func expectedDefinitions() throws(StorageError) -> [String] {
    let connection = try Connection(opening: ":memory:")
    try migrate(connection, from: 0)
    return try definitions(in: connection)
  }
}
