internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The whole genre analysis as a page.
struct GenrePage {
  var report: GenreReport
  /// By decade, year added, kind, creator and rating.
  var matrices: [GenreMatrix]
  /// The number of genres in the charts; the tables have all.
  var top: Int
  var query: [String]
  /// The day on which the page is made, `2026-11-21`.
  var day: String
  /// The language of the page; nil for English.
  var translation: Translation?

  /// The page.
  var page: HTMLPage {
    var page = HTMLPage(
      "Genres", subtitle: subtitle,
      footer: """
        Made by catalog \(Release.version) on \(day): \(code: command("catalog genres", "--html FILE")). \
        What the numbers mean: \(code: "catalog help genres")
        """, in: translation)
    guard report.items > 0 else {
      page.add(.paragraph("The catalog is empty, so there is nothing to analyse yet."))
      page.add(.paragraph("Look something up: \(code: "catalog search dune")"))
      return page
    }
    for finding in findings { page.add(.paragraph(finding)) }
    page.add(.facts(facts))
    guard !report.genres.isEmpty else {
      page.add(
        .paragraph(
          "Without genres there is nothing to analyse. Some come with \(code: "catalog edit REF genre+=Jazz")"))
      return page
    }
    page.add(.figure(report.bars(top: top, in: translation)))
    if report.hasEnoughItems {
      addPairs(to: &page)
      addMatrices(to: &page)
      addYears(to: &page)
      addKinds(to: &page)
    } else {
      page.add(.note(report.tooFew))
    }
    addGenres(to: &page)
    return page
  }

  private var subtitle: Message {
    let title = report.parts.isEmpty ? items(report.items) : report.title
    return query.isEmpty ? title : "\(title): \(query.joined(separator: " "))"
  }

  /// The genre's name in the language of the page.
  private func name(_ genre: String) -> String { translation.genreName(genre) }

  /// The words in the language of the page, where a table takes them.
  private func text(_ message: Message) -> String { message.text(in: translation) }

  // MARK: Findings

  /// The sentences, each with what lists the items it is about.
  private var findings: [Message] {
    guard report.hasEnoughItems else { return [] }
    guard !report.findings.isEmpty else { return ["No clear change."] }
    return report.findings.map { finding in
      FindingSentence(
        finding: finding, genre: finding.genre.map(name) ?? "", query: query, yearAgo: report.yearAgo,
        parts: report.parts
      ).note.line
    }
  }

  // MARK: The headline

  private var facts: [HTMLPage.Fact] {
    var facts: [HTMLPage.Fact] = []
    if let top = report.top {
      facts.append(
        .init(
          "Top genre", Message(verbatim: name(top.name)), note: "\(items(top.items)) of \(report.itemsWithGenre)"))
    }
    if let diversity = report.diversity, let effective = report.effectiveBranches?.fixed(1) {
      facts.append(
        .init(
          "Diversity", Message(verbatim: effective),
          note: effective == "1.0" ? diversity : "branches of equal weight would be as varied"))
    }
    facts.append(
      .init(
        "Coverage", "\(report.itemsWithGenre) of \(report.items)",
        note: report.itemsWithoutGenre == 0
          ? "all have a genre" : "have a genre; the rest: \(code: command("catalog list genre:none"))"))
    if report.hasEnoughItems, let mean = report.meanRating {
      facts.append(
        .init("Mean rating", Message(verbatim: "\(stars(mean)) ★"), note: "of \(items(report.rated)) with a rating"))
    }
    return facts
  }

  private func items(_ count: Int) -> Message { count.counted("item", "items") }

  /// A rating of 0 … 100 in stars.
  private func stars(_ rating: Double) -> String { (rating / 20).fixed(2) }

  // MARK: The genres

  private func addGenres(to page: inout HTMLPage) {
    page.add(.heading("All genres"))
    page.add(.table(genres, caption: "Every genre that has items"))
    page.blocks += genreNotes.map(HTMLPage.Block.note)
  }

