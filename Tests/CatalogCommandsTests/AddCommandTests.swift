import CatalogModel
import Lookup
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct AddCommandTests {
  let catalog: TestCatalog

  init() throws { catalog = try TestCatalog() }

  @Test func `an entry by hand is on its shelf`() throws {
    #expect(
      catalog.run("add", "book", "--title", "토지", "--creator", "박경리", "--year", "1969", "--genre", "historical fiction")
        == .init(output: "added book 1: 토지 — 박경리 (1969)  Historical Fiction\n", errors: "", status: 0))
  }

  @Test func `a result is added once, and the second time says where it is`() throws {
    var record = Record(kind: .vinyl, title: "Kind of Blue")
    record.credits = [Credit(name: "Miles Davis", role: .artist)]
    let id = ExternalID(source: "pack", value: "vinyl/kind-of-blue-1959")
    record.externalIDs = [id]
    catalog.results([Candidate(id: id, record: record)])
    #expect(catalog.run("add", "r1").output == "added vinyl 1: Kind of Blue — Miles Davis\n")
    #expect(
      catalog.run("add", "r1")
        == .init(
          output: "", errors: "catalog: already on the shelf: vinyl 1: Kind of Blue — Miles Davis\n", status: 1))
    #expect(try catalog.store.shelfCounts().total == 1)
  }

  struct Bad: CustomTestStringConvertible {
    var words: [String]
    var errors: String
    var status: Int32
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Bad(words: ["add", "r9"], errors: "there is no result r9: nothing was found yet", status: 1),
    Bad(words: ["add", "--isbn", "9788936434121"], errors: "has a wrong check digit", status: 2),
    Bad(words: ["add", "--barcode", "abc"], errors: "'abc' is no barcode", status: 2),
    Bad(words: ["add", "book", "--title", " "], errors: "the title is empty", status: 2),
    Bad(words: ["add", "book", "--title", "x", "--year", "99999"], errors: "'99999' is no year", status: 2),
    Bad(words: ["add", "book", "--title", "x", "--year", "19x9"], errors: "'19x9' is no year", status: 2),
    Bad(words: ["add", "podcast", "--title", "x"], errors: "'podcast' is no shelf", status: 2),
    Bad(words: ["add", "book", "--title", "x", "--stars", "6"], errors: "stars go from 0 to 5", status: 2),
    Bad(words: ["add"], errors: "what to add is missing", status: 2),
  ])
  func `bad input is explained, and nothing is written`(_ bad: Bad) throws {
    let run = catalog.run(bad.words)
    #expect(run.errors.contains(bad.errors))
    #expect(run.status == bad.status)
    #expect(run.output.isEmpty)
    #expect(try catalog.store.shelfCounts().total == 0)
  }

  @Test func `a book whose authors could not be asked for says so, also by the status`() throws {
    catalog.http = HTTPClient(each: { request in
      if request.url.contains("/authors/") { return .success(Response(status: 503)) }
      guard request.url.hasSuffix("/books/OL20M.json") else { return .success(Response(status: 404)) }
      let body = #"{"key":"/books/OL20M","title":"Dune","authors":[{"key":"/authors/OL1A"}],"publish_date":"1965"}"#
      return .success(Response(status: 200, body: Array(body.utf8)))
    })
    let run = catalog.run("add", "openlibrary:OL20M")
    #expect(run.output.hasPrefix("added book 1: Dune (1965)"))
    #expect(run.errors == "catalog: Open Library is busy; not available: authors\n")
    #expect(run.status == 3)
  }
}
