import Foundation
import TestSupport
import Testing

@testable import CatalogCommands

/// Tests made-up files of many formats. They are not part of this repository, so the suite runs only where
/// `CATALOG_FIXTURES` names the folder.
@Suite(.enabled(if: Samples.folder != nil, "set CATALOG_FIXTURES to the folder with samples"))
struct SampleImportTests {
  /// The titles in each file, and words of the messages.
  static let samples: [(file: String, titles: [String])] = [
    ("books.xlsx", ["견본 책", "두번째 책"]), ("books-1904.xlsx", ["견본 책", "두번째 책"]),
    ("books.ods", ["An Invented Book"]), ("kinopoisk.xls", ["Выдуманный фильм"]),
    ("books.yml", ["An Invented Book: A Tale", "Second Book"]), ("front.yml", ["An Invented Film", "Another Film"]),
    ("films.md", ["An Invented Film", "A | B"]), ("books.bib", ["An Invented Book: Über den Fluß"]),
    ("books.ris", ["An Invented Book"]), ("zotero.csv", ["An Invented Book", "An Invented Film"]),
    ("bookwyrm.tar.gz", ["An Invented Book"]), ("criticker.xml", ["An Invented Film", "Third Film"]),
    ("kindle.json", ["An Invented Book (A Series Book 2)"]), ("simkl.json", ["An Invented Film", "Another Film"]),
    ("myanimelist.xml", ["An Invented Film"]), ("anilist.json", ["An Invented Film"]), ("YourLibrary.json", ["First"]),
    ("films.gcs", ["An Invented Film"]), ("movie.nfo", ["An Invented Film"]),
    ("collectorz-books.xml", ["An Invented Book"]), ("collectorz-music.xml", ["First"]),
    ("libib.csv", ["An Invented Book"]),
  ]

  @Test(arguments: samples) func `a sample gives its items, and nothing when it is imported again`(
    file: String, titles: [String]
  ) throws {
    let path = try #require(Samples.folder).appending(path: "made/formats/\(file)").path
    let catalog = try TestCatalog()
    let first = catalog.run("import", path, "--yes", "--no-lookup")
    #expect(first.status == 0 || first.errors.contains("left out"), "\(first.errors)")
    let kept = catalog.run("list", "--sort", "id", "--template", "$title").output
    #expect(kept.split(separator: "\n").map(String.init) == titles)
    let again = catalog.run("import", path, "--yes", "--no-lookup")
    #expect(again.output.contains("nothing new"), "\(again.output) \(again.errors)")
  }
}

private enum Samples {
  static let folder = ProcessInfo.processInfo.environment["CATALOG_FIXTURES"].map { URL(filePath: $0) }
}
