internal import CatalogModel

extension TableFormat {
  /// The output of `catalog export csv` and `catalog export json`, which write the columns that come back. JSONL has
  /// all data.
  static let catalogListing: TableFormat = {
    var format = TableFormat(
      "catalog-list", "catalog list", nil, needs: ["id", "kind", "title", "rating_scale", "added_at", "has_cover"],
      columns: listedColumns,
      finish: { facts, cells in
        if let value = cells.first("rating").flatMap({ Int($0) }) {
          facts.rating = Rating(kept: value, scale: cells.first("rating_scale") ?? "")
        }
        // The newest comment stands last.
        let comments = cells.all("comments")
        facts.review = comments.last
        facts.earlier = comments.dropLast().compactMap { Entry.Opinion(comment: $0) }
        readCopies(of: cells, &facts)
      },
      key: { cells, _ in
        // Every catalog numbers its items from 1.
        cells.first("id").map { "\($0) \(cells.first("added_at") ?? "")" }
      })
    format.numbersItems = true
    return format
  }()

  private static let listedColumns: KeyValuePairs<String, ColumnMapping> = [
    "id": .left("each catalog has its own numbers"), "item": .repeated, "kind": .kind, "title": .title,
    "creators": .own(nil).list, "year": .year, "released_on": .released, "genres": .genre.list,
    "original_title": .originalTitle, "other_titles": .otherTitle.list, "source_genres": .repeated,
    "barcode": .barcode, "minutes": .minutes, "isbn": .isbn, "publisher": .publisher, "published_on": .published,
    "pages": .pages, "labels": .ownLabel.list, "catalog_number": .catalogNumber, "countries": .country.list,
    "language": .language, "tagline": .tagline, "series": .series, "format": .ownFormat, "speed": .speed,
    "discs": .discs, "cast": .own(.cast).list, "translators": .own(.translator).list,
    "tracks": .left("its tracks come from the sources"), "list_price": .left("it is an old price of a shop"),
    "sale_price": .left("it is an old price of a shop"),
    "rating": byFinish("rating", "rating"), "rating_scale": byFinish("rating", "rating"), "favorite_at": .favoriteOn,
    "tags": .tag.list, "wished_at": .wished, "status": .ownStatus, "public_rating": .others, "public_votes": .others,
    "cards": .left("a list has only the newest rating"), "comments": byFinish("review", "review"),
    "seen_on": .finished.each(of: ";"), "times": .count, "piles": .pile.list, "added_at": .addedOn,
    "copies": byFinish("owned", "copies"),
    "media_grades": byFinish("media", "grade of the record").list,
    "sleeve_grades": byFinish("sleeve", "grade of the sleeve").list,
    "places": byFinish("place", "place of the copy").list, "prices": byFinish("price", "price of the copy").list,
    "acquired_on": byFinish("bought", "date of the purchase").list,
    "acquired_from": byFinish("bought-from", "shop of the copy").list,
    "copy_formats": byFinish("format", "format of the copy").list,
    "copy_notes": byFinish("copy-note", "note of the copy").list, "borrowers": byFinish("lent-to", "loan").list,
    "lent_on": byFinish("lent-on", "loan").list, "due_on": byFinish("due-on", "loan").list,
    "has_cover": .left("covers are only in JSONL"), "description": .ownSummary,
    "updated_at": .left("it is recorded anew here"), "url": .url, "external_ids": .externalID.list, "note": .ownNote,
    "imports": .left("each catalog has its own numbers of imports"),
  ]

  private static func byFinish(_ id: String, _ words: Message) -> ColumnMapping {
    ColumnMapping(id, words) { _, _ in true }
  }

  /// The facts of copies and of their loans, by column.
  private static let ofCopies: [(column: String, mapping: ColumnMapping)] = [
    ("media_grades", .media), ("sleeve_grades", .sleeve), ("places", .place), ("prices", .price),
    ("acquired_on", .acquiredOn), ("acquired_from", .acquiredFrom), ("copy_formats", .format),
    ("copy_notes", ColumnMapping("copy-note", "note of the copy", as: \.copy.note)),
  ]
  private static let ofLoans: [(column: String, mapping: ColumnMapping)] = [
    ("borrowers", .holder), ("lent_on", .lentOn), ("due_on", .dueOn),
  ]

