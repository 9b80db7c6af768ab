internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog copy [QUERY]`: lists the copies of all matching items, the newest first, with the total price.
struct CopyListCommand: Command {
  static let info = CommandInfo<Self>(
    "list", aliases: ["ls"], summary: "List copies and their prices, the newest first.",
    examples: [
      Example("catalog copies", "All of them."),
      Example("catalog copies place:K2 'grade:>=VG+'", "The good copies in a place."),
      Example("catalog copies --sort -price --limit 10", "The ten most expensive copies."),
      Example("catalog copy list --csv > insured.csv", "For a spreadsheet."),
    ],
    arguments: [
      .positional(
        "query", \.words, isRequired: false, completion: .dynamic("query"),
        help: "Words and field:value terms: see 'catalog help query'."
      ).terms(Query.names)
    ] + RowOptions.arguments.lifted(\.rows) + TableOptions.arguments.lifted(\.table))

  var words: [String] = []
  var rows = RowOptions()
  var table = TableOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    let query = try context.query(words, in: store)
    let copies = try store.listedCopies(of: query)
    let isFitted = table.format(on: context.terminal) == .fitted
    let listing = CopyTable.of(copies, isFitted: isFitted, moneyLanguage: context.moneyLanguage)
    try context.write(listing, table, rows, below: note(copies.map(\.copy), in: context))
    guard copies.isEmpty else { return }
    guard words.isEmpty else { throw context.nothingMatches(query, typed: words, "copy") }
    throw Failure("there is no copy yet", hint: "write one: catalog copy add 42 --media VG+")
  }

  /// The number of copies, and the total price in each currency.
  private func note(_ copies: [Copy], in context: Context) -> Footnote {
    let totals = Store.totals(of: copies).map { $0.text(in: context.moneyLanguage) }
    let count = copies.count.counted("copy", "copies")
    return Footnote(totals.isEmpty ? count : "\(count) · \(totals.joined(separator: " · "))")
  }
}

/// A table of copies, for people and programs.
enum CopyTable {
  static func of(_ copies: [Store.ListedCopy], isFitted: Bool, moneyLanguage: String) -> Table {
    var table = Table(columns: [
      .init("id", "Copy", alignment: .right, importance: 10),
      .init("copy", isHidden: true),
      .init("item", "Item", alignment: .right, importance: 3),
      .init("kind", isHidden: true),
      .init("title", "Title", isFlexible: true, minimumWidth: 12, importance: 9),
      .init("creators", "By", isFlexible: true, minimumWidth: 12, importance: 7),
      .init("copy_format", "Format", isFlexible: true, minimumWidth: 4, importance: 2),
      .init("media_grade", "Media", importance: 8),
      .init("sleeve_grade", "Sleeve", importance: 7),
      .init("place", "Place", isFlexible: true, minimumWidth: 6, importance: 7),
      .init("price", "Paid", alignment: .right, importance: 6),
      .init("acquired_on", "Since", importance: 3),
      .init("acquired_from", "From", isFlexible: true, minimumWidth: 6, importance: 2),
      .init("borrower", "Lent to", importance: 5),
      .init("lent_on", isHidden: true),
      .init("due_on", isHidden: true),
      .init("note", isHidden: isFitted),
      .init("added_at", isHidden: true),
    ])
    table.rows = copies.map { listed in
      let (copy, facts) = (listed.copy, listed.copy.facts)
      return [
        .init("\(copy.id)", style: .cyan), .init("\(copy.id)"), .init(copy.item.rawValue), .init(listed.kind),
        .init(listed.title, style: .bold), .init(listed.creators), .init(facts.format),
        .init(facts.media?.rawValue).ranked(by: facts.media?.rank.map(Double.init)),
        .init(facts.sleeve?.rawValue).ranked(by: facts.sleeve?.rank.map(Double.init)),
        .init(facts.place), .init(facts.price, shown: facts.price?.text(in: moneyLanguage) ?? ""),
        .init(facts.acquiredOn?.description), .init(facts.acquiredFrom),
        .init(copy.holder?.person), .init(copy.holder?.since?.description), .init(copy.holder?.due?.description),
        .init(facts.note), .init(copy.createdAt.rawValue),
      ]
    }
    return table
  }
}
