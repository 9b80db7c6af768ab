internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

extension GenreReport {
  /// Of fewer items no number says much.
  static let fewItems = 5

  /// Whether there are enough items in the last year, and before it, for a trend.
  var showsMomentum: Bool { min(recentItems, itemsWithGenre - recentItems) >= Self.fewItems }

  /// The genres with most items, each below the one it belongs to.
  func tree(top: Int) -> [(genre: Genre, depth: Int)] {
    // Of equals the higher in the tree comes first, so that nobody stands without what is above them.
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

  /// The genres with most items as bars, as a tree.
  func bars(top: Int) -> BarChart {
    var chart = BarChart(
      "Items by genre",
      bars: tree(top: top).map { genre, depth in
        .init(
          genre.name, Amount(Double(genre.items), "\(genre.items) (\((genre.share * 100).fixed(1)) %)"), depth: depth,
          isSum: genre.isHeading)
      })
    chart.notes = [
      itemsWithGenre == 1
        ? "Of the one item with a genre. An item may have several, so shares add up to more than 100 %."
        : """
        Of the \(itemsWithGenre) items with a genre. An item may have several, so shares add up to more than 100 %.
        """
    ]
    if genres.count > top { chart.notes.append("The \(chart.bars.count) genres with most items, of \(genres.count).") }
    return chart
  }
}

extension GenreMatrix {
  /// The genres with most items as a picture: a timeline of years, a heat map of all else.
  func chart(top: Int) -> any Chart { dimension == .yearAdded ? timeline(top: top) : heatMap(top: top) }

  /// The genres that a chart shows. A heading has nearly all items: beside it nothing else would be dark.
  private func charted(top: Int) -> [Row] {
    let shown = rows.prefix(top)
    return shown.contains { !$0.isHeading } ? shown.filter { !$0.isHeading } : Array(shown)
  }

  // MARK: Heat map

  /// More columns than these are not filled up with empty ones.
  private static let mostTimes = 24

  /// The genres with most items as a heat map.
  /// - Parameters:
  ///   - top: how many genres.
  ///   - usesUnicode: whether halves of stars can be written `½`.
  func heatMap(top: Int, usesUnicode: Bool = true) -> HeatMap {
    let columns = columns
    return HeatMap(
      "Items by genre and \(phrase)",
      columns: columns.map { HeatMap.Column(label($0.value, usesUnicode: usesUnicode)) },
      rows: charted(top: top).map { row in
        HeatMap.Row(row.genre, columns.map { Amount($0.place.map { row.counts[$0] } ?? 0) })
      },
      showsTimes: dimension == .decade || dimension == .yearAdded)
  }

  /// The buckets by their places; between decades and years the empty ones too, unless there are too many.
  private var columns: [(value: Bucket.Value, place: Int?)] {
    let filled = buckets.enumerated().map { (value: $1.value, place: Int?.some($0)) }
    let step = dimension == .decade ? 10 : 1
    guard dimension == .decade || dimension == .yearAdded, case .number(let first)? = filled.first?.value,
      case .number(let last)? = filled.last?.value, (last - first) / step < Self.mostTimes
    else { return filled }
    let places = Dictionary(uniqueKeysWithValues: filled.map { ($0.value, $0.place) })
    return stride(from: first, through: last, by: step).map { (.number($0), places[.number($0)] ?? nil) }
  }

  private func label(_ value: Bucket.Value, usesUnicode: Bool) -> String {
    switch value {
    case .number(let rating) where dimension == .rating:
      let stars = rating / 20
      guard rating % 20 == 10 else { return String(stars) }
      return usesUnicode ? (stars == 0 ? "½" : "\(stars)½") : "\(stars).5"
    case .number(let number): return String(number)
    case .kind(let kind): return kind.plural
    case .name(let name): return name
    }
  }

  var phrase: Message {
    switch dimension {
    case .yearAdded: "year added"
    case .creator: "director, author or artist"
    case .rating: "rating in stars"
    default: Message(words: dimension.rawValue)
    }
  }

  // MARK: Timeline

  /// More years than these leave no room for their columns.
  private static let mostYears = 40

  /// What was added in each year, by genre: a genre's share of the year's items.
  ///
  /// Of few items chance makes the shares, and they would be the tallest: such years stay blank, unless there are no
  /// others.
  private func timeline(top: Int) -> Timeline {
    var chart = Timeline("Genres of what was added, year by year")
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
        row.genre,
        years.map { year in
          guard let (place, items) = found[year], !hidden.contains(year) else { return nil }
          let share = Double(row.counts[place]) / Double(items)
          return Amount(share, "\((share * 100).fixed(1)) %")
        })
    }
    chart.notes = ["A genre's share of the items with a genre that were added in the year."]
    if !few.isEmpty {
      let counts = few.map { "\($0) (\(found[$0]?.items ?? 0))" }.joined(separator: ", ")
      chart.notes.append(
        hidden.isEmpty
          ? "These are few items, so shares say little: \(counts)."
          : "Left out, because shares of fewer than \(GenreReport.leastToCompare) items say little: \(counts).")
    }
    if rows.count > top { chart.notes.append("The \(top) genres with most items, of \(rows.count).") }
    if first < years.lowerBound { chart.notes.append("The last \(Self.mostYears) years; the first is \(first).") }
    return chart
  }

  // MARK: What it does not show

  /// What an item must have to be in a column.
  var missing: Message {
    switch dimension {
    case .decade: "year"
    case .creator: "director, author or artist"
    case .rating: "rating"
    default: phrase
    }
  }

  /// What a chart of the matrix does not show.
  func notes(top: Int, query: [String]) -> [Note] { columnNotes(query: query) + rowNotes(top: top, query: query) }

  /// The items that are in no column.
  func columnNotes(query: [String]) -> [Note] {
    var notes: [Note] = []
    if itemsWithoutBucket > 0 {
      let field = dimension == .decade ? "year" : dimension.rawValue
      notes.append(
        .init(
          "\(counted(itemsWithoutBucket)) of \(items) without \(missing)", command: "catalog list \(field):none", query)
      )
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
  func rowNotes(top: Int, query: [String]) -> [Note] {
    var notes: [Note] = []
    if itemsWithoutGenre > 0 {
      notes.append(
        .init("\(counted(itemsWithoutGenre)) of \(items) without genre", command: "catalog list genre:none", query))
    }
    let shown = rows.prefix(top)
    let headings = shown.filter(\.isHeading).map(\.genre)
    if !headings.isEmpty, headings.count < shown.count {
      notes.append(.init("Not in the map, because most is below them: \(headings.joined(separator: ", "))."))
    }
    let hidden = rows.count - shown.count
    if hidden > 0 {
      notes.append(
        .init(
          hidden.counted("more genre", "more genres"),
          command: "catalog genres --by \(dimension.rawValue) --top \(rows.count)", query))
    }
    if itemsWithGenre < GenreReport.leastToCompare {
      notes.append(.init("These are few items: a map says more with \(GenreReport.leastToCompare) and more."))
    }
    return notes
  }

  private func counted(_ items: Int) -> Message { items.counted("item", "items") }
}
