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

  static func readBasics(_ reading: Dump.Reading) throws {
    let staging = reading.staging
    let columns = [
      "tconst", "titleType", "primaryTitle", "originalTitle", "isAdult", "startYear", "runtimeMinutes", "genres",
    ]
    try reading.forEachRow(columns) { cells in
      guard let number = cells[0].number(behind: "tt") else { return .untitled }
      guard reading.options.types.contains(cells[1].text) else { return .otherKind }
      guard !cells[4].equals("1") else { return .adult }
      var title = StagedTitle(number: number, title: DumpText.line(cells[2].text), kinds: .movie)
      guard !title.title.isEmpty else { return .untitled }
      title.year = cells[5].number.flatMap { (1800...2200).contains($0) ? $0 : nil }
      title.extra = cells[6].number.flatMap { (1...60_000).contains($0) ? $0 : nil }
      // Three names between commas become one line of names.
      if cells[7].count <= 200 { title.genres = try staging.term(cells[7].text.replacing(",", with: "; ")) }
      guard try staging.add(title) else { return .repeated }
      let original = DumpText.line(cells[3].text)
      if !original.isEmpty, original != title.title { try staging.addOtherTitle(number, original, language: nil) }
      return nil
    }
  }

  static func readRatings(_ reading: Dump.Reading) throws {
    try reading.forEachRow(["tconst", "averageRating", "numVotes"]) { cells in
      guard let number = cells[0].number(behind: "tt"), let votes = cells[2].number else { return .damaged }
      // `8.8` of 10.
      let average = cells[1].filter { $0 != UInt8(ascii: ".") }
      let tenths = average.number.map { average.count == 1 ? 10 * $0 : $0 }
      let rating = tenths.flatMap { (0...100).contains($0) ? $0 : nil }
      let kept = try reading.staging.db.run("UPDATE title SET rating = \(rating) WHERE number = \(number)")
      guard kept > 0 else { return .orphan }
      try reading.staging.addPoints(number, votes)
      return nil
    }
  }

  static func readCrew(_ reading: Dump.Reading) throws {
    try reading.forEachRow(["tconst", "directors"]) { cells in
      guard let number = cells[0].number(behind: "tt") else { return .damaged }
      // A series of shorts has hundreds.
      let directors = cells[1].split(separator: UInt8(ascii: ",")).prefix(10)
        .compactMap { $0.number(behind: "nm") }.withoutRepeats(by: \.self)
      let kept = try reading.staging.db.run("UPDATE title SET by = \(directors.first) WHERE number = \(number)")
      guard kept > 0 else { return .orphan }
      try reading.staging.addCredits(number, directors.dropFirst())
      return nil
    }
  }

  static func readNames(_ reading: Dump.Reading) throws {
    try reading.staging.noteCreators()
    try reading.forEachRow(["nconst", "primaryName"]) { cells in
      guard let number = cells[0].number(behind: "nm") else { return .damaged }
      guard try reading.staging.isCredited(number) else { return .orphan }
      return try reading.staging.addName(DumpText.line(cells[1].text), number) == nil ? .untitled : nil
    }
  }

  /// The regions in which a title is in a language. A title of region `XWW` is the one in the world.
  private static let regions: [String: [String]] = [
    "ko": ["KR"], "en": ["US", "GB", "XWW"], "ja": ["JP"], "de": ["DE"], "fr": ["FR"], "es": ["ES", "MX"],
    "it": ["IT"], "pt": ["PT", "BR"], "zh": ["CN", "TW", "HK"], "ru": ["RU"],
  ]

  static func readAkas(_ reading: Dump.Reading) throws {
    let db = reading.staging.db
    try reading.forEachRow(["titleId", "title", "region", "types"]) { cells in
      guard let number = cells[0].number(behind: "tt") else { return .damaged }
      let region = cells[2].text
      // Only the title under which the film is shown in a region: others are working titles and the like.
      guard let language = reading.options.languages.first(where: { regions[$0]?.contains(region) == true }),
        cells[3].isEmpty || cells[3].index(of: Array("imdbDisplay".utf8)) != nil
      else { return .otherKind }
      let kept: Int? = try db.value("SELECT number FROM title WHERE number = \(number)")
      guard kept != nil else { return .orphan }
      let text = DumpText.line(cells[1].text)
      guard !text.isEmpty else { return .untitled }
      try reading.staging.addOtherTitle(number, text, language: language)
      return nil
    }
  }
}
