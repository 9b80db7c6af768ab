internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Lookup
internal import Processes
internal import SQLite

/// What a command needs to run. The program makes one at start; tests make theirs with a catalog in memory, recorded
/// answers and a fixed clock.
struct Context {
  var globals = Globals()
  var terminal: Terminal
  /// Results.
  var output: Output
  /// Everything else: warnings, questions, progress.
  var errors: Output
  var environment: [String: String] = [:]
  var places: Places
  var now: @Sendable () -> Date
  /// A line that the person types, without its end; nil at the end of input.
  var readLine: () throws -> String? = { nil }
  /// What standard input has to its end, or to little more than so many bytes.
  var readBytes: (_ most: Int) throws -> [UInt8] = { _ in [] }
  /// Whether something is there to be read already, or the input is at its end: nobody waits for what is done before.
  var isLineReady: () -> Bool = { false }
  /// Opens the catalog.
  var openStore: (Store.Purpose) throws -> Store
  /// Whether there is a catalog to open. One that is not there yet reads as an empty one, which takes time to make.
  var hasCatalog: () -> Bool = { true }
  var configuration: () throws -> Configuration = { Configuration() }
  /// The way to the sources, with all its layers.
  var http: HTTPClient
  /// What is said from below, on any thread.
  var notices = Notices()
  /// Hears what is said and done instead of the terminal: who has the whole screen.
  var listener: ((String) -> Void)?
  /// Takes the whole terminal and gives it back.
  var withScreen: ((Screen) throws -> Void) throws -> Void = { _ in throw Failure("there is no screen") }
  /// The time since some moment, unmoved by changes of the date.
  var uptime: () -> Duration = Uptime.now
  /// Waits for so long.
  var pause: (Duration) throws -> Void = { try Interrupt.wait($0) }
  /// A number from 0 on and below this one, each as likely as the others.
  var random: (_ bound: Int) -> Int = { Int.random(in: 0..<$0) }
  /// The way to pictures and previews, of which pictures are kept.
  var pictures = HTTPClient.offline
  /// Answers, pictures and results of earlier runs.
  var cache = CacheDatabase(path: "")
  /// The results of the last search.
  var results: LastResults
  /// The sources that can be asked.
  var sources: [Source] { Source.all }
  /// The keys that programs gave during this run.
  let commandKeys = CommandKeys()
  /// Whether the person was asked for a contact in this run, or must not be.
  let contactQuestion = ContactQuestion()
  /// What became of the changes of this run.
  let commits = CommitLog()
  /// What keeps what this run writes as a step of the history.
  var recording: StepRecording?
  /// The changes for `--json`; nil where a person reads lines.
  var changes: Changes?
  /// Whether success is not printed.
  var isQuiet = false
  /// Whether something that was added lacks a part.
  var shortfall = Shortfall()

  var timestamp: Timestamp { Timestamp(now()) }

  /// Whether a command can have the whole terminal.
  var hasScreen: Bool {
    terminal.isInputTerminal && terminal.isOutputTerminal && environment["TERM"] != "dumb"
  }

  /// The catalog for reading, its index up to date when another program wrote to it.
  func reading() throws -> Store {
    let store = try openStore(.reading)
    if try store.hasPendingText() {
      // A file that cannot be written just now is searched as far as it is indexed.
      if let writable = try? openStore(.writing) { try? writable.refreshIndex() }
    }
    return store
  }

  /// The catalog for a change of the person's: a step of the history.
  func writing() throws -> Store { try keeping().recording(recording) }

  /// The catalog for what the program keeps by itself, which is no step: a picture that was shown, what was viewed, what is popular.
  func keeping() throws -> Store { try openStore(.writing) }

  /// The catalog for reading one thing and keeping that it was viewed: opened once, for writing where that can be.
  func viewing() throws -> Store {
    guard let store = try? openStore(.viewing) else { return try reading() }
    try? store.refreshIndex()
    return store
  }

  /// The catalog for a command that looks first and may write then: opened once. One that is not there yet reads as an empty
  /// one; ``writable(_:)`` makes it.
  func changing() throws -> Store {
    let store = try viewing()
    store.db.commits = commits
    return store.recording(recording)
  }

  /// The same catalog, to be written.
  /// - Throws: ``CatalogError`` when it cannot be.
  func writable(_ store: Store) throws -> Store { store.path != nil && store.isWritable ? store : try writing() }

  /// The kinds of things that are owned when they are added.
  func ownedKinds() throws -> [Kind] { try (try? configuration())?.ownedKinds() ?? Copy.usualKinds }

  // MARK: Talking

  /// The words in the language of the person.
  func text(_ message: Message) -> String { message.text(on: terminal) }

  /// Says something beside the results.
  func note(_ message: Message) { note(text(message)) }

  /// The same for what is no words of ours.
  func note(verbatim text: String) { note(text) }

