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

  @Test func `the pack is what its lists say`() throws {
    let lists = try [(Kind.movie, "movies"), (.book, "books"), (.vinyl, "vinyl")].map { kind, name in
      PackMaker.List(kind: kind, file: "\(name).tsv", text: try Self.file("Data/pack/\(name).tsv"))
    }
    let (text, problems) = PackMaker(genreTree: try Self.file("Data/genres.txt")).pack(from: lists)
    #expect(problems == [])
    #expect(text == StarterPack.shipped.text, "run 'swift run make-pack'")
    let entries = lists.flatMap { $0.text.split(separator: "\n").filter { !$0.hasPrefix("#") } }
    #expect(StarterPack.shipped.candidates.reduce(0) { count, _ in count + 1 } == entries.count)
  }

  @Test func `the pack has something for everyone`() {
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
      #expect(!candidate.record.creators.isEmpty && !candidate.record.labels.isEmpty)
      #expect(candidate.record.summary == nil)
      MutationTests.check(candidate.record)
    }
  }

  @Test func `an entry is found by its id`() throws {
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

  @Test func `what is no entry is left out`() {
    let good = "movie/x-1990\tX\t\t1990\tA; B\tDrama\t90\tUS; KR\t\t"
    let pack = StarterPack(
      text: "# note\n\n\(good)\nmovie/y\tY\napp/z-1\tZ\t\t1990\tA\tDrama\t\t\t\t\n\t\t\t\t\t\t\t\t\t\n")
    let records = pack.candidates.map(\.record)
    #expect(records.map(\.title) == ["X"])
    #expect(records.first?.creators == ["A", "B"])
    #expect(records.first?.movie?.minutes == 90)
    #expect(records.first?.movie?.countries == ["US", "KR"])
  }

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
  func `a mistake in a list is named with its line`(mistake: Mistake) {
    let head = "# title\toriginal_title\tyear\tdirectors\tgenres\tminutes\tcountries"
    let list = PackMaker.List(kind: .movie, file: "m.tsv", text: "\(head)\n# note\n\(mistake.line)\n")
    let (text, problems) = PackMaker(genreTree: "Fiction\n  Horror\n").pack(from: [list])
    #expect(problems.map(\.description) == ["m.tsv:3: \(mistake.words)"])
    #expect(text.split(separator: "\n").count == 2)
  }

  @Test func `two entries of one id are a mistake, and so are other columns`() {
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
  func `an id is made of a title's words`(title: String, slug: String) {
    #expect(PackMaker.slug(title) == slug)
  }

  @Test func `years before Christ have ids too`() throws {
    let list = PackMaker.List(
      kind: .book, file: "b.tsv",
      text: "# title\toriginal_title\tyear\tauthors\tgenres\tlanguage\nThe Odyssey\t\t-700\tHomer\tPoetry\tel\n")
    let pack = StarterPack(text: PackMaker(genreTree: "Poetry\n").pack(from: [list]).text)
    let book = try #require(pack.record(ExternalID(source: "pack", value: "book/the-odyssey-700bc")))
    #expect(book.year == -700)
    #expect(book.released == nil)
  }
}
