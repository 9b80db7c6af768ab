import CatalogModel
import SQLite
import Testing

@testable import CatalogStore

/// The shipped tree and labels: Data/genres.txt and Data/genre-labels.txt.
struct GenreLabelTests {
  let store: Store
  let labels: GenreLabels
  private let names = Set(ShippedGenres.all.genres.map(\.name))

  init() throws {
    store = try Store.empty()
    labels = GenreLabels(store.db)
  }

  private func meaning(of label: String, from source: String, _ kind: Kind? = nil) throws -> [String]? {
    try labels.knownMeaning(of: label, from: source, of: kind ?? Self.kind(of: source))?.genres.map {
      try #require(try store.db.value("SELECT name FROM genre WHERE id = \($0)", as: String.self))
    }
  }

  /// The kind that the source is mostly used for.
  static func kind(of source: String) -> Kind {
    switch source {
    case "tmdb", "wikipedia", "wikidata": .movie
    case "openlibrary", "googlebooks", "goodreads", "inventaire": .book
    case "itunes": .podcast
    default: .vinyl
    }
  }

  // MARK: The files

  @Test func `every shipped genre is listed once, after its parent`() {
    var keys = Set<String>()
    for genre in ShippedGenres.all.genres {
      if let parent = genre.parent { #expect(keys.contains(Folding.nameKey(parent)), "\(genre.name)") }
      #expect(keys.insert(Folding.nameKey(genre.name)).inserted, "\(genre.name) stands twice")
    }
    #expect(keys.count > 300)
  }

  @Test func `every shipped label maps to shipped genres and is listed once`() {
    let keys = Set(names.map(Folding.nameKey))
    var targets: [[String]: [String]] = [:]
    let korean = Set(ShippedGenres.byKoreanKey.keys)
    for entry in ShippedLabels.entries {
      #expect(entry.genres.allSatisfy(names.contains), "\(entry)")
      #expect(Set(entry.genres).count == entry.genres.count, "\(entry)")
      let key = Folding.nameKey(entry.label)
      #expect(!key.isEmpty, "\(entry)")
      let isPattern = entry.label.hasPrefix("*") || entry.label.hasSuffix("*")
      let (source, kind) = (entry.place.source, entry.place.kind?.rawValue ?? "")
      let place = [source, kind, isPattern ? entry.label : key]
      #expect(targets.updateValue(entry.genres, forKey: place) == nil, "\(entry) stands twice")
      if source == "any", kind.isEmpty, !isPattern {
        #expect(!keys.contains(key), "\(entry.label) is a genre")
        #expect(!korean.contains(key), "\(entry.label) is a genre")
      }
    }
    #expect(targets.count > 5_000)
    // A line for one source that repeats the line for all is not needed.
    for (place, genres) in targets where place[0] != "any" {
      let kind = Self.kind(of: place[0]).rawValue
      let above = targets[["any", kind, place[2]]] ?? targets[["any", "", place[2]]]
      #expect(above != genres, "\(place)")
    }
  }

  @Test func `label rules use only shipped genres and known labels`() {
    let labels = ShippedLabels.all
    let branches =
      labels.turns.flatMap { [$0.genre] + $0.condition.with + $0.condition.without }
      + labels.besides.values.joined().flatMap { $0.condition.with + $0.condition.without }
    #expect(branches.filter { !names.contains($0.name) } == [])
    let targets = labels.turns.flatMap(\.genres) + labels.besides.values.joined().flatMap(\.genres)
    #expect(targets.filter { !names.contains($0) } == [])
    #expect(labels.turns.count > 30)
    #expect(labels.besides.count == 2)
    for (key, rules) in labels.besides {
      for rule in rules {
        for place in rule.places { #expect(labels.genres(for: key, from: place.source, of: place.kind) != nil) }
      }
    }
  }

  @Test func `every shipped genre has its own Korean name, which is an alias of it`() throws {
    #expect(ShippedGenres.all.genres.filter { $0.korean == nil } == [])
    #expect(ShippedGenres.byKoreanKey.count == names.count)
    let hangul = try ShippedGenres.all.genres.filter { genre in
      let korean = try #require(genre.korean)
      #expect(try store.genre(named: korean) == genre.name)
      return korean.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) }
    }
    // SF and CCM are called so.
    #expect(names.subtracting(hangul.map(\.name)) == ["Science Fiction", "Christian Music"])
  }

