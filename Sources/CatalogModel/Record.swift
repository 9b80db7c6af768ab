/// Everything that a source, or a person, says about one movie, book, record or other thing.
///
/// A record is not yet an item: it has no place in a catalog. Whatever is unknown is nil or empty; nothing is guessed.
public struct Record: Sendable, Hashable, Codable {
  public var kind: Kind
  public var title: String
  /// The title in its own language, where it differs.
  public var originalTitle: String?
  /// What else it is called: in the person's country, in English, where it was made.
  public var otherTitles: [String] = []
  /// When it first came out, as precisely as is known.
  public var released: PartialDate?
  /// The year it came out. Nearly always that of ``released``; a book of 50 BC has only this.
  public var year: Int?
  public var summary: String?
  /// What a person wrote down of it, a line: no opinion, which stands on a card.
  public var note: String?
  /// Its page on the web.
  public var url: String?
  /// Who made it, in display order.
  public var credits: [Credit] = []
  /// The genre labels as the source sent them, before they are mapped.
  public var labels: [String] = []
  /// The source whose labels they are, where that is another than the first of ``externalIDs``.
  public var labelSource: String?
  /// What sources call it. The first is the source that this record came from.
  public var externalIDs: [ExternalID] = []
  /// Where its picture is, at the size that a cover needs.
  public var artworkURL: String?
  /// A preview to listen to or watch.
  public var previewURL: String?
  /// What the source's public thinks of it, 0 … 100, and how many said so.
  public var publicRating: PublicRating?
  /// What the shop that it comes from says of it just now.
  public var offer: Offer?
  public var details: Details

  public init(kind: Kind, title: String, details: Details? = nil) {
    self.kind = kind
    self.title = title
    self.details = details ?? Details(empty: kind)
  }

  /// The tracks of an album.
  public var tracks: [Track] {
    switch details {
    case .vinyl(let vinyl): vinyl.tracks
    case .other(let other): other.tracks
    case .movie, .book: []
    }
  }

  /// The screenshots of an app, in the order in which they are numbered.
  public var screenshots: [Screenshot] { if case .other(let other) = details { other.screenshots } else { [] } }

  /// What only movies have; empty for others, which stay what they are.
  public var movie: Movie {
    get { if case .movie(let movie) = details { movie } else { Movie() } }
    set { if case .movie = details { details = .movie(newValue) } }
  }

  /// What only books have.
  public var book: Book {
    get { if case .book(let book) = details { book } else { Book() } }
    set { if case .book = details { details = .book(newValue) } }
  }

  /// What only records have.
  public var vinyl: Vinyl {
    get { if case .vinyl(let vinyl) = details { vinyl } else { Vinyl() } }
    set { if case .vinyl = details { details = .vinyl(newValue) } }
  }

  /// What it costs just now, where it comes from: a book that is sold for less than its price costs that.
  public var cost: Price? {
    if case .book(let book) = details { book.salePrice ?? book.price } else { offer?.price }
  }

  /// The labels that a record came out on, the main one first. The others are credits.
  public var recordLabels: [String] {
    var names = vinyl.label.map { [$0] } ?? []
    for credit in credits where credit.role == .label && kind == .vinyl {
      if !names.contains(where: { Folding.fold($0) == Folding.fold(credit.name) }) { names.append(credit.name) }
    }
    return names
  }

  /// Sets the labels of a record: the first is its label, the others are credits. Each counts once.
  public mutating func set(labels: [Credit]) {
    guard kind == .vinyl else { return }
    credits.removeAll { $0.role == .label }
    vinyl.label = labels.first?.name
    var names = Set(labels.prefix(1).map { Folding.fold($0.name) })
    credits += labels.dropFirst().filter { names.insert(Folding.fold($0.name)).inserted }
  }

  /// The names that stand beside the title: its director, author or artist.
  public var creators: [String] { credits.filter { $0.role == Credit.Role(main: kind) }.map(\.name) }
}

/// A source's public rating.
public struct PublicRating: Sendable, Hashable, Codable {
  /// 0 … 100.
  public var value: Double
  public var votes: Int?

  public init(value: Double, votes: Int? = nil) {
    (self.value, self.votes) = (value, votes)
  }

  /// A rating as a file keeps it; nil for what is none, as another program may have written it.
  public init?(kept value: Double) {
    guard value >= 0, value <= 100 else { return nil }
    self.init(value: value)
  }
}

/// What one shop says of a thing that it sells. It is shown, and kept as long as the result is, but not in a catalog:
/// tomorrow, and in the next country's shop, it is otherwise.
public struct Offer: Sendable, Hashable, Codable {
  /// Nothing to pay is a price of 0.
  public var price: Price?
  public var hdPrice: Price?
  public var rentalPrice: Price?
  public var hdRentalPrice: Price?
  /// For whom it is, in the words of the country: `PG-13`, `Explicit`, `4+`.
  public var advisory: String?
  /// The collection that a movie is also sold in.
  public var collection: String?
  public var copyright: String?
  /// Who sells an app, where that is another than its developer.
  public var seller: String?
  /// The oldest version of the system that an app runs on.
  public var minimumSystem: String?
  /// ISO 639-1 codes, in lower case.
  public var languages: [String] = []
  /// How long the file is.
  public var bytes: Int?
  /// The day of an app's newest version, or of a podcast's newest episode.
  public var updated: PartialDate?