  /// Reads the copies. Values of which the row does not say to which copy they belong go into the note.
  private static func readCopies(of cells: Cells, _ facts: inout RowFacts) {
    let told = cells.first("copies").flatMap { Int($0) } ?? ofCopies.map { cells.all($0.column).count }.max() ?? 0
    let count = min(max(told, 0), RowFacts.mostTimes)
    func rows(_ columns: [(column: String, mapping: ColumnMapping)], _ count: Int) -> [RowFacts] {
      var rows = Array(repeating: RowFacts(), count: count)
      for place in rows.indices { rows[place].choices = facts.choices }
      for (column, mapping) in columns {
        var values = cells.all(column)
        if count == 1 { values = values.isEmpty ? [] : [values.joined(separator: "; ")] }
        guard values.count == count else {
          if !values.isEmpty { facts.noteInstead(column, values.joined(separator: "; ")) }
          continue
        }
        for (place, value) in values.enumerated() where !mapping.read(value, &rows[place]) {
          facts.noteInstead(column, value)
        }
      }
      return rows
    }
    // A loan is of a copy, and the list does not say of which.
    let loans = rows(ofLoans, min(cells.all("borrowers").count, count))
    facts.copies = rows(ofCopies, count).enumerated().map { place, row in
      let loan = loans.indices.contains(place) ? loans[place] : RowFacts()
      return Entry.CopyOwned(
        row.copy, holder: loan.holder.map { Copy.Holder(person: $0, since: loan.lentOn, due: loan.dueOn) })
    }
  }
}

// MARK: - What only the catalog's own files say

extension ColumnMapping {
  /// A single name as it is, whatever signs it has.
  /// - Parameter role: nil for the main makers.
  static func own(_ role: Credit.Role?) -> ColumnMapping {
    ColumnMapping(role?.rawValue ?? "creator", role.map { "\(words: $0.rawValue)" } ?? "director, author or artist") {
      text, facts in
      if let role { facts.credits.append(Credit(name: text, role: role)) } else { facts.creators.append(text) }
      return true
    }
  }

  static let ownLabel = ColumnMapping("label", "label") { text, facts in
    guard facts.kind == .vinyl else { return false }
    facts.vinyl.label = facts.vinyl.label ?? text
    facts.credits.append(Credit(name: text, role: .label))
    return true
  }

  static let tagline = ColumnMapping("tagline", "tagline", as: \.movie.tagline).only(.movie)
  static let ownFormat = ColumnMapping("format", "format", as: \.vinyl.format).only(.vinyl)
  static let speed = ColumnMapping("speed", "speed", as: \.vinyl.speed).only(.vinyl)
  static let ownSummary = ColumnMapping("summary", "summary", as: \.summary)

  static let favoriteOn = ColumnMapping("favorite", "favorites") { text, facts in
    (facts.isFavorite, facts.favoriteOn) = (true, Dates.read(text, at: facts.choices.localTime))
    return true
  }

  static let wished = ColumnMapping("wish", "wish") { text, facts in
    if facts.wish == nil { facts.wish = Wish.Terms() }
    facts.wishedOn = Dates.read(text, at: facts.choices.localTime) ?? facts.wishedOn
    return true
  }

  static let wishLimit = ColumnMapping("wish-limit", "wish") { text, facts in
    var terms = facts.wish ?? Wish.Terms()
    terms.limit = facts.price(text, nil)
    facts.wish = terms
    return terms.limit != nil
  }

  static let ownWishNote = ColumnMapping("wish-note", "wish") { text, facts in
    var terms = facts.wish ?? Wish.Terms()
    terms.note = text
    facts.wish = terms
    return true
  }

  /// The status. `planned` is computed, so it is not imported.
  static let ownStatus = ColumnMapping("status", "status") { text, facts in
    text == "planned" || status.read(text, &facts)
  }

  static let dueOn = ColumnMapping("due", "loan") { text, facts in
    facts.dueOn = Dates.read(text)
    return facts.dueOn != nil
  }

  static let ownNote = ColumnMapping("note", "note", in: \.notes)

  /// `imdb:tt0113277`
  static let externalID = ColumnMapping("id", "ids at sources") { text, facts in
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return false }
    facts.externalIDs.append(ExternalID(source: String(parts[0]), value: String(parts[1])))
    return true
  }
}

extension Import {
  /// Whether an import keeps a column of the catalog's own listings, so that an export writes it.
  public static func keepsListed(_ column: String) -> Bool {
    guard case .kept? = TableFormat.catalogListing.columns[Cells.key(column)]?.use else { return false }
    return true
  }
}
