internal import CatalogModel
internal import Lookup

/// The marks, reviews and notes of a user at NeoDB: an archive of its export as NDJSON or as CSV, or a table of the
/// latter. Both have the same data and ids. See `journal/exporters` of neodb-social/neodb.
///
/// The NDJSON scatters the data of an item, so all of it is held in memory.
struct NeoDB: FileFormat {
  let id = "neodb"
  let name = "NeoDB"

  private static let journal = "journal.ndjson"
  private static let catalog = "catalog.ndjson"

  func recognizes(_ shape: Shape) -> Bool { Self.isNDJSON(shape) || TableFormat.neoDBTables.recognizes(shape) }

  private static func isNDJSON(_ shape: Shape) -> Bool {
    guard case .zip(let members) = shape else { return false }
    return members.contains(journal) && members.contains(catalog)
  }

  func uses(in file: InputFile) throws -> [ColumnUse] {
    guard Self.isNDJSON(file.shape) else { return try TableFormat.neoDBTables.uses(in: file) }
    return [
      ColumnUse(Self.catalog, .kept("ids, year and who made it")), ColumnUse("ShelfMember", .kept("status")),
      ColumnUse("Rating", .kept("rating")), ColumnUse("Comment", .kept("review")), ColumnUse("Review", .kept("review")),
      ColumnUse("Note", .noted), ColumnUse("TagMember", .kept("tags")), ColumnUse("Collection", .kept("lists")),
      ColumnUse("ShelfLog", .left("it only says how the status came about")),
      ColumnUse("Article, post", .left("it is not about an item")),
      ColumnUse("actor.ndjson", .left("it is not about an item")),
    ]
  }

  func check(_ file: InputFile) throws {
    if Self.isNDJSON(file.shape) { try read(file) { _ in true } } else { try TableFormat.neoDBTables.check(file) }
  }

  func read(_ file: InputFile, each: (ImportRow) throws -> Bool) throws {
    guard Self.isNDJSON(file.shape) else { return try TableFormat.neoDBTables.read(file, each: each) }
    let archive = try ZipArchive(path: file.path)
    func records(of member: String, _ each: (Cells) throws -> Void) throws {
      var elements = JSONElements(try archive.read(member).decoded(path: nil), layout: .sequence)
      try elements.forEach { element in
        try each(Cells(element))
        return true
      }
    }
    var told = Told(with: file.choices)
    try records(of: Self.catalog) { try told.addThing($0) }
    try records(of: Self.journal) { try told.add($0) }
    var keys = RowKeys()
    for row in told.rows {
      let key = try keys.unique(row.key, row.facts)
      guard
        try each(ImportRow(row.facts, line: row.line, member: Self.journal, rejection: row.rejection, key: key))
      else { return }
    }
  }
}

/// The data of NeoDB's NDJSON, combined by item.
private struct Told {
  struct Row {
    let key: String
    /// The line of its first record.
    let line: Int
    var facts: RowFacts
    let rejection: ImportRow.Rejection?
  }

  /// An item in the catalog of the export.
  private struct Thing {
    let facts: RowFacts
    let rejection: ImportRow.Rejection?
    /// The index of its mark in ``marks``; nil without a mark.
    var mark: Int?
  }

  private var things: [String: Thing] = [:]
  private var marks: [Row] = []
  /// The reviews and notes, which are rows of their own, as in the tables.
  private var others: [Row] = []
  private var held = HeldRows()
  private var targets: ColumnMappings

  init(with choices: ImportChoices) { targets = ColumnMappings(of: .neoDBThing, with: choices) }

  var rows: [Row] { marks + others }

  mutating func addThing(_ cells: Cells) throws {
    guard let url = cells.first("id"), things[url] == nil else { return }
    try held.add(cells, things: things.count + 1)
    let (facts, rejection) = TableFormat.neoDBThing.facts(of: cells, &targets)
    things[url] = Thing(facts: facts, rejection: rejection)
  }

