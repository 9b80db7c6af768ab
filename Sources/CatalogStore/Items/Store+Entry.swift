public import CatalogModel
internal import SQLite

extension Store {
  /// Returns an item with everything that belongs to it, in the form of imports and exports: the times it was seen,
  /// oldest first, with their opinions; cards without a time; copies and their holders; the wish; tags and piles; the
  /// day it was added.
  /// - Throws: ``CatalogError/noItem(_:)``.
  public func entry(of id: ItemID) throws -> Entry { try entry(of: try item(id)) }

  /// Returns the entry of an item that is already loaded.
  public func entry(of item: Item) throws -> Entry {
    let id = item.id
    func day(_ moment: Timestamp) -> PartialDate? { localTime.date(of: moment) }
    var entry = Entry(item.record)
    let events = try diary(of: id)
    let cards = try cards(of: id)
    let days = Dictionary(cards.map { ($0.id, day($0.createdAt)) }) { first, _ in first }
    entry.times = events.reversed().map { event in
      Entry.Time(
        event.outcome, startedOn: event.startedOn, endedOn: event.endedOn, page: event.page, note: event.note,
        opinion: Entry.Opinion(
          rating: event.rating, comment: event.comment, day: event.card.flatMap { days[$0] ?? nil }))
    }
    let told = Set(events.compactMap(\.card))
    entry.opinions = cards.filter { !told.contains($0.id) }.sorted { $0.id.rawValue < $1.id.rawValue }
      .compactMap { Entry.Opinion(rating: $0.rating, comment: $0.comment, day: day($0.createdAt)) }
    entry.copies = try copies(of: id).map { Entry.CopyOwned($0.facts, holder: $0.holder) }
    let wish = try openWish(for: .item(id))
    (entry.wish, entry.wishedOn) = (wish?.terms, wish.flatMap { day($0.createdAt) })
    entry.tags = item.tags
    entry.piles = try db.all(
      """
      SELECT name, position FROM pile JOIN pile_item ON pile_item.pile_id = pile.id WHERE item_id = \(id.rawValue)
      ORDER BY key
      """
    ) { Entry.PilePlace(try $0.get("name"), position: try $0.get("position")) }
    (entry.isFavorite, entry.favoriteOn) = (
      item.favoriteSince != nil, item.favoriteSince.flatMap(day)
    )
    entry.addedOn = day(item.createdAt)
    entry.editionOf = try db.value("SELECT work_id FROM edition_of WHERE item_id = \(id.rawValue)", as: Int64.self)
      .map(String.init)
    return entry
  }
}
