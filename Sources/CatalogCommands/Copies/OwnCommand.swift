internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog own WORDS|CODE|CATNO`: in the shop, whether a person has it already. It asks nobody but the file.
struct OwnCommand: Command {
  static let info = CommandInfo<Self>(
    "own", aliases: ["have"], summary: "Tell whether you own it: which pressing, in what grade, who has it.",
    discussion: """
      For the shop: it needs no network. Words of a title or a name, or their initial consonants; a barcode or ISBN, of which a \
      digit may be missing at either end; a catalog number, however it is parted. What is known and not owned, and what is \
      wished for, is said, too. Exit status 1 when you do not own it.
      """,
    examples: [
      Example("catalog own kind of blue", "By its title."), Example("catalog own CL1355", "By its catalog number."),
      Example("catalog own 74646493526", "By its barcode, the first digit of which was not readable."),
      Example("catalog own ㅅㄴㅇ || echo buy it", "By initial consonants, in a script."),
    ],
    arguments: [
      .phrase(
        "what", \.words, value: "WORDS", completion: .dynamic("items"), help: "Words, a code or a catalog number.")
    ] + TableOptions.arguments.lifted(\.table))

  var words = ""
  var table = TableOptions()

  /// So many things are told of; who gets more gives more words.
  private static let most = 10

  func run(in context: Context) throws {
    let store = try context.reading()
    let found = try items(in: store)
    let holdings = try found.prefix(Self.most).map { try Holding($0, in: store) }.sorted { $0.isOwned && !$1.isOwned }
    let wishes = try store.openWishes(matching: words)
    if table.format(on: context.terminal) == .fitted {
      for holding in holdings { try show(holding, in: context) }
      for wish in wishes { try show(wish, in: context) }
      if holdings.isEmpty, wishes.isEmpty { try context.print("no") }
      if found.count > Self.most { context.hint("there is more: give more words") }
    } else {
      try HoldingTable.of(holdings, wishes).write(table, to: context.output, terminal: context.terminal)
    }
    if holdings.isEmpty, wishes.isEmpty, table.format(on: context.terminal) != .fitted {
      context.warn("you do not own \(words.quoted)")
    }
    if !holdings.contains(where: \.isOwned) { throw SilentFailure(status: .failed) }
  }

  /// What is meant: the things with this code, or this number in a catalog; where there is none, with these words.
  private func items(in store: Store) throws -> [ItemID] {
    let known = try store.itemIDs(nearCode: words) + store.itemIDs(ofCatalogNumber: words)
    guard known.isEmpty else { return known.withoutRepeats(by: \.self) }
    return try store.search(words, limit: Self.most + 1)
  }

  private func show(_ holding: Holding, in context: Context) throws {
    let answer = context.text(holding.isOwned ? "yes" : "no")
    let width = answerWidth(in: context)
    let stars = holding.item.rating.map { "  " + context.styled(verbatim: $0.stars, .yellow) } ?? ""
    try context.print(
      verbatim: context.styled(verbatim: answer.padded(to: width), holding.isOwned ? .green : .red)
        + context.styled(verbatim: context.safe(holding.item.line), .bold) + stars)
    func line(_ text: String) throws {
      try context.print(verbatim: String(repeating: " ", count: width) + context.safe(text))
    }
    if let pressing = holding.pressing { try line(pressing) }
    for copy in holding.copies { try line("\(copy.id)  \(context.text(context.line(of: copy)))") }
    if !holding.isOwned { try line(context.text("known, not owned")) }
    if let wish = holding.wish { try line(context.text(wish.line(money: context.moneyLanguage))) }
  }

  /// How wide the answers stand before what they are about.
  private func answerWidth(in context: Context) -> Int {
    max(context.text("yes").cellWidth, context.text("no").cellWidth) + 2
  }

  private func show(_ wish: Store.OpenWish, in context: Context) throws {
    let width = answerWidth(in: context)
    let answer = context.styled(verbatim: context.text("no").padded(to: width), .red)
    let line = context.text(wish.line(money: context.moneyLanguage))
    try context.print(verbatim: answer + context.safe("\(wish.words ?? ""): \(line)"))
  }
}

/// What a person has of one thing.
private struct Holding {
  var item: Item
  var copies: [Copy]
  var wish: Store.OpenWish?

  init(_ id: ItemID, in store: Store) throws {
    (item, copies, wish) = (try store.item(id), try store.copies(of: id), try store.openWish(for: id))
  }

  var isOwned: Bool { !copies.isEmpty }

  /// Which one it is: `Columbia, CL 1355, US`; of a book its publisher and ISBN.
  var pressing: String? {
    let parts: [String?] =
      switch item.record.details {
      case .vinyl(let vinyl): [vinyl.label, vinyl.catalogNumber, vinyl.country, vinyl.format]
      case .book(let book): [book.publisher, book.isbn?.digits13]
      default: []
      }
    let known = parts.compactMap(\.self)
    return known.isEmpty ? nil : known.joined(separator: ", ")
  }
}

extension Store.OpenWish {
  /// `wished for, at most ₩30,000: the mono one`.
  fileprivate func line(money language: String) -> Message {
    let wish: Message = limit.map { "wished for, at most \($0.text(in: language))" } ?? "wished for"
    return note.map { "\(wish): \($0)" } ?? wish
  }
}

/// What a person has, for programs: a row for each copy, and for each thing without any.
private enum HoldingTable {
  static func of(_ holdings: [Holding], _ wishes: [Store.OpenWish]) -> Table {
    var table = Table(
      columns: [
        "owned", "item", "kind", "title", "creator", "year", "label", "catalog_number", "country", "copy", "format",
        "media_grade", "sleeve_grade", "place", "price", "currency", "holder", "due_on", "rating", "wished",
        "price_limit",
        "limit_currency",
      ].map { .init($0) })
    for holding in holdings {
      let (record, vinyl) = (holding.item.record, holding.item.record.vinyl)
      for copy in holding.copies.isEmpty ? [nil] : holding.copies.map(Optional.some) {
        let facts = copy?.facts ?? Copy.Facts()
        table.rows.append([
          .init(copy != nil), .init(holding.item.id.rawValue), .init(record.kind.rawValue), .init(record.title),
          .init(record.creators), .init(record.year ?? record.released?.year), .init(vinyl.label),
          .init(vinyl.catalogNumber), .init(vinyl.country), .init(copy?.id.description), .init(facts.format),
          .init(facts.media?.rawValue), .init(facts.sleeve?.rawValue), .init(facts.place),
          .init(facts.price?.minorUnits), .init(facts.price?.currency), .init(copy?.holder?.person),
          .init(copy?.holder?.due?.description), .init(holding.item.rating?.value), .init(holding.wish != nil),
          .init(holding.wish?.limit?.minorUnits), .init(holding.wish?.limit?.currency),
        ])
      }
    }
    for wish in wishes {
      var row = table.columns.map { _ in Table.Cell(nil as String?) }
      (row[0], row[2], row[3]) = (.init(false), .init(wish.kind?.rawValue), .init(wish.words))
      (row[19], row[20], row[21]) = (.init(true), .init(wish.limit?.minorUnits), .init(wish.limit?.currency))
      table.rows.append(row)
    }
    return table
  }
}
