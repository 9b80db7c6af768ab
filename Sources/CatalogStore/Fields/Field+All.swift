internal import CatalogModel
internal import SQLite

extension Field {
  /// Every field, in the order of pages, the editor and JSON. A new field is one line here, and a migration if a column
  /// stores it.
  public static let all: [Field] = names + details + owned + opinions + traces

  // MARK: Names

  public static let id = Field(
    "id", "", .integer(1...Int.max - 1), isAlwaysThere: true, sql: "item.id",
    get: { FieldValue($0.item.map { Int($0.id.rawValue) }) })
  /// The same number by the name that it has beside other rows, such as cards.
  public static let item = Field(
    "item", "", .integer(1...Int.max - 1), isAlwaysThere: true, sql: "item.id", get: { id.value(of: $0) })
  public static let kind = Field(
    "kind", "Kind", aliases: ["type"], .kind, isAlwaysThere: true, sql: "item.kind",
    get: { .text($0.record.kind.rawValue) })
  public static let title = Field(
    "title", "Title", .prose, isAlwaysThere: true,
    Column(
      table: .item, name: "title", get: { .text($0.title) }, set: { $0.title = $1.first ?? "" },
      stored: { .text(Text.line($0.title) ?? "") }, read: { $1.title = try $0.get("title") }))
  public static let creator = people(
    "creator", "By", name: "creators", aliases: ["artist", "author", "director"], nil, of: nil)
  public static let year = Field(
    "year", "Year", .year,
    Column(
      table: .item, name: "year", get: { FieldValue($0.year ?? $0.released?.year) }, set: setYear,
      stored: { .optional($0.year ?? $0.released?.year) }, read: { $1.year = try $0.get("year") }))
  public static let released = Field("released", "Released", name: "released_on", .date, releasedColumn)
  public static let genres = Field(
    "genres", "Genres", word: "genre", .genres, isOnRequest: false,
    rows: Rows(
      "item_genre JOIN genre ON genre.id = item_genre.genre_id", "genre.name", of: "item_genre",
      by: "item_genre.position"),
    get: { .list($0.genres) }, set: { $0.genres = $1 })

  private static let names: [Field] = [
    id, item, kind, title,
    Field(
      "original_title", "Original title", .prose,
      Column(
        table: .item, name: "original_title", get: { FieldValue($0.originalTitle) },
        set: { $0.originalTitle = $1.first },
        // An original title that equals the title is not stored.
        stored: { record in
          .optional(Text.line(record.originalTitle).flatMap { $0 == Text.line(record.title) ? nil : $0 })
        }, read: { $1.originalTitle = try $0.get("original_title") })),
    Field(
      "other_titles", "Other titles", .list,
      .list(.item, "other_titles", separator: "\n", { $0.otherTitles }, { $0.otherTitles = $1 })),
    creator, year,
    released, genres,
    Field(
      "labels", "Said", name: "source_genres", word: "said", .list,
      rows: Rows(
        "item_label JOIN genre_label ON genre_label.id = label_id", "genre_label.label", of: "item_label",
        by: "item_label.position"),
      get: { .list($0.record.labels) }),
  ]

  /// Sets the year and removes a release date that contradicts it.
  @Sendable private static func setYear(_ record: inout Record, _ texts: [String]) throws {
    record.year = try texts.first.map { text in
      guard let year = ReleaseYear.read(text) else {
        throw Problem(
          message: "invalid year '\(text)'",
          hint: "years go from \(ReleaseYear.range.lowerBound) to \(ReleaseYear.range.upperBound)")
      }
      return year
    }
    // The day stays, unless the year has none such.
    guard let day = record.released, day.year != record.year else { return }
    record.released = record.year.flatMap { year in
      PartialDate(year: year, month: day.month, day: day.day) ?? PartialDate(year: year, month: day.month)
    }
  }

