internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

extension Table {
  /// A table of an item's fields: the value, its origin, since when, and whether the person has locked it.
  static func ofFields(_ item: Item, _ origins: [Field: FieldOrigin], in context: Context) -> Table {
    var table = Table(columns: [
      .init("field", "Field", importance: 9),
      .init("value", "Value", isFlexible: true, minimumWidth: 16, importance: 8),
      .init("source", "Source", importance: 7),
      .init("updated_at", "When", importance: 5),
      .init("locked", "", importance: 6),
    ])
    let draft = Draft(item)
    let told = Field.refreshableFields(of: item.record.kind) + [.genres, .cover]
    for field in Field.all where told.contains(field) {
      let (value, origin) = (field.listedValue(of: draft), origins[field])
      table.rows.append([
        .init(value: .text(field.name), shown: field.word), Cell(value, shown: shown(field, draft, context)),
        .init(
          value: origin.map { .text($0.origin.name) } ?? .none, shown: origin.map { context.text($0.origin.words) }),
        context.cell(origin?.since),
        .init(
          value: .flag(origin?.isLocked ?? false), shown: origin?.isLocked == true ? context.text("locked") : "",
          style: .yellow),
      ])
    }
    return table
  }

  private static func shown(_ field: Field, _ draft: Draft, _ context: Context) -> String? {
    switch field.key {
    case "list_price": draft.record.book.price?.text(in: context.moneyLanguage)
    case "genres": draft.genres.map { Store.genreName($0, in: context.language) }.joined(separator: ", ")
    case "has_cover": context.text(draft.item?.hasCover == true ? "kept in the file" : "")
    default: nil
    }
  }
}

extension Table.Cell {
  fileprivate init(_ value: FieldValue, shown: String?) {
    switch value {
    case .none: self.init(value: .none)
    case .text(let text): self.init(value: .text(text), shown: shown)
    case .integer(let number): self.init(value: .integer(Int64(number)), shown: shown)
    case .real(let number): self.init(value: .number(number), shown: shown)
    case .flag(let flag): self.init(value: .flag(flag), shown: shown)
    case .list(let texts): self.init(value: .list(texts), shown: shown)
    case .money(let price): self.init(price, shown: shown)
    }
  }
}

extension Origin {
  /// The name of the origin: `TMDB`, `by hand`.
  var words: Message {
    switch self {
    case .hand: "by hand"
    case .source(let id): Source.offered(id)?.words ?? Message(verbatim: id)
    }
  }
}
