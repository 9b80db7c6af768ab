internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// Two catalogs side by side, for people and programs: `catalog genres --compare FILE`.
struct TasteComparisonView {
  var comparison: TasteComparison
  var context: Context

  private static let most = 10

  // MARK: For programs

  /// A row a genre.
  var genres: Table {
    Table(
      columns: [
        .init("genre"), .init("items"), .init("their_items"), .init("share"), .init("their_share"), .init("p"),
        .init("beyond_chance"),
      ],
      rows: comparison.genres.map {
        [
          .init($0.name), .init($0.items), .init($0.theirItems), .init($0.mine), .init($0.theirs), .init($0.p),
          .init($0.isSignificant),
        ]
      })
  }

  func write(_ genres: Table, to json: inout JSONWriter) {
    json.object { json in
      json.member("items", comparison.items)
      json.member("their_items", comparison.theirItems)
      json.member("shared", comparison.shared)
      json.member("both_rated", comparison.bothRated)
      json.member("correlation", comparison.correlation)
      json.key("both_love")
      json.array { json in for work in comparison.bothLove { write(work, to: &json) } }
      for (key, loans) in [("borrow", comparison.borrow), ("lend", comparison.lend)] {
        json.key(key)
        json.array { json in
          for loan in loans { write(loan.work, because: loan.genres, to: &json) }
        }
      }
      json.member("genres", genres)
    }
  }

  private func write(_ work: TasteComparison.Work, because genres: [String]? = nil, to json: inout JSONWriter) {
    json.object { json in
      json.member("kind", work.kind.rawValue)
      json.member("title", work.title)
      json.member("creator", work.creator)
      json.member("year", work.year)
      json.member("rating", work.mine)
      if let genres {
        json.key("because")
        json.array { json in for genre in genres { json.value(genre) } }
      } else {
        json.member("their_rating", work.theirs)
      }
    }
  }

  // MARK: For a person

  func show() throws {
    try context.printLine("You", comparison.items.counted("item", "items"))
    try context.printLine("They", comparison.theirItems.counted("item", "items"))
    try context.printLine("In both", comparison.shared.counted("work", "works"))
    if let correlation = comparison.correlation {
      try context.printLine(
        "Agreement", "\(correlation.fixed(2)) over \(comparison.bothRated) works that both rated")
    } else if comparison.bothRated > 0 {
      try context.print(
        Footnote(
          "Too little to tell how far you agree: \(comparison.bothRated) of \(TasteComparison.leastForCorrelation) works are rated by both."
        ))
    }
    try list("Both love", comparison.bothLove.prefix(Self.most).map { ($0, []) }, more: comparison.bothLove.count)
    try list("To borrow", comparison.borrow.map { ($0.work, $0.genres) }, more: comparison.borrow.count)
    try list("To lend", comparison.lend.map { ($0.work, $0.genres) }, more: comparison.lend.count)
    try showGenres()
  }

  private func list(_ title: Message, _ works: [(TasteComparison.Work, [String])], more all: Int) throws {
    guard !works.isEmpty else { return }
    try context.print("")
    try context.print(title, .bold)
    for (work, genres) in works {
      let year = work.year.map { " (\($0))" } ?? ""
      let line = work.creator.isEmpty ? "\(work.title)\(year)" : "\(work.creator) – \(work.title)\(year)"
      let because = genres.prefix(2).map { context.genreName($0) }.joined(separator: ", ")
      try context.print(
        verbatim: "  " + context.safe(line)
          + (because.isEmpty ? "" : context.styled(verbatim: "  " + context.safe(because), .dim)))
    }
    if all > works.count { try context.print(Footnote("and \(all - works.count) more")) }
  }

  private func showGenres() throws {
    try context.print("")
    try context.print("Where you differ", .bold)
    let differing = comparison.genres.filter(\.isSignificant)
    guard !differing.isEmpty else {
      return try context.print(Footnote("No genre differs by more than chance."))
    }
    var table = Table(columns: [
      .init("genre", "Genre", isFlexible: true, minimumWidth: 12, importance: 4),
      .init("mine", "You", alignment: .right, importance: 3), .init("theirs", "They", alignment: .right, importance: 2),
    ])
    table.rows = differing.prefix(Self.most).map { genre in
      [
        .init(context.genreName(genre.name)), .init("\((genre.mine * 100).fixed(1)) % (\(genre.items))"),
        .init("\((genre.theirs * 100).fixed(1)) % (\(genre.theirItems))"),
      ]
    }
    try table.write(as: .fitted, to: context.output, terminal: context.terminal)
    try context.print(Footnote("Shares of the items with a genre, compared within each kind that both have."))
  }
}