  /// The column of the release date. Setting it also sets the year.
  private static var releasedColumn: Column {
    var column = Column.date(.item, "released", { $0.released }, { $0.released = $1 })
    column.set = { [set = column.set] record, texts in
      try set(&record, texts)
      record.year = record.released?.year
    }
    return column
  }

  // MARK: Fields of single kinds

  public static let barcode = Field(
    "barcode", "Barcode", .code,
    Column(
      table: .vinyl, name: "barcode", get: { FieldValue($0.vinyl.barcode) },
      set: { $0.vinyl.barcode = try $1.first.map { try Barcode($0).digits } },
      stored: { .optional(Text.line($0.vinyl.barcode)) }, read: { $1.vinyl.barcode = try $0.get("barcode") }))

  /// The countries of a movie, by their codes.
  private static var countriesColumn: Column {
    var column = Column.list(
      .movie, "countries", separator: ", ", { $0.movie.countries }, { $0.movie.countries = $1 })
    column.set = { record, texts in
      record.movie.countries = try texts.map { text in
        guard let code = Country.code(named: text) else {
          throw Problem(
            message: "there is no country '\(text)'", hint: "write its name or code: South Korea, 대한민국, KR")
        }
        return code
      }.withoutRepeats
    }
    return column
  }

  /// The label of a record. Changing it replaces the main label; clearing it also removes the other labels.
  private static var labelColumn: Column {
    var column = Column.text(.vinyl, "label", { $0.vinyl.label }, { $0.vinyl.label = $1 })
    column.set = { record, texts in
      let old = record.vinyl.label.map(Folding.fold)
      record.credits.removeAll { $0.role == .label && (texts.isEmpty || Folding.fold($0.name) == old) }
      record.vinyl.label = texts.first
    }
    return column
  }

  /// The labels of a record beside the main one.
  @Sendable private static func otherLabels() -> Rows {
    Rows(
      "credit JOIN person ON person.id = credit.person_id", "person.name", of: "credit",
      where: "item.kind = \(Kind.vinyl.rawValue) AND credit.role = \(Credit.Role.label.rawValue)")
  }

  /// The name and the number in it are kept in one spelling.
  public static let series: Field = {
    var column = Column.text(.book, "series", { $0.book.series }, { $0.book.series = $1 })
    column.set = { record, texts in record.book.series = texts.first.map { SeriesName($0).description } }
    return Field("series", "Series", .text, column)
  }()

