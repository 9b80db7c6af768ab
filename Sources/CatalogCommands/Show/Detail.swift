internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// The details of one item or result, as a page for people or one JSON object.
struct Detail {
  var record: Record
  var item: Item?
  var cards: [Card] = []
  /// The person's copies of the item.
  var copies: [Copy] = []
  /// The diary of the item, the latest event first.
  var diary: [DiaryEvent] = []
  /// The result of ``Store/status(of:)``.
  var status: String?
  var genres: [String]
  var showsBack = false
  /// Whether long lists are shown completely: a movie's people, pictures, videos and related movies, an album's
  /// pressings, an app's screenshots.
  var isFull = false
  /// Whether the page lists pictures; false when they are drawn beside it.
  var listsPictures = true
  /// The cast, pictures, videos and related movies from a source.
  var parts: MovieParts?
  /// The pressings of an album.
  var pressings: Page?
  /// The relation of a result to the shelf; nil for an item.
  var likeness: Likeness?
  /// The other editions of it on the shelf.
  var editions: [Item] = []
  /// The source's id of a result that is not in the catalog.
  var id: ExternalID?
  var localTime = LocalTime.utc
  /// The language for prices.
  var moneyLanguage = "en"
  /// The language for the names of genres.
  var language = "en"

  init(item: Item, cards: [Card], showsBack: Bool) {
    (record, self.item, self.cards, genres, self.showsBack) = (item.record, item, cards, item.genres, showsBack)
  }

  init(candidate: Candidate) {
    (record, genres, id) = (candidate.record, candidate.record.labels, candidate.id)
  }
}

extension Record {
  /// The playing time of all tracks in seconds; nil unless it is known of each. If some tracks have positions, a line
  /// without a position and a time is a movement of the track before it.
  fileprivate var playingTime: Int? {
    let hasPositions = tracks.contains { !$0.position.isEmpty }
    let tracks = tracks.filter { !hasPositions || !$0.position.isEmpty || $0.seconds != nil }
    let times = tracks.compactMap(\.seconds)
    return times.isEmpty || times.count < tracks.count ? nil : times.reduce(0, +)
  }
}

/// Playing and running times in words.
enum PlayingTime {
  /// `9:22`, `1:02:03`.
  static func minutes(_ seconds: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
    return minutes < 60 ? "\(minutes):\(two(rest))" : "\(minutes / 60):\(two(minutes % 60)):\(two(rest))"
  }

  /// `2 h 5 min`, `45 min`.
  static func hours(_ minutes: Int) -> Message {
    guard minutes >= 60 else { return "\(minutes) min" }
    return minutes.isMultiple(of: 60) ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
  }
}

extension Detail {
  /// The first of the cast, and the number of others.
  private var cast: Message {
    let cast = record.credits.filter { $0.role == .cast }
    let shown = cast.prefix(isFull ? .max : shownOfMany)
    let names = shown.map { credit in credit.name + (credit.detail.map { " (\($0))" } ?? "") }.joined(separator: ", ")
    return cast.count == shown.count
      ? Message(verbatim: names) : "\(names) … and \(cast.count - shown.count) more: --full"
  }

  /// The lines of the page, in a fixed order.
  var facts: [Report.Fact] { facts(without: []) }

