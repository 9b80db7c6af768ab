public import CatalogModel

// The pages of items at their sources: their addresses, and which item an address is of.
extension ExternalID {
  /// The address of the item's page; nil where only the source knows it.
  public var page: String? {
    switch source {
    case Source.tmdb.id: "https://www.themoviedb.org/movie/\(value)"
    case Self.imdb: "https://www.imdb.com/title/\(value)/"
    case Source.wikidata.id: "https://www.wikidata.org/wiki/\(value)"
    case Source.openLibrary.id: "https://openlibrary.org/\(value.hasSuffix("M") ? "books" : "works")/\(value)"
    case Source.inventaire.id: "https://inventaire.io/entity/\(value)"
    case Source.googleBooks.id: "https://books.google.com/books?id=\(value)"
    case Source.musicBrainz.id: "https://musicbrainz.org/\(value.contains("/") ? value : "release/\(value)")"
    case Source.discogs.id: "https://www.discogs.com/\(value.contains("/") ? value : "release/\(value)")"
    default: Source.named(source)?.pages.map { $0 + value }
    }
  }

  /// The item whose page has this address, as a browser shows it: with a title behind the id, a language before it,
  /// another host of the source, a query. Nil for any other address.
  public init?(page address: String) {
    guard let page = PageAddress(address) else { return nil }
    for place in Self.places where page.isAt(place.host) {
      guard let id = page.part(behind: place.folder).flatMap(place.id) else { continue }
      self.init(source: place.source.id, value: place.prefix + id)
      return
    }
    let found: (source: Source, value: String?)? =
      switch true {
      case page.host.hasPrefix("books.google."): (.googleBooks, page.query["id"] ?? page.googleBooks)
      case page.isAt("apple.com"): (.itunes, page.apple)
      default:
        Source.all.lazy.compactMap { source in
          source.pages.flatMap { Self.id(in: address, behind: $0) }.map { (source, $0) }
        }.first
      }
    guard let found, let value = found.value, !value.isEmpty else { return nil }
    self.init(source: found.source.id, value: value)
  }

  /// The hosts and folders of pages whose address has the id in it, perhaps with more behind it, and what stands before
  /// the id here.
  private static var places: [(source: Source, host: String, folder: String, prefix: String, id: (String) -> String?)] {
    func uuid(_ part: String) -> String? { UUIDv7.isOne(part.lowercased()) ? part.lowercased() : nil }
    func item(_ part: String) -> String? { Wikidata.isItem(part.uppercased()) ? part.uppercased() : nil }
    func book(_ part: String) -> String? {
      OpenLibrary.validKey(part.uppercased()).flatMap { $0.last == "A" ? nil : $0 }
    }
    return [
      (.tmdb, "themoviedb.org", "movie", "", number), (.wikidata, "wikidata.org", "wiki", "", item),
      (.wikidata, "wikidata.org", "entity", "", item), (.openLibrary, "openlibrary.org", "works", "", book),
      (.openLibrary, "openlibrary.org", "books", "", book),
      (.inventaire, "inventaire.io", "entity", "", { Inventaire.isURI($0) ? $0 : nil }),
      (.musicBrainz, "musicbrainz.org", "release", "", uuid),
      (.musicBrainz, "musicbrainz.org", "release-group", "release-group/", uuid),
      (.discogs, "discogs.com", "release", "", number), (.discogs, "discogs.com", "master", "master/", number),
    ]
  }

  /// The id behind the beginning of a page's address.
  private static func id(in address: String, behind pages: String) -> String? {
    let rest = address.drop { $0 != ":" }
    let begin = pages.drop { $0 != ":" }
    guard rest.prefix(begin.count).lowercased() == begin.lowercased() else { return nil }
    let id = rest.dropFirst(begin.count).prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return String(id).isIdentifier ? String(id) : nil
  }

  /// `27205` of `27205-inception`.
  private static func number(_ part: String) -> String? {
    let digits = part.prefix { $0.isASCIIDigit }
    guard !digits.isEmpty, digits.utf8.count <= 15, [nil, "-"].contains(part.dropFirst(digits.count).first) else {
      return nil
    }
    return String(digits)
  }
}

/// The parts of a page's address that say what it is of.
private struct PageAddress {
  /// In lower case, without a port.
  let host: String
  private let path: [String]
  let query: [String: String]

  init?(_ address: String) {
    guard let scheme = ["https://", "http://"].first(where: address.lowercased().hasPrefix) else { return nil }
    let whole = address.dropFirst(scheme.count).prefix { $0 != "#" }
    let beforeQuery = whole.prefix { $0 != "?" }
    // The only escaped sign in an id is a colon.
    let parts = beforeQuery.split(separator: "/").map {
      String($0).split(separator: "%3A").flatMap { $0.split(separator: "%3a") }.joined(separator: ":")
    }
    guard let first = parts.first else { return nil }
    host = String(first.prefix { $0 != ":" }).lowercased()
    path = Array(parts.dropFirst())
    query = whole.dropFirst(beforeQuery.count + 1).split(separator: "&").reduce(into: [:]) { query, pair in
      let name = pair.prefix { $0 != "=" }
      query[String(name)] = String(pair.dropFirst(name.count + 1))
    }
  }

  /// Whether the host is this one, or one of its own: `www.discogs.com`, `beta.musicbrainz.org`.
  func isAt(_ host: String) -> Bool { self.host == host || self.host.hasSuffix("." + host) }

  /// The part of the path behind this one.
  func part(behind name: String) -> String? {
    path.firstIndex(of: name).flatMap { path.dropFirst($0 + 1).first }
  }

  /// `zyTCAlFPjgYC` of `/books/edition/Title/zyTCAlFPjgYC`.
  var googleBooks: String? { path.starts(with: ["books", "edition"]) ? path.dropFirst(3).first : nil }

  /// The number of an item in a shop of Apple: `track/400763833` of `/us/movie/inception/id400763833`.
  var apple: String? {
    func number(_ text: some StringProtocol) -> String? {
      !text.isEmpty && text.utf8.count <= 15 && text.allSatisfy { $0.isASCIIDigit } ? String(text) : nil
    }
    guard let last = path.last, let id = number(last.hasPrefix("id") ? last.dropFirst(2) : last[...]) else {
      return nil
    }
    if let track = query["i"].flatMap(number) { return "track/\(track)" }
    return Self.shelves.first { path.contains($0.shelf) }.map { "\($0.type)/\(id)" }
  }

  /// The parts of a path that say what a shop of Apple has there, with the type of its ids.
  private static let shelves: [(shelf: String, type: String)] = [
    ("album", "collection"), ("movie", "track"), ("song", "track"), ("music-video", "track"),
    ("podcast", "track"), ("audiobook", "audiobook"), ("book", "ebook"), ("app", "software"),
  ]
}
