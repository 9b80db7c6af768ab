internal import CatalogModel

extension TableFormat {
  /// The output of `catalog export csv` and `catalog export json`. These are listings; JSONL has all data.
  static let catalogListing = TableFormat(
    "catalog-list", "catalog list", nil, needs: ["id", "kind", "title", "rating_scale", "added_at", "has_cover"],
    columns: [
      "id": .left("each catalog has its own numbers"), "item": .repeated, "kind": .kind, "title": .title,
      "creators": creator.ofCatalog,
      "year": .year, "released_on": .released, "genres": .genre.ofCatalog, "original_title": .originalTitle,
      "other_titles": .otherTitle.ofCatalog, "source_genres": .repeated, "barcode": .barcode, "minutes": .minutes,
      "isbn": .isbn, "publisher": .publisher, "published_on": .published, "pages": .pages, "labels": label.ofCatalog,
      "catalog_number": .catalogNumber, "countries": .country, "language": .language, "tagline": tagline,
      "series": .series, "format": format, "speed": speed, "discs": .discs, "cast": .cast.ofCatalog,
      "translators": .translator.ofCatalog, "tracks": .left("its tracks come from the sources"),
      "list_price": .left("it is an old price of a shop"), "sale_price": .left("it is an old price of a shop"),
      "copies": .owned, "media_grades": .media, "sleeve_grades": .sleeve,
      "places": .place, "prices": .price, "acquired_on": .acquiredOn, "acquired_from": .acquiredFrom,
      "copy_formats": .format, "copy_notes": .copyNote, "rating": byFinish, "rating_scale": byFinish,
      "favorite_at": favorite, "tags": .tag.ofCatalog, "wished_at": wished, "status": status,
      "public_rating": .others, "public_votes": .others, "cards": .left("a list has only the newest rating"),
      "comments": .review, "seen_on": .finished.ofCatalog, "times": .count, "piles": .pile.ofCatalog,
      "borrowers": .holder, "lent_on": .lentOn, "due_on": due, "added_at": .addedOn,
      "has_cover": .left("covers are only in JSONL"), "description": .summary,
      "updated_at": .left("it is recorded anew here"), "url": .url, "external_ids": .externalID.ofCatalog,
      "note": note, "imports": .left("each catalog has its own numbers of imports"),
    ],
    finish: { facts, cells in
      if let value = cells.first("rating").flatMap({ Int($0) }) {
        facts.rating = Rating(kept: value, scale: cells.first("rating_scale") ?? "")
      }
    },
    key: { cells, _ in
      // Every catalog numbers its items from 1.
      cells.first("id").map { "\($0) \(cells.first("added_at") ?? "")" }
    })

  private static let byFinish = ColumnMapping("rating", "rating") { _, _ in true }

  /// A single name, without splitting.
  private static let creator = ColumnMapping("creator", "director, author or artist") { text, facts in
    facts.creators.append(text)
    return true
  }

  private static let label = ColumnMapping("label", "label") { text, facts in
    guard facts.kind == .vinyl else { return false }
    facts.vinyl.label = facts.vinyl.label ?? text
    facts.credits.append(Credit(name: text, role: .label))
    return true
  }

  private static let tagline = ColumnMapping("tagline", "tagline") { text, facts in
    guard facts.kind == .movie else { return false }
    facts.movie.tagline = text
    return true
  }

  private static let format = ColumnMapping("format", "format") { text, facts in
    guard facts.kind == .vinyl else { return false }
    facts.vinyl.format = text
    return true
  }

  private static let speed = ColumnMapping("speed", "speed") { text, facts in
    guard facts.kind == .vinyl else { return false }
    facts.vinyl.speed = text
    return true
  }

  private static let favorite = ColumnMapping("favorite", "favorites") { _, facts in
    facts.isFavorite = true
    return true
  }

  private static let wished = ColumnMapping("wish", "wish") { text, facts in
    if facts.wish == nil { facts.wish = Wish.Terms() }
    facts.wishedOn = Dates.read(text, at: facts.choices.localTime)
    return true
  }

  /// The status. `planned` is computed, so it is not imported.
  private static let status = ColumnMapping("status", "status") { text, facts in
    text == "planned" || ColumnMapping.status.read(text, &facts)
  }

  private static let due = ColumnMapping("due", "loan") { text, facts in
    facts.dueOn = Dates.read(text)
    return facts.dueOn != nil
  }

  private static let note = ColumnMapping("note", "note") { text, facts in
    facts.notes.append(text)
    return true
  }

}

extension ColumnMapping {
  /// `imdb:tt0113277`
  static let externalID = ColumnMapping("id", "ids at sources") { text, facts in
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return false }
    facts.externalIDs.append(ExternalID(source: String(parts[0]), value: String(parts[1])))
    return true
  }

  /// The target for each of several values, which a listing separates with `; `.
  fileprivate var ofCatalog: ColumnMapping { each(of: ";") }
}
