import CatalogModel
import FoundationEssentials
import SQLite
import TestSupport
import Testing

@testable import CatalogStore

/// Tests that a query finds the same items as plain SQL, for every field.
struct QueryAnswerTests {
  private static let now = Date(timeIntervalSince1970: 1_795_253_400)
  private let store: Store

  /// Adds ninety items in which every field has a few values, and none on some.
  init() throws {
    store = try Store.empty()
    for number in 0..<90 {
      let time = Timestamp(rawValue: "20\(10 + number % 17)-\(10 + number % 3)-0\(1 + number % 9)T09:00:00Z")
      let id = try store.add(Self.record(number), genres: Self.genres[number % 5], isOwned: false, now: time).id
      if number % 4 == 0 {
        _ = try store.addCard(
          to: id, rating: number % 8 == 0 ? Rating("\(1 + number % 5)") : nil,
          comment: number % 24 == 8 ? nil : "Never gets old, \(number)",
          seenOn: number % 16 == 0 ? nil : PartialDate(number % 3 == 0 ? "2024" : "2025-0\(1 + number % 9)"), now: time)
      }
      if number % 24 == 0 { _ = try store.addCard(to: id, rating: Rating("2"), comment: "A blue day", now: time) }
      if number % 10 == 0 { try store.favorite(id, now: time) }
      if number % 8 < 2 { try importRow(number, id) }
      for copy in 0..<(number % 5 == 4 ? 0 : number % 4) {
        _ = try store.addCopy(Self.copy(number + copy), of: id, now: time)
      }
      try log(number, id, time)
    }
    for number in stride(from: 1, through: 90, by: 2) {
      let (id, time) = (ItemID(rawValue: Int64(number)), Timestamp(rawValue: "2026-11-0\(1 + number % 9)T09:00:00Z"))
      if number % 3 != 1 { try store.addTag(number % 5 == 0 ? "Winter" : "für später", to: [id]) }
      if number % 7 == 0 { try store.addTag("Winter", to: [id]) }
      if number % 5 == 1 { try store.addToPile("next", [id]) }
      if number % 9 != 0 { try store.wish(for: .item(id), now: time) }
      let copy = try store.addCopy(of: id, now: time).id
      guard number % 4 == 1, let day = PartialDate(LocalTime.utc.day(of: time)) else { continue }
      try store.lend(
        copy, to: number % 8 == 1 ? "Anna" : "Kim Min-su", on: day, due: number % 3 == 0 ? nil : day.later(days: 14))
      if number % 16 == 1 { try store.takeBack(copy, on: day) }
      if number % 9 != 0, number % 5 == 0 { try store.wish(for: .item(id), now: time) }
    }
    try store.db.run(
      "INSERT INTO cover (item_id, bytes, media_type) SELECT id, x'01', 'image/png' FROM item WHERE id % 6 = 0")
  }

  /// Adds diary entries to some items: finished, in progress, dropped, and undated ones.
  private func log(_ number: Int, _ id: ItemID, _ time: Timestamp) throws {
    switch number % 20 {
    case 3, 8: _ = try store.log(Occasion(endedOn: PartialDate("2009-05")), of: id, now: time)
    case 4:
      for _ in 0..<2 { _ = try store.log(Occasion(isUndated: true, rating: Rating("3")), of: id, now: time) }
    case 5: _ = try store.log(Occasion(.dropped, endedOn: PartialDate("2010")), of: id, now: time)
    case 6, 16: _ = try store.log(Occasion(.ongoing), of: id, now: time)
    default: break
    }
    if number % 11 == 7 { try store.db.run("DELETE FROM copy WHERE item_id = \(id.rawValue)") }
    if number % 9 == 7 {
      try store.db.run("INSERT OR IGNORE INTO wish (item_id, created_at) VALUES (\(id.rawValue), \(time.rawValue))")
    }
    if number % 7 == 2 {
      try store.db.run("INSERT INTO copy (item_id, created_at) VALUES (\(id.rawValue), \(time.rawValue))")
    }
  }

