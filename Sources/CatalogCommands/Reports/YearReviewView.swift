internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The year in review, for people and programs.
struct YearReviewView {
  var review: YearReview
  var options: ReportOptions
  var store: Store
  /// The day of the report: `2026-11-21`.
  var today: String

  static let monthNames: [Message] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  // MARK: The figures

  /// A number of this year and of the year before.
  private struct Measure {
    var key: String
    /// The name on its own.
    var name: Message
    /// The name below the total that it is a part of; nil for one that is no part.
    var part: Message?
    var value: Table.Value
    var before: Table.Value
    /// Formats a value; nil shows it unchanged.
    var shown: ((Double) -> Message)?
    /// Whether it is hidden from people: lists are for programs.
    var isHidden = false
  }

  /// The verbs for the kinds in the diary: movies are watched, books read and records played.
  var seenName: Message {
    func isSeen(_ path: KeyPath<Tally, Int>) -> Bool {
      review.figures.seen[keyPath: path] + review.before.seen[keyPath: path] > 0
    }
    return switch (isSeen(\.movies), isSeen(\.books), isSeen(\.records)) {
    case (true, true, true), (false, false, false): "Watched, read, played"
    case (true, true, false): "Watched, read"
    case (true, false, true): "Watched, played"
    case (false, true, true): "Read, played"
    case (true, false, false): "Watched"
    case (false, true, false): "Read"
    case (false, false, true): "Played"
    }
  }

  private var measures: [Measure] {
    let (now, before) = (review.figures, review.before)
    func count(
      _ key: String, _ name: Message, part: Message? = nil, _ path: KeyPath<YearReview.Figures, Int>,
      _ shown: ((Double) -> Message)? = nil
    ) -> Measure {
      Measure(
        key: key, name: name, part: part, value: .integer(Int64(now[keyPath: path])),
        before: .integer(Int64(before[keyPath: path])), shown: shown)
    }
    func number(_ value: Double?) -> Table.Value { value.map(Table.Value.number) ?? .none }
    func duration(_ minutes: Double) -> Message { Int(minutes).duration }
    return [
      count("added", Message("Added", context: "count"), \.added.items),
      count("movies_added", "Movies added", part: "movies", \.added.movies),
      count("books_added", "Books added", part: "books", \.added.books),
      count("vinyl_added", "Records added", part: "records", \.added.records),
      count("pages_added", "Pages added", part: "pages", \.added.pages),
      count("minutes_added", "Time added", part: "time", \.added.minutes, duration),
      Measure(
        key: "prices_added", name: "Prices", part: "prices", value: Table.Value(now.added.prices),
        before: Table.Value(before.added.prices), isHidden: true),
      count("seen", seenName, \.seen.items),
      count("movies_seen", "Movies watched", part: "movies watched", \.seen.movies),
      count("books_seen", "Books read", part: "books read", \.seen.books),
      count("vinyl_seen", "Records played", part: "records played", \.seen.records),
      count("pages_seen", "Pages read", part: "pages", \.seen.pages),
      count("minutes_seen", "Time watched", part: "time", \.seen.minutes, duration),
      count("times", "Times", part: "times in all", \.times),
      count("again", "Not for the first time", part: "not for the first time", \.again),
      count("dropped", "Given up", \.dropped),
      count("pages_dropped", "Pages read of those", part: "pages read of those", \.pagesDropped),
      count("rated", "Rated", \.rated.items),
      Measure(
        key: "mean_rating", name: "Mean rating", part: "mean", value: number(now.rated.meanRating),
        before: number(before.rated.meanRating), shown: { Message(verbatim: $0.stars(2)) }),
      count("cards", "Cards", \.cards),
      count("favorites", "Made a favorite", \.favorites),
      count("released", "Out that year", \.released),
    ]
  }

