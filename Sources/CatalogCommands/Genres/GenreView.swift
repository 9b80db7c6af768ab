internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The genre analysis for a person, at a terminal or in a browser.
struct GenreView {
  var report: GenreReport
  /// The items by genre and decade; for a whole report by year added, kind, creator and rating, too.
  var matrices: [GenreMatrix]
  /// The number of genres in a chart, and in a table that is not whole.
  var top: Int
  var question: GenreQuestion
  /// The day of the report, `2026-11-21`.
  var day: String
  /// A screen of genres; with pairs, maps, years and kinds; or with all charts and all rows.
  enum Extent { case brief, overview, whole }
  var extent: Extent
  private var isWhole: Bool { extent == .whole }
  /// The language and the characters of the report.
  var terminal: Terminal

  private var translation: Translation? { terminal.translation }
  private var glyphs: Glyphs { terminal.glyphs }

  /// The report of an empty catalog.
  static let nothing: [Report.Block] = [
    .paragraph("The catalog is empty, so there is nothing to analyse yet."),
    .paragraph("Look something up: \(code: "catalog search dune")"),
  ]

  func make() -> Report {
    var page = Report(
      "Genres", subtitle: subtitle,
      footer: """
        Made by catalog \(Release.version) on \(day): \(code: question.genres("--html FILE")). \
        What the numbers mean: \(code: "catalog help genres")
        """)
    guard report.items > 0 else {
      for block in Self.nothing { page.add(block) }
      return page
    }
    if extent == .brief, !report.genres.isEmpty {
      addBrief(to: &page)
      return page
    }
    if report.hasEnoughItems {
      page.add(report.findings.isEmpty ? .paragraph("No clear change.") : .list(report.findings.map(sentence)))
    }
    page.add(.facts(facts))
    guard !report.genres.isEmpty else {
      page.add(
        .paragraph(
          "Without genres there is nothing to analyse. Some come with \(code: "catalog edit REF genre+=Jazz")"))
      return page
    }
    if isWhole { page.add(.figure(report.bars(top: top, in: translation))) } else { addGenres(to: &page) }
    if report.hasEnoughItems {
      addPairs(to: &page)
      addMaps(to: &page)
      addYears(to: &page)
      addKinds(to: &page)
    }
    if isWhole {
      page.add(.heading("All genres"))
      addGenres(to: &page)
    }
    return page
  }

  /// The genres with most items, what is clear, and the command for the rest.
  private func addBrief(to page: inout Report) {
    var facts: [Message] = []
    if let mean = report.meanRating, report.hasEnoughItems { facts.append("Mean rating \(mean.stars(2))") }
    if report.itemsWithoutGenre > 0 { facts.append("\(report.itemsWithoutGenre) of \(report.items) have no genre") }
    if !facts.isEmpty { page.add(.note(Footnote(facts.joined(separator: " · ")))) }
    page.add(.table(genres, caption: "Every genre that has items"))
    if report.hasEnoughItems {
      let findings = report.findings.prefix(3).map(sentence)
      page.add(findings.isEmpty ? .paragraph("No clear change.") : .list(findings))
    } else {
      page.add(.note(Footnote(report.tooFew)))
    }
    let hidden = report.genres.count - min(top, report.genres.count)
    page.add(
      .note(
        Footnote(
          hidden > 0
            ? "\(hidden.counted("more genre", "more genres")), pairs, years, kinds" : "Pairs, years, kinds",
          command: question.genres("--all"))))
  }

  private var subtitle: Message? {
    guard report.items > 0 else { return nil }
    let title = report.parts.isEmpty ? report.items.counted("item", "items") : report.title
    return question.words.isEmpty ? title : "\(title): \(question.words.joined(separator: " "))"
  }

  /// The genre's name in the language of the report.
  private func name(_ genre: String) -> String { translation.genreName(genre) }

  /// The words in the language of the report, for a cell.
  private func text(_ message: Message) -> String { message.text(in: translation) }

  // MARK: The headline

  private func sentence(_ finding: GenreFinding) -> Footnote {
    report.sentence(of: finding, question, name).note
  }

