internal import CatalogModel
internal import Lookup

/// A possible meaning of a column, which reads its cells.
struct ColumnMapping: Sendable {
  /// The name for `--map`.
  let id: String
  let use: ColumnUse.Role
  /// Reads a non-empty cell. Returns false if it is unreadable, so that its text goes into the note.
  let read: @Sendable (String, inout RowFacts) -> Bool
  /// Returns the target for days in a known order; nil if the cells are no days.
  private(set) var inOrder: (@Sendable (Dates.Order) -> ColumnMapping)?
  /// Whether its days are of the person's life, and not of the thing.
  private(set) var isOfPerson = true
  /// Whether its cells are ratings whose scale must be determined from the cells.
  private(set) var isOfAnyScale = false

  /// - Parameter words: the description for the user: `year`.
  init(_ id: String, _ words: Message, _ read: @escaping @Sendable (String, inout RowFacts) -> Bool) {
    (self.id, use, self.read) = (id, .kept(words), read)
  }

  private init(_ id: String, use: ColumnUse.Role, _ read: @escaping @Sendable (String, inout RowFacts) -> Bool) {
    (self.id, self.use, self.read) = (id, use, read)
  }

  /// Adds the text to the note.
  static let note = ColumnMapping("note", use: .noted) { _, _ in false }
  /// Ignores the cells, for a reason in the user's words.
  static func left(_ reason: Message) -> ColumnMapping { ColumnMapping("ignore", use: .left(reason)) { _, _ in true } }
  /// Numbers that a service computes from all its users.
  static let others = left("it is the opinion of others")
  static let repeated = left("it is also in another column")
  static let inside = left("only the other program needs it")

  /// Whether a cell of a listing holds several values.
  private(set) var isList = false

  /// Returns the target for lists of ``read``'s values.
  var list: ColumnMapping {
    var target = self
    target.isList = true
    return target
  }

  /// Creates a target for a text.
  /// - Parameter written: returns the text without its markup; as it is by default.
  init(
    _ id: String, _ words: Message, as path: any WritableKeyPath<RowFacts, String?> & Sendable,
    _ written: @escaping @Sendable (String) -> String = { $0 }
  ) {
    self.init(id, words) { text, facts in
      facts[keyPath: path] = written(text)
      return true
    }
  }

  /// Creates a target for one of several texts.
  init(_ id: String, _ words: Message, in path: any WritableKeyPath<RowFacts, [String]> & Sendable) {
    self.init(id, words) { text, facts in
      facts[keyPath: path].append(text)
      return true
    }
  }

  /// Creates a target for a value.
  /// - Parameter value: reads it; nil for a cell that cannot be read.
  init<Value>(
    _ id: String, _ words: Message, _ path: any WritableKeyPath<RowFacts, Value?> & Sendable,
    _ value: @escaping @Sendable (String) -> Value?
  ) {
    self.init(id, words) { text, facts in
      guard let value = value(text) else { return Presence.isNothing(text) }
      facts[keyPath: path] = value
      return true
    }
  }

  /// Creates a target for a yes or no.
  init(_ id: String, _ words: Message, isSet path: any WritableKeyPath<RowFacts, Bool> & Sendable) {
    self.init(id, words) { text, facts in
      guard let flag = Flag.read(text) else { return false }
      facts[keyPath: path] = flag
      return true
    }
  }

  /// Returns the target for cells with several values, separated by these marks.
  func each(of marks: String = ",") -> ColumnMapping {
    if let inOrder { return eachDay(of: marks, inOrder) }
    return ColumnMapping(id, use: use) { [read] text, facts in
      Names.list(text, marks).allSatisfy { read($0, &facts) }
    }
  }

  /// Returns the target for several days. It splits only if each part is a day, since `November 12, 2020` has a comma,
  /// too.
  private func eachDay(of marks: String, _ inOrder: @escaping @Sendable (Dates.Order) -> ColumnMapping) -> ColumnMapping
  {
    var target = ColumnMapping(id, use: use) { [read] text, facts in
      func readAll(_ text: String, _ marks: String, _ facts: inout RowFacts) -> Bool {
        let parts = Names.list(text, marks)
        guard parts.count > 1 else { return read(text, &facts) }
        var trial = facts
        if parts.allSatisfy({ read($0, &trial) }) {
          facts = trial
          return true
        }
        return marks == ";" ? false : read(text, &facts)
      }
      let parts = Names.list(text, ";")
      guard parts.count > 1, marks.contains(";") else { return readAll(text, marks, &facts) }
      return parts.allSatisfy { readAll($0, marks, &facts) }
    }
    target.inOrder = { inOrder($0).each(of: marks) }
    target.isOfPerson = isOfPerson
    return target
  }