  private var genres: Table {
    // Of few items there are only counts.
    let count = report.hasEnoughItems ? 8 : 3
    let columns: [Table.Column] = [
      .init("genre", "Genre", importance: 9), .init("ancestors", "Part of", importance: 2),
      .init("items", "Items", alignment: .right, importance: 8),
      .init("share", "Share", alignment: .right, importance: 7),
      .init("weight", "Weight", alignment: .right, importance: 4),
      .init("rating", "Rating\u{A0}★", alignment: .right, importance: 6),
      .init("loved", "Loved", alignment: .right, importance: 3),
      .init("momentum", "Trend", alignment: .right, importance: 5),
    ]
    let rows = report.genres.map { genre -> [Table.Cell] in
      [
        .init(name(genre.name)), .init(genre.ancestors, shown: genre.ancestors.map(name).joined(separator: " › ")),
        .init(genre.items), percent(genre.share), percent(genre.weight),
        .init(genre.shrunkRating, shown: genre.shrunkRating.map { "\(stars($0)) (\(genre.rated))" }),
        loved(genre), trend(genre),
      ]
    }
    return Table(columns: Array(columns.prefix(count)), rows: rows.map { Array($0.prefix(count)) })
  }

  private func percent(_ share: Double) -> Table.Cell { .init(share, shown: "\((share * 100).fixed(1)) %") }

  private func loved(_ genre: GenreReport.Genre) -> Table.Cell {
    guard let affinity = genre.affinity else { return .init(nil as Double?) }
    return .init(
      affinity, shown: "\(affinity.fixed(1)) ×",
      style: genre.isAffinitySignificant ? (affinity > 1 ? .green : .red) : .dim)
  }

  private func trend(_ genre: GenreReport.Genre) -> Table.Cell {
    guard report.hasMomentum, let points = genre.momentum else { return .init(nil as Double?) }
    let text = abs(points).fixed(1)
    guard genre.isTrendSignificant else {
      return .init(points, shown: text == "0.0" ? text : (points > 0 ? "+" : "−") + text, style: .dim)
    }
    return .init(points, shown: (points > 0 ? "▲ " : "▼ ") + text, style: points > 0 ? .green : .red)
  }

  private var genreNotes: [Message] {
    guard report.hasEnoughItems else { return [] }
    var notes: [Message] = ["Weight splits each item evenly among its lowest genres, so weights add up to 100 %."]
    if let giniSimpson = report.giniSimpson {
      notes[0] +=
        " Two branches that one draws by weight differ with a chance of \((giniSimpson * 100).fixed(1)) % (Gini–Simpson)."
    }
    notes.append(
      report.rated == 0
        ? "Nothing is rated yet: \(code: "catalog card add REF --stars 4.5")"
        : """
        A rating is drawn towards your mean of the kind as if \(GenreReport.priorItems) more items had got just that. Loved is \
        how many times as often as all of the kind that you rated or made a favorite the genre's are loved (a favorite, or 4 \
        stars and more): from \(GenreReport.leastForAffinity) such items on; grey may be chance.
        """)
    notes.append(report.trendNote(("▲", "▼")))
    if let undated = report.undatedNote { notes.append(undated) }
    return notes
  }

  // MARK: Matrices

  /// Five maps of many rows are more than one reads.
  private var mapTop: Int { min(top, 15) }

  private func addMatrices(to page: inout HTMLPage) {
    // One column says what the bars say.
    let maps = matrices.filter { $0.dimension != .yearAdded && $0.buckets.count > 1 }
    guard let first = maps.first else { return }
    page.add(.heading("Where they are"))
    page.add(
      .paragraph(
        "How many items each genre has: the stronger the shade, the more beyond the genre's share of its kind."))
    page.blocks += first.rowNotes(top: mapTop, query: query, in: translation).map { .note($0.line) }
    for matrix in maps {
      page.add(.figure(matrix.chart(top: mapTop, rate: GenreMatrix.rate(maps: maps.count), in: translation)))
      page.blocks += matrix.columnNotes(query: query).map { .note($0.line) }
    }
  }

  // MARK: Pairs

  private static let mostPairs = 25

