public import CatalogModel
public import FoundationEssentials
internal import SQLite

/// One year with the catalog: what was added, watched, read, played and rated. docs/reports.md says what each number means.
///
/// A year is one of UTC. A card belongs to the year of its date, however precise that is, or else of its writing.
public struct YearReview: Sendable, Hashable {
  public var year: Int
  /// Whether the year is over.
  public var isOver: Bool
  public internal(set) var figures = Figures()
  /// The same of the year before.
  public internal(set) var before = Figures()

  /// What is counted of a year.
  public struct Figures: Sendable, Hashable {
    /// What was added; its ratings are those of today.
    public internal(set) var added = Tally()
    /// Cards of the year.
    public internal(set) var cards = 0
    /// The items of these cards, each once, with the rating that the year's newest card gives.
    public internal(set) var seen = Tally()
    /// Items made a favorite.
    public internal(set) var favorites = 0
    /// Items that came out in the year, whenever they were added.
    public internal(set) var released = 0
    /// January comes first.
    public internal(set) var months = Array(repeating: Month(), count: 12)
    /// Cards of which only the year is known.
    public internal(set) var cardsWithoutMonth = 0
    /// The items of ``seen`` by the nearest half star: 0, ½, 1, … 5.
    public internal(set) var histogram = Array(repeating: 0, count: RatingReport.steps)

    /// Whether nothing happened.
    public var isEmpty: Bool { added.items == 0 && cards == 0 && favorites == 0 }
  }

  public struct Month: Sendable, Hashable {
    public internal(set) var added = 0
    public internal(set) var cards = 0
  }

  /// An item, and when something was done with it.
  public struct Moment: Sendable, Hashable {
    public var item: ItemID
    /// As precise as it is known.
    public var on: PartialDate
    /// What the year's newest card gives it.
    public var rating: Rating?
  }

  /// The items rated highest; of equals the one whose card was written first.
  public internal(set) var best = Leaders<Moment>.none
  public internal(set) var firstAdded: Moment?
  public internal(set) var lastAdded: Moment?
  /// The items of the first and the last card of which the day is known.
  public internal(set) var firstSeen: Moment?
  public internal(set) var lastSeen: Moment?

  /// The genres of what was added, most items first: without headings such as Music.
  public internal(set) var genres = Leaders<Genre>.none
  /// The genres that no item added in an earlier year has, nor a genre below them, most items first; no headings. None
  /// until ``tellsNewGenres``.
  public internal(set) var newGenres: [Genre] = []
  /// Items with a genre that were added in earlier years.
  public internal(set) var earlierItems = 0
  /// Until ``GenreReport/leastBeforeNew`` items came before, nearly every genre is new.
  public var tellsNewGenres: Bool { earlierItems >= GenreReport.leastBeforeNew }

  public struct Genre: Sendable, Hashable {
    public var name: String
    /// Items added that have it or a genre below it.
    public var items: Int
    /// Of the items added that have a genre.
    public var share: Double
    /// The share in the year before; nil when nothing with a genre was added then.
    public var shareBefore: Double?
  }

  /// Who made most of what was added, at least two items each.
  public internal(set) var creators = Leaders<TallyReport<String>.Row>.none
}

extension Store {
  /// The year in review.
  /// - Parameters:
  ///   - year: 1 … 9999.
  ///   - now: decides whether the year is over.
  public func yearReview(_ year: Int, _ query: Query = Query(), now: Date) throws -> YearReview {
    let current = Int(Timestamp(now).rawValue.prefix(4)) ?? year
    var review = YearReview(year: year, isOver: year < current)
    var (selection, figures) = try figures(query)
    for item in figures.all where item.kind != nil {
      let added = Int(item.added)
      if added == year { review.figures.added.count(item) }
      if added == year - 1 { review.before.added.count(item) }
      if Int(item.year) == year { review.figures.released += 1 }
      // 0 is no year: it stands for none.
      if item.year != 0, Int(item.year) == year - 1 { review.before.released += 1 }
    }
    try readAdditions(of: &review, selection)
    try readCards(of: &review, selection, &figures)
    try db.forEach("SELECT item_id, added_at FROM favorite\(selection.narrow) ORDER BY item_id") { row in
      guard figures.place(of: row.integer(0)) != nil else { return true }
      let added = row.withText(1) { $0.count >= 4 ? Self.year($0) : 0 }
      if added == year { review.figures.favorites += 1 }
      if added == year - 1 { review.before.favorites += 1 }
      return true
    }
    if review.figures.added.items > 0 {
      try readGenres(of: &review, query)
      // Nothing but what was added in the year.
      for place in 0..<figures.count where Int(figures[place].added) != year { figures[place].kind = nil }
      review.creators = Leaders(of: try tallyCreators(selection, figures).rows.prefix { $0.tally.items > 1 }) {
        $0.tally.items
      }
    }
    return review
  }