  private func importRow(_ number: Int, _ id: ItemID) throws {
    let batch = 1 + number % 8
    try store.db.run(
      "INSERT OR IGNORE INTO import_batch VALUES (\(batch), 'letterboxd', 'a.zip', '2026-01-01T00:00:00Z')")
    try store.db.run(
      """
      INSERT INTO import_row (batch_id, line, key, words, fingerprint, outcome, item_id)
      VALUES (\(batch), 1, \("letterboxd \(number)"), 'x', 0, 'added', \(id.rawValue))
      """)
  }

  private static let genres = [["Jazz", "Pop"], ["Drama"], [], ["Bebop"], ["Pop"]]

  private static func copy(_ number: Int) -> Copy.Facts {
    let grades = Grade.allCases.filter(\.isOfMedia)
    return Copy.Facts(
      format: number % 5 == 2 ? "LP, 180 g" : nil, media: number % 7 == 0 ? nil : grades[number % grades.count],
      sleeve: number % 3 == 0 ? nil : Grade.allCases[number % 12],
      place: number % 5 == 0 ? nil : ["K2/3", "k20/1", "Living room", "거실 K2"][number % 4],
      price: number % 3 == 0 ? nil : Price(minorUnits: number * 250, currency: number % 2 == 0 ? "KRW" : "USD"),
      acquiredOn: number % 4 == 1 ? nil : PartialDate(number % 2 == 0 ? "2019" : "2020-0\(1 + number % 9)"),
      acquiredFrom: number % 2 == 0 ? "the market" : nil, note: number % 6 == 1 ? "Signed" : nil)
  }

  private static func record(_ number: Int) throws -> Record {
    let kind = Kind.shelved[number % 3]
    let words = ["Blue", "Night", "Story", "River", "Old Town"]
    var record = Record(kind: kind, title: "\(words[number % 5]) \(number % 7 == 0 ? "and \(number)" : "\(number)")")
    if number % 4 == 0 { record.originalTitle = "Nacht \(number)" }
    if number % 5 == 0 { record.otherTitles = ["Blau \(number)", "Nuit"] }
    if number % 6 != 5 { record.year = 1940 + number }
    if number % 9 == 0 { record.released = PartialDate("\(1940 + number)-0\(1 + number % 9)") }
    if number % 8 != 7 {
      record.credits.append(
        Credit(name: ["Miles Davis", "Carl Davison", "한강", "Anna"][number % 4], role: Credit.Role(main: kind)))
    }
    let role: [Kind: Credit.Role] = [.movie: .cast, .book: .translator, .vinyl: .artist]
    record.credits.append(Credit(name: number % 2 == 0 ? "Deborah Smith" : "Song Kang-ho", role: role[kind] ?? .cast))
    record.labels = number % 5 == 1 ? ["Drama", "Noise \(number % 2)"] : []
    if number % 3 == 0 { record.externalIDs = [ExternalID(source: "tmdb", value: "\(number)")] }
    if number % 2 == 0 { record.summary = "A tale of \(words[number % 5])." }
    if number % 5 == 4 { record.note = "Heard at the Odeon" }
    if number % 7 == 3 { record.url = "https://example.org/\(number)" }
    if number % 3 != 1 { record.publicRating = PublicRating(value: Double(number), votes: number * 10) }
    switch kind {
    case .movie:
      if number % 4 != 2 { record.movie.minutes = 60 + number }
      record.movie.countries = number % 2 == 0 ? ["KR", "US"] : []
      record.movie.language = number % 2 == 0 ? "ko" : nil
      record.movie.tagline = number % 6 == 0 ? "Act, like \(number)" : nil
    case .book:
      if number == 1 { record.book.isbn = try ISBN("9788936434120") }
      record.book.publisher = number % 2 == 0 ? "창비" : nil
      record.book.published = number % 4 == 3 ? nil : PartialDate("20\(10 + number % 9)-0\(1 + number % 5)")
      record.book.pages = number % 2 == 0 ? nil : number * 10 + 1
      record.book.language = number % 2 == 0 ? "en" : nil
      record.book.series = number % 5 == 0 ? "Novels \(number)" : nil
      let currency = number % 2 == 0 ? "KRW" : "USD"
      if number % 4 != 3 { record.book.price = Price(minorUnits: number * 250, currency: currency) }
      if number % 4 == 1 { record.book.salePrice = Price(minorUnits: number * 200, currency: currency) }
    default:
      record.vinyl.label = number % 2 == 0 ? "Columbia" : nil
      record.vinyl.catalogNumber = number % 4 == 0 ? "CL 13-\(number)" : nil
      record.vinyl.country = number % 4 == 1 ? "US" : nil
      record.vinyl.format = number % 4 == 2 ? "12\" single" : nil
      record.vinyl.speed = number % 4 == 3 ? "45 RPM" : nil
      record.vinyl.discs = number % 2 == 0 ? 2 : nil
      record.vinyl.barcode = number % 5 == 0 ? "074646493526" : nil
      if number % 4 == 3 { record.credits.append(Credit(name: "Sky Verve", role: .label)) }
      let titles = ["So What", "Blue in Green", "Whatever"]
      record.vinyl.tracks =
        number % 2 == 0 ? [] : (0..<2).map { Track(position: "A\($0)", title: titles[(number + $0) % 3]) }
    }
    return record
  }

