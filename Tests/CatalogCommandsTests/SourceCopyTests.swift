import CatalogModel
import CatalogStore
import FoundationEssentials
import Lookup
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
    #expect(catalog.run("add", "tt0068646").status == 3)
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
    let run = catalog.run("search", "godfather", "--kind", "movie")
    #expect(run.errors.contains("the copy of IMDb cannot be read: "), "\(run.errors)")
    #expect(run.errors.contains("the built-in pack answers instead"))
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
    #expect(catalog.run("source", "copy", "remove", "imdb", "--yes").status == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path(".cache/catalog/copies/imdb.db")))
  }
}
