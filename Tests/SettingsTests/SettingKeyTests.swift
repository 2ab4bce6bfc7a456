import Foundation
import KeyFiles
import Testing
import TestSupport

@testable import Settings

struct SettingKeyTests {
  @Test("every property has a row of its own, and every row a name of its own")
  func everyPropertyHasARow() {
    #expect(Mirror(reflecting: Settings()).children.count == SettingKey.all.count)
    #expect(Set(SettingKey.all.map { "[\($0.section)] \($0.name)" }).count == SettingKey.all.count)
    for key in SettingKey.all {
      guard let edges = key.edges else { continue }
      var settings = Settings()
      #expect(throws: Never.self) { try key.read(edges.lowest, &settings) }
      let changed = SettingKey.all.filter { $0.print(settings) != $0.print(Settings()) }
      #expect(changed.map(\.name) == [key.name])
    }
  }

  @Test("the defaults are those that users were promised")
  func defaults() {
    let settings = Settings()
    #expect(settings.halfLife == 7 * 86_400 * 1_000_000_000)
    #expect(settings.limit == 4)
    #expect(settings.maxActions == 100_000)
    #expect(settings.method == .adaptive && settings.swapMargin == 25 && settings.keepPlaces)
    #expect(!settings.onlyDefined)
    #expect(settings.snapshotInterval == 5_000_000_000)
    #expect(settings.snapshotMode == 0o640)
    #expect(settings.maxLineBytes == 4096)
    #expect(settings.maxConnections == 4096)
    #expect(settings.maxConnectionsPerUser == 1024)
    #expect(settings.storeConnections == 512)
    #expect(settings.commitInterval == 1_000_000_000)
    #expect(settings.intakeLogSize == 64 * 1024 * 1024)
    #expect(settings.largeCommit == 16_384)
    #expect(settings.rememberIDs == 86_400_000_000_000)
    #expect(settings.keepHistory == 400 * 86_400_000_000_000)
    #expect(settings.maxHistoryRows == 1024 * 1024)
    #expect(settings.record)
    #expect(settings.language.isEmpty)
  }

  @Test("every default is a value that its key takes", arguments: SettingKey.all)
  func defaultsAreAllowed(key: SettingKey) throws {
    var settings = Settings()
    try key.read(key.defaultText, &settings)
    #expect(settings == Settings())
    #expect(key.print(settings) == key.defaultText)
  }

  @Test("both ends of a range are taken from a file", arguments: SettingKey.all)
  func takesTheEnds(key: SettingKey) throws {
    guard let edges = key.edges else { return }
    for text in [edges.lowest, edges.highest] {
      let folder = try Folder()
      try folder.write("[\(key.section)]\n\(key.name)=\(text)\n", to: folder.main)
      #expect(key.print(try folder.load().settings) == text)
    }
  }

  @Test("what is just past an end is refused with place, value and range", arguments: SettingKey.all)
  func refusesWhatIsPastTheEnds(key: SettingKey) throws {
    guard let edges = key.edges else { return }
    for text in [edges.belowLowest, edges.aboveHighest].compactMap({ $0 }) {
      let folder = try Folder()
      try folder.write("[\(key.section)]\n\(key.name)=\(text)\n", to: folder.main)
      let place = "DIR/quickactions.conf:2: [\(key.section)] \(key.name)=\(text)"
      #expect(folder.errors() == ["\(place): out of range; allowed are \(key.allowed)"])
      #expect(key.allowed.hasPrefix("\(edges.lowest) to \(edges.highest)"))
    }
  }

  @Test("the sample file holds every key, commented out, at its default, and no other")
  func sampleFile() throws {
    let sample = try repositoryFile("etc/quickactions.conf")
    // Prose starts with "# ", an entry with "#" alone.
    let entries = sample.split(separator: "\n").map { line in
      line.hasPrefix("#") && line.contains("=") && !line.hasPrefix("# ") ? line.dropFirst() : line
    }
    let folder = try Folder()
    try folder.write(sample, to: folder.main)
    #expect(try folder.warnings() == [])
    #expect(try folder.load().settings == Settings())
    try folder.write(entries.joined(separator: "\n"), to: folder.main)
    #expect(try folder.warnings() == [])
    #expect(try folder.load().settings == Settings())
    let uncommented = entries.filter { !$0.hasPrefix("#") }.joined(separator: "\n")
    #expect(uncommented == Settings().rendered().split(separator: "\n").joined(separator: "\n"))
  }

