import CatalogModel
import CommandLineKit
import Foundation
import Lookup
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests a catalog full of terminal control sequences, as another program or a source may write them: docs/output.md.
struct ForeignTextTests {
  let catalog: TestCatalog

  /// An escape sequence, a bell, a C1 control, and an override and an isolate that are not closed.
  static let evil = "=a\u{1B}]0;title\u{7}\u{9B}2J\u{202E}b\u{2066}c"

  init() throws {
    catalog = try TestCatalog()
    let evil = Self.evil
    for kind in Kind.shelved {
      var record = Record(kind: kind, title: "\(kind) " + evil)
      record.year = 1999
      record.credits = [Credit(name: evil, role: Credit.Role(main: kind))]
      let id = try catalog.store.add(
        record, genres: ["Genre"], now: Timestamp(rawValue: "2026-01-01T00:00:00Z")
      ).id
      _ = try catalog.store.addCard(
        to: id, rating: Rating("4.5"), comment: "good", now: Timestamp(rawValue: "2026-02-01T00:00:00Z"))
      try catalog.store.favorite(id, now: Timestamp(rawValue: "2026-02-01T00:00:00Z"))
    }
    for words in [
      ["log", "1", "--on", "2026-03-01", "--stars", "3"],
      ["copy", "add", "2", "--place", "K1", "--note", "x"], ["copy", "add", "3", "--place", "K1"],
      ["lend", "c1", "to", "Ann"], ["tag", "add", "old", "1", "2", "3"], ["pile", "add", "next", "1", "2", "3"],
      ["wish", "1"], ["wish", "--words", "a demo"], ["shelf", "save", "kept", "kind:book"], ["show", "1"],
    ] { #expect(catalog.run(words).status == 0, "\(words)") }
    try poison()
    try catalog.store.db.run("UPDATE item SET title = kind || ' ' || \(evil)")
    try catalog.store.refreshIndex()
    catalog.results([Candidate(id: ExternalID(source: "itunes", value: "1"), record: Record(kind: .movie, title: evil))]
    )
  }

  /// Writes it into every text of the file. Not every door lets it in, so it comes by the cellar.
  private func poison() throws {
    let db = catalog.store.db
    var places = 0
    for table in TableSchema.all {
      for column in try db.values(
        "SELECT name FROM pragma_table_info(\(table.name)) WHERE type = 'TEXT' AND name NOT GLOB '*_[ao][tn]'",
        as: String.self)
      {
        // A rule of the file may forbid it.
        let changed = try? db.run("UPDATE \(identifier: table.name) SET \(identifier: column) = \(Self.evil) || rowid")
        if changed ?? 0 > 0 { places += 1 }
      }
    }
    #expect(places > 30)
  }

  static let commands = [
    [], ["list"], ["show", "1"], ["show", "2", "--full"], ["show", "3", "--back"], ["show", "r1"], ["shelf"],
    ["shelf", "book"], ["favorites"], ["recent"], ["card", "list"], ["card", "show", "1"], ["card", "deck"], ["genres"],
    ["genres", "--by", "decade"], ["genres", "--by", "creator"], ["genres", "--full"], ["genre", "list"],
    ["genre", "labels"], ["level"], ["report", "years"], ["report", "creators"], ["report", "labels"],
    ["report", "publishers"], ["report", "ratings"], ["report", "shame"], ["report", "year", "2026"], ["doctor"],
    ["list", "--template", "$title $creator $genres"], ["open", "1", "--print"], ["remove", "1", "--dry-run"],
    ["edit", "1", "year=1970", "--dry-run"], ["favorite", "r1", "--dry-run"], ["unfavorite", "1", "--dry-run"],
    ["card", "remove", "1", "--dry-run"], ["genre", "rename", ForeignTextTests.evil, "Good", "--dry-run"],
    ["list", ForeignTextTests.evil], ["search", ForeignTextTests.evil, "--offline"],
    ["add", "movie", "--title", ForeignTextTests.evil, "--dry-run"],
  ]

  /// The lines of a text with characters that a pipe or terminal must not get.
  private func harm(_ text: String, isForTerminal: Bool) -> [String] {
    text.split(whereSeparator: \.isNewline).map(String.init).filter { line in
      let reader = Sanitizing(isForTerminal: isForTerminal)
      return reader.line(line) != line.replacing("\t", with: " ")
    }
  }

  @Test(arguments: commands)
  func `control characters from the catalog are not printed by any command`(_ words: [String]) throws {
    let formats = [[], ["--tsv"], ["--csv"], ["--json"], ["--jsonl"]]
    for isTerminal in [false, true] {
      if isTerminal { catalog.atTerminal() }
      for format in formats {
        let run = catalog.run(words + format + ["--no-pager"])
        #expect(harm(run.output, isForTerminal: isTerminal) == [], "\(format), terminal: \(isTerminal)")
        #expect(harm(run.errors, isForTerminal: true) == [], "\(format), terminal: \(isTerminal)")
      }
    }
  }

  @Test(arguments: ExportFormat.names.filter { $0 != "sqlite" })
  func `no export writes control characters of any text to a terminal, a pipe or a file`(_ format: String) throws {
    let folder = try TemporaryFolder()
    for isTerminal in [false, true] {
      if isTerminal { catalog.atTerminal() }
      let run = catalog.run(["export", format] + (format == "markdown" ? ["-o", folder.path("notes"), "--yes"] : []))
      #expect(run.status == 0, "\(run.errors)")
      #expect(harm(run.output, isForTerminal: isTerminal) == [])
      #expect(harm(run.errors, isForTerminal: true) == [])
      #expect(!run.output.isEmpty)
    }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path("notes"))) ?? [] {
      #expect(harm(name, isForTerminal: true) == [])
      let text = try String(contentsOfFile: folder.path("notes/\(name)"), encoding: .utf8)
      #expect(harm(text, isForTerminal: false) == [], "\(name)")
      #expect(text.contains("]0;title"))
    }
  }

  @Test func `--raw prints the original bytes into a pipe and not on a terminal`() throws {
    let title = "book " + Self.evil
    #expect(catalog.run("--raw", "books", "-c", "title").output == title + "\n")
    #expect(catalog.run("books", "-c", "title", "--raw", "--csv").output == "title\r\n" + title + "\r\n")
    #expect(catalog.run("books", "-t", "$title", "--raw").output == title + "\n")
    #expect(catalog.run("show", "2", "--raw").output.hasPrefix(title))
    // But not on a terminal.
    catalog.atTerminal()
    #expect(harm(catalog.run("--raw", "list", "--tsv").output, isForTerminal: true) == [])
  }

  @Test(arguments: [["books"], ["report", "publishers"], ["card", "list"]])
  func `--safe-for-spreadsheets disarms formulas in CSV and TSV and leaves JSON unchanged`(_ words: [String]) throws {
    for format in ["--csv", "--tsv"] {
      let safe = catalog.run(words + [format, "--safe-for-spreadsheets"]).output
      let plain = catalog.run(words + [format]).output
      #expect(safe.contains("'=a"), "\(safe)")
      #expect(plain.contains("=a"), "\(safe)")
      #expect(!plain.contains("'=a"), "\(safe)")
      #expect(safe.replacing("'=", with: "=") == plain)
    }
    #expect(
      catalog.run(words + ["--json", "--safe-for-spreadsheets"]).output == catalog.run(words + ["--json"]).output)
  }
}
