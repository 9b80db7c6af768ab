internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

extension Table {
  /// A table of an item's fields: the value, its origin, since when, and whether the person has locked it.
  static func ofFields(_ item: Item, _ origins: [Field: FieldOrigin], in context: Context) throws -> Table {
    let draft = Draft(item)
    let told = Field.refreshableFields(of: item.record.kind) + [.genres, .cover]
    return try Table(
      Field.all.filter(told.contains),
      [
        .init("field", "Field", importance: 9, \.name, shown: \.word),
        .init(
          "value", "Value", isFlexible: true, minimumWidth: 16, importance: 8, { $0.listedValue(of: draft) },
          shown: { shown($0, draft, context) }),
        .init(
          "source", "Source", importance: 7, { origins[$0]?.origin.name },
          shown: { origins[$0].map { context.text($0.origin.words) } }),
        .init("updated_at", "When", importance: 5) { context.cell(origins[$0]?.since) },
        .init(
          "locked", "", importance: 6, style: .yellow, { origins[$0]?.isLocked ?? false },
          shown: { origins[$0]?.isLocked == true ? context.text("locked") : "" }),
      ])
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

extension Origin {
  /// The name of the origin: `TMDB`, `by hand`.
  var words: Message {
    switch self {
    case .hand: "by hand"
    case .source(let id): Source.offered(id)?.words ?? Message(verbatim: id)
    }
  }
}
