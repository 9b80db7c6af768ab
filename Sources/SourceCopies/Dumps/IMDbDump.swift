internal import CatalogModel
internal import Lookup
internal import Processes
internal import SQLite

extension Dump {
  /// IMDb: films with their directors, votes and titles in other countries.
  ///
  /// <https://developer.imdb.com/non-commercial-datasets/>. Cells between tabs, without quotation; `\N` is NULL.
  static let imdb = Dump(
    id: ExternalID.imdb, name: "IMDb", kinds: [.movie], page: "https://datasets.imdbws.com/",
    license: License(
      words: "for your personal, non-commercial use only; neither the files nor a copy may be passed on",
      isPersonal: true),
    attribution: "Information courtesy of IMDb (https://www.imdb.com). Used with permission.",
    files: [
      File(
        name: "title.basics.tsv.gz", purpose: "the titles", isRequired: true, recordSize: 17, size: 210_000_000,
        address: "https://datasets.imdbws.com/title.basics.tsv.gz",
        recognizes: { IMDbDump.hasHeader($0, ["tconst", "titleType", "primaryTitle"]) }, read: IMDbDump.readBasics),
      File(
        name: "title.ratings.tsv.gz", purpose: "votes, by which films are ranked",
        isRequired: false, recordSize: 5, size: 8_000_000,
        address: "https://datasets.imdbws.com/title.ratings.tsv.gz",
        recognizes: { IMDbDump.hasHeader($0, ["tconst", "averageRating", "numVotes"]) }, read: IMDbDump.readRatings),
      File(
        name: "title.crew.tsv.gz", purpose: "the directors of each film", isRequired: false, recordSize: 7,
        size: 80_000_000,
        address: "https://datasets.imdbws.com/title.crew.tsv.gz",
        recognizes: { IMDbDump.hasHeader($0, ["tconst", "directors"]) }, read: IMDbDump.readCrew),
      File(
        name: "name.basics.tsv.gz", purpose: "the names of directors", isRequired: false, recordSize: 19,
        size: 290_000_000,
        address: "https://datasets.imdbws.com/name.basics.tsv.gz",
        recognizes: { IMDbDump.hasHeader($0, ["nconst", "primaryName"]) }, read: IMDbDump.readNames),
      File(
        name: "title.akas.tsv.gz", purpose: "titles in other countries, Korea among them", isRequired: false,
        recordSize: 8, size: 480_000_000,
        address: "https://datasets.imdbws.com/title.akas.tsv.gz",
        recognizes: { IMDbDump.hasHeader($0, ["titleId", "ordering", "title", "region"]) }, read: IMDbDump.readAkas),
    ],
    ids: IDs(
      id: { id, _ in
        let digits = String(id.number)
        return ExternalID(
          source: ExternalID.imdb,
          value: "tt" + String(repeating: "0", count: max(0, 7 - digits.utf8.count)) + digits)
      },
      key: { id in
        guard id.source == ExternalID.imdb, let known = ExternalID(imdb: id.value) else { return nil }
        return UInt64(known.value.dropFirst(2)).map { $0 << 1 }
      }),
    finish: { record, title in
      record.movie.minutes = title.extra
      record.url = record.externalIDs.first?.page
    })
}

private enum IMDbDump {
  static func hasHeader(_ beginning: [UInt8], _ names: [String]) -> Bool {
    let line = beginning.prefix { $0 != 0x0A && $0 != 0x0D }
    return line.split(separator: 0x09).starts(with: names.map { Array($0.utf8)[...] })
  }

  /// Reads the rows of a table. `row` returns the reason to leave a row out.
  /// - Parameter columns: the names of the columns that `row` wants, in its order.
  static func read(
    _ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading, _ columns: [String],
    _ row: (_ cells: borrowing TabbedCells, _ places: [Int]) throws -> LeftOut?
  ) throws {
    var lines = LineScanner(ByteWindow(source))
    var cells = TabbedCells()
    guard let header = try lines.next() else { throw DumpProblem.cut(reading.path) }
    cells.split(header)
    let names = (0..<cells.count).map { cells[$0].text }
    let count = cells.count
    let places = try columns.map { column in
      guard let place = names.firstIndex(of: column) else {
        throw DumpProblem(.unknown, "'\(reading.path)' has no column '\(column)'")
      }
      return place
    }
    let begin = staging.state.offset
    guard try begin == 0 || lines.skip(to: begin) else { throw DumpProblem.cut(reading.path) }
    var tooLong = 0
    while let line = try lines.next() {
      staging.count(.tooLong, lines.tooLong - tooLong)
      tooLong = lines.tooLong
      cells.split(line)
      let reason = cells.count == count ? try row(cells, places) : .damaged
      try staging.finishRecord(at: lines.offset, leftOut: reason)
    }
    guard !lines.isCut else { throw DumpProblem.cut(reading.path) }
    staging.count(.tooLong, lines.tooLong - tooLong)
  }