  private static let details: [Field] = [
    Field(
      "minutes", "Minutes", aliases: ["runtime"], counted,
      .count(.movie, "minutes", { $0.movie.minutes }, { $0.movie.minutes = $1 })),
    Field(
      "isbn", "ISBN", .code,
      Column(
        table: .book, name: "isbn13", get: { FieldValue($0.book.isbn?.digits13) },
        set: { $0.book.isbn = try $1.first.map { try ISBN($0) } }, stored: { .optional($0.book.isbn?.digits13) },
        read: { $1.book.isbn = try $0.get("isbn13", as: String?.self).flatMap { try? ISBN($0) } })),
    Field(
      "publisher", "Publisher", .text, .text(.book, "publisher", { $0.book.publisher }, { $0.book.publisher = $1 })),
    Field(
      "published", "Published", name: "published_on", .date,
      .date(.book, "published", { $0.book.published }, { $0.book.published = $1 })),
    Field("pages", "Pages", counted, .count(.book, "pages", { $0.book.pages }, { $0.book.pages = $1 })),
    Field("label", "Label", name: "labels", .text, others: otherLabels, labelColumn),
    Field(
      "catalog_number", "Catalog no.", .code,
      .text(.vinyl, "catalog_number", { $0.vinyl.catalogNumber }, { $0.vinyl.catalogNumber = $1 })),
    Field(
      "countries", "Countries", word: "country", .list,
      countriesColumn,
      Column(
        table: .vinyl, name: "country", get: { .list($0.vinyl.country.map { [$0] } ?? []) },
        set: { record, texts in
          guard texts.count < 2 else { throw Problem(message: "a record has one country") }
          // Records come out in several: UK & Europe.
          record.vinyl.country = texts.first.map { Country.code(named: $0) ?? $0 }
        }, stored: { .optional(Text.line($0.vinyl.country)) }, read: { $1.vinyl.country = try $0.get("country") })),
    Field(
      "language", "Language", .text, .language(.movie, { $0.movie.language }, { $0.movie.language = $1 }),
      .language(.book, { $0.book.language }, { $0.book.language = $1 })),
    Field("tagline", "Tagline", .prose, .text(.movie, "tagline", { $0.movie.tagline }, { $0.movie.tagline = $1 })),
    series,
    Field("format", "Format", .text, .text(.vinyl, "format", { $0.vinyl.format }, { $0.vinyl.format = $1 })),
    Field("speed", "Speed", .text, .text(.vinyl, "speed", { $0.vinyl.speed }, { $0.vinyl.speed = $1 })),
    Field("discs", "Discs", counted, .count(.vinyl, "discs", { $0.vinyl.discs }, { $0.vinyl.discs = $1 })),
    barcode,
    people("cast", "Cast", aliases: ["actor", "actors"], .cast, of: [.movie], isEditable: false),
    people("translators", "Translators", word: "translator", .translator, of: [.book]),
    Field(
      "tracks", "Tracks", word: "track", .many(.prose), of: [.vinyl],
      rows: Rows("track", "track.title", by: "track.number", in: .own),
      get: { .list($0.record.vinyl.tracks.map(\.title)) }),
    // Both prices share the currency, which is read after them.
    Field(
      "list_price", "Price", .price, isEditable: false,
      .price("price", { $0.book.price }, { $0.book.priceUnits = $1 })),
    Field(
      "sale_price", "Sale price", .price, isEditable: false,
      .price("sale_price", { $0.book.salePrice }, { $0.book.salePriceUnits = $1 })),
    Field(
      "currency", "Currency", .text, isOnRequest: true, isEditable: false,
      .text(.book, "currency", { $0.book.currency }, { $0.book.currency = $1 })),
  ]

  private static let counted = FieldType.integer(1...1_000_000)
  private static let amount = FieldType.integer(0...Int.max - 1)

  // MARK: Ownership

  public static let copies = Field(
    "copies", "Copies", aliases: ["copy"], .count, isOnRequest: false, .count, rows: Rows("copy", "copy.id"))

  private static let owned: [Field] = [
    copies,
    Field(
      "grades", "Media", name: "media_grades", word: "grade", aliases: ["grades", "media"], .many(.grade),
      rows: Rows("copy", "copy.media_grade", by: "copy.id", isLookedUp: true)),
    Field(
      "sleeves", "Sleeve", name: "sleeve_grades", word: "sleeve", aliases: ["sleeves"], .many(.grade),
      rows: Rows("copy", "copy.sleeve_grade", by: "copy.id")),
    Field(
      "places", "Place", word: "place", .many(.place), rows: Rows("copy", "copy.place", by: "copy.id", isLookedUp: true)
    ),
    Field(
      "prices", "Paid", word: "price", aliases: ["paid"], .many(.price),
      rows: Rows(
        "copy", "copy.price", where: "copy.price IS NOT NULL", by: "copy.id",
        shown: amount("copy.price", "copy.currency"))),
    Field(
      "acquired", "Since", name: "acquired_on", .many(.date), rows: Rows("copy", "copy.acquired_on", by: "copy.id")),
    Field(
      "acquired_from", "From", word: "from", .many(.text), rows: Rows("copy", "copy.acquired_from", by: "copy.id")),
    Field(
      "copy_formats", "Copy format", word: "copy_format", .many(.text),
      rows: Rows("copy", "copy.format", by: "copy.id")),
    Field(
      "copy_notes", "Copy note", word: "copy_note", .many(.prose), rows: Rows("copy", "copy.note", by: "copy.id")),
  ]

