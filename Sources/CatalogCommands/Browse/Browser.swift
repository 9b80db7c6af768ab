internal import CatalogModel
internal import CommandLineKit
internal import Lookup

/// The state machine of `browse`: events go in, ``Effect``s come out. It knows no terminal, no network, no file and no
/// clock; the caller passes the time and performs the effects.
///
///     var effects = browser.press(.character("d"), at: now)
///     // … look on the shelf; then, when browser.deadline is over and nothing else was typed:
///     effects = browser.pass(to: now)    // [.search(…)]
struct Browser {
  /// The pause after the last key before a source is asked. The shelf is searched at once.
  static let pauseAfterTyping = Duration.seconds(1)
  /// The same pause after a change of the kind, which takes one key.
  static let pauseAfterTab = Duration.milliseconds(300)
  /// The next page is requested when the selection is this close to the end, in rows.
  static let nearEnd = 5

  /// A search in one kind and category.
  struct Query: Hashable, Sendable {
    var kind: Kind
    /// The category of the source, such as the artist.
    var category: Attribute
    /// The typed words with single blanks; empty for the four seasons.
    var words: String
    private var folded: String

    /// Fails for text of blanks only, which finds nothing.
    init?(_ text: String, _ kind: Kind, in category: Attribute = .all) {
      words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      guard !words.isEmpty else { return nil }
      (self.kind, self.category, folded) = (kind, category, Folding.fold(words))
    }

    /// Makes a query for the four seasons.
    init(seasonsOf kind: Kind, in category: Attribute) {
      (self.kind, self.category, words, folded) = (kind, category, "", "")
    }

    /// Whether it is for the four seasons.
    var isSeasonal: Bool { words.isEmpty }

    /// Two queries are equal when their words differ only in case.
    static func == (one: Query, other: Query) -> Bool {
      one.kind == other.kind && one.category == other.category && one.folded == other.folded
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(kind)
      hasher.combine(category)
      hasher.combine(folded)
    }
  }

  /// The categories and seasons that can be chosen for a kind; empty when the asked source has neither.
  struct Choices {
    /// The categories by kind, each list beginning with ``Attribute/all``.
    var categories: [Kind: [Attribute]] = [:]
    /// The kinds that can be searched for the four seasons.
    var seasonal: Set<Kind> = []
  }

  /// A request to a source: one page of a query.
  struct Question: Hashable, Sendable {
    var query: Query
    /// The number of the page, from 1.
    var page: Int
  }

  /// The results on this computer.
  struct LocalResults {
    /// The matches on the shelf, the best first.
    var shelf: [Row] = []
    /// The source that would be asked.
    var source = ""
    /// Whether the source is on this computer.
    var isLocal = false
    /// The best known titles in the copies of sources on this computer.
    var copied: [Candidate] = []
    /// The names of the sources that these copies are of.
    var copies: [String] = []
  }

  /// A row of the list.
  struct Row: Equatable {
    enum Section: Hashable {
      case recent, shelf
      /// The titles in copies on this computer that the source did not find.
      case copies
      /// The results of the source; with a season if the query is for the four seasons.
      case source(Season?)
    }

    var section: Section
    var target: ResolvedReference
    var record: Record

    /// The identity of the row, which stays the same when the list changes.
    var id: ID {
      switch target {
      case .item(let id): ID(section: section, name: "\(id)")
      case .candidate(let candidate):
        // A title of a copy stays the same row when the source finds it, too.
        ID(section: section == .copies ? .source(nil) : section, name: candidate.id.description)
      }
    }

    struct ID: Hashable {
      var section: Section
      var name: String
    }
  }

  /// A command that the person chose for a row.
  struct Action: Equatable {
    enum Verb: Equatable { case show, add, favorite, card, log, wish, preview, open }

    var verb: Verb
    var row: Row
  }

  /// An action for the caller.
  enum Effect: Equatable {
    /// Search the shelf, then call ``Browser/surround(_:at:)``.
    case look(Query)
    /// Ask the source, then call ``Browser/receive(_:to:at:)``.
    case search(Question)
    /// Stop the current search. Its answer still has to be received, as nil when it was stopped.
    case stopSearch
    /// Run the command, then call ``Browser/finish(_:saying:)``.
    case run(Action)
    /// Stop fetching the details of the sheet, which was closed.
    case stopAction
    case quit
  }

  // MARK: State

  /// The receiver of keys.
  enum Focus: Equatable { case field, list }

  /// The answer of the source to a query.
  struct Found {
    /// All pages so far: one section, or one for each of the four seasons.
    var sections: [SearchSection]
    var page = 1
    /// The reason why the next page failed.
    var moreFailure: Failure?
    /// Whether the failed request should be sent again.
    var isToBeAskedAgain = false

    fileprivate var hasFailed: Bool {
      sections.contains { $0.failure != nil && $0.empty.isEmpty && $0.standIn != .source }
    }
    fileprivate var hasMore: Bool { sections.last?.hasMore == true }
  }

