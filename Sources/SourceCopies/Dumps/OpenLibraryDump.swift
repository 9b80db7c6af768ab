internal import CatalogModel
internal import Lookup
internal import Processes
internal import SQLite

extension Dump {
  /// Open Library: works with their authors, and editions with ISBNs.
  ///
  /// <https://openlibrary.org/developers/dumps>. A line has the type, the key, the revision, the date and a document in
  /// JSON, between tabs. The most read works come first.
  static let openLibrary = Dump(
    id: OpenLibraryDump.id, name: "Open Library", kinds: [.book], page: "https://openlibrary.org/developers/dumps",
    license: License(words: "the data may be used freely; a link to Open Library is asked for", isPersonal: false),
    attribution: "Open Library (https://openlibrary.org), a project of the Internet Archive",
    files: [
      File(
        name: "ol_dump_works.txt.gz", purpose: "the works", isRequired: true, recordSize: 98, size: 4_060_000_000,
        address: "https://openlibrary.org/data/ol_dump_works_latest.txt.gz",
        recognizes: { $0.starts(with: "/type/work\t".utf8) }, read: OpenLibraryDump.readWorks),
      File(
        name: "ol_dump_editions.txt.gz", purpose: "ISBNs, languages and years", isRequired: false, recordSize: 220,
        size: 12_590_000_000,
        address: "https://openlibrary.org/data/ol_dump_editions_latest.txt.gz",
        recognizes: { $0.starts(with: "/type/edition\t".utf8) }, read: OpenLibraryDump.readEditions),
      File(
        name: "ol_dump_authors.txt.gz", purpose: "the names of authors", isRequired: false, recordSize: 60,
        size: 780_000_000,
        address: "https://openlibrary.org/data/ol_dump_authors_latest.txt.gz",
        recognizes: { $0.starts(with: "/type/author\t".utf8) }, read: OpenLibraryDump.readAuthors),
      File(
        name: "ol_dump_ratings.txt.gz", purpose: "ratings, by which works are ranked", isRequired: false,
        recordSize: 1_000, size: 9_200_000,
        address: "https://openlibrary.org/data/ol_dump_ratings_latest.txt.gz",
        recognizes: { OpenLibraryDump.isTable($0, isRating: true) }, read: OpenLibraryDump.readRatings),
      File(
        name: "ol_dump_reading-log.txt.gz", purpose: "readers, by which works are ranked", isRequired: false,
        recordSize: 1_000, size: 120_000_000,
        address: "https://openlibrary.org/data/ol_dump_reading-log_latest.txt.gz",
        recognizes: { OpenLibraryDump.isTable($0, isRating: false) }, read: OpenLibraryDump.readReadingLog),
      File(
        name: "ol_dump_redirects.txt.gz", purpose: "works that were merged into others", isRequired: false,
        recordSize: 1_000,
        address: "https://openlibrary.org/data/ol_dump_redirects_latest.txt.gz",
        recognizes: { $0.starts(with: "/type/redirect\t".utf8) }, read: OpenLibraryDump.readRedirects
      ),
    ],
    ids: IDs(
      id: { id, isEdition in
        let isEdition = isEdition || id.number < 0
        return ExternalID(source: OpenLibraryDump.id, value: "OL\(id.number.magnitude)\(isEdition ? "M" : "W")")
      },
      key: { id in
        guard id.source == OpenLibraryDump.id, id.value.hasPrefix("OL"), let last = id.value.last else { return nil }
        guard let number = UInt32(id.value.dropFirst(2).dropLast()), last == "W" || last == "M" else { return nil }
        return UInt64(number) << 1 | (last == "M" ? 1 : 0)
      }),
    join: OpenLibraryDump.removeOtherLanguages,
    finish: { record, title in
      record.url = record.externalIDs.first?.page
      record.artworkURL = title.extra.map { "https://covers.openlibrary.org/b/id/\($0)-L.jpg" }
    })
}

private enum OpenLibraryDump {
  static let id = "openlibrary"
  /// The most authors of a work that are kept. Some works repeat one a hundred times.
  private static let mostAuthors = 20

  /// Whether a file begins with a line of a table without documents: ratings have a number in the third column, the
  /// reading log the name of a shelf.
  static func isTable(_ beginning: [UInt8], isRating: Bool) -> Bool {
    let cells = beginning.prefix { $0 != 0x0A }.split(separator: 0x09, omittingEmptySubsequences: false)
    guard cells.count >= 3, cells[0].starts(with: "/works/OL".utf8) else { return false }
    return cells[2].allSatisfy { (0x30...0x39).contains($0) } == isRating
  }

