internal import CatalogModel
internal import Lookup
internal import Processes
internal import SQLite

extension Dump {
  /// MusicBrainz: albums (*release groups*) and their pressings (*releases*) with labels, catalog numbers and barcodes.
  ///
  /// <https://musicbrainz.org/doc/MusicBrainz_Database/Download>: `mbdump.tar.bz2`, a table a file, in the form of
  /// PostgreSQL's COPY. The columns are known by their places, which the schema's number vouches for.
  static let musicBrainz = Dump(
    id: MusicBrainzDump.id, name: "MusicBrainz", kinds: [.vinyl, .music],
    page: "https://data.metabrainz.org/pub/musicbrainz/data/fullexport/",
    license: License(words: "CC0, no rights reserved, for the core data, which is all that is read", isPersonal: false),
    attribution: "Data from MusicBrainz (https://musicbrainz.org), CC0; covers from the Cover Art Archive",
    files: [
      File(
        name: "mbdump.tar.bz2", purpose: "albums and pressings", isRequired: true, recordSize: 1_500,
        size: 6_900_000_000,
        members: ["SCHEMA_SEQUENCE"] + MusicBrainzDump.columns.keys.sorted().map { "mbdump/\($0)" },
        recognizes: { $0.dropFirst(257).starts(with: "ustar".utf8) }, read: MusicBrainzDump.read)
    ],
    // Various Artists.
    anonymous: [2 * 1], ranksByCreator: true,
    ids: IDs(
      id: { id, isEdition in
        ExternalID(source: MusicBrainzDump.id, value: (isEdition ? "" : "release-group/") + id.uuid)
      },
      key: { id in
        let isGroup = id.value.hasPrefix("release-group/")
        let uuid = String(isGroup ? id.value.dropFirst("release-group/".count) : id.value[...])
        guard id.source == MusicBrainzDump.id, let bytes = CopiedID.bytes(uuid: uuid) else { return nil }
        return CopiedID(bytes: bytes).key(isEdition: !isGroup)
      }),
    join: MusicBrainzDump.join,
    finish: { record, title in
      record.url = record.externalIDs.first?.page
      record.artworkURL = "https://coverartarchive.org/release-group/\(title.id.uuid)/front-500"
    })
}

private enum MusicBrainzDump {
  static let id = "musicbrainz"
  /// The numbers of the schemas in which the columns are where they are looked for.
  private static let schemas = 26...31

  /// The tables that belong to pressings, until ``join(_:_:)`` has joined them.
  private static let tables: StaticString = """
    CREATE TABLE IF NOT EXISTS mb_label (release INTEGER NOT NULL, label INTEGER, catno TEXT) STRICT;
    CREATE TABLE IF NOT EXISTS mb_date (release INTEGER NOT NULL, country INTEGER, year INTEGER) STRICT;
    CREATE TABLE IF NOT EXISTS mb_medium (release INTEGER NOT NULL, format INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS mb_format (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS mb_country (area INTEGER PRIMARY KEY, code TEXT NOT NULL) STRICT;
    """

  /// The tables that are read, with the least number of their columns.
  static let columns = [
    "artist_credit": 2, "label": 3, "release_group": 5, "release": 10, "release_label": 4, "release_country": 3,
    "release_unknown_country": 2, "medium": 4, "medium_format": 2, "iso_3166_1": 2,
  ]

  /// Queries that find a row of the tables without which there is no copy.
  private static let needed: [(table: String, rows: SQL)] = [
    ("artist_credit", "SELECT 1 FROM name WHERE id % 2 = 0"), ("release_group", "SELECT 1 FROM title"),
    ("release", "SELECT 1 FROM edition"),
  ]

  static func read(_ reading: Dump.Reading) throws {
    let db = reading.staging.db
    try db.execute(script: tables)
    var lines = LineScanner(reading.source)
    try reading.forEach(in: &lines) { line in
      // Before each line stands the path of its file.
      let tab = line.index(of: 0x09) ?? 0
      let table = line.part(0, tab).text
      let cells = Cells(line.part(min(tab + 1, line.count), line.count))
      guard table != "SCHEMA_SEQUENCE" else {
        guard let schema = cells[0].trimmed.number, schemas.contains(schema) else {
          throw DumpProblem(
            .version, "the dump has the schema \(cells[0].text), of which the columns are not known",
            hint: "a newer version of catalog may read it")
        }
        return nil
      }
      // The end of the rows in old dumps.
      if cells[0].equals("\\.") { return nil }
      let name = String(table.dropFirst("mbdump/".count))
      guard let least = columns[name], cells.count >= least else { return .damaged }
      return try stage(cells, of: name, in: reading.staging)
    }
    for (table, rows) in needed where try db.value(rows, as: Int.self) == nil {
      throw DumpProblem(.damaged, "'\(reading.path)' has no table '\(table)'")
    }
  }