  /// Returns the target with days in this order, unless the cells show another.
  func written(_ order: DateOrder) -> ColumnMapping {
    var target = inOrder?(.numbers(order)) ?? self
    target.isOfPerson = isOfPerson
    return target
  }

  /// Returns the target for cells that the format's own code reads together with others.
  var later: ColumnMapping { ColumnMapping(id, use: use) { _, _ in true } }

  /// Returns the target with a fixed order of days, which the cells do not change.
  var asTold: ColumnMapping {
    var target = self
    target.inOrder = nil
    return target
  }

  /// Creates a target for cells that contain days and other data.
  static func ordered(
    _ id: String, _ words: Message, _ order: Dates.Order? = nil,
    _ read: @escaping @Sendable (String, Dates.Order?, inout RowFacts) -> Bool
  ) -> ColumnMapping {
    var target = ColumnMapping(id, words) { read($0, order, &$1) }
    target.inOrder = { .ordered(id, words, $0, read) }
    return target
  }

  /// Creates a target for days.
  /// - Parameters:
  ///   - isOfPerson: whether they are of the person's life, and not of the thing.
  ///   - take: stores a day.
  ///   - instead: a reader of cells without a day, which returns false for an unreadable one.
  static func day(
    _ id: String, _ words: Message, isOfPerson: Bool = true,
    instead: @escaping @Sendable (String, inout RowFacts) -> Bool = { _, _ in false },
    _ take: @escaping @Sendable (PartialDate, inout RowFacts) -> Void
  ) -> ColumnMapping {
    var target = ordered(id, words) { text, order, facts in
      let text = bare(text)
      let date =
        isOfPerson
        ? Dates.read(text, order: order, today: facts.choices.latestDay, at: facts.choices.localTime)
        : Dates.read(text, order: order, today: facts.choices.latestDay, mayBeToCome: true)
      guard let date else {
        return Presence.isNothing(text) || instead(text, &facts)
      }
      take(date, &facts)
      return true
    }
    target.isOfPerson = isOfPerson
    return target
  }

  /// Whether its cells are read behind all others.
  private(set) var isLast = false

  /// Returns the target for one of several columns with one meaning: the first value of a row stays, and another one
  /// goes into the note.
  /// - Parameter isLast: whether it is read behind the others, and fills what they leave.
  func once(isLast: Bool) -> ColumnMapping {
    var target = ColumnMapping(id, use: use) { [id, read] text, facts in
      if let first = facts.firsts[id] { return first == text }
      guard read(text, &facts) else { return false }
      facts.firsts[id] = text
      return true
    }
    if let inOrder { target.inOrder = { inOrder($0).once(isLast: isLast) } }
    (target.isOfPerson, target.isLast) = (isOfPerson, isLast)
    return target
  }

  /// Returns the target limited to one kind. For other kinds the text goes into the note.
  func only(_ kind: Kind) -> ColumnMapping {
    var target = ColumnMapping(id, use: use) { [read] text, facts in
      guard facts.kind == nil || facts.kind == kind else { return Presence.isNothing(text) }
      return read(text, &facts)
    }
    if let inOrder { target.inOrder = { inOrder($0).only(kind) } }
    target.isOfPerson = isOfPerson
    return target
  }

  /// Returns the text without brackets or spreadsheet guards: `[2019]`, `="0123456789"`.
  static func bare(_ text: String) -> String {
    var text = text[...]
    if text.hasPrefix("=") || text.hasPrefix("'") { text = text.dropFirst() }
    while let first = text.first, let last = text.last, text.count > 1,
      (first == "[" && last == "]") || (first == "\"" && last == "\"")
    {
      text = text.dropFirst().dropLast()
    }
    return String(text).trimmed
  }
}

// MARK: - Names and details

