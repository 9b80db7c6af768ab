import CatalogModel
import CommandLineKit
import Lookup
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests labels as a person sees them: those of sources, unknown genres, and the way back to the labels.
struct LabelCommandTests {
  let catalog: TestCatalog

  init() throws { catalog = try TestCatalog() }

  private func add(_ kind: Kind, _ title: String, _ source: String, _ labels: [String]) throws {
    var record = Record(kind: kind, title: title)
    (record.labels, record.labelSource) = (labels, source)
    _ = try catalog.store.add(record, now: catalog.clock)
  }

  // MARK: What sources said

  @Test func `the query terms said and label match source labels and record companies`() throws {
    try add(.vinyl, "What's Going On", "discogs", ["Funk / Soul", "Soul"])
    try add(.vinyl, "Kind of Blue", "discogs", ["Jazz"])
    catalog.run("edit", "1", "label=Tamla")
    #expect(catalog.run("list", "said:\"Funk / Soul\"", "--columns", "title").output == "What's Going On\n")
    #expect(catalog.run("list", "said:funk", "--columns", "title").output == "What's Going On\n")
    #expect(catalog.run("list", "label:tamla", "--columns", "title").output == "What's Going On\n")
    catalog.run("add", "book", "--title", "Mine", "--genre", "Essays")
    #expect(catalog.run("list", "said:none", "--columns", "title").output == "Mine\n")
    #expect(
      catalog.run("list", "--json=source_genres", "id:1").output == "[{\"source_genres\":[\"Funk / Soul\",\"Soul\"]}]\n"
    )
  }

  @Test func `show prints the labels of a source where they differ from the genres`() throws {
    try add(.vinyl, "What's Going On", "discogs", ["Funk / Soul", "Soul"])
    try add(.vinyl, "Kind of Blue", "discogs", ["Jazz"])
    catalog.atTerminal()
    let page = catalog.run("show", "1").output
    #expect(page.contains("Genres  Soul & R&B, Soul\n"))
    #expect(page.contains("Said    Funk / Soul, Soul\n"))
    #expect(!catalog.run("show", "2").output.contains("Said"))
  }

  @Test func `genre labels lists each label with its kind`() throws {
    try add(.movie, "Airplane!", "itunes", ["Comedy"])
    try add(.vinyl, "A Star Is Bought", "itunes", ["Comedy"])
    #expect(
      catalog.run("genre", "labels", "--csv").output.replacing("\r\n", with: "\n") == """
        source_genre,source,genres,items,decision,kind
        Comedy,itunes,Comedy,1,known,movie
        Comedy,itunes,Comedy & Novelty,1,known,vinyl

        """)
    #expect(
      catalog.run("genre", "alias", "comedy", "Humor", "--kind", "movie", "--source", "itunes").output
        == "Comedy (itunes, movie): Comedy → Humor\nchanged 1 item\n")
    #expect(catalog.run("list", "--columns", "genres", "id:1").output == "Humor\n")
    #expect(catalog.run("genre", "alias", "comedy", "Humor", "--kind", "app").status == 2)
    catalog.atTerminal()
    let labels = catalog.run("genre", "labels", "comedy").output
    #expect(labels.contains("itunes (movie)  Humor"))
    #expect(labels.contains("itunes (vinyl)  Comedy & Novelty"))
    try add(.vinyl, "Rave", "discogs", ["Electronic", "Hardcore"])
    let beside = catalog.run("genre", "labels", "hardcore").output
    #expect(beside.contains("Hardcore  discogs  beside others Hardcore Punk, Hardcore Techno"))
  }

  // MARK: Unknown genres

  private var add: [String] { ["add", "book", "--title", "Mine", "--genre"] }

  @Test func `an unknown genre is asked about on a terminal`() throws {
    catalog.atTerminal()
    catalog.input = ["n"]
    let refused = catalog.run(add + ["Sciense Fiction"])
    #expect(refused.status == 1)
    #expect(
      refused.errors == """
        There is no genre 'Sciense Fiction'; did you mean 'Science Fiction'?
        Create it? [y/N] catalog: nothing was changed

        """)
    #expect(try catalog.store.shelfCounts().total == 0)
    catalog.input = ["y"]
    #expect(catalog.run(add + ["Solarpunk"]).output == "added book 1: Mine  Solarpunk\n")
    // By then it is known.
    catalog.input = []
    #expect(catalog.run("edit", "1", "genre=solarpunk; 재즈").output.contains("genre: Solarpunk → Solarpunk; Jazz"))
    #expect(catalog.run("edit", "1", "genre-=Nothing Like It").status == 0)
  }

  @Test func `an unknown genre without a terminal fails and hints at --yes`() throws {
    #expect(
      catalog.run(add + ["Solarpnk"])
        == .init(
          output: "",
          errors: """
            catalog: there is no genre 'Solarpnk'
            hint: --yes creates it; see the existing genres: catalog genre list --all

            """, status: 1))
    #expect(catalog.run(add + ["Solarpunk", "--yes"]).status == 0)
    for (typed, meant) in [("Jaz", "Jazz"), ("쟈즈", "재즈")] {
      let errors = catalog.run("edit", "1", "genre+=\(typed)").errors
      #expect(errors.hasPrefix("catalog: there is no genre '\(typed)'; did you mean '\(meant)'?\n"))
    }
    #expect(try catalog.store.genres(of: ItemID(rawValue: 1)) == ["Solarpunk"])
    // Labels of sources are accepted.
    try add(.vinyl, "New", "discogs", ["Never Heard"])
    #expect(catalog.run("list", "--columns", "genres", "id:2").output == "Never Heard\n")
  }

  @Test func `a compound genre name means all its genres`() throws {
    #expect(catalog.run(add + ["Action & Adventure"]).output == "added book 1: Mine  Action, Adventure\n")
    let more = catalog.run("edit", "1", "genre+=Sci-Fi & Fantasy").output
    #expect(more.contains("Action; Adventure; Science Fiction; Fantasy"))
    #expect(catalog.run("edit", "1", "genre-=action & adventure").output.contains("→ Science Fiction; Fantasy"))
    let alias = catalog.run("genre", "alias", "space wizards", "Sci-Fi & Fantasy").output
    #expect(alias.contains("→ Science Fiction, Fantasy"))
  }

  @Test func `a Korean genre name stands for the genre`() throws {
    let added = catalog.run("add", "vinyl", "--title", "Kind of Blue", "--genre", "모달 재즈").output
    #expect(added.hasSuffix("Modal Jazz\n"))
    #expect(catalog.run("list", "genre:재즈", "--columns", "title").output == "Kind of Blue\n")
    #expect(catalog.run("list", "genre:록").status == 1)
  }

  // MARK: The way back

  @Test func `edit genres! resets the genres of an item to those of its labels`() throws {
    try add(.movie, "Lincoln", "tmdb", ["History", "Drama"])
    try add(.movie, "None", "tmdb", [])
    catalog.run("edit", "1", "genre=War")
    #expect(
      catalog.run("edit", "1", "genres!").output == """
        movie 1: Lincoln
          genre: War → Historical Fiction; Drama
        changed 1 item

        """)
    #expect(try !catalog.store.hasGenresByHand(ItemID(rawValue: 1)))
    #expect(catalog.run("edit", "1", "genres!").errors == "catalog: nothing changed\n")
    #expect(catalog.run("edit", "2", "genres!").errors == "catalog: nothing changed\n")
    // The same genres by hand.
    catalog.run("edit", "1", "genre=War")
    catalog.run("edit", "1", "genre=Historical Fiction; Drama")
    #expect(catalog.run("edit", "1", "genre!").output.contains("genre: as its labels say\n"))
    #expect(try !catalog.store.hasGenresByHand(ItemID(rawValue: 1)))
    // The next edit is a choice again.
    #expect(catalog.run("edit", "1", "genres!", "genre+=War").output.contains("Historical Fiction; Drama; War"))
    #expect(try catalog.store.hasGenresByHand(ItemID(rawValue: 1)))
  }

  // MARK: Books without labels

  @Test func `a book in the pack with the same title and author gets its genres offline`() throws {
    var record = Record(kind: .book, title: "7년의 밤(개정판)")
    record.externalIDs = [ExternalID(source: "kakao", value: "9788956604992")]
    record.credits = [Credit(name: "정유정", role: .author)]
    catalog.results([Candidate(id: record.externalIDs[0], record: record)])
    #expect(catalog.run("add", "r1", "--offline").output.hasSuffix("Thriller, Crime\n"))
    #expect(
      catalog.run("genre", "labels", "--csv").output.contains("Thriller,pack,Thriller,1,known,book\r\n"))
    record.credits = [Credit(name: "정유미", role: .author)]
    record.externalIDs = [ExternalID(source: "kakao", value: "2")]
    catalog.results([Candidate(id: record.externalIDs[0], record: record)])
    let other = catalog.run("add", "r1", "--offline")
    #expect(other.output.contains("정유미"), "\(other)")
    #expect(try catalog.store.genres(of: ItemID(rawValue: 2)) == [])
  }
}
