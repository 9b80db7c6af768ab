internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Lookup
internal import Processes
internal import SourceCopies

/// The event loop of a ``Browser`` on a screen: reads keys, answers and time, and performs the browser's effects.
///
/// The catalog and the screen stay in this thread; sources are asked in others.
struct BrowseSession {
  /// The number of results on each page of a search.
  static let pageSize = 20

  private let context: Context
  private let screen: Screen
  private let source: Source?
  private let country: String?
  private var browser: Browser
  /// The catalog as read for the last lookup or change.
  private var store: Store { didSet { (known, details) = ([:], [:]) } }
  /// The marks of the rows: favorite, copies and so on. `.some(nil)` for a row without marks.
  private var known: [Browser.Row.ID: String?] = [:]
  /// The action whose command asked a question just now.
  private var asked: Browser.Action?
  /// The details of the items and results that the pane has shown.
  private var details: [Browser.Row.ID: Detail] = [:]
  /// Draws covers in the pane; nil when the terminal shows no pictures.
  private let renderer: CoverRenderer?
  /// The fetched pictures of rows; an empty array once they have been requested.
  private var pictures: [Browser.Row.ID: [CaptionedPicture]] = [:]
  /// The row under the selection, and the time when its picture is requested.
  private var look: (id: Browser.Row.ID, due: Duration)?
  private var works: [Work] = []
  private let copies: CopiesAtHand
  private var isOver = false

  /// - Parameters:
  ///   - source: the only source to ask; nil for the usual ones.
  ///   - country: the country of the shops to ask.
  init(
    _ browser: Browser, source: Source?, country: String?, on screen: Screen, in context: Context
  ) throws {
    (self.browser, self.source, self.country, self.screen, self.context) = (browser, source, country, screen, context)
    copies = CopiesAtHand(in: context)
    self.browser.translation = context.terminal.translation
    renderer = try? CoverRenderer(in: context, remembers: true)
    store = try context.reading()
  }

  /// The kind that is open.
  var kind: Kind { browser.kind }

  /// Runs until the person quits.
  mutating func run() throws { try context.deferredWarnings.holding { try loop() } }

  private mutating func loop() throws {
    defer { end() }
    browser.resize(to: screen.size)
    refreshRecents()
    perform(browser.start(at: now))
    while !isOver {
      for notice in context.deferredWarnings.taken() { browser.say(notice.spoken(on: context.terminal)) }
      browser.wait(saying: context.deferredWarnings.pause?.words.map { context.text($0).capitalizedFirst })
      askForPicture()
      try draw()
      let event = try screen.next(until: deadline, watching: works.map(\.descriptor))
      if case .key(let key) = event { try handle(press(key)) } else { handle(event) }
    }
  }

  /// Performs what an event asks for, or what came behind keys: nothing where it was only that no key is waiting.
  private mutating func handle(_ event: ScreenEvent?) {
    switch event {
    case .resized: browser.resize(to: screen.size)
    case .ready(let descriptor): finishWork(descriptor)
    case .due: perform(browser.pass(to: now))
    case .ended: isOver = true
    case .key, nil: break
    }
  }

  /// Presses a key. Letters that are there already, such as a pasted text, are read to their end before their words are
  /// looked up, so that Ctrl-C behind them is heard.
  /// - Returns: the event behind the last letter.
  private mutating func press(_ key: Key) throws -> ScreenEvent? {
    var event: ScreenEvent? = .key(key)
    var effects: [Browser.Effect] = []
    while case .key(let key) = event {
      effects += browser.press(key, at: now)
      event = key.isText && browser.isTyping ? try screen.next(until: .zero) : nil
    }
    perform(
      effects.filter { effect in
        if case .look(let query) = effect { query == browser.query } else { true }
      })
    // There is no more for the moment.
    return event == .due ? nil : event
  }

  private var now: Duration { context.uptime() }
  /// Whether a search for a kind uses only what answers at every key: the pack, and earlier answers.
  private func isLocal(_ kind: Kind) -> Bool {
    source?.isBuiltIn == true || context.globals.isOffline && context.copiedSources(for: kind).isEmpty
  }

