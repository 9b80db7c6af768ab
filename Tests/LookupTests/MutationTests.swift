import CatalogModel
import Foundation
import TestSupport
import Testing

@testable import Lookup
@testable import fuzz_answers

/// Tests damaged answers, the same in each run, with the fuzzer in `Tools/fuzz-answers`; `make fuzz` runs many more.
/// Each answer is read or refused with a ``SourceError``, the only error of these functions. Nothing may trap or hang,
/// and each record must keep the guarantees of its type.
@Suite(.timeLimit(.minutes(Patience.minutes)))
struct MutationTests {
  /// The number of mutations for each source.
  static let count = Rounds.count(300, long: 1_000)

  /// Checks that the record keeps the guarantees of its type.
  static func check(_ record: Record) { #expect(Promises.broken(by: record) == []) }

  static let searches = [
    "itunes": ITunesTests.results(
      ITunesTests.movie, ITunesTests.album, ITunesTests.ebook, ITunesTests.podcast,
      ITunesShopTests.koreanMovie, ITunesShopTests.koreanApp, ITunesShopTests.koreanSongs),
    "openlibrary": OpenLibraryTests.search, "musicbrainz": MusicBrainzTests.search, "tmdb": TMDBTests.search,
    "kakao": KakaoTests.search, "googlebooks": GoogleBooksTests.search, "discogs": DiscogsTests.search,
    "wikidata": WikidataTests.search, "inventaire": InventaireTests.search,
    "aladin": AladinTests.search, "dnb": LibraryTests.dnb(LibraryTests.lamp),
    "bnf": LibraryTests.bnf(LibraryTests.lampe),
  ]

  static let records: [ExternalID: String] = [
    .itunes("collection/101"): ITunesTests.results(ITunesTests.album, ITunesTests.songs),
    .itunes("track/1225955783"): ITunesTests.results(ITunesShopTests.koreanSongs),
    .itunes("software/869223134"): ITunesTests.results(ITunesShopTests.koreanApp),
    .openLibrary("OL1W"): OpenLibraryTests.work, .openLibrary("OL20M"): OpenLibraryTests.edition,
    .musicBrainz(MusicBrainzTests.id): MusicBrainzTests.release, TMDBTests.id: TMDBTests.movie,
    GoogleBooksTests.id: GoogleBooksTests.volume, DiscogsTests.id: DiscogsTests.release,
    WikidataTests.id("Q100"): WikidataTests.items,
    InventaireTests.id("wd:Q10"): InventaireTests.entities(InventaireTests.work, InventaireTests.author),
    InventaireTests.id("isbn:\(InventaireTests.isbn)"): InventaireTests.entities(
      InventaireTests.edition, InventaireTests.work, InventaireTests.author),
  ]

  @Test(arguments: Source.all, [Int.max, Int.min, 0, -1])
  func `extreme numbers in an answer never crash a parser`(source: Source, number: Int) throws {
    let texts =
      [try #require(Self.searches[source.id])] + Self.records.filter { $0.key.source == source.id }.map(\.value)
    for text in texts {
      // Each number in the answer by itself, wherever it stands.
      for digits in text.matches(of: /[0-9]+/) {
        let body = text.replacingCharacters(in: digits.range, with: "\(number)")
        let search = Search(words: "x", kind: .vinyl, page: number, pageSize: number)
        let page = try? source.read(Response(json: body), search, source.settings())
        page?.candidates.forEach { Self.check($0.record) }
        _ = source.request(search, source.settings())
        for id in Self.records.keys where id.source == source.id {
          if let record = try? source.record(id, as: .vinyl, from: FakeWeb(["/": Response(json: body)])) {
            Self.check(record)
          }
        }
      }
    }
  }

  /// The answers above as recordings, each with the addresses that it answers.
  static let recordings = Source.all.flatMap { source in
    func recording(_ name: String, at routes: [String], is text: String) -> Recording {
      Recording(source, "\(source.id)/\(name)", at: routes, Response(json: text))
    }
    let search = recording(
      "search", at: ["/search", "/volumes?", "/release?", "action=query", "/Item", "searchRetrieve"],
      is: searches[source.id] ?? "")
    let found = records.filter { $0.key.source == source.id }.sorted { $0.key.value < $1.key.value }.map { id, text in
      let things = [
        "/lookup", "/books/", "/isbn/", "/ws/2/release/", "/volumes/", "/releases/", "/movie/", "wbgetentities",
        "/api/entities",
      ]
      return recording(id.value, at: id.value.hasSuffix("W") ? ["/works/"] : things, is: text)
    }
    let parts = source.id == "tmdb" ? TMDBTests.parts.filter { $0.key.contains("3/") }.sorted { $0.key < $1.key } : []
    return [search] + found
      + parts.map { recording("part\($0)", at: ["/" + ($0.split(separator: "/").last ?? "")], is: $1) }
  }

  @Test func `a damaged refusal is still read as a refusal`() {
    var random = SplitMix(seed: 3)
    var named = 0
    for _ in 0..<Self.count {
      let body = Mutation.damaged(Array(ITunesShopTests.noShop.utf8), using: &random)
      do {
        _ = try Source.itunes.read(
          Response(status: 400, body: body), Search(words: "x", kind: .music), Source.itunes.settings())
        Issue.record("it was read")
      } catch SourceError.noShop(country: "US") {
        named += 1
      } catch {
        guard case .refused(status: 400, _) = error else {
          Issue.record("\(error)")
          continue
        }
      }
    }
    #expect(named > 0)
    #expect(named < Self.count)
  }

  /// A quick fuzzer: small mutants, each for one parser.
  static func fuzzer(_ recordings: [Recording]) -> Fuzzer {
    var fuzzer = Fuzzer(recordings: recordings, seed: 42)
    (fuzzer.mostBytes, fuzzer.isThorough) = (8 << 10, false)
    return fuzzer
  }

  @Test func `damaged answers are read or refused without a crash`() {
    let report = Self.fuzzer(Self.recordings).run(0..<Self.count * Source.all.count * 3 / 2)
    #expect(report.findings == [])
    for source in Source.all {
      let tally = report.tallies[source.id]
      #expect(tally.map { $0.read > 30 && $0.refused > 20 } == true, "\(source.id) \(tally as Any)")
    }
  }

  @Test(.enabled(if: Recorded.folder != nil, "set CATALOG_FIXTURES to the folder with recorded answers"))
  func `damaged recorded answers are read or refused without a crash`() throws {
    let recordings = try Recording.all(in: try #require(Recorded.folder))
    // There are no recordings of these.
    let unrecorded = Set(Source.all.map(\.id)).subtracting(recordings.map(\.source.id))
    #expect(unrecorded == ["inventaire", "aladin", "dnb", "bnf"])
    #expect(Self.fuzzer(recordings).run(0..<300).findings == [])
  }

  /// Memory is measured in separate processes, since other answers and tests would add to it.
  @Test func `no answer takes more than 64 MiB to parse`() throws {
    let folder = try TemporaryFolder()
    for (name, recording) in zip(0..., Self.recordings) {
      let path = folder.url.appending(path: recording.source.id)
      try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
      try Data(recording.response.body).write(to: path.appending(path: "\(name).json"))
    }
    let program = Process()
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    program.executableURL = URL(filePath: bundle).deletingLastPathComponent().appending(path: "fuzz-answers")
    program.arguments = ["--heavy", "--quick", "--count", "12", folder.path]
    let said = Pipe()
    (program.standardOutput, program.standardError) = (FileHandle.nullDevice, said)
    try program.run()
    let words = String(decoding: try said.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    program.waitUntilExit()
    #expect(program.terminationStatus == 0, "\(words)")
    #expect(words.split(separator: "\n").count == 12, "\(words)")
  }

  // MARK: What it found

  @Test func `an impossible year is unknown`() throws {
    let row = #"{"results": [{"id": 1, "title": "T", "release_date": "9999-12-31"}]}"#
    let record = try #require(try Source.tmdb.page(row, .movie).candidates.first?.record)
    #expect(record.year == nil)
    #expect(record.released == nil)
    let books = KakaoTests.search.replacing("2014-05-19", with: "9999-05-19")
    #expect(books.contains("9999"))
    #expect(try Source.kakao.page(books, .book).candidates.allSatisfy { $0.record.year == nil })
  }

  @Test(arguments: [Source.kakao, .discogs, .tmdb, .openLibrary, .musicBrainz, .googleBooks])
  func `a negative total is ignored`(source: Source) throws {
    let counts = /"(pageable_count|items|total_results|numFound|num_found|count|totalItems)": *[0-9]+/
    let text = try #require(Self.searches[source.id]).replacing(counts) { "\"\($0.output.1)\": -5" }
    #expect(text.contains("-5"))
    let page = try source.page(text, source.kinds[0])
    #expect(!page.candidates.isEmpty, "\(String(describing: page.total))")
    #expect(page.total ?? 0 == 0, "\(String(describing: page.total))")
  }

  // MARK: The fuzzer itself

  @Test func `a mutant is the same for the same seed and number`() {
    func mutant(_ number: Int, seed: UInt64) -> Mutant {
      Mutant(number, of: Self.recordings, seed: seed, mostBytes: 4 << 10)
    }
    for number in 0..<50 {
      let (one, other) = (mutant(number, seed: 7), mutant(number, seed: 7))
      #expect(one.head == other.head)
      #expect(one.body == other.body)
      #expect(one.picture == other.picture)
      #expect(one.page == other.page)
      #expect(one.pageSize == other.pageSize)
      #expect(one.isEverywhere == other.isEverywhere)
    }
    #expect(Set((0..<50).map { mutant(0, seed: $0).body }).count > 40, "another seed makes others")
  }

  @Test func `the JSON map finds the range of every value`() throws {
    let text = #"{"a": [1, "x\"}", {}], "b" : {"c": null}, "d": "é"}"#
    let map = try #require(JSONMap(Array(text.utf8)))
    let found = map.values.map { String(decoding: Array(text.utf8)[$0.whole], as: UTF8.self) }
    #expect(
      found == [
        "1", #""x\"}""#, "{}", #""a": [1, "x\"}", {}]"#, #""c": null"#, #""b" : {"c": null}"#, #""d": "é""#, text,
      ])
    for broken in ["", "{", #"{"a"}"#, #"{"a": "#, "[1, 2", #"["x"#] {
      #expect(JSONMap(Array(broken.utf8)) == nil, "\(broken)")
    }
  }

  @Test func `broken guarantees of records, pages and redirects are detected`() {
    var record = Record(kind: .movie, title: "")
    record.credits = [Credit(name: "", role: .cast)]
    record.summary = "bell \u{7}"
    record.labels = ["\u{9B}31m"]
    record.url = "javascript:0"
    record.publicRating = PublicRating(value: 101)
    #expect(Promises.broken(by: record).count == 6)
    var promises = Promises()
    promises.check(
      Page(candidates: [Candidate(id: ExternalID(source: "tmdb", value: " 5"), record: record)], total: -1))
    #expect(promises.broken.count == 9, "\(promises.broken)")
    var chain = RedirectChain(
      index: 0, request: Request(source: "x", url: "https://api.example/", secret: .parameter("key", "sesame")))
    var home = Promises()
    home.check(chain, key: "sesame")
    #expect(home.broken == [])
    #expect(chain.follow("https://elsewhere.example/?key2=sesame") == nil)
    home.check(chain, key: "sesame")
    #expect(home.broken.count == 1)
  }
}
