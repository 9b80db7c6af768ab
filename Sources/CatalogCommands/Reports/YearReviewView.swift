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
    Table(
      columns: [.init("measure"), .init("value"), .init("before")],
      rows: measures.map { [.init($0.key), .init(value: $0.value), .init(value: $0.before)] })
  }

  // MARK: For programs

  func writeJSON(in context: Context) throws {
    let members: [(key: String, write: (inout JSONWriter) throws -> Void)] = [
      ("year", { $0.value(review.year) }),
      ("over", { $0.value(review.isOver) }),
      ("figures", { write(review.figures, to: &$0) }),
      ("before", { write(review.before, to: &$0) }),
      ("before_until", { $0.value(review.beforeUntil?.description) }),
      ("undated_ratings", { $0.value(review.undatedRatings) }),
      ("best", { try write(review.best, to: &$0) }),
      ("more_as_good", { $0.value(review.best.more) }),
      ("first_added", { try write(review.firstAdded, to: &$0) }),
      ("last_added", { try write(review.lastAdded, to: &$0) }),
      ("first_seen", { try write(review.firstSeen, to: &$0) }),
      ("last_seen", { try write(review.lastSeen, to: &$0) }),
      ("genres", { write(review.genres, to: &$0) }),
      ("more_genres", { $0.value(review.genres.more) }),
      ("new_genres", { json in review.tellsNewGenres ? write(review.newGenres, to: &json) : json.null() }),
      (
        "creators",
        { json in
          json.array { json in
            for row in review.creators {
              json.object { json in
                json.member("creator", row.heading)
                json.member("items", row.tally.items)
              }
            }
          }
        }
      ),
      ("more_creators", { $0.value(review.creators.more) }),
    ]
    try context.printJSON(options.table.fields) { json in
      try json.object { json in
        for member in members {
          json.key(member.key)
          try member.write(&json)
        }
      }
    }
  }

  private func write(_ figures: YearReview.Figures, to json: inout JSONWriter) {
    json.object { json in
      json.key("added")
      json.object { $0.members(of: figures.added) }
      json.member("times", figures.times)
      json.member("again", figures.again)
      json.key("seen")
      json.object { $0.members(of: figures.seen) }
      json.member("dropped", figures.dropped)
      json.member("pages_dropped", figures.pagesDropped)
      json.member("cards", figures.cards)
      json.key("rated")
      json.object { $0.members(of: figures.rated) }
      json.member("favorites", figures.favorites)
      json.member("released", figures.released)
      json.key("months")
      json.array { json in
        for (place, month) in figures.months.enumerated() {
          json.object { json in
            json.member("month", place + 1)
            json.member("added", month.added)
            json.member("times", month.times)
          }
        }
      }
      json.member("times_without_month", figures.timesWithoutMonth)
      json.key("histogram")
      json.array { json in for count in figures.histogram { json.value(count) } }
    }
  }

  private func write(_ moments: some Sequence<YearReview.Moment>, to json: inout JSONWriter) throws {
    try json.array { json in for moment in moments { try write(moment, to: &json) } }
  }

  private func write(_ moment: YearReview.Moment?, to json: inout JSONWriter) throws {
    guard let moment else { return json.null() }
    let record = try store.item(moment.item).record
    json.object { json in
      json.member("id", moment.item.rawValue)
      json.member("item", moment.item.rawValue)
      json.member("kind", record.kind.rawValue)
      json.member("title", record.title)
      json.member("creators", record.creators)
      json.member("year", record.year)
      json.member("done_on", moment.on.description)
      if let rating = moment.rating {
        json.member("rating", rating.value)
        json.member("rating_scale", rating.scale.rawValue)
      }
    }
  }

  private func write(_ genres: some Sequence<YearReview.Genre>, to json: inout JSONWriter) {
    json.array { json in
      for genre in genres {
        json.object { json in
          json.member("genre", genre.name)
          json.member("items", genre.items)
          json.member("share", genre.share)
          json.member("share_before", genre.shareBefore)
        }
      }
    }
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
  func figureTable(isTree: Bool, on terminal: Terminal) -> Table {
    var table = Table(columns: [
      .init("measure", isTree ? "" : "Number", isFlexible: true, minimumWidth: 12, importance: 9),
      .init("value", "\(review.year)", alignment: .right, importance: 8),
      .init("before", "\(review.year - 1)", alignment: .right, importance: 7),
      .init("difference", isTree ? "" : "Change", alignment: .right, importance: 6),
    ])
    let comparesNothing = review.before.isEmpty && review.before.released == 0
    for measure in visibleMeasures {
      func cell(_ value: Table.Value, _ style: Style = .plain) -> Table.Cell {
        .init(
          value: value, shown: value.asNumber.flatMap { number in measure.shown?(number).text(on: terminal) },
          style: style)
      }
      let name = isTree ? measure.part.map { Message(verbatim: "  ") + $0 } ?? measure.name : measure.name
      var cells: [Table.Cell] = [
        .init(name.text(on: terminal), style: measure.part == nil ? .bold : .plain), cell(measure.value),
        comparesNothing ? .init(String?.none) : cell(measure.before, .dim),
      ]
      if !comparesNothing, let now = measure.value.asNumber, let then = measure.before.asNumber, now != then {
        // Values in whole hours differ by whole hours.
        let isInHours = measure.key.hasPrefix("minutes") && min(now, then) >= 600
        let difference = isInHours ? abs((now / 60).rounded() - (then / 60).rounded()) * 60 : abs(now - then)
        let text = measure.shown?(difference).text(on: terminal) ?? "\(Int(difference))"
        cells.append(.init(now - then, shown: (now > then ? "+" : terminal.glyphs.minus) + text))
      }
      table.rows.append(cells)
    }
    return table
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
