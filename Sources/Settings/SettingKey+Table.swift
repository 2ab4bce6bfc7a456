import KeyFiles

extension SettingKey {
  /// Every key there is, in the order in which they are printed; keys of one section stand together.
  package static let all: [SettingKey] = [
    SettingKey(
      "Ranking", "HalfLife", \.halfLife, default: 7 * DurationText.day, .duration(RankingRanges.halfLife)),
    SettingKey("Ranking", "Method", \.method, default: .adaptive, .choice),
    SettingKey("Ranking", "SwapMargin", \.swapMargin, default: 25, .percent(0...1000)),
    SettingKey("Ranking", "KeepPlaces", \.keepPlaces, default: true, .bool),
    SettingKey("Ranking", "Limit", \.limit, default: 4, .count(RankingRanges.limit)),
    SettingKey("Ranking", "MaxActions", \.maxActions, default: 100_000, .count(10...100_000_000)),
    SettingKey("Ranking", "OnlyDefined", \.onlyDefined, default: false, .bool),

    SettingKey(
      "Snapshot", "Interval", \.snapshotInterval, default: 5 * DurationText.second,
      .duration(100 * DurationText.millisecond...DurationText.day)),
    SettingKey("Snapshot", "Mode", \.snapshotMode, default: 0o640, .fileMode),

    SettingKey("Intake", "MaxLineBytes", \.maxLineBytes, default: 4 << 10, .size(256...1 << 20)),
    SettingKey("Intake", "MaxConnections", \.maxConnections, default: 4096, .count(1...1_000_000)),
    SettingKey("Intake", "MaxConnectionsPerUser", \.maxConnectionsPerUser, default: 1024, .count(1...1_000_000)),
    SettingKey("Intake", "StoreConnections", \.storeConnections, default: 512, .count(0...4096)),

    SettingKey(
      "Storage", "CommitInterval", \.commitInterval, default: DurationText.second,
      .duration(100 * DurationText.millisecond...DurationText.hour)),
    SettingKey("Storage", "IntakeLogSize", \.intakeLogSize, default: 64 << 20, .sizeOrNone(4 << 20...4 << 30)),
    SettingKey("Storage", "LargeCommit", \.largeCommit, default: 16_384, .count(1...100_000_000)),
    SettingKey(
      "Storage", "RememberIds", \.rememberIDs, default: DurationText.day,
      .duration(DurationText.second...30 * DurationText.day)),
    SettingKey(
      "Storage", "KeepHistory", \.keepHistory, default: 400 * DurationText.day,
      .duration(DurationText.hour...100 * DurationText.year)),
    SettingKey("Storage", "MaxHistoryRows", \.maxHistoryRows, default: 1 << 20, .size(0...1 << 30)),

    SettingKey("Privacy", "Record", \.record, default: true, .bool),

    SettingKey("Catalogue", "Language", \.language, default: "", .languages),
  ]
}
