public import CatalogModel
public import FoundationEssentials
internal import SQLite

/// The review of one year: the items that were added, watched, read, played and rated. docs/reports.md defines each
/// number.
///
/// Years are those of the person's days. A diary entry belongs to the year in which it ended, even if only the year is
/// known. A card belongs to the year of its date, its entry's date, or the time it was written. In the last case it
/// counts as a rating, not a viewing. A card or favorite that an import brought without a date belongs to no year.
public struct YearReview: Sendable, Hashable {
  public var year: Int
  public var isOver: Bool
  public internal(set) var figures = Figures()
  /// The figures of the year before.
  /// If the year is not over, only up to ``beforeUntil``.
  public internal(set) var before = Figures()
  /// The last day of ``before`` if the year is not over: today, a year ago. Nil for the whole year.
  public internal(set) var beforeUntil: PartialDate?
  /// The ratings of any year without a date, which belong to no year.
  public internal(set) var undatedRatings = 0

  public struct Figures: Sendable, Hashable {
    /// The added items, with their current ratings.
    public internal(set) var added = Tally()
    /// The number of finished diary entries.
    public internal(set) var times = 0
    /// The number of these entries whose item had been finished before, in any year.
    public internal(set) var again = 0
    /// The finished items, without repeats, with the rating of the year's newest card. Pages and minutes count for each
    /// entry.
    public internal(set) var seen = Tally()
    /// The number of dropped entries.
    public internal(set) var dropped = 0
    /// The pages at which the dropped books were left, where the entries say it.
    public internal(set) var pagesDropped = 0
    /// The number of entries with only a year.
    public internal(set) var timesWithoutMonth = 0
    /// The number of cards.
    public internal(set) var cards = 0
    /// The items that these cards rate, without repeats, with the newest rating.
    public internal(set) var rated = Tally()
    /// The number of new favorites.
    public internal(set) var favorites = 0
    /// The number of items released in the year, added at any time.
    public internal(set) var released = 0
    /// The months, January first.
    public internal(set) var months = Array(repeating: Month(), count: 12)
    /// The numbers of items in ``rated`` by the nearest half star: 0, ½, 1, … 5.
    public internal(set) var histogram = Array(repeating: 0, count: RatingReport.steps)

    /// Whether nothing happened.
    public var isEmpty: Bool { added.items == 0 && times == 0 && dropped == 0 && cards == 0 && favorites == 0 }
  }

  public struct Month: Sendable, Hashable {
    public internal(set) var added = 0
    public internal(set) var times = 0
  }

  /// An item with a date.
  public struct Moment: Sendable, Hashable {
    public var item: ItemID
    /// The date, as precise as it is known.
    public var on: PartialDate
    /// The rating of the year's newest card.
    public var rating: Rating?
  }

  /// The items with the highest ratings, then by the time of the card.
  public internal(set) var best = TopList<Moment>.none
  public internal(set) var firstAdded: Moment?
  public internal(set) var lastAdded: Moment?
  /// The first and last finished items, among entries with a known day.
  public internal(set) var firstSeen: Moment?
  public internal(set) var lastSeen: Moment?

  /// The kinds with diary entries in the year or the one before. Their genres and creators count finished items; those
  /// of the other kinds count added items.
  public internal(set) var livedKinds: Set<Kind> = []
  /// The genres of the counted items, most items first, without headings such as Music.
  public internal(set) var genres = TopList<Genre>.none
  /// The genres that no item of an earlier year has, including genres below them, most items first, without headings.
  /// Empty until ``tellsNewGenres``.
  public internal(set) var newGenres: [Genre] = []
  /// The number of items with a genre in earlier years.
  public internal(set) var earlierItems = 0
  /// Whether new genres are meaningful: with fewer than ``GenreReport/leastBeforeNew`` earlier items, nearly every
  /// genre is new.
  public var tellsNewGenres: Bool { earlierItems >= GenreReport.leastBeforeNew }

  public struct Genre: Sendable, Hashable {
    public var name: String
    /// The number of items of the year with this genre or one below it.
    public var items: Int
    /// The share among items of the year with a genre.
    public var share: Double
    /// The share in the year before; nil without items with a genre.
    public var shareBefore: Double?
  }

