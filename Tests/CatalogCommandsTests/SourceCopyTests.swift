import CatalogModel
import CatalogStore
import FoundationEssentials
import Glibc
import Lookup
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands

struct SourceCopyTests {
  let catalog: TestCatalog
  let folder: TemporaryFolder

  init() throws {
    catalog = try TestCatalog()
    folder = try TemporaryFolder()
    catalog.places = Places(environment: ["HOME": folder.path])
    catalog.readsConfiguration = true
    catalog.http = .offline
    try write(
      "title.basics.tsv",
      [
        "tconst\ttitleType\tprimaryTitle\toriginalTitle\tisAdult\tstartYear\tendYear\truntimeMinutes\tgenres",
        "tt0068646\tmovie\tThe Godfather\tThe Godfather\t0\t1972\t\\N\t175\tCrime,Drama",
        "tt6751668\tmovie\tParasite\tGisaengchung\t0\t2019\t\\N\t132\tDrama,Thriller",
        "tt0000001\tshort\tCarmencita\tCarmencita\t0\t1894\t\\N\t1\tDocumentary,Short",
      ])
    try write(
      "title.akas.tsv",
      [
        "titleId\tordering\ttitle\tregion\tlanguage\ttypes\tattributes\tisOriginalTitle",
        "tt6751668\t1\t기생충\tKR\tko\timdbDisplay\t\\N\t0",
      ])
  }

  private func write(_ name: String, _ lines: [String]) throws {
    let path = folder.path("dump/\(name)")
    try FileManager.default.createDirectory(atPath: folder.path("dump"), withIntermediateDirectories: true)
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
  }

  private func build() throws {
    let run = catalog.run("source", "build", "imdb", folder.path("dump"), "--yes")
    try #require(run.status == 0, "\(run.errors)")
  }

  private func buildBooks() throws {
    try write(
      "books.csv",
      [
        "SEQ_NO,ISBN_THIRTEEN_NO,VLM_NM,TITLE_NM,AUTHR_NM,PUBLISHER_NM,PBLICTE_DE,ADTION_SMBL_NM,PRC_VALUE,IMAGE_URL,"
          + "BOOK_INTRCN_CN,KDC_NM,TITLE_SBST_NM,AUTHR_SBST_NM,TWO_PBLICTE_DE,INTNT_BOOKST_BOOK_EXST_AT,"
          + "PORTAL_SITE_BOOK_EXST_AT,ISBN_NO",
        "1,9788936434120,,소년이 온다,한강 지음,창비,2014-05-19,0381,12000,,,813.7,,,2014-05-19,Y,Y,8936434128",
      ])
    let built = catalog.run("source", "build", "nlk", folder.path("dump/books.csv"))
    try #require(built.status == 0, "\(built.errors)")
  }

  @Test func `source build without a file lists the files, their page and their terms`() {
    let run = catalog.run("source", "build", "imdb")
    #expect(run.status == 0)
    for words in ["https://datasets.imdbws.com/", "title.basics.tsv.gz", "personal, non-commercial use only"] {
      #expect(run.output.contains(words), "\(words)")
    }
    let unknown = catalog.run("source", "build", "imbd")
    #expect(unknown.status == 2)
    #expect(unknown.errors.contains("there is no dump 'imbd'; did you mean 'imdb'?"))
  }

  @Test func `source build asks once for the agreement to personal terms`() throws {
    let words = ["source", "build", "imdb", folder.path("dump")]
    #expect(catalog.run(words).errors.contains("Do you agree?"))
    catalog.atTerminal()
    catalog.input = ["n"]
    #expect(catalog.run(words).errors.contains("nothing was built"))
    #expect(catalog.run("source", "copy").status == 1)
    catalog.input = ["y"]
    #expect(catalog.run(words).status == 0)
    catalog.input = []
    let again = catalog.run(words)
    #expect(again.status == 0, "\(again.errors)")
  }