  /// Reads lines with documents. Tabs in a document are escaped, so the fourth one of a line is before it.
  private static func forEachDocument(
    _ reading: Dump.Reading, type: StaticString, _ each: (_ key: Bytes, _ document: Bytes) throws -> LeftOut?
  ) throws {
    var lines = LineScanner(reading.source)
    try reading.forEach(in: &lines) { line in
      let cells = Cells(line, most: 5)
      guard cells.count == 5 else { return .damaged }
      return cells[0].equals(type) ? try each(cells[1], cells[4]) : .otherKind
    }
  }

  private static func parsed(_ document: Bytes) -> JSON? {
    try? JSON(Array(document), as: JSON.Form(deepest: 64, mostValues: 200_000, isLenient: true))
  }

  static func readWorks(_ reading: Dump.Reading) throws {
    let staging = reading.staging
    try forEachDocument(reading, type: "/type/work") { key, document in
      guard let number = key.number(behind: "/works/OL", before: "W") else { return .untitled }
      guard let document = parsed(document) else { return .damaged }
      var title = StagedTitle(number: number, title: DumpText.line(document["title"].text ?? ""), kinds: .book)
      guard !title.title.isEmpty else { return .untitled }
      let authors = authors(document["authors"])
      title.by = authors.first
      title.extra = cover(document["covers"])
      title.year = year(in: document["first_publish_date"].text ?? "")
      title.genres = try staging.term(genres(document["subjects"]))
      guard try staging.add(title) else { return .repeated }
      try staging.addCredits(number, authors.dropFirst())
      if let subtitle = document["subtitle"].text, !subtitle.isEmpty {
        try staging.addOtherTitle(number, DumpText.line("\(title.title): \(subtitle)"), language: "")
      }
      return nil
    }
  }

  static func readEditions(_ reading: Dump.Reading) throws {
    let staging = reading.staging
    var languages: [String: Int?] = [:]
    /// The term of `/languages/kor`: `ko`.
    func language(_ key: String) throws -> Int? {
      if let known = languages[key] { return known }
      guard key.hasPrefix("/languages/") else { return nil }
      let code = String(key.dropFirst("/languages/".count))
      let name = Language.code(named: code) ?? code
      // ISO 639-2 has codes for an unknown language, for several and for none.
      let isLanguage = !["und", "mul", "zxx"].contains(name)
      let term = isLanguage && name.utf8.count <= 3 ? try staging.term(name) : nil
      languages[key] = .some(term)
      return term
    }
    try forEachDocument(reading, type: "/type/edition") { key, document in
      guard let number = key.number(behind: "/books/OL", before: "M") else { return .untitled }
      guard let document = parsed(document) else { return .damaged }
      var edition = StagedTitle(number: number, kinds: .book)
      edition.codes = ["isbn_13", "isbn_10"].flatMap { elements(document[$0]).prefix(8) }
        .compactMap { CodeKey.isbn($0.text ?? "") }.withoutRepeats(by: \.self)
      edition.year = year(in: document["publish_date"].text ?? "")
      edition.origin = try language(elements(document["languages"]).first?["key"].text ?? "")
      let works = elements(document["works"]).compactMap { $0["key"].text }
      if let work = works.lazy.compactMap({ $0.utf8.number(behind: "/works/OL", before: "W") }).first {
        edition.extra = document["number_of_pages"].integer.flatMap { (1...100_000).contains($0) ? Int($0) : nil }
        try staging.addPoints(work, 1)
        try staging.add(edition, of: work)
        return nil
      }
      // An edition without a work is a title of its own.
      edition.number = StagedTitle.number(ofEdition: number)
      edition.title = DumpText.line(document["title"].text ?? "")
      guard !edition.title.isEmpty else { return .untitled }
      let authors = authors(document["authors"])
      edition.by = authors.first
      edition.extra = cover(document["covers"])
      guard try staging.add(edition) else { return .repeated }
      try staging.addCredits(edition.number, authors.dropFirst())
      return nil
    }
  }

  static func readAuthors(_ reading: Dump.Reading) throws {
    try reading.staging.noteCreators()
    try forEachDocument(reading, type: "/type/author") { key, document in
      guard let number = key.number(behind: "/authors/OL", before: "A") else { return .untitled }
      guard try reading.staging.isCredited(number) else { return .orphan }
      guard let document = parsed(document) else { return .damaged }
      return try reading.staging.addName(DumpText.line(document["name"].text ?? ""), number) == nil ? .untitled : nil
    }
  }

  static func readRatings(_ reading: Dump.Reading) throws { try readReaders(reading, points: 5) }
  static func readReadingLog(_ reading: Dump.Reading) throws { try readReaders(reading, points: 1) }

  private static func readReaders(_ reading: Dump.Reading, points: Int) throws {
    var lines = LineScanner(reading.source)
    try reading.forEach(in: &lines) { line in
      guard let number = Cells(line)[0].number(behind: "/works/OL", before: "W") else { return .damaged }
      try reading.staging.addPoints(number, points, isReader: true)
      return nil
    }
  }

