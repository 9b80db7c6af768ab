import CatalogModel
import CatalogStore
import Glibc
import SQLite

/// Writes `count` works as lines of tab-separated text.
/// - Parameter start: the number of works to skip first.
func generate(count: Int, from start: Int = 0, into path: String) throws {
  guard let file = fopen(path, "w") else { throw Trouble("cannot write \(path)") }
  defer { fclose(file) }
  var generator = Generator(count: count)
  for _ in 0..<start { _ = generator.next() }
  for _ in 0..<count { fputs(generator.next().fields.joined(separator: "\t") + "\n", file) }
}

/// Reads such a file line by line.
struct Things: Sequence, IteratorProtocol {
  private let file: UnsafeMutablePointer<FILE>
  private var line: UnsafeMutablePointer<CChar>?
  private var capacity = 0

  init(path: String) throws {
    guard let file = fopen(path, "r") else { throw Trouble("cannot read \(path)") }
    self.file = file
  }

  mutating func next() -> Thing? {
    let count = getline(&line, &capacity, file)
    guard count > 0, let line else { return nil }
    var rest = UnsafeRawBufferPointer(start: line, count: count - 1)[...]
    var fields: [String] = []
    fields.reserveCapacity(17)
    while let tab = rest.firstIndex(of: UInt8(ascii: "\t")) {
      fields.append(String(decoding: UnsafeRawBufferPointer(rebasing: rest[..<tab]), as: UTF8.self))
      rest = rest[(tab + 1)...]
    }
    fields.append(String(decoding: UnsafeRawBufferPointer(rebasing: rest), as: UTF8.self))
    return Thing(fields: fields)
  }
}

/// Adds the works in `file` to the catalog at `path`, in one call of ``Store/addAll(_:now:progress:)``.
/// - Parameter isStep: whether it can be undone, like a command.
func fill(_ path: String, from file: String, isStep: Bool = true) throws {
  let now = Timestamp(rawValue: "2026-11-21T09:00:00Z")
  let recording = isStep ? OperationRecorder(command: "add", line: "add -") { now } : nil
  let store = try Store.open(at: path, for: .writing).recording(recording)
  let records = try Things(path: file).lazy.map { thing in
    let genres = [thing[.genre1], thing[.genre2], thing[.genre3]].filter { !$0.isEmpty }
    // A record from a source has labels; one typed by a user has genres.
    let isFromSource = !thing[.source].isEmpty
    var record = record(of: thing)
    if isFromSource { record.labels = genres }
    return (record: record, genres: isFromSource ? nil : genres)
  }
  _ = try store.addAll(records, now: now)
}

/// Writes the same works as a table for `import`, with column names that it recognizes.
func writeTable(of file: String, into path: String) throws {
  guard let table = fopen(path, "w") else { throw Trouble("cannot write \(path)") }
  defer { fclose(table) }
  func write(_ cells: [String]) {
    let quoted = cells.map { $0.contains(",") ? "\"\($0)\"" : $0 }
    fputs(quoted.joined(separator: ",") + "\n", table)
  }
  write([
    "Kind", "Title", "Original Title", "Year", "Creator", "Cast", "Translator", "Genre", "TMDB", "OpenLibrary",
    "Discogs",
    "ISBN", "Barcode", "Catalog Number", "Publisher", "Label", "Country", "Minutes", "Pages", "Owned",
  ])
  for thing in try Things(path: file) {
    func only(_ kind: String, _ column: Thing.Column) -> String { thing[.kind] == kind ? thing[column] : "" }
    func id(_ source: String) -> String { thing[.source] == source ? thing[.sourceID] : "" }
    write([
      thing[.kind], thing[.title], thing[.originalTitle], thing[.year], thing[.creator], only("movie", .second),
      only("book", .second),
      [thing[.genre1], thing[.genre2], thing[.genre3]].filter { !$0.isEmpty }.joined(separator: ";"), id("tmdb"),
      id("openlibrary"), id("discogs"), only("book", .code), thing[.barcode], only("vinyl", .code),
      only("book", .maker),
      only("vinyl", .maker), thing[.country], only("movie", .amount), only("book", .amount),
      thing[.kind] == "movie" ? "" : "yes",
    ])
  }
}

