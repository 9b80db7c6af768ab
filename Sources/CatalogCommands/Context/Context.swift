internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Lookup
internal import Processes
internal import SQLite

/// The environment of a command. The program makes one at start; tests make one with a catalog in memory, recorded
/// answers and a fixed clock.
struct Context {
  var globals = Globals()
  var terminal: Terminal
  /// Standard output, for results.
  var output: Output
  /// Standard error, for warnings, questions and progress.
  var errors: Output
  var environment: [String: String] = [:]
  var places: Places
  var now: @Sendable () -> Date
  /// The time of the person, which decides of which day a moment is.
  var localTime = LocalTime.utc
  /// Reads a line that the person types, without its line end; nil at the end of input.
  var readLine: () throws -> String? = { nil }
  /// Reads standard input to its end, or until it has slightly more than this number of bytes.
  var readBytes: (_ most: Int) throws -> [UInt8] = { _ in [] }
  /// Whether standard input has data or is at its end, so that reading does not block.
  var isLineReady: () -> Bool = { false }
  /// Opens the catalog. Commands call ``opened(for:)``.
  var openStore: (Store.Purpose) throws -> Store
  /// Whether there is a catalog to open. A missing one reads as an empty one, which takes time to create.
  var hasCatalog: () -> Bool = { true }
  var configuration: () throws -> Configuration = { Configuration() }
  /// The client for all sources, with all its layers.
  var http: HTTPClient
  /// The warnings of the layers below, from any thread.
  var deferredWarnings = DeferredWarnings()
  /// Receives notices in place of the terminal, for a full-screen command or a page.
  var listener: ((Notice) -> Void)?
  /// Receives reports in place of the terminal, for a page.
  var onReport: ((Report) -> Void)?
  /// Takes the whole terminal and gives it back.
  var withScreen: ((Screen) throws -> Void) throws -> Void = { _ in throw Failure("there is no screen") }
  /// The time since a fixed moment, independent of the system clock.
  var uptime: () -> Duration = Uptime.now
  /// Waits for this time.
  var pause: (Duration) throws -> Void = { try Interrupt.wait($0) }
  /// Returns a uniformly random number from 0 to `bound` - 1.
  var random: (_ bound: Int) -> Int = { Int.random(in: 0..<$0) }
  /// The client for pictures and previews; it caches pictures.
  var pictures = HTTPClient.offline
  /// The cache of answers, pictures and results of earlier runs.
  var cache = CacheDatabase(path: "")
  /// The results of the last search.
  var results: LastResults
  /// The sources that can be asked.
  var sources: [Source] { Source.all }
  /// The state of this run.
  let state = RunState()
  /// The commits of this run.
  let commits = CommitLog()
  /// The typed arguments, for lines to type instead.
  var commandLine: [String] = []
  /// Records the changes of this run as an operation in the history.
  var recording: OperationRecorder?
  /// The changes for `--json`; nil for output in lines.
  var changes: Changes?
  /// The state that the person saw when they decided; nil for a command that is typed.
  var seen: Seen?
  /// Whether success is not printed.
  var isQuiet = false
  /// The notes of a quiet command so far.
  var heldNotes = HeldNotes()
  /// Makes the context of work on another thread.
  var makeContext: Maker = { globals, _, _ in .live(globals, environment: [:]) }

  var timestamp: Timestamp { Timestamp(now()) }
  /// Today, the local day: `2026-11-21`.
  var day: String { localTime.day(of: timestamp) }
  /// The last day on which something can have been seen: `2026-11-22`.
  var lastDay: String { localTime.lastDay(timestamp) }

  /// Whether a command can use the whole terminal.
  var hasScreen: Bool {
    terminal.isInputTerminal && terminal.isOutputTerminal && environment["TERM"] != "dumb"
  }

  /// Opens the catalog, which tells days by the time of the person.
  func opened(for purpose: Store.Purpose) throws -> Store {
    let store = try openStore(purpose)
    store.localTime = localTime
    return store
  }

