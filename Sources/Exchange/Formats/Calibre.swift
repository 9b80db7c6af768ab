internal import CatalogModel
internal import Lookup
internal import SQLite

extension TableFormat {
  /// The library of Calibre: `metadata.db`. It has files, which are no copies on a shelf.
  static let calibre = TableFormat(
    "calibre", "Calibre", .book, records: .query(calibreBooks),
    isOurs: { shape in
      guard case .database(let tables) = shape else { return false }
      return tables.isSuperset(of: ["books", "authors", "books_authors_link", "identifiers", "comments"])
    },
    own: ["authors": authors, "pubdate": pubdate, "identifiers": identifiers, "date-read": dateRead],
    finish: { _, cells throws(ImportRow.Rejection) in
      for cell in cells.list where cell.name.hasPrefix("#") && cell.value.utf8.count >= longestOwn {
        throw ImportRow.Rejection("the column '\(cell.name)' is too long to read")
      }
    },
    key: { cells, _ in cells.first("uuid") })

  /// The catalog that Calibre writes as CSV.
  static let calibreCatalog = TableFormat(
    "calibre-csv", "Calibre catalog", .book, needs: ["author_sort", "authors", "title", "title_sort", "uuid"],
    own: ["identifiers": identifiers, "pubdate": pubdate],
    key: { cells, _ in cells.first("uuid") })

  private static let authors = ColumnMapping("author", "author") { text, facts in
    // Calibre writes a comma in a name as a vertical line.
    facts.creators += Names.list(text, "\n").map { $0.replacing("|", with: ",") }
    return true
  }

  /// The year 101 stands for an unknown date.
  private static let pubdate = ColumnMapping("published", "publication of the edition") { text, facts in
    guard let date = typedDay(text) else { return false }
    if date.year > 101 { facts.book.published = date }
    return true
  }

  private static let dateRead = ColumnMapping("finished", "date of watching or reading") { text, facts in
    guard let date = typedDay(text) else { return false }
    facts.finished.append(date)
    return true
  }

  /// Reads a typed day. Calibre stores its local midnight in UTC: 1 January in Seoul is `2018-12-31 15:00:00+00:00`.
  /// The nearest midnight gives the typed day.
  private static func typedDay(_ text: String) -> PartialDate? {
    guard let date = Dates.read(text) else { return nil }
    let time = text.drop { $0 != " " && $0 != "T" }.dropFirst().split(separator: ":")
    guard time.count >= 3, let hour = Int(time[0]), let minute = Int(time[1]), hour >= 12, minute.isMultiple(of: 15),
      time[2].hasPrefix("00"), text.hasSuffix("+00:00") || text.hasSuffix("Z") || time.count == 3
    else { return date }
    return date.later(days: 1)
  }

  /// `goodreads:39077187,isbn:9780756411800`
  private static let identifiers = ColumnMapping("isbn", "ISBN and other ids") { text, facts in
    for part in Names.list(text, ",\n") {
      let pair = part.split(separator: ":", maxSplits: 1).map(String.init)
      guard pair.count == 2 else { continue }
      switch pair[0].lowercased() {
      case "isbn": if !ColumnMapping.isbn.read(pair[1], &facts) { facts.note("ISBN", pair[1]) }
      case "goodreads": _ = ColumnMapping.id("goodreads").read(pair[1], &facts)
      case "olid", "openlibrary": _ = ColumnMapping.id("openlibrary").read(pair[1], &facts)
      case "google": _ = ColumnMapping.id("googlebooks").read(pair[1], &facts)
      case "calibre", "uuid": break
      default: facts.note("Identifier", part)
      }
    }
    return true
  }

  /// The characters that are read of a column of a person's own, of which there may be a hundred. A book with as many
  /// is not imported.
  private static let longestOwn = 20_000

  /// A row a book, with the columns that a person has made, by their names with `#` before them.
  @Sendable private static func calibreBooks(_ database: Connection) throws -> SQL {
    let tables = Set(try database.values("SELECT name FROM sqlite_master WHERE type = 'table'", as: String.self))
    var own: SQL = ""
    if tables.contains("custom_columns") {
      let columns = try database.all(
        "SELECT id, label FROM custom_columns WHERE mark_for_delete = 0 ORDER BY id LIMIT 100"
      ) { (id: try $0.get("id", as: Int.self), label: try $0.get("label", as: String.self)) }
      for column in columns {
        let (values, links) = ("custom_column_\(column.id)", "books_custom_column_\(column.id)_link")
        guard tables.contains(values) else { continue }
        own =
          tables.contains(links)
          ? """
          \(own), (SELECT substr(group_concat(v.value, ', '), 1, \(longestOwn)) FROM \(identifier: links) l JOIN \(identifier: values) v
            ON v.id = l.value WHERE l.book = b.id) AS \(identifier: "#" + column.label)
          """
          : """
          \(own), (SELECT substr(group_concat(v.value, ', '), 1, \(longestOwn)) FROM \(identifier: values) v WHERE v.book = b.id)
            AS \(identifier: "#" + column.label)
          """
      }
    }
    return """
      SELECT b.id, b.uuid, b.title, b.timestamp, b.pubdate,
        (SELECT group_concat(name, char(10)) FROM (SELECT a.name FROM books_authors_link l
          JOIN authors a ON a.id = l.author WHERE l.book = b.id ORDER BY l.id)) AS authors,
        (SELECT r.rating FROM books_ratings_link l JOIN ratings r ON r.id = l.rating WHERE l.book = b.id) AS rating,
        (SELECT s.name FROM books_series_link l JOIN series s ON s.id = l.series WHERE l.book = b.id) AS series,
        CASE WHEN EXISTS (SELECT 1 FROM books_series_link l WHERE l.book = b.id) THEN b.series_index END AS series_index,
        (SELECT p.name FROM books_publishers_link l JOIN publishers p ON p.id = l.publisher WHERE l.book = b.id)
          AS publisher,
        (SELECT g.lang_code FROM books_languages_link l JOIN languages g ON g.id = l.lang_code WHERE l.book = b.id
          ORDER BY l.item_order) AS languages,
        (SELECT group_concat(i.type || ':' || i.val, char(10)) FROM identifiers i WHERE i.book = b.id) AS identifiers,
        (SELECT c.text FROM comments c WHERE c.book = b.id) AS comments,
        (SELECT group_concat(t.name, char(10)) FROM books_tags_link l JOIN tags t ON t.id = l.tag WHERE l.book = b.id)
          AS tags,
        (SELECT group_concat(d.format, ', ') FROM data d WHERE d.book = b.id) AS formats\(own)
      FROM books b ORDER BY b.id
      """
  }
}
