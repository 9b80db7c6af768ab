internal import CatalogModel
internal import SQLite

/// A 64-bit hash of the contents of a row. It shows whether a row has changed in a later export.
struct Fingerprint {
  private var hash = FNV1a()
  var value: UInt64 { hash.value }

  init(_ row: ImportRow) {
    switch row.content {
    case .success(let entry): add(entry)
    case .failure(let rejection): add(row.words, rejection.description)
    }
  }

  private mutating func add(_ entry: Entry) {
    let record = entry.record
    for table in [Table.item, Table(record.kind)].compactMap(\.self) {
      for value in record.stored(in: table) { add(value) }
    }
    add(record.kind.rawValue, record.note)
    for credit in record.credits { add(credit.role.rawValue, credit.name) }
    for track in record.vinyl.tracks { add(track.position, track.title) }
    for label in record.labels { add(label) }
    for id in record.externalIDs { add(id.description) }
    for time in entry.times {
      add("time", time.outcome.rawValue, time.startedOn?.description, time.endedOn?.description, time.note)
      add(time.page.map(String.init))
      add(time.opinion)
    }
    for opinion in entry.opinions { add(opinion) }
    for copy in entry.copies {
      let facts = copy.facts
      add(
        "copy", facts.format, facts.media?.rawValue, facts.sleeve?.rawValue, facts.place, facts.acquiredFrom, facts.note
      )
      add(facts.price.map { "\($0.minorUnits) \($0.currency)" }, facts.acquiredOn?.description)
      add(copy.holder?.person, copy.holder?.since?.description, copy.holder?.due?.description)
    }
    if let wish = entry.wish { add("wish", wish.limit.map { "\($0.minorUnits) \($0.currency)" }, wish.note) }
    for tag in entry.tags { add("tag", tag) }
    for place in entry.piles { add("pile", place.pile, place.position.map(String.init)) }
    add(entry.isFavorite ? "favorite" : nil, entry.addedOn?.description)
    // Rare values are added only if present, so that other rows keep the hash of earlier versions.
    for (name, day) in [("liked", entry.favoriteOn), ("wished", entry.wishedOn)] {
      if let day { add(name, day.description) }
    }
    for name in entry.times.compactMap(\.name) { add("name", name) }
    for note in entry.notes { add("note", note) }
  }

  private mutating func add(_ opinion: Entry.Opinion?) {
    add(opinion?.rating?.description, opinion?.comment)
    if let day = opinion?.day { add("on", day.description) }
  }

  private mutating func add(_ value: Value) {
    switch value {
    case .null: end(isText: false)
    case .integer(let integer): add("\(integer)")
    case .real(let real): add("\(real)")
    case .text(let text): add(text)
    case .blob(let bytes):
      for byte in bytes { hash.add(byte) }
      end(isText: true)
    }
  }

  private mutating func add(_ texts: String?...) { for text in texts { add(text) } }

  private mutating func add(_ text: String?) {
    if let text { hash.add(text) }
    end(isText: text != nil)
  }

  /// Ends a text with a byte that no text contains. A missing text differs from an empty one.
  private mutating func end(isText: Bool) { hash.add(isText ? 0xFF : 0xFE) }
}