  /// The SQL condition for a credit in a role with a word that begins with the pattern.
  private static func credited(_ role: String, _ pattern: String) -> String {
    """
    EXISTS (SELECT 1 FROM credit JOIN person ON person.id = person_id
      WHERE item_id = item.id AND role \(role) AND (' ' || name) LIKE '% \(pattern)')
    """
  }

  private static let main = "IN ('director', 'author', 'artist')"
  private static let latest = "(SELECT rating FROM item_rating WHERE item_id = item.id)"

  private static func of(_ table: String, _ condition: String) -> String {
    "id IN (SELECT item_id FROM \(table) WHERE \(condition))"
  }

  private static func tagged(_ condition: String) -> String {
    of("item_tag JOIN tag ON tag.id = tag_id", condition)
  }

  private static func lent(_ condition: String) -> String {
    of("copy JOIN loan ON loan.copy_id = copy.id", "returned_on IS NULL AND \(condition)")
  }

  /// A query, and the equivalent condition on `item` in SQL.
  private static let pairs: [(query: String, sql: String)] = [
    ("id:4..9", "id BETWEEN 4 AND 9"), ("item:5..", "id >= 5"), ("id:7,>80", "id = 7 OR id > 80"),
    ("kind:book,vinyl", "kind <> 'movie'"),
    ("title:lue 1", "title LIKE '%lue 1%' OR other_titles LIKE '%lue 1%'"),
    ("title:=nuit", "other_titles LIKE '%Nuit'"),
    ("title:=\"blue 5\"", "title = 'Blue 5'"), ("original_title:nacht", "original_title LIKE 'nacht%'"),
    ("original_title:none", "original_title IS NULL"), ("other_titles:blau", "other_titles LIKE '%blau%'"),
    ("other_titles:=nuit", "other_titles LIKE '%nuit'"), ("other_titles:=nui", "false"),
    ("creator:davis", credited(main, "davis%")), ("creator:avis", "false"),
    ("director:\"miles davis\"", credited(main, "miles davis%")),
    ("creator:=\"miles davis\"", credited(main, "miles davis")), ("creator:none", "NOT " + credited(main, "%")),
    ("creator:한강,anna", credited(main, "한강") + " OR " + credited(main, "anna")),
    ("cast:song", credited("= 'cast'", "song%")), ("cast:any", credited("= 'cast'", "%")),
    ("translator:smith", credited("= 'translator'", "smith%")), ("translator:=smith", "false"),
    ("year:1950s", "year BETWEEN 1950 AND 1959"), ("year:..1949", "year < 1950"), ("year:>=2000", "year >= 2000"),
    ("year:none", "year IS NULL"), ("year:any", "year IS NOT NULL"),
    ("released:1950s", "released >= '1950' AND released < '1960'"),
    ("released:1958-01..", "released >= '1958-01'"), ("released:none", "released IS NULL"),
    (
      "genre:jazz",
      of(
        "item_genre",
        "genre_id IN (SELECT genre_id FROM genre_ancestor JOIN genre ON genre.id = ancestor_id WHERE name = 'Jazz')")
    ),
    ("genre:=jazz", of("item_genre", "genre_id = (SELECT id FROM genre WHERE name = 'Jazz')")),
    ("genre:none", "NOT " + of("item_genre", "true")),
    ("genre:=jazz,drama", of("item_genre JOIN genre ON genre.id = genre_id", "name IN ('Jazz', 'Drama')")),
    ("source_genres:noise", of("item_label JOIN genre_label ON genre_label.id = label_id", "label LIKE '%noise%'")),
    ("source_genres:=\"noise 1\"", of("item_label JOIN genre_label ON genre_label.id = label_id", "label = 'Noise 1'")),
    ("source_genres:any", of("item_label", "true")), ("minutes:90..", of("movie", "minutes >= 90")),
    ("runtime:none", "NOT " + of("movie", "minutes > 0")),
    ("isbn:8936434128", of("book", "isbn13 = '9788936434120'")), ("isbn:893643", of("book", "isbn13 LIKE '%893643%'")),
    ("isbn:=893643", "false"), ("publisher:창", of("book", "publisher = '창비'")), ("publisher:=창", "false"),
    ("published:2014", of("book", "published LIKE '2014%'")), ("published:<2014", of("book", "published < '2014'")),
    ("published:2010s", of("book", "published BETWEEN '2010' AND '2019-99'")),
    ("pages:300..", of("book", "pages >= 300")),
    ("pages:none", "NOT " + of("book", "pages > 0")), ("label:COL", of("vinyl", "label LIKE '%col%'")),
    ("label:=columbia", of("vinyl", "label = 'Columbia'")),
    ("label:verve", credited("= 'label'", "verve")), ("label:=\"sky verve\"", credited("= 'label'", "sky verve")),
    ("label:=verve", "false"),
    ("label:none", "NOT (\(of("vinyl", "label <> ''")) OR \(credited("= 'label'", "%")))"),
    ("catalog_number:CL132", of("vinyl", "replace(replace(catalog_number, ' ', ''), '-', '') LIKE '%CL132%'")),
    ("catalog_number:=cl1320", of("vinyl", "catalog_number = 'CL 13-20'")),
    ("country:US", of("movie", "countries LIKE '%US%'") + " OR " + of("vinyl", "country = 'US'")),
    ("country:=kr", of("movie", "countries LIKE 'KR%'")),
    ("country:none", "NOT (\(of("movie", "countries <> ''")) OR \(of("vinyl", "country <> ''")))"),
    ("language:ko", of("movie", "language = 'ko'")),
    ("language:any", of("movie", "language <> ''") + " OR " + of("book", "language <> ''")),
    ("tagline:\"act, like 3\"", of("movie", "tagline LIKE '%act, like 3%'")),
    ("series:novels", of("book", "series LIKE '%novels%'")),
    ("format:12\" s", of("vinyl", "format LIKE '%12\" s%'")), ("speed:45", of("vinyl", "speed LIKE '45%'")),
    ("discs:2", of("vinyl", "discs = 2")),
    ("barcode:=\"0746464 93526\"", of("vinyl", "barcode IS NOT NULL")),
    ("barcode:0074646493526", of("vinyl", "barcode IS NOT NULL")),
    ("barcode:=00074646493526", of("vinyl", "barcode IS NOT NULL")),
    ("barcode:074646", of("vinyl", "barcode IS NOT NULL")), ("barcode:=074646", "false"), ("barcode:0974646", "false"),
    ("0074646493526", of("vinyl", "barcode IS NOT NULL")),
    ("barcode:none", "NOT " + of("vinyl", "barcode <> ''")),
    ("track:\"so what\"", of("track", "title = 'So What'")),
    ("track:what", of("track", "(' ' || title) LIKE '% what%'")),
    ("track:=whatever", of("track", "title = 'Whatever'")), ("track:none", "NOT " + of("track", "true")),
    ("list_price:..10000KRW", of("book", "currency = 'KRW' AND price <= 10000")),
    (
      "list_price:50..100.5",
      of("book", "price BETWEEN 50 AND 100 AND currency = 'KRW' OR price BETWEEN 5000 AND 10050 AND currency = 'USD'")
    ),
    ("list_price:32.5USD", of("book", "price = 3250 AND currency = 'USD'")),
    ("list_price:none", "NOT " + of("book", "price IS NOT NULL")),
    ("sale_price:>20usd", of("book", "sale_price > 2000 AND currency = 'USD'")),
    ("currency:krw", of("book", "currency = 'KRW'")),
    ("public_rating:>80", "public_rating > 80"), ("public_rating:none", "public_rating IS NULL"),
    ("public_votes:..300", "public_votes <= 300"),
    ("rating:3..", "\(latest) >= 60"), ("rating:2", "\(latest) = 40"), ("rating:none", "\(latest) IS NULL"),
    ("rating:any", "\(latest) IS NOT NULL"),
    ("rating_scale:half", "\(latest) IS NOT NULL"), ("cards:none", "NOT " + of("card", "true")),
    ("cards:any", of("card", "true")),
    ("cards:2..", "(SELECT count(*) FROM card WHERE item_id = item.id) > 1"), ("cards:0", "NOT " + of("card", "true")),
    ("comment:never", of("card", "comment LIKE 'never%'")), ("comment:old, 8", of("card", "comment LIKE '%old, 8%'")),
    ("comment:ever", "false"),
    ("comment:=\"a blue day\"", of("card", "comment = 'A blue day'")),
    ("comment:none", "NOT " + of("card", "comment IS NOT NULL")),
    ("seen:2024", of("card", "seen_on LIKE '2024%'")),
    ("seen:2009", of("log_entry", "outcome = 'done' AND ended_on LIKE '2009%'")),
    ("read:2009..2025-03", of("diary", "outcome = 'done' AND ended_on BETWEEN '2009' AND '2025-03-99'")),
    ("watched:none", "NOT (\(of("card", "seen_on <> ''")) OR \(of("log_entry", "outcome = 'done'")))"),
    ("played:any", of("diary", "outcome = 'done'")),
    ("seen:2020s", of("card", "seen_on BETWEEN '2020' AND '2029-99'")),
    ("times:2..", "(SELECT count(*) FROM diary WHERE item_id = item.id AND outcome = 'done') >= 2"),
    ("times:none", "NOT " + of("diary", "outcome = 'done'")),
    ("status:ongoing", of("diary", "outcome = 'ongoing'")),
    ("status:done", "\(of("diary", "outcome = 'done'")) AND NOT \(of("diary", "outcome = 'ongoing'"))"),
    ("status:Dropped", "\(of("diary", "outcome = 'dropped'")) AND NOT \(of("diary", "outcome <> 'dropped'"))"),
    ("status:planned", "(\(of("wish", "true")) OR \(of("copy", "true"))) AND NOT \(of("diary", "true"))"),
    ("status:none", "NOT (\(of("wish", "true")) OR \(of("copy", "true")) OR \(of("diary", "true")))"),
    ("favorite:yes", of("favorite", "true")), ("favorite:none", "NOT " + of("favorite", "true")),
    ("favorite:..2015", of("favorite", "added_at < '2016'")),
    ("tag:später", tagged("name = 'für später'")), ("tag:wint", tagged("name = 'Winter'")), ("tag:=wint", "false"),
    ("tag:=\"fur spater\",winter", tagged("true")), ("tag:none", "NOT " + tagged("true")),
    ("pile:next", of("pile_item", "true")), ("pile:none", "NOT " + of("pile_item", "true")),
    ("wished:yes", of("wish", "fulfilled_at IS NULL")), ("wished:no", "NOT " + of("wish", "fulfilled_at IS NULL")),
    ("wished:2026-11-06..", of("wish", "fulfilled_at IS NULL AND created_at >= '2026-11-06'")),
    ("borrower:min", lent("person LIKE '%min%'")), ("borrower:anna", lent("person = 'Anna'")),
    ("borrower:any", lent("true")),
    ("lent:2026-11-06..", lent("lent_on >= '2026-11-06'")), ("lent:none", "NOT " + lent("true")),
    ("due:..today", lent("due_on < '2026-11-22'")), ("due:any", lent("due_on IS NOT NULL")),
    ("added:2012", "created_at LIKE '2012%'"), ("added:<2012-11", "created_at < '2012-11'"),
    ("added:-4y..today", "created_at >= '2022-11-21' AND created_at < '2026-11-22'"),
    ("updated:2010s", "updated_at < '2020'"), ("cover:yes", "id % 6 = 0"), ("cover:none", "id % 6 <> 0"),
    ("url:org/1", "url LIKE '%org/1%'"), ("url:any", "url IS NOT NULL"),
    ("external_ids:tmdb", of("external_id", "source = 'tmdb'")),
    ("external_ids:=tmdb:12", of("external_id", "value = '12'")),
    ("description:\"tale of blue\"", "description LIKE '%tale of blue%'"), ("description:none", "description IS NULL"),
    ("copies:none", "NOT " + of("copy", "true")), ("copies:any", of("copy", "true")),
    ("copies:2..", "(SELECT count(*) FROM copy WHERE item_id = item.id) > 1"),
    ("grade:>=VG+", of("copy", "media_grade IN ('VG+', 'EX', 'NM', 'M')")),
    ("grade:<vg", of("copy", "media_grade IN ('P', 'F', 'G', 'G+')")),
    ("media:\"near mint\",M", of("copy", "media_grade IN ('NM', 'M')")),
    ("grade:G..VG", of("copy", "media_grade IN ('G', 'G+', 'VG')")),
    ("grade:none", "NOT " + of("copy", "media_grade IS NOT NULL")),
    ("sleeve:\"no cover\"", of("copy", "sleeve_grade = 'No Cover'")),
    ("sleeve:>P", of("copy", "sleeve_grade NOT IN ('P', 'Generic', 'Not Graded', 'No Cover')")),
    ("sleeve:any", of("copy", "sleeve_grade IS NOT NULL")),
    ("place:K2", of("copy", "place LIKE 'K2%'")), ("place:=k2/3", of("copy", "place = 'K2/3'")),
    ("place:거실", of("copy", "place LIKE '거실%'")), ("place:room", "false"),
    ("place:none", "NOT " + of("copy", "place IS NOT NULL")),
    ("price:..10000KRW", of("copy", "currency = 'KRW' AND price <= 10000")),
    (
      "price:50..100.5",
      of("copy", "price BETWEEN 50 AND 100 AND currency = 'KRW' OR price BETWEEN 5000 AND 10050 AND currency = 'USD'")
    ),
    ("paid:none", "NOT " + of("copy", "price IS NOT NULL")),
    ("acquired:2019", of("copy", "acquired_on LIKE '2019%'")),
    ("acquired:2020-03..", of("copy", "acquired_on >= '2020-03'")),
    ("from:market", of("copy", "acquired_from LIKE '%market%'")),
    ("from:none", "NOT " + of("copy", "acquired_from IS NOT NULL")),
    ("copy_format:lp", of("copy", "format LIKE '%lp%'")), ("copy_note:any", of("copy", "note IS NOT NULL")),
    ("import:2", of("import_row", "batch_id = 2")), ("import:none", "NOT " + of("import_row", "true")),
    ("note:odeon", "note LIKE '%odeon%'"), ("note:none", "note IS NULL"),
    // Words, wherever they are.
    ("river", "title LIKE '%river%'"), ("nac", "original_title <> ''"),
    ("bebop", of("item_genre JOIN genre ON genre.id = genre_id", "name = 'Bebop'")),
    ("whatev", of("track", "title = 'Whatever'")), ("gets", of("card", "comment LIKE '%gets%'")), ("???", "false"),
    ("blue", "title LIKE 'blue%' OR \(of("track", "title LIKE 'blue%'")) OR \(of("card", "comment LIKE '%blue%'"))"),
    ("", "true"),
  ]

