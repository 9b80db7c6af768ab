internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// Returns the message for a measure with fewer items than its minimum.
func tooLittle(_ items: Int, of least: Int, _ what: Message) -> Message {
  "Too little to tell: \(items) of \(least) \(what)."
}

extension GenreReport {
  /// The genres with most items, each below the one it belongs to.
  func tree(top: Int) -> [(genre: Genre, depth: Int)] {
    // A genre above others comes first if it has as many items, so that none stands without its parent.
    let chosen = genres.sorted { ($1.items, $0.ancestors.count) < ($0.items, $1.ancestors.count) }.prefix(top)
    let children = Dictionary(grouping: chosen) { $0.ancestors.last ?? "" }
    var rows: [(genre: Genre, depth: Int)] = []
    func add(below parent: String, depth: Int) {
      for genre in children[parent] ?? [] {
        rows.append((genre, depth))
        add(below: genre.name, depth: depth + 1)
      }
    }
    add(below: "", depth: 0)
    return rows
  }

  // MARK: Sentences

  /// Describes the trend, or explains why there is none.
  func trendNote(_ signs: Glyphs) -> Message {
    guard hasMomentum else {
      if min(recentItems, earlierItems) >= Self.leastToCompare {
        return tooLittle(
          comparableItems, of: Self.leastToCompare, "items of one kind with as many genres on both sides of a trend")
      }
      return tooLittle(
        min(recentItems, earlierItems), of: Self.leastToCompare,
        recentItems <= earlierItems
          ? "items with a genre in the last \(Self.recentDays) days for a trend"
          : "items with a genre before the last \(Self.recentDays) days for a trend")
    }
    return """
      Trend: percentage points of share within each kind, the last \(Self.recentDays) days against before; \(signs.more) and \
      \(signs.less) are more than chance.
      """
  }

  /// The kinds that come in runs, with the number of items that they count as, and those that came on too few days.
  var runNotes: [Message] {
    runs.compactMap { runs in
      guard let effect = runs.effect else {
        return "Your \(runs.kind.plurals) came on too few days to tell when a taste changed."
      }
      guard effect >= Runs.much else { return nil }
      return "Your \(runs.kind.plurals) come in runs: \(runs.items) count as \(runs.countAs)."
    }
  }

  /// Why there are no pairs.
  var noPairs: Message {
    pairsLookedAt == 0
      ? "Too little to tell: no two genres have \(Self.leastTogether) items of one kind each."
      : "No two genres are together more often than chance has it. Looked at: \(pairsLookedAt.counted("pair", "pairs"))."
  }

  var pairsNote: Message {
    "By chance: as genres fall together on items of one kind with as many genres. Of \(pairsLookedAt.counted("pair", "pairs")) only those beyond chance."
  }

  /// The items of the report, and since when: `412 movies watched since 2021`.
  var title: Message {
    let parts = parts.map { part -> Message in
      let items: Message =
        switch part.kind {
        case .movie: part.items.counted("movie", "movies")
        case .book: part.items.counted("book", "books")
        default: part.items.counted("record", "records")
        }
      let verb: Message =
        switch (part.basis, part.kind) {
        case (.finished, .movie): Message("watched", context: "items")
        case (.finished, .book): Message("read", context: "items")
        case (.finished, _): Message("played", context: "items")
        case (.owned, _): Message("owned", context: "items")
        case (.rated, _): Message("rated", context: "items")
        case (.added, _): Message("on the shelf", context: "items")
        }
      return part.since.map { "\(items) \(verb) since \($0)" } ?? Message("\(items) \(verb)", context: "items")
    }
    return parts.joined(separator: " · ")
  }

  /// The items that no date says anything about, and why; nil when there are none.
  var undatedNote: Message? {
    let undated = parts.reduce(0) { $0 + $1.items - $1.dated }
    guard undated > 0 else { return nil }
    return Message(
      counting: undated,
      one: "\(undated) item has no date, or one that an import made up: it is in no trend and no year.",
      many: "\(undated) items have no date, or one that an import made up: they are in no trend and no year.")
  }

