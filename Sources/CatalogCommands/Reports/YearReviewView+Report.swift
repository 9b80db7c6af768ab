internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

extension YearReviewView {
  /// The year for a person.
  /// - Parameters:
  ///   - isWhole: whether it has all charts; an overview has tables with bars.
  ///   - terminal: the language and the characters of the report.
  func report(isWhole: Bool, on terminal: Terminal) throws -> Report {
    var page = Report(
      title, subtitle: subtitle,
      footer: """
        Made by catalog \(Release.version) on \(today): \
        \(code: options.command("report", "year", "\(review.year)", "--html FILE")).
        """)
    guard !review.figures.isEmpty else {
      page.add(.paragraph("The catalog is empty, so there is no year to look back on."))
      page.add(.paragraph("Look something up: \(code: "catalog search dune")"))
      return page
    }
    for sentence in try sentences(in: terminal.translation) { page.add(.lead(sentence)) }
    if isWhole { page.add(.facts(facts)) }
    page.add(.heading("By month"))
    let monthNotes = [monthNote].compactMap(\.self).map { Footnote($0) }
    page.add(
      isWhole
        ? .figure(monthChart(on: terminal), notes: monthNotes)
        : .table(try monthTable(on: terminal), caption: "Added, watched, read, played", notes: monthNotes))
    if !review.best.isEmpty {
      page.add(.heading("Best"))
      page.add(
        .table(
          try bestTable(isWhole: isWhole, on: terminal), caption: "Rated highest in \(review.year)",
          notes: [moreAsGood].compactMap(\.self)))
      if isWhole { page.add(.figure(ratingChart)) }
    }
    if !moments.isEmpty {
      page.add(.heading("First and last"))
      page.add(
        .table(
          try momentTable(on: terminal), caption: "Of what was added, and of the diary where the day is known"))
    }
    if !review.genres.isEmpty {
      page.add(.heading("Genres"))
      page.add(
        isWhole
          ? .figure(genreChart(in: terminal.translation), notes: genreNotes)
          : .table(try genreTable(in: terminal.translation), caption: "Share of what was added", notes: genreNotes))
      if let new = newGenres(most: isWhole ? .max : 8, in: terminal.translation) { page.add(.entries([new])) }
    }
    if !review.creators.isEmpty {
      page.add(.heading("Most by"))
      let more = [moreCreators].compactMap(\.self)
      if isWhole {
        let bars = review.creators.map {
          BarChart.Bar($0.heading, Amount($0.tally.items), query: Query.term("creator", $0.heading))
        }
        page.add(.figure(BarChart("Items added, by creator", bars: bars), notes: more))
      } else {
        page.add(.list(review.creators.map { Footnote(Message(verbatim: "\($0.heading) (\($0.tally.items))")) }))
        for note in more { page.add(.note(note)) }
      }
    }
    page.add(.heading("\(review.year) and \(review.year - 1)"))
    page.add(
      .table(
        try figureTable(isTree: !isWhole, on: terminal), caption: "What can be counted",
        notes: [comparisonNote].compactMap(\.self)))
    for note in notes { page.add(.note(note)) }
    return page
  }