  public init() {}
}

/// Who did what.
public struct Credit: Sendable, Hashable, Codable {
  public enum Role: String, CaseIterable, Sendable, Codable {
    case director, author, artist
    case cast, translator, label, developer

    /// The role whose names stand beside the title of a thing of this kind.
    public init(main kind: Kind) {
      switch kind {
      case .movie: self = .director
      case .book: self = .author
      case .vinyl, .music, .podcast: self = .artist
      case .app: self = .developer
      }
    }
  }

  public var name: String
  public var role: Role
  /// For the cast: the character.
  public var detail: String?
  /// What the source calls the person, so that two people of one name stay two.
  public var externalID: ExternalID?

  public init(name: String, role: Role, detail: String? = nil, externalID: ExternalID? = nil) {
    (self.name, self.role, self.detail, self.externalID) = (name, role, detail, externalID)
  }
}

/// What only things of one kind have.
public enum Details: Sendable, Hashable, Codable {
  case movie(Movie)
  case book(Book)
  case vinyl(Vinyl)
  /// Music, podcasts and apps, which are not kept.
  case other(Other)

  public init(empty kind: Kind) {
    switch kind {
    case .movie: self = .movie(Movie())
    case .book: self = .book(Book())
    case .vinyl: self = .vinyl(Vinyl())
    case .music, .podcast, .app: self = .other(Other())
    }
  }
}

public struct Movie: Sendable, Hashable, Codable {
  /// Running time in minutes, above 0.
  public var minutes: Int?
  /// ISO 3166-1 alpha-2 codes, the main country first.
  public var countries: [String] = []
  public var tagline: String?
  /// ISO 639-1 code of the language it was shot in.
  public var language: String?

  public init() {}
}

public struct Book: Sendable, Hashable, Codable {
  public var isbn: ISBN?
  public var publisher: String?
  /// When this edition came out; ``Record/released`` is the work's first publication where that is known.
  public var published: PartialDate?
  /// Above 0.
  public var pages: Int?
  /// ISO 639-1 code.
  public var language: String?
  public var series: String?
  /// The price on the cover.
  public var price: Price?
  /// What the shop takes for it just now.
  public var salePrice: Price?

  public init() {}
}

public struct Vinyl: Sendable, Hashable, Codable {
  public var label: String?
  public var catalogNumber: String?
  /// ISO 3166-1 alpha-2 code, or a pseudo code of MusicBrainz such as `XW` (worldwide). What is neither stands in the
  /// source's words: `USA & Canada`.
  public var country: String?
  /// `12" Vinyl`, `Vinyl, LP, Album`: the source's words.
  public var format: String?
  /// `33 ⅓ RPM`, `45 RPM`.
  public var speed: String?
  /// How many discs, above 0.
  public var discs: Int?
  public var barcode: String?
  public var tracks: [Track] = []

  public init() {}
}

public struct Track: Sendable, Hashable, Codable {
  /// The source's words: `A1`, `2-03`, `7`.
  public var position: String
  public var title: String
  /// Playing time in seconds, above 0.
  public var seconds: Int?
  /// A preview to listen to. The address goes out of date, so it is kept nowhere.
  public var previewURL: String?

  public init(position: String, title: String, seconds: Int? = nil, previewURL: String? = nil) {
    (self.position, self.title, self.seconds, self.previewURL) = (position, title, seconds, previewURL)
  }

  private enum CodingKeys: CodingKey {
    case position, title, seconds
  }
}

/// What a thing that is looked up but not kept has to say.
public struct Other: Sendable, Hashable, Codable {
  /// The album of a song, the podcast of an episode.
  public var collection: String?
  /// What the source calls ``collection``.
  public var collectionID: ExternalID?
  /// Where a song stands on its album: `3`, `2-03`.
  public var position: String?
  /// Tracks of an album, episodes of a podcast.
  public var count: Int?
  /// Playing time in seconds.
  public var seconds: Int?
  public var version: String?
  public var feedURL: String?
  public var tracks: [Track] = []
  /// What an app looks like.
  public var screenshots: [Screenshot] = []

  public init() {}
}

/// A picture of an app at work.
public struct Screenshot: Sendable, Hashable, Codable {
  /// What it runs on: `iPhone`, `iPad`, `Mac`, `Apple TV`.
  public var device: String
  public var url: String

  public init(device: String, url: String) {
    (self.device, self.url) = (device, url)
  }
}