  /// The creators with most counted items, at least two each.
  public internal(set) var creators = TopList<TallyReport<String>.Row>.none
}

extension Store {
  /// The year in review.
  /// - Parameters:
  ///   - year: 1 … 9999.
  ///   - now: decides whether the year is over, and up to which day the year before is compared.
  public func yearReview(_ year: Int, _ query: Query = Query(), now: Date) throws -> YearReview {
    let today = localTime.day(of: Timestamp(now))
    let current = Int(today.prefix(4)) ?? year
    var review = YearReview(year: year, isOver: year < current)
    if year == current, year > 1 { review.beforeUntil = PartialDate(sameDayOf: year - 1, as: today) }
    let times = YearText(year, until: review.beforeUntil)
    var (selection, figures) = try figures(query)
    for item in figures.all where item.kind != nil {
      if Int(item.year) == year { review.figures.released += 1 }
      // 0 means no year.
      if item.year != 0, Int(item.year) == year - 1 { review.before.released += 1 }
    }
    try readAdditions(of: &review, selection, figures)
    let ratings = try readCards(of: &review, selection, figures)
    try readTimes(of: &review, selection, figures, ratings)
    try db.forEach(
      """
      SELECT item_id, catalog_day(added_at) FROM favorite\(selection.narrow.text.isEmpty ? " WHERE true" : selection.narrow)
        AND \(times.hasMoment("added_at")) AND added_at NOT IN (SELECT at FROM import_time)
      ORDER BY item_id
      """
    ) { row in
      guard figures.place(of: row.integer(0)) != nil else { return true }
      let added = row.text(1)
      if times.isInYear(added) { review.figures.favorites += 1 }
      if times.isBefore(added) { review.before.favorites += 1 }
      return true
    }
    let lives = try lives(of: &review, selection, figures)
    try readGenres(of: &review, selection, figures, lives)
    // Only items of the year count.
    for place in 0..<figures.count where !lives[place].contains(.current) { figures[place].kind = nil }
    review.creators = TopList(of: try tallyCreators(selection, figures).rows.prefix { $0.tally.items > 1 }) {
      $0.tally.items
    }
    return review
  }

  /// The years in which an item was finished or, for a kind without diary entries, added.
  private struct Times: OptionSet {
    var rawValue: Int

    static let current = Times(rawValue: 1)
    static let before = Times(rawValue: 2)
    /// Any earlier year, or an unknown date.
    static let earlier = Times(rawValue: 4)

    init(rawValue: Int) { self.rawValue = rawValue }

    init(_ time: Int, seenIn year: Int) {
      self = time == year ? .current : time == year - 1 ? [.before, .earlier] : time < year ? .earlier : []
    }
  }

  /// Reads the years of each item: from the diary for kinds with entries, from the addition for others.
  private func lives(
    of review: inout YearReview, _ selection: Selection, _ figures: ItemTable<ItemFigures>
  ) throws -> ItemTable<Times> {
    let year = review.year
    var times = figures.map { _ in Times() }
    try db.forEach(
      "SELECT item_id, ifnull(ended_on, '') FROM event\(selection.narrow.text.isEmpty ? " WHERE true" : selection.narrow) "
        + "AND outcome = 'done' ORDER BY item_id"
    ) { row in
      guard let place = figures.place(of: row.integer(0)), let kind = figures[place].kind else { return true }
      let seen = Times(row.withText(1) { $0.count >= 4 ? Self.year($0) : 0 }, seenIn: year)
      times[place].formUnion(seen)
      if !seen.isDisjoint(with: [.current, .before]) { review.livedKinds.insert(kind) }
      return true
    }
    for place in 0..<figures.count {
      guard let kind = figures[place].kind, !review.livedKinds.contains(kind) else { continue }
      times[place] = Times(Int(figures[place].added), seenIn: year)
    }
    return times
  }