  /// `25000 KRW`, `12.50 USD`: amounts of several currencies need their names.
  static func amount(_ value: SQL, _ currency: SQL) -> SQL {
    """
    CASE WHEN \(value) IS NULL THEN NULL
      WHEN \(currency) IN (\(list: Price.wholeCurrencies)) THEN \(value) || ' ' || \(currency)
      WHEN \(currency) IN (\(list: Price.fineCurrencies))
        THEN printf('%d.%03d %s', \(value) / 1000, \(value) % 1000, \(currency))
      ELSE printf('%d.%02d %s', \(value) / 100, \(value) % 100, \(currency)) END
    """
  }

  // MARK: Opinions

  public static let rating = Field(
    "rating", "Rating", aliases: ["stars"], .rating, isOnRequest: false, .last,
    rows: rated("card.rating || ' ' || card.scale"), get: { FieldValue($0.item?.rating?.value) })
  /// The value of the card with the newest rating.
  private static func rated(_ value: SQL) -> Rows {
    Rows("card", value, where: "card.rating IS NOT NULL", by: Store.newestCardLast, backwards: Store.newestCardFirst)
  }
  public static let favorite = Field(
    "favorite_since", "Favorite", name: "favorite_at", word: "favorite", aliases: ["favourite"], .moment,
    isOnRequest: false, .last,
    rows: Rows("favorite", "favorite.added_at"), get: { FieldValue($0.item?.favoriteSince?.rawValue) })

  public static let tags = Field(
    "tags", "Tags", word: "tag", .many(.text),
    rows: Rows(
      "item_tag JOIN tag ON tag.id = item_tag.tag_id", "tag.name", of: "item_tag", by: "tag.key", key: "tag.key",
      isLookedUp: true),
    get: { .list($0.tags) },
    set: { draft, names in
      // Names that differ only in case, accents or hyphens are one tag.
      let tags = Dictionary(
        try names.map { (Folding.nameKey($0), try Store.checkName($0)) }, uniquingKeysWith: { first, _ in first })
      draft.tags = tags.sorted { $0.key < $1.key }.map(\.value)
    })
  public static let piles = Field(
    "piles", "Piles", word: "pile", .many(.text),
    rows: Rows(
      "pile_item JOIN pile ON pile.id = pile_item.pile_id", "pile.name", of: "pile_item", by: "pile.key",
      key: "pile.key", isLookedUp: true),
    get: { .list($0.item?.piles ?? []) })
  public static let wished = Field(
    "wished_at", "Wished", word: "wished", .moment, isOnRequest: true,
    sql: "(SELECT created_at FROM wish WHERE wish.item_id = item.id AND wish.fulfilled_at IS NULL)",
    scanned: { (Rows("wish", "wish.created_at", where: "wish.fulfilled_at IS NULL", by: "wish.id"), .last) },
    get: { FieldValue($0.item?.wishedSince?.rawValue) })
  /// The status, computed from the diary, the wishes and the copies. It is not stored.
  public static let status = Field(
    "status", "Status", .choice(["planned", "ongoing", "done", "dropped"]), isOnRequest: true,
    sql: """
      CASE
        WHEN EXISTS (SELECT 1 FROM log_entry WHERE log_entry.item_id = item.id AND outcome = 'ongoing') THEN 'ongoing'
        WHEN EXISTS (SELECT 1 FROM event WHERE event.item_id = item.id AND event.outcome = 'done') THEN 'done'
        WHEN EXISTS (SELECT 1 FROM log_entry WHERE log_entry.item_id = item.id AND outcome = 'dropped') THEN 'dropped'
        WHEN EXISTS (SELECT 1 FROM wish WHERE wish.item_id = item.id AND fulfilled_at IS NULL)
          OR EXISTS (SELECT 1 FROM copy WHERE copy.item_id = item.id) THEN 'planned'
      END
      """, scanned: { (states, .last) }, get: { _ in .none })
  /// The states behind ``status``, the one that counts last.
  private static var states: Rows {
    Rows(
      """
      (SELECT item_id, 'planned' AS state, 0 AS rank FROM wish WHERE fulfilled_at IS NULL
        UNION ALL SELECT item_id, 'planned', 0 FROM copy
        UNION ALL SELECT item_id, outcome, CASE outcome WHEN 'ongoing' THEN 3 WHEN 'done' THEN 2 ELSE 1 END FROM event)
        AS known
      """, "known.state", of: "known", by: "known.rank")
  }