  private func ids(_ sql: String) throws -> Set<Int64> {
    Set(try store.db.values("SELECT id FROM item WHERE \(SQL(stringLiteral: sql))", as: Int64.self))
  }

  private func ids(_ query: Query) throws -> Set<Int64> { Set(try store.ids(query).map(\.rawValue)) }

  @Test func `every field finds the same items as plain SQL, and its negation the rest`() throws {
    let all = try ids("true")
    #expect(all.count == 90)
    for (text, sql) in Self.pairs {
      let expected = try ids(sql)
      let query = try Query([text], now: Self.now)
      #expect(try ids(query) == expected, "\(text)")
      #expect(try ids(Query(.not(query.condition))) == all.subtracting(expected), "not \(text)")
      #expect(try store.count(query) == expected.count, "\(text)")
      // A query that finds nothing or everything proves little: at most a few do, on purpose.
      #expect(
        sql == "false" || sql == "true" || !expected.isEmpty && expected != all, "\(text) finds \(expected.count)")
    }
    let tried = Set(Self.pairs.compactMap { $0.query.split(separator: ":").first.flatMap { Field.named(String($0)) } })
    #expect(tried == Set(Field.all), "\(Set(Field.all).subtracting(tried).map(\.key)) are not tried")
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `random queries of and, or and not agree with set operations`(_ seed: UInt64) throws {
    let all = try ids("true")
    var random = SplitMix(seed: seed)
    func grow(_ depth: Int) throws -> (condition: Query.Condition, ids: Set<Int64>) {
      switch depth == 0 ? 3 : Int.random(in: 0...3, using: &random) {
      case 0:
        let (one, other) = (try grow(depth - 1), try grow(depth - 1))
        return (.all(of: [one.condition, other.condition]), one.ids.intersection(other.ids))
      case 1:
        let (one, other) = (try grow(depth - 1), try grow(depth - 1))
        return (.any(of: [one.condition, other.condition]), one.ids.union(other.ids))
      case 2:
        let part = try grow(depth - 1)
        return (.not(part.condition), all.subtracting(part.ids))
      default:
        let pair = Self.pairs[Int.random(in: 0..<Self.pairs.count, using: &random)]
        return (try Query([pair.query], now: Self.now).condition, try ids(pair.sql))
      }
    }
    for _ in 0..<60 {
      let (condition, expected) = try grow(4)
      let query = Query(condition)
      #expect(try ids(query) == expected, "\(query)")
      #expect(try Query(query.arguments, now: Self.now) == query, "\(query)")
    }
  }