  /// Reads the additions by month, and the first and last one.
  private func readAdditions(
    of review: inout YearReview, _ selection: Selection, _ figures: ItemTable<ItemFigures>
  ) throws {
    let times = YearText(review.year, until: review.beforeUntil)
    var first: (time: String, day: String, id: Int64)?
    var last: (time: String, day: String, id: Int64)?
    try db.forEach(
      """
      SELECT id, created_at, catalog_day(created_at) FROM item WHERE \(times.hasMoment("created_at"))
        AND (\(selection.condition ?? "true")) ORDER BY id
      """
    ) { row in
      guard let place = figures.place(of: row.integer(0)) else { return true }
      let item = figures[place]
      let (time, day) = (row.text(1), row.text(2))
      guard let month = PartialDate(day)?.month else { return true }
      guard times.isInYear(day) else {
        guard times.isBefore(day) else { return true }
        review.before.added.count(item)
        review.before.months[month - 1].added += 1
        return true
      }
      review.figures.added.count(item)
      review.figures.months[month - 1].added += 1
      if first.map({ time < $0.time }) ?? true { first = (time, day, row.integer(0)) }
      if last.map({ time >= $0.time }) ?? true { last = (time, day, row.integer(0)) }
      return true
    }
    func moment(_ found: (time: String, day: String, id: Int64)?) -> YearReview.Moment? {
      found.flatMap { found in
        PartialDate(found.day).map { YearReview.Moment(item: ItemID(rawValue: found.id), on: $0) }
      }
    }
    (review.firstAdded, review.lastAdded) = (moment(first), moment(last))
  }

  // MARK: Cards and times

  /// - Returns: the newest ratings of the year and of the year before.
  private func readCards(
    of review: inout YearReview, _ selection: Selection, _ figures: ItemTable<ItemFigures>
  ) throws -> YearRatings {
    let times = YearText(review.year, until: review.beforeUntil)
    let narrow: SQL = selection.narrow.text.isEmpty ? " WHERE true" : selection.narrow
    var reader = CardReader(times)
    try db.forEach(
      """
      SELECT item_id, id, rating, scale, \(Self.cardDay) AS day FROM card\(narrow)
        AND day BETWEEN \(times.startBefore) AND \(times.end)
      ORDER BY item_id, \(Self.newestCardLast)
      """
    ) { row in
      guard let place = figures.place(of: row.integer(0)), figures[place].kind != nil else { return true }
      reader.read(row, of: figures[place], into: &review)
      return true
    }
    try db.forEach(
      """
      SELECT item_id FROM card\(narrow) AND rating IS NOT NULL AND created_at IN (SELECT at FROM import_time)
        AND \(Self.cardDay) IS NULL
      ORDER BY item_id
      """
    ) { row in
      if let place = figures.place(of: row.integer(0)), figures[place].kind != nil { review.undatedRatings += 1 }
      return true
    }
    return reader.finish(&review)
  }

  /// The date of a card: that of its entry, its own, or the day on which it was written. Null if an import wrote it
  /// without a date.
  static var cardDay: SQL {
    """
    coalesce((SELECT ended_on FROM log_entry WHERE log_entry.card_id = card.id), card.seen_on,
      CASE WHEN card.created_at NOT IN (SELECT at FROM import_time) THEN catalog_day(card.created_at) END)
    """
  }