  /// - Parameter command: begins words that are copied to a shell and stay on one line.
  private func note(_ text: String, keeping command: String? = nil) {
    if let listener { return listener(text) }
    // What was printed before it stands before it.
    output.passOn()
    // People read it, if in a file of a week ago.
    var text = text.sanitizedLines
    if terminal.isErrorTerminal { text = text.wrappedLines(to: terminal.width, keeping: command) }
    try? errors.append(text + "\n")
  }

  /// Says what went otherwise than one would think, in lower case.
  func warn(_ message: Message) {
    if listener == nil { note(verbatim: "catalog: \(text(message))") } else { note(message) }
  }

  /// Says what may help. A command to be copied stays in one piece.
  func hint(_ message: Message) {
    note(text("hint: \(message)"), keeping: "catalog")
  }

  /// Says an error in words.
  func note(_ failure: Failure) {
    warn(failure.message)
    if let hints = failure.hints { hint(hints) }
  }

  /// Text from elsewhere for standard output.
  func safe(_ text: String) -> String { terminal.sanitizing.line(text) }

  /// Prints a line for a person. A command that changes something tells so while it works: a line that cannot be written does not stop
  /// it, and is said at its end.
  func print(verbatim line: String) throws {
    if let listener { return listener(line) }
    guard changes == nil, !isQuiet else { return }
    do {
      try output.append(line + "\n")
    } catch let error as Interrupted {
      throw error
    } catch {}
  }

  /// Prints words of ours.
  func print(_ message: Message, _ style: Style = .plain) throws {
    let words = text(message)
    try print(
      verbatim: style(terminal.isOutputTerminal ? words.wrappedLines(to: terminal.width) : words, on: terminal))
  }

  func styled(_ message: Message, _ style: Style) -> String { style(text(message), on: terminal) }

  func styled(verbatim text: String, _ style: Style) -> String { style(text, on: terminal) }

  /// Questions to the person, asked on standard error.
  var prompt: Prompt { Prompt(error: errors, terminal: terminal, readLine: readLine) }

  /// Asks whether to go on. `--yes` answers; without a terminal it fails and names that option.
  func confirm(_ question: Message) throws -> Bool {
    output.passOn()
    return try globals.saysYes || prompt.confirm(question)
  }

  // MARK: Sources

  /// How to ask a source: its place, the shop's country, the language, the key.
  func settings(of source: Source, country: String? = nil) throws -> SourceSettings {
    if source.asksForContact { try askForContact() }
    var settings = try keylessSettings(of: source, country: country)
    settings.key = try key(of: source)
    return settings
  }

  /// The same for a question that is asked now. What was kept needs no key.
  /// - Throws: ``Failure`` when the source answers nothing without a key, and there is none.
  func settingsToAsk(_ source: Source) throws -> SourceSettings {
    let settings = try settings(of: source)
    if !globals.isOffline {
      do { try source.requireKey(settings) } catch { throw Failure(error, source: source) }
    }
    return settings
  }

  /// The same for what does not ask: no program runs for the key.
  func keylessSettings(of source: Source, country: String? = nil) throws -> SourceSettings {
    let configuration = try configuration()
    let locale = LocaleSetting(environment: environment)
    return SourceSettings(
      baseURL: configuration["sources.\(source.id).base_url"] ?? source.defaultBaseURL,
      imageBaseURL: configuration["sources.\(source.id).image_base_url"] ?? source.defaultImageBaseURL,
      country: (country ?? configuration["locale.country"] ?? locale.territory ?? "US").uppercased(),
      language: locale.language ?? "en")
  }

  /// The language that amounts of money are written in, ISO 639-1.
  var moneyLanguage: String {
    let locale = ["LC_ALL", "LC_MONETARY", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    return locale.prefix { !"_.@".contains($0) }.lowercased()
  }

  /// The source that is asked first for things of this kind when none is named.
  func standardSource(for kind: Kind, words: String = "", country: String? = nil) throws -> Source {
    try chain(for: kind, words: words, country: country).first ?? .itunes
  }

  /// The sources that are asked for things of this kind, one while the others before it are away.
  func chain(for kind: Kind, words: String = "", country: String? = nil) throws -> [Source] {
    let country =
      try country ?? configuration()["locale.country"] ?? LocaleSetting(environment: environment).territory ?? "US"
    return Source.chain(for: kind, words: words, country: country.uppercased(), keys: try sourcesWithKey())
  }

  /// The sources that are asked for a code, one after the other.
  func chain(for code: Code) throws -> [Source] { Source.chain(for: code, keys: try sourcesWithKey()) }

  /// The ids of the sources of which there is a key.
  func sourcesWithKey() throws -> Set<String> { Set(try sources.filter { try keyOrigin(of: $0) != nil }.map(\.id)) }

  /// The source that calls a thing so, or nil when it is none of ours.
  func source(of id: ExternalID) -> Source? { Source.offered.first { $0.id == id.source } }

  /// The names that can stand before a colon in a reference.
  var sourceNames: [String] { Source.offered.map(\.id) }
}

/// Whether something lacks a part that its source failed to tell: the command did what it could, and ends with status 3.
final class Shortfall {
  var happened = false
}