private func record(of thing: Thing) -> Record {
  let kind = Kind(rawValue: thing[.kind]) ?? .book
  var record = Record(kind: kind, title: thing[.title])
  record.originalTitle = thing[.originalTitle]
  record.year = Int(thing[.year])
  record.credits = [Credit(name: thing[.creator], role: Credit.Role(main: kind))]
  if !thing[.second].isEmpty {
    record.credits.append(
      Credit(name: thing[.second], role: kind == .movie ? .cast : kind == .book ? .translator : .label))
  }
  if !thing[.source].isEmpty {
    record.externalIDs = [ExternalID(source: thing[.source], value: thing[.sourceID])]
  }
  switch kind {
  case .movie:
    var movie = Movie()
    movie.minutes = Int(thing[.amount])
    movie.countries = [thing[.country]]
    record.details = .movie(movie)
  case .book:
    var book = Book()
    book.isbn = try? ISBN(thing[.code])
    book.publisher = thing[.maker]
    book.pages = Int(thing[.amount])
    record.details = .book(book)
  default:
    var vinyl = Vinyl()
    vinyl.label = thing[.maker]
    vinyl.catalogNumber = thing[.code]
    vinyl.country = thing[.country]
    vinyl.discs = Int(thing[.amount])
    vinyl.barcode = thing[.barcode]
    record.details = .vinyl(vinyl)
  }
  return record
}

/// Gives the items a life: added over ten years, every fifth rated, every thirtieth a favorite; records and books are
/// owned, in grades, at places and for prices of all sorts; half of everything was met, some of it twice; tags, tracks,
/// loans and wishes.
func addLife(to path: String) throws {
  let store = try Store.open(at: path, for: .writing)
  try store.write { for statement in life { try store.db.run(statement) } }
}

private let life: [SQL] = [
  """
  UPDATE item SET created_at = strftime('%Y-%m-%dT%H:%M:%SZ', '2026-11-21T09:00:00Z', ((id - last) * 3652 / last) || ' days')
  FROM (SELECT max(id) AS last FROM item)
  """,
  """
  INSERT INTO card (item_id, rating, scale, comment, created_at, updated_at)
  SELECT id, 50 + id * 7 % 6 * 10, 'half', iif(id % 4, NULL, 'again, and soon'), '2026-11-21T10:00:00Z', '2026-11-21T10:00:00Z'
  FROM item WHERE id % 5 = 0
  """,
  "INSERT INTO favorite (item_id, added_at) SELECT id, '2026-11-21T10:00:00Z' FROM item WHERE id % 30 = 0",
  """
  INSERT INTO copy (item_id, created_at) SELECT id, created_at FROM item
  WHERE kind <> 'movie' AND NOT EXISTS (SELECT 1 FROM copy WHERE copy.item_id = item.id)
  """,
  """
  UPDATE copy SET media_grade = CASE item_id % 8 WHEN 1 THEN 'NM' WHEN 2 THEN 'VG+' WHEN 3 THEN 'VG' WHEN 5 THEN 'G+' END,
    place = 'K' || (item_id % 40) || '/' || (item_id % 7), price = 5000 + item_id % 90 * 500, currency = 'KRW',
    acquired_on = 2000 + item_id % 26
  WHERE item_id % 8 < 6
  """,
  """
  INSERT INTO log_entry (item_id, ended_on, outcome, created_at)
  SELECT id, date('2026-11-21', '-' || (id * 31 % 3652) || ' days'), iif(id % 20, 'done', 'dropped'), '2026-11-21T10:00:00Z'
  FROM item WHERE id % 2 = 0
  """,
  """
  INSERT INTO log_entry (item_id, ended_on, outcome, created_at)
  SELECT id, date('2026-11-21', '-' || (id * 17 % 900) || ' days'), 'done', '2026-11-21T10:00:00Z' FROM item WHERE id % 16 = 0
  """,
  "INSERT INTO tag (id, name, key) VALUES (1, 'winter', 'winter'), (2, 'with friends', 'withfriends'), (3, 'signed', 'signed')",
  "INSERT INTO item_tag (item_id, tag_id) SELECT id, 1 FROM item WHERE id % 25 = 0",
  "INSERT INTO item_tag (item_id, tag_id) SELECT id, 2 FROM item WHERE id % 40 = 0",
  "INSERT INTO item_tag (item_id, tag_id) SELECT id, 3 FROM item WHERE id % 500 = 0",
  """
  INSERT INTO track (item_id, number, position, title)
  SELECT item_id, value, 'A' || value, title || ', part ' || value
  FROM vinyl JOIN item ON item.id = vinyl.item_id JOIN (SELECT 1 AS value UNION ALL SELECT 2 UNION ALL SELECT 3) WHERE item_id % 10 = 0
  """,
  """
  INSERT INTO loan (copy_id, person, lent_on, due_on)
  SELECT id, 'Anna', '2026-10-01', iif(id % 400, '2026-12-24', '2026-11-01') FROM copy WHERE id % 200 = 0
  """,
  "INSERT INTO wish (item_id, created_at) SELECT id, created_at FROM item WHERE kind = 'movie' AND id % 60 = 0",
]