  @Test func `source build reports what it kept and what it left out`() throws {
    let run = catalog.run("source", "build", "imdb", folder.path("dump"), "--yes")
    #expect(run.output.contains("built a copy of IMDb: 2 titles, "))
    #expect(run.output.contains("left out of title.basics.tsv.gz: 1 of another kind"))
    #expect(run.output.contains("Information courtesy of IMDb"))
    #expect(run.errors.contains("title.ratings.tsv.gz is missing: votes, by which films are ranked"))
    let list = catalog.run("source", "copy", "list", "--json")
    #expect(list.output.contains(#""source":"imdb""#))
    #expect(list.output.contains(#""titles":2"#))
    let dry = catalog.run("source", "build", "imdb", folder.path("dump"), "-n")
    #expect(dry.output.hasPrefix("would build a copy of IMDb from 'title.basics.tsv'"), "\(dry)")
  }

  /// Puts something else in the place of the copy of IMDb.
  enum Wrong: String, CaseIterable {
    case pipe, folder, text, database, view, manyFacts, longFact, cut

    func put(at path: String) throws {
      let manager = FileManager.default
      func change(_ script: String) throws { try Connection(.file(path)).execute(script: Array(script.utf8)) }
      if [.pipe, .folder, .text, .database].contains(self) { try manager.removeItem(atPath: path) }
      let endless = "AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"
      switch self {
      case .pipe: try #require(mkfifo(path, 0o600) == 0)
      case .folder: try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
      case .text: try Data("to whom it may concern".utf8).write(to: URL(filePath: path))
      case .database: try change("CREATE TABLE about (name TEXT, value TEXT)")
      case .view: try change("DROP TABLE about; CREATE VIEW about \(endless) 'x' || i AS name, 'y' AS value FROM n")
      case .manyFacts:
        try change("DELETE FROM about; INSERT INTO about SELECT 'a' || value, '' FROM json_each('[1,2,3]')")
      case .longFact: try change("UPDATE about SET value = CAST(zeroblob(3000000) AS TEXT)")
      case .cut: try Data(contentsOf: URL(filePath: path)).prefix(5_000).write(to: URL(filePath: path))
      }
    }
  }

  @Test(.timeLimit(.minutes(Patience.minutes)), arguments: Wrong.allCases)
  func `a copy that is none is passed over`(wrong: Wrong) throws {
    try build()
    let path = folder.path(".cache/catalog/copies/imdb.db")
    try wrong.put(at: path)
    let added = catalog.run("add", "movie", "--title", "Ran", "--creator", "Akira Kurosawa", "--year", "1985")
    #expect(added.status == 0, "\(added)")
    for words in [["search", "godfather"], ["show", "1"], ["complete", "Akira"], ["pick", "--new"]] {
      let run = catalog.run(["--offline"] + words)
      #expect(run.status < 3, "\(words): \(run)")
    }
    let list = catalog.run("source", "copy", "list")
    #expect(list.status == 1)
    #expect(list.errors.contains("there is no copy of a source"), "\(list)")
    let removed = catalog.run("source", "copy", "remove", "imdb", "--yes")
    #expect(removed.status == (wrong == .folder ? 1 : 0), "\(removed)")
    #expect(FileManager.default.fileExists(atPath: path) == (wrong == .folder))
  }

  /// The tables that are asked for words, keys and names.
  @Test(.timeLimit(.minutes(Patience.minutes)), arguments: ["key", "other_title", "more_by", "title", "name", "term"])
  func `a view without end in the place of a table of a copy is not asked`(table: String) throws {
    try build()
    try Connection(.file(folder.path(".cache/catalog/copies/imdb.db"))).execute(
      script: Array(
        """
        DROP TABLE \(table); CREATE VIEW \(table) AS WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)
        SELECT id, id AS entries, 1 AS title, 1 AS place, 'x' AS text, 'ko' AS language, 1 AS name FROM n
        """.utf8))
    for words in [["search", "godfather"], ["complete", "Akira"], ["source", "copy", "list"]] {
      #expect(catalog.run(["--offline"] + words).status < 3)
    }
  }