  private var facts: [Report.Fact] {
    var facts: [Report.Fact] = []
    if let top = report.top {
      facts.append(
        .init(
          "Top genre", Message(verbatim: name(top.name)),
          note: "with \(top.items) of \(report.itemsWithGenre.counted("item", "items"))"))
    }
    if let effective = report.effectiveBranches?.fixed(1), report.hasEnoughItems {
      facts.append(
        .init(
          "Diversity", Message(verbatim: effective),
          note: effective == "1.0"
            ? "since one branch has all the weight" : "branches of equal weight would be as varied"))
    }
    let isComplete = report.itemsWithoutGenre == 0
    facts.append(
      .init(
        "Coverage", Message("\(report.itemsWithGenre) of \(report.items)", context: "items"),
        note: isComplete ? "with a genre" : "with a genre; the rest",
        command: isComplete ? nil : question.listing("genre:none")))
    if let mean = report.meanRating, report.hasEnoughItems {
      facts.append(
        .init(
          "Mean rating", "\(mean.stars(2)) stars",
          note: "of \(report.rated.counted("rated item", "rated items"))"))
    }
    return facts
  }

  // MARK: The genres

  private func addGenres(to page: inout Report) {
    page.add(.table(genres, caption: "Every genre that has items"))
    for note in genreNotes { page.add(.note(note)) }
  }

  /// The table of genres; in an overview those with most items, as a tree.
  private var genres: Table {
    let rows: [(genre: GenreReport.Genre, depth: Int?)] =
      isWhole ? report.genres.map { ($0, nil) } : report.tree(top: top).map { ($0, $1) }
    var genres = TableBuilder(of: rows)
    genres.add(.init("genre", "Genre", isFlexible: true, minimumWidth: 12, importance: 9)) { genre, depth in
      .init(String(repeating: " ", count: 2 * (depth ?? 0)) + name(genre.name), style: depth == 0 ? .bold : .plain)
    }
    if isWhole {
      genres.add(.init("ancestors", "Part of", importance: 2)) { genre, _ in
        .init(genre.ancestors, shown: genre.ancestors.map(name).joined(separator: " › "))
      }
    }
    genres.add(.init("items", "Items", alignment: .right, importance: 8)) { .init($0.genre.items) }
    if report.hasEnoughItems {
      genres.add(.init("share", "Share", alignment: .right, importance: 7)) { percent($0.genre.share) }
      if isWhole {
        genres.add(.init("weight", "Weight", alignment: .right, importance: 4)) { percent($0.genre.weight) }
      }
      genres.add(.init("rating", terminal.usesUnicode ? "Rating ★" : "Rating", importance: 6)) { genre, _ in
        .init(genre.shrunkRating, shown: genre.shrunkRating.map { "\($0.stars()) (\(genre.rated))" }, style: .yellow)
      }
      if extent != .brief, showsLoved {
        genres.add(.init("loved", "Loved", alignment: .right, importance: 3)) { loved($0.genre) }
      }
      if extent != .brief {
        genres.add(.init("momentum", "Trend", alignment: .right, importance: 5)) { trend($0.genre) }
      }
    }
    var table = genres.table
    table.bars = .init(
      behind: report.hasEnoughItems ? "share" : "items", of: rows.map(\.genre.share),
      styles: rows.map { $0.genre.isHeading ? .dim : .cyan }, least: 3)
    return table
  }

  /// Whether the column is shown: in an overview only when a genre is loved more or less than chance has it.
  private var showsLoved: Bool { isWhole || report.genres.contains(where: \.isAffinitySignificant) }

  private func percent(_ share: Double) -> Table.Cell { .init(share, shown: "\((share * 100).fixed(1)) %") }

  private func loved(_ genre: GenreReport.Genre) -> Table.Cell {
    .init(
      genre.affinity, shown: genre.affinity.map { $0.fixed(1) + glyphs.times },
      style: !genre.isAffinitySignificant ? .dim : genre.affinity ?? 0 > 1 ? .green : .red)
  }

  private func trend(_ genre: GenreReport.Genre) -> Table.Cell {
    guard report.hasMomentum, let points = genre.momentum else { return .init(Double?.none) }
    let text = abs(points).fixed(1)
    guard genre.isTrendSignificant else {
      return .init(points, shown: text == "0.0" ? text : (points > 0 ? "+" : glyphs.minus) + text, style: .dim)
    }
    return .init(
      points, shown: "\(points > 0 ? glyphs.more : glyphs.less) \(text)", style: points > 0 ? .green : .red)
  }

