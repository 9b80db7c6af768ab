// swift-tools-version: 6.2
import PackageDescription

/// Settings of every target of ours. Swift 6 language mode comes with the tools version.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "catalog",
  products: [.executable(name: "catalog", targets: ["catalog"])],
  targets: [
    // The arrows point down this list; docs/architecture.md says why.
    .executableTarget(name: "catalog", dependencies: ["CatalogCommands", "Processes"], swiftSettings: strict),
    .target(
      name: "CatalogCommands",
      dependencies: [
        "CommandLineKit", "CatalogStore", "Exchange", "Git", "Lookup", "SourceCopies", "Web", "CatalogModel",
        "Processes",
        "SQLite", "CResources",
      ],
      swiftSettings: strict),
    // The files of other programs.
    .target(
      name: "Exchange", dependencies: ["Lookup", "CatalogModel", "SQLite", "Processes", "CYAML", "CResources"],
      swiftSettings: strict),
    // Copies of whole sources, made from their published dumps.
    .target(
      name: "SourceCopies", dependencies: ["Lookup", "CatalogModel", "SQLite", "Processes"], swiftSettings: strict),
    // The program git.
    .target(name: "Git", dependencies: ["Processes"], swiftSettings: strict),
    // A server for browsers, which knows nothing of the catalog.
    .target(name: "Web", dependencies: ["Processes", "CEvent"], swiftSettings: strict),
    .target(name: "CommandLineKit", dependencies: ["Messages", "Processes", "CStart"], swiftSettings: strict),
    .target(
      name: "Lookup", dependencies: ["CatalogModel", "SQLite", "CExpat", "CResources", "Processes"],
      swiftSettings: strict),
    .target(
      name: "CatalogStore", dependencies: ["CatalogModel", "SQLite", "Migrations", "CResources", "CMD"],
      swiftSettings: strict),
    .target(name: "CatalogModel", dependencies: ["Messages", "CResources"], swiftSettings: strict),
    // Text for the user, in each language.
    .target(name: "Messages", swiftSettings: strict),
    .target(
      name: "Migrations", path: "Migrations",
      resources: [
        .embedInCode("V0001_shelves.sql"), .embedInCode("V0002_genre_analysis.sql"),
        .embedInCode("V0003_genre_editing.sql"), .embedInCode("V0004_trending.sql"),
        .embedInCode("V0005_other_titles.sql"), .embedInCode("V0006_card_order.sql"),
        .embedInCode("V0007_favorite_order.sql"), .embedInCode("V0008_beyond_chance.sql"),
        .embedInCode("V0009_label_kinds.sql"), .embedInCode("V0010_own_words.sql"),
        .embedInCode("V0011_copies.sql"), .embedInCode("V0012_diary.sql"), .embedInCode("V0013_collection.sql"),
        .embedInCode("V0014_works.sql"), .embedInCode("V0015_history.sql"), .embedInCode("V0016_imports.sql"),
        .embedInCode("V0017_devices.sql"), .embedInCode("V0018_wish_items.sql"),
        .embedInCode("V0019_newest.sql"), .embedInCode("V0020_currencies.sql"),
        .embedInCode("V0021_folded_letters.sql"), .embedInCode("V0022_said.sql"),
        .embedInCode("V0023_within_kinds.sql"), .embedInCode("V0024_dates.sql"),
        .embedInCode("V0025_search_words.sql"),
        .embedInCode("V0026_apostrophes.sql"), .embedInCode("V0027_work_keys.sql"),
        .embedInCode("V0028_names.sql"),
      ], swiftSettings: strict),
    .target(name: "SQLite", dependencies: ["CSQLite", "CPool"], swiftSettings: strict),
    // This process and those it starts: signals, pipes, threads, the clock, what the system refuses.
    .target(name: "Processes", swiftSettings: strict),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CYAML", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CEvent", providers: [.apt(["libevent-dev"])]),
    .systemLibrary(name: "CMD", providers: [.apt(["libmd-dev"])]),
    // The arguments and descriptors of the start of the program, kept before main.
    .target(name: "CStart"),
    // Memory for SQLite, where one thread uses it.
    .target(name: "CPool", dependencies: ["CSQLite"]),
    // Files compiled in with #embed, which only C has: the genre tree and the starter pack.
    .target(name: "CResources"),
    // Writes Data/pack.tsv from the lists in Data/pack.
    .executableTarget(
      name: "make-pack", dependencies: ["Lookup", "CatalogModel"], path: "Tools/make-pack", swiftSettings: strict),
    // Imitates the public services on this computer: CONTRIBUTING.md.
    .executableTarget(name: "services", dependencies: ["TestSupport"], path: "Tools/services", swiftSettings: strict),
    // Leads damaged answers through everything that reads answers: Benchmarks/README.md.
    .executableTarget(
      name: "fuzz-answers", dependencies: ["Exchange", "SourceCopies", "Lookup", "CatalogModel", "TestSupport"],
      path: "Tools/fuzz-answers",
      swiftSettings: strict),
    // Ends, crowds and starves the program, and says what it loses: Benchmarks/README.md.
    .executableTarget(
      name: "torture", dependencies: ["CatalogStore", "CatalogModel", "Git", "SQLite", "TestSupport"],
      path: "Tools/torture",
      swiftSettings: strict),
    // Shelves of an unchanged taste, and what the genre report says of them: docs/genre-mathematics.md.
    .executableTarget(
      name: "simulate", dependencies: ["CatalogStore", "SQLite"], path: "Tools/simulate", swiftSettings: strict),
    // The figures of Benchmarks/README.md, which says how to repeat them.
    .executableTarget(
      name: "catalog-benchmarks", dependencies: ["CatalogStore", "SourceCopies", "Lookup", "CatalogModel", "SQLite"],
      path: "Benchmarks/Sources",
      swiftSettings: strict),

    // Shared by test targets: a web server on loopback that misbehaves on demand.
    .target(name: "TestSupport", path: "Tests/TestSupport", exclude: ["Programs"], swiftSettings: strict),
    .testTarget(name: "MessagesTests", dependencies: ["Messages"], swiftSettings: strict),
    .testTarget(name: "ProcessesTests", dependencies: ["Processes", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "SQLiteTests", dependencies: ["SQLite"], swiftSettings: strict),
    .testTarget(
      name: "CatalogModelTests", dependencies: ["CatalogModel", "TestSupport"], exclude: ["work-pairs.txt"],
      swiftSettings: strict),
    .testTarget(
      name: "CatalogStoreTests", dependencies: ["CatalogStore", "CatalogModel", "SQLite", "simulate", "TestSupport"],
      exclude: ["Databases"], swiftSettings: strict),
    .testTarget(
      name: "LookupTests",
      dependencies: ["Lookup", "CatalogModel", "SQLite", "make-pack", "fuzz-answers", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ExchangeTests",
      dependencies: ["Exchange", "Lookup", "CatalogModel", "SQLite", "fuzz-answers", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SourceCopiesTests",
      dependencies: ["SourceCopies", "Lookup", "CatalogModel", "SQLite", "Processes", "CExpat", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "WebTests", dependencies: ["Web", "Processes", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "GitTests", dependencies: ["Git", "Processes", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "CommandLineKitTests", dependencies: ["CommandLineKit", "Processes", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "CatalogCommandsTests",
      dependencies: [
        "CatalogCommands", "CommandLineKit", "CatalogStore", "Exchange", "Git", "Lookup", "Web", "CatalogModel",
        "Processes", "SQLite", "TestSupport", "torture",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["catalog", "CatalogCommands", "CommandLineKit", "Processes", "SQLite", "TestSupport", "torture"],
      swiftSettings: strict),
  ]
)