  @Test func `a genre is shown in the language of the user unless it was renamed`() throws {
    #expect(Store.genreName("Hard Bop", in: "ko") == "하드 밥")
    #expect(Store.genreName("Hard Bop", in: "en") == "Hard Bop")
    #expect(Store.genreName("Mine", in: "ko") == "Mine")
    try store.apply(.rename("Jazz", to: "Jass"))
    #expect(Store.genreName("Jass", in: "ko") == "Jass")
    #expect(try store.genre(named: "재즈") == "Jass")
  }

  @Test(
    arguments: [
      ("goodreads", "law-school", ["Law"]), ("goodreads", "lawrence-block", nil), ("goodreads", "LAW", ["Law"]),
      ("goodreads", "biographies-of-women", ["Biography & Memoir"]),
      ("goodreads", "2016-urban-fantasy", ["Urban Fantasy"]),
      ("goodreads", "the-sookie-stackhouse-series", []), ("goodreads", "kristin-hannah", nil),
      ("openlibrary", "Foxes -- Fiction", ["Fiction"]), ("openlibrary", "Foxes, juvenile fiction", ["Children's"]),
      ("openlibrary", "Japan, history", ["History"]), ("openlibrary", "Prehistory of something", nil),
      ("openlibrary", "Baggins, frodo (fictitious character), fiction", []),
      ("openlibrary", "nyt:series-books=2013", []),
      ("googlebooks", "Computers / Languages / Java / General", ["Technology"]),
      ("googlebooks", "Fiction / Science Fiction / Space Opera", ["Space Opera"]), ("googlebooks", " / ", nil),
      ("discogs", "Foxes, fiction", nil), ("discogs", "Nonsense / Jazz", nil), ("itunes", "*", nil),
    ] as [(String, String, [String]?)])
  func `a label matches in full, by a part or by the heading before a slash`(
    _ source: String, _ label: String, _ genres: [String]?
  ) throws {
    #expect(try meaning(of: label, from: source) == genres)
  }

  @Test(arguments: [
    ("Foo", "discogs", true), ("Foo", "itunes", true), ("Foo", "hand", true), ("Foo", "openlibrary", false),
    ("Foo", "googlebooks", false), ("Foo", "goodreads", false),
  ])
  func `an unknown label becomes a genre except from sources with free tags`(
    _ label: String, _ source: String, _ isGenre: Bool
  ) throws {
    let kind = Self.kind(of: source) == .book ? Kind.book : .vinyl
    #expect(try labels.match(label, from: source, of: kind).genres.isEmpty != isGenre)
    #expect(try store.genre(named: label) == (isGenre ? label : nil))
    #expect(try store.genreLabels().map(\.state) == [.unknown])
  }

  // MARK: What must be known

  @Test(arguments: [
    ("tmdb", GenreLists.tmdb, 38), ("discogs", GenreLists.discogs, 600), ("itunes", GenreLists.itunes, 380),
    ("musicbrainz", GenreLists.musicBrainz, 550), ("openlibrary", GenreLists.openLibrary, 300),
    ("googlebooks", GenreLists.googleBooks, 130),
  ])
  func `every label in the lists of the sources is known`(_ source: String, _ list: String, _ least: Int) throws {
    let listed = list.split(separator: "|").map(\.trimmingBlanks)
    #expect(listed.count >= least)
    #expect(try listed.filter { try meaning(of: $0, from: source) == nil } == [])
  }

  @Test func `labels of the starter pack are genres`() throws {
    for (name, kind) in [("Drama", Kind.movie), ("Hard Bop", .vinyl), ("Literary Fiction", .book)] {
      #expect(try meaning(of: name, from: "pack", kind) == [name])
    }
  }
}
