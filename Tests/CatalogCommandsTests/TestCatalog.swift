import CatalogModel
import CommandLineKit
import FoundationEssentials
import Lookup
import SQLite
import Synchronization
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// A catalog in memory and a program around it: recorded answers, a fixed clock, captured output.
final class TestCatalog {
  let store: Store
  var terminal = Terminal()
  var http = HTTPClient.offline
  /// The client for pictures, if it is not ``http``.
  var pictures: HTTPClient?
  var cache = CacheDatabase(path: "")
  var environment: [String: String] = [:]
  /// The warnings of the layers below.
  let deferredWarnings = DeferredWarnings()
  /// The lines that the person types.
  var input: [String] = []
  /// The bytes of standard input, for input that is no lines.
  var bytes: [UInt8] = []
  /// Called before each line of input.
  var beforeLine: () -> Void = {}
  /// Replaces the random number below a bound.
  var random: (Int) -> Int = { _ in 0 }
  /// Called when a command waits; nil to really wait.
  var pause: ((Duration) throws -> Void)?
  /// Whether all lines are there at once, and not typed one by one.
  var isPiped = false
  /// The screen for full-screen commands.
  var screen: TestScreen?
  /// The clock; each test may move it.
  var now = Date(timeIntervalSince1970: 1_795_253_400)  // 2026-11-21T09:30:00Z
  /// The time zone of the person.
  var localTime = LocalTime.utc
  private let results = TestResults()
  private(set) var configuration = Configuration(values: ["contact": "me@example.org"])
  /// Whether settings are read from the file that ``places`` names instead.
  var readsConfiguration = false
  var places = Places(environment: ["HOME": "/nonexistent"])
  /// Replaces the way in which commands open ``store``.
  var openStore: ((Store.Purpose) throws -> Store)?
  /// Replaces the way in which commands find out whether there is a catalog.
  var hasCatalog: (() -> Bool)?

  init() throws { store = try Store.empty() }

  /// A catalog in a file, which is made if it does not exist.
  init(path: String) throws {
    if !FileManager.default.fileExists(atPath: path) {
      try FileManager.default.createDirectory(atPath: path.folder, withIntermediateDirectories: true)
      try Store.empty().db.backup(to: path)
    }
    store = try Store.open(at: path, for: .writing)
  }

  /// Removes all copies, as if there had never been any.
  func forgetCopies() throws {
    try store.db.execute(script: "DELETE FROM copy; DELETE FROM sqlite_sequence WHERE name = 'copy'")
  }

  /// The output and exit status of one run.
  struct Run: Equatable {
    var output: String
    var errors: String
    var status: Int32
  }

  /// Runs the program with these words, as a shell would split them.
  @discardableResult
  func run(_ words: String...) -> Run { run(words) }

  @discardableResult
  func run(_ words: [String]) -> Run {
    let (output, errors) = (Output.memory(), Output.memory())
    let status = CatalogProgram.run(words) { context($0, output: output, errors: errors) }
    return Run(output: output.text, errors: errors.text, status: status)
  }

  /// The context for a command on this catalog.
  func context(_ globals: Globals = Globals(), output: Output = .memory(), errors: Output = .memory()) -> Context {
    var context = Context(
      terminal: terminal, output: output, errors: errors,
      places: places, now: { [now] in now }, openStore: openStore ?? { [store] _ in store }, http: http,
      results: results.lastResults)
    context.globals = globals
    context.makeContext = Besides(catalog: self).context
    if let hasCatalog { context.hasCatalog = hasCatalog }
    context.localTime = localTime
    context.deferredWarnings = deferredWarnings
    context.terminal.text = globals.text
    context.environment = environment
    context.pictures = pictures ?? http
    context.cache = cache
    context.configuration = { [configuration, places, readsConfiguration] in
      readsConfiguration ? try Configuration(path: places.configuration) : configuration
    }
    context.uptime = { [screen] in screen?.now ?? .zero }
    if let screen { context.withScreen = { try $0(screen.screen) } }
    var lines = input[...]
    context.readLine = { [beforeLine] in
      beforeLine()
      return lines.popFirst()
    }
    var rest = bytes[...]
    context.readBytes = { most in
      defer { rest = rest.dropFirst(most) }
      return Array(rest.prefix(most))
    }
    context.random = random
    if let pause { context.pause = pause }
    context.isLineReady = { [isPiped] in isPiped }
    return context
  }

  /// Sets a terminal of this width, without colour.
  func atTerminal(width: Int = 80) {
    terminal = Terminal(
      isInputTerminal: true, isOutputTerminal: true, isErrorTerminal: true, width: width, height: 24)
  }

  /// Sets the results r1, r2, ….
  func results(_ candidates: [Candidate]) { _ = results.lastResults.save(candidates) }

  func configure(_ name: String, _ value: String) throws { try configuration.set(name, to: value) }

  /// Removes the contact, as if the person had never been asked for one.
  func forgetContact() { try? configuration.set("contact", to: nil) }
}

/// Makes contexts on the thread of a command, while the test waits.
private struct Besides: @unchecked Sendable {
  let catalog: TestCatalog

  @Sendable func context(_ globals: Globals, _ language: String?, _ warnings: DeferredWarnings) -> Context {
    var context = catalog.context(globals)
    context.deferredWarnings = warnings
    context.uptime = { .zero }
    return context
  }
}

private final class TestResults: Sendable {
  private let kept = Mutex<[Candidate]>([])
  var lastResults: LastResults {
    LastResults(
      load: { self.kept.withLock { $0 } },
      save: { candidates in
        self.kept.withLock { $0 = candidates }
        return true
      })
  }
}