  private var subtitle: Message? {
    let words = options.words.isEmpty ? [] : [Message(verbatim: options.words.joined(separator: " "))]
    let until: [Message] = review.isOver ? [] : ["Until \(PartialDate(today)?.words ?? Message(verbatim: today))"]
    let parts = until + words
    return parts.isEmpty ? nil : parts.joined(separator: ": ")
  }

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
      fact(seenName, now.seen.items, before: before.seen.items),
    ]
    if let mean = now.rated.meanRating {
      facts.append(
        .init(
          "Mean rating", "\(mean.stars(2)) stars", note: "of \(now.rated.items.counted("rated item", "rated items"))"))
    }
    if now.seen.pages > 0 { facts.append(fact("Pages read", now.seen.pages, before: before.seen.pages)) }
    if now.seen.minutes > 0 {
      facts.append(fact("Time watched", now.seen.minutes.duration, before: before.seen.minutes.duration))
    }
    return facts
  }

  // MARK: Months

  private func monthChart(on terminal: Terminal) -> Timeline {
    Timeline(
      "Added, watched, read, played",
      moments: Self.monthNames.prefix(months.count).map { $0.text(on: terminal) },
      series: [
        .init(Message("Added", context: "count").text(on: terminal), months.map { Amount($0.added) }),
        .init(seenName.text(on: terminal), months.map { Amount($0.times) }),
      ])
  }

  private func monthTable(on terminal: Terminal) throws -> Table {
    // The diary describes a year better than the additions do.
    let showsAdded = review.figures.times == 0
    let named = zip(Self.monthNames, months).map { (name: $0, month: $1) }
    var table = try Table(
      named,
      [
        .init("month", "", importance: 9) { $0.name.text(on: terminal) },
        .init("added", Message("Added", context: "count"), alignment: .right, importance: 8, \.month.added),
        .init("times", only == nil ? "Times" : seenName, alignment: .right, importance: 7, \.month.times),
      ])
    table.bars = .init(
      behind: showsAdded ? "added" : "times", of: months.map { Double(showsAdded ? $0.added : $0.times) })
    return table
  }

  /// The diary entries that the months leave out.
  private var monthNote: Message? {
    let count = review.figures.timesWithoutMonth
    guard count > 0 else { return nil }
    return Message(
      counting: count,
      one: "\(count) entry of the diary says \(review.year) and no month: it counts for the year alone.",
      many: "\(count) entries of the diary say \(review.year) and no month: they count for the year alone.")
  }

  // MARK: Items

  private func bestTable(isWhole: Bool, on terminal: Terminal) throws -> Table {
    let best = try review.best.map { (moment: $0, record: try store.item($0.item).record) }
    return try Table(
      best,
      [
        .init(
          "rating", "Rating", importance: 8, style: .yellow, \.moment.rating?.value,
          shown: { $0.moment.rating.map { terminal.usesUnicode ? $0.stars : $0.description } }),
        .init("id", "Item", alignment: .right, importance: 9, style: .cyan, \.moment.item),
        .init("title", "Title", isFlexible: true, minimumWidth: 16, importance: 10, \.record.headline),
      ], isWhole ? [.init("kind", "Kind", importance: 2, isWord: true, \.record.kind)] : [],
      [.init("on", "Date", importance: 3, style: .dim) { $0.moment.on.words.text(on: terminal) }], hasHeadings: false)
  }

  /// The ratings in steps of half a star.
  private var ratingChart: BarChart {
    let steps = Array(review.figures.histogram.enumerated().reversed())
    return BarChart(
      "Ratings of the year",
      notes: ["To the nearest half star, of \(review.figures.rated.items.counted("rated item", "rated items"))."],
      bars: steps.map { .init("\((Double($0) / 2).fixed(1)) ★", Amount($1)) })
  }

  private func momentTable(on terminal: Terminal) throws -> Table {
    try Table(
      moments,
      [
        .init("what", "What", importance: 9) { $0.name.text(on: terminal) },
        .init("on", "Date", importance: 7, style: .dim) { $0.moment.on.words.text(on: terminal) },
        .init("id", "Item", alignment: .right, importance: 6, style: .cyan, \.moment.item),
        .init("title", "Title", isFlexible: true, minimumWidth: 16, importance: 8) {
          try store.item($0.moment.item).record.headline
        },
      ], hasHeadings: false)
  }

  /// The first and the last entry, if there are any.
  private var moments: [(name: Message, moment: YearReview.Moment)] {
    let (first, last): (Message, Message) =
      switch only {
      case .movie: ("First watched", "Last watched")
      case .book: ("First read", "Last read")
      case .vinyl: ("First played", "Last played")
      default: ("First in the diary", "Last in the diary")
      }
    let moments: [(Message, YearReview.Moment?)] = [
      ("First added", review.firstAdded), ("Last added", review.lastAdded), (first, review.firstSeen),
      (last, review.lastSeen),
    ]
    return moments.compactMap { name, moment in moment.map { (name, $0) } }
  }

  // MARK: Genres

  private func genreChart(in translation: Translation?) -> BarChart {
    var notes: [Message] = ["Of the items added that have a genre. An item may have several."]
    if review.genres.contains(where: { $0.shareBefore != nil }) {
      notes.append("In brackets the share in \(review.year - 1).")
    }
    return BarChart(
      "Share of what was added", notes: notes,
      bars: review.genres.map { genre in
        let before = genre.shareBefore.map { " (\(($0 * 100).fixed(1)))" } ?? ""
        return .init(
          translation.genreName(genre.name), Amount(genre.share, "\((genre.share * 100).fixed(1)) %\(before)"))
      })
  }

  private func genreTable(in translation: Translation?) throws -> Table {
    func percent(_ share: Double) -> String { "\((share * 100).fixed(1)) %" }
    var table = try Table(
      review.genres,
      [
        .init("genre", "Genre", isFlexible: true, minimumWidth: 12, importance: 9) { translation.genreName($0.name) },
        .init("items", "Items", alignment: .right, importance: 8, \.items),
        .init("share", "Share", alignment: .right, importance: 7) { percent($0.share) },
        .init("before", "\(review.year - 1)", alignment: .right, importance: 6, style: .dim) {
          $0.shareBefore.map(percent)
        },
      ])
    table.bars = .init(behind: "share", of: review.genres.map(\.share))
    return table
  }

  private var genreNotes: [Footnote] {
    var notes = [moreGenres].compactMap(\.self)
    if !review.tellsNewGenres {
      notes.append(
        .init(
          "Too little to tell what is new: \(review.earlierItems) of \(GenreReport.leastBeforeNew) items came before."))
    } else if review.newGenres.isEmpty {
      notes.append(.init("No genre is new in \(review.year)."))
    }
    return notes
  }

  private func newGenres(most: Int, in translation: Translation?) -> Report.Fact? {
    guard review.tellsNewGenres, !review.newGenres.isEmpty else { return nil }
    let named = review.newGenres.prefix(most).map { "\(translation.genreName($0.name)) (\($0.items))" }
      .joined(separator: ", ")
    let rest = review.newGenres.count - min(most, review.newGenres.count)
    return .init("New", rest > 0 ? "\(named) and \(rest) more" : Message(verbatim: named))
  }

  // Items with the same rating as the last of a list, which did not fit into it.

  private var moreAsGood: Footnote? {
    guard review.best.more > 0 else { return nil }
    return Footnote("and \(review.best.more) more with the rating of the last")
  }

  private var moreGenres: Footnote? {
    guard review.genres.more > 0, let last = review.genres.last else { return nil }
    return Footnote("and \(review.genres.more) more with \(last.items.counted("item", "items"))")
  }

  private var moreCreators: Footnote? {
    guard review.creators.more > 0, let last = review.creators.last else { return nil }
    return Footnote("and \(review.creators.more) more with \(last.tally.items.counted("item", "items"))")
  }

  /// The note on the days of the year before that the table compares with; nil for all.
  private var comparisonNote: Footnote? {
    guard let until = review.beforeUntil, !review.before.isEmpty else { return nil }
    return Footnote("\(review.year) is not over, so \(review.year - 1) is counted up to \(until.words) only.")
  }
}
