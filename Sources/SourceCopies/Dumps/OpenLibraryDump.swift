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

  /// Reads lines. `each` returns the reason to leave one out.
  private static func read(
    _ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading, _ each: (Bytes) throws -> LeftOut?
  ) throws {
    var lines = LineScanner(ByteWindow(source))
    guard try lines.skip(to: staging.state.offset) else { throw DumpProblem.cut(reading.path) }
    var tooLong = 0
    while let line = try lines.next() {
      staging.count(.tooLong, lines.tooLong - tooLong)
      tooLong = lines.tooLong
      try staging.finishRecord(at: lines.offset, leftOut: try each(line))
    }
    staging.count(.tooLong, lines.tooLong - tooLong)
    guard !lines.isCut else { throw DumpProblem.cut(reading.path) }
  }

  /// Reads lines with documents. Tabs in a document are escaped, so the fourth one of a line is before it.
  private static func readDocuments(
    _ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading, type: StaticString,
    _ each: (_ key: Bytes, _ document: Bytes) throws -> LeftOut?
  ) throws {
    try read(source, staging, reading) { line in
      var ends: (Int, Int, Int) = (0, 0, 0)
      var place = 0
      for column in 0..<4 {
        guard let tab = line.index(of: 0x09, from: place) else { return .damaged }
        if column == 0 { ends.0 = tab } else if column == 1 { ends.1 = tab }
        place = tab + 1
      }
      guard line.part(0, ends.0).equals(type) else { return .otherKind }
      return try each(line.part(ends.0 + 1, ends.1), line.part(place, line.count))
    }
  }

  static func readWorks(_ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading) throws {
    let (cleaner, subtitles) = (TextCleaner(), TextCleaner())
    var line: [UInt8] = []
    try readDocuments(source, staging, reading, type: "/type/work") { key, document in
      guard let number = key.number(behind: "/works/OL", before: "W") else { return .untitled }
      var title = StagedTitle()
      (title.number, title.kinds) = (number, .book)
      var (authors, subtitle): ([Int], Bytes) = ([], .none)
      line.removeAll(keepingCapacity: true)
      let isWhole = JSONMembers.forEach(in: document) { key, value in
        if key.equals("title") {
          title.title = JSONMembers.text(value)
        } else if key.equals("subtitle") {
          subtitle = JSONMembers.text(value)
        } else if key.equals("authors") {
          authors = Self.authors(value)
        } else if key.equals("covers") {
          title.extra = first(value)
        } else if key.equals("first_publish_date") {
          title.year = year(in: JSONMembers.text(value))
        } else if key.equals("subjects") {
          addGenres(value, to: &line)
        }
      }
      guard isWhole else { return .damaged }
      title.title = cleaner.line(title.title, .json)
      guard !title.title.isEmpty else { return .untitled }
      title.by = authors.first
      title.genres = line.withUnsafeBytes { staging.term($0) }
      guard try staging.add(title) else { return .repeated }
      for author in authors.dropFirst() { try staging.addCredit(number, author) }
      if !subtitle.isEmpty {
        let whole = "\(title.title.text): \(subtitles.line(subtitle, .json).text)"
        try staging.addOtherTitle(number, subtitles.keep(whole), language: Bytes.none)
      }
      return nil
    }
  }

  static func readEditions(_ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading) throws {
    let cleaner = TextCleaner()
    var languages: [UInt64: Int?] = [:]
    /// The term of `/languages/kor`: `ko`.
    func language(_ value: Bytes) -> Int? {
      var key = Bytes.none
      JSONMembers.forEachElement(of: value) {
        key = JSONMembers.text(JSONMembers.member("key", of: $0))
        return false
      }
      guard key.has("/languages/", at: 0) else { return nil }
      let code = key.part("/languages/".utf8.count, key.count)
      let hash = FNV1a.hash(code)
      if let known = languages[hash] { return known }
      let name = Language.code(named: code.text) ?? code.text
      // ISO 639-2 has codes for an unknown language, for several and for none.
      let isLanguage = !["und", "mul", "zxx"].contains(name)
      let term = isLanguage && name.utf8.count <= 3 ? staging.term(cleaner.keep(name)) : nil
      languages[hash] = term
      return term
    }
    try readDocuments(source, staging, reading, type: "/type/edition") { key, document in
      guard let number = key.number(behind: "/books/OL", before: "M") else { return .untitled }
      var edition = StagedEdition()
      (edition.number, edition.kinds) = (number, .book)
      var (title, authors, cover): (Bytes, [Int], Int?) = (.none, [], nil)
      let isWhole = JSONMembers.forEach(in: document) { key, value in
        if key.equals("works") {
          JSONMembers.forEachElement(of: value) { work in
            let key = JSONMembers.text(JSONMembers.member("key", of: work))
            edition.title = key.number(behind: "/works/OL", before: "W") ?? 0
            return edition.title == 0
          }
        } else if key.equals("isbn_13") || key.equals("isbn_10") {
          JSONMembers.forEachElement(of: value) { isbn in
            if let code = CodeKey.isbn(JSONMembers.text(isbn)), !edition.codes.contains(code) {
              edition.codes.append(code)
            }
            return edition.codes.count < 8
          }
        } else if key.equals("publish_date") {
          edition.year = year(in: JSONMembers.text(value))
        } else if key.equals("number_of_pages") {
          edition.extra = value.number.flatMap { (1...100_000).contains($0) ? $0 : nil }
        } else if key.equals("languages") {
          edition.origin = language(value)
        } else if key.equals("title") {
          title = JSONMembers.text(value)
        } else if key.equals("authors") {
          authors = Self.authors(value)
        } else if key.equals("covers") {
          cover = first(value)
        }
      }
      guard isWhole else { return .damaged }
      if edition.title > 0 {
        staging.addPoints(edition.title, 1)
        try staging.add(edition)
        return nil
      }
      // An edition without a work is a title of its own.
      title = cleaner.line(title, .json)
      guard !title.isEmpty else { return .untitled }
      let own = StagedTitle(
        number: StagedTitle.number(ofEdition: number), title: title, by: authors.first, year: edition.year,
        kinds: .book, origin: edition.origin,
        extra: cover, codes: edition.codes)
      guard try staging.add(own) else { return .repeated }
      for author in authors.dropFirst() { try staging.addCredit(own.number, author) }
      return nil
    }
  }

  static func readAuthors(_ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading) throws {
    let wanted = try staging.creditedNames()
    let cleaner = TextCleaner()
    try readDocuments(source, staging, reading, type: "/type/author") { key, document in
      guard let number = key.number(behind: "/authors/OL", before: "A") else { return .untitled }
      guard wanted.contains(number) else { return .orphan }
      var name = Bytes.none
      guard JSONMembers.forEach(in: document, { if $0.equals("name") { name = JSONMembers.text($1) } }) else {
        return .damaged
      }
      name = cleaner.line(name, .json)
      guard !name.isEmpty else { return .untitled }
      try staging.addName(number) { name }
      return nil
    }
  }

  static func readRatings(_ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading) throws {
    try readReaders(source, staging, reading, points: 5)
  }

  static func readReadingLog(_ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading) throws {
    try readReaders(source, staging, reading, points: 1)
  }

  private static func readReaders(
    _ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading, points: Int
  ) throws {
    var cells = TabbedCells()
    try read(source, staging, reading) { line in
      cells.split(line)
      guard let number = cells[0].number(behind: "/works/OL", before: "W") else { return .damaged }
      staging.addPoints(number, points)
      return nil
    }
  }

  static func readRedirects(_ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading) throws {
    try readDocuments(source, staging, reading, type: "/type/redirect") { key, document in
      guard let old = key.number(behind: "/works/OL", before: "W") else { return .otherKind }
      let location = JSONMembers.text(JSONMembers.member("location", of: document))
      guard let new = location.number(behind: "/works/OL", before: "W") else { return .damaged }
      try staging.db.run("INSERT OR IGNORE INTO redirect VALUES (\(old), \(new))")
      return nil
    }
  }

  /// Removes works whose editions are all in other languages than those that were asked for, if they have no reader and
  /// no rating. Works of unknown language stay.
  static func removeOtherLanguages(_ staging: Staging, _ options: SourceCopyOptions) throws {
    let db = staging.db
    try db.transaction {
      let wanted = try db.values("SELECT id FROM term WHERE text IN (\(list: options.languages))", as: Int64.self)
      var kept = try staging.numbers("SELECT title FROM edition WHERE origin IN (\(list: wanted)) OR origin IS NULL")
      try staging.forEachPoints(of: ["ol_dump_ratings.txt.gz", "ol_dump_reading-log.txt.gz"]) { number, _ in
        kept.insert(number)
      }
      try db.forEach("SELECT old, new FROM redirect") { row in
        if kept.contains(Int(row.integer(0))) { kept.insert(Int(row.integer(1))) }
        return true
      }
      let others = try staging.numbers("SELECT title FROM edition WHERE origin IS NOT NULL")
      var works: [Int64] = []
      try db.forEach("SELECT number FROM title WHERE origin IS NULL") { row in
        let number = Int(row.integer(0))
        if others.contains(number), !kept.contains(number) { works.append(row.integer(0)) }
        return true
      }
      for work in works { try db.run("DELETE FROM title WHERE number = \(work)") }
      // An edition without a work is a title, with its language.
      let alone = try db.run("DELETE FROM title WHERE origin IS NOT NULL AND origin NOT IN (\(list: wanted))")
      try staging.count(.otherLanguage, works.count, of: "ol_dump_works.txt.gz")
      try staging.count(.otherLanguage, alone, of: "ol_dump_editions.txt.gz")
    }
  }

  // MARK: Values

  /// The numbers of authors: `[{"author": {"key": "/authors/OL1A"}}]` of a work, `[{"key": …}]` of an edition.
  private static func authors(_ value: Bytes) -> [Int] {
    var numbers: [Int] = []
    JSONMembers.forEachElement(of: value) { element in
      let author = JSONMembers.member("author", of: element)
      let key = JSONMembers.member("key", of: author.isEmpty ? element : author)
      let text = JSONMembers.text(key.isEmpty ? author : key)
      if let number = text.number(behind: "/authors/OL", before: "A"), !numbers.contains(number) {
        numbers.append(number)
      }
      return numbers.count < mostAuthors
    }
    return numbers
  }

  /// The first number of an array that is above 0: deleted covers are -1.
  private static func first(_ value: Bytes) -> Int? {
    var found: Int?
    JSONMembers.forEachElement(of: value) { element in
      found = element.number.flatMap { $0 > 0 ? $0 : nil }
      return found == nil
    }
    return found
  }

  /// The last number of four digits in a date: `February 27, 1995`.
  static func year(in date: Bytes) -> Int? {
    var (found, digits): (Int?, Int) = (nil, 0)
    for place in 0...date.count {
      if place < date.count, (0x30...0x39).contains(date[place]) {
        digits += 1
        continue
      }
      if digits == 4, let year = date.part(place - 4, place).number, (1400...2200).contains(year) { found = year }
      digits = 0
    }
    return found
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

  private static func addGenres(_ subjects: Bytes, to line: inout [UInt8]) {
    var (count, looked) = (0, 0)
    JSONMembers.forEachElement(of: subjects) { element in
      let subject = JSONMembers.text(element)
      looked += 1
      if subject.count <= 30, subject.count >= 3, genres.contains(subject.text.lowercased()) {
        if count > 0 { line += [UInt8(ascii: ";"), 0x20] }
        line += subject
        count += 1
      }
      return count < 4 && looked < 40
    }
  }
}