  /// The notes that explain the numbers, and why some are missing.
  private var genreNotes: [Footnote] {
    var notes: [Footnote] = []
    let hidden = isWhole ? 0 : report.genres.count - min(top, report.genres.count)
    if hidden > 0 {
      notes.append(
        .init(
          hidden.counted("more genre", "more genres"), command: question.genres("--top \(report.genres.count)")))
    }
    guard report.hasEnoughItems else { return notes + [Footnote(report.tooFew)] }
    notes.append(
      .init(isWhole ? weightNote : "An item may have several genres, so shares add up to more than 100 %."))
    if report.rated == 0 {
      notes.append(.init("Nothing is rated yet", command: "catalog card add REF --stars 4.5"))
    } else {
      notes.append(
        .init(
          "Rating: drawn towards your mean of the kind as if \(GenreReport.priorItems) more items had got just that."))
      if showsLoved {
        notes.append(
          .init(
            """
            Loved: how many times as often as all of the kind that you rated or made a favorite; from \
            \(GenreReport.leastForAffinity) such items on, grey may be chance.
            """))
      }
    }
    notes.append(.init(report.trendNote(glyphs)))
    notes += report.runNotes.map { .init($0) }
    if let undated = report.undatedNote { notes.append(.init(undated)) }
    return notes
  }

  private var weightNote: Message {
    let note: Message = "Weight splits each item evenly among its lowest genres, so weights add up to 100 %."
    guard let giniSimpson = report.giniSimpson else { return note }
    return note
      + " Two branches that one draws by weight differ with a chance of \((giniSimpson * 100).fixed(1)) % (Gini–Simpson)."
  }

  // MARK: Pairs

  private func addPairs(to page: inout Report) {
    page.add(.heading("Often together"))
    guard !report.pairs.isEmpty else { return page.add(.note(report.noPairs)) }
    let pairs = report.pairs.prefix(isWhole ? 25 : 6)
    var table = TableBuilder(of: pairs)
    table.add(.init("genre", "Genre", isFlexible: true, importance: 4)) { .init(name($0.genre)) }
    table.add(.init("other", "With", isFlexible: true, importance: 4)) { .init(name($0.other)) }
    table.add(.init("together", "Items", alignment: .right, importance: 2)) { .init($0.together) }
    table.add(.init("chance", "By chance", alignment: .right, importance: 1)) { pair in
      .init(pair.expected, shown: pair.expected.fixed(1))
    }
    table.add(.init("lift", "Lift", alignment: .right, importance: 3)) { pair in
      .init(pair.lift, shown: pair.lift.fixed(1) + glyphs.times)
    }
    var notes = [Footnote(report.pairsNote)]
    let rest = report.pairs.count - pairs.count
    if rest > 0 {
      notes.append(.init(rest.counted("more pair", "more pairs"), command: question.genres("--table pairs")))
    }
    page.add(.table(table.table, caption: "Genres that items have together", notes: notes))
  }

  // MARK: Matrices

  /// The number of genres in a map. Five maps of many rows are more than one reads.
  private var mapTop: Int { isWhole ? min(top, 15) : 10 }

  private func addMaps(to page: inout Report) {
    // One column says what the bars say.
    let maps = matrices.filter { $0.dimension != .yearAdded && $0.buckets.count > 1 && !$0.rows.isEmpty }
    guard let first = maps.first else { return }
    let rowNotes = first.rowNotes(top: mapTop, of: question, in: translation)
    if isWhole {
      page.add(.heading("Where they are"))
      page.add(
        .paragraph(
          "How many items each genre has: the stronger the shade, the more beyond the genre's share of its kind."))
      for note in rowNotes { page.add(.note(note)) }
    }
    for map in maps {
      page.add(
        .figure(
          map.heatMap(
            top: mapTop, rate: GenreMatrix.rate(maps: maps.count), usesUnicode: terminal.usesUnicode, in: translation),
          notes: map.columnNotes(of: question) + (isWhole ? [] : rowNotes)))
    }
  }

  // MARK: Years

