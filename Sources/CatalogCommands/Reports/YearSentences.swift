internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

extension YearReviewView {
  /// The year in a few sentences, the most important first.
  /// - Parameter translation: the language for the names of genres; nil is English.
  func sentences(in translation: Translation?) throws -> [Message] {
    [
      added, seen, again, dropped, rated, try best, genre(in: translation), newGenres(in: translation), creator,
      amounts,
    ]
    .compactMap(\.self)
  }

  /// The most names in a sentence; more are counted.
  private static let mostNames = 3

  private var added: Message? {
    let kinds = review.figures.added.kinds
    let (count, before) = (review.figures.added.items, review.before.added.items)
    guard count > 0 else { return nil }
    guard before > 0 else { return "You added \(kinds)." }
    guard review.isOver else {
      let year = review.year - 1
      if count == before { return "You added \(kinds), as many as in \(year) up to this day." }
      return count > before
        ? "You added \(kinds), \(count - before) more than in \(year) up to this day."
        : "You added \(kinds), \(before - count) fewer than in \(year) up to this day."
    }
    let year = Message("\(review.year - 1)", context: "year")
    if count == before { return "You added \(kinds), as many as in \(year)." }
    return count > before
      ? "You added \(kinds), \(count - before) more than in \(year)."
      : "You added \(kinds), \(before - count) fewer than in \(year)."
  }

  private var seen: Message? {
    let tally = review.figures.seen
    guard tally.items > 0 else { return nil }
    // Ratings of items that are not in the diary have a sentence of their own.
    guard let mean = tally.meanRating, tally.rated == review.figures.rated.items else {
      return "\(seenName): \(tally.kinds)."
    }
    let stars = stars(of: tally, mean)
    return tally.rated == tally.items
      ? "\(seenName): \(tally.kinds), \(stars)."
      : "\(seenName): \(tally.kinds), of which \(tally.rated) rated, \(stars)."
  }

  private var again: Message? {
    let (times, again) = (review.figures.times, review.figures.again)
    guard again > 0 else { return nil }
    switch only {
    case .movie: return "\(again) of your \(times.counted("viewing", "viewings")): seen before."
    case .book: return "\(again) of your \(times.counted("reading", "readings")): read before."
    default: return "\(again) of \(times.counted("time", "times")): not the first."
    }
  }

  private var dropped: Message? {
    let (count, pages) = (review.figures.dropped, review.figures.pagesDropped)
    guard count > 0 else { return nil }
    let items = count.counted("item", "items")
    return pages > 0
      ? "You gave up \(items), after \(pages.counted("page", "pages"))." : "You gave up \(items)."
  }

  private var rated: Message? {
    let tally = review.figures.rated
    guard let mean = tally.meanRating, review.figures.seen.rated < tally.items else { return nil }
    return "Rated: \(tally.kinds), \(stars(of: tally, mean))."
  }

  private func stars(of tally: Tally, _ mean: Double) -> Message {
    (tally.rated == 1 ? review.best.first?.rating?.words : nil) ?? "\(mean.stars(2)) stars on average"
  }

  private var best: Message? {
    get throws {
      // A single item is not the best of several.
      guard let rating = review.best.first?.rating, review.best.count > 1 else { return nil }
      let equals = review.best.prefix { $0.rating?.value == rating.value }
      let count = equals.count + (equals.count == review.best.count ? review.best.more : 0)
      guard count <= Self.mostNames else { return "\(count) titles got the year's highest rating, \(rating.words)." }
      let titles = try equals.map { try store.item($0.item).record.title }.listed
      return count == 1
        ? "Best of all: \(titles), with \(rating.words)." : "Best of all: \(titles), with \(rating.words) each."
    }
  }