  /// The lines of the page without those of some fields, by their keys.
  func facts(without hidden: Set<String>) -> [Report.Fact] {
    var facts: [Report.Fact] = []
    func add(_ name: Message, _ value: Message?) {
      if let value, !value.isEmpty { facts.append(.init(name, value)) }
    }
    func add(_ name: Message, _ value: String?) { add(name, value.map { Message(verbatim: $0) }) }
    let fields = Field.all.filter {
      $0.isOf(record.kind) && !Self.noFacts.contains($0.key) && !hidden.contains($0.key)
    }
    let opinions = fields.firstIndex { $0.key == "public_rating" } ?? fields.endIndex
    func add(_ fields: ArraySlice<Field>) {
      for field in fields {
        add(Self.name(of: field, record.kind), fact(of: field))
        if field.key == "url", !facts.isEmpty { facts[facts.endIndex - 1].address = record.url }
      }
    }
    add(fields[..<opinions])
    switch record.details {
    case .movie:
      let authors = record.credits.filter { $0.role == .author }.map(\.name)
      if !authors.isEmpty { add("Based on", "a work by \(authors.joined(separator: ", "))") }
      // If portraits are listed below, the cast is not repeated here.
      if parts?.portraits?.isEmpty ?? true { add("Cast", cast) }
    case .book: break
    case .vinyl: add("Length", record.playingTime.map(PlayingTime.minutes))
    case .other(let other):
      if let collection = other.collection {
        // The id can be used in the next command.
        add("From", collection + (other.collectionID.map { " (\($0))" } ?? ""))
      }
      if let position = other.position {
        add("Track", other.count.map { "\(position) of \($0)" } ?? Message(verbatim: position))
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
      add(record.kind == .podcast ? "Newest episode" : "Updated", offer.updated?.words)
      add("System", offer.minimumSystem.map { "\($0) or newer" as Message })
      add("Languages", offer.languages.map { Message(words: Language.name($0)) }.joined(separator: ", "))
      add("Size", offer.bytes?.size)
      add("Seller", offer.seller)
      add("Copyright", offer.copyright)
    }
    if item != nil, !hidden.contains("copies") {
      for copy in copies {
        add("Copy", [Message(verbatim: "\(copy.id)"), line(of: copy)].filter { !$0.isEmpty }.joined(separator: " · "))
      }
      if copies.isEmpty, Copy.usualKinds.contains(record.kind) { add("Copies", "none: known, not owned" as Message) }
    }
    add(fields[opinions...])
    add("Preview", record.previewURL)
    let isOneOfTwo = likeness?.item != nil
    for edition in editions {
      add(isOneOfTwo && edition.id == likeness?.id ? "On your shelf" : "Another edition", edition.editionLine)
    }
    return facts
  }

  /// Fields without a line of their own: the page shows them elsewhere, or within another line.
  private static let noFacts = [
    "id", "item", "kind", "title", "original_title", "creator", "currency", "public_votes", "rating_scale", "cards",
    "comments", "times", "cast", "tracks", "updated_at", "description", "copies", "grades", "sleeves", "places",
    "prices",
    "acquired", "acquired_from", "borrowers", "lent_on", "due_on",
  ]

  /// The members of the JSON object that are more than the field of that name in a listing.
  static let members: Set = ["cards", "copies", "tracks"]

  /// Fields that are no members of the JSON object: it has the data that they are computed from.
  private static let noMembers = [
    "item", "cards", "comments", "seen", "times", "status", "tracks", "currency", "copies", "grades", "sleeves",
    "places", "prices",
    "acquired", "acquired_from", "copy_formats", "copy_notes", "borrowers", "lent_on", "due_on", "imports",
  ]

  /// The names of the fields that are members of the JSON object.
  static var memberNames: [String] { Field.all.filter { !noMembers.contains($0.key) }.map(\.name) }

  /// The name of a field's line.
  static func name(of field: Field, _ kind: Kind) -> Message {
    switch field.key {
    case "minutes": "Runtime"
    case "countries" where kind == .vinyl: "Country"
    case "seen" where kind == .movie: "Watched"
    case "seen" where kind == .book: "Read"
    case "seen" where kind == .vinyl: "Played"
    default: Message(words: field.heading)
    }
  }

  /// `VG+/VG, K2/3, ₩25,000 · 2019-03 · the market · a scratch on side B`
  func line(of copy: Copy) -> Message {
    let facts = copy.facts
    let origin = [facts.acquiredOn?.words, facts.acquiredFrom.map { Message(verbatim: $0) }].compactMap(\.self)
    let line = copy.hasLine ? [copy.line(money: moneyLanguage)] : []
    let note =
      facts.note.map { [Message(verbatim: $0.sanitizedLines.split(separator: "\n").joined(separator: " "))] } ?? []
    return (line + origin + note).joined(separator: " · ")
  }

  /// The labels of the source, if they differ from the genres.
  private var saidLabels: Message? {
    guard item != nil, record.labels != genres else { return nil }
    let shown = record.labels.prefix(isFull ? .max : shownOfMany)
    let rest = record.labels.count - shown.count
    let labels = shown.joined(separator: ", ")
    return rest == 0 ? Message(verbatim: labels) : Message("\(labels) … and \(rest) more: --full", context: "labels")
  }

  private var draft: Draft { Draft(record, genres: genres, item: item) }

  /// The text of a field's line; nil or empty for none.
  private func fact(of field: Field) -> Message? {
    func plain(_ text: String?) -> Message? { text.map { Message(verbatim: $0) } }
    func names(_ names: [String]) -> Message { names.map { Message(words: $0) }.joined(separator: ", ") }
    switch field.key {
    case "labels": return saidLabels
    case "label": return plain(record.recordLabels.joined(separator: ", "))
    // Labels of a source are not translated.
    case "genres":
      return plain(genres.map { item == nil ? $0 : Store.genreName($0, in: language) }.joined(separator: ", "))
    case "released": return record.released.flatMap { $0.month == nil ? nil : $0.words }
    case "minutes": return record.movie.minutes.map(PlayingTime.hours)
    case "published": return record.book.published?.words
    case "countries": return names(field.value(of: draft).texts.map(Country.name))
    case "language": return names(field.value(of: draft).texts.map(Language.name))
    case "list_price": return plain(record.book.price?.text(in: moneyLanguage))
    case "sale_price": return plain(record.book.salePrice.map(amount))
    case "public_rating":
      return record.publicRating.map { rating in
        let value = "\(Int(clamping: rating.value.rounded()))/100"
        return rating.votes.map { "\(value) by \($0)" } ?? Message(verbatim: value)
      }
    case "rating": return plain(item?.rating.map { "\($0.stars)" + ($0.stars == $0.description ? "" : " (\($0))") })
    case "wished_at": return item?.wishedSince.map { "since \(localTime.words(of: $0))" }
    case "seen": return seen
    case "status": return unfinished
    case "favorite_since": return item?.favoriteSince.map { "since \(localTime.words(of: $0))" }
    case "added_at": return item.map { localTime.words(of: $0.createdAt) }
    case "has_cover": return item?.hasCover == true ? "kept in the file" : nil
    default: return plain(field.value(of: draft).texts.joined(separator: ", "))
    }
  }

  /// The number of times it was watched, read or played, and the last date: `3 times, last 2026-11-02`.
  private var seen: Message? {
    let times = diary.filter { $0.outcome == .done }
    let last = times.lazy.compactMap(\.endedOn).first?.words
    switch times.count {
    case 0: return nil
    case 1: return last ?? "once"
    case let count: return last.map { "\(count) times, last \($0)" } ?? "\(count) times"
    }
  }

  /// The state of an item that is in progress, or was abandoned last.
  private var unfinished: Message? {
    guard let event = diary.first(where: { $0.outcome.rawValue == status }) else { return nil }
    let when: Message?
    switch event.outcome {
    case .ongoing: when = event.startedOn.map { "since \($0.words)" }
    case .dropped: when = event.endedOn?.words
    case .done: return nil
    }
    return [event.what, when].compactMap(\.self).joined(separator: ", ")
  }

  private func amount(_ price: Price) -> String { price.cost(in: moneyLanguage) }

  /// `$9.99, HD $14.99`.
  private func amount(_ price: Price?, hd: Price?) -> String {
    guard let price else { return hd.map { "HD \(amount($0))" } ?? "" }
    return amount(price) + (hd.map { $0 == price ? ", HD too" : ", HD \(amount($0))" } ?? "")
  }

  /// The members of the JSON object, with every field, absent ones as null: the keys are stable (docs/output.md).
  var members: [Column<Detail>] {
    let (kind, known) = (record.kind, draft)
    let fields = Field.all.filter { $0.isOf(kind) && !Self.noMembers.contains($0.key) }.map { field in
      Column<Detail>(field.name) { _ in field.listedValue(of: known) }
    }
    let source: [Column<Detail>] = [
      .object("offer", { $0.record.offer ?? Offer() }, Self.membersOfOffer),
      .list(
        "credits", \.record.credits,
        [.init("name", \.name), .init("role", \.role.rawValue), .init("detail", \.detail)]),
    ]
    let pressings: [Column<Detail>] =
      [.vinyl, .music].contains(kind)
      ? [.list("pressings", \.pressings?.candidates, Self.membersOfPressing)] : []
    let movie: [Column<Detail>] = kind == .movie ? MovieParts.members.lifted { $0.parts ?? MovieParts() } : []
    let preview = Column<Detail>("preview_url", \.record.previewURL)
    return fields + [preview] + membersOfKind + source + movie + pressings + membersOfItem
  }

  private var membersOfKind: [Column<Detail>] {
    func tracks(_ tracks: [Track]) -> Column<Detail> {
      .list(
        "tracks", { _ in tracks },
        [.init("position", \.position), .init("title", \.title), .init("seconds", \.seconds)])
    }
    switch record.details {
    case .movie, .book: return []
    case .vinyl(let vinyl): return [tracks(vinyl.tracks)]
    case .other(let other):
      let columns: [Column<Other>] = [
        .init("collection", \.collection), .init("collection_id", \.collectionID), .init("position", \.position),
        .init("parts", \.count), .init("seconds") { $0.seconds ?? record.playingTime }, .init("version", \.version),
        .init("feed_url", \.feedURL),
      ]
      let screenshots: [Column<Other>] =
        record.kind == .app
        ? [.list("screenshots", \.screenshots, [.init("device", \.device), .init("url", \.url)])] : []
      return (columns + screenshots).lifted { _ in other } + [tracks(other.tracks)]
    }
  }

  /// The current offer of the shop.
  private static var membersOfOffer: [Column<Offer>] {
    [
      .init("price", \.price), .init("hd_price", \.hdPrice), .init("rental_price", \.rentalPrice),
      .init("hd_rental_price", \.hdRentalPrice), .init("advisory", \.advisory), .init("collection", \.collection),
      .init("copyright", \.copyright), .init("seller", \.seller), .init("minimum_system", \.minimumSystem),
      .init("languages", \.languages), .init("bytes", \.bytes), .init("updated_on", \.updated),
    ]
  }

  /// The person's copies, diary and cards, as the catalog has them.
  private var membersOfItem: [Column<Detail>] {
    let times = diary.filter { $0.outcome == .done }
    let others = editions.filter { $0.id != item?.id && likeness != .same($0.id) }
    return [
      .list(
        "copies", \.copies, [Column("id", \.id), Column("copy", \.id)] + CopyTable.facts(moneyLanguage: moneyLanguage)),
      .init("status", \.status), .init("times") { _ in times.count },
      .init("seen_on") { _ in Array(times.compactMap { $0.endedOn?.description }.reversed()) },
      .list("diary", \.diary, DiaryTable.ofEvent),
      .init("item") { $0.item.map { Int($0.id.rawValue) } ?? $0.likeness?.item },
      .init("editions") { _ in Table.Value.numbers(others.map(\.id.rawValue)) },
      .list("cards", \.cards, CardTable.ofCard),
    ]
  }
}

extension Card {
  /// `card 7 · 2026-11-21 · seen 2026-11`
  func heading(at localTime: LocalTime) -> Message {
    let front: Message = "card \(id) · \(localTime.words(of: createdAt))"
    return seenOn.map { "\(front) · seen \($0.words)" } ?? front
  }
}
