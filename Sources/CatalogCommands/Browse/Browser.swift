internal import CatalogModel
internal import CommandLineKit
internal import Lookup

/// The finder as a value: what happened goes in, what is to be done comes out. It knows no terminal, no network, no file
/// and no clock; whoever runs it says what time it is and does the ``Effect``s.
///
///     var effects = browser.press(.character("d"), at: now)
///     // … look on the shelf; then, when browser.deadline is over and nothing else was typed:
///     effects = browser.pass(to: now)    // [.search(…)]
struct Browser {
  /// How long nothing must be typed before a source is asked. What is on this computer is asked at once.
  static let pauseAfterTyping = Duration.seconds(1)
  /// The same after another kind was chosen, which takes one key.
  static let pauseAfterTab = Duration.milliseconds(300)
  /// The next page is asked for when the selection is this near to the end.
  static let nearEnd = 5

  /// What a person is looking for.
  struct Query: Hashable, Sendable {
    var kind: Kind
    /// Where it is looked for.
    var category: Attribute
    /// As typed, without needless blanks; empty for the four seasons.
    var words: String
    private var folded: String

    /// Nil for blanks, for which nothing is found.
    init?(_ text: String, _ kind: Kind, in category: Attribute = .all) {
      words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      guard !words.isEmpty else { return nil }
      (self.kind, self.category, folded) = (kind, category, Folding.fold(words))
    }

    /// The four seasons.
    init(seasonsOf kind: Kind, in category: Attribute) {
      (self.kind, self.category, words, folded) = (kind, category, "", "")
    }

    /// Whether it is for the four seasons.
    var isSeasonal: Bool { words.isEmpty }

    /// The same words in other capitals are the same question.
    static func == (one: Query, other: Query) -> Bool {
      one.kind == other.kind && one.category == other.category && one.folded == other.folded
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(kind)
      hasher.combine(category)
      hasher.combine(folded)
    }
  }

  /// What can be chosen beside the kind; nothing where the source that is asked knows neither.
  struct Choices {
    /// The categories of kinds that have any, ``Attribute/all`` the first.
    var categories: [Kind: [Attribute]] = [:]
    /// The kinds that are looked for by the four seasons.
    var seasonal: Set<Kind> = []
  }

  /// What a source is asked.
  struct Question: Hashable, Sendable {
    var query: Query
    /// From 1.
    var page: Int
  }

  /// What is found without asking anybody else.
  struct Surroundings {
    /// What is on the shelf, the best match first.
    var shelf: [Row] = []
    /// The source that would be asked.
    var source = ""
    /// Whether it is on this computer too.
    var isLocal = false
  }

  /// Something in the list.
  struct Row: Equatable {
    enum Section: Hashable {
      case recent, shelf
      /// The season, where the four of them were looked for.
      case source(Season?)
    }

    var section: Section
    var target: Target
    var record: Record

    /// The same thing, whatever became of the list around it.
    var id: ID {
      switch target {
      case .item(let id): ID(section: section, name: "\(id)")
      case .candidate(let candidate): ID(section: section, name: candidate.id.description)
      }
    }

    struct ID: Hashable {
      var section: Section
      var name: String
    }
  }

  /// What a person wants to be done with a row.
  struct Errand: Equatable {
    enum Verb: Equatable { case show, add, favorite, card, preview, open }

    var verb: Verb
    var row: Row
  }

  /// What is to be done now.
  enum Effect: Equatable {
    /// Say what is on this computer: ``Browser/surround(_:at:)``.
    case look(Query)
    /// Ask the source: ``Browser/receive(_:to:at:)``.
    case search(Question)
    /// What the source is asked is not wanted any more. It still has to be received, as nil when it was stopped.
    case stopSearch
    /// Do it: ``Browser/finish(_:saying:)``.
    case run(Errand)
    /// What is being fetched to be shown is not looked at any more.
    case stopErrand
    case quit
  }

  // MARK: State

  /// Where keys go.
  enum Focus: Equatable { case field, list }