  private mutating func draw() throws {
    for row in browser.rows where known[row.id] == nil { known[row.id] = .some(marks(of: row)) }
    let (pane, pixels) = pane()
    let view = BrowserView(
      browser: browser, terminal: context.terminal, moneyLanguage: context.moneyLanguage, pane: pane
    ) { [known] in known[$0.id] ?? nil }
    try screen.show(view.lines, cursor: view.cursor, pixels: pixels)
  }

  // MARK: The pane

  /// The time on one row before its picture is requested.
  private static let pauseBeforePicture = Duration.milliseconds(300)

  /// The page of the selected row, with its first pictures on top.
  private mutating func pane() -> (lines: [String], pixels: [Screen.Pixels]) {
    guard let row = browser.looked, let detail = detail(of: row) else { return ([], []) }
    var terminal = context.terminal
    terminal.width = browser.paneWidth
    let page = detail.page(on: terminal).all
    // A cell is about twice as high as wide.
    let height = min(14, browser.listHeight / 3, browser.paneWidth / 2)
    guard height >= 3, let renderer else { return (page, []) }
    let pieces = pieces(of: row, detail, renderer)
    var strips = [try? PictureStrip(pieces, on: terminal, height: height)].compactMap(\.self)
    // Beside a wide cover there is no space for other pictures, and below it only when the list is long.
    if let first = strips.first, first.count == 1, browser.listHeight >= 24 {
      strips += [try? PictureStrip(Array(pieces.dropFirst()), on: terminal, height: height / 2)].compactMap(\.self)
    }
    var (lines, pixels): ([String], [Screen.Pixels]) = ([], [])
    for strip in strips where !strip.lines.isEmpty {
      pixels += strip.pixels.map { column, bytes in
        Screen.Pixels(
          bytes, at: .init(column: browser.listWidth + 3 + column, line: browser.listTop + lines.count),
          height: strip.lines.count)
      }
      lines += strip.lines + [""]
    }
    return (lines + page, pixels)
  }

  /// The stored details of a row; nil when they cannot be read.
  private mutating func detail(of row: Browser.Row) -> Detail? {
    if let known = details[row.id] { return known }
    guard var detail = (try? ItemDisplay(of: target(of: row, in: store), in: store))?.detail else { return nil }
    (detail.showsBack, detail.listsPictures) = (true, false)
    (detail.moneyLanguage, detail.language) = (context.moneyLanguage, context.language)
    details[row.id] = detail
    return detail
  }

  /// The stored cover and the fetched pictures of a row.
  private func pieces(of row: Browser.Row, _ detail: Detail, _ renderer: CoverRenderer) -> [PictureStrip.Piece] {
    var pieces = (pictures[row.id] ?? []).map { picture in
      picture.piece { cover, width, height in
        renderer.drawAgain("\(row.id.name) \(picture.caption)", width: width, height: height) { cover }
      }
    }
    if let item = detail.item, item.hasCover {
      // The cover is read only when it has not been drawn yet.
      let cover = PictureStrip.Piece(caption: "cover") { [store] width, height in
        renderer.drawAgain("item \(item.id)", width: width, height: height) { try store.cover(of: item.id) }
      }
      pieces.insert(cover, at: 0)
    }
    return pieces
  }

  /// Requests the pictures of the selected row after a pause.
  private mutating func askForPicture() {
    guard renderer != nil, let row = browser.looked else { return look = nil }
    if look?.id != row.id { look = (row.id, now + Self.pauseBeforePicture) }
    guard let due = pictureDue, now >= due else { return }
    pictures[row.id] = []
    let first = FirstPictures(
      cover: details[row.id]?.item?.hasCover == true ? nil : context.cover(of: row.record, in: store), of: row.record,
      in: context, numbered: findingNumbered(of: row))
    let most = PictureStrip.most(in: browser.paneWidth)
    begin(.other, { first.fetch(atMost: most) }) { session, result, _ in
      if let pictures = try? result.get() { session.pictures[row.id] = pictures }
    }
  }

  /// Finds the pictures that `show` would number: screenshots, or those of a movie when its source needs no key
  /// program.
  private func findingNumbered(of row: Browser.Row) -> @Sendable () -> [FirstPictures.Numbered] {
    guard let display = try? ItemDisplay(of: target(of: row, in: store), in: store) else { return { [] } }
    let known = display.detail.gallery
    guard let question = display.question(in: context), (try? asksProgram(for: [question.source])) == false,
      let fetch = try? question.fetching([.gallery], in: context)
    else { return { known } }
    return { (try? fetch())?.gallery?.numbered ?? known }
  }

