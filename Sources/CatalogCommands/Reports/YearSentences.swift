internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

extension YearReviewView {
  /// The year in a few sentences, what matters most first.
  /// - Parameter translation: of the names of genres; nil is English.
  func sentences(in translation: Translation?) throws -> [Message] {
    [added, seen, again, rated, try best, genre(in: translation), newGenres(in: translation), creator, amounts]
      .compactMap(\.self)
  }

  /// More names than these are a list, and no sentence.
  private static let mostNames = 3

  private var added: Message? {
    let kinds = review.figures.added.kinds
    let (count, before) = (review.figures.added.items, review.before.added.items)
    guard count > 0 else { return nil }
    guard before > 0 else { return "\(kinds) came to the shelves." }
    let year: Message = review.isOver ? Message("\(review.year - 1)", context: "year") : "all of \(review.year - 1)"
    if count == before { return "\(kinds) came to the shelves, as many as in \(year)." }
    return count > before
      ? "\(kinds) came to the shelves, \(count - before) more than in \(year)."
      : "\(kinds) came to the shelves, \(before - count) fewer than in \(year)."
  }

  private var seen: Message? {
    let tally = review.figures.seen
    guard tally.items > 0 else { return nil }
    // What was rated without having been seen has a sentence of its own.
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
    guard again < times else { return times == 1 ? "It was not for the first time." : "None of it for the first time." }
    return "\(again) of \(times) times it was not for the first time."
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
      // Of one, nothing is best.
      guard let rating = review.best.first?.rating, review.best.count > 1 else { return nil }
      let equals = review.best.prefix { $0.rating?.value == rating.value }
      let count = equals.count + (equals.count == review.best.count ? review.best.more : 0)
      guard count <= Self.mostNames else { return "\(count) titles got \(rating.words), and nothing got more." }
      let titles = try equals.map { try store.item($0.item).record.title }.listed
      return count == 1
        ? "Best of all: \(titles), with \(rating.words)." : "Best of all: \(titles), with \(rating.words) each."
    }
  }

  private func genre(in translation: Translation?) -> Message? {
    guard let first = review.genres.first, first.items > 1 else { return nil }
    let equals = review.genres.prefix { $0.items == first.items }
    guard equals.count <= Self.mostNames, equals.count < review.genres.count || equals.count == 1 else { return nil }
    let (names, items) = (equals.map { translation.genreName($0.name) }.listed, first.items.counted("item", "items"))
    return equals.count == 1 ? "\(names) above all: \(items)." : "\(names) above all: \(items) each."
  }

  private func newGenres(in translation: Translation?) -> Message? {
    guard review.tellsNewGenres, !review.newGenres.isEmpty else { return nil }
    let names = review.newGenres.map { translation.genreName($0.name) }
    // Of those that have equally many, none is named before the others.
    guard names.count > Self.mostNames else { return "New on the shelves: \(names.listed)." }
    return "\(names.count) genres are new on the shelves."
  }

  private var creator: Message? {
    guard let first = review.creators.first else { return nil }
    let equals = review.creators.prefix { $0.tally.items == first.tally.items }
    guard equals.count <= Self.mostNames else { return nil }
    let (names, items) = (equals.map(\.heading).listed, first.tally.items.counted("item", "items"))
    return equals.count == 1 ? "Most by \(names): \(items)." : "Most by \(names): \(items) each."
  }

  private var amounts: Message? {
    let tally = review.figures.seen
    let pages = tally.pages > 0 ? tally.pages.counted("page", "pages") : nil
    let time: Message? = tally.minutes > 0 ? "\(tally.minutes.duration) of film" : nil
    let parts = [pages, time].compactMap(\.self)
    return parts.isEmpty ? nil : "All in all \(parts.listed)."
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
