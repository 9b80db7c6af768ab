internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The genre analysis as one picture.
struct GenrePoster {
  var report: GenreReport
  var query: Query
  /// The query as typed.
  var words: [String]
  var store: Store
  /// The findings of the report in words.
  var sentences: [Message]
  /// `2026-11-21`.
  var day: String

  func make(_ shape: Poster.Shape, in context: Context) throws -> Poster {
    let items = context.text(report.items.counted("item", "items"))
    return Poster(
      context.text("My genres"), topic: words.isEmpty ? items : "\(items): \(words.joined(separator: " "))",
      shape: shape,
      covers: try covers(shape.mostCovers, in: context), sentences: sentences.map(context.text),
      chart: bars(in: context), quote: try context.quote(of: store.bestWords(query), in: store),
      footer: try context.footer(on: day, in: store), in: context.terminal.translation)
  }

  /// The genres with most items. Those of which most items are only in a genre below say too little.
  private var leaders: TopList<GenreReport.Genre> {
    TopList(of: report.genres.filter { !$0.isHeading }, most: 7, by: \.items)
  }

  private func bars(in context: Context) -> BarChart? {
    guard let last = leaders.last else { return nil }
    let title: Message =
      leaders.more == 0
      ? "Items by genre"
      : "Items by genre, and \(leaders.more) more with \(last.items.counted("item", "items"))"
    return BarChart(
      title,
      bars: leaders.map { .init(context.genreName($0.name), Amount($0.items)) })
  }

  /// The cover of the record that represents the person, one of each of these genres, then the next of each.
  private func covers(_ most: Int, in context: Context) throws -> [Picture] {
    let tries = Context.coversToTry(for: most)
    let byGenre = try leaders.map { genre in
      var query = query
      query.require(.field(.genres, [.contains(genre.name)]))
      return try store.itemsWithCover(query, limit: tries)
    }
    var items = try store.representative().map { [$0] } ?? []
    for _ in 0..<most {
      for genre in byGenre { items += genre.first { !items.contains($0) }.map { [$0] } ?? [] }
    }
    items += try store.itemsWithCover(query, limit: tries).filter { !items.contains($0) }
    return try context.pictures(of: items, in: store, most: most)
  }
}

extension GenreReport {
  /// The findings in words, or the headline if there are none.
  func sentences(_ question: GenreQuestion, in context: Context) -> [Message] {
    guard hasEnoughItems, !findings.isEmpty else { return headline(in: context) }
    return findings.map { sentence(of: $0, question, context.genreName).words }
  }

  private func headline(in context: Context) -> [Message] {
    guard items > 0 else { return [] }
    var sentences: [Message] = []
    if let top {
      let name = context.genreName(top.name)
      sentences.append("\(name) above all: \(top.items) of \(itemsWithGenre.counted("item", "items")).")
    }
    guard hasEnoughItems else { return sentences }
    if let effective = effectiveBranches?.fixed(1), effective != "1.0" {
      sentences.append("As varied as \(effective) branches of equal weight.")
    }
    if let meanRating { sentences.append("\(meanRating.stars(2)) stars on average, over \(rated) rated.") }
    return sentences
  }
}