  /// The time to request the picture of the selected row; nil when it needs none.
  private var pictureDue: Duration? {
    guard let look, pictures[look.id] == nil, let row = browser.looked, row.id == look.id else { return nil }
    let lacksCover = row.record.artworkURL != nil && details[row.id]?.item?.hasCover != true
    return lacksCover || row.record.kind == .movie || !row.record.screenshots.isEmpty ? look.due : nil
  }

  private var deadline: Duration? {
    // A source may have to wait for its rate limit, which the screen counts down.
    let tick = works.isEmpty ? nil : now + Self.tick
    return [browser.deadline, pictureDue, tick].compactMap(\.self).min()
  }

  /// The interval at which the screen updates while work is running.
  private static let tick = Duration.milliseconds(500)

  /// The marks of a row; nil when it has none.
  private func marks(of row: Browser.Row) -> String? {
    switch row.target {
    case .item(let id): context.text(store.marks(of: .same(id)))
    case .candidate(let candidate):
      (try? store.likeness(of: candidate)).flatMap { $0 }.map { context.text(store.marks(of: $0)) }
    }
  }

  // MARK: Effects

  private mutating func perform(_ effects: [Browser.Effect]) {
    for effect in effects {
      switch effect {
      case .look(let query): perform(browser.showLocalResults(localResults(of: query), at: now))
      case .search(let question): search(question)
      case .stopSearch: stop { $0 == .search }
      case .run(let action): run(action)
      case .stopAction: stop { $0 == .action }
      case .quit: isOver = true
      }
    }
  }

  /// The matches on the shelf, and the source that would be searched next.
  private mutating func localResults(of query: Browser.Query) -> Browser.LocalResults {
    var localResults = Browser.LocalResults()
    do {
      localResults.isLocal = isLocal(query.kind)
      let order = try sources(for: query)
      localResults.source = (order.first { $0.isBuiltIn || !context.globals.isOffline } ?? order.first)?.name ?? ""
      guard query.kind.isShelved, !query.isSeasonal else { return localResults }
      store = try context.reading()
      localResults.shelf = try store.search(query.words, kinds: [query.kind], limit: browser.mostOfShelf).map { id in
        Browser.Row(section: .shelf, target: .item(id), record: try store.item(id).record)
      }
      try addCopied(to: &localResults, of: query)
    } catch {
      browser.say(Failure(error).spoken(on: context.terminal))
    }
    return localResults
  }

  /// Adds the titles that the copies on this computer suggest, which takes some milliseconds.
  private func addCopied(to localResults: inout Browser.LocalResults, of query: Browser.Query) throws {
    guard query.category == .all else { return }
    let search = Search(words: query.words, kind: query.kind, pageSize: Self.pageSize)
    let found = try copies.ask(for: query.kind) { other, copy in
      source.map({ $0.id == other.id }) ?? true ? (name: other.name, titles: try copy.suggest(search).candidates) : nil
    }.filter { !$0.titles.isEmpty }
    localResults.copies = found.map(\.name)
    localResults.copied = found.flatMap(\.titles)
  }

  /// The sources that can answer a query, in the order in which they are asked.
  private func sources(for query: Browser.Query) throws -> [Source] {
    if query.isSeasonal { return [Season.source] }
    // A category is searched in the source that has it, whichever source is preferred.
    let owner = context.sources.first { $0.attributes(query.kind).contains(query.category) }
    if query.category != .all, let owner { return [owner] }
    return try context.order(at: source, for: query.kind, words: query.words, country: country)
  }

  /// Reloads the recently viewed rows.
  private mutating func refreshRecents() {
    do {
      store = try context.reading()
      let known = context.results.load()
      let rows = try store.recents().compactMap { recent -> Browser.Row? in
        guard let target = try? context.target(of: recent, in: store, known: known) else { return nil }
        return Browser.Row(section: .recent, target: target, record: try recent.record(in: store))
      }
      browser.remember(rows)
    } catch {
      browser.say(Failure(error).spoken(on: context.terminal))
    }
  }