  static let driftNote: Message =
    """
    Drift: 0 is the same mix of branches within each kind as the year before, 1 has none in common. Chance: how often an \
    unchanged taste drifts as far. Bold is more than chance, of all that the report looks at.
    """
  static let alikeNote: Message = "Alike: 1 is the same mix of branches, 0 has none in common."

  /// Why no two kinds are compared.
  var noKindPairs: Message {
    guard let only = kinds.first(where: { $0.itemsWithGenre > 0 }) else {
      return "Nothing to compare: all items with a genre are of one kind."
    }
    return "Nothing to compare: all items with a genre are \(only.kind.plurals)."
  }

  /// The chance that an unchanged taste drifts as far within a year, in percent.
  static func percent(chance: Double) -> String { chance < 0.01 ? "<1 %" : "\((chance * 100).fixed(0)) %" }

  /// The message shown when no two years can be compared.
  var noYears: Message {
    let only: Message? = years.first { $0.itemsWithGenre > 0 }.map {
      " Everything dated is of \($0.year)."
    }
    return "Nothing to compare yet: it takes two years with dated items." + (only ?? "")
  }

  /// The genres with most items as bars, as a tree.
  /// - Parameter translation: of their names; nil is English.
  func bars(top: Int, in translation: Translation? = nil) -> BarChart {
    var chart = BarChart(
      "Items by genre",
      bars: tree(top: top).map { genre, depth in
        .init(
          translation.genreName(genre.name),
          hasEnoughItems
            ? Amount(Double(genre.items), "\(genre.items) (\((genre.share * 100).fixed(1)) %)") : Amount(genre.items),
          depth: depth, isSum: genre.isHeading)
      })
    chart.notes = [
      hasEnoughItems
        ? "Of the \(itemsWithGenre) items with a genre. An item may have several, so shares add up to more than 100 %."
        : "Of the \(itemsWithGenre.counted("item", "items")) with a genre. An item may have several."
    ]
    if genres.count > top { chart.notes.append("The \(chart.bars.count) genres with most items, of \(genres.count).") }
    return chart
  }
}

extension GenreReport.Year {
  /// The branches that moved most.
  /// - Parameters:
  ///   - signs: the signs of more and less.
  ///   - translation: of their names; nil is English.
  func moves(_ signs: Glyphs, in translation: Translation?) -> String {
    moved.prefix(3).map {
      "\($0.weight > $0.before ? signs.more : signs.less) \(translation.genreName($0.genre))"
    }.joined(separator: ", ")
  }
}

extension GenreMatrix {
  /// The genres with most items as a picture: a timeline of years, a heat map of all else.
  /// - Parameter translation: of names and of what stands above columns; nil is English.
  func chart(top: Int, in translation: Translation? = nil) -> any Chart {
    dimension == .yearAdded ? timeline(top: top, in: translation) : heatMap(top: top, in: translation)
  }

  /// The genres that a chart shows, at most so many. A heading says nothing but the kind of thing.
  private func charted(top: Int) -> [Row] {
    let shown = rows.filter { !$0.isHeading }
    return Array((shown.isEmpty ? rows : shown).prefix(top))
  }

  // MARK: Heat map

  /// The genres with most items as a heat map.
  /// - Parameters:
  ///   - top: how many genres.
  ///   - rate: how often a map of an unchanged taste may mark a field.
  ///   - usesUnicode: whether halves of stars can be written `½`.
  ///   - translation: of names and of what stands above columns; nil is English.
  func heatMap(
    top: Int, rate: Double? = nil, usesUnicode: Bool = true, in translation: Translation? = nil
  ) -> HeatMap {
    let rows = charted(top: top)
    let columns = columns.map { place in
      place.map {
        Column(buckets: [$0], heading: .init(label(buckets[$0].value, usesUnicode: usesUnicode, in: translation)))
      }
        ?? Column(buckets: [], heading: .gap)
    }
    let start = dimension == .decade ? Self.joining(columns, first: sparseDecades, in: translation) : columns
    func map(_ columns: [Column]) -> HeatMap {
      HeatMap(
        "Items by genre and \(phrase)", columns: columns.map(\.heading),
        rows: zip(rows, cells(rows, columns: columns.map(\.buckets), rate: rate ?? rateAlone)).map { row, cells in
          HeatMap.Row(
            translation.genreName(row.genre),
            zip(columns, cells).map { $0.heading.isGap ? nil : $1.count },
            times: cells.map { $0.isSignificant ? Double($0.count) / $0.expected : nil })
        }, showsTimes: isTime)
    }
    var chart = map(start)
    guard isTime, start.count > 2 else { return chart }
    chart.narrower = (2..<start.count).filter { !start[$0].heading.isGap }.map {
      map(Self.joining(start, first: $0, in: translation))
    }
    return chart
  }