  /// The days of finished entries. One without a date counts, too.
  public static let seen = Field(
    "seen", "Seen", name: "seen_on", aliases: ["watched", "read", "played"], .many(.date),
    rows: Rows(
      "event", "event.ended_on", where: "event.outcome = 'done'", by: "event.ended_on", hasValue: "true",
      isLookedUp: true))

  private static let opinions: [Field] = [
    Field(
      "public_rating", "Public rating", .real, isEditable: false,
      Column(
        table: .item, name: "public_rating", get: { $0.publicRating.map { .real($0.value) } ?? .none },
        set: { _, _ in }, stored: { .optional($0.publicRating?.value) },
        read: { row, record in
          record.publicRating = try row.get("public_rating", as: Double?.self).flatMap(PublicRating.init(kept:))
        })),
    Field(
      "public_votes", "Public votes", amount, isEditable: false,
      .amount(.item, "public_votes", { $0.publicVotes }, { $0.publicVotes = $1 })),
    rating,
    Field(
      "rating_scale", "Rating scale", .text, isOnRequest: false, .last, rows: rated("card.scale"),
      get: { FieldValue($0.item?.rating?.scale.rawValue) }),
    Field("cards", "Cards", aliases: ["card"], .count, isOnRequest: false, .count, rows: Rows("card", "card.id")),
    Field(
      "comments", "Comments", word: "comment", .many(.prose),
      rows: Rows("card", "card.comment", by: Store.newestCardLast, in: .own)),
    seen,
    Field(
      "times", "Times", .count, isOnRequest: true,
      sql: """
        ((SELECT count(*) FROM log_entry WHERE log_entry.item_id = item.id AND outcome = 'done')
          + (SELECT count(*) FROM card WHERE card.item_id = item.id AND seen_on IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM log_entry WHERE card_id = card.id)))
        """, scanned: { (Rows("event", "event.outcome", where: "event.outcome = 'done'"), .count) }, get: { _ in .none }
    ),
    status,
    favorite, tags,
    piles,
    wished,
    // Only open loans count.
    loan("borrowers", "Lent to", word: "borrower", .text, "loan.person"),
    loan("lent_on", "Lent", word: "lent", .date, "loan.lent_on"),
    loan("due_on", "Due", word: "due", .date, "loan.due_on"),
  ]

  private static func loan(
    _ key: String, _ heading: String, word: String, _ type: FieldType, _ value: String
  ) -> Field {
    Field(
      key, heading, word: word, .many(type),
      rows: Rows(
        "copy JOIN loan ON loan.copy_id = copy.id AND loan.returned_on IS NULL", SQL(stringLiteral: value), of: "copy",
        by: "copy.id", isLookedUp: true))
  }

  // MARK: Origin and dates

  public static let added = Field(
    "added_at", "Added", word: "added", .moment, isAlwaysThere: true, sql: "item.created_at",
    get: { FieldValue($0.item?.createdAt.rawValue) })
  public static let cover = Field(
    "has_cover", "Cover", word: "cover", .flag, isOnRequest: false, .any, rows: Rows("cover", "cover.item_id"),
    get: { .flag($0.item?.hasCover ?? false) })

  public static let description = Field(
    "description", "Description", .prose, .lines(.item, "description", { $0.summary }, { $0.summary = $1 }))

