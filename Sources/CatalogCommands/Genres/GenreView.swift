internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The report as a person sees it.
struct GenreView {
  var report: GenreReport
  var top: Int
  var query: [String]
  var context: Context

  private var showsRatings: Bool { report.rated > 0 }

  static let nothing: Message = """
    The catalog is empty, so there is nothing to analyse yet.
    Look something up: catalog search dune
    """

  func show() throws {
    guard report.items > 0 else { return try context.print(Self.nothing) }
    try showHeadline()
    guard !report.genres.isEmpty else { return }
    try context.print("")
    try table.write(as: .fitted, to: context.output, terminal: context.terminal)
    try context.print("")
    try showNotes()
    try showPairs()
    try showYears()
    try showKinds()
  }

  private func showHeadline() throws {
    if let top = report.top {
      try line(
        "Top genre",
        """
        \(context.styled(verbatim: context.safe(top.name), .bold)), \(top.items) of \
        \(report.itemsWithGenre.counted("item", "items"))
        """)
    }
    if let effective = report.effectiveGenres {
      let count = effective.fixed(1)
      try line(
        "Diversity", count == "1.0" ? "one genre has all the weight" : "as varied as \(count) genres of equal weight")
    }
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
      .init("share", "Share", alignment: .right, importance: 7),
      .init("bar", "", importance: 2),
    ])
    if showsRatings { table.columns.append(.init("mean", unicode ? "Mean ★" : "Mean", importance: 5)) }
    if report.showsMomentum { table.columns.append(.init("momentum", "Trend", alignment: .right, importance: 4)) }
    let names = rows.map { ($0.depth * 2) + $0.genre.name.sanitized.cellWidth }.max() ?? 0
    // What the other columns leave.
    let others =
      min(max(names, 5), isWide ? 30 : 22) + 7 + 9 + (showsRatings ? 13 : 0) + (report.showsMomentum ? 9 : 0) + 2
    let barWidth = min(max(context.terminal.width - others, 6), 32)
    let most = rows.map(\.genre.share).max() ?? 1
    table.rows = rows.map { genre, depth in
      let heading = genre.isHeading ? Style.dim : .plain
      var cells: [Table.Cell] = [
        .init(String(repeating: " ", count: depth * 2) + genre.name, style: depth == 0 ? .bold : .plain),
        .init(genre.items), .init(genre.share, shown: "\((genre.share * 100).fixed(1)) %"),
        .init(
          value: .none,
          shown: BarChart.bar(genre.share / most, width: barWidth, usesUnicode: unicode).padded(to: barWidth),
          style: heading == .plain ? .cyan : heading),
      ]
      if showsRatings {
        cells.append(
          .init(
            genre.meanRating, shown: genre.meanRating.map { "\(($0 / 20).fixed(1)) (\(genre.rated))" }, style: .yellow))
      }
      if report.showsMomentum { cells.append(momentum(genre.momentum)) }
      return cells
    }
    return table
  }

  private func momentum(_ points: Double?) -> Table.Cell {
    guard let points else { return .init(Double?.none) }
    let text = abs(points).fixed(1)
    let signs = context.terminal.usesUnicode ? ("▲ ", "▼ ") : ("+", "-")
    if text == "0.0" { return .init(points, shown: "0.0", style: .dim) }
    return .init(points, shown: (points > 0 ? signs.0 : signs.1) + text, style: points > 0 ? .green : .red)
  }

  /// What the numbers do not say by themselves, and why some are not there.
  private func showNotes() throws {
    let hidden = report.genres.count - min(top, report.genres.count)
    if hidden > 0 {
      try note(
        hidden.counted("more genre", "more genres"), command: "catalog genres", "--top \(report.genres.count)"
      )
    }
    if report.itemsWithGenre < GenreReport.fewItems {
      try note("These are few items: the numbers mean more with five and more.")
    }
    try note("An item may have several genres, so shares add up to more than 100 %.")
    if !showsRatings { try note("Nothing is rated yet: catalog card add REF --stars 4.5") }
    if report.showsMomentum {
      try note("Trend: percentage points of share, added in the last 365 days against before.")
    } else {
      try note("No trend yet: it compares the last 365 days with before, and needs 5 items in each.")
    }
  }

  private func note(_ text: Message) throws { try context.print(Note(text)) }

  /// - Parameter command: what comes before the query, and what behind it.
  private func note(_ text: Message, command: String, _ end: String? = nil) throws {
    try context.print(Note(text, command: command, query, end))
  }

  // MARK: Pairs

  private static let usualPairs = 6

  private func showPairs() throws {
    try heading("Often together")
    // The highest lifts are of rare genres. What most items owe to says more.
    func surplus(_ pair: GenreReport.Pair) -> Double { Double(pair.together) * (1 - 1 / pair.lift) }
    let pairs = report.pairs.filter { $0.lift >= 1.05 }.sorted { surplus($0) > surplus($1) }
    guard !pairs.isEmpty else {
      return try note(
        report.pairs.isEmpty
          ? "No two genres are together on \(GenreReport.leastTogether) items, which it takes to say anything."
          : "No two genres are together more often than chance would have it.")
    }
    var table = Table(columns: [
      .init("genre", "Genre", isFlexible: true, importance: 4), .init("other", "With", isFlexible: true, importance: 4),
      .init("together", "Items", alignment: .right, importance: 2),
      .init("chance", "By chance", alignment: .right, importance: 1),
      .init("lift", "Lift", alignment: .right, importance: 3),
    ])
    let times = context.terminal.usesUnicode ? "×" : "x"
    for pair in pairs.prefix(Self.usualPairs) {
      let chance = Double(pair.together) / pair.lift
      table.rows.append([
        .init(pair.genre), .init(pair.other), .init(pair.together), .init(chance, shown: chance.fixed(1)),
        .init(pair.lift, shown: pair.lift.fixed(1) + times),
      ])
    }
    try table.write(as: .fitted, to: context.output, terminal: context.terminal)
    let rest = report.pairs.count - min(pairs.count, Self.usualPairs)
    if rest > 0 { try note(rest.counted("more pair", "more pairs"), command: "catalog genres --table pairs") }
  }

  // MARK: Drift

  private static let usualYears = 10

  private func showYears() throws {
    try heading("From year to year")
    let years = report.years.filter { $0.itemsWithGenre > 0 }
    guard years.count > 1 else {
      let only: Message? = years.first.map { " Everything with a genre was added in \($0.year)." }
      return try note(
        "Nothing to compare yet: it takes two years in which something was added." + (only ?? Message(verbatim: "")))
    }
    var table = Table(columns: [
      .init("year", "Added", alignment: .right, importance: 5),
      .init("items", "Items", alignment: .right, importance: 2),
      .init("drift", "Drift", alignment: .right, importance: 4), .init("bar", "", importance: 1),
      .init("chance", "Chance", alignment: .right, importance: 4),
      .init("new", "New genres", isFlexible: true, minimumWidth: 12, importance: 3),
    ])
    for year in years.suffix(Self.usualYears) {
      let drift = year.isTelling ? year.drift : nil
      let isChance = drift ?? 0 <= year.chance ?? 1
      table.rows.append([
        .init(year.year), .init(year.itemsWithGenre),
        .init(
          drift, shown: drift.map { $0.fixed(2) } ?? (year.drift == nil ? "" : context.text("few")),
          style: isChance ? .dim : .bold),
        .init(
          value: .none,
          shown: drift.map { BarChart.bar($0, width: 10, usesUnicode: context.terminal.usesUnicode) } ?? "",
          style: isChance ? .dim : .cyan),
        .init(drift == nil ? nil : year.chance, shown: drift == nil ? nil : year.chance?.fixed(2), style: .dim),
        // In the first year all are new.
        .init(year.comparedWith == nil ? nil : year.newGenres.joined(separator: ", ")),
      ])
    }
    try table.write(as: .fitted, to: context.output, terminal: context.terminal)
    if years.contains(where: \.isTelling) {
      try note(
        """
        Drift: 0 is the same mix of genres as the year before, 1 has no genre in common. Up to Chance, it may be \
        chance alone.
        """)
    }
    if years.contains(where: { $0.drift != nil && !$0.isTelling }) {
      try note(
        "Drift needs \(GenreReport.leastToCompare) items with a genre in both years: with few, it is mostly chance.")
    }
    if years.count > Self.usualYears {
      try note("\(years.count - Self.usualYears) earlier", command: "catalog genres --table drift")
    }
  }

  // MARK: Across kinds

  private static let usualShared = 4

  private func showKinds() throws {
    try heading("Across kinds")
    guard !report.kindPairs.isEmpty else {
      let kinds = report.kinds.filter { $0.itemsWithGenre > 0 }.map(\.kind.plurals)
      return try note(
        kinds.first.map { "Nothing to compare: all items with a genre are \($0)." }
          ?? "Nothing to compare: all items with a genre are of one kind.")
    }
    let telling = report.kindPairs.filter(\.isTelling)
    if !telling.isEmpty {
      var table = Table(columns: [
        .init("kinds", "Kinds", importance: 3), .init("similarity", "Alike", alignment: .right, importance: 3),
        .init("bar", "", importance: 1), .init("genres", "Through", isFlexible: true, importance: 2),
      ])
      for pair in telling {
        let names = pair.shared.prefix(Self.usualShared).map(\.genre)
        table.rows.append([
          .init(context.text("\(pair.kind.plurals) and \(pair.other.plurals)")),
          .init(pair.similarity, shown: pair.similarity.fixed(2)),
          .init(
            value: .none,
            shown: BarChart.bar(pair.similarity, width: 10, usesUnicode: context.terminal.usesUnicode), style: .cyan),
          .init(names.isEmpty ? context.text("no genre in common") : names.joined(separator: ", ")),
        ])
      }
      try table.write(as: .fitted, to: context.output, terminal: context.terminal)
      try note("Alike: 1 is the same mix of genres, 0 has no genre in common.")
    }
    if telling.count < report.kindPairs.count {
      let few = report.kinds.filter { (1..<GenreReport.leastToCompare).contains($0.itemsWithGenre) }
      let counts = few.map { "\($0.kind.plurals) (\($0.itemsWithGenre))" as Message }.joined(separator: ", ")
      try note("Too few to compare: \(counts). It takes \(GenreReport.leastToCompare) with a genre of each kind.")
    }
  }

  private func heading(_ text: Message) throws {
    try context.print("")
    try context.print(text, .bold)
  }
}