  // MARK: Searching

  private mutating func search(_ question: Browser.Question) {
    do {
      let finder = Finder(context: context, country: country)
      let chains = try chains(for: question).map { chain in
        try withTerminal(for: chain.sources) { try finder.linked(chain) }
      }
      let questions = chains.map(\.question)
      let latest = try finder.latest()
      let ask = { @Sendable [http = context.http.until(latest)] in ChainSearch.answers(to: questions, using: http) }
      // A search without a web source needs no thread, and answers before the screen is drawn.
      if isLocal(question.query.kind) { return receive(sections(chains, ask(), question), question) }
      begin(.search, ask) { session, result, isStopped in
        guard !isStopped, let answers = try? result.get() else { return session.receive(nil, question) }
        session.receive(session.sections(chains, answers, question), question)
      }
    } catch {
      let name = (try? sources(for: question.query).first?.name) ?? ""
      let section = SearchSection(
        words: question.query.words, kind: question.query.kind, source: name, candidates: [], hasMore: false,
        failure: Failure(error))
      receive([section], question)
    }
  }

  /// The searches of a question, each with its sources: one for a page, four for the seasons.
  private func chains(for question: Browser.Question) throws -> [Finder.Chain] {
    let query = question.query
    var sources = try sources(for: query)
    if query.isSeasonal, let source = sources.first {
      let language = Season.Language(country: try context.keylessSettings(of: source, country: country).country)
      return Season.allCases.map {
        Finder.Chain(
          sources: sources, search: $0.search(query.kind, scope: query.category.scope, in: language), mayStandIn: false,
          isRanked: false)
      }
    }
    // The next page comes from the source of the first.
    if question.page > 1, let name = browser.current?.sections.first?.source {
      sources = Source.offered.filter { $0.name == name }
    }
    let search = Search(
      words: query.words, kind: query.kind, page: question.page, pageSize: Self.pageSize, scope: query.category.scope)
    return [
      Finder.Chain(
        sources: sources, search: search, isNamed: source != nil || question.page > 1, mayStandIn: question.page == 1)
    ]
  }

  private mutating func receive(_ sections: [SearchSection]?, _ question: Browser.Question) {
    perform(browser.receive(sections, to: question, at: now))
  }

  /// The sections for the answers to a question, in the order of its searches.
  private mutating func sections(
    _ chains: [Finder.Chain], _ answers: [ChainSearch.Answer], _ question: Browser.Question
  ) -> [SearchSection] {
    let told = ToldNotices()
    let finder = Finder(context: context.telling(told), country: country)
    let isSeasonal = question.query.isSeasonal
    var sections = zip(chains, answers).map(finder.section)
    finder.correct(&sections, chains)
    if let words = context.spoken(told.notices) { browser.say(words) }
    if isSeasonal { sections = zip(sections, Season.allCases).map { $0.of($1) } }
    for index in sections.indices where sections[index].standIn == .pack && sections[index].failure != nil {
      sections[index].hasMore = false
    }
    return sections
  }

  private func withTerminal<T>(for sources: [Source], _ body: () throws -> T) throws -> T {
    try asksProgram(for: sources) ? try lent(body) : try body()
  }

  /// Whether a program would have to be started to get the key of one of these sources.
  private func asksProgram(for sources: [Source]) throws -> Bool {
    try sources.contains { source in
      guard case .command(let command) = try context.keyOrigin(of: source) else { return false }
      return context.state.keys[command] == nil
    }
  }

  /// Gives the terminal to `body`. Ctrl-C there ends `body`, not the browser.
  private func lent<T>(_ body: () throws -> T) throws -> T {
    defer { if Interrupt.signal == Interrupt.controlC { Interrupt.reset() } }
    return try screen.lend(body)
  }

  // MARK: Work in other threads

  /// Work that runs in another thread.
  private struct Work {
    enum Purpose { case search, action, other }

    var purpose: Purpose
    var descriptor: Int32
    var isStopped = false
    var stop: () -> Void
    var wait: (Duration) -> Void
    /// Handles the result in this thread.
    var finish: (inout BrowseSession, _ isStopped: Bool) -> Void
  }

