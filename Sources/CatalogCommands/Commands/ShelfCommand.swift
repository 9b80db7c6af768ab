internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog shelf KIND`: a shelf as a person sees it, nine covers a page.
struct ShelfCommand: Command {
  static let info = CommandInfo<Self>(
    "shelf", summary: "Look at a shelf, nine covers a page.",
    discussion: "The newest addition stands first. In a pipe the page is a list.",
    examples: [
      Example("catalog shelf vinyl", "The newest nine records."), Example("catalog shelf books --page 2", "The next."),
    ],
    arguments: [
      .positional(
        "kind", \.kind, completion: .values(Kind.shelved.map(\.rawValue)), help: "Which shelf: movie, book or vinyl."),
      .option("page", short: "p", \.page, help: "Which page, from 1."),
    ] + TableOptions.arguments.lifted(\.table))

  var kind = ""
  var page = 1
  var table = TableOptions()

  func run(in context: Context) throws {
    let kind = try Kind(shelf: kind)
    let store = try context.reading()
    let shelf = try store.shelfPage(kind, number: page)
    let format = table.format(on: context.terminal)
    guard !shelf.items.isEmpty else {
      throw Failure(
        "the \(kind.rawValue) shelf is empty", hint: "look something up: catalog search dune --kind \(kind.rawValue)")
    }
    if format == .fitted { return try show(shelf.items.map(store.item), shelf, in: context) }
    let listing = Listing(
      query: Query([Query.Term(.kind(kind))]),
      fields: try ListingField.selected(
        by: table, or: [.id, .title, .creator, .year, .rating, .favorite].map(ListingField.column)),
      order: [ListingOrder(.id, isDescending: true)], limit: ShelfPage.size, offset: (page - 1) * ShelfPage.size)
    _ = try listing.write(as: .format(format), from: store, in: context)
  }

  private func show(_ items: [Item], _ page: ShelfPage, in context: Context) throws {
    let width = min(context.terminal.width, 160)
    // Three in a row, as on the shelf; a narrow terminal shows fewer.
    let across = max(1, min(3, width / 20))
    let boxWidth = (width - (across - 1)) / across
    for start in stride(from: 0, to: items.count, by: across) {
      let row = items[start..<min(start + across, items.count)].map { item in
        cover(of: item, width: boxWidth - 4).drawn(width: boxWidth, on: context.terminal)
      }
      for line in 0..<(row.map(\.count).max() ?? 0) {
        try context.print(row.map { $0[line] }.joined(separator: " "))
      }
    }
    try context.print(context.styled("page \(page.number)/\(page.pages)", .dim))
  }

  /// Number, title on two lines, creator, year, stars and heart.
  private func cover(of item: Item, width: Int) -> Box {
    let record = item.record
    let titles = record.title.sanitized.wrapped(to: width)
    let second = titles.dropFirst().joined(separator: " ")
    let marks = [item.rating?.stars, item.favoriteSince == nil ? nil : "♥"].compactMap { $0 }.joined(separator: " ")
    return Box(
      heading: "\(item.id)",
      lines: [
        .init(titles.first ?? "", style: .bold), .init(second, style: .bold),
        .init(record.creators.joined(separator: ", ").sanitized),
        .init(
          (record.year ?? record.released?.year).map(String.init) ?? "", style: .dim, right: marks,
          rightStyle: .yellow),
      ])
  }
}
