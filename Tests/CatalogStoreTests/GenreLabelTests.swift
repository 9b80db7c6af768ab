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
    store = try Store.inMemory()
    labels = GenreLabels(store.db)
  }

  private func meaning(of label: String, from source: String) throws -> [String]? {
    try labels.knownMeaning(of: label, from: source)?.map {
      try #require(try store.db.value("SELECT name FROM genre WHERE id = \($0)", as: String.self))
    }
  }

  // MARK: The files

  @Test func `every genre stands once, below one that stands before it`() {
    var keys = Set<String>()
    for genre in ShippedGenres.all.genres {
      if let parent = genre.parent { #expect(keys.contains(Folding.labelKey(parent)), "\(genre.name)") }
      #expect(keys.insert(Folding.labelKey(genre.name)).inserted, "\(genre.name) stands twice")
    }
    #expect(keys.count > 300)
  }

  @Test func `labels stand for genres of the tree, each label once`() {
    let keys = Set(names.map(Folding.labelKey))
    var targets: [[String]: [String]] = [:]
    for entry in ShippedLabels.entries {
      #expect(entry.genres.allSatisfy(names.contains), "\(entry)")
      #expect(Set(entry.genres).count == entry.genres.count, "\(entry)")
      let key = Folding.labelKey(entry.label)
      #expect(!key.isEmpty, "\(entry)")
      let isPattern = entry.label.hasPrefix("*") || entry.label.hasSuffix("*")
      let place = isPattern ? [entry.source, entry.label] : [entry.source, key]
      #expect(targets.updateValue(entry.genres, forKey: place) == nil, "\(entry) stands twice")
      if entry.source == "any", !isPattern { #expect(!keys.contains(key), "\(entry.label) is a genre") }
    }
    #expect(targets.count > 5_000)
    // What one source says as all do needs no line of its own.
    for (place, genres) in targets where place[0] != "any" {
      #expect(targets[["any", place[1]]] != genres, "\(place)")
    }
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
  func `a label is known in full, by a part, or by the heading before a stroke`(
    _ source: String, _ label: String, _ genres: [String]?
  ) throws {
    #expect(try meaning(of: label, from: source) == genres)
  }

  @Test(arguments: [
    ("Foo", "discogs", true), ("Foo", "itunes", true), ("Foo", "hand", true), ("Foo", "openlibrary", false),
    ("Foo", "googlebooks", false), ("Foo", "goodreads", false),
  ])
  func `an unknown label becomes a genre, but for the free words of many hands`(
    _ label: String, _ source: String, _ isGenre: Bool
  ) throws {
    #expect(try labels.match(label, from: source).genres.isEmpty != isGenre)
    #expect(try store.genre(named: label) == (isGenre ? label : nil))
    #expect(try store.genreLabels().map(\.state) == [.unknown])
  }

  // MARK: What must be known

  @Test(arguments: [
    ("tmdb", GenreLists.tmdb, 38), ("discogs", GenreLists.discogs, 600), ("itunes", GenreLists.itunes, 380),
    ("musicbrainz", GenreLists.musicBrainz, 550), ("openlibrary", GenreLists.openLibrary, 300),
    ("googlebooks", GenreLists.googleBooks, 130),
  ])
  func `the lists of the sources are known, whole`(_ source: String, _ list: String, _ least: Int) throws {
    let listed = list.split(separator: "|").map(\.trimmingBlanks)
    #expect(listed.count >= least)
    #expect(try listed.filter { try meaning(of: $0, from: source) == nil } == [])
  }

  @Test func `the labels of the built-in pack are genres`() throws {
    for name in ["Drama", "Hard Bop", "Literary Fiction"] { #expect(try meaning(of: name, from: "pack") == [name]) }
  }
}