  private mutating func begin<Value: Sendable>(
    _ purpose: Work.Purpose, _ body: @escaping @Sendable () throws -> Value,
    then finish: @escaping (inout BrowseSession, Result<Value, any Error>, _ isStopped: Bool) -> Void
  ) {
    do {
      let work = try BackgroundWork(body)
      works.append(
        Work(
          purpose: purpose, descriptor: work.descriptor, stop: work.cancel, wait: work.wait(atMost:),
          finish: { session, isStopped in
            finish(&session, work.result ?? .failure(Interrupted()), isStopped)
          }))
    } catch {
      finish(&self, .failure(error), false)
    }
  }

  private mutating func stop(_ isMeant: (Work.Purpose) -> Bool) {
    for index in works.indices where isMeant(works[index].purpose) {
      works[index].isStopped = true
      works[index].stop()
    }
  }

  private mutating func finishWork(_ descriptor: Int32) {
    guard let index = works.firstIndex(where: { $0.descriptor == descriptor }) else { return }
    let work = works.remove(at: index)
    work.finish(&self, work.isStopped)
  }

  /// Stops all work and waits up to two seconds for each, so that no curl process is left behind.
  private mutating func end() {
    stop { _ in true }
    for work in works { work.wait(.seconds(2)) }
    works = []
  }

  // MARK: Actions

  private mutating func run(_ action: Browser.Action) {
    do {
      if action.verb == .show { try show(action) } else { try runCommand(action) }
    } catch {
      finish(action, [], error)
    }
  }

  private func target(of row: Browser.Row, in store: Store) throws -> ResolvedReference {
    // A result may have been added to the catalog since the search.
    guard case .candidate(let candidate) = row.target else { return row.target }
    return try store.itemID(of: candidate).map { .item($0) } ?? row.target
  }

  /// Shows what was told, the error last. An interrupt is not shown.
  private mutating func finish(_ action: Browser.Action, _ notices: [Notice] = [], _ error: (any Error)? = nil) {
    refreshRecents()
    let failures = error.map { $0 is Interrupted ? [] : [Notice.failure(Failure($0))] } ?? []
    perform(browser.finish(action, saying: context.spoken(notices + failures)))
  }

  // MARK: Showing

  private mutating func show(_ action: Browser.Action) throws {
    let store = try context.viewing()
    var display = try ItemDisplay(of: target(of: action.row, in: store), in: store)
    (display.detail.showsBack, display.detail.isFull) = (true, true)
    (display.detail.moneyLanguage, display.detail.language) = (context.moneyLanguage, context.language)
    browser.fill(page(of: display.detail), of: action.row, isLoading: true)
    let fetch = Result { try withTerminal(for: display.sources(in: context)) { try display.fetching(in: context) } }
    guard let fetch = try? fetch.get() else {
      return seen(&display, fetch.map { _ in nil }, in: store, action)
    }
    begin(.action, fetch) { session, result, isStopped in
      session.seen(&display, isStopped ? .success(nil) : result.map { $0 }, in: store, action)
    }
  }

  /// Shows what the source added, and records the item as viewed.
  private mutating func seen(
    _ display: inout ItemDisplay, _ news: Result<ItemDisplay.News?, any Error>, in store: Store,
    _ action: Browser.Action
  ) {
    let told = ToldNotices()
    let context = context.telling(told)
    do {
      try display.take(in: context, news.get)
      browser.fill(page(of: display.detail), of: action.row, isLoading: false)
      display.keep(in: store, context)
      if let remember = display.rememberingPicture(in: store, context) { begin(.other, remember) { _, _, _ in } }
      finish(action, told.notices)
    } catch {
      finish(action, told.notices, error)
    }
  }

  /// The lines that `show` prints, for this screen.
  private func page(of detail: Detail) -> [String] {
    var terminal = context.terminal
    terminal.width = browser.size.columns
    return detail.page(on: terminal).all
  }

  // MARK: Commands

