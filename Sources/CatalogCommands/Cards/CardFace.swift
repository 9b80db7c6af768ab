internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// A card with its item: title, creator, year and stars on the front, the comment on the back.
struct CardFace {
  var card: Card
  var item: Item
  private let localTime: LocalTime

  init(_ card: Card, in store: Store) throws {
    (self.card, item, localTime) = (card, try store.item(card.item), store.localTime)
  }

  var heading: Message { card.heading(at: localTime) }

  /// One line: `card 7 ★★★★½ of vinyl 3: Kind of Blue — Miles Davis (1959): 'again and again'`.
  var line: Message {
    "card \(card.id)\(card.rating.map { " \($0.stars)" } ?? "") of \(item.line)"
      + Message(verbatim: card.comment.map { ": \($0.excerpt)" } ?? "")
  }

  func front(width: Int) -> [Frame.Line] {
    let record = item.record
    var lines = record.title.sanitized.wrapped(to: width).map { Frame.Line($0, style: .bold) }
    if !record.creators.isEmpty { lines.append(.init(record.creators.joined(separator: ", ").sanitized)) }
    if let year = record.year ?? record.released?.year { lines.append(.init("\(year)", style: .dim)) }
    if let rating = card.rating { lines += [.init(), .init(rating.stars, style: .yellow)] }
    return lines
  }

  func back(width: Int, on terminal: Terminal) -> [Frame.Line] {
    guard let comment = card.comment else { return [.init(("(no words)" as Message).text(on: terminal), style: .dim)] }
    return comment.paragraphs(wrappedTo: width, \.sanitized).map { Frame.Line($0) }
  }
}

extension Card {
  /// The values that a form shows, by the names of its fields.
  var shown: [String: String] {
    ["stars": rating?.description ?? "", "seen": seenOn?.description ?? "", "words": comment ?? ""]
  }
}

extension String {
  /// The beginning of a comment in one line, in quotes.
  var excerpt: String { split(whereSeparator: \.isWhitespace).joined(separator: " ").truncated(to: 60).quoted }
}

extension Change {
  /// The change of a card, for `--json`.
  init(_ outcome: Outcome = .done, of face: CardFace) {
    self.init(outcome, of: face.item, [("card", face.card.id.rawValue), ("rating", face.card.rating?.value)])
  }
}

/// A table of cards, for people and programs.
enum CardTable {
  static func of(_ faces: [CardFace], in context: Context) throws -> Table {
    try Table(
      faces,
      head.lifted { $0.card },
      [
        .hidden("kind", \.item.record.kind),
        .init("title", "Title", isFlexible: true, minimumWidth: 12, importance: 8, style: .bold, \.item.record.title),
        .hidden("creators", \.item.record.creators),
      ], facts { context.cell($0.createdAt) }.lifted { $0.card })
  }

  /// The columns of a card without its item.
  static var ofCard: [Column<Card>] { head + facts(added: \.createdAt.cell) }

  private static var head: [Column<Card>] {
    [
      .init("id", "Card", alignment: .right, importance: 9, style: .cyan, \.id), .hidden("card", \.id),
      .init("item", "Item", alignment: .right, importance: 4, \.item),
    ]
  }

  private static func facts(added: @escaping (Card) -> Table.Cell) -> [Column<Card>] {
    [
      .init("rating", "Rating", importance: 7, style: .yellow, \.rating), .hidden("rating_scale", \.rating?.scale),
      .init("comment", "Words", isFlexible: true, minimumWidth: 12, importance: 6, \.comment),
      .init("seen_on", "Seen", importance: 3, \.seenOn), .init("added_at", "Written", importance: 5, added),
      .hidden("updated_at", \.updatedAt),
    ]
  }
}