  mutating func add(_ cells: Cells) throws {
    try held.add(cells, things: things.count)
    if cells.first("type") == "Collection" {
      for (position, url) in cells.all("items.item").enumerated() {
        change(url, at: cells.line) { facts in
          facts.piles.append(Entry.PilePlace(cells.first("content.name") ?? "NeoDB", position: position + 1))
        }
      }
      return
    }
    guard let url = cells.first("content.withRegardTo") else { return }
    func read(_ target: ColumnMapping, _ name: String, _ facts: inout RowFacts) {
      guard let text = cells.first(name) else { return }
      if !target.read(text, &facts) { facts.noteInstead(name, text) }
    }
    switch cells.first("type") {
    case "ShelfMember":
      change(url, at: cells.line) { facts in
        read(.status, "content.status", &facts)
        read(.addedOn, "content.published", &facts)
        let progress = cells.first("progress.value")
        if cells.first("progress.type") == "page", let page = progress.flatMap({ Int($0) }) {
          facts.page = page
        } else if let progress {
          facts.note("progress", progress)
        }
      }
    case "Rating": change(url, at: cells.line) { read(.rating(.ten), "content.value", &$0) }
    case "Comment": change(url, at: cells.line) { read(.review, "content.content", &$0) }
    case "TagMember": change(url, at: cells.line) { read(.tag, "content.tag", &$0) }
    case "Review":
      addRow(" review", of: url, at: cells.line) { facts in
        read(.review, "content.name", &facts)
        read(.review, "content.content", &facts)
      }
    case "Note":
      addRow(" note", of: url, at: cells.line) { facts in
        if let progress = cells.first("content.progress.value") { facts.note("progress", progress) }
        let words = [cells.first("content.title"), cells.first("content.content")].compactMap(\.self)
        facts.note("Note", words.joined(separator: ": "))
      }
    default: break
    }
  }

  /// Changes the mark of an item. Unknown items are ignored.
  private mutating func change(_ url: String, at line: Int, _ change: (inout RowFacts) -> Void) {
    guard let thing = things[url] else { return }
    if let mark = thing.mark { return change(&marks[mark].facts) }
    things[url]?.mark = marks.count
    var row = Row(key: url, line: line, facts: thing.facts, rejection: thing.rejection)
    change(&row.facts)
    marks.append(row)
  }

  private mutating func addRow(_ part: String, of url: String, at line: Int, _ change: (inout RowFacts) -> Void) {
    guard let thing = things[url] else { return }
    var row = Row(key: url + part, line: line, facts: thing.facts, rejection: thing.rejection)
    change(&row.facts)
    others.append(row)
  }
}

extension TableFormat {
  /// The tables of the CSV export, alone or in their archive. The links give the kind of an item, and the first link
  /// connects its rows in several tables.
  fileprivate static let neoDBTables = TableFormat(
    "neodb", "NeoDB", nil, records: .parts { $0.filter(isTable) },
    isOurs: { shape in
      switch shape {
      case .zip(let members): return members.contains { $0.hasSuffix("_mark.csv") }
      case .table:
        let names = shape.names ?? []
        return names.isSuperset(of: ["title", "info", "links", "timestamp"])
          && !names.isDisjoint(with: ["status", "content"])
      default: return false
      }
    },
    columns: [
      "links": links, "info": info, "title": .title, "timestamp": .addedOn, "status": .status, "rating": .rating(.ten),
      "comment": .review, "tags": .tags, "content": content, "progress": .note,
    ],
    finish: { facts, cells throws(ImportRow.Rejection) in
      let links = cells.first("links") ?? ""
      if ["/tv/", "/game/", "/podcast/", "/performance/"].contains(where: { links.contains($0) }), facts.kind == nil {
        throw ImportRow.Rejection("it is of a kind that the catalog does not keep")
      }
      // A review or a note has its own title after that of the item.
      let titles = cells.all("title")
      facts.title = titles.first
      if let content = cells.first("content") {
        let words = titles.dropFirst() + [content]
        if cells.keys.contains("progress") {
          facts.note("Note", words.joined(separator: ": "))
        } else {
          facts.review = words.joined(separator: "\n\n")
        }
      }
      facts.takeYearFromTitle()
    },
    key: { cells, _ in
      let part = cells.first("content") == nil ? "" : cells.keys.contains("progress") ? " note" : " review"
      return cells.first("links").map { "\($0.prefix { !$0.isWhitespace })\(part)" }
    })

  /// `movie_mark.csv`, `book_review.csv`.
  private static func isTable(_ member: String) -> Bool {
    ["_mark.csv", "_review.csv", "_note.csv"].contains { member.hasSuffix($0) }
  }