  /// Opens the catalog for reading and updates its index if another program wrote to it.
  func reading() throws -> Store {
    let store = try opened(for: .reading)
    if try store.hasPendingText() {
      // A catalog that cannot be written is searched with its old index.
      if let writable = try? opened(for: .writing) { try? writable.refreshIndex() }
    }
    return store
  }

  /// Opens the catalog for a change by the person, which is an operation in the history.
  func writing() throws -> Store { try keeping().recording(recording) }

  /// Opens the catalog for data that the program keeps by itself, without an operation: a shown picture, a recent view,
  /// popular movies.
  func keeping() throws -> Store { try opened(for: .writing) }

  /// Opens the catalog to read an item and record the view: opened once, writable if possible.
  func viewing() throws -> Store {
    guard let store = try? opened(for: .viewing) else { return try reading() }
    try? store.refreshIndex()
    return store
  }

  /// Opens the catalog for a command that reads first and may write then: opened once. A missing catalog reads as an
  /// empty one; ``writable(_:)`` creates it.
  func changing() throws -> Store {
    let store = try viewing()
    store.db.commits = commits
    return store.recording(recording)
  }

  /// The same catalog, writable.
  /// - Throws: ``CatalogError`` when it cannot be written.
  func writable(_ store: Store) throws -> Store { store.path != nil && store.isWritable ? store : try writing() }

  /// The kinds that get a copy when an item is added, since they are owned.
  func ownedKinds() throws -> [Kind] { try (try? configuration())?.ownedKinds() ?? Copy.usualKinds }

  // MARK: Talking

  /// The message in the language of the person.
  func text(_ message: Message) -> String { message.text(on: terminal) }

  /// Prints a message to standard error.
  func note(_ message: Message) { note(text(message)) }

  /// Prints text that is not translated to standard error.
  func note(verbatim text: String) { note(text) }

  /// - Parameter command: the first word of a command in the text that must stay on one line, to be copied.
  private func note(_ text: String, keeping command: String? = nil) {
    if let listener { return listener(.line(text)) }
    // Earlier output comes first.
    output.flushIgnoringErrors()
    // The text is for people, even in a file.
    var text = text.sanitizedLines
    if terminal.isErrorTerminal { text = text.wrappedLines(to: terminal.width, keeping: command) }
    if !heldNotes.hold(text + "\n") { try? errors.append(text + "\n") }
  }

  /// Prints a warning, in lower case, to standard error.
  func warn(_ message: Message) {
    if listener == nil { note(verbatim: "catalog: \(text(message))") } else { note(message) }
  }

  /// Prints a hint to standard error. A command in it stays in one piece, to be copied.
  func hint(_ message: Message) {
    if let listener { return listener(.hint(text("hint: \(message)"))) }
    note(text("hint: \(message)"), keeping: "catalog")
  }

  /// Prints an error and its hints.
  func note(_ failure: Failure) {
    if let listener { return listener(.failure(failure)) }
    warn(failure.message)
    if let hints = failure.hints { hint(hints) }
  }

  /// Foreign text, made safe for standard output.
  func safe(_ text: String) -> String { terminal.sanitizing.line(text) }

  /// A message with foreign text in it, in the language of the person, made safe for standard output.
  func safe(_ message: Message) -> String { safe(text(message)) }

  /// Prints a line for a person. An error of the output does not stop a command that changes something; it is printed
  /// at the end.
  /// Without the label, Swift would choose it for a literal in a nested call, which would stay English.
  func print(verbatim line: String) throws {
    if let listener { return listener(.line(line)) }
    guard changes == nil, !isQuiet else { return }
    do {
      try output.append(line + "\n")
    } catch let error as Interrupted {
      throw error
    } catch {}
  }

  /// Prints a message of the program, translated and wrapped.
  func print(_ message: Message, _ style: Style = .plain) throws {
    let words = text(message)
    try print(
      verbatim: style(terminal.isOutputTerminal ? words.wrappedLines(to: terminal.width) : words, on: terminal))
  }

  func styled(_ message: Message, _ style: Style) -> String { style(text(message), on: terminal) }