  private func addPairs(to page: inout HTMLPage) {
    page.add(.heading("Often together"))
    guard !report.pairs.isEmpty else { return page.add(.paragraph(report.noPairs)) }
    let table = Table(
      columns: [
        .init("genre", "Genre", importance: 4), .init("other", "With", importance: 4),
        .init("together", "Items", alignment: .right, importance: 2),
        .init("chance", "By chance", alignment: .right, importance: 2),
        .init("lift", "Times chance", alignment: .right, importance: 3),
      ],
      rows: report.pairs.prefix(Self.mostPairs).map { pair in
        [
          .init(name(pair.genre)), .init(name(pair.other)), .init(pair.together),
          .init(pair.expected, shown: pair.expected.fixed(1)), .init(pair.lift, shown: pair.lift.fixed(1)),
        ]
      })
    page.add(.table(table, caption: "Genres that items have together"))
    page.add(.note(report.pairsNote))
  }

  // MARK: Years

  private func addYears(to page: inout HTMLPage) {
    page.add(.heading("From year to year"))
    let years = report.years.filter { $0.itemsWithGenre > 0 }
    guard years.count > 1 else { return page.add(.paragraph(report.noYears)) }
    for matrix in matrices where matrix.dimension == .yearAdded {
      page.add(.figure(matrix.chart(top: mapTop, in: translation)))
    }
    let table = Table(
      columns: [
        .init("year", "Year", importance: 5),
        .init("items", "Items", alignment: .right, importance: 4),
        .init("classified", "With genre", alignment: .right, importance: 1),
        .init("drift", "Drift", alignment: .right, importance: 4),
        .init("chance", "Chance", alignment: .right, importance: 2), .init("moved", "Moved most", importance: 3),
        .init("new", "New genres", importance: 3),
      ],
      rows: report.years.map { year in
        [
          .init(year.year), .init(year.items), .init(year.itemsWithGenre),
          .init(
            year.drift,
            shown: year.drift.map { drift in text(marked(drift.fixed(2), hasEnoughItems: year.hasEnoughItems)) },
            style: year.isSignificant ? .bold : .dim),
          .init(year.chance, shown: year.chance.map(GenreReport.percent), style: .dim),
          .init(year.isSignificant ? year.moves(("▲", "▼"), in: translation) : nil),
          .init(year.newGenres.map(shortened)),
        ]
      })
    page.add(.table(table, caption: "Years in which items were added"))
    page.add(
      .note(
        "\(GenreReport.driftNote) It needs \(GenreReport.leastToCompare) items with a genre of the same kinds in both years."
      ))
  }

  /// A number of which there are perhaps too few items.
  private func marked(_ number: String, hasEnoughItems: Bool) -> Message {
    hasEnoughItems ? Message(verbatim: number) : "\(number) (few)"
  }

  /// The first of many names.
  private func shortened(_ genres: [String]) -> String {
    let names = genres.map(name)
    guard names.count > 8 else { return names.joined(separator: ", ") }
    return text("\(names.prefix(6).joined(separator: ", ")) and \(names.count - 6) more")
  }

  // MARK: Kinds

  private func addKinds(to page: inout HTMLPage) {
    page.add(.heading("Across kinds"))
    guard !report.kindPairs.isEmpty else { return page.add(.paragraph(report.noKindPairs)) }
    let table = Table(
      columns: [
        .init("kinds", "Kinds", importance: 3), .init("similarity", "Alike", alignment: .right, importance: 3),
        .init("genres", "Through", importance: 2),
      ],
      rows: report.kindPairs.map { pair in
        [
          .init(text("\(pair.kind.plurals) and \(pair.other.plurals)")),
          .init(
            pair.similarity, shown: text(marked(pair.similarity.fixed(2), hasEnoughItems: pair.hasEnoughItems)),
            style: pair.hasEnoughItems ? .plain : .dim),
          .init(
            pair.shared.isEmpty
              ? text("nothing that both have")
              : pair.shared.prefix(Self.mostShared).map { name($0.genre) }.joined(separator: ", ")),
        ]
      })
    page.add(.table(table, caption: "How alike the genres of two kinds are"))
    page.add(
      .note(
        "\(GenreReport.alikeNote) It needs \(GenreReport.leastToCompare) items with a genre of each kind: with few, it is mostly chance."
      ))
  }

  private static let mostShared = 6

  private func command(_ words: String...) -> String {
    (words + query.map(\.shellWord)).joined(separator: " ")
  }
}