  private static let traces: [Field] = [
    added,
    Field(
      "updated_at", "Updated", word: "updated", .moment, isAlwaysThere: true, sql: "item.updated_at",
      get: { FieldValue($0.item?.updatedAt.rawValue) }),
    cover,
    Field(
      "url", "Page", .text,
      Column(
        table: .item, name: "url", get: { FieldValue($0.url) },
        set: { record, texts in
          if let url = texts.first, !["https://", "http://"].contains(where: url.hasPrefix) {
            throw Problem(message: "'\(url)' is not a web address: it must start with https://")
          }
          record.url = texts.first
        }, stored: { .optional(Text.line($0.url)) }, read: { $1.url = try $0.get("url") })),
    Field(
      "external_ids", "Known as", aliases: ["external_id"], .list,
      rows: Rows(
        "external_id", "external_id.source || ':' || external_id.value", by: "external_id.source, external_id.value"),
      get: { .list($0.record.externalIDs.map(\.description)) }),
    Field("note", "Note", aliases: ["notes"], .prose, .text(.item, "note", { $0.note }, { $0.note = $1 })),
    Field(
      "imports", "Imports", word: "import", .many(.integer(1...Int.max - 1)),
      rows: Rows("import_row", "import_row.batch_id", by: "import_row.id", isLookedUp: true)),
    // The last field: in the editor it takes all remaining lines.
    description,
  ]

  // MARK: People

  /// The people in a role; nil is the role whose names stand beside the title. Names that stay keep their credits.
  private static func people(
    _ key: String, _ heading: String, name: String? = nil, word: String? = nil, aliases: [String] = [],
    _ role: Credit.Role?, of kinds: [Kind]?, isEditable: Bool = true
  ) -> Field {
    let set: @Sendable (inout Draft, [String]) throws -> Void = { draft, names in
      let main = Credit.Role(main: draft.record.kind)
      let role = role ?? main
      let before = draft.record.credits.filter { $0.role == role }
      let others = draft.record.credits.filter { $0.role != role }
      let named = names.map { name in before.first { $0.name == name } ?? Credit(name: name, role: role) }
      draft.record.credits = role == main ? named + others : others + named
    }
    return Field(
      key, heading, name: name, word: word, aliases: aliases, .people(role), of: kinds, isOnRequest: role != nil,
      rows: Rows(
        "credit JOIN person ON person.id = credit.person_id", "person.name", of: "credit",
        where: "credit.role = \(Credit.Role.sql(role))", by: "credit.position", in: .names),
      get: { draft in
        let role = role ?? Credit.Role(main: draft.record.kind)
        return .list(draft.record.credits.filter { $0.role == role }.map(\.name))
      }, set: isEditable ? set : nil)
  }
}

extension Credit.Role {
  /// The SQL of a role in a statement about `item`; nil is the role whose names stand beside the title.
  static func sql(_ role: Credit.Role?) -> SQL {
    role.map { "\($0.rawValue)" }
      ?? "CASE item.kind WHEN 'movie' THEN 'director' WHEN 'book' THEN 'author' ELSE 'artist' END"
  }
}

extension Record {
  /// The number of votes behind the public rating. Setting it without a rating has no effect.
  fileprivate var publicVotes: Int? {
    get { publicRating?.votes }
    set { publicRating?.votes = newValue }
  }
}

extension Book {
  fileprivate var priceUnits: Int? {
    get { price?.minorUnits }
    set { price = newValue.map { Price(minorUnits: $0, currency: currency ?? "") } }
  }

  fileprivate var salePriceUnits: Int? {
    get { salePrice?.minorUnits }
    set { salePrice = newValue.map { Price(minorUnits: $0, currency: currency ?? "") } }
  }

  /// The currency of both prices. Setting it to nil removes them.
  fileprivate var currency: String? {
    get { (price ?? salePrice)?.currency }
    set {
      guard let newValue else { return (price, salePrice) = (nil, nil) }
      price?.currency = newValue
      salePrice?.currency = newValue
    }
  }
}