  /// What the source said of a query.
  struct Found {
    /// All pages so far; for the four seasons one section each, otherwise one.
    var sections: [SearchSection]
    var page = 1
    /// Why the next page did not come.
    var moreFailure: Failure?
    /// It failed, and there is reason to ask again.
    var isToBeAskedAgain = false

    fileprivate var hasFailed: Bool { sections.contains { $0.failure != nil && $0.standIn != .source } }
    fileprivate var hasMore: Bool { sections.last?.hasMore == true }
  }

  /// Everything about one thing, over the list.
  struct Sheet: Equatable {
    var row: Row
    var lines: [String]
    /// More is on its way.
    var isLoading: Bool
    /// How many lines are above the screen.
    var scroll = 0
  }

  let tabs: [Kind]
  let choices: Choices
  var kind: Kind
  /// The category that was chosen last, by kind.
  var chosenCategories: [Kind: Attribute] = [:]
  /// Whether the four seasons stand in the place of recents, where they are looked for.
  var showsSeasons: Bool
  var field: TextField
  var focus = Focus.field
  var surroundings = Surroundings()
  /// The language of what it says by itself; nil is English.
  var translation: Translation?
  /// Recents, the last viewed first.
  var recents: [Row] = []
  private var found: [Query: Found] = [:]
  /// What the source is asked just now.
  var asked: Question?
  /// Whether it was told to stop.
  private var isStopping = false
  /// Whether it was asked before, and failed.
  private var isAskedAgain = false
  /// When what is wanted may be asked.
  var due: Duration = .zero
  var chosen: Row.ID?
  var scroll = 0
  var sheet: Sheet?
  /// How many lines of the page that explains the keys are above the screen; nil while it is not shown.
  var helpScroll: Int?
  /// What was said last.
  var message: String?
  /// Whom the sources wait for just now.
  private(set) var pause: String?
  /// What is done one after the other; the first is at work.
  var errands: [Errand] = []
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

  /// In which category of the kind words are looked for.
  var category: Attribute { chosenCategories[kind] ?? .all }

  /// What is looked for now; nil while nothing is typed and no seasons are shown.
  var query: Query? {
    Query(field.text, kind, in: category)
      ?? (showsSeasons && choices.seasonal.contains(kind) ? Query(seasonsOf: kind, in: category) : nil)
  }

  /// What the source said of it.
  var current: Found? { query.flatMap { found[$0] } }

  // MARK: Time and answers

  /// What there is to do at the start: words that were given are asked without a pause.
  mutating func start(at now: Duration) -> [Effect] { query.map { [.look($0)] } ?? [] }

  /// What is on this computer.
  mutating func surround(_ surroundings: Surroundings, at now: Duration) -> [Effect] {
    self.surroundings = surroundings
    if surroundings.isLocal { due = now }
    arrange()
    return ask(at: now)
  }

  /// What was viewed last.
  mutating func remember(_ recents: [Row]) {
    self.recents = recents
    arrange()
  }

  /// When something is to be done without anything happening: ``pass(to:)``.
  var deadline: Duration? {
    guard let wanted, asked == nil || asked != wanted && !isStopping else { return nil }
    return due
  }

  /// Time went by.
  mutating func pass(to now: Duration) -> [Effect] { ask(at: now) }

  /// What the source said, a section for each season or one; nil when it was stopped. An answer that nobody waits for any
  /// more is shown nowhere, and kept for later.
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

  /// What is to be asked next; nil when all that is needed is there or has failed.
  private var wanted: Question? {
    guard let query, surroundings.source != "" else { return nil }
    guard let found = found[query] else { return Question(query: query, page: 1) }
    if found.hasFailed { return found.isToBeAskedAgain ? Question(query: query, page: 1) : nil }
    guard found.hasMore, isNearEnd, found.moreFailure == nil || found.isToBeAskedAgain else { return nil }
    return Question(query: query, page: found.page + 1)
  }

  private var isNearEnd: Bool {
    guard focus == .list, sheet == nil, let place else { return false }
    return place >= rows.count - Self.nearEnd
  }