  @Test func `a file of another kind and a cut file are refused`() throws {
    try write("other.csv", ["Title,Year", "Heat,1995"])
    let other = catalog.run("source", "build", "imdb", folder.path("dump/other.csv"), "--yes")
    #expect(other.status == 2, "\(other.errors)")
    #expect(other.errors.contains("other.csv"), "\(other.errors)")
    let path = folder.path("dump/title.basics.tsv")
    let whole = try Data(contentsOf: URL(filePath: path))
    try whole.dropLast(9).write(to: URL(filePath: path))
    let cut = catalog.run("source", "build", "imdb", folder.path("dump"), "--yes")
    #expect(cut.status == 1, "\(cut.errors)")
    #expect(cut.errors.contains("is cut off: it ends too early"), "\(cut.errors)")
    #expect(catalog.run("source", "copy").status == 1)
  }

  @Test func `a copy answers a search when no source can be reached`() throws {
    try build()
    catalog.http = HTTPClient(each: { .failure(.unreachable(host: $0.host)) })
    let run = catalog.run("search", "gisaeng", "--kind", "movie")
    #expect(run.output.contains("기생충") || run.output.contains("Parasite"), "\(run)")
    #expect(run.errors.contains("the copy of IMDb on this computer answers instead"), "\(run.errors)")
    let offline = catalog.run("--offline", "search", "기생충", "--kind", "movie", "--json")
    #expect(offline.output.contains(#""source":"imdb","source_id":"tt6751668""#), "\(offline)")
    #expect(!offline.errors.contains("instead"))
    // No part of it is fetched.
    let added = catalog.run("--offline", "add", "r1")
    #expect(added.status == 0, "\(added)")
    #expect(added.errors.isEmpty, "\(added)")
    #expect(try catalog.store.item(.init(rawValue: 1)).record.movie.minutes == 132)
  }

  @Test func `a copy that is asked first answers before the network`() throws {
    try build()
    #expect(catalog.run("config", "set", "sources.imdb.copy", "second").status == 2)
    #expect(catalog.run("config", "set", "sources.imdb.copy", "first").status == 0)
    let run = catalog.run("search", "godfather", "--kind", "movie")
    #expect(run.output.contains("The Godfather"), "\(run)")
    #expect(run.errors.isEmpty, "\(run)")
    #expect(catalog.run("source", "copy", "list").output.contains("first"))
  }

  @Test func `an IMDb id is found in the copy`() throws {
    #expect(catalog.run("add", "tt0068646").status == 1)
    try build()
    let run = catalog.run("add", "https://www.imdb.com/title/tt0068646/")
    #expect(run.status == 0, "\(run)")
    #expect(run.output.contains("The Godfather"), "\(run)")
    let missing = catalog.run("--offline", "show", "imdb:tt9999999")
    #expect(missing.status != 0, "\(missing)")
  }

  @Test func `a source without a copy is explained`() {
    let run = catalog.run("search", "heat", "--source", "imdb")
    #expect(run.status == 3)
    #expect(run.errors.contains("there is no copy of IMDb on this computer"), "\(run.errors)")
    #expect(run.errors.contains("catalog source build imdb"))
    #expect(catalog.run("search", "한강", "--source", "nlk").errors.contains("catalog source build nlk"))
  }

  @Test func `a copy that cannot be read is warned of`() throws {
    try build()
    try Data("no database".utf8).write(to: URL(filePath: folder.path(".cache/catalog/copies/imdb.db")))
    catalog.http = HTTPClient(each: { .failure(.unreachable(host: $0.host)) })
    let run = catalog.run("search", "godfather", "--kind", "movie")
    #expect(run.errors.contains("the copy of IMDb cannot be read: "), "\(run.errors)")
    #expect(run.errors.contains("the built-in pack answers instead"))
  }