  /// What was added in each month, first and last.
  private func readAdditions(of review: inout YearReview, _ selection: Selection) throws {
    let (year, times) = (review.year, YearText(review.year))
    var first: (time: [UInt8], id: Int64)?
    var last: (time: [UInt8], id: Int64)?
    try db.forEach(
      """
      SELECT id, created_at FROM item WHERE created_at BETWEEN \(times.startBefore) AND \(times.end)
        AND (\(selection.condition ?? "true")) ORDER BY id
      """
    ) { row in
      row.withText(1) { time in
        guard time.count >= 10, case let month = Self.month(time), (1...12).contains(month) else { return }
        guard Self.year(time) == year else { return review.before.months[month - 1].added += 1 }
        review.figures.months[month - 1].added += 1
        if first.map({ time.lexicographicallyPrecedes($0.time) }) ?? true { first = (Array(time), row.integer(0)) }
        if last.map({ !time.lexicographicallyPrecedes($0.time) }) ?? true { last = (Array(time), row.integer(0)) }
      }
      return true
    }
    func moment(_ found: (time: [UInt8], id: Int64)?) -> YearReview.Moment? {
      found.flatMap { found in
        PartialDate(String(decoding: found.time.prefix(10), as: UTF8.self))
          .map { YearReview.Moment(item: ItemID(rawValue: found.id), on: $0) }
      }
    }
    (review.firstAdded, review.lastAdded) = (moment(first), moment(last))
  }

  // MARK: Cards

  private func readCards(
    of review: inout YearReview, _ selection: Selection, _ figures: inout ItemTable<ItemFigures>
  ) throws {
    let times = YearText(review.year)
    let narrow: SQL = selection.narrow.text.isEmpty ? " WHERE true" : selection.narrow
    var reader = CardReader(year: review.year)
    try db.forEach(
      """
      SELECT item_id, id, rating, scale, seen_on, created_at FROM card\(narrow)
        AND coalesce(seen_on, created_at) BETWEEN \(times.startBefore) AND \(times.end)
      ORDER BY item_id, id
      """
    ) { row in
      guard let place = figures.place(of: row.integer(0)), figures[place].kind != nil else { return true }
      reader.read(row, of: figures[place], into: &review)
      return true
    }
    reader.finish(&review)
  }

  // MARK: Genres

  private func readGenres(of review: inout YearReview, _ query: Query) throws {
    let matrix = try genreMatrix(query, by: .yearAdded)
    func place(_ year: Int) -> Int? { matrix.buckets.firstIndex { $0.value == .number(year) } }
    func share(_ row: GenreMatrix.Row, _ place: Int) -> Double? {
      let items = matrix.buckets[place].itemsWithGenre
      return items > 0 ? Double(row.counts[place]) / Double(items) : nil
    }
    let (current, before) = (place(review.year), place(review.year - 1))
    var genres: [YearReview.Genre] = []
    review.earlierItems = matrix.buckets.prefix(current ?? 0).reduce(0) { $0 + $1.itemsWithGenre }
    if let current {
      for row in matrix.rows where !row.isHeading && row.counts[current] > 0 {
        let genre = YearReview.Genre(
          name: row.genre, items: row.counts[current], share: share(row, current) ?? 0,
          shareBefore: before.flatMap { share(row, $0) })
        genres.append(genre)
        // The years come in order.
        if review.tellsNewGenres, row.counts[..<current].allSatisfy({ $0 == 0 }) { review.newGenres.append(genre) }
      }
    }
    genres.sort { ($1.items, $0.name) < ($0.items, $1.name) }
    review.newGenres.sort { ($1.items, $0.name) < ($0.items, $1.name) }
    review.genres = Leaders(of: genres, by: \.items)
  }