extension ColumnMapping {
  static let title = ColumnMapping("title", "title", as: \.title)
  static let subtitle = ColumnMapping("subtitle", "title", as: \.subtitle)
  static let originalTitle = ColumnMapping("original-title", "original title", as: \.originalTitle)
  static let otherTitle = ColumnMapping("other-title", "other titles", in: \.otherTitles)
  static let kind = ColumnMapping("kind", "kind") { text, facts in
    guard let kind = Kinds.read(text) else { return false }
    facts.kind = kind
    return true
  }
  /// The main makers: directors, authors or artists.
  static let creator = ColumnMapping("creator", "director, author or artist") { text, facts in
    facts.creators.append(Names.plain(text))
    return true
  }
  static func credit(_ role: Credit.Role, _ id: String? = nil) -> ColumnMapping {
    ColumnMapping(id ?? role.rawValue, "\(words: id ?? role.rawValue)") { text, facts in
      let name = Names.plain(text)
      let isMain = facts.kind.map { Credit.Role(main: $0) == role } ?? false
      if isMain { facts.creators.append(name) } else { facts.credits.append(Credit(name: name, role: role)) }
      return true
    }
  }
  static let director = credit(.director)
  static let author = credit(.author)
  static let artist = credit(.artist)
  static let translator = credit(.translator)
  static let cast = credit(.cast)
  /// Several people in a cell, possibly with their roles.
  /// - Parameter role: the role of people without one; nil for the main makers.
  static func makers(_ role: Credit.Role? = nil, _ habit: NamedPerson.Habit = .unknown) -> ColumnMapping {
    ColumnMapping(role?.rawValue ?? "creator", role.map { "\(words: $0.rawValue)" } ?? "director, author or artist") {
      text, facts in
      // Names of bands contain commas.
      guard facts.kind != .vinyl else {
        facts.creators += Names.list(text, ";").map(Names.plain)
        return true
      }
      facts.take(NamedPerson.all(in: text, habit), as: role)
      return true
    }
  }
  static let firstName = ColumnMapping("first-name", "first name", as: \.firstName) { Names.plain($0) }
  static let lastName = ColumnMapping("last-name", "last name", as: \.lastName) { Names.plain($0) }
  /// The author of a book. The writer of a film goes into the note.
  static let writer = ColumnMapping("writer", "author") { text, facts in
    guard facts.kind == .book || facts.kind == nil else { return false }
    return makers(.author).read(text, &facts)
  }
  /// The year of the first release; negative before Christ.
  static let year = ColumnMapping("year", "year", \.year) { Numbers.year($0) }
  static let released: ColumnMapping = .day("released", "release date", isOfPerson: false) { text, facts in
    guard let year = Numbers.year(text) else { return false }
    facts.year = facts.year ?? year
    return true
  } _: {
    $1.released = $0
  }
  static let summary = ColumnMapping("summary", "summary", as: \.summary) { Markup.prose(Markup.withoutRTF($0)) }
  static let url = ColumnMapping("url", "page on the web") { text, facts in
    let isAddress = text.hasPrefix("http://") || text.hasPrefix("https://")
    guard isAddress, text == PlainText.line(text), !text.contains(where: \.isWhitespace) else { return false }
    facts.url = text
    return true
  }
  static let genre = ColumnMapping("genre", "genre", in: \.labels)
  /// Genres separated by these marks. The name of a genre that contains such a mark stays whole.
  static func genres(of marks: String = ",;/|") -> ColumnMapping {
    ColumnMapping("genre", "genre") { text, facts in
      // The path of a shop is no genre: `국내도서>소설/시/희곡>한국소설`.
      if text.contains(where: { ">＞".contains($0) }) { return false }
      facts.labels += GenreNames.shipped.parts(of: text, marks)
      return true
    }
  }