  @Test func `a copy of an older form is named with the command that builds it again`() throws {
    try build()
    let path = folder.path(".cache/catalog/copies/imdb.db")
    try Connection(.file(path)).execute(
      script: """
        PRAGMA user_version = 1; DROP TABLE key; CREATE TABLE key (first INTEGER PRIMARY KEY, block BLOB NOT NULL);
        """)
    let films = try folder.write("Title,Year\nUnknown Film,2001\n", to: "films.csv")
    for words in [
      ["source", "copy", "list"], ["source", "update"], ["source", "update", "imdb"], ["search", "godfather"],
      ["search", "godfather", "--source", "imdb"], ["add", "tt6751668"], ["complete", "Coppola"],
      ["import", films, "--kind", "movie", "--yes"],
    ] {
      let run = catalog.run(["--offline"] + words)
      #expect(run.status < 4, "\(words): \(run)")
      #expect(run.errors.contains("build it again: catalog source build imdb FOLDER"), "\(words): \(run)")
    }
    try build()
    #expect(catalog.run("--offline", "search", "godfather").output.contains("The Godfather"))
  }

  @Test func `a copy that is asked first answers an id and a code without a request`() throws {
    try build()
    catalog.run("config", "set", "sources.imdb.copy", "first")
    let film = catalog.run("add", "tt0068646")
    #expect(film.status == 0, "\(film)")
    #expect(film.errors.isEmpty, "\(film)")
    try buildBooks()
    catalog.run("config", "set", "sources.nlk.copy", "first")
    let found = catalog.run("search", "9788936434120")
    #expect(found.output.contains("소년이 온다"), "\(found)")
    #expect(found.errors.isEmpty, "\(found)")
    let book = catalog.run("add", "--isbn", "9788936434120")
    #expect(book.status == 0, "\(book)")
    #expect(book.errors.isEmpty, "\(book)")
  }

  @Test func `emptying the cache leaves copies`() throws {
    try build()
    catalog.cache = CacheDatabase(path: folder.path(".cache/catalog/cache.db"))
    #expect(catalog.run("cache", "clear").status == 0)
    #expect(catalog.run("source", "copy", "list").output.hasPrefix("imdb\t"))
  }

  @Test func `an ISBN is looked up in the copy of the National Library of Korea`() throws {
    try buildBooks()
    let run = catalog.run("--offline", "add", "--isbn", "9788936434120")
    #expect(run.status == 0, "\(run)")
    #expect(run.output.contains("소년이 온다"), "\(run)")
    let found = catalog.run("--offline", "search", "9788936434120", "--json")
    #expect(found.output.contains(#""source":"nlk""#) || found.output.contains("소년이 온다"), "\(found)")
  }

  @Test func `source copy remove removes the file`() throws {
    try build()
    #expect(catalog.run("source", "copy", "remove", "imdb", "-n").output.hasPrefix("would remove the copy of IMDb, "))
    #expect(catalog.run("source", "copy", "remove", "imdb", "--yes").output.hasPrefix("removed the copy of IMDb, "))
    #expect(catalog.run("source", "copy", "remove", "imdb", "--yes").status == 0)
    #expect(!FileManager.default.fileExists(atPath: folder.path(".cache/catalog/copies/imdb.db")))
  }

  // MARK: Use

