internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The report as a person sees it.
struct GenreView {
  var report: GenreReport
  var top: Int
  var query: [String]
  var context: Context
  /// The same items by decade.
  var decades: GenreMatrix?

  private var showsRatings: Bool { report.hasEnoughItems && report.rated > 0 }
  private var showsLoved: Bool { report.hasEnoughItems && report.genres.contains(where: \.isAffinitySignificant) }
  private var showsTrend: Bool { report.hasEnoughItems && report.hasMomentum }

  static let nothing: Message = """
    The catalog is empty, so there is nothing to analyse yet.
    Look something up: catalog search dune
    """

  func show() throws {
    guard report.items > 0 else { return try context.print(Self.nothing) }
    try context.print(report.title, .bold)
    try context.print("")
    try showFindings()
    try showHeadline()
    guard !report.genres.isEmpty else { return }
    try context.print("")
    try table.write(as: .fitted, to: context.output, terminal: context.terminal)
    try context.print("")
    try showNotes()
    guard report.hasEnoughItems else { return }
    try showPairs()
    try showDecades()
    try showYears()
    try showKinds()
  }

  /// The genre's name in the user's language.
  private func name(_ genre: String) -> String { context.genreName(genre) }

  // MARK: Findings

  private func showFindings() throws {
    guard report.hasEnoughItems else { return }
    for finding in report.findings { try show(finding) }
    if report.findings.isEmpty { try context.print("No clear change.") }
    try context.print("")
  }

  /// The sentence, and dimmed what lists the items it is about.
  private func show(_ finding: GenreFinding) throws {
    let sentence = FindingSentence(
      finding: finding, genre: finding.genre.map(name) ?? "", query: query, yearAgo: report.yearAgo,
      parts: report.parts)
    for (number, line) in context.safe(context.text(sentence.words)).wrapped(to: context.terminal.width - 2)
      .enumerated()
    {
      try context.print(verbatim: (number == 0 ? context.terminal.usesUnicode ? "• " : "* " : "  ") + line)
    }
    try context.print(verbatim: "  " + context.styled(verbatim: context.safe(sentence.command), .dim))
  }

  private func showHeadline() throws {
    if let top = report.top {
      try line(
        "Top genre",
        """
        \(context.styled(verbatim: context.safe(name(top.name)), .bold)), \(top.items) of \
        \(report.itemsWithGenre.counted("item", "items"))
        """)
    }
    if let diversity = report.diversity { try line("Diversity", diversity) }
    if report.itemsWithoutGenre == 0 {
      try line("Coverage", report.items == 1 ? "the one item has a genre" : "all \(report.items) items have a genre")
    } else {
      try line(
        "Coverage",
        """
        \(report.itemsWithGenre) of \(report.items) have a genre; the rest: \
        \((["catalog list genre:none"] + query.map(\.shellWord)).joined(separator: " "))
        """)
    }
  }

  // MARK: The table

  private func line(_ name: Message, _ text: Message) throws { try context.printLine(name, text) }

  private var table: Table {
    let rows = report.tree(top: top)
    let unicode = context.terminal.usesUnicode
    let isWide = context.terminal.width >= 72
    var table = Table(columns: [
      .init("genre", "Genre", isFlexible: true, minimumWidth: 12, importance: 9),
      .init("items", "Items", alignment: .right, importance: 8),
    ])
    if report.hasEnoughItems { table.columns.append(.init("share", "Share", alignment: .right, importance: 7)) }
    table.columns.append(.init("bar", "", importance: 2))
    if showsRatings { table.columns.append(.init("rating", unicode ? "Rating ★" : "Rating", importance: 5)) }
    if showsLoved { table.columns.append(.init("loved", "Loved", alignment: .right, importance: 3)) }
    if showsTrend { table.columns.append(.init("momentum", "Trend", alignment: .right, importance: 4)) }
    let names = rows.map { ($0.depth * 2) + name($0.genre.name).sanitized.cellWidth }.max() ?? 0
    // What the other columns leave.
    let others =
      min(max(names, 5), isWide ? 30 : 22) + 7 + (report.hasEnoughItems ? 9 : 0) + (showsRatings ? 13 : 0)
      + (showsLoved ? 7 : 0) + (showsTrend ? 9 : 0) + 2
    let barWidth = min(max(context.terminal.width - others, 6), 32)
    let most = rows.map(\.genre.share).max() ?? 1
    table.rows = rows.map { genre, depth in
      let heading = genre.isHeading ? Style.dim : .plain
      var cells: [Table.Cell] = [
        .init(String(repeating: " ", count: depth * 2) + name(genre.name), style: depth == 0 ? .bold : .plain),
        .init(genre.items),
      ]
      if report.hasEnoughItems { cells.append(.init(genre.share, shown: "\((genre.share * 100).fixed(1)) %")) }
      cells.append(
        .init(
          value: .none,
          shown: BarChart.bar(genre.share / most, width: barWidth, usesUnicode: unicode).padded(to: barWidth),
          style: heading == .plain ? .cyan : heading))
      if showsRatings {
        cells.append(
          .init(
            genre.shrunkRating, shown: genre.shrunkRating.map { "\(($0 / 20).fixed(1)) (\(genre.rated))" },
            style: .yellow))
      }
      if showsLoved { cells.append(loved(genre)) }
      if showsTrend { cells.append(momentum(genre)) }
      return cells
    }
    return table
  }

