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
      context.text(view.title), topic: words.isEmpty ? context.text("Movies, books and records") : words, shape: shape,
      covers: try covers(shape.mostCovers, in: context),
      sentences: try view.sentences(in: context.terminal.translation).map(context.text),
      chart: months(in: context),
      quote: try context.quote(of: view.store.bestWords(query, in: review.year), in: view.store),
      footer: try context.footer(on: view.today, in: view.store), in: context.terminal.translation)
  }

  /// The covers of the year: loved, well rated, new.
  func covers(_ most: Int, in context: Context) throws -> [Picture] {
    let items = try view.store.itemsWithCover(query, in: review.year, limit: Context.coversToTry(for: most))
    return try context.pictures(of: items, in: view.store, most: most)
  }

  /// What came in each month; in a year in which nothing did, what was watched, read and played.
  private func months(in context: Context) -> Timeline? {
    let (months, cameNothing) = (view.months, review.figures.added.items == 0)
    guard months.contains(where: { $0.added + $0.times > 0 }) else { return nil }
    return Timeline(
      cameNothing ? "\(view.seenName), month by month" : "Added, month by month",
      moments: YearReviewView.monthNames.prefix(months.count).map(context.text),
      series: [.init("", months.map { Amount(cameNothing ? $0.times : $0.added) })])
  }
}
