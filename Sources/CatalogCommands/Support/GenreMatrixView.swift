internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

extension GenreMatrix {
  /// More columns than these are not filled up with empty ones.
  private static let mostTimes = 24

  /// The genres with most items as a heat map.
  /// - Parameters:
  ///   - top: how many genres.
  ///   - usesUnicode: whether halves of stars can be written `½`.
  func heatMap(top: Int, usesUnicode: Bool = true) -> HeatMap {
    let shown = rows.prefix(top)
    // A heading has nearly all items: beside it nothing else would be dark.
    let genres = shown.contains { !$0.isHeading } ? shown.filter { !$0.isHeading } : Array(shown)
    let columns = columns
    return HeatMap(
      "Items by genre and \(phrase)",
      columns: columns.map { HeatMap.Column(label($0.value, usesUnicode: usesUnicode)) },
      rows: genres.map { row in
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

  fileprivate var phrase: String {
    switch dimension {
    case .yearAdded: "year added"
    case .creator: "director, author or artist"
    case .rating: "rating in stars"
    default: dimension.rawValue
    }
  }
}

/// The matrix as a person sees it.
struct GenreMatrixView {
  var matrix: GenreMatrix
  var top: Int
  var query: [String]
  var context: Context

  func show() throws {
    guard matrix.items > 0 else { return try context.print(GenreView.nothing) }
    guard !matrix.rows.isEmpty else {
      let none =
        matrix.items == 1 ? "The one item has no genre yet:" : "None of the \(matrix.items) items has a genre yet:"
      return try note(none, "catalog list genre:none")
    }
    guard !matrix.buckets.isEmpty else {
      let none = matrix.items == 1 ? "the one item has no" : "none of the \(matrix.items) items has a"
      return try context.print("There is no heat map, because \(none) \(missing).")
    }
    let chart = matrix.heatMap(top: top, usesUnicode: context.terminal.usesUnicode)
    try chart.write(to: context.output, terminal: context.terminal)
    try showNotes()
  }

  /// What an item must have to be in the map.
  private var missing: String {
    switch matrix.dimension {
    case .decade: "year"
    case .creator: "director, author or artist"
    case .rating: "rating"
    default: matrix.phrase
    }
  }

  /// What the map does not show.
  private func showNotes() throws {
    let without = matrix.itemsWithoutBucket
    if without > 0 {
      let field = matrix.dimension == .decade ? "year" : matrix.dimension.rawValue
      try note("\(items(without)) of \(matrix.items) without \(missing):", "catalog list \(field):none")
    }
    if matrix.dimension == .creator, matrix.buckets.allSatisfy({ $0.items == 1 }) {
      try context.note(dim: "Nobody made more than one of these items.")
    }
    if matrix.otherCreators > 0 {
      try context.note(
        dim: "These \(matrix.buckets.count) have most items; \(matrix.otherCreators) others made "
          + "\(items(matrix.itemsOfOthers)) without them.")
    }
    if matrix.itemsWithoutGenre > 0 {
      try note("\(items(matrix.itemsWithoutGenre)) of \(matrix.items) without genre:", "catalog list genre:none")
    }
    let shown = matrix.rows.prefix(top)
    let headings = shown.filter(\.isHeading).map(\.genre)
    if !headings.isEmpty, headings.count < shown.count {
      try context.note(dim: "Not in the map, because most is below them: \(headings.joined(separator: ", ")).")
    }
    let hidden = matrix.rows.count - shown.count
    if hidden > 0 {
      try note(
        "\(hidden) more \(hidden == 1 ? "genre" : "genres"):",
        "catalog genres --by \(matrix.dimension.rawValue) --top \(matrix.rows.count)")
    }
    if matrix.itemsWithGenre < GenreReport.leastToCompare {
      try context.note(dim: "These are few items: a map says more with \(GenreReport.leastToCompare) and more.")
    }
  }

  private func items(_ count: Int) -> String { "\(count) \(count == 1 ? "item" : "items")" }

  private func note(_ text: String, _ command: String) throws {
    try context.note(dim: text, command: [command] + query.map(\.shellWord))
  }
}