  /// Runs the command of an action in another thread. If it asks a question, the same key again answers yes.
  private mutating func runCommand(_ action: Browser.Action) throws {
    let store = try context.reading()
    let target = try target(of: action.row, in: store)
    var candidate: Candidate?
    if case .candidate(let known) = target {
      candidate = known
      let sources = [context.source(of: known.id)].compactMap(\.self)
      // The other thread has no terminal for a program that prints a key.
      try withTerminal(for: sources) { for source in sources { _ = try context.key(of: source) } }
    }
    var words = action.verb.command + [word(for: target)] + (asked == action ? ["--yes"] : [])
    asked = nil
    var file: EditorFile?
    if action.verb == .card {
      guard let card = try lent({ try CardQuestions(context: context).ask(about: target, in: store) }) else {
        return finish(action, [.line(context.text("no card was written"))])
      }
      words += card.options
      file = card.file
    }
    switch (action.verb, candidate) {
    case (.preview, _): browser.say(context.text("Asking for the preview …"))
    case (.open, _?): browser.say(context.text("Asking for the page …"))
    case (_, let candidate?): browser.say(context.text("Adding \(candidate.record.title) …"))
    default: break
    }
    let command = BackgroundCommand(words: words + action.verb.options)
    let make = contextMaker(knowing: candidate)
    begin(.action, { command.run(in: make) }) { session, result, isStopped in
      session.take(result, of: action, isStopped: isStopped, writtenIn: file)
    }
  }

  /// The word for the target in a command line.
  private func word(for target: ResolvedReference) -> String {
    switch target {
    case .item(let id): return "\(id)"
    case .candidate(let candidate):
      let word = "\(candidate.id)"
      // The id of a source that is not offered any more is no reference.
      if case .external(candidate.id)? = try? Reference(argument: word) { return word }
      return "r1"
    }
  }

  /// Makes the context of a command in another thread: with the options of the browser and the keys that it has, but
  /// without its terminal.
  /// - Parameter candidate: the result that the command is about; its record is known even if its source fails.
  private func contextMaker(knowing candidate: Candidate?) -> Context.Maker {
    var terminal = context.terminal
    (terminal.isInputTerminal, terminal.isOutputTerminal, terminal.isErrorTerminal) = (false, false, false)
    let (make, options, keys, warnings) =
      (context.makeContext, context.globals, context.state.keys, context.deferredWarnings)
    return { [terminal] typed, language, _ in
      var globals = options
      globals.saysYes = options.saysYes || typed.saysYes
      var context = make(globals, language, warnings)
      (context.terminal, context.state.keys) = (terminal, keys)
      if let candidate { (context.results.load, context.results.save) = ({ [candidate] }, { _ in true }) }
      return context
    }
  }

  /// Shows what a command told. The address that it printed is played or opened.
  /// - Parameter file: the file with the words of the person, which stays if they were not written.
  private mutating func take(
    _ result: Result<CommandResult, any Error>, of action: Browser.Action, isStopped: Bool, writtenIn file: EditorFile?
  ) {
    var notices: [Notice] = []
    do {
      let result = try result.get()
      if result.needsYes { asked = action }
      notices = result.notices
      var error: (any Error)? = isStopped && !result.isWritten ? Interrupted() : nil
      if !result.isDone, case .failure(let failure)? = notices.last {
        notices.removeLast()
        error = error ?? failure
      }
      if result.isWritten { file?.discard() } else if let file { error = file.kept(error ?? Interrupted()) }
      if let error { throw error }
      guard action.verb.printsAddress, case .line(let address)? = notices.popLast() else {
        return finish(action, notices)
      }
      let told = ToldNotices()
      let context = context.telling(told)
      try lent {
        action.verb == .preview ? try context.play(address, of: action.row.record) : try context.open(address)
      }
      finish(action, notices + told.notices)
    } catch {
      finish(action, notices, error)
    }
  }
}

extension Browser.Action.Verb {
  /// The command of the action, before its item.
  fileprivate var command: [String] {
    switch self {
    case .show: ["show"]
    case .add: ["add"]
    case .favorite: ["favorite"]
    case .card: ["card", "add"]
    case .log: ["log"]
    case .wish: ["wish"]
    case .preview: ["preview"]
    case .open: ["open"]
    }
  }

  /// Whether the command prints an address, for a program that gets the terminal.
  fileprivate var printsAddress: Bool { self == .preview || self == .open }

  /// The options of the command.
  fileprivate var options: [String] { printsAddress ? ["--print"] : [] }
}
