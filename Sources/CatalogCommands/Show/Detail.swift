internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// Everything about one thing, as a page for people or one JSON object.
struct Detail {
  var record: Record
  var item: Item?
  var cards: [Card] = []
  var genres: [String]
  var showsBack = false
  /// Whether all of a movie's people, pictures, videos and related movies and all of an album's pressings are shown, and
  /// not only the first.
  var isFull = false
  /// What a source shows around a movie.
  var parts: MovieParts?
  /// The pressings of an album.
  var pressings: Page?
  /// What the source calls a thing that is not in the catalog.
  var id: ExternalID?

  init(item: Item, cards: [Card], showsBack: Bool) {
    (record, self.item, self.cards, genres, self.showsBack) = (item.record, item, cards, item.genres, showsBack)
  }

  init(candidate: Candidate) {
    (record, genres, id) = (candidate.record, candidate.record.labels, candidate.id)
  }
}

extension Context {
  func show(_ detail: Detail, asJSON: Bool) throws {
    if asJSON {
      var json = JSONWriter(isPretty: terminal.isOutputTerminal)
      detail.write(to: &json)
      json.endLine()
      try output.append(bytes: json.take())
    } else {
      try page(of: detail)
    }
  }

  private func page(of detail: Detail) throws {
    let record = detail.record
    let place = detail.item.map { "\($0.id)" } ?? detail.id?.description ?? ""
    try print(styled(safe(record.title), .bold) + "  " + styled("\(record.kind.rawValue) \(safe(place))", .dim))
    if let original = record.originalTitle, original != record.title { try print(safe(original)) }
    if !record.creators.isEmpty { try print(safe(record.creators.joined(separator: ", "))) }
    let facts = detail.facts
    let width = facts.map(\.name.cellWidth).max() ?? 0
    if !facts.isEmpty { try print("") }
    for fact in facts {
      let lines = safe(fact.value).wrapped(to: max(20, min(terminal.width, 100) - width - 2))
      for (index, line) in lines.enumerated() {
        let name = index == 0 ? fact.name : ""
        try print(styled(name.padded(to: width), .dim) + "  " + line)
      }
    }
    if let summary = record.summary {
      try print("")
      for paragraph in summary.split(separator: "\n", omittingEmptySubsequences: false) {
        for line in safe(String(paragraph)).wrapped(to: min(terminal.width, 100)) { try print(line) }
      }
    }
    try tracks(of: record)
    if let parts = detail.parts { try printParts(parts, isFull: detail.isFull) }
    if let pressings = detail.pressings { try printPressings(pressings, of: record, isFull: detail.isFull) }
    for (index, card) in detail.cards.enumerated() {
      try print("")
      let rating = card.rating.map { styled($0.stars, .yellow) + "  " } ?? ""
      let seen = card.seenOn.map { " · seen \($0)" } ?? ""
      let turn = card.comment != nil && index == 0 && !detail.showsBack ? " · words on the back: --back" : ""
      try print("\(rating)" + styled("card \(card.id) · \(card.createdAt.day)\(seen)\(turn)", .dim))
      if let comment = card.comment, detail.showsBack, index == 0 {
        for paragraph in comment.split(separator: "\n", omittingEmptySubsequences: false) {
          for line in safe(String(paragraph)).wrapped(to: min(terminal.width, 100) - 2) { try print("  " + line) }
        }
      }
    }
  }

  private func tracks(of record: Record) throws {
    let tracks = record.tracks
    guard !tracks.isEmpty else { return }
    try print("")
    let width = tracks.map(\.position.cellWidth).max() ?? 0
    for track in tracks {
      let time = track.seconds.map { "  " + styled(PlayingTime.minutes($0), .dim) } ?? ""
      try print("  " + styled(safe(track.position).padded(to: width), .dim) + "  " + safe(track.title) + time)
    }
  }
}

extension Record {
  fileprivate var tracks: [Track] {
    switch details {
    case .vinyl(let vinyl): vinyl.tracks
    case .other(let other): other.tracks
    case .movie, .book: []
    }
  }

  /// How long all tracks play; nil when that is not known of each.
  fileprivate var playingTime: Int? {
    let times = tracks.compactMap(\.seconds)
    return times.isEmpty || times.count < tracks.count ? nil : times.reduce(0, +)
  }
}

/// How playing and running times are written.
enum PlayingTime {
  /// `9:22`, `1:02:03`.
  static func minutes(_ seconds: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
    return minutes < 60 ? "\(minutes):\(two(rest))" : "\(minutes / 60):\(two(minutes % 60)):\(two(rest))"
  }

  /// `2 h 5 min`, `45 min`.
  static func hours(_ minutes: Int) -> String {
    guard minutes >= 60 else { return "\(minutes) min" }
    return minutes.isMultiple(of: 60) ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
  }
}