  /// Stages a row of a table, or returns the reason to leave it out.
  private static func stage(_ cells: Cells, of table: String, in staging: Staging) throws -> LeftOut? {
    let db = staging.db
    func year(_ cell: Bytes) -> Int? { cell.number.flatMap { (1860...2200).contains($0) ? $0 : nil } }
    // In the two tables the pressing is in the second column.
    let isPart = table == "release_label" || table == "medium"
    guard let id = cells[isPart ? 1 : 0].number else { return .damaged }
    switch table {
    case "artist_credit": return try staging.addName(DumpText.copy(cells[1]), 2 * id) == nil ? .untitled : nil
    case "label": return try staging.addName(DumpText.copy(cells[2]), 2 * id + 1) == nil ? .untitled : nil
    case "release_group":
      guard let uuid = CopiedID.bytes(uuid: cells[1].text) else { return .damaged }
      let name = DumpText.copy(cells[2])
      guard !name.isEmpty else { return .untitled }
      let group = StagedTitle(
        number: id, title: name, by: cells[3].number.map { 2 * $0 }, kinds: .music, uuid: uuid)
      return try staging.add(group) ? nil : .repeated
    case "release":
      guard let uuid = CopiedID.bytes(uuid: cells[1].text), let group = cells[4].number else { return .damaged }
      try staging.addPoints(group, 1)
      let codes = [CodeKey.barcode(cells[9].text)].compactMap(\.self)
      try staging.add(StagedTitle(number: id, kinds: .music, uuid: uuid, codes: codes), of: group)
    case "release_label":
      let number = DumpText.copy(cells[3])
      let catno = number.isEmpty || number.utf8.count > 100 ? nil : number
      try db.run("INSERT INTO mb_label VALUES (\(id), \(cells[2].number.map { 2 * $0 + 1 }), \(catno))")
    case "release_country":
      try db.run("INSERT INTO mb_date VALUES (\(id), \(cells[1].number), \(year(cells[2])))")
    case "release_unknown_country": try db.run("INSERT INTO mb_date VALUES (\(id), NULL, \(year(cells[1])))")
    case "medium":
      if let format = cells[3].number { try db.run("INSERT INTO mb_medium VALUES (\(id), \(format))") }
    case "medium_format": try db.run("INSERT OR IGNORE INTO mb_format VALUES (\(id), \(DumpText.copy(cells[1])))")
    default: try db.run("INSERT OR IGNORE INTO mb_country VALUES (\(id), \(DumpText.line(cells[1].text)))")
    }
    return nil
  }

  /// Adds to pressings their labels, years, countries and formats, and removes those that are not on vinyl, unless
  /// music is wanted. It may run twice.
  static func join(_ staging: Staging, _ options: SourceCopyOptions) throws {
    let db = staging.db
    try db.transaction {
      for table in ["mb_label", "mb_date", "mb_medium"] {
        try db.run("CREATE INDEX IF NOT EXISTS \(identifier: "by_\(table)") ON \(identifier: table) (release)")
      }
      try db.run("CREATE INDEX IF NOT EXISTS by_title ON edition (title)")
      try db.run("INSERT OR IGNORE INTO term (text) SELECT code FROM mb_country WHERE code <> '' ORDER BY area")
      try db.run("INSERT OR IGNORE INTO term (text) SELECT name FROM mb_format WHERE name <> '' ORDER BY id")
      try db.run(
        """
        UPDATE edition SET
          label = (SELECT label FROM mb_label l WHERE l.release = number ORDER BY l.rowid LIMIT 1),
          catno = (SELECT catno FROM mb_label l
            WHERE l.release = number AND catno IS NOT NULL ORDER BY l.rowid LIMIT 1),
          year = (SELECT min(year) FROM mb_date d WHERE d.release = number),
          origin = (SELECT term.id FROM mb_date d JOIN mb_country c ON c.area = d.country JOIN term ON term.text = c.code
            WHERE d.release = number ORDER BY d.rowid LIMIT 1),
          format = (SELECT term.id FROM mb_medium m JOIN mb_format f ON f.id = m.format JOIN term ON term.text = f.name
            WHERE m.release = number ORDER BY m.rowid LIMIT 1),
          kind = iif(EXISTS (SELECT 1 FROM mb_medium m JOIN mb_format f ON f.id = m.format
            WHERE m.release = number AND f.name LIKE '%vinyl%'),
            \((CopiedKinds.vinyl.union(.music)).rawValue), \(CopiedKinds.music.rawValue))
        """)
      if options.kinds?.contains(.music) != true {
        // The years of all pressings tell when the album came out.
        try db.run(
          """
          UPDATE title SET year = (SELECT min(e.year) FROM edition e WHERE e.title = title.number)
          WHERE EXISTS (
            SELECT 1 FROM edition e WHERE e.title = title.number AND e.kind = \(CopiedKinds.music.rawValue))
          """)
        try db.run(
          "DELETE FROM code WHERE edition IN (SELECT number FROM edition WHERE kind = \(CopiedKinds.music.rawValue))")
        try db.run("DELETE FROM edition WHERE kind = \(CopiedKinds.music.rawValue)")
      }
    }
  }
}