  /// An item in the catalog of the NDJSON.
  fileprivate static let neoDBThing = TableFormat(
    "neodb", "NeoDB", nil, needs: [],
    columns: [
      "title": .title, "display_title": .title, "localized_title.text": .otherTitle, "orig_title": .originalTitle,
      "author": .author, "director": .director, "artist": .artist, "translator": .translator, "year": .year,
      "pub_year": pubYear, "release_date": .released, "isbn": .isbn, "imdb": .imdb, "barcode": .barcode,
      "pages": .pages,
      "pub_house": .publisher, "genre": .genre, "description": .summary, "brief": .summary,
    ], prefixes: [("", .inside)],
    finish: { facts, cells throws(ImportRow.Rejection) in
      let links = [cells.first("id")].compactMap(\.self) + cells.all("external_resources.url")
      for (place, link) in links.enumerated() { take(link, isOwn: place == 0, &facts) }
      let kinds = ["movie": Kind.movie, "edition": .book, "album": .vinyl]
      guard let kind = kinds[cells.first("type")?.lowercased() ?? ""] else {
        throw ImportRow.Rejection("it is of a kind that the catalog does not keep")
      }
      facts.kind = kind
      if facts.title == nil { facts.title = facts.otherTitles.first }
    })

  private static let pubYear = ColumnMapping("published", "publication of the edition") { text, facts in
    facts.editionYear = Numbers.year(text)
    return facts.editionYear != nil
  }

  private static let links = ColumnMapping("url", "page on the web") { text, facts in
    let links = text.split { $0.isWhitespace || $0 == "," }.map(String.init).filter { $0.hasPrefix("http") }
    for (place, link) in links.enumerated() { take(link, isOwn: place == 0, &facts) }
    return !links.isEmpty
  }

  /// - Parameter isOwn: whether it is the item's page at NeoDB.
  private static func take(_ link: String, isOwn: Bool, _ facts: inout RowFacts) {
    if isOwn { _ = ColumnMapping.url.read(link, &facts) }
    for (part, kind) in [("/movie/", Kind.movie), ("/book/", .book), ("/album/", .vinyl)] where link.contains(part) {
      facts.kind = facts.kind ?? kind
      let id = link.ranges(of: part).first.map { link[$0.upperBound...] } ?? ""
      if isOwn, !id.isEmpty { _ = ColumnMapping.id("neodb", String(part.dropFirst())).read(String(id), &facts) }
    }
    if let id = ExternalID(imdbPage: link) { facts.externalIDs.append(id) }
    for (part, source) in [
      ("themoviedb.org/movie/", "tmdb"), ("goodreads.com/book/show/", "goodreads"), ("discogs.com/release/", "discogs"),
    ] {
      if let id = id(in: link, behind: part) { facts.externalIDs.append(ExternalID(source: source, value: id)) }
    }
  }

  private static func id(in link: String, behind part: String) -> String? {
    link.ranges(of: part).first.flatMap { String(link[$0.upperBound...].prefix { $0.isASCII && $0.isNumber }).nonEmpty }
  }

  /// The text of a review or a note, which `finish` combines with its title.
  private static let content = ColumnMapping("review", "review") { _, _ in true }

  /// `isbn:9780060929879 pub_year:1998 author:Jane Austen/Another`
  private static let info = ColumnMapping("info", "ids, year and who made it") { text, facts in
    var isRead = false
    for (name, value) in parts(of: text) {
      switch name {
      case "isbn": isRead = ColumnMapping.isbn.read(value, &facts) || isRead
      case "imdb": isRead = ColumnMapping.imdb.read(value, &facts) || isRead
      case "barcode", "gtin": isRead = ColumnMapping.barcode.read(value, &facts) || isRead
      case "year": isRead = ColumnMapping.year.read(value, &facts) || isRead
      case "pub_year": isRead = pubYear.read(value, &facts) || isRead
      case "author", "artist", "director":
        facts.creators += value.split(separator: "/").map { Names.plain(String($0)) }
        isRead = true
      default: break
      }
    }
    return isRead
  }

  /// Splits an info text. Values may contain blanks, and end before the next name.
  private static func parts(of info: String) -> [(name: String, value: String)] {
    let known = [
      "isbn", "imdb", "barcode", "gtin", "year", "pub_year", "season_number", "episode_number", "author", "artist",
      "director", "host",
    ]
    var parts: [(name: String, value: String)] = []
    for word in info.split(whereSeparator: \.isWhitespace) {
      if let colon = word.firstIndex(of: ":"), case let name = word[..<colon].lowercased(), known.contains(name) {
        parts.append((name, String(word[colon...].dropFirst())))
      } else if let last = parts.indices.last {
        parts[last].value += " \(word)"
      }
    }
    return parts
  }
}
