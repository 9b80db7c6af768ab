internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The year in review as one picture.
struct YearPoster {
  var view: YearReviewView
  var query: Query

  private var review: YearReview { view.review }

  /// - Parameter context: provides the program that scales covers.
  func make(_ shape: Poster.Shape, in context: Context) throws -> Poster {
    let words = view.options.words.joined(separator: " ")
    return Poster(
      context.text(view.title), topic: words.isEmpty ? kinds(in: context) : words, shape: shape,
      covers: try covers(shape.mostCovers, in: context),
      sentences: try view.sentences(in: context.terminal.translation).map(context.text),
      chart: months(in: context),
      quote: try context.quote(of: view.store.bestWords(query, in: review.year), in: view.store),
      footer: try context.footer(on: view.today, in: view.store), in: context.terminal.translation)
  }

  /// The kinds of the year's items, as a heading: `Movies and books`; in an empty year all kinds.
  private func kinds(in context: Context) -> String {
    let paths: [(Kind, KeyPath<Tally, Int>)] = [(.movie, \.movies), (.book, \.books), (.vinyl, \.records)]
    let (added, seen) = (review.figures.added, review.figures.seen)
    let there = paths.filter { added[keyPath: $1] + seen[keyPath: $1] > 0 }
    let words = context.text((there.isEmpty ? paths : there).map { $0.0.things }.listed)
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// The covers of the year: favorites, well rated items, and new ones.
  func covers(_ most: Int, in context: Context) throws -> [Picture] {
    let items = try view.store.itemsWithCover(query, in: review.year, limit: Context.coversToTry(for: most))
    return try context.pictures(of: items, in: view.store, most: most)
  }

  /// The diary entries of each month, or the additions in a year without entries.
  private func months(in context: Context) -> Timeline? {
    let (months, hasTimes) = (view.months, review.figures.times > 0)
    guard months.contains(where: { $0.added + $0.times > 0 }) else { return nil }
    return Timeline(
      hasTimes ? "\(view.seenName), month by month" : "Added, month by month",
      moments: YearReviewView.monthNames.prefix(months.count).map(context.text),
      series: [.init("", months.map { Amount(hasTimes ? $0.times : $0.added) })])
  }
}