  /// Seven films: five by one director, of which two are dramas.
  private func buildFilms() throws {
    let films = [
      (1, "Memories of Murder", 2003, "Crime,Drama"), (2, "Mother", 2009, "Crime,Drama"),
      (3, "The Host", 2006, "Action,Horror"), (4, "Snowpiercer", 2013, "Action,Sci-Fi"), (5, "Okja", 2017, "Action"),
      (6, "Heat", 1995, "Crime,Drama"), (7, "Alien", 1979, "Horror,Sci-Fi"),
    ]
    try write(
      "title.basics.tsv",
      ["tconst\ttitleType\tprimaryTitle\toriginalTitle\tisAdult\tstartYear\tendYear\truntimeMinutes\tgenres"]
        + films.map { "tt\($0.0)\tmovie\t\($0.1)\t\($0.1)\t0\t\($0.2)\t\\N\t130\t\($0.3)" })
    try write(
      "title.crew.tsv",
      ["tconst\tdirectors\twriters"] + films.map { "tt\($0.0)\tnm\($0.0 < 6 ? 1 : $0.0)\t\\N" })
    try write(
      "name.basics.tsv",
      [
        "nconst\tprimaryName\tbirthYear\tdeathYear\tprimaryProfession\tknownForTitles",
        "nm1\tBong Joon Ho\t1969\t\\N\tdirector\t\\N", "nm6\tMichael Mann\t1943\t\\N\tdirector\t\\N",
        "nm7\tRidley Scott\t1937\t\\N\tdirector\t\\N",
      ])
    try build()
  }

  @Test func `refresh --offline fills empty fields from a copy, and changes none`() throws {
    let none = catalog.run("--offline", "refresh", "--where", "kind:movie")
    #expect(none.status == 1)
    #expect(none.errors.contains("catalog source build imdb"))
    try buildFilms()
    try catalog.add(.movie, "Heat", by: "Michael Mann", year: 1995)
    try catalog.add(.movie, "The Host", year: 2006) { $0.movie.minutes = 119 }
    try catalog.add(.movie, "Heat", year: 1986)
    let run = catalog.run("--offline", "refresh", "1", "2", "3", "--yes")
    #expect(run.status == 0, "\(run)")
    #expect(run.output.contains("refreshed 2 items"), "\(run)")
    #expect(run.errors.contains("no copy on this computer has a certain match for 1 item"), "\(run)")
    #expect(try catalog.store.item(.init(rawValue: 1)).record.movie.minutes == 130)
    let host = try catalog.store.item(.init(rawValue: 2))
    #expect(host.record.movie.minutes == 119)
    #expect(host.record.creators == ["Bong Joon Ho"])
    #expect(host.record.externalIDs.contains(ExternalID(source: "imdb", value: "tt0000003")))
    #expect(try catalog.store.item(.init(rawValue: 3)).record.movie.minutes == nil)
  }

  @Test func `refresh asks a copy when no source can be reached`() throws {
    try buildFilms()
    try catalog.add(.movie, "Heat", by: "Michael Mann", year: 1995)
    catalog.http = HTTPClient(each: { .failure(.unreachable(host: $0.host)) })
    let run = catalog.run("refresh", "1", "--yes", "--no-cover")
    #expect(run.status == 0, "\(run)")
    #expect(run.errors.contains("the copy of IMDb on this computer answers instead"), "\(run)")
    #expect(try catalog.store.item(.init(rawValue: 1)).record.movie.minutes == 130)
  }

  @Test func `an import is filled from a copy without a question, and --no-lookup leaves it alone`() throws {
    try buildFilms()
    let films = try folder.write("Title,Year\nHeat,1995\nOkja,2017\nUnknown Film,2001\n", to: "films.csv")
    let run = catalog.run("--offline", "import", films, "--kind", "movie", "--yes")
    #expect(run.output.contains("the copies of sources on this computer filled 2 items"), "\(run)")
    #expect(try catalog.store.item(.init(rawValue: 1)).record.creators == ["Michael Mann"])
    #expect(try catalog.store.item(.init(rawValue: 3)).record.creators.isEmpty)
    catalog.run("undo", "--yes")
    #expect(catalog.run("list", "--json=id").output == "[]\n")
    let other = try folder.write("Title,Year\nMother,2009\n", to: "other.csv")
    #expect(!catalog.run("import", other, "--kind", "movie", "--yes", "--no-lookup").output.contains("filled"))
    #expect(try catalog.store.externalIDs(at: "imdb").isEmpty)
  }

