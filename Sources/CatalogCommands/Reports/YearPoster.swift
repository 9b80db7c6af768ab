internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The year in review as one picture.
struct YearPoster {
  var view: YearReviewView
  var query: Query

  private var review: YearReview { view.review }

  /// - Parameter context: makes covers smaller.
  func make(_ shape: Poster.Shape, in context: Context) throws -> Poster {
    let words = view.options.words.joined(separator: " ")
    return Poster(
      context.text(view.title), topic: words.isEmpty ? context.text(kinds) : words, shape: shape,
      covers: try covers(shape.mostCovers, in: context),
      sentences: try view.sentences(in: context.terminal.translation).map(context.text),
      chart: months(in: context),
      quote: try context.quote(of: view.store.bestWords(query, in: review.year), in: view.store),
      footer: try context.footer(on: view.today, in: view.store), in: context.terminal.translation)
  }

  /// The kinds of the year's items: `Movies and books`.
  private var kinds: Message {
    let (added, seen) = (review.figures.added, review.figures.seen)
    func has(_ kind: KeyPath<Tally, Int>) -> Bool { added[keyPath: kind] + seen[keyPath: kind] > 0 }
    return switch (has(\.movies), has(\.books), has(\.records)) {
    case (true, false, false): "Movies"
    case (false, true, false): "Books"
    case (false, false, true): "Records"
    case (true, true, false): "Movies and books"
    case (true, false, true): "Movies and records"
    case (false, true, true): "Books and records"
    case (true, true, true), (false, false, false): "Movies, books and records"
    }
  }

  /// The covers of the year: loved, well rated, new.
  func covers(_ most: Int, in context: Context) throws -> [Picture] {
    let items = try view.store.itemsWithCover(query, in: review.year, limit: Context.coversToTry(for: most))
    return try context.pictures(of: items, in: view.store, most: most)
  }

  /// What was watched, read and played in each month; in a year in which nothing was, what came.
  private func months(in context: Context) -> Timeline? {
    let (months, hasTimes) = (view.months, review.figures.times > 0)
    guard months.contains(where: { $0.added + $0.times > 0 }) else { return nil }
    return Timeline(
      hasTimes ? "\(view.seenName), month by month" : "Added, month by month",
      moments: YearReviewView.monthNames.prefix(months.count).map(context.text),
      series: [.init("", months.map { Amount(hasTimes ? $0.times : $0.added) })])
  }
}
