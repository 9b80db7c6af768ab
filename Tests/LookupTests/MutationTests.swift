import CatalogModel
import Foundation
import Lookup
import Testing

/// Answers that were damaged on the way: 2 000 a source, the same at each run. Whatever comes, it is read or refused with
/// a ``SourceError``; the functions can throw nothing else, so what is tested is that nothing traps, and that what was read
/// holds what a record promises.
struct MutationTests {
  static let count = 2_000

  struct Generator: RandomNumberGenerator {
    var state: UInt64
    /// SplitMix64, <https://prng.di.unimi.it/splitmix64.c>.
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  static let splices = [
    "null", "-1", "0", "1e999", "99999999999999999999", "\"\"", "[]", "{}", "true", "\"\\u0000\"", "\"\\ud800\"", "]",
    "}",
    "{\"key\":", "\\", "\"", ",", "<", "&#27;", "\u{FEFF}", "[[[[[[[[", "9223372036854775807", "-9223372036854775808",
    "0.5",
  ]

  static func mutant(of bytes: [UInt8], using generator: inout Generator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
      let at = Int.random(in: 0..<bytes.count, using: &generator)
      let length = Int.random(in: 0...min(12, bytes.count - at), using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes[at] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.removeSubrange(at..<at + length)
      case 2: bytes.replaceSubrange(at..<at + length, with: (splices.randomElement(using: &generator) ?? "").utf8)
      case 3: bytes.insert(contentsOf: bytes[at..<at + length], at: Int.random(in: 0...bytes.count, using: &generator))
      default:
        // A whole value is replaced: what a source that changes its mind would send.
        guard let colon = bytes[at...].firstIndex(of: UInt8(ascii: ":")),
          let end = bytes[colon...].firstIndex(where: { [UInt8(ascii: ","), UInt8(ascii: "}")].contains($0) })
        else { continue }
        bytes.replaceSubrange(colon + 1..<end, with: (splices.randomElement(using: &generator) ?? "").utf8)
      }
    }
    return bytes
  }

  static func check(_ record: Record) {
    #expect(!record.title.isEmpty)
    #expect(record.credits.allSatisfy { !$0.name.isEmpty })
    #expect(record.labels.allSatisfy { !$0.isEmpty } && record.otherTitles.allSatisfy { !$0.isEmpty })
    #expect(record.year.map { ReleaseYear.range.contains($0) && $0 != 0 } ?? true)
    #expect(record.movie?.minutes ?? 1 > 0)
    #expect(record.book?.pages ?? 1 > 0)
    #expect(record.vinyl?.discs ?? 1 > 0)
    #expect(record.vinyl?.tracks.allSatisfy { $0.seconds ?? 1 > 0 && !$0.title.isEmpty } ?? true)
    if case .other(let other) = record.details {
      #expect(other.tracks.allSatisfy { $0.seconds ?? 1 > 0 && !$0.title.isEmpty })
      #expect(other.count ?? 1 > 0)
    }
    if let offer = record.offer {
      let prices = [offer.price, offer.hdPrice, offer.rentalPrice, offer.hdRentalPrice].compactMap(\.self)
      #expect(prices.allSatisfy { $0.minorUnits >= 0 && $0.currency.utf8.count == 3 })
      #expect(offer.bytes ?? 1 > 0)
      #expect(offer.languages.allSatisfy { !$0.isEmpty })
      #expect(offer != Offer())
    }
    for url in [record.url, record.artworkURL, record.previewURL].compactMap(\.self) {
      #expect(url.hasPrefix("https://") || url.hasPrefix("http://"))
    }
    let texts = [record.title, record.summary ?? ""] + record.credits.map(\.name) + record.labels + record.otherTitles
    #expect(!texts.joined().unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
  }

  static let searches = [
    "itunes": ITunesTests.results(
      ITunesTests.movie, ITunesTests.album, ITunesTests.ebook, ITunesTests.podcast,
      ITunesShopTests.koreanMovie, ITunesShopTests.koreanApp, ITunesShopTests.koreanSongs),
    "openlibrary": OpenLibraryTests.search, "musicbrainz": MusicBrainzTests.search, "tmdb": TMDBTests.search,
    "kakao": KakaoTests.search, "googlebooks": GoogleBooksTests.search, "discogs": DiscogsTests.search,
  ]

  static let records: [ExternalID: String] = [
    .itunes("collection/101"): ITunesTests.results(ITunesTests.album, ITunesTests.songs),
    .itunes("track/1225955783"): ITunesTests.results(ITunesShopTests.koreanSongs),
    .itunes("software/869223134"): ITunesTests.results(ITunesShopTests.koreanApp),
    .openLibrary("OL1W"): OpenLibraryTests.work, .openLibrary("OL20M"): OpenLibraryTests.edition,
    .musicBrainz(MusicBrainzTests.id): MusicBrainzTests.release, TMDBTests.id: TMDBTests.movie,
    GoogleBooksTests.id: GoogleBooksTests.volume, DiscogsTests.id: DiscogsTests.release,
  ]

  @Test(arguments: Source.all, [Int.max, Int.min, 0, -1])
  func `no number is too big or too small`(source: Source, number: Int) throws {
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

  @Test(arguments: Source.all)
  func `damaged search answers are read or refused`(source: Source) throws {
    let json = try #require(Self.searches[source.id])
    var generator = Generator(state: 42)
    var pages = 0
    for number in 0..<Self.count {
      let body = Self.mutant(of: Array(json.utf8), using: &generator)
      let search = Search(words: "x", kind: number.isMultiple(of: 2) ? .vinyl : .music)
      guard let page = try? source.read(Response(status: 200, body: body), search, source.settings()) else { continue }
      pages += 1
      page.candidates.forEach { Self.check($0.record) }
    }
    #expect(pages > 0)
  }

  @Test func `a damaged refusal is a refusal`() throws {
    var generator = Generator(state: 3)
    var named = 0
    for _ in 0..<Self.count {
      let body = Self.mutant(of: Array(ITunesShopTests.noShop.utf8), using: &generator)
      do {
        _ = try Source.itunes.read(
          Response(status: 400, body: body), Search(words: "x", kind: .music), Source.itunes.settings())
        Issue.record("it was read")
      } catch SourceError.noShop(country: "US") {
        named += 1
      } catch {
        #expect(error == .refused(status: 400))
      }
    }
    #expect(named > 0 && named < Self.count)
  }

  @Test(arguments: records.keys)
  func `damaged records are read or refused`(id: ExternalID) throws {
    let source = try #require(Source.named(id.source))
    let json = try #require(Self.records[id])
    var generator = Generator(state: 7)
    var records = 0
    for _ in 0..<Self.count {
      let answer = Response(status: 200, body: Self.mutant(of: Array(json.utf8), using: &generator))
      let web = FakeWeb(["/": answer])
      guard let record = try? source.record(id, as: .vinyl, from: web) else { continue }
      records += 1
      Self.check(record)
    }
    #expect(records > 0)
  }
}