  // MARK: Own words

  @Test func `title matches come before names, and both before tracks and comments`() throws {
    let store = try Store.empty()
    let time = Timestamp(rawValue: "2026-11-21T09:00:00Z")
    func add(_ title: String, by name: String? = nil, tracks: [String] = [], comment: String? = nil) throws -> ItemID {
      var record = Record(kind: .vinyl, title: title)
      record.credits = name.map { [Credit(name: $0, role: .artist)] } ?? []
      record.vinyl.tracks = tracks.map { Track(position: "A", title: $0) }
      let id = try store.add(record, now: time).id
      if let comment { _ = try store.addCard(to: id, rating: nil, comment: comment, now: time) }
      return id
    }
    let title = try add("Autumn Leaves")
    let name = try add("Portrait", by: "The Autumn Band")
    let card = try add("Sketches", comment: "For autumn evenings")
    let track = try add("Somethin' Else", tracks: ["Autumn Leaves", "Love for Sale"])
    #expect(try store.ids(Query(["autumn"], now: Self.now)) == [title, name, track, card])
    #expect(try store.ids(Query(["autumn", "leaves"], now: Self.now)) == [title, track])
    #expect(try store.ids(Query(["autumn or sketches"], now: Self.now)).last == track)
    #expect(try store.ids(Query(["else", "sale"], now: Self.now)) == [track])
    // A title comes before a mention.
    #expect(try store.search("autumn") == [title, name])
    #expect(try store.search("evenings") == [card])
    #expect(try store.search("love for sale") == [track])
    #expect(try store.search("evenings", kinds: [.book]).isEmpty)
  }
}