  /// The measures for people: those that are not 0 in both years. Each currency is a measure of its own.
  private var visibleMeasures: [Measure] {
    let (now, before) = (review.figures.added.prices, review.before.added.prices)
    let currencies = Set((now + before).map(\.currency)).sorted()
    return measures.flatMap { measure -> [Measure] in
      guard measure.isHidden else { return [measure] }
      return currencies.map { currency in
        func amount(_ prices: [Price]) -> Table.Value {
          .integer(Int64(prices.first { $0.currency == currency }?.minorUnits ?? 0))
        }
        return Measure(
          key: measure.key, name: "\(measure.name), \(currency)", part: "prices, \(currency)", value: amount(now),
          before: amount(before)
        ) { Message(verbatim: Price(minorUnits: Int($0), currency: currency).amount) }
      }
    }.filter { measure in
      // If nothing was repeated, the number of times equals the number of items.
      let tellsNothing =
        measure.key == "times" && review.figures.times == review.figures.seen.items
        && review.before.times == review.before.seen.items
      return !tellsNothing && !(measure.value.isNothing && measure.before.isNothing)
    }
  }

  /// A row for each number, with the year before.
  var figures: Table {
    get throws {
      try Table(measures, [.init("measure", \.key), .init("value", \.value), .init("before", \.before)])
    }
  }

  // MARK: For programs

  /// The members of the JSON object.
  var members: [Column<YearReview>] {
    let item: [Column<YearReview.Moment>] = [.init("id", \.item), .init("item", \.item)]
    let what: [Column<YearReview.Moment>] = [
      .init("done_on", \.on), .init("rating", \.rating?.value).leftOutIfEmpty,
      .init("rating_scale", \.rating?.scale).leftOutIfEmpty,
    ]
    let moment = item + Column<YearReview.Moment>.work { try store.item($0.item).record } + what
    let genre: [Column<YearReview.Genre>] = [
      .init("genre", \.name), .init("items", \.items), .init("share", \.share), .init("share_before", \.shareBefore),
    ]
    return [
      .init("year", \.year), .init("over", \.isOver), .object("figures", \.figures, Self.membersOfFigures),
      .object("before", \.before, Self.membersOfFigures), .init("before_until", \.beforeUntil),
      .init("undated_ratings", \.undatedRatings), .list("best", \.best, moment), .init("more_as_good", \.best.more),
      .object("first_added", \.firstAdded, moment), .object("last_added", \.lastAdded, moment),
      .object("first_seen", \.firstSeen, moment), .object("last_seen", \.lastSeen, moment),
      .list("genres", \.genres, genre), .init("more_genres", \.genres.more),
      .list("new_genres", { $0.tellsNewGenres ? $0.newGenres : nil }, genre),
      .list("creators", \.creators, [.init("creator", \.heading), .init("items", \.tally.items)]),
      .init("more_creators", \.creators.more),
    ]
  }

  private static var membersOfFigures: [Column<YearReview.Figures>] {
    [
      .object("added", \.added, Tally.members), .init("times", \.times), .init("again", \.again),
      .object("seen", \.seen, Tally.members), .init("dropped", \.dropped), .init("pages_dropped", \.pagesDropped),
      .init("cards", \.cards), .object("rated", \.rated, Tally.members), .init("favorites", \.favorites),
      .init("released", \.released),
      .list(
        "months", { $0.months.enumerated() },
        [
          .init("month") { $0.offset + 1 }, .init("added", \.element.added), .init("times", \.element.times),
        ]),
      .init("times_without_month", \.timesWithoutMonth),
      .init("histogram") { Table.Value.numbers($0.histogram.map(Int64.init)) },
    ]
  }

  // MARK: For a person

  /// `2026 so far`, `2025 in review`.
  var title: Message { review.isOver ? "\(review.year) in review" : "\(review.year) so far" }

  /// The months of the year, without future ones.
  var months: ArraySlice<YearReview.Month> {
    let isThisYear = Int(today.prefix(4)) == review.year
    let last = isThisYear ? Int(today.dropFirst(5).prefix(2)) ?? 12 : 12
    let used = review.figures.months.lastIndex { $0.added > 0 || $0.times > 0 } ?? 0
    return review.figures.months.prefix(max(last, used + 1))
  }