  /// The details of one row, shown over the list.
  struct Sheet: Equatable {
    var row: Row
    var lines: [String]
    /// Whether more details are being fetched.
    var isLoading: Bool
    /// The number of lines scrolled off the top.
    var scroll = 0
  }

  let tabs: [Kind]
  let choices: Choices
  var kind: Kind
  /// The last category chosen for each kind.
  var chosenCategories: [Kind: Attribute] = [:]
  /// Whether the four seasons replace the recents, for the kinds that have them.
  var showsSeasons: Bool
  var field: TextField
  var focus = Focus.field
  var localResults = LocalResults()
  /// The language of the browser's own messages; nil is English.
  var translation: Translation?
  /// The recently viewed rows, the latest first.
  var recents: [Row] = []
  private var found: [Query: Found] = [:]
  /// The question that the source is answering now.
  var asked: Question?
  /// Whether that question was asked to stop.
  private var isStopping = false
  /// Whether that question is repeated after a failure.
  private var isAskedAgain = false
  /// The earliest time for the next question.
  var due: Duration = .zero
  var chosen: Row.ID?
  var scroll = 0
  var sheet: Sheet?
  /// The number of lines of the help page scrolled off the top; nil while it is not shown.
  var helpScroll: Int?
  /// The last message.
  var message: String?
  /// The description of the rate limit that the sources wait for now.
  private(set) var pause: String?
  /// The commands to run, one after the other; the first one is running.
  var actions: [Action] = []
  var size: Screen.Size

  init(
    _ tabs: [Kind] = Kind.allCases, choices: Choices = Choices(), kind: Kind? = nil, words: String = "",
    showsSeasons: Bool = false, size: Screen.Size
  ) {
    self.tabs = tabs
    self.choices = choices
    self.kind = kind ?? tabs.first ?? .movie
    self.showsSeasons = showsSeasons
    field = TextField(words)
    self.size = size
  }

  /// Whether a letter is typed into the field.
  var isTyping: Bool { focus == .field && sheet == nil && helpScroll == nil }

  /// The category that is searched for the open kind.
  var category: Attribute { chosenCategories[kind] ?? .all }

  /// The current query; nil while the field is empty and no seasons are shown.
  var query: Query? {
    Query(field.text, kind, in: category)
      ?? (showsSeasons && choices.seasonal.contains(kind) ? Query(seasonsOf: kind, in: category) : nil)
  }

  /// The answer to the current query.
  var current: Found? { query.flatMap { found[$0] } }

  // MARK: Time and answers

  /// The effects at the start: words that were given are searched without a pause.
  mutating func start(at now: Duration) -> [Effect] { query.map { [.look($0)] } ?? [] }

  /// Receives the results on this computer.
  mutating func showLocalResults(_ localResults: LocalResults, at now: Duration) -> [Effect] {
    self.localResults = localResults
    if localResults.isLocal { due = now }
    arrange()
    return ask(at: now)
  }

  /// Receives the recently viewed rows.
  mutating func remember(_ recents: [Row]) {
    self.recents = recents
    arrange()
  }

  /// The time of the next ``pass(to:)``; nil when there is nothing to do then.
  var deadline: Duration? {
    guard let wanted, asked == nil || asked != wanted && !isStopping else { return nil }
    return due
  }

  /// Asks the source if its pause is over.
  mutating func pass(to now: Duration) -> [Effect] { ask(at: now) }

  /// Receives the answer of the source.
  ///
  /// - Parameters:
  ///   - answer: one section, or one for each season; nil when the search was stopped. An outdated answer is not shown,
  ///     but kept for the same query.
  mutating func receive(_ answer: [SearchSection]?, to question: Question, at now: Duration) -> [Effect] {
    if asked == question { (asked, isStopping, isAskedAgain) = (nil, false, false) }
    if let answer {
      if question.page == 1 {
        found[question.query] = Found(sections: answer)
      } else if let answer = answer.first, var found = found[question.query], found.page == question.page - 1 {
        found.take(answer)
        self.found[question.query] = found
      }
    }
    arrange()
    return ask(at: now)
  }

  /// The next question; nil when all needed results are there or have failed.
  private var wanted: Question? {
    guard let query, localResults.source != "" else { return nil }
    guard let found = found[query] else { return Question(query: query, page: 1) }
    if found.hasFailed { return found.isToBeAskedAgain ? Question(query: query, page: 1) : nil }
    guard found.hasMore, isNearEnd, found.moreFailure == nil || found.isToBeAskedAgain else { return nil }
    return Question(query: query, page: found.page + 1)
  }

  private var isNearEnd: Bool {
    guard focus == .list, sheet == nil, let place else { return false }
    return place >= rows.count - Self.nearEnd
  }

  /// Asks the wanted question when it is due. Only one question runs at a time: another one is stopped first.
  mutating func ask(at now: Duration) -> [Effect] {
    guard let wanted, wanted != asked, now >= due, !isStopping else { return [] }
    guard asked == nil else {
      isStopping = true
      return [.stopSearch]
    }
    (asked, isAskedAgain) = (wanted, found[wanted.query]?.isToBeAskedAgain == true)
    found[wanted.query]?.isToBeAskedAgain = false
    follow()
    return [.search(wanted)]
  }