  func styled(verbatim text: String, _ style: Style) -> String { style(text, on: terminal) }

  /// Questions to the person, asked on standard error.
  var prompt: Prompt {
    tellHeldNotes()
    return Prompt(error: errors, terminal: terminal, readLine: readLine)
  }

  /// Asks whether to go on. `--yes` answers; without a terminal it fails and names that option.
  func confirm(_ question: Message) throws -> Bool {
    output.flushIgnoringErrors()
    return try globals.saysYes || prompt.confirm(question)
  }

  // MARK: Sources

  /// The settings for a request to a source: its address, the shop's country, the language, the key.
  func settings(of source: Source, country: String? = nil) throws -> SourceSettings {
    if source.asksForContact, !source.isBuiltIn { try askForContact() }
    var settings = try keylessSettings(of: source, country: country)
    settings.key = try key(of: source)
    return settings
  }

  /// The settings for a request that is sent now. Cached answers need no key.
  /// - Throws: ``Failure`` when the source requires a key and there is none.
  func settingsToAsk(_ source: Source) throws -> SourceSettings {
    let settings = try settings(of: source)
    if !globals.isOffline {
      do { try source.requireKey(settings) } catch { throw Failure(error, source: source) }
    }
    return settings
  }

  /// The settings without the key, so that no program is started.
  func keylessSettings(of source: Source, country: String? = nil) throws -> SourceSettings {
    let configuration = try configuration()
    let locale = LocaleSetting(environment: environment)
    return SourceSettings(
      baseURL: configuration["sources.\(source.id).base_url"] ?? source.defaultBaseURL,
      imageBaseURL: configuration["sources.\(source.id).image_base_url"] ?? source.defaultImageBaseURL,
      country: (country ?? configuration["locale.country"] ?? locale.territory ?? "US").uppercased(),
      language: locale.language ?? "en", place: locale.territory)
  }

  /// The order of day, month and year where the person lives.
  var dateOrder: DateOrder? {
    let locale = LocaleSetting(environment: environment)
    return DateOrder(language: locale.language, territory: locale.territory)
  }

  /// The language for amounts of money, ISO 639-1.
  var moneyLanguage: String {
    let locale = ["LC_ALL", "LC_MONETARY", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    return locale.prefix { !"_.@".contains($0) }.lowercased()
  }

  /// The first source for this kind when none is named.
  func standardSource(for kind: Kind, words: String = "", country: String? = nil) throws -> Source {
    try chain(for: kind, words: words, country: country).first ?? .itunes
  }

  /// The sources for this kind, in order; each stands in for those before it that fail.
  func chain(for kind: Kind, words: String = "", country: String? = nil) throws -> [Source] {
    let country =
      try country ?? configuration()["locale.country"] ?? LocaleSetting(environment: environment).territory ?? "US"
    return Source.chain(for: kind, words: words, country: country.uppercased(), keys: try sourcesWithKey())
  }

  /// The sources for a code, in the order in which they are asked.
  func chain(for code: Code) throws -> [Source] { Source.chain(for: code, keys: try sourcesWithKey()) }

  /// The ids of the sources that have a key.
  func sourcesWithKey() throws -> Set<String> { Set(try sources.filter { try keyOrigin(of: $0) != nil }.map(\.id)) }

  /// The source that the id belongs to; nil for an unknown one.
  func source(of id: ExternalID) -> Source? { Source.offered(id.source) }

  /// The names allowed before the colon of a reference.
  var sourceNames: [String] { Source.offered.map(\.id) }
}

/// The state of one run of the program, shared by all copies of its context.
final class RunState {
  /// Whether a part is missing because a source failed: the command did the rest, and ends with status 3.
  var hasPartialFailure = false
  /// Whether a record is not from the source that is asked first, or only in part, because that one failed.
  var hasStandIn = false
  /// Whether the person was asked for a contact, or must not be, for example because a screen is shown.
  var isContactSettled = false
  /// The keys that programs printed, by the program: a password manager is asked once.
  var keys: [String: String] = [:]
}