  /// The month of a time or date of at least seven characters.
  fileprivate static func month(_ text: some RandomAccessCollection<UInt8>) -> Int {
    text.dropFirst(5).prefix(2).reduce(0) { $0 * 10 + Int($1 & 15) }
  }
}

/// What times and dates of a year, and of the year before, lie between as texts.
struct YearText {
  var start: String
  var startBefore: String
  /// Behind every text that begins with the year.
  var end: String

  init(_ year: Int) {
    func digits(_ year: Int) -> String { String(repeating: "0", count: max(0, 4 - "\(year)".count)) + "\(year)" }
    (startBefore, start, end) = (digits(year - 1), digits(year), digits(year) + "~")
  }
}

/// Counts the cards of a year and of the year before. Those of an item come one after the other, the newest last.
private struct CardReader {
  private let year: Int
  /// The item whose cards are being read.
  private var item: (id: Int64, figures: ItemFigures)?
  /// Whether it has a card of the year, and of the year before; and the newest rating in it.
  private var current = State()
  private var before = State()
  private var rated: [(moment: YearReview.Moment, value: Int, card: Int64)] = []
  /// The first and the last card with a day.
  private var first: (day: String, id: Int64, item: Int64)?
  private var last: (day: String, id: Int64, item: Int64)?

  private struct State {
    var hasCard = false
    var rating: Int8 = -1
    var best: (date: String, scale: String, card: Int64)?
  }

  init(year: Int) { self.year = year }

  /// - Parameter row: `item_id`, `id`, `rating`, `scale`, `seen_on`, `created_at`.
  mutating func read(_ row: Cursor, of figures: ItemFigures, into review: inout YearReview) {
    let (item, card) = (row.integer(0), row.integer(1))
    if self.item?.id != item {
      endItem(&review)
      self.item = (item, figures)
    }
    // What was written is known to the second; what was seen, as the person says.
    let date = row.isNull(4) ? String(row.text(5).prefix(10)) : row.text(4)
    let isCurrent = Int(date.prefix(4)) == year
    let month = date.utf8.count >= 7 ? Store.month(Array(date.utf8)) : 0
    func count(_ figures: inout YearReview.Figures) {
      figures.cards += 1
      if (1...12).contains(month) { figures.months[month - 1].cards += 1 } else { figures.cardsWithoutMonth += 1 }
    }
    isCurrent ? count(&review.figures) : count(&review.before)
    var state = isCurrent ? current : before
    state.hasCard = true
    if !row.isNull(2) {
      state.rating = Int8(clamping: row.integer(2))
      state.best = (date, row.text(3), card)
    }
    if isCurrent { current = state } else { before = state }
    guard isCurrent, date.utf8.count == 10 else { return }
    if first.map({ (date, card) < ($0.day, $0.id) }) ?? true { first = (date, card, item) }
    if last.map({ ($0.day, $0.id) < (date, card) }) ?? true { last = (date, card, item) }
  }

  private mutating func endItem(_ review: inout YearReview) {
    defer { (current, before) = (State(), State()) }
    guard let item else { return }
    func count(_ state: State, _ figures: inout YearReview.Figures) {
      guard state.hasCard else { return }
      var seen = item.figures
      seen.rating = state.rating
      figures.seen.count(seen)
      if state.rating >= 0 { figures.histogram[RatingReport.step(of: Int(state.rating))] += 1 }
    }
    count(current, &review.figures)
    count(before, &review.before)
    guard let best = current.best, let date = PartialDate(best.date) else { return }
    let value = Int(current.rating)
    let moment = YearReview.Moment(
      item: ItemID(rawValue: item.id), on: date, rating: Rating(kept: value, scale: best.scale))
    rated.append((moment, value, best.card))
  }

  /// Call it when all are read.
  mutating func finish(_ review: inout YearReview) {
    endItem(&review)
    rated.sort { (-$0.value, $0.card) < (-$1.value, $1.card) }
    review.best = Leaders(of: rated.map(\.moment)) { $0.rating?.value }
    func moment(_ found: (day: String, id: Int64, item: Int64)?) -> YearReview.Moment? {
      found.flatMap { found in
        PartialDate(found.day).map { YearReview.Moment(item: ItemID(rawValue: found.item), on: $0) }
      }
    }
    (review.firstSeen, review.lastSeen) = (moment(first), moment(last))
  }
}