  static func readRedirects(_ reading: Dump.Reading) throws {
    try forEachDocument(reading, type: "/type/redirect") { key, document in
      guard let old = key.number(behind: "/works/OL", before: "W") else { return .otherKind }
      let location = parsed(document)?["location"].text ?? ""
      guard let new = location.utf8.number(behind: "/works/OL", before: "W") else { return .damaged }
      try reading.staging.db.run("INSERT OR IGNORE INTO redirect VALUES (\(old), \(new))")
      return nil
    }
  }

  /// Removes works whose editions are all in other languages than those that were asked for, if they have no reader and
  /// no rating. Works of unknown language stay.
  static func removeOtherLanguages(_ staging: Staging, _ options: SourceCopyOptions) throws {
    let db = staging.db
    try db.transaction {
      // Works that were merged into others, perhaps several times. There may be circles.
      for _ in 0..<4 {
        try db.run(
          """
          UPDATE redirect SET new = (SELECT other.new FROM redirect other WHERE other.old = redirect.new)
          WHERE new IN (SELECT old FROM redirect)
          """)
      }
      for table in ["edition", "code", "points"] {
        try db.run(
          """
          UPDATE \(identifier: table) SET title = (SELECT new FROM redirect WHERE old = title)
          WHERE title IN (SELECT old FROM redirect)
          """)
      }
      try db.run("CREATE INDEX IF NOT EXISTS edition_by_title ON edition (title, origin)")
      try db.run("CREATE INDEX IF NOT EXISTS reader_by_title ON points (title) WHERE is_reader")
      let wanted = try db.values("SELECT id FROM term WHERE text IN (\(list: options.languages))", as: Int64.self)
      let works = try db.run(
        """
        DELETE FROM title WHERE origin IS NULL
          AND EXISTS (SELECT 1 FROM edition e WHERE e.title = title.number)
          AND NOT EXISTS (SELECT 1 FROM edition e
            WHERE e.title = title.number AND (e.origin IS NULL OR e.origin IN (\(list: wanted))))
          AND NOT EXISTS (SELECT 1 FROM points p WHERE p.title = title.number AND p.is_reader)
        """)
      // An edition without a work is a title, with its language.
      let alone = try db.run("DELETE FROM title WHERE origin IS NOT NULL AND origin NOT IN (\(list: wanted))")
      try staging.count(.otherLanguage, works, of: "ol_dump_works.txt.gz")
      try staging.count(.otherLanguage, alone, of: "ol_dump_editions.txt.gz")
    }
  }

  // MARK: Values

  /// The elements of a list. Another value is the only one.
  private static func elements(_ value: JSON) -> [JSON] { value.list ?? (value == .null ? [] : [value]) }

  /// The numbers of authors: `[{"author": {"key": "/authors/OL1A"}}]` of a work, `[{"key": …}]` of an edition.
  private static func authors(_ value: JSON) -> [Int] {
    let keys = elements(value).compactMap { $0["author"]["key"].text ?? $0["author"].text ?? $0["key"].text }
    let numbers = keys.compactMap { $0.utf8.number(behind: "/authors/OL", before: "A") }
    return Array(numbers.withoutRepeats(by: \.self).prefix(mostAuthors))
  }

  /// The first number of a list that is above 0: deleted covers are -1.
  private static func cover(_ value: JSON) -> Int? {
    elements(value).lazy.compactMap(\.integer).first { $0 > 0 }.map { Int($0) }
  }

  /// The last number of four digits in a date: `February 27, 1995`.
  static func year(in date: String) -> Int? {
    let years = date.utf8.split { !(0x30...0x39).contains($0) }.compactMap { $0.count == 4 ? $0.number : nil }
    return years.last { (1400...2200).contains($0) }
  }

  /// The subjects that name a genre, in lower case. Others are topics, places and remarks of libraries.
  private static let genres: Set<String> = [
    "fiction", "science fiction", "fantasy", "fantasy fiction", "mystery", "detective and mystery stories",
    "mystery and detective stories", "thriller", "thrillers", "horror", "horror tales", "romance", "love stories",
    "historical fiction", "short stories", "poetry", "drama", "plays", "biography", "autobiography", "memoir",
    "history",
    "philosophy", "psychology", "religion", "science", "travel", "essays", "humor", "comics & graphic novels",
    "graphic novels", "children's fiction", "juvenile fiction", "young adult fiction", "classic literature", "classics",
    "cooking", "art", "music", "self-help", "true crime", "politics", "economics", "adventure stories", "war stories",
    "western stories", "fairy tales", "folklore", "satire", "dystopias", "literary criticism",
  ]

  private static func genres(_ subjects: JSON) -> String {
    elements(subjects).prefix(40).compactMap(\.text).filter { genres.contains($0.lowercased()) }.prefix(4)
      .joined(separator: "; ")
  }
}
