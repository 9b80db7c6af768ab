internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The year in review as a page with charts.
struct YearReviewPage {
  var view: YearReviewView
  /// What stands for the year.
  var covers: [Picture]
  /// What was counted on that day.
  var today: String

  private var review: YearReview { view.review }

  /// The page.
  func make() throws -> HTMLPage {
    var page = HTMLPage(
      view.title.text(in: nil), subtitle: subtitle,
      footer: """
        Made by catalog \(HTMLText(Release.version)) on \(HTMLText(today)): \
        \(code: view.options.command("report", "year", "\(review.year)", "--html FILE")). \
        Years and months are those of UTC.
        """)
    guard !review.figures.isEmpty else {
      page.add(.paragraph("Nothing was added, rated or written about in \(review.year)."))
      page.add(.paragraph("Look something up: \(code: "catalog search dune")"))
      return page
    }
    if !covers.isEmpty { page.add(.pictures(covers)) }
    page.blocks += try view.sentences().map { .lead("\($0.text(in: nil))") }
    page.add(.facts(facts))
    page.add(.heading("By month"))
    page.add(.figure(months))
    if !review.best.isEmpty {
      page.add(.heading("Best"))
      page.add(.table(try best, caption: "Rated highest in \(review.year)"))
      if let more = view.moreAsGood { page.add(.note(HTMLText(more.sentence.text(in: nil)))) }
      page.add(.figure(ratings))
    }
    if let table = try firstAndLast {
      page.add(.heading("First and last"))
      page.add(.table(table, caption: "Of what was added, and of the diary where the day is known"))
    }
    addGenres(to: &page)
    if !review.creators.isEmpty {
      page.add(.heading("Most by"))
      page.add(
        .figure(
          BarChart(
            "Items added, by creator", notes: [view.moreCreators?.sentence].compactMap(\.self),
            bars: review.creators.map { .init($0.heading, Amount($0.tally.items)) })))
    }
    addFigures(to: &page)
    page.blocks += view.notes.map { note in
      .note(note.html)
    }
    return page
  }

  private var subtitle: HTMLText {
    let words = view.options.words.joined(separator: " ")
    let until: HTMLText = review.isOver ? "All of the year" : "Until \(HTMLText(today))"
    return words.isEmpty ? until : "\(until): \(words)"
  }

  // MARK: Parts

  private var facts: [HTMLPage.Fact] {
    let (now, before) = (review.figures, review.before)
    func against(_ count: Int) -> HTMLText? {
      review.before.isEmpty ? nil : "\(count) in \(HTMLText("\(review.year - 1)"))"
    }
    var facts = [
      HTMLPage.Fact("Added", "\(now.added.items)", note: against(before.added.items)),
      HTMLPage.Fact("Watched, read, played", "\(now.seen.items)", note: against(before.seen.items)),
    ]
    if let mean = now.rated.meanRating {
      facts.append(
        .init(
          "Mean rating", HTMLText("\(mean.stars(2)) ★"),
          note: "of \(HTMLText(now.rated.items.counted("rated item", "rated items").text(in: nil)))"))
    }
    if now.seen.pages > 0 { facts.append(.init("Pages read", "\(now.seen.pages)", note: against(before.seen.pages))) }
    if now.seen.minutes > 0 {
      facts.append(
        .init(
          "Time watched", HTMLText(now.seen.minutes.duration.text(in: nil)),
          note: review.before.isEmpty
            ? nil : "\(HTMLText(before.seen.minutes.duration.text(in: nil))) in \(HTMLText("\(review.year - 1)"))"))
    }
    return facts
  }

  private var months: Timeline {
    var notes: [Message] = []
    if let note = view.monthNote { notes.append(note) }
    return Timeline(
      "Added, watched, read, played", notes: notes,
      moments: YearReviewView.monthNames.prefix(view.months.count).map { $0.text(in: nil) },
      series: [
        .init("Added", view.months.map { Amount($0.added) }),
        .init(view.seenName.text(in: nil), view.months.map { Amount($0.times) }),
      ])
  }

  private var best: Table {
    get throws {
      Table(
        columns: [
          .init("title", "Title", importance: 9), .init("kind", "Kind", importance: 3),
          .init("rating", "Rating", alignment: .right, importance: 8),
          .init("on", "Date", alignment: .right, importance: 5),
        ],
        rows: try review.best.map { moment in
          let record = try view.store.item(moment.item).record
          return [
            .init(record.headline), .init(record.kind.rawValue),
            .init(moment.rating?.value, shown: moment.rating?.stars),
            .init(moment.on.description),
          ]
        })
    }
  }

  private var ratings: BarChart {
    let steps = Array(review.figures.histogram.enumerated().reversed())
    return BarChart(
      "Ratings of the year",
      notes: ["To the nearest half star, of \(review.figures.rated.items.counted("rated item", "rated items"))."],
      bars: steps.map { .init("\((Double($0) / 2).fixed(1)) ★", Amount($1)) })
  }

  private var firstAndLast: Table? {
    get throws {
      let moments = view.moments
      guard !moments.isEmpty else { return nil }
      return Table(
        columns: [
          .init("what", "What", importance: 8), .init("title", "Title", importance: 9),
          .init("on", "Date", alignment: .right, importance: 7),
        ],
        rows: try moments.map { name, moment in
          [
            .init(name.text(in: nil)), .init(try view.store.item(moment.item).record.headline),
            .init(moment.on.description),
          ]
        })
    }
  }

  private func addGenres(to page: inout HTMLPage) {
    guard !review.genres.isEmpty else { return }
    page.add(.heading("Genres"))
    var notes: [Message] = [view.moreGenres?.sentence].compactMap(\.self)
    notes.append("Of the items added that have a genre. An item may have several.")
    if review.genres.contains(where: { $0.shareBefore != nil }) {
      notes.append("In brackets the share in \(review.year - 1).")
    }
    page.add(
      .figure(
        BarChart(
          "Share of what was added", notes: notes,
          bars: review.genres.map { genre in
            let before = genre.shareBefore.map { " (\(($0 * 100).fixed(1)))" } ?? ""
            return .init(genre.name, Amount(genre.share, "\((genre.share * 100).fixed(1)) %\(before)"))
          })))
    if !review.tellsNewGenres {
      page.add(
        .note(
          "Too little to tell what is new: \(review.earlierItems) of \(GenreReport.leastBeforeNew) items came before."))
    } else if review.newGenres.isEmpty {
      page.add(.note("No genre is new."))
    } else {
      page.add(.paragraph("New this year:"))
      page.add(.list(review.newGenres.map { "\($0.name) (\($0.items))" }))
    }
  }
  private func addFigures(to page: inout HTMLPage) {
    page.add(.heading(view.figureTitle.text(in: nil)))
    page.add(.table(view.figureTable(isTree: false, on: Terminal()), caption: "What can be counted"))
    guard !review.isOver, !review.before.isEmpty else { return }
    page.add(
      .note("\(HTMLText("\(review.year)")) is not over: it stands against all of \(HTMLText("\(review.year - 1)"))."))
  }
}
