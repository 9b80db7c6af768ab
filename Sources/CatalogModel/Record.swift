/// A description of a movie, book, record or other work, from a source or a user.
///
/// A record is not yet an item of a catalog. Unknown fields are nil or empty; nothing is guessed.
public struct Record: Sendable, Hashable, Codable {
  public var kind: Kind
  public var title: String
  /// The title in the original language, if different.
  public var originalTitle: String?
  /// Other titles: in the user's country, in English, in the country of origin.
  public var otherTitles: [String] = []
  /// The date of first publication, as precise as known.
  public var released: PartialDate?
  /// The year of first publication, usually that of ``released``. A book of 50 BC has only a year.
  public var year: Int?
  public var summary: String?
  /// The user's note, in one line; opinions belong on a card.
  public var note: String?
  /// The address of its web page.
  public var url: String?
  /// The people and companies with their roles, in display order.
  public var credits: [Credit] = []
  /// The genre labels as the source sent them, before they are mapped.
  public var labels: [String] = []
  /// The source of the labels, if it is not the source of the first ``externalIDs``.
  public var labelSource: String?
  /// The ids at sources. The first one is that of this record's source.
  public var externalIDs: [ExternalID] = []
  /// The address of its picture, in the size of a cover.
  public var artworkURL: String?
  /// The address of a preview to listen to or watch.
  public var previewURL: String?
  /// The public rating at the source, 0 … 100, and the number of votes.
  public var publicRating: PublicRating?
  /// The current offer of the shop that is the source.
  public var offer: Offer?
  public var details: Details

  public init(kind: Kind, title: String, details: Details? = nil) {
    self.kind = kind
    self.title = title
    self.details = details ?? Details(empty: kind)
  }

  public var tracks: [Track] {
    switch details {
    case .vinyl(let vinyl): vinyl.tracks
    case .other(let other): other.tracks
    case .movie, .book: []
    }
  }

  /// The screenshots of an app, in the order in which they are numbered.
  public var screenshots: [Screenshot] { if case .other(let other) = details { other.screenshots } else { [] } }

  /// The fields of a movie. For other kinds empty, and setting them has no effect.
  public var movie: Movie {
    get { if case .movie(let movie) = details { movie } else { Movie() } }
    set { if case .movie = details { details = .movie(newValue) } }
  }

  /// The fields of a book. For other kinds empty, and setting them has no effect.
  public var book: Book {
    get { if case .book(let book) = details { book } else { Book() } }
    set { if case .book = details { details = .book(newValue) } }
  }

  /// The fields of a record. For other kinds empty, and setting them has no effect.
  public var vinyl: Vinyl {
    get { if case .vinyl(let vinyl) = details { vinyl } else { Vinyl() } }
    set { if case .vinyl = details { details = .vinyl(newValue) } }
  }

  /// The current price at the source; for a book the sale price, if there is one.
  public var cost: Price? {
    if case .book(let book) = details { book.salePrice ?? book.price } else { offer?.price }
  }

  /// The labels of a record, the main one first. The others are credits.
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

  /// The names shown beside the title: the director, author or artist.
  public var creators: [String] { credits.filter { $0.role == Credit.Role(main: kind) }.map(\.name) }

  /// Whether the title is only a code of the record: a file without titles has no better one, but a source may.
  public var isTitledByCode: Bool {
    if externalIDs.contains(where: { $0.value == title }) { return true }
    let digits = TypedCode(title).digits
    guard !digits.isEmpty else { return false }
    return [book.isbn?.digits13, book.isbn?.digits10, vinyl.barcode].contains(digits)
  }
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

/// The current offer of a shop. It is shown, and stored with a search result but not in a catalog, because it changes
/// over time and between countries.
public struct Offer: Sendable, Hashable, Codable {
  /// A price of 0 means free.
  public var price: Price?
  public var hdPrice: Price?
  public var rentalPrice: Price?
  public var hdRentalPrice: Price?
  /// The age rating in the country's terms: `PG-13`, `Explicit`, `4+`.
  public var advisory: String?
  /// The collection that a movie is also sold in.
  public var collection: String?
  public var copyright: String?
  /// The seller of an app, if it is not the developer.
  public var seller: String?
  /// The minimum version of the system for an app.
  public var minimumSystem: String?
  /// ISO 639-1 codes, in lower case.
  public var languages: [String] = []
  /// The size of the file.
  public var bytes: Int?
  /// The day of an app's newest version, or of a podcast's newest episode.
  public var updated: PartialDate?

  public init() {}
}

/// A person or company with their role.
public struct Credit: Sendable, Hashable, Codable {
  public enum Role: String, CaseIterable, Sendable, Codable {
    case director, author, artist
    case cast, translator, label, developer

    /// The role of the names shown beside the title of an item of this kind.
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
  /// The character, for the cast.
  public var detail: String?
  /// The source's id of the person, which distinguishes people of the same name.
  public var externalID: ExternalID?

  /// - Parameter name: as it is written; an article behind it comes in front: `Beatles, The`.
  public init(name: String, role: Role, detail: String? = nil, externalID: ExternalID? = nil) {
    (self.name, self.role, self.detail, self.externalID) = (Articles.inFront(name), role, detail, externalID)
  }
}

/// The fields of one kind.
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
  /// The publication date of this edition; ``Record/released`` is the work's first publication, if known.
  public var published: PartialDate?
  /// Above 0.
  public var pages: Int?
  /// The ISO 639-1 code.
  public var language: String?
  public var series: String?
  public var price: Price?
  /// The shop's current price.
  public var salePrice: Price?

  public init() {}
}

public struct Vinyl: Sendable, Hashable, Codable {
  public var label: String?
  public var catalogNumber: String?
  /// The ISO 3166-1 alpha-2 code, or a pseudo code of MusicBrainz such as `XW` (worldwide). Anything else stays in the
  /// source's words: `USA & Canada`.
  public var country: String?
  /// `12" Vinyl`, `Vinyl, LP, Album`: the source's words.
  public var format: String?
  /// `33 ⅓ RPM`, `45 RPM`.
  public var speed: String?
  /// The number of discs, above 0.
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

/// The fields of kinds that can be looked up but not kept.
public struct Other: Sendable, Hashable, Codable {
  /// The album of a song, the podcast of an episode.
  public var collection: String?
  /// The source's id of the ``collection``.
  public var collectionID: ExternalID?
  /// The position of a song on its album: `3`, `2-03`.
  public var position: String?
  /// The number of an album's tracks or a podcast's episodes.
  public var count: Int?
  /// The playing time in seconds.
  public var seconds: Int?
  public var version: String?
  public var feedURL: String?
  public var tracks: [Track] = []
  public var screenshots: [Screenshot] = []

  public init() {}
}

public struct Screenshot: Sendable, Hashable, Codable {
  /// The device: `iPhone`, `iPad`, `Mac`, `Apple TV`.
  public var device: String
  public var url: String

  public init(device: String, url: String) {
    (self.device, self.url) = (device, url)
  }
}