  static func readBasics(_ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading) throws {
    let types = reading.options.types.map { Array($0.utf8) }
    let (cleaner, other) = (TextCleaner(), TextCleaner())
    var genres: [UInt8] = []
    let columns = [
      "tconst", "titleType", "primaryTitle", "originalTitle", "isAdult", "startYear", "runtimeMinutes", "genres",
    ]
    try read(source, staging, reading, columns) { cells, places in
      guard let number = cells[places[0]].number(behind: "tt") else { return .untitled }
      let type = cells[places[1]]
      guard types.contains(where: { $0.elementsEqual(type) }) else { return .otherKind }
      guard !cells[places[4]].equals("1") else { return .adult }
      var title = StagedTitle()
      title.title = cleaner.line(cells[places[2]])
      guard !title.title.isEmpty else { return .untitled }
      (title.number, title.kinds) = (number, .movie)
      title.year = cells[places[5]].number.flatMap { (1800...2200).contains($0) ? $0 : nil }
      title.extra = cells[places[6]].number.flatMap { (1...60_000).contains($0) ? $0 : nil }
      // Three names between commas become one line of names.
      genres.removeAll(keepingCapacity: true)
      for byte in cells[places[7]] {
        if byte == UInt8(ascii: ",") { genres += [UInt8(ascii: ";"), 0x20] } else { genres.append(byte) }
      }
      title.genres = genres.withUnsafeBytes { staging.term($0.count <= 200 ? $0 : .none) }
      // A place for the rating, which another file has.
      title.rating = -1
      guard try staging.add(title) else { return .repeated }
      let original = other.line(cells[places[3]])
      if !original.isEmpty, !original.equals(title.title) {
        try staging.addOtherTitle(number, original, language: nil)
      }
      return nil
    }
  }

  static func readRatings(_ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading) throws {
    let kept = try staging.titleNumbers()
    let update = try staging.db.prepare("UPDATE title SET rating = ?2 WHERE number = ?1")
    try read(source, staging, reading, ["tconst", "averageRating", "numVotes"]) { cells, places in
      guard let number = cells[places[0]].number(behind: "tt"), let votes = cells[places[2]].number else {
        return .damaged
      }
      guard kept.contains(number) else { return .orphan }
      staging.addPoints(number, votes)
      // `8.8` of 10.
      let average = cells[places[1]].filter { $0 != UInt8(ascii: ".") }
      let rating = average.withUnsafeBytes { $0.number }.map { average.count == 1 ? 10 * $0 : $0 }
      if let rating, (0...100).contains(rating) {
        update.bind(1, number)
        update.bind(2, rating)
        try update.runBound()
      }
      return nil
    }
  }

  static func readCrew(_ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading) throws {
    let kept = try staging.titleNumbers()
    try read(source, staging, reading, ["tconst", "directors"]) { cells, places in
      guard let number = cells[places[0]].number(behind: "tt") else { return .damaged }
      guard kept.contains(number) else { return .orphan }
      let directors = cells[places[1]]
      var start = 0
      // A series of shorts has hundreds.
      for _ in 0..<10 where start < directors.count {
        let end = directors.index(of: UInt8(ascii: ","), from: start) ?? directors.count
        if let name = directors.part(start, end).number(behind: "nm") { try staging.addCredit(number, name) }
        start = end + 1
      }
      return nil
    }
  }

  static func readNames(_ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading) throws {
    let wanted = try staging.creditedNames()
    let cleaner = TextCleaner()
    try read(source, staging, reading, ["nconst", "primaryName"]) { cells, places in
      guard let number = cells[places[0]].number(behind: "nm") else { return .damaged }
      guard wanted.contains(number) else { return .orphan }
      let name = cleaner.line(cells[places[1]])
      guard !name.isEmpty else { return .untitled }
      try staging.addName(number) { name }
      return nil
    }
  }

  /// The regions in which a title is in a language. A title of region `XWW` is the one in the world.
  private static let regions: [String: [String]] = [
    "ko": ["KR"], "en": ["US", "GB", "XWW"], "ja": ["JP"], "de": ["DE"], "fr": ["FR"], "es": ["ES", "MX"],
    "it": ["IT"], "pt": ["PT", "BR"], "zh": ["CN", "TW", "HK"], "ru": ["RU"],
  ]

  static func readAkas(_ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading) throws {
    let kept = try staging.titleNumbers()
    let cleaner = TextCleaner()
    let wanted = reading.options.languages.flatMap { language in
      (regions[language] ?? []).map { (region: Array($0.utf8), language: Array(language.utf8)) }
    }
    try read(source, staging, reading, ["titleId", "title", "region", "types"]) { cells, places in
      guard let number = cells[places[0]].number(behind: "tt") else { return .damaged }
      guard kept.contains(number) else { return .orphan }
      let region = cells[places[2]]
      guard let place = wanted.first(where: { $0.region.elementsEqual(region) }) else { return .otherKind }
      // Only the title under which the film is shown in a region: others are working titles and the like.
      let types = cells[places[3]]
      guard types.isEmpty || ByteFinder("imdbDisplay").first(in: types) != nil else { return .otherKind }
      let text = cleaner.line(cells[places[1]])
      guard !text.isEmpty else { return .untitled }
      try place.language.withUnsafeBytes { try staging.addOtherTitle(number, text, language: $0) }
      return nil
    }
  }
}

extension Staging {
  /// The numbers of the titles so far.
  func titleNumbers() throws -> NumberSet { try numbers("SELECT number FROM title") }

  /// The numbers of the names that titles have.
  func creditedNames() throws -> NumberSet {
    try numbers("SELECT name FROM credit UNION ALL SELECT by FROM title WHERE by IS NOT NULL")
  }
}
