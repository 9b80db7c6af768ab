import CatalogModel
import Foundation
import Lookup
import Testing

@testable import make_pack

struct PackTests {
  /// The top of the repository.
  static let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func file(_ path: String) throws -> String {
    try String(contentsOf: top.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func `the starter pack matches its source lists`() throws {
    let lists = try [(Kind.movie, "movies"), (.book, "books"), (.vinyl, "vinyl")].map { kind, name in
      PackMaker.List(kind: kind, file: "\(name).tsv", text: try Self.file("Data/pack/\(name).tsv"))
    }
    let (text, problems) = PackMaker(genreTree: try Self.file("Data/genres.txt")).pack(from: lists)
    #expect(problems == [])
    #expect(text == StarterPack.shipped.text, "run 'swift run make-pack'")
    let entries = lists.flatMap { $0.text.split(separator: "\n").filter { !$0.hasPrefix("#") } }
    #expect(StarterPack.shipped.candidates.reduce(0) { count, _ in count + 1 } == entries.count)
  }

  @Test func `the starter pack covers all kinds, decades and Korean books`() {
    let all = Array(StarterPack.shipped.candidates)
    let korean = all.filter { $0.record.book?.language == "ko" }
    let decades = Set(all.compactMap { $0.record.year }.map { $0 / 10 * 10 })
    #expect(all.count >= 1_000)
    #expect(Set(all.map(\.id)).count == all.count)
    #expect(korean.count >= 60)
    #expect(decades.isSuperset(of: stride(from: 1920, through: 2020, by: 10)))
    for kind in Kind.shelved { #expect(all.filter { $0.record.kind == kind }.count >= 300) }
    for candidate in all {
      #expect(candidate.record.externalIDs == [candidate.id])
      #expect(!candidate.record.creators.isEmpty)
      #expect(!candidate.record.labels.isEmpty)
      #expect(candidate.record.summary == nil)
      MutationTests.check(candidate.record)
    }
  }

  @Test func `a pack entry is found by its id`() throws {
    let record = try #require(StarterPack.shipped.record(ExternalID(source: "pack", value: "vinyl/kind-of-blue-1959")))
    #expect(record.title == "Kind of Blue")
    #expect(record.creators == ["Miles Davis"])
    #expect(record.year == 1959)
    #expect(record.released == PartialDate("1959"))
    #expect(record.labels.contains("Jazz"))
    #expect(record.vinyl?.label == "Columbia")
    #expect(record.vinyl?.country == "US")
    #expect(StarterPack.shipped.record(ExternalID(source: "itunes", value: "vinyl/kind-of-blue-1959")) == nil)
    #expect(StarterPack.shipped.record(ExternalID(source: "pack", value: "vinyl/kind-of-blue")) == nil)
  }

  @Test func `an invalid pack entry is skipped`() {
    let good = "movie/x-1990\tX\t\t1990\tA; B\tDrama\t90\tUS; KR\t\t\tx;a|b"
    let pack = StarterPack(
      text: """
        # note

        \(good)
        movie/y\tY
        app/z-1\tZ\t\t1990\tA\tDrama\t\t\t\t\tz;a
        \t\t\t\t\t\t\t\t\t\t

        """)
    let records = pack.candidates.map(\.record)
    #expect(records.map(\.title) == ["X"])
    #expect(records.first?.creators == ["A", "B"])
    #expect(records.first?.movie?.minutes == 90)
    #expect(records.first?.movie?.countries == ["US", "KR"])
  }

  // MARK: Searching

  /// The titles of movies that a search of the pack finds, the best first.
  static func found(_ words: String, _ kind: Kind = .movie) -> [String] {
    StarterPack.shipped.search(Search(words: words, kind: kind, pageSize: 100)).candidates.map(\.record.title)
  }

  @Test func `an exact title match ranks first among movies`() {
    #expect(Self.found("godfather").prefix(2) == ["The Godfather", "The Godfather Part II"])
    #expect(Self.found("godfather").contains("Tokyo Godfathers"))
    #expect(Self.found("the godfather").first == "The Godfather")
    #expect(Self.found("godf").first == "The Godfather")
    #expect(Self.found("dune").prefix(2) == ["Dune", "Dune: Part Two"])
    #expect(!Self.found("dune").contains("Anatomy of a Fall"))
    #expect(Self.found("oceans eleven") == ["Ocean's Eleven"])
    #expect(Self.found("et").contains("E.T. the Extra-Terrestrial"))
    #expect(Self.found("spiderman").allSatisfy { $0.hasPrefix("Spider-Man") })
    #expect(Self.found("amelie").first == "Amélie")
    #expect(Self.found("amélie").first == "Amélie")
    #expect(Self.found("기생충").first == "Parasite")
    #expect(Self.found("ㄱㅅㅊ").first == "Parasite")
    #expect(Self.found("wall-e").first == "WALL-E")
    #expect(Self.found("2001 a space odyssey").first == "2001: A Space Odyssey")
  }

  @Test func `books and vinyl are found by their titles and creators`() {
    #expect(Self.found("it", .book).first == "It")
    #expect(Self.found("It", .book).first == "It")
    #expect(Self.found("1q84", .book).first == "1Q84")
    #expect(Self.found("kind of blue miles davis", .vinyl) == ["Kind of Blue"])
    #expect(Self.found("†", .vinyl) == ["†"])
    #expect(Self.found("zzqx", .vinyl) == [])
    #expect(Self.found(" ", .vinyl) == [])
  }

  @Test func `pack entries are found by their genres`() {
    let jazz = StarterPack.candidates.filter { candidate in
      candidate.record.kind == .vinyl && candidate.record.labels.contains { $0.split(separator: " ").contains("Jazz") }
    }
    #expect(Set(Self.found("jazz", .vinyl)).isSuperset(of: jazz.map(\.record.title)))
    #expect(Self.found("tropicalia", .book) == ["Tropical Truth"])
  }

  @Test func `every pack entry ranks first for each of its titles`() {
    // Among its neighbours, which is enough: results are in the order of the ranks.
    let lines = StarterPack.shipped.text.split(separator: "\n")
    for start in stride(from: 0, to: lines.count, by: 10) {
      let pack = StarterPack(text: lines[start...].prefix(10).joined(separator: "\n"))
      for candidate in pack.candidates {
        for title in [candidate.record.title, candidate.record.originalTitle].compactMap(\.self) {
          let words = SearchWords(title)
          let page = pack.search(Search(words: title, kind: candidate.record.kind, pageSize: 10))
          let first = page.candidates.prefix { TitleRank(of: $0.record, for: words) == .exact }
          #expect(first.contains(candidate), "\(title)")
        }
      }
    }
  }

  @Test(arguments: ["the", "blue", "love", "a", "한", "miles", "the s"])
  func `search results are ordered by title rank`(words: String) {
    for kind in Kind.shelved {
      let found = StarterPack.shipped.search(Search(words: words, kind: kind, pageSize: 100)).candidates
      let ranks = found.map { TitleRank(of: $0.record, for: SearchWords(words)) }
      #expect(ranks == ranks.sorted())
    }
  }

  @Test func `a finished word must match whole unless no entry matches all words`() {
    let pack = StarterPack(
      text: ["The Lord of the Rings", "Lords of Ringing"].map { title in
        "book/\(title)-1990\t\(title)\t\t1990\tA\tDrama\t\t\t\t\t\(SearchKeys.text(titles: [title], names: ["A"]))\n"
      }.joined())
    func found(_ words: String) -> [String] {
      pack.search(Search(words: words, kind: .book)).candidates.map(\.record.title)
    }
    #expect(found("lord ring") == ["The Lord of the Rings"])
    #expect(found("lor ring") == ["Lords of Ringing", "The Lord of the Rings"])
    #expect(found("ring lords") == ["Lords of Ringing"])
  }

  @Test func `the pages of a search add up to all results`() {
    func page(_ number: Int, of size: Int) -> Page {
      StarterPack.shipped.search(Search(words: "the", kind: .vinyl, page: number, pageSize: size))
    }
    let all = page(1, of: 200)
    #expect(all.total == all.candidates.count)
    #expect(!all.hasMore)
    let pages = (1...(all.candidates.count / 7 + 1)).map { page($0, of: 7) }
    #expect(pages.flatMap(\.candidates) == all.candidates)
    #expect(pages.map(\.hasMore) == pages.indices.map { ($0 + 1) * 7 < all.candidates.count })
    #expect(pages.allSatisfy { $0.total == all.total })
    #expect(page(1_000, of: 7) == Page(total: all.total))
  }

  @Test func `pack entries without search keys are not found`() {
    let line = "book/dune-1965\tDune\t\t1965\tFrank Herbert\tScience Fiction\t\t\ten\t"
    let search = Search(words: "dune", kind: .book)
    #expect(StarterPack(text: line).search(search).total == 0)
    #expect(StarterPack(text: line + "\tdune;frank herbert").search(search).total == 1)
    #expect(StarterPack(text: line + "\tdune").search(search).total == 1)
    #expect(StarterPack(text: line + "\t").search(search).total == 0)
    #expect(StarterPack(text: "").search(search).total == 0)
  }

  @Test func `the same work is found by its title and a creator`() {
    func record(_ title: String, by creator: String) -> Record {
      var record = Record(kind: .movie, title: title)
      record.credits = [Credit(name: creator, role: Credit.Role(main: .movie))]
      return record
    }
    let pack = StarterPack.shipped
    #expect(pack.entry(like: record("The Godfather (Remastered)", by: "Francis Ford Coppola"))?.year == 1972)
    #expect(pack.entry(like: record("기생충", by: "Bong Joon Ho"))?.title == "Parasite")
    #expect(pack.entry(like: record("Wall·E", by: "Andrew Stanton"))?.title == "WALL-E")
    #expect(pack.entry(like: record("The Godfather", by: "Anna")) == nil)
    #expect(pack.entry(like: record("Godfather", by: "Francis Ford Coppola")) == nil)
    #expect(pack.entry(like: record("The Godfather Part", by: "Francis Ford Coppola")) == nil)
    #expect(pack.entry(like: record("", by: "Francis Ford Coppola")) == nil)
  }

  @Test func `every vinyl entry of the pack finds itself`() {
    for candidate in StarterPack.candidates where candidate.record.kind == .vinyl {
      #expect(StarterPack.shipped.entry(like: candidate.record)?.title.isEmpty == false, "\(candidate.id)")
    }
  }

  @Test func `candidates of equal rank keep their order`() {
    let titles = ["Tokyo Godfathers", "The Godfather Part III", "The Godfather Part II", "The Godfather", "A", "B"]
    let candidates = titles.map {
      Candidate(id: ExternalID(source: "x", value: $0), record: Record(kind: .movie, title: $0))
    }
    #expect(
      candidates.ranked(for: SearchWords("godfather")).map(\.record.title) == [
        "The Godfather", "The Godfather Part III", "The Godfather Part II", "Tokyo Godfathers", "A", "B",
      ])
    #expect(candidates.ranked(for: SearchWords(" ")) == candidates)
  }

  // MARK: Lists

  struct Mistake: CustomTestStringConvertible {
    var line: String
    var words: String
    var testDescription: String { words }
  }

  @Test(arguments: [
    Mistake(line: "Alien", words: "1 cells instead of 7"),
    Mistake(line: "\t\t1979\tRidley Scott\tHorror\t117\tUS", words: "no title"),
    Mistake(
      line: "Alien \t\t1979\tRidley Scott\tHorror\t117\tUS", words: "stray blanks or control characters in 'Alien '"),
    Mistake(
      line: "Alien\tAlien\t1979\tRidley Scott\tHorror\t117\tUS",
      words: "the original title is the title: leave it empty"),
    Mistake(line: "Alien\t\t19x9\tRidley Scott\tHorror\t117\tUS", words: "'19x9' is no year"),
    Mistake(line: "Alien\t\t1979\t\tHorror\t117\tUS", words: "no creator"),
    Mistake(line: "Alien\t\t1979\tRidley Scott\t\t117\tUS", words: "no genre"),
    Mistake(line: "Alien\t\t1979\tRidley Scott\tHorror; Scary\t117\tUS", words: "there is no genre 'Scary'"),
    Mistake(line: "Alien\t\t1979\tRidley Scott\tHorror; Horror\t117\tUS", words: "a value is empty or there twice"),
    Mistake(line: "Alien\t\t1979\tRidley Scott\tHorror\t0\tUS", words: "'0' is no running time"),
    Mistake(line: "Alien\t\t1979\tRidley Scott\tHorror\t117\tUSA", words: "'USA' is no country"),
    Mistake(line: "…\t\t1979\t—\tHorror\t117\tUS", words: "no id can be made of '…'"),
  ])
  func `a mistake in a list is reported with its line`(mistake: Mistake) {
    let head = "# title\toriginal_title\tyear\tdirectors\tgenres\tminutes\tcountries"
    let list = PackMaker.List(kind: .movie, file: "m.tsv", text: "\(head)\n# note\n\(mistake.line)\n")
    let (text, problems) = PackMaker(genreTree: "Fiction\n  Horror\n").pack(from: [list])
    #expect(problems.map(\.description) == ["m.tsv:3: \(mistake.words)"])
    #expect(text.split(separator: "\n").count == 2)
  }

  @Test func `duplicate ids and wrong columns are mistakes`() {
    let line = "So What\t\t1959\tMiles Davis\tJazz\tColumbia\tUS"
    let list = PackMaker.List(
      kind: .vinyl, file: "v.tsv", text: "# title\n\(line)\n\(line.replacing("So What", with: "So what?"))\n")
    #expect(
      PackMaker(genreTree: "Jazz\n").pack(from: [list]).problems.map(\.description) == [
        "v.tsv:1: the columns are not title, original_title, year, artists, genres, label, country",
        "v.tsv:3: v.tsv:2 is 'vinyl/so-what-1959' too",
      ])
  }

  @Test(arguments: [
    ("Amélie", "amelie"), ("Ocean's Eleven", "oceans-eleven"), ("살인의 추억", "살인의-추억"), ("  Æon — Flux!", "aeon-flux"),
    ("8½", "8½"), ("風街ろまん", "風街ろまん"),
  ])
  func `an id is made of the words of the title`(title: String, slug: String) {
    #expect(PackMaker.slug(title) == slug)
  }

  @Test func `years before Christ are part of the id`() throws {
    let list = PackMaker.List(
      kind: .book, file: "b.tsv",
      text: "# title\toriginal_title\tyear\tauthors\tgenres\tlanguage\nThe Odyssey\t\t-700\tHomer\tPoetry\tel\n")
    let pack = StarterPack(text: PackMaker(genreTree: "Poetry\n").pack(from: [list]).text)
    let book = try #require(pack.record(ExternalID(source: "pack", value: "book/the-odyssey-700bc")))
    #expect(book.year == -700)
    #expect(book.released == nil)
  }
}