  /// Starts the query that replaced `before`. A request that failed before is sent again after the pause.
  mutating func turn(from before: Query?, pause: Duration, at now: Duration) -> [Effect] {
    guard query != before else { return [] }
    due = now + pause
    (localResults, chosen, scroll) = (LocalResults(), nil, 0)
    retry()
    arrange()
    return query.map { [.look($0)] } ?? (asked == nil || isStopping ? [] : stop())
  }

  private mutating func stop() -> [Effect] {
    isStopping = true
    return [.stopSearch]
  }

  /// Allows a failed request to be sent once more.
  mutating func retry() {
    guard let query, let found = found[query], found.hasFailed || found.moreFailure != nil else { return }
    self.found[query]?.isToBeAskedAgain = true
  }

  // MARK: The list

  /// All rows of the list, from the top: the recents without a query, the results with one.
  var rows: [Row] {
    guard query != nil else { return recents }
    let results = results
    return localResults.shelf + results + copied(besides: results)
  }

  /// The titles of the copies, without those among the results.
  private func copied(besides results: [Row]) -> [Row] {
    guard !localResults.copied.isEmpty else { return [] }
    func key(_ record: Record) -> String {
      "\(Folding.nameKey(record.title)) \(record.year ?? record.released?.year ?? 0)"
    }
    let ids = Set(results.map(\.id.name))
    let keys = Set(results.map { key($0.record) })
    return localResults.copied.filter { !ids.contains($0.id.description) && !keys.contains(key($0.record)) }
      .map { Row(section: .copies, target: .candidate($0), record: $0.record) }
  }

  private var results: [Row] {
    (current?.sections ?? []).flatMap { section in
      section.candidates.map { Row(section: .source(section.season), target: .candidate($0), record: $0.record) }
    }
  }

  /// The row that keys act on.
  var selected: Row? {
    if let sheet { return sheet.row }
    return place.map { rows[$0] }
  }

  /// The row that a wide screen shows beside the list: the selected one, or the first.
  var looked: Row? { paneWidth > 0 && sheet == nil && helpScroll == nil ? selected ?? rows.first : nil }

  var place: Int? { chosen.flatMap { id in rows.firstIndex { $0.id == id } } }

  /// Keeps the selected row selected and visible while the list changes.
  mutating func arrange() {
    // While the list is empty, no row is selected.
    if place == nil { chosen = focus == .list ? rows.first?.id : nil }
    follow()
  }

  /// Moves the selection by this number of rows.
  mutating func move(by count: Int) {
    let rows = rows
    guard !rows.isEmpty else { return }
    let place = min(max(0, (place ?? 0) + count), rows.count - 1)
    chosen = rows[place].id
    follow()
  }

  // MARK: Errands

  /// Removes a finished errand, shows `message`, and starts the next errand.
  mutating func finish(_ action: Action, saying message: String?) -> [Effect] {
    if actions.first == action { actions.removeFirst() }
    if let message { say(message) }
    if action.verb == .show, sheet?.row == action.row { sheet?.isLoading = false }
    return actions.first.map { [.run($0)] } ?? []
  }

  /// Shows these lines in the sheet of the row, if it is still open.
  mutating func fill(_ lines: [String], of row: Row, isLoading: Bool) {
    guard sheet?.row == row else { return }
    sheet?.lines = lines
    sheet?.isLoading = isLoading
    scrollSheet(by: 0)
  }

  /// Shows a message until the next key.
  mutating func say(_ message: String) {
    self.message = message
    follow()
  }

  /// Shows the rate limit that the sources wait for; nil hides it.
  mutating func wait(saying pause: String?) {
    guard pause != self.pause else { return }
    self.pause = pause
    follow()
  }

  /// The rate limit that the sources wait for, or a note that a source is asked again; nil without either.
  var progress: String? {
    if let pause { return pause }
    guard isAskedAgain, let asked, asked.query == query else { return nil }
    return ("Asking \(localResults.source) again …" as Message).text(in: translation)
  }

  /// Adapts to a new size of the terminal.
  mutating func resize(to size: Screen.Size) {
    self.size = size
    arrange()
    scrollSheet(by: 0)
    if let scroll = helpScroll { helpScroll = max(0, min(scroll, help.count - sheetHeight)) }
  }
}

extension Browser.Found {
  /// Appends the next page, or keeps the reason why it failed.
  fileprivate mutating func take(_ answer: SearchSection) {
    isToBeAskedAgain = false
    moreFailure = answer.failure
    guard answer.failure == nil else { return }
    page += 1
    guard var section = sections.popLast() else { return }
    let known = Set(section.candidates.map(\.id))
    section.candidates += answer.candidates.filter { !known.contains($0.id) }
    // An empty page is the last one, even when the source announces more.
    section.hasMore = answer.hasMore && !answer.candidates.isEmpty
    section.total = answer.total ?? section.total
    sections.append(section)
  }
}
