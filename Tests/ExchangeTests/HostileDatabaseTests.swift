import CatalogModel
import Foundation
import Lookup
import Processes
import SQLite
import TestSupport
import Testing

@testable import Exchange

/// Libraries of Calibre and beets made to use up time or memory.
@Suite(.timeLimit(.minutes(Patience.minutes)))
struct HostileDatabaseTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("metadata.db")
    try run(
      """
      CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, timestamp TEXT, pubdate TEXT, series_index REAL, uuid TEXT);
      CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE books_authors_link (id INTEGER PRIMARY KEY, book INT, author INT);
      CREATE TABLE ratings (id INTEGER PRIMARY KEY, rating INT); CREATE TABLE books_ratings_link (id INTEGER PRIMARY KEY, book INT, rating INT);
      CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE books_series_link (id INTEGER PRIMARY KEY, book INT, series INT);
      CREATE TABLE publishers (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE books_publishers_link (id INTEGER PRIMARY KEY, book INT, publisher INT);
      CREATE TABLE languages (id INTEGER PRIMARY KEY, lang_code TEXT); CREATE TABLE books_languages_link (id INTEGER PRIMARY KEY, book INT, lang_code INT, item_order INT);
      CREATE TABLE identifiers (id INTEGER PRIMARY KEY, book INT, type TEXT, val TEXT); CREATE TABLE comments (id INTEGER PRIMARY KEY, book INT, text TEXT);
      CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE books_tags_link (id INTEGER PRIMARY KEY, book INT, tag INT);
      CREATE TABLE data (id INTEGER PRIMARY KEY, book INT, format TEXT);
      INSERT INTO books VALUES (1, 'Emma', '2012-03-03 19:47:47+00:00', '0101-01-01 00:00:00+00:00', 2.0, 'u-1');
      """)
  }

  private func run(_ script: String, in file: String? = nil) throws {
    try Connection(.file(file ?? path)).execute(script: Array(script.utf8))
  }

  private func problem(_ file: String? = nil) -> ImportProblem? {
    #expect(throws: ImportProblem.self) { _ = try Import(path: file ?? path).all() }
  }

  @Test(arguments: ["ratings", "series", "publishers", "tags", "data", "books_tags_link"])
  func `a view without end in the place of a table is not asked`(_ table: String) throws {
    try run(
      """
      DROP TABLE \(table);
      CREATE VIEW \(table) AS WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)
      SELECT id, 1 AS book, id AS tag, id AS rating, id AS name, id AS format FROM n
      """)
    #expect(
      problem()?.description.hasPrefix("'\(path)' does not have the structure that its program makes: ") == true)
  }

  @Test func `a value of more than a MiB is refused`() throws {
    try run("INSERT INTO comments VALUES (1, 1, CAST(zeroblob(1100000) AS TEXT))")
    #expect(problem()?.reason == .tooMuch)
    try run("UPDATE comments SET text = 'About.'")
    #expect(try Import(path: path).all().count == 1)
  }

  @Test func `a computed column of a GB is not made`() throws {
    try run(
      """
      DROP TABLE comments; CREATE TABLE comments (id INTEGER PRIMARY KEY, book INT,
        text TEXT GENERATED ALWAYS AS (CAST(zeroblob(1000000000) AS TEXT)) VIRTUAL);
      INSERT INTO comments (id, book) VALUES (1, 1)
      """)
    #expect(problem()?.reason == .tooMuch)
  }

  @Test func `of beets only columns are read that are kept in the file`() throws {
    let file = folder.path("library.db")
    let computed = (0..<20).map { "c\($0) BLOB GENERATED ALWAYS AS (zeroblob(900000)) VIRTUAL" }
    try run(
      """
      CREATE TABLE items (id INTEGER PRIMARY KEY); CREATE TABLE album_attributes (id INTEGER PRIMARY KEY);
      CREATE TABLE albums (id INTEGER PRIMARY KEY, album TEXT, albumartist TEXT, \(computed.joined(separator: ", ")));
      INSERT INTO albums (id, album, albumartist) VALUES (1, 'Blue', 'Joni Mitchell')
      """, in: file)
    let opened = try Import(path: file)
    #expect(opened.formatID == "beets")
    #expect(try opened.all().map { $0.entry?.record.title } == ["Blue"])
    #expect(!opened.uses.contains { $0.column.hasPrefix("c0") })
  }

  @Test func `a library that is being written to is in use, and not damaged`() throws {
    let other = try Connection(.file(path))
    try other.run("BEGIN EXCLUSIVE")
    let problem = problem()
    #expect(problem?.description == "'\(path)' is in use: another program is writing to it")
    #expect(problem?.hint != nil)
  }

  @Test func `a row that takes longer than ten seconds is given up`() throws {
    let database = try Connection(.file(path), mode: .readOnly)
    database.stop(after: .zero, every: 100)
    let error = #expect(throws: SQLiteError.self) {
      _ = try database.value(
        "WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT count(*) FROM n", as: Int.self)
    }
    #expect(error?.isEndless == true)
    #expect(error.map { ImportProblem($0, in: "f").reason } == .tooMuch)
  }

  @Test func `a statement goes on where nobody minds`() throws {
    let database = try Connection(.file(path), mode: .readOnly)
    var asked = 0
    database.stop(after: .zero, every: 100) {
      asked += 1
      return false
    }
    let count = try database.value(
      "WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n LIMIT 5000) SELECT count(*) FROM n",
      as: Int.self)
    #expect(count == 5_000)
    #expect(asked == 1)
  }

  // MARK: XML

  @Test(arguments: ["<!--", "<movie title='", "<?php "])
  func `a comment or a tag without end is given up`(_ beginning: String) throws {
    var pieces = 0
    let source = ByteSource(read: {
      pieces += 1
      return pieces == 1
        ? Array("<?xml version='1.0'?><tellico>\(beginning)".utf8) : Array(repeating: 0x61, count: 64 << 10)
    })
    let problem = #expect(throws: ImportProblem.self) {
      try XMLElements(source: source).forEach(named: ["entry"]) { _ in true }
    }
    #expect(problem?.reason == .tooMuch)
    #expect(pieces < 100)
  }

  @Test func `text between elements may be as long as it likes`() throws {
    var pieces = 0
    let source = ByteSource(read: {
      pieces += 1
      switch pieces {
      case 1: return Array("<?xml version='1.0'?><tellico>".utf8)
      case 2...100: return Array(repeating: 0x20, count: 64 << 10)
      case 101: return Array("<entry/></tellico>".utf8)
      default: return []
      }
    })
    var count = 0
    try XMLElements(source: source).forEach(named: ["entry"]) { _ in
      count += 1
      return true
    }
    #expect(count == 1)
  }
}
