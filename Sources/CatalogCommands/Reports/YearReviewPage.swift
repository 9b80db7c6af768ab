internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The year in review as a page with charts.
struct YearReviewPage {
  var view: YearReviewView
  /// The covers of the year.
  var covers: [Picture]
  /// The day of the report.
  var today: String
  /// The language of the page; nil is English.
  var translation: Translation?

  private var review: YearReview { view.review }

  /// Makes the page.
  func make() throws -> HTMLPage {
    var page = HTMLPage(
      view.title, subtitle: subtitle,
      footer: """
        Made by catalog \(Release.version) on \(today): \
        \(code: view.options.command("report", "year", "\(review.year)", "--html FILE")). \
        Years and months are those of UTC.
        """, in: translation)
    guard !review.figures.isEmpty else {
      page.add(.paragraph("Nothing was added, rated or written about in \(review.year)."))
      page.add(.paragraph("Look something up: \(code: "catalog search dune")"))
      return page
    }
    if !covers.isEmpty { page.add(.pictures(covers)) }
    for sentence in try view.sentences(in: translation) { page.add(.lead(sentence)) }
    page.add(.facts(facts))
    page.add(.heading("By month"))
    page.add(.figure(months))
    if !review.best.isEmpty {
      page.add(.heading("Best"))
      page.add(.table(try best, caption: "Rated highest in \(review.year)"))
      if let more = view.moreAsGood { page.add(.note(more.sentence)) }
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
    for note in view.notes { page.add(.note(note)) }
    return page
  }

  private var subtitle: Message {
    let words = view.options.words.joined(separator: " ")
    let until: Message =
      review.isOver ? "All of the year" : "Until \(PartialDate(today)?.words ?? Message(verbatim: today))"
    return words.isEmpty ? until : "\(until): \(words)"
  }

  /// The message in the language of the page, for a chart or a table.
  private func text(_ message: Message) -> String { message.text(in: translation) }

  // MARK: Parts

  private var facts: [Report.Fact] {
    let (now, before) = (review.figures, review.before)
    func fact(_ name: Message, _ amount: Message, before: Message) -> Report.Fact {
      .init(
        name, amount, note: review.before.isEmpty ? nil : Message("\(before) in \(review.year - 1)", context: "year"))
    }
    func fact(_ name: Message, _ count: Int, before: Int) -> Report.Fact {
      fact(name, Message(verbatim: "\(count)"), before: Message(verbatim: "\(before)"))
    }
    var facts = [
      fact(Message("Added", context: "count"), now.added.items, before: before.added.items),
      fact("Watched, read, played", now.seen.items, before: before.seen.items),
    ]
    if let mean = now.rated.meanRating {
      facts.append(
        .init(
          "Mean rating", Message(verbatim: "\(mean.stars(2)) ★"),
          note: "of \(now.rated.items.counted("rated item", "rated items"))"))
    }
    if now.seen.pages > 0 { facts.append(fact("Pages read", now.seen.pages, before: before.seen.pages)) }
    if now.seen.minutes > 0 {
      facts.append(fact("Time watched", now.seen.minutes.duration, before: before.seen.minutes.duration))
    }
    return facts
  }

  private var months: Timeline {
    var notes: [Message] = []
    if let note = view.monthNote { notes.append(note) }
    return Timeline(
      "Added, watched, read, played", notes: notes,
      moments: YearReviewView.monthNames.prefix(view.months.count).map(text),
      series: [
        .init(text(Message("Added", context: "count")), view.months.map { Amount($0.added) }),
        .init(text(view.seenName), view.months.map { Amount($0.times) }),
      ])
  }

  private var best: Table {
    get throws {
      Table(
        columns: [
          .init("title", "Title", importance: 9), .init("kind", "Kind", importance: 3, isWord: true),
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
            .init(text(name)), .init(try view.store.item(moment.item).record.headline),
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
            return .init(
              translation.genreName(genre.name), Amount(genre.share, "\((genre.share * 100).fixed(1)) %\(before)"))
          })))
    if !review.tellsNewGenres {
      page.add(
        .note(
          "Too little to tell what is new: \(review.earlierItems) of \(GenreReport.leastBeforeNew) items came before."))
    } else if review.newGenres.isEmpty {
      page.add(.note("No genre is new."))
    } else {
      page.add(.paragraph("New this year:"))
      page.add(.list(review.newGenres.map { Footnote("\(translation.genreName($0.name)) (\($0.items))") }))
    }
  }

  private func addFigures(to page: inout HTMLPage) {
    page.add(.heading(view.figureTitle))
    var terminal = Terminal()
    terminal.translation = translation
    page.add(.table(view.figureTable(isTree: false, on: terminal), caption: "What can be counted"))
    if let note = view.comparisonNote { page.add(.note(note)) }
  }
}
