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
        recognizes: { TarStream.recognizes($0) }, read: MusicBrainzDump.read)
    ],
    // Various Artists.
    anonymous: [2 * 1], ranksByCreator: true,
    ids: IDs(
      id: { id, isEdition in
        ExternalID(source: MusicBrainzDump.id, value: (isEdition ? "" : "release-group/") + id.uuid)
      },
      key: { id in
        let isGroup = id.value.hasPrefix("release-group/")
        var uuid = String(isGroup ? id.value.dropFirst("release-group/".count) : id.value[...])
        guard id.source == MusicBrainzDump.id, let bytes = uuid.withUTF8({ CopiedID.bytes(uuid: Bytes($0)) }) else {
          return nil
        }
        return bytes.withUnsafeBufferPointer { CopiedID(number: 0, bytes: $0) }.key(isEdition: !isGroup)
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

  static func read(_ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading) throws {
    let tar = TarStream(source)
    let begin = staging.state.offset
    var found: Set<String> = []
    if begin == 0 { try staging.makeTables(tables) }
    while let member = try tar.next() {
      let name = member.name.split(separator: "/").last.map(String.init) ?? ""
      let start = tar.offset
      if name == "SCHEMA_SEQUENCE" {
        let text = String(decoding: try tar.content().beginning(1_000), as: UTF8.self).filter(\.isNumber)
        guard let schema = Int(text), schemas.contains(schema) else {
          throw DumpProblem(
            .version, "the dump has the schema \(text), of which the columns are not known",
            hint: "a newer version of catalog may read it")
        }
      }
      guard let table = Table.all.first(where: { $0.name == name }), member.name.hasPrefix("mbdump/") else { continue }
      found.insert(name)
      // Read before the build was interrupted.
      if start + member.size <= begin, begin > 0 { continue }
      var lines = LineScanner(ByteWindow(tar.content()))
      if begin > start, try !lines.skip(to: begin - start) { throw DumpProblem.cut(reading.path) }
      var cells = TabbedCells()
      let row = try table.reader(staging)
      var tooLong = 0
      while let line = try lines.next() {
        staging.count(.tooLong, lines.tooLong - tooLong)
        tooLong = lines.tooLong
        // The end of the rows in old dumps.
        if line.equals("\\.") { continue }
        cells.split(line)
        let reason = cells.count >= table.columns ? try row(cells) : .damaged
        try staging.finishRecord(at: start + lines.offset, leftOut: reason)
      }
      staging.count(.tooLong, lines.tooLong - tooLong)
      guard !lines.isCut else { throw DumpProblem.cut(reading.path) }
    }
    for table in Table.all where table.isRequired && !found.contains(table.name) {
      throw DumpProblem(.damaged, "'\(reading.path)' has no table '\(table.name)'")
    }
  }

  /// A table of the dump, and how its rows are staged.
  private struct Table: Sendable {
    let name: String
    /// The least number of columns.
    let columns: Int
    var isRequired = false
    /// Makes the function that stages a row.
    let reader: @Sendable (Staging) throws -> (borrowing TabbedCells) throws -> LeftOut?

    static let all: [Table] = [
      Table(name: "artist_credit", columns: 2, isRequired: true) { staging in
        let cleaner = TextCleaner()
        return { cells in
          guard let id = cells[0].number else { return .damaged }
          let name = cleaner.line(cells[1], .copy)
          guard !name.isEmpty else { return .untitled }
          try staging.addName(2 * id) { name }
          return nil
        }
      },
      Table(name: "label", columns: 3) { staging in
        let cleaner = TextCleaner()
        return { cells in
          guard let id = cells[0].number else { return .damaged }
          let name = cleaner.line(cells[2], .copy)
          guard !name.isEmpty else { return .untitled }
          try staging.addName(2 * id + 1) { name }
          return nil
        }
      },
      Table(name: "release_group", columns: 5, isRequired: true) { staging in
        let cleaner = TextCleaner()
        return { cells in
          guard let id = cells[0].number, let uuid = CopiedID.bytes(uuid: cells[1]) else { return .damaged }
          let name = cleaner.line(cells[2], .copy)
          guard !name.isEmpty else { return .untitled }
          return try uuid.withUnsafeBytes { uuid in
            let title = StagedTitle(
              number: id, title: name, by: cells[3].number.map { 2 * $0 }, kinds: .music, id: uuid)
            return try staging.add(title) ? nil : .repeated
          }
        }
      },
      Table(name: "release", columns: 10, isRequired: true) { staging in
        { cells in
          guard let id = cells[0].number, let uuid = CopiedID.bytes(uuid: cells[1]), let group = cells[4].number else {
            return .damaged
          }
          staging.addPoints(group, 1)
          try uuid.withUnsafeBytes { uuid in
            try staging.add(
              StagedEdition(
                title: group, number: id, kinds: .music, id: uuid,
                codes: [CodeKey.barcode(cells[9])].compactMap(\.self)))
          }
          return nil
        }
      },
      Table(name: "release_label", columns: 4) { staging in
        let insert = try staging.db.prepare("INSERT INTO mb_label VALUES (?1, ?2, ?3)")
        let cleaner = TextCleaner()
        return { cells in
          guard let release = cells[1].number else { return .damaged }
          insert.bind(1, release)
          insert.bind(2, cells[2].number.map { 2 * $0 + 1 })
          let number = cleaner.line(cells[3], .copy)
          if number.isEmpty || number.count > 100 { insert.bind(3, nil) } else { insert.bind(3, text: number) }
          try insert.runBound()
          return nil
        }
      },
      Table(name: "release_country", columns: 3) { staging in
        let insert = try staging.db.prepare("INSERT INTO mb_date VALUES (?1, ?2, ?3)")
        return { cells in
          guard let release = cells[0].number else { return .damaged }
          insert.bind(1, release)
          insert.bind(2, cells[1].number)
          insert.bind(3, cells[2].number.flatMap { (1860...2200).contains($0) ? $0 : nil })
          try insert.runBound()
          return nil
        }
      },
      Table(name: "release_unknown_country", columns: 2) { staging in
        let insert = try staging.db.prepare("INSERT INTO mb_date VALUES (?1, NULL, ?2)")
        return { cells in
          guard let release = cells[0].number else { return .damaged }
          insert.bind(1, release)
          insert.bind(2, cells[1].number.flatMap { (1860...2200).contains($0) ? $0 : nil })
          try insert.runBound()
          return nil
        }
      },
      Table(name: "medium", columns: 4) { staging in
        let insert = try staging.db.prepare("INSERT INTO mb_medium VALUES (?1, ?2)")
        return { cells in
          guard let release = cells[1].number else { return .damaged }
          guard let format = cells[3].number else { return nil }
          insert.bind(1, release)
          insert.bind(2, format)
          try insert.runBound()
          return nil
        }
      },
      Table(name: "medium_format", columns: 2) { staging in
        let insert = try staging.db.prepare("INSERT OR IGNORE INTO mb_format VALUES (?1, ?2)")
        let cleaner = TextCleaner()
        return { cells in
          insert.bind(1, cells[0].number)
          insert.bind(2, text: cleaner.line(cells[1], .copy))
          try insert.runBound()
          return nil
        }
      },
      Table(name: "iso_3166_1", columns: 2) { staging in
        let insert = try staging.db.prepare("INSERT OR IGNORE INTO mb_country VALUES (?1, ?2)")
        return { cells in
          insert.bind(1, cells[0].number)
          insert.bind(2, text: cells[1])
          try insert.runBound()
          return nil
        }
      },
    ]
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
      try db.run("CREATE INDEX IF NOT EXISTS by_text ON term (text)")
      // The texts become terms first, in the order of their numbers.
      for texts in ["SELECT code FROM mb_country ORDER BY area", "SELECT name FROM mb_format ORDER BY id"] as [SQL] {
        for text in try db.values(texts, as: String.self) { try staging.keepTerm(text) }
      }
      try db.run(
        """
        UPDATE edition SET
          label = (SELECT label FROM mb_label l WHERE l.release = number ORDER BY l.rowid LIMIT 1),
          catno = (SELECT catno FROM mb_label l WHERE l.release = number AND catno IS NOT NULL ORDER BY l.rowid LIMIT 1),
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
          WHERE EXISTS (SELECT 1 FROM edition e WHERE e.title = title.number AND e.kind = \(CopiedKinds.music.rawValue))
          """)
        try db.run("DELETE FROM edition WHERE kind = \(CopiedKinds.music.rawValue)")
      }
    }
  }
}
