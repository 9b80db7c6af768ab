import Foundation

/// The works that all services know: a few well-known films, books and records.
///
/// Titles, people, dates, ISBNs, barcodes and the ids of IMDb and TMDB are real. Ids of the other services are derived
/// from ``Work/number``, and so are Wikidata's ids that are not listed here or in ``Person/ids``.
enum Catalogue {
  static let films: [Film] = [
    Film(
      number: 1, title: "The Godfather", directors: ["Francis Ford Coppola"],
      cast: [("Marlon Brando", "Don Vito Corleone"), ("Al Pacino", "Michael Corleone")], author: "Mario Puzo",
      released: "1972-03-14", minutes: 175, genres: [.drama, .crime], imdb: "tt0068646", tmdb: 238,
      wikidata: "Q47703"),
    Film(
      number: 2, title: "The Matrix", directors: ["Lana Wachowski", "Lilly Wachowski"],
      cast: [("Keanu Reeves", "Neo"), ("Carrie-Anne Moss", "Trinity")], released: "1999-03-31", minutes: 136,
      genres: [.action, .scienceFiction], imdb: "tt0133093", tmdb: 603, wikidata: "Q83495"),
    Film(
      number: 3, title: "Blade Runner", directors: ["Ridley Scott"],
      cast: [("Harrison Ford", "Rick Deckard"), ("Rutger Hauer", "Roy Batty")], author: "Philip K. Dick",
      released: "1982-06-25", minutes: 117, genres: [.scienceFiction, .drama], imdb: "tt0083658", tmdb: 78,
      wikidata: "Q184843"),
    Film(
      number: 4, title: "Dune", directors: ["Denis Villeneuve"],
      cast: [("Timothée Chalamet", "Paul Atreides"), ("Rebecca Ferguson", "Lady Jessica")], author: "Frank Herbert",
      released: "2021-09-15", minutes: 155, genres: [.scienceFiction], imdb: "tt1160419", tmdb: 438631,
      wikidata: "Q60834962"),
    Film(
      number: 5, title: "Dune", directors: ["David Lynch"], cast: [("Kyle MacLachlan", "Paul Atreides")],
      author: "Frank Herbert", released: "1984-12-14", minutes: 137, genres: [.scienceFiction], imdb: "tt0087182",
      tmdb: 841, wikidata: "Q114819"),
    Film(
      number: 6, title: "It", directors: ["Andy Muschietti"], cast: [("Bill Skarsgård", "Pennywise")],
      author: "Stephen King", released: "2017-09-06", minutes: 135, genres: [.horror], imdb: "tt1396484", tmdb: 346364,
      wikidata: "Q25136235"),
    Film(
      number: 7, title: "Parasite", originalTitle: "기생충", directors: ["Bong Joon-ho"],
      cast: [("Song Kang-ho", "Kim Ki-taek")], released: "2019-05-30", minutes: 132, genres: [.thriller, .drama],
      country: "KR", language: "ko", imdb: "tt6751668", tmdb: 496243, wikidata: "Q61448040"),
    // In Wikidata these three have the precision of a year, an unknown date, and no date.
    Film(
      number: 8, title: "A Trip to the Moon", originalTitle: "Le Voyage dans la Lune", directors: ["Georges Méliès"],
      released: "1902", minutes: 14, genres: [.scienceFiction], country: "FR", language: "fr", imdb: "tt0000417",
      tmdb: 775),
    Film(
      number: 9, title: "The Day the Clown Cried", directors: ["Jerry Lewis"], hasUnknownDate: true, genres: [.drama],
      imdb: "tt0068451"),
    Film(number: 10, title: "The Deep", directors: ["Orson Welles"], genres: [.thriller]),
  ]