  /// A column of a heat map, and the places of its buckets.
  private struct Column {
    var buckets: [Int]
    var heading: HeatMap.Column
  }

  /// The columns with the first of them in one, `before 1950`.
  private static func joining(_ columns: [Column], first count: Int, in translation: Translation?) -> [Column] {
    guard count > 1, columns.indices.contains(count) else { return columns }
    let next = columns[count].heading
    let first = Column(
      buckets: columns[..<count].flatMap(\.buckets),
      heading: .init(
        ("before \(next.label)" as Message).text(in: translation), short: "<\(next.short ?? next.label)"))
    return [first] + columns[count...]
  }

  private var isTime: Bool { dimension == .decade || dimension == .yearAdded }

  /// The places of the buckets; nil where times are missing between two of them.
  private var columns: [Int?] {
    let step = dimension == .decade ? 10 : 1
    return buckets.indices.flatMap { place -> [Int?] in
      guard isTime, place > 0, case .number(let before) = buckets[place - 1].value,
        case .number(let number) = buckets[place].value, number > before + step
      else { return [place] }
      return [nil, place]
    }
  }

  /// The number of columns before the first decade with enough items for a column of its own: ten items, or a quarter
  /// of the items of the fullest decade. 0 if only one decade comes before.
  private var sparseDecades: Int {
    let enough = min(GenreReport.leastToCompare, ((buckets.map(\.itemsWithGenre).max() ?? 0) + 3) / 4)
    return columns.firstIndex { place in place.map { buckets[$0].itemsWithGenre >= enough } ?? false } ?? 0
  }

  private func label(_ value: Bucket.Value, usesUnicode: Bool, in translation: Translation?) -> String {
    switch value {
    case .number(let rating) where dimension == .rating:
      let stars = rating / 20
      guard rating % 20 == 10 else { return String(stars) }
      return usesUnicode ? (stars == 0 ? "½" : "\(stars)½") : "\(stars).5"
    case .number(let number): return String(number)
    case .kind(let kind): return kind.plurals.text(in: translation)
    case .name(let name): return name
    }
  }

  var phrase: Message {
    switch dimension {
    case .yearAdded: "year"
    case .creator: "director, author or artist"
    case .rating: "rating in stars"
    default: Message(words: dimension.rawValue)
    }
  }

  // MARK: Timeline

  /// More years than these leave no room for their columns.
  private static let mostYears = 40

  /// A chart of each genre's share of the items added in a year.
  ///
  /// Shares of few items are mostly chance and would be the tallest bars. Years with few items stay blank, unless all
  /// years have few.
  private func timeline(top: Int, in translation: Translation?) -> Timeline {
    var chart = Timeline("Genres year by year")
    var found: [Int: (place: Int, items: Int)] = [:]
    for (place, bucket) in buckets.enumerated() where bucket.itemsWithGenre > 0 {
      if case .number(let year) = bucket.value { found[year] = (place, bucket.itemsWithGenre) }
    }
    guard let first = found.keys.min(), let last = found.keys.max() else { return chart }
    // Years in which nothing was added have their place too.
    let years = max(first, last - Self.mostYears + 1)...last
    let few = years.filter { found[$0].map { $0.items < GenreReport.leastToCompare } ?? false }
    let hidden = few.count < years.filter { found[$0] != nil }.count ? Set(few) : []
    chart.moments = years.map(String.init)
    chart.series = charted(top: top).map { row in
      .init(
        translation.genreName(row.genre),
        years.map { year in
          guard let (place, items) = found[year], !hidden.contains(year) else { return nil }
          let share = Double(row.counts[place]) / Double(items)
          return Amount(share, "\((share * 100).fixed(1)) %")
        })
    }
    chart.notes = ["A genre's share of the year's items with a genre."]
    if !few.isEmpty {
      let counts = few.map { "\($0) (\(found[$0]?.items ?? 0))" }.joined(separator: ", ")
      chart.notes.append(
        hidden.isEmpty
          ? "These are few items, so shares say little: \(counts)."
          : "Left out, because shares of fewer than \(GenreReport.leastToCompare) items say little: \(counts).")
    }
    let all = rows.count { !$0.isHeading }
    if all > top { chart.notes.append("The \(top) genres with most items, of \(all).") }
    if first < years.lowerBound { chart.notes.append("The last \(Self.mostYears) years; the first is \(first).") }
    return chart
  }