  @Test("the sample file tells the range of each key right above it", arguments: SettingKey.all)
  func sampleRanges(key: SettingKey) throws {
    let sample = try repositoryFile("etc/quickactions.conf")
    #expect(sample.contains("Allowed: \(key.allowed).\n#\(key.name)=\(key.defaultText)\n"))
  }

  @Test("the reference tells default and range of every key, and of no other")
  func reference() throws {
    let rows = try repositoryFile("docs/SETTINGS.md").split(separator: "\n").filter {
      $0.hasPrefix("### [") || $0.contains("=` |")
    }
    let expected = SettingKey.sections.flatMap { section in
      ["### [\(section)]"]
        + SettingKey.keys(of: section).map { key in
          let standard = key.defaultText.isEmpty ? "none" : "`\(key.defaultText)`"
          return "| `\(key.name)=` | \(standard) | \(key.allowed) |"
        }
    }
    #expect(rows.count == expected.count)
    for (row, beginning) in zip(rows, expected) { #expect(row.hasPrefix(beginning)) }
  }

  @Test("rendered settings load back to the same, whatever they are")
  func renderedRoundTrips() throws {
    var random = SeededRandom()
    let folder = try Folder()
    for _ in 0..<200 {
      var settings = Settings()
      settings.halfLife = .random(in: DurationText.second...100 * DurationText.year, using: &random)
      settings.limit = .random(in: 1...20, using: &random)
      settings.maxActions = .random(in: 10...100_000_000, using: &random)
      settings.onlyDefined = .random(using: &random)
      settings.method = .allCases.randomElement(using: &random) ?? .fixed
      settings.swapMargin = .random(in: 0...1000, using: &random)
      settings.keepPlaces = .random(using: &random)
      settings.snapshotInterval = .random(in: 100 * DurationText.millisecond...DurationText.day, using: &random)
      settings.snapshotMode = 0o600 | .random(in: 0...0o666, using: &random) & 0o666
      settings.maxLineBytes = .random(in: 256...1 << 20, using: &random)
      settings.maxConnections = .random(in: 1...1_000_000, using: &random)
      settings.maxConnectionsPerUser = .random(in: 1...1_000_000, using: &random)
      settings.storeConnections = .random(in: 0...4096, using: &random)
      settings.commitInterval = .random(in: 100_000_000...3_600_000_000_000, using: &random)
      settings.intakeLogSize = .random(in: 4 << 20...4 << 30, using: &random)
      settings.largeCommit = .random(in: 1...100_000_000, using: &random)
      settings.rememberIDs = .random(in: 1_000_000_000...30 * 86_400_000_000_000, using: &random)
      settings.keepHistory = .random(in: 3_600_000_000_000...3_155_760_000_000_000_000, using: &random)
      settings.maxHistoryRows = .random(in: 0...1 << 30, using: &random)
      settings.record = .random(using: &random)
      settings.language = ["", "de", "pt_BR.UTF-8:zh-Hans", "sr@latin"].randomElement(using: &random) ?? ""
      try folder.write(settings.rendered(), to: folder.main)
      let loaded = try folder.load()
      #expect(loaded.settings == settings, "seed \(random.seed)")
      #expect(loaded.warnings == [])
    }
  }

  @Test("rendered settings are written as an administrator would")
  func rendered() {
    #expect(
      Settings().rendered() == """
        [Ranking]
        HalfLife=7d
        Method=adaptive
        SwapMargin=25%
        KeepPlaces=yes
        Limit=4
        MaxActions=100000
        OnlyDefined=no

        [Snapshot]
        Interval=5s
        Mode=0640

        [Intake]
        MaxLineBytes=4K
        MaxConnections=4096
        MaxConnectionsPerUser=1024
        StoreConnections=512

        [Storage]
        CommitInterval=1s
        IntakeLogSize=64M
        LargeCommit=16384
        RememberIds=1d
        KeepHistory=400d
        MaxHistoryRows=1M

        [Privacy]
        Record=yes

        [Catalogue]
        Language=

        """)
  }
}