  /// Asks what is wanted when it is time. One question at a time: another that is under way is stopped first.
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

  /// Something else is looked for: what failed before is asked again, after a pause.
  mutating func turn(from before: Query?, pause: Duration, at now: Duration) -> [Effect] {
    guard query != before else { return [] }
    due = now + pause
    (surroundings, chosen, scroll) = (Surroundings(), nil, 0)
    retry()
    arrange()
    return query.map { [.look($0)] } ?? (asked == nil || isStopping ? [] : stop())
  }

  private mutating func stop() -> [Effect] {
    isStopping = true
    return [.stopSearch]
  }

  /// What failed may be asked once more.
  mutating func retry() {
    guard let query, let found = found[query], found.hasFailed || found.moreFailure != nil else { return }
    self.found[query]?.isToBeAskedAgain = true
  }

  // MARK: The list

  /// Everything in the list, from the top: what was viewed last while nothing is typed, and then what is found.
  var rows: [Row] { query == nil ? recents : surroundings.shelf + results }

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

  /// What a wide screen shows beside the list: what is chosen, or would be with ↓.
  var looked: Row? { paneWidth > 0 && sheet == nil && helpScroll == nil ? selected ?? rows.first : nil }

  var place: Int? { chosen.flatMap { id in rows.firstIndex { $0.id == id } } }

  /// Keeps the choice where it was while the list changes, and in sight.
  mutating func arrange() {
    // While nothing has been found yet, nothing is chosen in its place.
    if place == nil { chosen = focus == .list ? rows.first?.id : nil }
    follow()
  }

  /// Moves the choice by so many rows.
  mutating func move(by count: Int) {
    let rows = rows
    guard !rows.isEmpty else { return }
    let place = min(max(0, (place ?? 0) + count), rows.count - 1)
    chosen = rows[place].id
    follow()
  }

  // MARK: Errands

  /// An errand is done; `message` says what came of it.
  mutating func finish(_ errand: Errand, saying message: String?) -> [Effect] {
    if errands.first == errand { errands.removeFirst() }
    if let message { say(message) }
    if errand.verb == .show, sheet?.row == errand.row { sheet?.isLoading = false }
    return errands.first.map { [.run($0)] } ?? []
  }

  /// What is known of the thing that is shown.
  mutating func fill(_ lines: [String], of row: Row, isLoading: Bool) {
    guard sheet?.row == row else { return }
    sheet?.lines = lines
    sheet?.isLoading = isLoading
    scrollSheet(by: 0)
  }

  /// Says something until the next key.
  mutating func say(_ message: String) {
    self.message = message
    follow()
  }

  /// Says whom the sources wait for, as long as they do.
  mutating func wait(saying pause: String?) {
    guard pause != self.pause else { return }
    self.pause = pause
    follow()
  }

  /// Whom the sources wait for, or that one is asked again; nil where there is nothing to say of it.
  var progress: String? {
    if let pause { return pause }
    guard isAskedAgain, let asked, asked.query == query else { return nil }
    return ("Asking \(surroundings.source) again …" as Message).text(in: translation)
  }

  /// The terminal has another size.
  mutating func resize(to size: Screen.Size) {
    self.size = size
    arrange()
    scrollSheet(by: 0)
    if let scroll = helpScroll { helpScroll = max(0, min(scroll, help.count - sheetHeight)) }
  }
}

extension Browser.Found {
  /// Adds another page, or keeps why it did not come.
  fileprivate mutating func take(_ answer: SearchSection) {
    isToBeAskedAgain = false
    moreFailure = answer.failure
    guard answer.failure == nil else { return }
    page += 1
    guard var section = sections.popLast() else { return }
    let known = Set(section.candidates.map(\.id))
    section.candidates += answer.candidates.filter { !known.contains($0.id) }
    // A page without anything is the end, whatever it says.
    section.hasMore = answer.hasMore && !answer.candidates.isEmpty
    section.total = answer.total ?? section.total
    sections.append(section)
  }
}