  // MARK: What it does not show

  /// The field that an item needs to be in a column.
  var missing: Message {
    switch dimension {
    case .decade: "year"
    case .creator: "director, author or artist"
    case .rating: "rating"
    default: phrase
    }
  }

  /// The notes about items and genres that a chart of the matrix leaves out.
  /// - Parameter translation: for the names of genres; nil for English.
  func notes(top: Int, of question: GenreQuestion, in translation: Translation?) -> [Footnote] {
    columnNotes(of: question) + rowNotes(top: top, of: question, in: translation)
  }

  /// The items that are in no column.
  func columnNotes(of question: GenreQuestion) -> [Footnote] {
    var notes: [Footnote] = []
    if itemsWithoutBucket > 0 {
      let field = dimension == .decade ? "year" : dimension.rawValue
      notes.append(
        .init(
          "\(counted(itemsWithoutBucket)) of \(items) without \(missing)", command: question.listing("\(field):none")))
    }
    if dimension == .creator, buckets.allSatisfy({ $0.items == 1 }) {
      notes.append(.init("Nobody made more than one of these items."))
    }
    if otherCreators > 0 {
      notes.append(
        .init(
          "These \(buckets.count) have most items; \(otherCreators) others made \(counted(itemsOfOthers)) without them."
        ))
    }
    return notes
  }

  /// The items and genres that are in no row.
  func rowNotes(top: Int, of question: GenreQuestion, in translation: Translation?) -> [Footnote] {
    var notes: [Footnote] = []
    if itemsWithoutGenre > 0 {
      notes.append(
        .init("\(counted(itemsWithoutGenre)) of \(items) without genre", command: question.listing("genre:none")))
    }
    let headings = rows.filter(\.isHeading).map { translation.genreName($0.genre) }
    let all = rows.count - headings.count
    if !headings.isEmpty, all > 0 {
      notes.append(
        .init("Not in the map, because they say only what kind of thing it is: \(headings.joined(separator: ", "))."))
    }
    let hidden = all - top
    if hidden > 0 {
      notes.append(
        .init(
          hidden.counted("more genre", "more genres"),
          command: question.genres("--by \(dimension.rawValue)", "--top \(all)")))
    }
    if itemsWithGenre < GenreReport.leastToCompare {
      notes.append(.init(tooLittle(itemsWithGenre, of: GenreReport.leastToCompare, "items with a genre for a map")))
    }
    return notes
  }

  private func counted(_ items: Int) -> Message { items.counted("item", "items") }

  // MARK: For a person

  /// The map and its notes, or why there is none.
  func blocks(top: Int, of question: GenreQuestion, on terminal: Terminal) -> [Report.Block] {
    guard items > 0 else { return GenreView.nothing }
    guard !rows.isEmpty else {
      let none: Message =
        items == 1 ? "The one item has no genre yet" : "None of the \(items) items has a genre yet"
      return [.note(Footnote(none, command: question.listing("genre:none")))]
    }
    guard !buckets.isEmpty else {
      return [
        .paragraph(
          items == 1
            ? "There is no heat map, because the one item has no \(missing)."
            : "There is no heat map, because none of the \(items) items has a \(missing).")
      ]
    }
    return [
      .figure(
        heatMap(top: top, usesUnicode: terminal.usesUnicode, in: terminal.translation),
        notes: notes(top: top, of: question, in: terminal.translation))
    ]
  }
}
