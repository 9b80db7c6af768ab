internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Glibc
internal import Lookup
internal import Processes

extension Context {
  /// The context of the real program: its files, its terminal, the network.
  static func live(_ globals: Globals, environment: [String: String]) -> Context {
    var terminal = Terminal.detect(environment: environment, colorOption: globals.color, languages: SpokenLanguage.all)
    terminal.text = globals.text
    if terminal.isOutputTerminal || terminal.isErrorTerminal {
      let places = Places(environment: environment, option: globals.database, profile: globals.profile)
      let setting = (try? Configuration(path: places.configuration))?["terminal.ambiguous"]
      if setting == "wide" { terminal.drawAmbiguousWide() }
    }
    let held = HeldNotes()
    let deferredWarnings = DeferredWarnings { [translation = terminal.translation] notice in
      let lines = notice.lines.map { $0.text(in: translation) + "\n" }.joined().sanitizedLines
      if !held.hold(lines) { try? Output.standardError().append(lines) }
    }
    let line = PauseLine(on: terminal) { if !held.isHolding { try? Output.standardError().append($0) } }
    var context = connected(globals, environment: environment, on: terminal, deferredWarnings) { line.tell($0) }
    (context.output, context.errors, context.heldNotes) = (.standardOutput(), .standardError(), held)
    let output = context.output
    context.withScreen = { [terminal, state = context.state] body in
      state.isContactSettled = true
      try Screen.run(on: output, terminal: terminal, body)
    }
    // Swift's own readLine never returns after a signal.
    context.readLine = Prompt.readLine
    context.isLineReady = Prompt.isLineReady
    context.readBytes = Prompt.readBytes(atMost:)
    return context
  }

  /// The context of work on another thread: the program's, without its terminal.
  /// - Parameter language: two letters; nil for that of the locale.
  private static func besides(
    _ globals: Globals, language: String?, _ deferredWarnings: DeferredWarnings, environment: [String: String]
  ) -> Context {
    var environment = environment
    if let language {
      // The language of a browser, whatever the locale of the server.
      environment["LANGUAGE"] = language
      if LocaleSetting(environment: environment).language != nil {
        environment["LC_ALL"] = language == "ko" ? "ko_KR.UTF-8" : "en_US.UTF-8"
      }
    }
    var terminal = Terminal(isInputTerminal: false, isOutputTerminal: false, isErrorTerminal: false)
    terminal.text = globals.text
    terminal.translation = SpokenLanguage.all.first { $0.code == language }?.translation()
    return connected(globals, environment: environment, on: terminal, deferredWarnings)
  }

  /// A context with the real files and the network, whose output stays in memory.
  /// - Parameter tellPause: called when the network waits for a rate limit.
  private static func connected(
    _ globals: Globals, environment: [String: String], on terminal: Terminal, _ deferredWarnings: DeferredWarnings,
    tellPause: @escaping @Sendable (Pause.Step) -> Void = { _ in }
  ) -> Context {
    let places = Places(environment: environment, option: globals.database, profile: globals.profile)
    let cache = CacheDatabase(path: places.cache ?? "")
    let deadline = { @Sendable in (try? Configuration(path: places.configuration))?.deadline }
    let totalDeadline = { @Sendable in (try? Configuration(path: places.configuration))?.totalDeadline ?? 15 }
    let network = HTTPClient.network(
      identity: Release.identity(contact: (try? Configuration(path: places.configuration))?["contact"]),
      environment: environment,
      limits: Source.all.limits(
        hasContact: Release.identity(contact: (try? Configuration(path: places.configuration))?["contact"]).hasContact),
      policies: Source.all.policies, cache: cache, isOffline: globals.isOffline,
      isInterrupted: { Interrupt.isRequested },
      tellingPauses: { step in if !deferredWarnings.hold(step) { tellPause(step) } })
    var context = Context(
      terminal: terminal, output: .memory(), errors: .memory(), places: places, now: { Date() },
      openStore: opener(of: places, waiting: try BusyTimeout(environment).milliseconds, deferredWarnings),
      http: network.cached(in: cache, now: { Date() }).within(deadline)
        .answering(within: totalDeadline, now: { Date() }).tellingOldAnswers { id in
          let name = Source.named(id)?.name ?? id
          deferredWarnings.note(
            Failure(
              globals.isOffline
                ? "\(name) was not asked; its earlier answer is shown"
                : "\(name) could not be asked; its earlier answer is shown"))
        },
      results: .kept(in: cache))
    context.hasCatalog = { places.catalog.map { !Context.isMissing($0) } ?? true }
    context.makeContext = { .besides($0, language: $1, $2, environment: environment) }
    context.deferredWarnings = deferredWarnings
    context.localTime = .ofProcess
    context.globals = globals
    context.environment = environment
    context.configuration = { try Configuration(path: places.configuration) }
    context.cache = cache
    context.pictures = network.keepingPictures(in: context.pictureCache, now: { Date() }).within(deadline)
      .answering(within: totalDeadline, now: { Date() })
    return context
  }

  /// - Parameter milliseconds: the time to wait while another program writes.
  private static func opener(
    of places: Places, waiting milliseconds: @autoclosure @escaping () throws -> Int, _ warnings: DeferredWarnings
  ) -> (Store.Purpose) throws -> Store {
    { purpose in
      try Store.open(at: places.requiredCatalog, for: purpose, busyTimeout: try milliseconds()) {
        warnings.note(words(for: $0))
      }
    }
  }

  /// The same, for the thread that answers everybody: where another program has the catalog locked, it gives up after a
  /// moment that an ordinary change takes.
  func withoutWaiting() -> Context {
    var context = self
    context.openStore = Self.opener(of: places, waiting: 50, deferredWarnings)
    return context.supervised(mayBegin: false)
  }

  private static func words(for notice: Store.Notice) -> Failure {
    switch notice {
    case .migrated(let copy):
      Failure("the catalog was converted to the new format; the old file is kept as \(copy)")
    case .genresFollowed(let items):
      Failure(
        "this version knows what some labels mean better: \(items.counted("item has", "items have")) other genres now",
        hint: "an item's genres of your own stay; what the labels mean: catalog genre labels")
    case .empty(let path):
      Failure(
        "the catalog file \(path.quoted) is empty",
        hint: "if it should not be, put a backup in its place: ls -la \(path.folder.shellWord)")
    }
  }
}

extension LastResults {
  /// Results kept in the cache as JSON.
  static func kept(in cache: CacheDatabase) -> LastResults {
    LastResults(
      load: {
        cache.lastResults().compactMap { saved in
          (try? JSONDecoder().decode(Record.self, from: Data(saved.payload))).map {
            // A description older than a day is fetched again.
            let isWhole = saved.fetchedAt.map { abs($0.timeIntervalSinceNow) < 86_400 } ?? false
            return Candidate(
              id: ExternalID(source: saved.source, value: saved.sourceID), record: $0,
              partialFailures: isWhole ? [] : nil)
          }
        }
      },
      save: { candidates in
        let encoder = JSONEncoder()
        return cache.saveResults(
          zip(1..., candidates).map { number, candidate in
            SavedResult(
              number: number, source: candidate.id.source, sourceID: candidate.id.value,
              kind: candidate.record.kind.rawValue,
              payload: (try? encoder.encode(candidate.record)).map(Array.init) ?? [],
              fetchedAt: candidate.partialFailures == [] ? Date() : nil)
          })
      },
      complete: { id, record in
        guard let payload = try? JSONEncoder().encode(record) else { return }
        cache.completeResult(id.source, id.value, payload: Array(payload), now: Date())
      })
  }
}