extension Detail {
  struct Fact {
    var name: String
    var value: String
  }

  /// The first of the cast, with how many more there are.
  private var cast: String {
    let cast = record.credits.filter { $0.role == .cast }
    let shown = cast.prefix(isFull ? .max : shownOfMany)
    let names = shown.map { credit in credit.name + (credit.detail.map { " (\($0))" } ?? "") }.joined(separator: ", ")
    return cast.count == shown.count ? names : names + " … and \(cast.count - shown.count) more: --full"
  }

  /// What is known, a line each, in a fixed order.
  var facts: [Fact] {
    var facts: [Fact] = []
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { facts.append(Fact(name: name, value: value)) }
    }
    func names(_ role: Credit.Role) -> String {
      record.credits.filter { $0.role == role }
        .map { credit in credit.name + (credit.detail.map { " (\($0))" } ?? "") }.joined(separator: ", ")
    }
    add("Year", record.year.map(String.init) ?? record.released?.year.description)
    if let released = record.released, released.month != nil { add("Released", released.description) }
    add("Other titles", record.otherTitles.joined(separator: ", "))
    add("Genres", genres.joined(separator: ", "))
    switch record.details {
    case .movie(let movie):
      add("Runtime", movie.minutes.map(PlayingTime.hours))
      add("Countries", movie.countries.map(Country.name).joined(separator: ", "))
      add("Language", movie.language.map(Language.name))
      add("Tagline", movie.tagline)
      add("Cast", cast)
    case .book(let book):
      add("ISBN", book.isbn?.digits13)
      add("Publisher", book.publisher)
      add("Published", book.published?.description)
      add("Pages", book.pages.map(String.init))
      add("Language", book.language.map(Language.name))
      add("Series", book.series)
      add("Translators", names(.translator))
      add("Price", book.price?.description)
      add("Sale price", book.salePrice.map(amount))
    case .vinyl(let vinyl):
      add("Label", vinyl.label)
      add("Catalog no.", vinyl.catalogNumber)
      add("Country", vinyl.country.map(Country.name))
      add("Format", vinyl.format)
      add("Speed", vinyl.speed)
      add("Discs", vinyl.discs.map(String.init))
      add("Barcode", vinyl.barcode)
      add("Length", record.playingTime.map(PlayingTime.minutes))
    case .other(let other):
      if let collection = other.collection {
        // What the next command takes.
        add("From", collection + (other.collectionID.map { " (\($0))" } ?? ""))
      }
      if let position = other.position {
        add("Track", position + (other.count.map { " of \($0)" } ?? ""))
      } else {
        add(record.kind == .podcast ? "Episodes" : "Tracks", other.count.map(String.init))
      }
      add("Length", (other.seconds ?? record.playingTime).map(PlayingTime.minutes))
      add("Version", other.version)
      add("Feed", other.feedURL)
    }
    if let offer = record.offer {
      add("Sold with", offer.collection)
      add("Advisory", offer.advisory)
      add("Price", amount(offer.price, hd: offer.hdPrice))
      add("Rental", amount(offer.rentalPrice, hd: offer.hdRentalPrice))
      add(record.kind == .podcast ? "Newest episode" : "Updated", offer.updated?.description)
      add("System", offer.minimumSystem.map { "\($0) or newer" })
      add("Languages", offer.languages.map(Language.name).joined(separator: ", "))
      add("Size", offer.bytes?.size)
      add("Seller", offer.seller)
      add("Copyright", offer.copyright)
    }
    add(
      "Public rating",
      record.publicRating.map { rating in
        "\(Int(rating.value.rounded()))/100" + (rating.votes.map { " by \($0)" } ?? "")
      })
    if let item {
      add("Rating", item.rating.map { "\($0.stars)" + ($0.stars == $0.description ? "" : " (\($0))") })
      add("Favorite", item.favoriteSince.map { "since \($0.day)" })
      add("Added", item.createdAt.day)
      add("Cover", item.hasCover ? "kept in the file" : nil)
    }
    add("Page", record.url)
    add("Preview", record.previewURL)
    add("Known as", record.externalIDs.map(\.description).joined(separator: ", "))
    return facts
  }

  /// `9.99 USD`; nothing to pay is `free`.
  private func amount(_ price: Price) -> String { price.minorUnits == 0 ? "free" : price.description }

  /// `9.99 USD, HD 14.99 USD`.
  private func amount(_ price: Price?, hd: Price?) -> String {
    guard let price else { return hd.map { "HD \(amount($0))" } ?? "" }
    return amount(price) + (hd.map { $0 == price ? ", HD too" : ", HD \(amount($0))" } ?? "")
  }

  /// One object with every field, absent ones as null: the keys are a promise (docs/output.md).
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", item?.id.rawValue)
      json.member("kind", record.kind.rawValue)
      json.member("title", record.title)
      json.member("original_title", record.originalTitle)
      json.member("other_titles", record.otherTitles)
      json.member("creator", record.creators)
      json.member("year", record.year ?? record.released?.year)
      json.member("released", record.released?.description)
      json.member("genres", genres)
      json.member("labels", record.labels)
      json.member("description", record.summary)
      json.member("url", record.url)
      json.member("preview_url", record.previewURL)
      json.member("public_rating", record.publicRating?.value)
      json.member("public_votes", record.publicRating?.votes)
      json.member("rating", item?.rating?.value)
      json.member("rating_scale", item?.rating?.scale.rawValue)
      json.member("favorite_since", item?.favoriteSince?.rawValue)
      json.member("added_at", item?.createdAt.rawValue)
      json.member("updated_at", item?.updatedAt.rawValue)
      json.member("has_cover", item?.hasCover ?? false)
      json.member("external_ids", record.externalIDs.map(\.description))
      write(record.details, to: &json)
      Self.write(record.offer ?? Offer(), to: &json)
      json.key("credits")
      json.array { json in
        for credit in record.credits {
          json.object { json in
            json.member("name", credit.name)
            json.member("role", credit.role.rawValue)
            json.member("detail", credit.detail)
          }
        }
      }
      if record.kind == .movie { (parts ?? MovieParts()).write(to: &json) }
      if [.vinyl, .music].contains(record.kind) { write(pressings, to: &json) }
      json.key("cards")
      json.array { json in for card in cards { card.write(to: &json) } }
    }
  }

  private func write(_ details: Details, to json: inout JSONWriter) {
    switch details {
    case .movie(let movie):
      json.member("minutes", movie.minutes)
      json.member("countries", movie.countries)
      json.member("tagline", movie.tagline)
      json.member("language", movie.language)
    case .book(let book):
      json.member("isbn", book.isbn?.digits13)
      json.member("publisher", book.publisher)
      json.member("published", book.published?.description)
      json.member("pages", book.pages)
      json.member("language", book.language)
      json.member("series", book.series)
      json.member("price", book.price?.minorUnits)
      json.member("sale_price", book.salePrice?.minorUnits)
      json.member("currency", (book.price ?? book.salePrice)?.currency)
    case .vinyl(let vinyl):
      json.member("label", vinyl.label)
      json.member("catalog_number", vinyl.catalogNumber)
      json.member("country", vinyl.country)
      json.member("format", vinyl.format)
      json.member("speed", vinyl.speed)
      json.member("discs", vinyl.discs)
      json.member("barcode", vinyl.barcode)
      Self.write(vinyl.tracks, to: &json)
    case .other(let other):
      json.member("collection", other.collection)
      json.member("collection_id", other.collectionID?.description)
      json.member("position", other.position)
      json.member("count", other.count)
      json.member("seconds", other.seconds ?? record.playingTime)
      json.member("version", other.version)
      json.member("feed_url", other.feedURL)
      Self.write(other.tracks, to: &json)
    }
  }

  /// What the shop says just now, amounts in the currency's smallest unit.
  private static func write(_ offer: Offer, to json: inout JSONWriter) {
    let prices = [offer.price, offer.hdPrice, offer.rentalPrice, offer.hdRentalPrice]
    json.key("offer")
    json.object { json in
      json.member("price", offer.price?.minorUnits)
      json.member("hd_price", offer.hdPrice?.minorUnits)
      json.member("rental_price", offer.rentalPrice?.minorUnits)
      json.member("hd_rental_price", offer.hdRentalPrice?.minorUnits)
      json.member("currency", prices.compactMap { $0?.currency }.first)
      json.member("advisory", offer.advisory)
      json.member("collection", offer.collection)
      json.member("copyright", offer.copyright)
      json.member("seller", offer.seller)
      json.member("minimum_system", offer.minimumSystem)
      json.member("languages", offer.languages)
      json.member("bytes", offer.bytes)
      json.member("updated", offer.updated?.description)
    }
  }

  private static func write(_ tracks: [Track], to json: inout JSONWriter) {
    json.key("tracks")
    json.array { json in
      for track in tracks {
        json.object { json in
          json.member("position", track.position)
          json.member("title", track.title)
          json.member("seconds", track.seconds)
        }
      }
    }
  }
}

extension Card {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", id.rawValue)
      json.member("item", item.rawValue)
      json.member("rating", rating?.value)
      json.member("rating_scale", rating?.scale.rawValue)
      json.member("comment", comment)
      json.member("seen_on", seenOn?.description)
      json.member("created_at", createdAt.rawValue)
      json.member("updated_at", updatedAt.rawValue)
    }
  }
}