  private func loved(_ genre: GenreReport.Genre) -> Table.Cell {
    guard let affinity = genre.affinity else { return .init(Double?.none) }
    let times = context.terminal.usesUnicode ? "×" : "x"
    return .init(
      affinity, shown: affinity.fixed(1) + times,
      style: genre.isAffinitySignificant ? (affinity > 1 ? .green : .red) : .dim)
  }

  private func momentum(_ genre: GenreReport.Genre) -> Table.Cell {
    guard let points = genre.momentum else { return .init(Double?.none) }
    let text = abs(points).fixed(1)
    guard genre.isTrendSignificant else {
      return .init(points, shown: text == "0.0" ? text : (points > 0 ? "+" : "-") + text, style: .dim)
    }
    let signs = context.terminal.usesUnicode ? ("▲ ", "▼ ") : ("^ ", "v ")
    return .init(points, shown: (points > 0 ? signs.0 : signs.1) + text, style: points > 0 ? .green : .red)
  }

  /// Prints notes that explain the numbers, and why some are missing.
  private func showNotes() throws {
    let hidden = report.genres.count - min(top, report.genres.count)
    if hidden > 0 {
      try note(
        hidden.counted("more genre", "more genres"), command: "catalog genres", "--top \(report.genres.count)"
      )
    }
    guard report.hasEnoughItems else { return try note(report.tooFew) }
    try note("An item may have several genres, so shares add up to more than 100 %.")
    if !showsRatings { try note("Nothing is rated yet: catalog card add REF --stars 4.5") }
    if showsRatings {
      try note(
        "Rating: drawn towards your mean of the kind as if \(GenreReport.priorItems) more items had got just that.")
    }
    if showsLoved { try note("Loved: how many times as often as all of the kind that you rated or made a favorite.") }
    try note(report.trendNote(context.terminal.usesUnicode ? ("▲", "▼") : ("^", "v")))
    if let undated = report.undatedNote { try note(undated) }
  }

  private func note(_ text: Message) throws { try context.print(Footnote(text)) }

  /// - Parameter command: what comes before the query, and what behind it.
  private func note(_ text: Message, command: String, _ end: String? = nil) throws {
    try context.print(Footnote(text, command: command, query, end))
  }

  // MARK: Pairs

  private static let usualPairs = 6

  private func showPairs() throws {
    try heading("Often together")
    guard !report.pairs.isEmpty else { return try note(report.noPairs) }
    var table = Table(columns: [
      .init("genre", "Genre", isFlexible: true, importance: 4), .init("other", "With", isFlexible: true, importance: 4),
      .init("together", "Items", alignment: .right, importance: 2),
      .init("chance", "By chance", alignment: .right, importance: 1),
      .init("lift", "Lift", alignment: .right, importance: 3),
    ])
    let times = context.terminal.usesUnicode ? "×" : "x"
    for pair in report.pairs.prefix(Self.usualPairs) {
      table.rows.append([
        .init(name(pair.genre)), .init(name(pair.other)), .init(pair.together),
        .init(pair.expected, shown: pair.expected.fixed(1)),
        .init(pair.lift, shown: pair.lift.fixed(1) + times),
      ])
    }
    try table.write(as: .fitted, to: context.output, terminal: context.terminal)
    try note(report.pairsNote)
    let rest = report.pairs.count - min(report.pairs.count, Self.usualPairs)
    if rest > 0 { try note(rest.counted("more pair", "more pairs"), command: "catalog genres --table pairs") }
  }

