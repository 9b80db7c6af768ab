import CatalogModel
import FoundationEssentials
import Lookup

/// The invariants of everything read from a source. Each broken one is described by a sentence.
struct Promises {
  private(set) var broken: [String] = []

  /// Returns the broken invariants of a record.
  static func broken(by record: Record) -> [String] {
    var promises = Promises()
    promises.check(record)
    return promises.broken
  }

  mutating func complain(_ sentence: String) { broken.append(sentence) }

  private mutating func expect(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    if !holds { complain(sentence()) }
  }

  mutating func check(_ page: Page) {
    expect(page.unreadable >= 0, "\(page.unreadable) unreadable elements")
    expect(page.total.map { $0 >= 0 } ?? true, "\(page.total ?? 0) hits in all")
    expect(Set(page.candidates.map(\.id)).count == page.candidates.count, "a hit is on the page twice")
    for candidate in page.candidates { check(candidate) }
  }

  mutating func check(_ candidate: Candidate) {
    let reference = try? Reference("\(candidate.id)", sources: [candidate.id.source])
    expect(reference == .external(candidate.id), "'\(candidate.id)' is no reference to itself")
    expect(candidate.record.externalIDs.contains(candidate.id), "\(candidate.id) is not among the ids of its record")
    check(candidate.record)
  }

  mutating func check(_ record: Record) {
    expect(!record.title.isEmpty, "a record without a title")
    expect(record.credits.allSatisfy { !$0.name.isEmpty }, "a person without a name")
    expect(record.labels.allSatisfy { !$0.isEmpty }, "a genre without a name")
    expect(record.otherTitles.allSatisfy { !$0.isEmpty }, "another title that is empty")
    expect(record.year.map { ReleaseYear.range.contains($0) && $0 != 0 } ?? true, "the year \(record.year ?? 0)")
    expect(
      record.publicRating.map { (0...100).contains($0.value) && $0.votes ?? 1 > 0 } ?? true,
      "rated \(record.publicRating?.value ?? 0) by \(record.publicRating?.votes ?? 0)")
    if let offer = record.offer { check(offer) }
    for url in [record.url, record.artworkURL, record.previewURL].compactMap(\.self) { check(url: url) }
    check(
      texts: [record.title, record.originalTitle, record.summary] + record.otherTitles + record.labels
        + record.externalIDs.map(\.value)
        + record.credits.flatMap { [$0.name, $0.detail, $0.externalID?.value] })
    switch record.details {
    case .movie(let movie):
      expect(movie.minutes ?? 1 > 0, "\(movie.minutes ?? 0) minutes")
      check(texts: [movie.tagline, movie.language] + movie.countries)
    case .book(let book):
      expect(book.pages ?? 1 > 0, "\(book.pages ?? 0) pages")
      expect([book.price, book.salePrice].allSatisfy { $0?.minorUnits ?? 0 >= 0 }, "a price below nothing")
      check(texts: [book.publisher, book.language, book.series, book.price?.currency])
    case .vinyl(let vinyl):
      expect(vinyl.discs ?? 1 > 0, "\(vinyl.discs ?? 0) discs")
      check(texts: [vinyl.label, vinyl.catalogNumber, vinyl.country, vinyl.format, vinyl.speed, vinyl.barcode])
      check(tracks: vinyl.tracks)
    case .other(let other):
      expect(other.seconds ?? 1 > 0 && other.count ?? 1 > 0, "\(other.seconds ?? 0) s, \(other.count ?? 0) tracks")
      check(texts: [other.collection, other.version])
      other.feedURL.map { check(url: $0) }
      check(tracks: other.tracks)
    }
  }

  private mutating func check(_ offer: Offer) {
    expect(offer != Offer(), "an offer of nothing")
    let prices = [offer.price, offer.hdPrice, offer.rentalPrice, offer.hdRentalPrice].compactMap(\.self)
    expect(
      prices.allSatisfy { $0.minorUnits >= 0 && $0.currency.utf8.count == 3 }, "a price below nothing, or in nothing")
    expect(offer.bytes ?? 1 > 0, "\(offer.bytes ?? 0) bytes")
    expect(offer.languages.allSatisfy { !$0.isEmpty }, "a language without a name")
    check(
      texts: [offer.advisory, offer.collection, offer.copyright, offer.seller, offer.minimumSystem] + offer.languages)
  }

  mutating func check(_ parts: MovieParts, asked: Set<MovieParts.Part>) {
    if let facts = parts.facts { check(facts) }
    check(texts: parts.people?.flatMap { [$0.name, $0.detail] } ?? [])
    for picture in parts.gallery ?? [] {
      check(url: picture.url)
      expect(picture.width ?? 1 > 0 && picture.height ?? 1 > 0, "a picture without an extent")
      check(texts: [picture.language])
    }
    for video in parts.videos ?? [] {
      video.url.map { check(url: $0) }
      check(texts: [video.name, video.type, video.site])
    }
    for candidate in (parts.similar ?? []) + (parts.recommended ?? []) { check(candidate) }
    let there: [MovieParts.Part: Bool] = [
      .facts: parts.facts != nil, .cast: parts.people != nil, .gallery: parts.gallery != nil,
      .videos: parts.videos != nil, .similar: parts.similar != nil, .recommended: parts.recommended != nil,
    ]
    for part in asked {
      expect(there[part] == true || parts.failures[part] != nil, "\(part) is missing, and nothing says why")
    }
  }

  mutating func check(_ picture: ImageInfo) {
    expect(picture.width > 0 && picture.height > 0, "a picture of \(picture.width) × \(picture.height)")
  }

  mutating func check(prose: String) { check(texts: [prose]) }

  /// A redirect that is followed: it stays with HTTPS, and the key stays at home.
  mutating func check(_ chain: RedirectChain, key: String) {
    expect(Request.isAllowed(chain.url), "a redirect to \(chain.url)")
    expect(!Request.isPrivateNetwork(chain.url), "a redirect to \(chain.url), which is not far away")
    // Read by another than the one that decides about it.
    let (url, home) = (URL(string: chain.address), URL(string: "https://\(chain.host)/"))
    let isHome = url?.host()?.lowercased() == home?.host() && url?.port ?? 443 == home?.port ?? 443
    let told = [chain.address] + chain.headers.map(\.value)
    expect(isHome || !told.contains { $0.contains(key) }, "the key goes to \(chain.address)")
  }

  private mutating func check(tracks: [Track]) {
    expect(tracks.allSatisfy { $0.seconds ?? 1 > 0 && !$0.title.isEmpty }, "a track without a title or length")
    check(texts: tracks.flatMap { [$0.position, $0.title] })
    for url in tracks.compactMap(\.previewURL) { check(url: url) }
  }

  private mutating func check(url: String) {
    expect(url.hasPrefix("https://") || url.hasPrefix("http://"), "the address '\(url)'")
    expect(!url.utf8.contains { $0 <= 0x20 || $0 == 0x7F }, "blanks in the address '\(url)'")
  }

  /// No text moves a terminal's cursor, or ends early in a line.
  private mutating func check(texts: [String?]) {
    for case let text? in texts {
      // U+0080 … U+009F are C2 80 … C2 9F.
      var isAfterC2 = false
      for byte in text.utf8 {
        let isControl = byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x7F || isAfterC2 && byte < 0xA0
        if isControl {
          complain("a control character in \(text.debugDescription.prefix(200))")
          break
        }
        isAfterC2 = byte == 0xC2
      }
    }
  }
}