  private func genre(in translation: Translation?) -> Message? {
    guard let first = review.genres.first, first.items > 1 else { return nil }
    let equals = review.genres.prefix { $0.items == first.items }
    guard equals.count <= Self.mostNames, equals.count < review.genres.count || equals.count == 1 else { return nil }
    let (names, items) = (equals.map { translation.genreName($0.name) }.listed, counted(first.items))
    // Additions are no diary, so the sentence says what it counts.
    if review.livedKinds.isEmpty {
      return equals.count == 1 ? "Mostly added: \(names), \(items)." : "Mostly added: \(names), \(items) each."
    }
    return equals.count == 1 ? "Mostly \(names): \(items)." : "Mostly \(names): \(items) each."
  }

  private func newGenres(in translation: Translation?) -> Message? {
    guard review.tellsNewGenres, !review.newGenres.isEmpty else { return nil }
    let names = review.newGenres.map { translation.genreName($0.name) }
    // With equal counts, no genre is named before the others.
    guard names.count > Self.mostNames else { return "New genres: \(names.listed)." }
    return "\(names.count) genres are new."
  }

  private var creator: Message? {
    guard let first = review.creators.first else { return nil }
    let equals = review.creators.prefix { $0.tally.items == first.tally.items }
    guard equals.count <= Self.mostNames else { return nil }
    let (names, items) = (equals.map(\.heading).listed, counted(first.tally.items))
    if review.livedKinds.isEmpty {
      return equals.count == 1 ? "Most added by \(names): \(items)." : "Most added by \(names): \(items) each."
    }
    return equals.count == 1 ? "Most by \(names): \(items)." : "Most by \(names): \(items) each."
  }

  /// The pages and hours of the diary; a lower bound if not all lengths are known.
  private var amounts: Message? {
    let tally = review.figures.seen
    let pages = tally.pages > 0 ? tally.pages.counted("page", "pages") : nil
    let time: Message? = tally.minutes > 0 ? "\(tally.minutes.duration) of film" : nil
    let parts = [pages, time].compactMap(\.self)
    guard !parts.isEmpty else { return nil }
    let unknown: [Message] = [
      tally.booksWithPages < tally.books && pages != nil
        ? "\(tally.booksWithPages) of \(tally.books) books have a known length" : nil,
      tally.moviesWithMinutes < tally.movies && time != nil
        ? "\(tally.moviesWithMinutes) of \(tally.movies) movies have a known length" : nil,
    ].compactMap(\.self)
    return unknown.isEmpty
      ? "\(parts.listed) in all." : "At least \(parts.listed) (\(unknown.joined(separator: ", ")))."
  }

  /// `62 movies`, if all genres and creators are those of movies; else `62 items`.
  private func counted(_ count: Int) -> Message {
    let kinds = review.livedKinds.isEmpty ? review.figures.added.onlyKind.map { [$0] } ?? [] : Array(review.livedKinds)
    let others = review.livedKinds.isEmpty ? 0 : review.figures.added.items(besides: review.livedKinds)
    guard kinds.count == 1, others == 0 else { return count.counted("item", "items") }
    return switch kinds[0] {
    case .movie: count.counted("movie", "movies")
    case .book: count.counted("book", "books")
    default: count.counted("record", "records")
    }
  }
}

extension Tally {
  /// The only kind with items; nil for several or none.
  var onlyKind: Kind? {
    switch items {
    case 0: nil
    case movies: .movie
    case books: .book
    case records: .vinyl
    default: nil
    }
  }

  /// The number of items of other kinds.
  fileprivate func items(besides kinds: Set<Kind>) -> Int {
    items - (kinds.contains(.movie) ? movies : 0) - (kinds.contains(.book) ? books : 0)
      - (kinds.contains(.vinyl) ? records : 0)
  }
}

extension Rating {
  /// `4.5 stars`, `9/10`, `87%`.
  fileprivate var words: Message {
    switch scale {
    case .half, .quarter: value == 20 ? "1 star" : "\(description) stars"
    case .ten, .percent: Message(verbatim: description)
    }
  }
}
