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

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("items", comparison.items)
      json.member("their_items", comparison.theirItems)
      json.member("shared", comparison.shared)
      json.member("both_rated", comparison.bothRated)
      json.member("correlation", comparison.correlation)
      json.member("both_love", Self.works(comparison.bothLove.map { ($0, .init($0.theirs)) }, "their_rating"))
      json.member("borrow", Self.works(comparison.borrow.map { ($0.work, .init($0.genres)) }, "because"))
      json.member("lend", Self.works(comparison.lend.map { ($0.work, .init($0.genres)) }, "because"))
      json.member("genres", genres)
    }
  }

  /// Works, and what is said of each in a last column.
  private static func works(_ works: [(TasteComparison.Work, Table.Cell)], _ last: String) -> Table {
    Table(
      columns: [
        .init("kind"), .init("title"), .init("creators"), .init("year"), .init("rating"), .init(last),
      ],
      rows: works.map { work, cell in
        [
          .init(work.kind.rawValue), .init(work.title), .init(work.creators), .init(work.year), .init(work.mine), cell,
        ]
      })
  }

  // MARK: For a person

  func blocks() -> [Report.Block] {
    var entries: [Report.Fact] = [
      .init("You", comparison.items.counted("item", "items")),
      .init("They", comparison.theirItems.counted("item", "items")),
      .init("In both", comparison.shared.counted("work", "works")),
    ]
    if let correlation = comparison.correlation {
      entries.append(
        .init("Agreement", "\(correlation.fixed(2)) over \(comparison.bothRated) works that both rated"))
    }
    var blocks: [Report.Block] = [.entries(entries)]
    if comparison.correlation == nil, comparison.bothRated > 0 {
      blocks.append(
        .note(
          "Too little to tell how far you agree: \(comparison.bothRated) of \(TasteComparison.leastForCorrelation) works are rated by both."
        ))
    }
    let loved = comparison.bothLove.prefix(Self.most).map { (work: $0, genres: [String]()) }
    blocks += list("Both love", loved, of: comparison.bothLove.count)
    blocks += list("To borrow", comparison.borrow.map { ($0.work, $0.genres) }, of: comparison.borrow.count)
    blocks += list("To lend", comparison.lend.map { ($0.work, $0.genres) }, of: comparison.lend.count)
    return blocks + [.heading("Where you differ"), differences]
  }

  private func list(_ title: Message, _ works: [(work: TasteComparison.Work, genres: [String])], of all: Int)
    -> [Report.Block]
  {
    guard !works.isEmpty else { return [] }
    var table = TableBuilder(of: works, hasHeadings: false)
    table.add(.init("work", "Title", isFlexible: true, minimumWidth: 16, importance: 9)) { work, _ in
      let year = work.year.map { " (\($0))" } ?? ""
      return .init(
        work.creators.isEmpty
          ? "\(work.title)\(year)" : "\(work.creators.joined(separator: ", ")) – \(work.title)\(year)")
    }
    table.add(.init("genres", "Genres", isFlexible: true, importance: 1)) { _, genres in
      .init(genres.prefix(2).map { context.genreName($0) }.joined(separator: ", "), style: .dim)
    }
    let more = all > works.count ? [Footnote("and \(all - works.count) more")] : []
    return [.heading(title), .table(table.table, caption: title, notes: more)]
  }

  private var differences: Report.Block {
    let genres = comparison.genres.filter(\.isSignificant)
    guard !genres.isEmpty else { return .note("No genre differs by more than chance.") }
    func share(_ share: Double, _ items: Int) -> Table.Cell {
      .init(share, shown: "\((share * 100).fixed(1)) % (\(items))")
    }
    var table = TableBuilder(of: genres.prefix(Self.most))
    table.add(.init("genre", "Genre", isFlexible: true, minimumWidth: 12, importance: 4)) { genre in
      .init(context.genreName(genre.name))
    }
    table.add(.init("mine", "You", alignment: .right, importance: 3)) { share($0.mine, $0.items) }
    table.add(.init("theirs", "They", alignment: .right, importance: 2)) { share($0.theirs, $0.theirItems) }
    return .table(
      table.table, caption: "Where you differ",
      notes: [Footnote("Shares of the items with a genre, compared within each kind that both have.")])
  }
}