  static func id(_ source: String, _ prefix: String = "") -> ColumnMapping {
    ColumnMapping(source, "id at \(source)") { text, facts in
      var value = idInAddress(text.trimmed)
      // A spreadsheet made a number of it.
      if value.hasSuffix(".0"), value.dropLast(2).allSatisfy({ $0.isASCII && $0.isNumber }) { value.removeLast(2) }
      guard (1...100).contains(value.utf8.count), value != "0",
        value.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else { return Presence.isNothing(text) }
      facts.externalIDs.append(ExternalID(source: source, value: prefix + value))
      return true
    }
  }
  /// The id in the address of a page: `249504` in `…/release/249504-Playing`.
  private static func idInAddress(_ text: String) -> String {
    guard text.contains("://"), let last = text.prefix(while: { $0 != "?" && $0 != "#" }).split(separator: "/").last
    else { return text }
    let digits = last.prefix { $0.isASCII && $0.isNumber }
    let end = last[digits.endIndex...].first
    return String(!digits.isEmpty && end.map({ "-._".contains($0) }) ?? false && last.count != 36 ? digits : last)
  }
  static let imdb = ColumnMapping("imdb", "id at imdb") { text, facts in
    let digits = text.utf8.allSatisfy { (48...57).contains($0) } && text.utf8.count <= 8
    let padded = digits ? "tt" + String(repeating: "0", count: max(0, 7 - text.count)) + text : text
    guard let id = ExternalID(imdb: padded) ?? ExternalID(imdbPage: text) else { return Presence.isNothing(text) }
    facts.externalIDs.append(id)
    return true
  }
  static let language = ColumnMapping("language", "language") { text, facts in
    let word = Names.list(text, ",;/").first ?? text
    guard let code = Language.code(named: word), facts.kind != .vinyl else { return false }
    facts.movie.language = code
    facts.book.language = facts.book.language ?? code
    return true
  }
  static let country = ColumnMapping("country", "country") { text, facts in
    let codes = Names.list(text, ",;/").compactMap(Country.code(named:))
    guard !codes.isEmpty else {
      guard facts.kind == .vinyl else { return false }
      facts.vinyl.country = PlainText.line(text)
      return true
    }
    facts.movie.countries += codes.filter { !facts.movie.countries.contains($0) }
    facts.vinyl.country = codes.first
    return facts.kind != .book
  }
  /// The season or the number of an episode: the row is a part of a series.
  static let episode = ColumnMapping("episode", "season or episode") { text, facts in
    guard facts.kind != .book, facts.kind != .vinyl else { return false }
    if !Presence.isNothing(text) { facts.isEpisode = true }
    return true
  }
  static let minutes = ColumnMapping("minutes", "running time", \.movie.minutes) { Numbers.minutes($0) }.only(.movie)
}

// MARK: - Books and records

extension ColumnMapping {
  /// One ISBN, or both forms of it.
  static let isbn = ColumnMapping("isbn", "ISBN") { text, facts in
    let text = bare(text)
    if text.isEmpty { return true }
    guard let isbn = Numbers.isbn(text, &facts) else { return false }
    facts.book.isbn = isbn
    return true
  }
  /// A second ISBN, which is ignored if there is one already or if it cannot be an ISBN.
  static let otherISBN = ColumnMapping("isbn", "ISBN") { text, facts in
    let text = bare(text)
    guard facts.book.isbn == nil, !text.isEmpty else { return true }
    facts.book.isbn = Numbers.isbn(text, &facts)
    return facts.book.isbn != nil
  }
  static let publisher = ColumnMapping("publisher", "publisher", as: \.book.publisher) { PlainText.line($0) }.only(
    .book)
  /// The publication date of this edition.
  static let published = day("published", "publication of the edition", isOfPerson: false) { text, facts in
    guard let year = Numbers.year(text) else { return false }
    facts.editionYear = year
    return true
  } _: {
    $1.book.published = $0
  }.only(.book)
  static let pages = ColumnMapping("pages", "pages", \.book.pages) { Numbers.count($0, in: 1...100_000) }.only(.book)
  static let series = ColumnMapping("series", "series", as: \.book.series) { PlainText.line($0) }.only(.book)
  static let seriesNumber = ColumnMapping("series-number", "series", \.seriesNumber) { SeriesNumber($0)?.text }.only(
    .book)
  static let barcode = ColumnMapping("barcode", "barcode") { text, facts in
    let text = bare(text)
    guard let code = Numbers.barcode(text, &facts) else { return text.isEmpty }
    if let isbn = try? ISBN(code.digits), facts.kind == .book || facts.kind == nil {
      facts.book.isbn = facts.book.isbn ?? isbn
    }
    facts.barcode = code.digits
    return true
  }
  static let label = ColumnMapping("label", "label") { text, facts in
    let names = Names.list(text, ",").map(Names.plain).withoutRepeats(by: \.self)
    // A file may have a cell for each label; the first is the main one.
    facts.vinyl.label = facts.vinyl.label ?? names.first
    facts.credits += names.map { Credit(name: $0, role: .label) }
    return true
  }.only(.vinyl)
  static let catalogNumber = ColumnMapping("catalog-number", "catalog number", as: \.vinyl.catalogNumber) {
    PlainText.line($0)
  }.only(.vinyl)
  /// The format of a copy: `LP`, `Hardcover`.
  static let format = ColumnMapping("format", "format of the copy", as: \.copy.format) { PlainText.line($0) }
  static let discs = ColumnMapping("discs", "discs", \.vinyl.discs) { Numbers.count($0, in: 1...1_000) }.only(.vinyl)
}

// MARK: - Diary and opinions