  // MARK: Decades

  private func showDecades() throws {
    guard let decades, !decades.rows.isEmpty, decades.buckets.count > 1 else { return }
    try context.print("")
    try GenreMatrixView(
      matrix: decades, top: Self.usualRows, rate: GenreMatrix.rate(maps: 1), query: query, context: context
    ).show()
  }

  private static let usualRows = 10

  // MARK: Drift

  private static let usualYears = 10

  private func showYears() throws {
    try heading("From year to year")
    let years = report.years.filter { $0.itemsWithGenre > 0 }
    guard years.count > 1 else { return try note(report.noYears) }
    var table = Table(columns: [
      .init("year", "Year", alignment: .right, importance: 5),
      .init("items", "Items", alignment: .right, importance: 2),
      .init("drift", "Drift", alignment: .right, importance: 4), .init("bar", "", importance: 1),
      .init("chance", "Chance", alignment: .right, importance: 4),
      .init("moved", "Moved most", isFlexible: true, minimumWidth: 12, importance: 3),
      .init("new", "New genres", isFlexible: true, minimumWidth: 12, importance: 2),
    ])
    for year in years.suffix(Self.usualYears) {
      let drift = year.hasEnoughItems ? year.drift : nil
      let isChance = !year.isSignificant
      table.rows.append([
        .init(year.year), .init(year.itemsWithGenre),
        .init(
          drift, shown: drift.map { $0.fixed(2) } ?? (year.drift == nil ? "" : context.text("few")),
          style: isChance ? .dim : .bold),
        .init(
          value: .none,
          shown: drift.map { BarChart.bar($0, width: 10, usesUnicode: context.terminal.usesUnicode) } ?? "",
          style: isChance ? .dim : .cyan),
        .init(year.chance, shown: year.chance.map(GenreReport.percent), style: .dim),
        .init(
          isChance
            ? nil : year.moves(context.terminal.usesUnicode ? ("▲", "▼") : ("^", "v"), in: context.terminal.translation)
        ),
        .init(year.newGenres?.map(name).joined(separator: ", ")),
      ])
    }
    try table.write(as: .fitted, to: context.output, terminal: context.terminal)
    if years.contains(where: \.hasEnoughItems) { try note(GenreReport.driftNote) }
    if years.contains(where: { $0.drift != nil && !$0.hasEnoughItems }) {
      try note(
        "few: too little to tell, since drift takes \(GenreReport.leastToCompare) items with a genre of the same kinds in both years."
      )
    }
    if years.count > Self.usualYears {
      try note("\(years.count - Self.usualYears) earlier", command: "catalog genres --table drift")
    }
  }

  // MARK: Across kinds

  private static let usualShared = 4

  private func showKinds() throws {
    try heading("Across kinds")
    guard !report.kindPairs.isEmpty else { return try note(report.noKindPairs) }
    let telling = report.kindPairs.filter(\.hasEnoughItems)
    if !telling.isEmpty {
      var table = Table(columns: [
        .init("kinds", "Kinds", importance: 3), .init("similarity", "Alike", alignment: .right, importance: 3),
        .init("bar", "", importance: 1), .init("genres", "Through", isFlexible: true, importance: 2),
      ])
      for pair in telling {
        let names = pair.shared.prefix(Self.usualShared).map { name($0.genre) }
        table.rows.append([
          .init(context.text("\(pair.kind.plurals) and \(pair.other.plurals)")),
          .init(pair.similarity, shown: pair.similarity.fixed(2)),
          .init(
            value: .none,
            shown: BarChart.bar(pair.similarity, width: 10, usesUnicode: context.terminal.usesUnicode), style: .cyan),
          .init(names.isEmpty ? context.text("nothing that both have") : names.joined(separator: ", ")),
        ])
      }
      try table.write(as: .fitted, to: context.output, terminal: context.terminal)
      try note(GenreReport.alikeNote)
    }
    if telling.count < report.kindPairs.count {
      let few = report.kinds.filter { (1..<GenreReport.leastToCompare).contains($0.itemsWithGenre) }
      for kind in few {
        try note(tooLittle(kind.itemsWithGenre, of: GenreReport.leastToCompare, "\(kind.kind.plurals) with a genre"))
      }
    }
  }

  private func heading(_ text: Message) throws {
    try context.print("")
    try context.print(text, .bold)
  }
}
