import CatalogModel
import FoundationEssentials
import Lookup
import Synchronization
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests the requests to sources about imported items.
struct ImportLookupTests {
  let catalog: TestCatalog
  let folder: TemporaryFolder
  private let tmdb = FilmSource()

  /// A client for TMDB that finds films by their titles, and records the requests.
  private final class FilmSource: Sendable {
    /// Numbers and years, by the title.
    let films = Mutex<[String: [(number: Int, year: Int)]]>([:])
    let isDown = Mutex(false)
    private let log = Mutex<[String]>([])
    var asked: [String] { log.withLock { $0 } }

    var client: HTTPClient {
      HTTPClient(each: { [self] request in
        log.withLock { $0.append(request.url) }
        if isDown.withLock({ $0 }) { return .failure(.unreachable(host: request.host)) }
        return .success(Response(status: 200, body: Array(answer(request.url).utf8)))
      })
    }

    private func answer(_ url: String) -> String {
      func film(_ title: String, _ number: Int, _ year: Int) -> String {
        #"{"id": \#(number), "title": "\#(title)", "release_date": "\#(year)-05-02", "runtime": 100}"#
      }
      let all = films.withLock { $0 }
      let words = url.replacing("+", with: " ").replacing("%20", with: " ")
      for (title, found) in all {
        if url.contains("/search/movie"), words.contains("query=\(title)") {
          return #"{"results": [\#(found.map { film(title, $0.number, $0.year) }.joined(separator: ","))]}"#
        }
        for one in found where url.contains("/movie/\(one.number)?") || url.hasSuffix("/movie/\(one.number)") {
          return film(title, one.number, one.year)
        }
      }
      return #"{"results": []}"#
    }
  }

  init() throws {
    catalog = try TestCatalog()
    folder = try TemporaryFolder()
    catalog.http = tmdb.client
    catalog.environment = ["CATALOG_TMDB_TOKEN": "sesame", "CATALOG_COUNTRY": "US"]
    tmdb.films.withLock {
      $0 = ["Nobodys Film": [(7, 1999)], "Two Alike": [(8, 1999), (9, 1999)], "Another Year": [(10, 1950)]]
    }
  }

  private func films() throws -> String {
    let path = folder.path("ratings.csv")
    let rows = ["Nobodys Film", "Two Alike", "Another Year"].enumerated().map {
      "2020-01-01,\($0.element),1999,https://boxd.it/\($0.offset),4"
    }
    try Data((["Date,Name,Year,Letterboxd URI,Rating"] + rows).joined(separator: "\n").utf8).write(
      to: URL(filePath: path))
    return path
  }

  private func film(_ id: Int64) throws -> Record { try catalog.store.item(ItemID(rawValue: id)).record }

  @Test func `without a terminal import asks no source and hints at --lookup`() throws {
    let run = catalog.run("import", try films(), "--yes")
    #expect(run.status == 0)
    #expect(tmdb.asked.isEmpty)
    #expect(
      run.errors.contains("hint: sources can be asked about 3 items, which takes about 1 min: catalog import /"),
      "\(run.errors)")
    for words in [["--no-lookup"], ["--offline"]] {
      #expect(!catalog.run(["import", try films(), "--yes"] + words).errors.contains("sources can be asked"))
    }
    #expect(catalog.run("import", try films(), "--lookup", "--no-lookup").status == 2)
  }

  @Test func `import --lookup accepts only the single film of the same title and year`() throws {
    let run = catalog.run("import", try films(), "--yes", "--lookup")
    #expect(run.status == 0)
    #expect(run.output.hasSuffix("sources had more details for 1 item\n"), "\(run)")
    #expect(run.errors.contains("no certain match was found for 2 items"), "\(run)")
    #expect(try film(1).movie.minutes == 100)
    #expect(try film(1).externalIDs.map(\.description) == ["letterboxd:0", "tmdb:7"])
    // The address that the file gave stays, and so does the year.
    #expect(try film(1).url == "https://boxd.it/0")
    #expect(try film(1).year == 1999)
    #expect(try [film(2), film(3)].map { $0.externalIDs.map(\.description) } == [["letterboxd:1"], ["letterboxd:2"]])
    // No source is asked again, and one undo takes all of it back.
    let count = tmdb.asked.count
    #expect(catalog.run("import", try films(), "--yes", "--lookup").output == "nothing new in ratings.csv: 3 rows\n")
    #expect(tmdb.asked.count == count)
  }

  @Test func `import asks on a terminal before a lookup, and --lookup resumes an interrupted one`() throws {
    catalog.atTerminal()
    catalog.input = ["y", "n"]
    let first = catalog.run("import", try films())
    #expect(first.errors.contains("Ask sources about 3 items? It takes about 1 min [y/N]"), "\(first.errors)")
    #expect(tmdb.asked.isEmpty)
    tmdb.isDown.withLock { $0 = true }
    // If nothing is new, a message says so, and no source is asked again.
    let again = catalog.run("import", try films())
    #expect(again.status == 0, "\(again)")
    #expect(again.errors.contains("sources can be asked about 3 items"), "\(again)")
    let second = catalog.run("import", try films(), "--lookup")
    #expect(second.status == 3, "\(second)")
    #expect(second.errors.contains("TMDB cannot be reached"), "\(second)")
    tmdb.isDown.withLock { $0 = false }
    let third = catalog.run("import", try films(), "--lookup")
    #expect(third.output.hasSuffix("sources had more details for 1 item\n"), "\(third)")
  }
}