  static let books: [Book] = [
    Book(
      number: 11, title: "Dune", author: "Frank Herbert", year: 1965, isbn: "9780441172719", publisher: "Ace",
      published: "1990", pages: 535, subjects: ["Science fiction", "Dune (Imaginary place)"], wikidata: "Q190192"),
    Book(
      number: 12, title: "It", author: "Stephen King", year: 1986, isbn: "9780451169518", publisher: "Signet",
      published: "1987", pages: 1093, subjects: ["Horror tales", "Fiction"]),
    Book(
      number: 13, title: "The Godfather", author: "Mario Puzo", year: 1969, isbn: "9780451205766",
      publisher: "New American Library", published: "2002", pages: 448, subjects: ["Mafia", "Fiction"]),
    Book(
      number: 14, title: "Do Androids Dream of Electric Sheep?", author: "Philip K. Dick", year: 1968,
      isbn: "9780345404473", publisher: "Del Rey", published: "1996", pages: 244, subjects: ["Science fiction"]),
    Book(
      number: 15, title: "채식주의자", author: "한강", year: 2007, isbn: "9788936433598", publisher: "창비",
      published: "2007-10-30", pages: 247, subjects: ["Korean fiction"], language: "ko", price: 12_000),
    Book(
      number: 16, title: "흰", author: "한강", year: 2016, isbn: "9788954651134", publisher: "문학동네",
      published: "2018-04-25", pages: 196, subjects: ["Korean fiction"], language: "ko", price: 14_500),
  ]

  static let albums: [Album] = [
    Album(
      number: 17, title: "Kind of Blue", artist: "Miles Davis", released: "1959-08-17", label: "Columbia",
      catalogNumber: "CL 1355", country: "US", barcode: "074646493519", genre: "Jazz", style: "Modal",
      tracks: [
        ("A1", "So What", 562), ("A2", "Freddie Freeloader", 589), ("A3", "Blue in Green", 327),
        ("B1", "All Blues", 693), ("B2", "Flamenco Sketches", 566),
      ]),
    Album(
      number: 18, title: "The Dark Side of the Moon", artist: "Pink Floyd", released: "1973-03-01", label: "Harvest",
      catalogNumber: "SHVL 804", country: "GB", barcode: "5099902987613", genre: "Rock", style: "Prog Rock",
      tracks: [("A1", "Speak to Me", 68), ("A2", "Breathe", 168), ("B1", "Money", 382), ("B5", "Eclipse", 130)]),
    Album(
      number: 19, title: "Abbey Road", artist: "The Beatles", released: "1969-09-26", label: "Apple Records",
      catalogNumber: "PCS 7088", country: "GB", barcode: "0094638246817", genre: "Rock", style: "Classic Rock",
      tracks: [("A1", "Come Together", 260), ("A2", "Something", 182), ("B1", "Here Comes the Sun", 185)]),
  ]

  /// The words of a text in the form for comparison: without case, accents and punctuation.
  static func words(in text: String) -> [String] {
    text.precomposedStringWithCanonicalMapping
      .folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
      .split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}

/// A film, a book or a record.
protocol Work: Sendable {
  /// The number from which the made-up ids are derived.
  var number: Int { get }
  var title: String { get }
  var titles: [String] { get }
  var creators: [String] { get }
}

extension Work {
  var titles: [String] { [title] }

  /// Whether its titles, the names of its creators, or both contain all words of `text`.
  func matches(_ text: String, in part: WorkPart = .any) -> Bool {
    let texts: [String] =
      switch part {
      case .title: titles
      case .creator: creators
      case .any: titles + creators
      }
    let wanted = Catalogue.words(in: text)
    let known = Set(texts.flatMap(Catalogue.words))
    return !wanted.isEmpty && wanted.allSatisfy(known.contains)
  }
}

/// The part of a work that is searched.
enum WorkPart { case title, creator, any }

struct Film: Work {
  var number: Int
  var title: String
  var originalTitle: String?
  var directors: [String]
  var cast: [(name: String, role: String)] = []
  /// The author of the book that the film is based on.
  var author: String?
  /// A day or a year; nil when it was never released.
  var released: String?
  /// Whether Wikidata's date is `somevalue`: it exists but is unknown.
  var hasUnknownDate = false
  var minutes: Int?
  var genres: [Genre]
  var country = "US"
  var language = "en"
  var imdb: String?
  /// Nil for a film that only Wikidata knows.
  var tmdb: Int?
  private var wikidataID: String?

