import CatalogModel
import CatalogStore
import Foundation
import TestSupport
import Testing

@testable import CatalogCommands

/// Tests exports to BibTeX and RIS with widely used parsers, which `make test` installs.
@Suite(.enabled(if: BibliographyReaders.areThere, "rispy and pybtex are missing: make test installs them"))
struct BibliographyTests {
  private let folder: TemporaryFolder
  private let catalog: TestCatalog

  init() throws {
    folder = try TemporaryFolder()
    catalog = try TestCatalog()
    let path = folder.path("books.csv")
    try Data(FormatRoundTripTests.file(of: FormatRoundTripTests.goodreads).utf8).write(to: URL(filePath: path))
    try #require(catalog.run("import", path, "--yes").status == 0)
    // Odd names and signs of TeX.
    for line in [
      ["--title", "50 % of {Nothing} & \\more_", "--creator", "Barnes and Noble, Inc."],
      ["--title", "$100 #1 ~ ^", "--creator", "Martin Luther King Jr.", "--creator", "Ludwig van Beethoven"],
      ["--title", "채식주의자", "--creator", "한강"],
    ] {
      try #require(catalog.run(["add", "book", "--yes"] + line).status == 0)
    }
  }

  /// A book as a parser returns it.
  private struct Book: Decodable, Equatable {
    var title: String
    var authors: [String]
  }

  /// Reads a file with one of the readers.
  private func books(_ format: String, _ script: String) throws -> [Book] {
    let path = folder.path("books.\(format)")
    try Data(catalog.run("export", format).output.utf8).write(to: URL(filePath: path))
    let python = Process()
    python.executableURL = URL(filePath: "/usr/bin/env")
    python.arguments = ["python3", "-W", "error", "-c", script, path]
    python.environment = ProcessInfo.processInfo.environment.merging(["PYTHONPATH": BibliographyReaders.folder]) { $1 }
    let (output, errors) = (Pipe(), folder.path("errors"))
    try Data().write(to: URL(filePath: errors))
    python.standardOutput = output
    python.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
    try python.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    python.waitUntilExit()
    #expect(try String(contentsOfFile: errors, encoding: .utf8) == "")
    try #require(python.terminationStatus == 0)
    return try JSONDecoder().decode([Book].self, from: bytes)
  }

  /// The books of the catalog.
  private func kept() throws -> [(title: String, authors: [String])] {
    try (1...503).map { number in
      let record = try catalog.store.item(.init(rawValue: Int64(number))).record
      return (record.title, record.credits.filter { $0.role == .author }.map(\.name))
    }
  }

  @Test func `rispy reads every book, and knows every tag`() throws {
    let read = try books(
      "ris",
      """
      import json, rispy, sys
      with open(sys.argv[1], encoding="utf-8") as file:
          entries = rispy.load(file)
      unknown = [e["unknown_tag"] for e in entries if "unknown_tag" in e]
      assert not unknown, unknown
      print(json.dumps([{"title": e["title"], "authors": e.get("authors", [])} for e in entries]))
      """)
    let kept = try kept()
    #expect(read.map(\.title) == kept.map(\.title))
    #expect(read.map(\.authors.count) == kept.map(\.authors.count))
    #expect(
      read.suffix(3).map(\.authors) == [
        ["Barnes and Noble, Inc."], ["King, Martin Luther, Jr.", "van Beethoven, Ludwig"], ["한강"],
      ])
  }

  @Test func `pybtex reads every book, with its authors and without a warning`() throws {
    let read = try books(
      "bibtex",
      """
      import json, sys
      import pybtex.errors
      from pybtex.database import parse_file
      with pybtex.errors.capture() as warnings:
          data = parse_file(sys.argv[1], bib_format="bibtex")
      assert not warnings, warnings
      def name(p):
          return " ".join(p.first_names + p.middle_names + p.prelast_names + p.last_names + p.lineage_names)
      print(json.dumps([
          {"title": e.fields["title"], "authors": [name(p) for p in e.persons.get("author", [])]}
          for e in data.entries.values()]))
      """)
    let kept = try kept()
    #expect(read.count == kept.count)
    #expect(read.map(\.authors.count) == kept.map(\.authors.count))
    #expect(
      read.suffix(3).map(\.authors) == [
        ["{Barnes and Noble, Inc.}"], ["Martin Luther King Jr.", "Ludwig van Beethoven"], ["한강"],
      ])
    // Signs of TeX are escaped.
    #expect(read.suffix(3).first?.title == #"{50 \% of \{Nothing\} \& \textbackslash{}more\_}"#)
  }
}

/// The readers, as Python packages.
private enum BibliographyReaders {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../.build/python")
    .standardizedFileURL.path

  /// Whether they are installed. In CI, where a skipped test fails, the tests run in any case.
  static let areThere =
    FileManager.default.fileExists(atPath: "\(folder)/rispy") || ProcessInfo.processInfo.environment["CI"] != nil
}