extension ColumnMapping {
  enum Scale: Sendable {
    case five, ten, hundred
    /// The notation of the cell: `9/10`, `87%`, `★★★★½`; a plain number means stars.
    case asWritten

    /// The best rating.
    var most: Int {
      switch self {
      case .five, .asWritten: 5
      case .ten: 10
      case .hundred: 100
      }
    }
  }

  static func rating(_ scale: Scale, zeroIsNone: Bool = true) -> ColumnMapping {
    let (suffix, words): (String, Message) =
      switch scale {
      case .asWritten: ("", "rating")
      case .five: ("", "rating of 5")
      case .ten: ("-10", "rating of 10")
      case .hundred: ("-100", "rating of 100")
      }
    var target = ColumnMapping("rating\(suffix)", words) { text, facts in
      if let number = Rating.number(text), number <= 0 { return number == 0 && zeroIsNone || number == -1 }
      guard let rating = try? Rating(text, outOf: scale.most) else { return Presence.isNothing(text) }
      facts.rating = rating
      return true
    }
    target.isOfAnyScale = scale == .asWritten
    return target
  }
  static let ratedOn: ColumnMapping = .day("rated", "date of the rating") { date, facts in
    facts.ratedOn = date
    // The item was in the other program by then.
    facts.addedOn = facts.addedOn ?? date
  }
  static let wishedOn: ColumnMapping = .day("wished", "date of the wish") { $1.wishedOn = $0 }
  static let review = ColumnMapping("review", "review") { text, facts in
    let prose = Markup.prose(text)
    guard !prose.isEmpty else { return true }
    facts.review = facts.review.map { $0.contains(prose) ? $0 : "\($0)\n\n\(prose)" } ?? prose
    return true
  }
  static let reviewTitle = ColumnMapping("review-title", "review") { text, facts in
    let prose = PlainText.line(Markup.prose(text))
    guard !prose.isEmpty else { return true }
    facts.review = facts.review.map { "\(prose)\n\n\($0)" } ?? prose
    return true
  }
  /// The status in the words of any program: read, reading, to be read, dropped.
  static let status = ColumnMapping("status", "status") { text, facts in
    guard let status = Status(text) else { return false }
    switch status {
    case .owned: facts.owned = max(1, facts.owned ?? 1)
    case .unread: break
    case .paused:
      // It was begun and is not finished.
      facts.status = .ongoing
      facts.note("Status", text)
    default: facts.status = status
    }
    return true
  }
  /// The status, or a pile if the text is no known status.
  static let shelf = ColumnMapping("status", "status") { text, facts in
    if !status.read(text, &facts) { facts.piles.append(Entry.PilePlace(text)) }
    return true
  }
  static let started: ColumnMapping = .day("started", "date of the beginning") { $1.started = $0 }
  static let finished: ColumnMapping = .day("finished", "date of watching or reading", instead: isDone.read) {
    $1.finished.append($0)
  }
  /// `38%` is no finished reading, and its day is that of the beginning.
  static let progress = ColumnMapping("progress", "status") { text, facts in
    let percent = text.hasSuffix("%") ? Double(text.dropLast().trimmed) : nil
    guard let status = percent.map({ $0 < 100 ? Status.ongoing : .done }) ?? Status(text) else { return false }
    facts.status = facts.status ?? status
    facts.isUnfinished = facts.isUnfinished || percent ?? 100 < 100
    return true
  }
  static let droppedOn: ColumnMapping = .day("dropped", "date on which it was dropped") { $1.dropped.append($0) }
  /// A flag that it was watched or read: `true`.
  static let isDone = ColumnMapping("done", "watched or read") { text, facts in
    guard let flag = Flag.read(text) else { return false }
    if flag { facts.status = facts.status ?? .done }
    return true
  }
  /// A flag or a day: some programs call the column of days `Watched`.
  static let isDoneOrDay: ColumnMapping = .day("done", "watched or read", instead: isDone.read) {
    $1.finished.append($0)
  }
  static let count = ColumnMapping("count", "how often") { text, facts in
    guard let count = Numbers.count(text), count >= 0 else { return Presence.isNothing(text) }
    // Such a number is no diary.
    guard count <= RowFacts.mostTimes else {
      facts.status = facts.status ?? .done
      return false
    }
    facts.count = count
    return true
  }
  /// A flag that it was not the first time: at least one was before.
  static let again = ColumnMapping("again", "how often", isSet: \.isAgain)
  static let page = ColumnMapping("page", "page where the reader is", \.page) { Numbers.count($0, in: 1...) }
  static let remark = ColumnMapping("remark", "note in the diary", as: \.remark) { Markup.prose($0) }
  static let tag = ColumnMapping("tags", "tags", in: \.tags)
  static let tags = tag.each(of: ",;|")
  static let pile = ColumnMapping("list", "lists") { text, facts in
    facts.piles.append(Entry.PilePlace(text))
    return true
  }
  static let piles = pile.each(of: ",;|")
  static let favorite = ColumnMapping("favorite", "favorites", isSet: \.isFavorite)
  static let addedOn: ColumnMapping = .day("added", "date of the addition") { $1.addedOn = $0 }
}

