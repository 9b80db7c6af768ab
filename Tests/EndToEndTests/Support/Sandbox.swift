import Foundation
import SQLite
import TestSupport
import Testing

@testable import torture

/// A person's home: a folder of its own for each test, and an environment in which nothing of ours stands.
///
///     @Suite(.sandbox) struct … {
///       @Test func `…`() throws {
///         let outcome = try Sandbox.current.run("list")
final class Sandbox: Sendable {
  @TaskLocal private static var bound: Sandbox?

  static var current: Sandbox {
    get throws { try #require(bound, "the suite lacks the trait .sandbox") }
  }

  private let folder: TemporaryFolder
  var path: String { folder.path }
  var catalog: String { path("home/.local/share/catalog/catalog.db") }
  var cache: String { path("home/.cache/catalog/cache.db") }
  var configuration: String { path("home/.config/catalog/config.json") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("home"), withIntermediateDirectories: true)
  }

  func path(_ name: String) -> String { folder.path(name) }

  /// The environment of every run, before the test's changes.
  var environment: [String: String] {
    [
      "HOME": path("home"), "LANG": "C.UTF-8", "PAGER": "cat", "TERM": "xterm-256color",
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
    ]
  }

  // MARK: Running

  func run(_ words: String..., input: String = "", changing: [String: String?] = [:]) throws -> Outcome {
    try launch(words.map { Array($0.utf8) }, changing: changing).finish(input: Array(input.utf8))
  }

  func run(_ words: [String], input: String = "", changing: [String: String?] = [:]) throws -> Outcome {
    try launch(words.map { Array($0.utf8) }, changing: changing).finish(input: Array(input.utf8))
  }

  /// - Parameter changing: variables with another value, or nil to remove them.
  func launch(
    _ words: [[UInt8]], changing: [String: String?] = [:], terminal: PseudoTerminal? = nil,
    program: String = Launch.program
  ) throws -> Launch {
    var environment = environment
    for (name, value) in changing { environment[name] = value }
    return try Launch(words, environment: environment, terminal: terminal, program: program)
  }

  func launch(_ words: String..., changing: [String: String?] = [:], terminal: PseudoTerminal? = nil) throws -> Launch {
    try launch(words.map { Array($0.utf8) }, changing: changing, terminal: terminal)
  }

  // MARK: Files

  /// Writes the configuration as a person with an editor would.
  func configure(_ values: [String: String]) throws {
    let folder = String(configuration.dropLast("/config.json".count))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try JSONEncoder().encode(values).write(to: URL(fileURLWithPath: configuration))
  }

  func bytes(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

  func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

  /// A catalog with one book. The program makes it once, and each test gets a copy.
  func makeCatalog() throws {
    try FileManager.default.createDirectory(
      at: URL(filePath: catalog).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(Self.oneBook.get()).write(to: URL(filePath: catalog))
  }

  private static let oneBook = Result {
    let sandbox = try Sandbox()
    let outcome = try sandbox.run("add", "book", "--title", "토지", "--creator", "박경리", "--year", "1969")
    try #require(outcome.status == 0, "\(outcome.errors)")
    return try sandbox.bytes(of: sandbox.catalog)
  }

  /// The catalog file itself. It is opened for writing, because the changes of a killed program must be rolled back
  /// first.
  func database(at path: String? = nil) throws -> Connection {
    try Connection(.file(path ?? catalog), mode: .readWrite)
  }

  /// Checks the invariants of every catalog file.
  func expectWhole(
    _ db: Connection? = nil, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try CatalogFile.problems(of: db ?? database()) == [], comment, sourceLocation: sourceLocation)
  }

  // MARK: The trait

  struct Trait: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      guard testCase != nil else { return try await function() }
      try await Sandbox.$bound.withValue(try Sandbox()) { try await function() }
    }
  }
}

extension Trait where Self == Sandbox.Trait {
  /// A home of its own for each test.
  static var sandbox: Self { Sandbox.Trait() }
}
