// swift-tools-version: 6.2
import PackageDescription

// Folders are layers and imports only point down; docs/ARCHITECTURE.md holds the table that
// Tests/ArchitectureTests reads every import line against.
let package = Package(
  name: "quickactions",
  products: [
    .executable(name: "quickactionsd", targets: ["quickactionsd"]),
    .executable(name: "quickactions", targets: ["quickactions"]),
    .library(name: "QuickActionsClient", targets: ["QuickActionsClient"]),
  ],
  targets: [
    // Level 0: system libraries and the few calls that Swift's Glibc module hides.
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CPosix"),

    // Level 1.
    .target(name: "Ranking"),
    .target(name: "Wire"),
    .target(name: "Posix", dependencies: ["CPosix"]),
    .target(name: "Systemd", dependencies: ["CSystemd", "Posix"]),
    .target(name: "KeyFiles", dependencies: ["CGLib", "Posix"]),

    // Level 2: what is read from and written to disk.
    .target(name: "IntakeLog", dependencies: ["Posix", "CPosix", "Ranking"]),
    .target(name: "Histories", dependencies: ["Wire"]),
    .target(name: "Settings", dependencies: ["KeyFiles", "Posix"]),
    .target(name: "Storage", dependencies: ["CSQLite", "Ranking", "Posix"]),
    .target(name: "Catalogue", dependencies: ["KeyFiles", "Posix", "Wire"]),
    .target(name: "Snapshots", dependencies: ["Catalogue", "Ranking", "Wire", "Posix"]),
    .target(name: "Evaluation", dependencies: ["CZlib", "Ranking", "Wire", "Posix"]),

    // Level 3: wiring.
    .target(
      name: "Service",
      dependencies: [
        "Ranking", "Wire", "Posix", "Systemd", "Snapshots", "Settings", "Storage", "IntakeLog", "Catalogue", "KeyFiles",
      ]),
    .target(name: "QuickActionsClient", dependencies: ["Wire", "Posix"]),

    // Level 4: main files.
    .executableTarget(name: "quickactionsd", dependencies: ["Posix", "Service"]),
    .executableTarget(
      name: "quickactions",
      dependencies: [
        "QuickActionsClient", "Evaluation", "Histories", "Catalogue", "KeyFiles", "Ranking", "Wire", "Posix",
      ]),

    // What `make bench` sends and receives with.
    .executableTarget(name: "LoadTool", dependencies: ["Posix", "TestSupport"], path: "bench/LoadTool"),

    // What several test targets need.
    .target(name: "TestSupport", dependencies: ["Ranking"], path: "Tests/TestSupport"),
    .testTarget(name: "RankingTests", dependencies: ["Ranking", "TestSupport"]),
    // For WireTests and the fuzz target: JSON lines beside Foundation's decoder.
    .target(name: "DecoderComparison", dependencies: ["Wire"], path: "Tests/DecoderComparison"),
    .testTarget(name: "WireTests", dependencies: ["Wire", "Ranking", "DecoderComparison", "TestSupport"]),
    .testTarget(name: "PosixTests", dependencies: ["Posix", "CPosix"]),
    .testTarget(name: "SystemdTests", dependencies: ["Systemd", "Posix"]),
    .testTarget(
      name: "SnapshotsTests", dependencies: ["Snapshots", "Catalogue", "Ranking", "Wire", "Posix", "TestSupport"]),
    // A process for IntakeLogTests to kill and to measure.
    .executableTarget(
      name: "IntakeLogWorker", dependencies: ["IntakeLog", "Posix", "Ranking"], path: "Tests/IntakeLogWorker"),
    .target(name: "CTracing", path: "Tests/CTracing"),
    .testTarget(
      name: "IntakeLogTests",
      dependencies: ["IntakeLog", "IntakeLogWorker", "CTracing", "Posix", "Ranking", "TestSupport"]),
    .testTarget(name: "HistoriesTests", dependencies: ["Histories", "Wire", "TestSupport"]),
    .testTarget(name: "KeyFilesTests", dependencies: ["KeyFiles", "TestSupport"]),
    .testTarget(name: "SettingsTests", dependencies: ["Settings", "KeyFiles", "TestSupport"]),
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "Service", "Ranking", "Wire", "Posix", "Systemd", "Snapshots", "Settings", "Storage", "IntakeLog", "Catalogue",
        "KeyFiles", "TestSupport",
      ]),
    .testTarget(
      name: "ClientTests",
      dependencies: ["QuickActionsClient", "quickactions", "quickactionsd", "Wire", "Posix", "TestSupport"]),
    .testTarget(
      name: "CatalogueTests", dependencies: ["Catalogue", "KeyFiles", "Wire", "TestSupport"], exclude: ["Data"]),
    .testTarget(
      name: "EvaluationTests", dependencies: ["Evaluation", "CZlib", "Posix", "Ranking", "Wire", "TestSupport"],
      exclude: ["Traces"]),
    .testTarget(name: "StorageTests", dependencies: ["Storage", "CSQLite", "Ranking", "Posix", "TestSupport"]),
    .testTarget(name: "ArchitectureTests"),
    .testTarget(name: "ProcessTests", dependencies: ["quickactionsd", "quickactions", "TestSupport"]),
    .testTarget(name: "BootTests", dependencies: ["quickactionsd"]),
    .testTarget(name: "MachineTests", dependencies: ["quickactionsd", "LoadTool"]),
  ],
  swiftLanguageModes: [.v6]
)

// A fuzz target has no main function and would break a normal build: scripts/fuzz.sh asks for it.
if Context.environment["QUICKACTIONS_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "LineGrammarFuzz", dependencies: ["DecoderComparison", "Wire"], path: "Tests/Fuzz/LineGrammar"))
}

// The compiler is the first reviewer: the same strict settings for every Swift target.
for target in package.targets where target.type != .system && !["CPosix", "CTracing"].contains(target.name) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .treatAllWarnings(as: .error),
    ]
  if target.type != .test { target.swiftSettings?.append(.strictMemorySafety()) }
}
