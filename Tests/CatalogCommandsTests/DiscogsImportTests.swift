import CatalogModel
import CommandLineKit
import FoundationEssentials
import Lookup
import Synchronization
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// `catalog import discogs:USER`.
struct DiscogsImportTests {
  let catalog: TestCatalog
  let discogs = FakeDiscogs()

  init() throws {
    catalog = try TestCatalog()
    catalog.http = discogs.client
    catalog.environment["CATALOG_DISCOGS_TOKEN"] = "sesame"
  }

  private func list(_ columns: String) -> String {
    catalog.run("list", "--sort", "id", "--tsv", "--columns", columns).output
  }

  @Test func `importing a Discogs collection adds its copies, folders, stars and wishes once`() throws {
    let run = catalog.run("import", "discogs:collector", "--yes")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "3 new items, 0 joined to existing items, 1 to rows above\n", "\(run.errors)")
    #expect(!(run.output + run.errors).contains("sesame"))
    #expect(
      list("title,creator,year,rating,tag,copies,wished,catalog_number") == """
        Stockholm\tJensen\t1999\t80\tJazz room\t2\t\tSK 1
        Live\tJensen\t2000\t\t\t1\t\tSK 2
        Icarus\tJensen\t2001\t\t\t0\t2020-01-19T00:00:00Z\tSK 3

        """)
    let copies = try catalog.store.copies(of: ItemID(rawValue: 1)).map(\.facts)
    #expect(copies.map(\.grades) == ["VG+/Generic", "NM"])
    #expect(copies.map(\.note) == ["signed\nby hand", nil])
    #expect(copies.map(\.format) == ["Vinyl, LP", "Vinyl, LP"])
    #expect(
      try catalog.store.item(ItemID(rawValue: 1)).record.note == "Pressed in: Haarlem; Sleeve Condition: torn")
    #expect(
      try catalog.store.item(ItemID(rawValue: 1)).record.externalIDs.contains(ExternalID(source: "discogs", value: "1"))
    )
    #expect(catalog.run("wishes").output.contains("first pressing"))
    #expect(
      catalog.run("import", "discogs:collector", "--yes").output == "nothing new in discogs:collector: 4 rows\n")
    #expect(catalog.run("undo", "--yes").status == 0)
    #expect(list("title").isEmpty)
  }

  @Test func `the import plan lists the use of each field before the question`() {
    let run = catalog.run("import", "discogs:collector", "-n")
    #expect(run.errors.isEmpty)
    for line in [
      "discogs:collector: Discogs, 4 rows", "        3  new", "        1  the same as a row above",
      "  Media Condition → grade of the record",
      "  Sleeve Condition → grade of the sleeve", "  Notes → note of the copy", "  Pressed in → note",
      "  Folder → tag", "  Rating → rating",
    ] { #expect(run.output.contains(line + "\n"), "\(run.output)") }
    #expect(list("title").isEmpty)
    #expect(catalog.run("import", "discogs:collector").errors.contains("--yes answers yes"))
  }

  @Test func `a Discogs import requests each page once and bypasses the cache`() {
    catalog.run("import", "discogs:collector", "--yes")
    let urls = discogs.asked.requests.map { $0.url.split(separator: "/users/").last.map(String.init) ?? "" }
    #expect(
      urls == [
        "collector/collection/fields", "collector/collection/folders",
        "collector/collection/folders/0/releases?sort=added&sort_order=asc&page=1&per_page=100",
        "collector/collection/folders/0/releases?sort=added&sort_order=asc&page=2&per_page=100",
        "collector/wants?page=1&per_page=100",
      ])
    #expect(discogs.asked.requests.allSatisfy { $0.bypassesCache && $0.source == "discogs" && $0.secret != nil })
  }

  @Test func `a copy already imported from a CSV file is not imported again from Discogs`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/collection.csv"
    let table = """
      Catalog#,Artist,Title,Label,Format,Rating,Released,release_id,CollectionFolder,Date Added,Collection Media Condition,\
      Collection Sleeve Condition,Collection Notes
      SK 1,Jensen (2),Stockholm,Svek,LP,4,1999,1,Uncategorized,2020-01-19 14:19:11,Very Good Plus (VG+),Generic,

      """
    try Data(table.utf8).write(to: URL(filePath: path))
    #expect(catalog.run("import", path, "--yes").status == 0)
    catalog.run("import", "discogs:collector", "--yes")
    #expect(try catalog.store.copies(of: ItemID(rawValue: 1)).map(\.facts.grades) == ["VG+/Generic", "NM"])
  }

  @Test func `importing a Discogs collection again adds only the new items`() throws {
    catalog.run("import", "discogs:collector", "--yes")
    discogs.copies.withLock {
      $0[1].append(FakeDiscogs.copy(104, of: 4, "Later", #"{"field_id": 1, "value": "Mint (M)"}"#, folder: 0))
    }
    #expect(
      catalog.run("import", "discogs:collector", "--yes").output == "1 new item, 0 joined to existing items\n")
    #expect(try catalog.store.copies(of: ItemID(rawValue: 1)).count == 2)
  }

  @Test func `a release that moves to the next page during the import is imported once`() throws {
    discogs.copies.withLock { $0[1].insert($0[0][0], at: 0) }
    #expect(catalog.run("import", "discogs:collector", "-n").output.contains("Discogs, 4 rows\n"))
    catalog.run("import", "discogs:collector", "--yes")
    #expect(try catalog.store.copies(of: ItemID(rawValue: 1)).count == 2)
  }

  @Test func `unreadable Discogs results are counted in a warning`() {
    discogs.copies.withLock { $0[0].append(#"{"instance_id": 3}"#) }
    let run = catalog.run("import", "discogs:collector", "--yes")
    #expect(run.status == 0)
    #expect(run.errors.contains("Discogs: 1 of 5 results could not be read"), "\(run.errors)")
  }

  // MARK: What goes wrong

  @Test(arguments: [
    (401, "collection/fields", 4, "Discogs does not accept the key"),
    (403, "collection/fields", 4, "the collection of collector is private, and the token is another's"),
    (403, "page=2", 4, "the collection of collector is private"),
    (404, "collection/fields", 1, "there is no Discogs user 'collector'"),
    (500, "page=2", 3, "Discogs refused the request (500)"),
    (200, "page=2", 3, "Discogs sent "), (429, "wants", 3, "too many requests"),
  ])
  func `a failed Discogs import writes nothing`(status: Int, part: String, exit: Int, words: String) {
    discogs.failure.withLock { $0 = (part, status) }
    let run = catalog.run("import", "discogs:collector", "--yes")
    #expect(run.status == Int32(exit), "\(run.status) \(run.errors)")
    #expect(run.errors.contains(words), "\(run.status) \(run.errors)")
    #expect(list("title").isEmpty)
    #expect(catalog.run("import", "list").status == 1)
  }

  @Test func `a private Discogs wantlist is left out and named in the plan`() {
    discogs.failure.withLock { $0 = ("wants", 403) }
    let run = catalog.run("import", "discogs:collector", "-n")
    #expect(run.output.contains("discogs:collector: Discogs, 3 rows\n"))
    #expect(run.output.contains("  Wantlist: left out: it is private\n"), "\(run.output)\(run.errors)")
  }

  @Test func `a Discogs import needs a token and a network`() {
    let offline = catalog.run("import", "discogs:collector", "--offline")
    #expect(offline.status == 2)
    #expect(offline.errors.contains("it does not work with --offline"))
    catalog.environment["CATALOG_DISCOGS_TOKEN"] = nil
    let run = catalog.run("import", "discogs:collector")
    #expect(run.status == 4, "\(run.errors)")
    #expect(run.errors.contains("catalog source key discogs"), "\(run.errors)")
    #expect(discogs.asked.requests.isEmpty)
  }

  @Test(arguments: [
    ["discogs:"], ["discogs:../x"], ["discogs:collector", "--kind", "vinyl"],
    ["discogs:collector", "--map", "a=title"],
    ["discogs:collector", "--format", "discogs"],
  ])
  func `a Discogs import with invalid arguments is rejected without a request`(words: [String]) {
    #expect(catalog.run(["import"] + words).status == 2)
    #expect(discogs.asked.requests.isEmpty)
  }

  @Test func `a Discogs collection with too many rows is rejected`() throws {
    let context = Context(
      terminal: Terminal(), output: .memory(), errors: .memory(), places: catalog.places, now: { Date() },
      openStore: { [catalog] _ in catalog.store }, http: discogs.client,
      results: LastResults(load: { [] }, save: { _ in true }))
    var told = context
    told.environment = catalog.environment
    #expect(throws: Failure.self) { try DiscogsCollection(of: "collector", told, mostRows: 2) }
    #expect(try DiscogsCollection(of: "collector", told, mostRows: 200).uses.count == 6)
  }
}

/// Discogs with a collection of two pages, and a wish.
final class FakeDiscogs: Sendable {
  let asked = Asked()
  /// The copies, by pages.
  let copies: Mutex<[[String]]>
  /// The request that fails, by a part of its address, with its status; 200 sends half an answer.
  let failure = Mutex<(part: String, status: Int)?>(nil)

  init() {
    copies = Mutex([
      [
        Self.copy(
          101, of: 1, "Stockholm",
          #"{"field_id": 1, "value": "Very Good Plus (VG+)"}, {"field_id": 2, "value": "Generic"}"#,
          #"{"field_id": 3, "value": "signed\r\nby hand"}, {"field_id": 4, "value": "Haarlem"}"#, rating: 4, folder: 3),
        Self.copy(
          102, of: 1, "Stockholm",
          #"{"field_id": 1, "value": "Near Mint (NM or M-)"}, {"field_id": 2, "value": "torn"}"#, rating: 4, folder: 3),
      ],
      [Self.copy(103, of: 2, "Live", folder: 1)],
    ])
  }

  static func copy(_ id: Int, of release: Int, _ title: String, _ notes: String..., rating: Int = 0, folder: Int)
    -> String
  {
    """
    {"id": \(release), "instance_id": \(id), "folder_id": \(folder), \(facts(release, title, rating)),
     "notes": [\(notes.joined(separator: ","))]}
    """
  }

  private static func facts(_ release: Int, _ title: String, _ rating: Int) -> String {
    """
    "rating": \(rating), "date_added": "2020-01-19T14:19:11-08:00",
    "basic_information": {"id": \(release), "title": "\(title)", "year": \(1998 + release),
      "artists": [{"name": "Jensen (2)", "id": 9}], "labels": [{"name": "Svek", "catno": "SK \(release)"}],
      "genres": ["Electronic"], "styles": [], "thumb": "", "cover_image": "",
      "formats": [{"name": "Vinyl", "qty": "1", "descriptions": ["LP"]}]}
    """
  }

  var client: HTTPClient {
    HTTPClient(each: { [self] request in
      asked.note(request)
      let body = answer(request.url)
      if let failure = failure.withLock({ $0 }), request.url.contains(failure.part) {
        let half = failure.status == 200 ? body.prefix(body.count / 2).description : #"{"message": "No."}"#
        return .success(Response(status: failure.status, body: Array(half.utf8)))
      }
      return .success(Response(status: 200, body: Array(body.utf8)))
    })
  }

  private func answer(_ url: String) -> String {
    if url.hasSuffix("/collection/fields") {
      return """
        {"fields": [{"id": 1, "name": "Media Condition", "type": "dropdown", "public": true, "options": ["Mint (M)"]},
          {"id": 2, "name": "Sleeve Condition", "type": "dropdown"}, {"id": 3, "name": "Notes", "type": "textarea"},
          {"id": 4, "name": "Pressed in", "type": "textarea"}]}
        """
    }
    if url.hasSuffix("/collection/folders") {
      return """
        {"folders": [{"id": 0, "count": 3, "name": "All"}, {"id": 1, "count": 1, "name": "Uncategorized"},
          {"id": 3, "count": 2, "name": "Jazz room"}]}
        """
    }
    if url.contains("/wants?") {
      return """
        {"pagination": {"page": 1, "pages": 1, "per_page": 100, "items": 1, "urls": {}},
         "wants": [{"id": 3, \(Self.facts(3, "Icarus", 0)), "notes": "first pressing"}]}
        """
    }
    let pages = copies.withLock { $0 }
    let number = url.contains("page=2&") ? 2 : 1
    return """
      {"pagination": {"page": \(number), "pages": 2, "per_page": 100, "items": 3, "urls": {}},
       "releases": [\(pages[number - 1].joined(separator: ","))]}
      """
  }
}