  /// Reads the finished and dropped entries.
  private func readTimes(
    of review: inout YearReview, _ selection: Selection, _ figures: ItemTable<ItemFigures>,
    _ ratings: YearRatings
  ) throws {
    let years = YearText(review.year, until: review.beforeUntil)
    let narrow: SQL = selection.narrow.text.isEmpty ? " WHERE true" : selection.narrow
    var first: (day: String, item: Int64)?
    var last: (day: String, item: Int64)?
    // The items counted last, for the year and for the year before.
    var (counted, countedBefore): (Int64?, Int64?)
    try db.forEach(
      """
      WITH times AS MATERIALIZED (
        SELECT * FROM event\(narrow) AND ended_on BETWEEN \(years.startBefore) AND \(years.end))
      SELECT item_id, ended_on, outcome = 'done', \(Self.isAgain("times")), page FROM times
      ORDER BY item_id, day, created_at, entry_id, card_id
      """
    ) { row in
      let id = row.integer(0)
      guard let place = figures.place(of: id), figures[place].kind != nil else { return true }
      let day = row.text(1)
      let isCurrent = years.isInYear(day)
      guard isCurrent || years.isBefore(day) else { return true }
      guard row.integer(2) != 0 else {
        func drop(_ figures: inout YearReview.Figures) {
          figures.dropped += 1
          figures.pagesDropped = Int(clamping: Int64(figures.pagesDropped) &+ min(max(0, row.integer(4)), 1_000_000))
        }
        if isCurrent { drop(&review.figures) } else { drop(&review.before) }
        return true
      }
      var item = figures[place]
      func count(_ figures: inout YearReview.Figures, _ counted: inout Int64?, _ rating: Int8?) {
        figures.times += 1
        if row.integer(3) != 0 { figures.again += 1 }
        let month = day.utf8.count >= 7 ? Self.month(Array(day.utf8)) : 0
        if (1...12).contains(month) { figures.months[month - 1].times += 1 } else { figures.timesWithoutMonth += 1 }
        item.rating = rating ?? -1
        if counted == id { figures.seen.countLength(item) } else { figures.seen.count(item) }
        counted = id
      }
      guard isCurrent else {
        count(&review.before, &countedBefore, ratings.before[id])
        return true
      }
      count(&review.figures, &counted, ratings.current[id])
      guard day.utf8.count == 10 else { return true }
      if first.map({ (day, id) < $0 }) ?? true { first = (day, id) }
      if last.map({ $0 < (day, id) }) ?? true { last = (day, id) }
      return true
    }
    func moment(_ found: (day: String, item: Int64)?) -> YearReview.Moment? {
      found.flatMap { found in
        PartialDate(found.day).map { YearReview.Moment(item: ItemID(rawValue: found.item), on: $0) }
      }
    }
    (review.firstSeen, review.lastSeen) = (moment(first), moment(last))
  }

  // MARK: Genres

  private func readGenres(
    of review: inout YearReview, _ selection: Selection, _ figures: ItemTable<ItemFigures>, _ times: ItemTable<Times>
  ) throws {
    // The buckets are the year, the one before, and all earlier years.
    let sets = (0..<8).map { times in (0..<3).filter { times & 1 << $0 != 0 } }
    let kinds = figures.map { $0.kind.flatMap { Kind.shelved.firstIndex(of: $0) } }
    let matrix = try genreMatrix(of: selection, kinds, in: times.map { sets[$0.rawValue] }, count: 3)
    func share(_ row: GenreMatrix.Row, _ place: Int) -> Double? {
      let items = matrix.buckets[place].itemsWithGenre
      return items > 0 ? Double(row.counts[place]) / Double(items) : nil
    }
    review.earlierItems = matrix.buckets[2].itemsWithGenre
    var genres: [YearReview.Genre] = []
    for row in matrix.rows where !row.isHeading && row.counts[0] > 0 {
      let genre = YearReview.Genre(
        name: row.genre, items: row.counts[0], share: share(row, 0) ?? 0, shareBefore: share(row, 1))
      genres.append(genre)
      if review.tellsNewGenres, row.counts[2] == 0 { review.newGenres.append(genre) }
    }
    genres.sort { ($1.items, $0.name) < ($0.items, $1.name) }
    review.newGenres.sort { ($1.items, $0.name) < ($0.items, $1.name) }
    review.genres = TopList(of: genres, by: \.items)
  }

  /// The month of a time or date with at least seven characters.
  fileprivate static func month(_ text: some RandomAccessCollection<UInt8>) -> Int {
    text.dropFirst(5).prefix(2).reduce(0) { $0 * 10 + Int($1 & 15) }
  }
}

/// The bounds of the texts of dates in a year and in the year before.
struct YearText {
  var start: String
  var startBefore: String
  /// The upper bound: greater than every text that begins with the year.
  var end: String
  /// The upper bound of the year before, up to the day of comparison.
  var endBefore: String