  private func addYears(to page: inout Report) {
    page.add(.heading("From year to year"))
    let years = report.years.filter { $0.itemsWithGenre > 0 }
    guard years.count > 1 else { return page.add(.note(report.noYears)) }
    for matrix in matrices where matrix.dimension == .yearAdded {
      page.add(.figure(matrix.chart(top: mapTop, in: translation)))
    }
    let shown = isWhole ? report.years : years.suffix(10)
    var notes: [Footnote] = []
    if years.contains(where: \.hasEnoughItems) { notes.append(.init(GenreReport.driftNote)) }
    if years.contains(where: { $0.drift != nil && !$0.hasEnoughItems }) {
      notes.append(
        .init(
          "few: too little to tell, since drift takes \(GenreReport.leastToCompare) items with a genre of the same kinds in both years."
        ))
    }
    if !isWhole, years.count > shown.count {
      notes.append(.init("\(years.count - shown.count) earlier", command: question.genres("--table drift")))
    }
    page.add(.table(drift(of: shown), caption: "Years in which items were added", notes: notes))
  }

  private func drift(of years: [GenreReport.Year]) -> Table {
    func style(_ year: GenreReport.Year, _ style: Style) -> Style { year.isSignificant ? style : .dim }
    var drift = TableBuilder(of: years)
    drift.add(.init("year", "Year", alignment: .right, importance: 5)) { .init($0.year) }
    if isWhole { drift.add(.init("all", "Items", alignment: .right, importance: 4)) { .init($0.items) } }
    let (title, importance): (Message, Int) = isWhole ? ("With genre", 1) : ("Items", 2)
    drift.add(.init("items", title, alignment: .right, importance: importance)) { .init($0.itemsWithGenre) }
    drift.add(.init("drift", "Drift", alignment: .right, importance: 4)) { year in
      let drift = year.drift.map { text(marked($0.fixed(2), hasEnoughItems: year.hasEnoughItems)) }
      return .init(year.drift, shown: drift, style: style(year, .bold))
    }
    if !isWhole {
      drift.add(.init("bar", "", importance: 1)) { bar($0.hasEnoughItems ? $0.drift : nil, style: style($0, .cyan)) }
    }
    drift.add(.init("chance", "Chance", alignment: .right, importance: 4)) { year in
      .init(year.chance, shown: year.chance.map(GenreReport.percent), style: .dim)
    }
    drift.add(.init("moved", "Moved most", isFlexible: true, minimumWidth: 12, importance: 3)) { year in
      .init(year.isSignificant ? year.moves(glyphs, in: translation) : nil)
    }
    drift.add(.init("new", "New genres", isFlexible: true, minimumWidth: 12, importance: 2)) { year in
      .init(year.newGenres.map(shortened))
    }
    return drift.table
  }

  private func bar(_ share: Double?, style: Style = .cyan) -> Table.Cell {
    .init(value: .none, shown: share.map { terminal.bar($0, width: 10) } ?? "", style: style)
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

  private func addKinds(to page: inout Report) {
    page.add(.heading("Across kinds"))
    guard !report.kindPairs.isEmpty else { return page.add(.note(report.noKindPairs)) }
    let few = report.kinds.filter { (1..<GenreReport.leastToCompare).contains($0.itemsWithGenre) }.map {
      Footnote(tooLittle($0.itemsWithGenre, of: GenreReport.leastToCompare, "\($0.kind.plurals) with a genre"))
    }
    let pairs = report.kindPairs.filter { isWhole || $0.hasEnoughItems }
    guard !pairs.isEmpty else {
      for note in few { page.add(.note(note)) }
      return
    }
    var kinds = TableBuilder(of: pairs)
    kinds.add(.init("kinds", "Kinds", importance: 3)) { .init(text("\($0.kind.plurals) and \($0.other.plurals)")) }
    kinds.add(.init("similarity", "Alike", alignment: .right, importance: 3)) { pair in
      .init(
        pair.similarity, shown: text(marked(pair.similarity.fixed(2), hasEnoughItems: pair.hasEnoughItems)),
        style: pair.hasEnoughItems ? .plain : .dim)
    }
    if !isWhole { kinds.add(.init("bar", "", importance: 1)) { bar($0.similarity) } }
    kinds.add(.init("genres", "Through", isFlexible: true, importance: 2)) { pair in
      let names = pair.shared.prefix(isWhole ? 6 : 4).map { name($0.genre) }
      return .init(names.isEmpty ? text("nothing that both have") : names.joined(separator: ", "))
    }
    page.add(
      .table(
        kinds.table, caption: "How alike the genres of two kinds are",
        notes: [Footnote(GenreReport.alikeNote)] + few))
  }
}