// MARK: - Copies

extension ColumnMapping {
  /// A flag or the number of copies: `Yes`, `2`.
  static let owned = ColumnMapping("owned", "copies") { text, facts in
    if let count = Numbers.count(text), (0...RowFacts.mostTimes).contains(count) {
      facts.owned = count
    } else if let flag = Flag.read(text) {
      facts.owned = flag ? 1 : 0
    } else {
      return false
    }
    return true
  }
  static let media = ColumnMapping("media", "grade of the record") { text, facts in
    guard let grade = Grade(typed: text), grade.isOfMedia else { return false }
    facts.copy.media = grade
    return true
  }
  static let sleeve = ColumnMapping("sleeve", "grade of the sleeve") { text, facts in
    guard let grade = Grade(typed: text) else { return false }
    facts.copy.sleeve = grade
    return true
  }
  static let place = ColumnMapping("place", "place of the copy", as: \.copy.place) { PlainText.line($0) }
  static let price = price(in: nil)
  /// - Parameter currency: the currency of the only country whose language the heading is.
  static func price(in currency: String?) -> ColumnMapping {
    ColumnMapping("price", "price of the copy") { text, facts in
      guard let price = facts.price(text, currency) else { return Presence.isNothing(text) }
      facts.copy.price = price
      return true
    }
  }
  /// The price printed on the cover.
  static func coverPrice(in currency: String? = nil) -> ColumnMapping {
    ColumnMapping("cover-price", "price on the cover") { text, facts in
      guard facts.kind == .book else { return false }
      guard let price = facts.price(text, currency) else { return Presence.isNothing(text) }
      facts.book.price = price
      return true
    }
  }
  /// The currency of the prices in the row.
  static let currency = ColumnMapping("currency", "currency", \.currency) { (try? MoneyText("1\($0)"))?.currency }
  static let acquiredOn: ColumnMapping = .day("bought", "date of the purchase") { $1.copy.acquiredOn = $0 }
  static let acquiredFrom = ColumnMapping("bought-from", "shop of the copy", as: \.copy.acquiredFrom) {
    PlainText.line($0)
  }
  static let copyNote = ColumnMapping("copy-note", "note of the copy") { text, facts in
    let prose = Markup.prose(text)
    facts.copy.note = facts.copy.note.map { "\($0)\n\(prose)" } ?? prose
    return true
  }
  static let holder = ColumnMapping("lent-to", "loan", as: \.holder)
  static let lentOn: ColumnMapping = .day("lent-on", "loan") { $1.lentOn = $0 }
  static let wishNote = ColumnMapping("wish-note", "wish") { text, facts in
    facts.wish = Wish.Terms(note: Markup.prose(text))
    return true
  }
}

// MARK: - All targets

extension ColumnMapping {
  /// The targets for `--map`, in the order in which users think of them. Cells with several names or words are split.
  static let all: [ColumnMapping] = [
    title, originalTitle, otherTitle, subtitle, kind, makers(), makers(.director), makers(.author), artist,
    makers(.translator), cast.each(of: ",;/"), year, released, isbn,
    barcode, label, catalogNumber, format, publisher, published, pages, minutes, language, country,
    genres(), series,
    seriesNumber, discs, summary, url, rating(.asWritten), rating(.ten), rating(.hundred), review, status, isDoneOrDay,
    started, finished.each(of: ",;"), droppedOn, ratedOn, wishedOn, count, again, page, remark, tags, piles, favorite,
    owned,
    place, price, currency,
    acquiredOn,
    acquiredFrom, media, sleeve, copyNote, holder, lentOn, wishNote, addedOn, imdb, id("tmdb"), id("openlibrary"),
    id("goodreads"), id("discogs"), id("musicbrainz"), note, left("as you asked"),
  ]

  static func named(_ id: String) -> ColumnMapping? { all.first { $0.id == id } }
}
