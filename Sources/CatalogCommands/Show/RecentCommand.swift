internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog recent`: what was viewed last.
struct RecentCommand: Command {
  static let info = CommandInfo<Self>(
    "recent", aliases: ["recents"], summary: "List the last ten viewed, the newest first.",
    discussion: """
      Showing an item or a result counts as viewing it. Viewing again moves it to the front; the eleventh leaves. \
      Other commands take @1, @2, … for what stands here.
      """,
    examples: [
      Example("catalog recent", "The last ten."), Example("catalog add @1", "Puts the last viewed on its shelf."),
    ],
    arguments: TableOptions.arguments.lifted(\.table))

  var table = TableOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    let recents = try store.recents()
    guard !recents.isEmpty else {
      throw Failure("nothing was viewed yet", hint: "view something: catalog show WORDS")
    }
    var listing = Table(columns: [
      .init("recent", "", importance: 9),
      .init("kind", "Kind", importance: 4),
      .init("title", "Title", isFlexible: true, minimumWidth: 16, importance: 8),
      .init("creator", "By", isFlexible: true, minimumWidth: 10, importance: 6),
      .init("year", "Year", alignment: .right, importance: 7),
      .init("item", "Item", alignment: .right, importance: 5),
      .init("viewed_at", "Viewed", importance: 3),
      .init("source", isHidden: true),
      .init("source_id", isHidden: true),
    ])
    for (number, recent) in zip(1..., recents) {
      let record = try recent.record(in: store)
      listing.rows.append([
        .init("@\(number)", style: .cyan), .init(record.kind.rawValue), .init(record.title, style: .bold),
        .init(record.creators, shown: record.creators.joined(separator: ", ")), .init(record.year),
        .init(recent.item.map { Int($0.rawValue) }),
        .init(value: .text(recent.viewedAt.rawValue), shown: recent.viewedAt.day),
        .init(recent.externalID?.source), .init(recent.externalID?.value),
      ])
    }
    try listing.write(table, to: context.output, terminal: context.terminal)
  }
}