  init(
    number: Int, title: String, originalTitle: String? = nil, directors: [String],
    cast: [(name: String, role: String)] = [], author: String? = nil, released: String? = nil,
    hasUnknownDate: Bool = false, minutes: Int? = nil, genres: [Genre], country: String = "US",
    language: String = "en", imdb: String? = nil, tmdb: Int? = nil, wikidata: String? = nil
  ) {
    (self.number, self.title, self.originalTitle) = (number, title, originalTitle)
    (self.directors, self.cast, self.author) = (directors, cast, author)
    (self.released, self.hasUnknownDate, self.minutes) = (released, hasUnknownDate, minutes)
    (self.genres, self.country, self.language) = (genres, country, language)
    (self.imdb, self.tmdb, wikidataID) = (imdb, tmdb, wikidata)
  }

  var titles: [String] { [title, originalTitle].compactMap(\.self) }
  var creators: [String] { directors }
  var wikidata: String { wikidataID ?? "Q90000\(number)" }
  var summary: String { "\(title), a film by \(directors.joined(separator: " and "))." }

  /// A genre with its names and numbers at the services.
  struct Genre: Sendable {
    var name: String
    var tmdb: Int
    var itunes: String
    var wikidata: String

    static let action = Genre(name: "Action", tmdb: 28, itunes: "Action & Adventure", wikidata: "Q188473")
    static let crime = Genre(name: "Crime", tmdb: 80, itunes: "Thriller", wikidata: "Q959790")
    static let drama = Genre(name: "Drama", tmdb: 18, itunes: "Drama", wikidata: "Q130232")
    static let horror = Genre(name: "Horror", tmdb: 27, itunes: "Horror", wikidata: "Q200092")
    static let scienceFiction = Genre(
      name: "Science Fiction", tmdb: 878, itunes: "Sci-Fi & Fantasy", wikidata: "Q471839")
    static let thriller = Genre(name: "Thriller", tmdb: 53, itunes: "Thriller", wikidata: "Q2484376")
  }
}

struct Book: Work {
  var number: Int
  var title: String
  var author: String
  /// The year of the first edition.
  var year: Int
  var isbn: String
  var publisher: String
  /// A day or a year.
  var published: String
  var pages: Int
  var subjects: [String]
  var language = "en"
  /// The price of a Korean book in won.
  var price: Int?
  var wikidata: String?

  var creators: [String] { [author] }
  var isKorean: Bool { language == "ko" }
  var summary: String { "\(title), a book by \(author)." }
}

struct Album: Work {
  var number: Int
  var title: String
  var artist: String
  var released: String
  var label: String
  var catalogNumber: String
  var country: String
  var barcode: String
  var genre: String
  var style: String
  var tracks: [(position: String, title: String, seconds: Int)]

  var creators: [String] { [artist] }
  var year: String { String(released.prefix(4)) }
}

/// A person, by name.
enum Person {
  /// Wikidata's ids.
  static let ids = [
    "Francis Ford Coppola": "Q56094", "Lana Wachowski": "Q9545711", "Lilly Wachowski": "Q9544977",
    "Ridley Scott": "Q56005", "David Lynch": "Q2071", "Bong Joon-ho": "Q495980", "Georges Méliès": "Q152272",
    "Orson Welles": "Q24829", "Jerry Lewis": "Q182580", "Marlon Brando": "Q34012", "Al Pacino": "Q41163",
    "Keanu Reeves": "Q43416", "Harrison Ford": "Q81328", "Frank Herbert": "Q7934",
  ]

  /// All people, in the order of the works.
  static let all: [String] =
    (Catalogue.films.flatMap { $0.directors + $0.cast.map(\.name) }
    + Catalogue.books.flatMap(\.creators) + Catalogue.albums.flatMap(\.creators))
    .reduce(into: []) { names, name in if !names.contains(name) { names.append(name) } }

  /// A number that only this server uses, from 1.
  static func number(of name: String) -> Int { (all.firstIndex(of: name) ?? -1) + 1 }
  static func wikidata(of name: String) -> String { ids[name] ?? "Q91000\(number(of: name))" }
}