  @Test func `own names what has a code that is not yours`() throws {
    try buildBooks()
    let run = catalog.run("own", "9788936434120", "--json")
    #expect(run.status == 1)
    #expect(run.output.contains(#""reference":"nlk:9788936434120""#), "\(run)")
    catalog.atTerminal()
    for code in ["9788936434120", "978893643412"] {
      let shown = catalog.run("own", code)
      #expect(shown.output.hasPrefix("no   소년이 온다"), "\(shown)")
      #expect(shown.output.contains("not yours; from the copy of 국립중앙도서관"), "\(shown)")
    }
    #expect(catalog.run("--offline", "add", "r1").status == 0)
    #expect(catalog.run("own", "9780000000002").output == "no\n")
    #expect(!catalog.run("own", "소년이").output.contains("not yours"))
  }

  @Test func `complete lists what a copy has of a creator, and r1 wishes for it`() throws {
    try buildFilms()
    try catalog.add(.movie, "Okja", by: "Bong Joon Ho", year: 2017)
    let lines = catalog.run("complete", "bong joon ho").output.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("missing\t") && $0.contains("imdb:") } == 4, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("listed\t1\tmovie\t\tOkja") }, "\(lines)")
    catalog.atTerminal()
    let shown = catalog.run("--no-pager", "complete", "Bong Joon Ho", "--missing").output
    #expect(shown.contains("1 of "), "\(shown)")
    let line = try #require(shown.split(separator: "\n").first { $0.contains("Memories of Murder") })
    let number = try #require(line.split(separator: " ").first { $0.hasPrefix("r") })
    #expect(catalog.run("--offline", "wish", "\(number)").output.contains("Memories of Murder"))
    #expect(catalog.run("--no-pager", "complete", "Bong Joon Ho").output.contains("wished for"))
  }

  @Test func `complete knows the works of a publisher`() throws {
    try buildBooks()
    let run = catalog.run("complete", "창비", "--as", "label")
    #expect(run.output.contains("missing\t\tbook\t\t소년이 온다"), "\(run)")
  }

  @Test func `pick --new proposes what is not here, with its reasons`() throws {
    #expect(catalog.run("pick", "--new").errors.contains("a proposal needs 5"))
    try buildFilms()
    for (title, year, rating) in [
      ("Okja", 2017, "5"), ("Mother", 2009, "5"), ("Old Film", 1950, "1"), ("Other Film", 1951, "1"),
      ("Third Film", 1952, "1"),
    ] {
      try catalog.add(
        .movie, title, by: year > 2000 ? "Bong Joon Ho" : "Nobody", year: year,
        genres: year > 2000 ? [] : ["Western"])
      catalog.run("rate", title, rating)
    }
    let run = catalog.run("pick", "--new", "--count", "9", "--json")
    #expect(run.status == 0, "\(run)")
    for title in ["Memories of Murder", "The Host", "Snowpiercer"] { #expect(run.output.contains(title), "\(run)") }
    for title in ["Okja", "Heat", "Alien"] { #expect(!run.output.contains(title), "\(run)") }
    catalog.atTerminal()
    let shown = catalog.run("pick", "--new", "--seed", "3")
    #expect(shown.output.hasPrefix("r1  movie: "), "\(shown)")
    #expect(
      shown.output.contains("You gave 2 by Bong Joon Ho 5.0 stars on average, and 2.6 to all."), "\(shown)")
    #expect(catalog.run("pick", "--new", "--seed", "3").output == shown.output)
    let old = catalog.run("pick", "--new", "--count", "9", "year:..2010").output
    #expect(old.contains("Memories of Murder") && !old.contains("Snowpiercer"), "\(old)")
    #expect(catalog.run("pick", "--new", "kind:book").errors.contains("nothing new"))
    #expect(catalog.run("pick", "--new", "--rated", "kind:book").errors.contains("0 items are rated"))
    #expect(catalog.run("pick", "--rated", "kind:book").status == 2)
  }

  @Test func `a misspelt title is found in a copy`() throws {
    try build()
    let run = catalog.run("--offline", "search", "godfahter", "--kind", "movie")
    #expect(run.output.contains("The Godfather"), "\(run)")
    #expect(run.errors.contains("nothing was found for 'godfahter'; these are for 'godfather'"), "\(run)")
    catalog.run("config", "set", "sources.imdb.copy", "first")
    let first = catalog.run("search", "godfahter", "--source", "imdb")
    #expect(first.output.contains("The Godfather"), "\(first)")
    #expect(first.errors.contains("these are for 'godfather'"), "\(first)")
  }

  @Test func `source update builds a copy anew from newer files, with its options`() throws {
    #expect(catalog.run("source", "update").errors.contains("there is no copy of a source"))
    let words = ["source", "build", "imdb", folder.path("dump"), "--yes", "--types", "movie,short"]
    #expect(catalog.run(words).output.contains("3 titles"))
    #expect(catalog.run("source", "update", "imdb").output == "the copy of IMDb is up to date\n")
    try write(
      "title.basics.tsv",
      [
        "tconst\ttitleType\tprimaryTitle\toriginalTitle\tisAdult\tstartYear\tendYear\truntimeMinutes\tgenres",
        "tt6751668\tmovie\tParasite\tGisaengchung\t0\t2019\t\\N\t132\tDrama,Thriller",
        "tt0000001\tshort\tCarmencita\tCarmencita\t0\t1894\t\\N\t1\tDocumentary,Short",
      ])
    catalog.run("--offline", "add", "tt0068646", "--source", "imdb")
    let run = catalog.run("source", "update")
    #expect(run.output.contains("built a copy of IMDb: 2 titles"), "\(run)")
    try FileManager.default.removeItem(atPath: folder.path("dump/title.basics.tsv"))
    let gone = catalog.run("source", "update")
    #expect(gone.status == 1)
    #expect(gone.errors.contains("the files of the copy of IMDb are not in "), "\(gone)")
    #expect(catalog.run("source", "update", "nlk").errors.contains("there is no copy of nlk"))
  }

  @Test func `--dry-run tells what a copy would have, and writes nothing`() throws {
    let run = catalog.run("source", "build", "imdb", folder.path("dump"), "-n")
    #expect(run.output.contains("title.basics.tsv: 2 of 3 records are kept"), "\(run)")
    #expect(run.output.contains("left out: 1 of another kind"), "\(run)")
    #expect(run.output.contains("the copy would have at most about 2 titles"), "\(run)")
    #expect(!FileManager.default.fileExists(atPath: folder.path(".cache/catalog/copies")))
  }

  @Test func `a copy that is damaged inside is warned of once, and an import goes on`() throws {
    try buildFilms()
    let path = folder.path(".cache/catalog/copies/imdb.db")
    var bytes = try Data(contentsOf: URL(filePath: path))
    // All pages but those with the schema and the facts about the copy.
    let first = bytes.startIndex + 2 * 4_096
    for place in stride(from: first, to: bytes.endIndex, by: 4_096) {
      for offset in 0..<min(200, bytes.endIndex - place) { bytes[place + offset] = 0xFF }
    }
    try bytes.write(to: URL(filePath: path))
    let films = try folder.write("Title,Year\nUnknown Film,2001\nOther Unknown,2002\n", to: "films.csv")
    let run = catalog.run("--offline", "import", films, "--kind", "movie", "--yes")
    #expect(run.status == 0, "\(run)")
    #expect(run.output.contains("2 new items"), "\(run)")
    #expect(run.errors.components(separatedBy: "the copy of IMDb cannot be read").count == 2, "\(run)")
  }
}
