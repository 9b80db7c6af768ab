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
    arguments: [.query(\.words)] + RowOptions.arguments.lifted(\.rows) + TableOptions.arguments.lifted(\.table))

  var words: [String] = []
  var rows = RowOptions()
  var table = TableOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    let query = try context.query(words, in: store)
    let copies = try store.listedCopies(of: query)
    let isFitted = table.format(on: context.terminal) == .fitted
    let listing = try CopyTable.of(copies, isFitted: isFitted, moneyLanguage: context.moneyLanguage)
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
  static func of(_ copies: [Store.ListedCopy], isFitted: Bool, moneyLanguage: String) throws -> Table {
    try Table(
      copies,
      [
        .init("id", "Copy", alignment: .right, importance: 10, style: .cyan, \.copy.id), .hidden("copy", \.copy.id),
        .init("item", "Item", alignment: .right, importance: 3, \.copy.item), .hidden("kind", \.kind),
        .init("title", "Title", isFlexible: true, minimumWidth: 12, importance: 9, style: .bold, \.title),
        .init("creators", "By", isFlexible: true, minimumWidth: 12, importance: 7, \.creators),
      ], facts(isFitted: isFitted, moneyLanguage: moneyLanguage).lifted { $0.copy })
  }

  /// The columns about a copy itself.
  static func facts(isFitted: Bool = false, moneyLanguage: String) -> [Column<Copy>] {
    [
      .init("copy_format", "Format", isFlexible: true, minimumWidth: 4, importance: 2, \.facts.format),
      .init("media_grade", "Media", importance: 8, \.facts.media),
      .init("sleeve_grade", "Sleeve", importance: 7, \.facts.sleeve),
      .init("place", "Place", isFlexible: true, minimumWidth: 6, importance: 7, \.facts.place),
      .init(
        "price", "Paid", alignment: .right, importance: 6, \.facts.price,
        shown: { $0.facts.price?.text(in: moneyLanguage) }),
      .init("acquired_on", "Since", importance: 3, \.facts.acquiredOn),
      .init("acquired_from", "From", isFlexible: true, minimumWidth: 6, importance: 2, \.facts.acquiredFrom),
      .init("borrower", "Lent to", importance: 5, \.holder?.person), .hidden("lent_on", \.holder?.since),
      .hidden("due_on", \.holder?.due), .hidden("note", if: isFitted, \.facts.note),
      .hidden("added_at", \.createdAt),
    ]
  }
}