  /// - Parameter until: the last day of the year before that counts; nil for all of it.
  init(_ year: Int, until: PartialDate? = nil) {
    func digits(_ year: Int) -> String { String(repeating: "0", count: max(0, 4 - "\(year)".count)) + "\(year)" }
    (startBefore, start, end) = (digits(year - 1), digits(year), digits(year) + "~")
    endBefore = (until?.description ?? startBefore) + "~"
  }

  func isInYear(_ text: String) -> Bool { text.hasPrefix(start) }

  /// A condition: the local day of a moment is in the year or in the one before.
  func hasMoment(_ moment: SQL) -> SQL {
    "\(moment) >= ifnull(catalog_start(\(startBefore)), '') AND \(moment) < catalog_end(\(start))"
  }

  /// Whether a date is in the part of the year before that counts. A date without a day counts from its start on.
  func isBefore(_ text: String) -> Bool { text.hasPrefix(startBefore) && text <= endBefore }
}

/// The newest ratings from cards of a year and of the year before, 0 … 100.
private struct YearRatings {
  var current: [Int64: Int8] = [:]
  var before: [Int64: Int8] = [:]
}

/// Counts the cards of a year and of the year before. The cards of an item are consecutive, the newest last.
private struct CardReader {
  private let times: YearText
  /// The item whose cards are read.
  private var item: (id: Int64, figures: ItemFigures)?
  /// The newest cards with a rating, of the year and of the year before.
  private var current: Newest?
  private var before: Newest?
  private var ratings = YearRatings()
  private var rated: [(moment: YearReview.Moment, value: Int, card: Int64)] = []

  private struct Newest {
    var rating: Int8
    var scale: String
    var day: String
    var card: Int64
  }

  init(_ times: YearText) { self.times = times }

  /// - Parameter row: the columns `item_id`, `id`, `rating`, `scale`, `day`.
  mutating func read(_ row: Cursor, of figures: ItemFigures, into review: inout YearReview) {
    let item = row.integer(0)
    if self.item?.id != item {
      endItem(&review)
      self.item = (item, figures)
    }
    let day = row.text(4)
    let isCurrent = times.isInYear(day)
    guard isCurrent || times.isBefore(day) else { return }
    if isCurrent { review.figures.cards += 1 } else { review.before.cards += 1 }
    guard !row.isNull(2) else { return }
    let newest = Newest(
      rating: Int8(clamping: row.integer(2)), scale: row.text(3), day: day, card: row.integer(1))
    if isCurrent { current = newest } else { before = newest }
  }

  private mutating func endItem(_ review: inout YearReview) {
    defer { (current, before) = (nil, nil) }
    guard let item else { return }
    func count(_ newest: Newest?, _ figures: inout YearReview.Figures) {
      guard let newest else { return }
      var rated = item.figures
      rated.rating = newest.rating
      figures.rated.count(rated)
      figures.histogram[RatingReport.step(of: Int(newest.rating))] += 1
    }
    count(current, &review.figures)
    count(before, &review.before)
    ratings.before[item.id] = before?.rating
    guard let current else { return }
    ratings.current[item.id] = current.rating
    guard let date = PartialDate(current.day) else { return }
    let moment = YearReview.Moment(
      item: ItemID(rawValue: item.id), on: date, rating: Rating(kept: Int(current.rating), scale: current.scale))
    rated.append((moment, Int(current.rating), current.card))
  }

  /// Finishes the last item. Call it after the last card.
  mutating func finish(_ review: inout YearReview) -> YearRatings {
    endItem(&review)
    rated.sort { (-$0.value, $0.card) < (-$1.value, $1.card) }
    review.best = TopList(of: rated.map(\.moment)) { $0.rating?.value }
    return ratings
  }
}

extension PartialDate {
  /// The day of another year with the same month and day; February 29 becomes 28 where there is none.
  fileprivate init?(sameDayOf year: Int, as day: String) {
    let digits = String(repeating: "0", count: max(0, 4 - "\(year)".count)) + "\(year)"
    self.init(digits + (day.hasSuffix("-02-29") ? "-02-28" : String(day.dropFirst(4))))
  }
}