  /// The only kind in the diary of the year; nil for several.
  var only: Kind? { review.figures.seen.onlyKind }

  /// The numbers of both years and their difference.
  /// - Parameter isTree: whether parts are indented below their total.
  func figureTable(isTree: Bool, on terminal: Terminal) throws -> Table {
    let comparesNothing = review.before.isEmpty && review.before.released == 0
    func shown(_ value: Table.Value, _ measure: Measure) -> String? {
      value.asNumber.flatMap { measure.shown?($0).text(on: terminal) }
    }
    return try Table(
      visibleMeasures,
      [
        .init("measure", isTree ? "" : "Number", isFlexible: true, minimumWidth: 12, importance: 9) { measure in
          let name = isTree ? measure.part.map { Message(verbatim: "  ") + $0 } ?? measure.name : measure.name
          return Table.Cell(name.text(on: terminal), style: measure.part == nil ? .bold : .plain)
        },
        .init(
          "value", "\(review.year)", alignment: .right, importance: 8, \.value, shown: { shown($0.value, $0) }),
        .init("before", "\(review.year - 1)", alignment: .right, importance: 7) { measure -> Table.Cell? in
          if comparesNothing { return nil }
          return Table.Cell(value: measure.before, shown: shown(measure.before, measure), style: .dim)
        },
        .init("difference", isTree ? "" : "Change", alignment: .right, importance: 6) { measure -> Table.Cell? in
          guard !comparesNothing, let now = measure.value.asNumber, let then = measure.before.asNumber, now != then
          else { return nil }
          // Values in whole hours differ by whole hours.
          let isInHours = measure.key.hasPrefix("minutes") && min(now, then) >= 600
          let difference = isInHours ? abs((now / 60).rounded() - (then / 60).rounded()) * 60 : abs(now - then)
          let text = measure.shown?(difference).text(on: terminal) ?? "\(Int(difference))"
          return Table.Cell(now - then, shown: (now > then ? "+" : terminal.glyphs.minus) + text)
        },
      ])
  }

  /// Notes on missing data, with commands.
  var notes: [Footnote] {
    var notes: [Footnote] = []
    let added = review.figures.added
    let unrated = added.items - added.rated
    if unrated > 0 {
      notes.append(
        .init(
          Message(
            counting: unrated, one: "\(unrated) of \(added.items.counted("item", "items")) added is not rated",
            many: "\(unrated) of \(added.items.counted("item", "items")) added are not rated"),
          command: options.command("report", "shame", "added:\(review.year)")))
    }
    // The time of watched movies has a sentence of its own.
    let times: [(Message, Tally)] = [("Time added", added)]
    for (time, tally) in times where tally.minutes > 0 && tally.moviesWithMinutes < tally.movies {
      let known = tally.moviesWithMinutes
      notes.append(
        .init(
          Message(
            counting: known, one: "\(time): \(known) of the \(tally.movies) movies has a length.",
            many: "\(time): \(known) of the \(tally.movies) movies have a length.")))
    }
    if review.undatedRatings > 0 {
      notes.append(
        .init(
          Message(
            counting: review.undatedRatings,
            one: "\(review.undatedRatings) imported rating has no date, so it counts for no year.",
            many: "\(review.undatedRatings) imported ratings have no date, so they count for no year.")))
    }
    if review.figures.times == 0, review.figures.dropped == 0 {
      notes.append(.init("Nothing in the diary for \(review.year) yet", command: "catalog log REF --on \(review.year)"))
    }
    if (1..<5).contains(added.items + review.figures.times + review.figures.cards) {
      notes.append(.init("Too few items and entries for the numbers to mean much."))
    }
    return notes
  }
}

extension Table.Value {
  /// The value as a number; nil for other types.
  fileprivate var asNumber: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  /// Whether the value is 0 or empty.
  fileprivate var isNothing: Bool {
    switch self {
    case .list(let texts): texts.isEmpty
    default: asNumber ?? 0 == 0
    }
  }
}
