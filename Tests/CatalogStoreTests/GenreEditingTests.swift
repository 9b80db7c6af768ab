import CatalogModel
import FoundationEssentials
import SQLite
import TestSupport
import Testing

@testable import CatalogStore
@testable import Migrations

struct GenreEditingTests {
  let store: Store
  private let now = Timestamp(rawValue: "2026-11-21T09:00:00Z")

  init() throws { store = try Store.empty() }

  @discardableResult
  private func add(_ labels: String..., from source: String = "discogs", genres: [String]? = nil) throws -> ItemID {
    var record = Record(kind: source == "openlibrary" ? .book : .vinyl, title: "Title")
    record.labels = labels
    let number = try store.db.value("SELECT count(*) FROM item", as: Int.self) ?? 0
    record.externalIDs = [ExternalID(source: source, value: "\(number)")]
    return try store.add(record, genres: genres, now: now).id
  }

  private func parent(_ name: String) throws -> String? {
    try store.db.value(
      "SELECT above.name FROM genre JOIN genre AS above ON above.id = genre.parent_id WHERE genre.name = \(name)")
  }

  private func ids(_ query: String) throws -> [Int64] {
    try store.ids(try Query([query], now: .init(timeIntervalSince1970: 1_800_000_000))).map(\.rawValue).sorted()
  }

  // MARK: Rename

  @Test func `a renamed genre keeps its items and labels, and its old name as an alias`() throws {
    let item = try add("Hip Hop", "Boom Bap")
    let change = try store.apply(.rename("hip hop", to: " Rap "))
    #expect(change.steps == [.init(before: ["Hip-Hop"], after: ["Rap"])])
    #expect(change.items == 1)
    #expect(change.labels == [.init(source: "discogs", label: "Hip Hop")])
    #expect(try store.genres(of: item) == ["Rap", "Boom Bap"])
    #expect(try store.search("rap") == [item])
    #expect(try store.search("hip-hop").isEmpty)
    #expect(try parent("Boom Bap") == "Rap")
    // The old name: in queries, for a person, and for what comes later.
    #expect(try ids("genre:hip-hop") == [1])
    #expect(try store.genre(named: "HIP HOP") == "Rap")
    #expect(try store.genres(of: add("Hip-Hop/Rap", from: "itunes")) == ["Rap"])
    #expect(try store.genres(of: add("hip hop", from: "musicbrainz")) == ["Rap"])
    #expect(try store.genres(of: add(genres: ["hip hop"])) == ["Rap"])
    #expect(try store.apply(.rename("Hip-Hop", to: "Rap")).isEmpty)
    #expect(try store.apply(.rename("Rap", to: "Hip-Hop")).items == 4)
    #expect(try store.genres(of: item) == ["Hip-Hop", "Boom Bap"])
    #expect(try store.genreList().first { $0.name == "Hip-Hop" }?.aliases == ["Rap"])
  }

  @Test func `renaming may change only the spelling of a genre`() throws {
    try add("Hip Hop")
    #expect(try store.apply(.rename("Hip-Hop", to: "hip hop")).items == 1)
    #expect(try store.genreList().first { $0.name == "hip hop" }?.aliases == [])
    #expect(try store.genreNames().contains("hip hop"))
  }

  @Test func `renaming to a name in use is rejected`() throws {
    #expect(throws: CatalogError.genreExists("Rock")) { try store.apply(.rename("Jazz", to: "rock")) }
    #expect(throws: CatalogError.genreWordTaken("Sci-Fi", by: "Science Fiction", insteadOf: "Jazz")) {
      try store.apply(.rename("Jazz", to: "Sci-Fi"))
    }
    try store.apply(.alias("Sci-Fi", source: nil, genres: ["Jazz"]))
    try store.apply(.rename("Jazz", to: "Sci-Fi"))
    #expect(try store.genre(named: "jazz") == "Sci-Fi")
  }

  @Test(arguments: [
    "", "  ", "a\u{0}b", "a\tb", "a\nb", "\u{1B}[31mred", "a\u{202E}b", "a;b", "None",
    String(repeating: "a", count: 101),
  ])
  func `an invalid genre name is rejected`(_ name: String) throws {
    for edit in [GenreEdit.rename("Jazz", to: name), .alias(name, source: nil, genres: ["Jazz"])] {
      #expect(throws: CatalogError.badGenreName(name)) { try store.preview(edit) }
      #expect(throws: CatalogError.badGenreName(name)) { try store.apply(edit) }
    }
    #expect(try store.genreNames().contains("Jazz"))
  }

  // MARK: Merge

  @Test func `merging a genre moves its items, labels, children and name to the other`() throws {
    let both = try add("Weird Jazz", "Rock", "Jazz")
    let one = try add("Weird Jazz")
    let byHand = try add("Rock", genres: ["Jazz", "Weird Jazz", "Pop"])
    try store.apply(.move("Bebop", below: "Weird Jazz"))
    #expect(try store.unknownLabels().map(\.label) == ["Weird Jazz"])
    let change = try store.apply(.merge(["weird jazz", "Jazz"], into: "jazz"))
    #expect(change.steps == [.init(before: ["Weird Jazz"], after: ["Jazz"])])
    #expect(change.labels == [.init(source: "discogs", label: "Weird Jazz")])
    #expect(change.children == ["Bebop"])
    #expect(change.items == 3)
    // The place in front counts.
    #expect(try store.genres(of: both) == ["Jazz", "Rock"])
    #expect(try store.genres(of: one) == ["Jazz"])
    #expect(try store.genres(of: byHand) == ["Jazz", "Pop"])
    #expect(try parent("Bebop") == "Jazz")
    #expect(try store.genre(named: "Weird Jazz") == "Jazz")
    #expect(try store.unknownLabels().isEmpty)
    #expect(try store.search("weird").isEmpty)
    #expect(try store.genres(of: add("weird jazz", from: "itunes")) == ["Jazz"])
    #expect(try store.apply(.merge(["Weird Jazz"], into: "Jazz")).isEmpty)
  }

  @Test func `several genres are merged into one, also nested ones`() throws {
    let item = try add("Hard Bop", "Bebop", "Jazz", "Pop")
    #expect(try store.apply(.merge(["Jazz", "Hard Bop", "Bebop"], into: "Pop")).items == 1)
    #expect(try store.genres(of: item) == ["Pop"])
    #expect(try parent("Cool Jazz") == "Pop")
  }

  @Test func `a genre cannot be merged into one below it`() throws {
    #expect(throws: CatalogError.genreCircle("Doom Metal", isBelow: "Rock")) {
      try store.apply(.merge(["Pop", "Rock"], into: "Doom Metal"))
    }
    #expect(try store.genreNames().contains("Pop"))
  }

  // MARK: Alias

  @Test func `a label alias maps the items with that label again`() throws {
    let hobbit = try add("Petrels", "Fantasy", from: "openlibrary")
    #expect(try store.genres(of: hobbit) == ["Fantasy"])
    #expect(try store.unknownLabels().map(\.label) == ["Petrels"])
    let byHand = try add("Petrels", from: "openlibrary", genres: ["Classics"])
    let edit = GenreEdit.alias("petrels", source: nil, genres: ["Epic Fantasy", "epic fantasy", "Adventure"])
    let change = try store.apply(edit)
    #expect(change.items == 1)
    #expect(change.itemsByHand == 1)
    #expect(try store.genres(of: hobbit) == ["Epic Fantasy", "Adventure", "Fantasy"])
    #expect(try store.genres(of: byHand) == ["Classics"])
    #expect(try store.unknownLabels().isEmpty)
    #expect(try store.search("epic") == [hobbit])
    #expect(try store.genre(named: "Petrels") == "Epic Fantasy")
    #expect(try store.genres(of: add("petrels", from: "discogs")) == ["Epic Fantasy", "Adventure"])
    #expect(try store.apply(edit).isEmpty)
    // And back to nothing.
    #expect(try store.apply(.alias("Petrels", source: nil, genres: [])).items == 2)
    #expect(try store.genres(of: hobbit) == ["Fantasy"])
    #expect(try store.genreLabels().filter { $0.state == .noise }.map(\.label) == ["Petrels", "petrels", "petrels"])
  }

  @Test func `an alias may hold for one source only`() throws {
    let discogs = try add("Glitch")
    let brainz = try add("glitch", from: "musicbrainz")
    #expect(throws: CatalogError.labelIsGenre("Glitch")) {
      try store.apply(.alias("glitch", source: nil, genres: ["Ambient"]))
    }
    #expect(try store.apply(.alias("glitch", source: "discogs", genres: ["Ambient"])).items == 1)
    #expect(try store.genres(of: discogs) == ["Ambient"])
    #expect(try store.genres(of: brainz) == ["Glitch"])
    #expect(try store.genres(of: add("Glitch", from: "discogs")) == ["Ambient"])
    // The genre for every source, as before.
    #expect(try store.apply(.alias("Glitch", source: nil, genres: ["Glitch"])).items == 2)
    #expect(try store.genres(of: discogs) == ["Glitch"])
  }

  // MARK: Place

  @Test func `a genre moves with its children, and never below itself`() throws {
    try add("Doom Metal")
    let change = try store.apply(.move("Metal", below: nil))
    #expect(change.steps == [.init(before: ["Music", "Rock", "Metal"], after: ["Metal"])])
    #expect(change.items == 1)
    #expect(try ids("genre:rock") == [])
    #expect(try ids("genre:metal") == [1])
    #expect(try store.apply(.move("Metal", below: nil)).isEmpty)
    for name in ["Doom Metal", "Metal"] {
      #expect(throws: CatalogError.genreCircle(name, isBelow: "Metal")) {
        try store.apply(.move("Metal", below: name))
      }
    }
    #expect(throws: CatalogError.noGenre("Metla")) { try store.preview(.move("Metla", below: nil)) }
    #expect(try store.apply(.move("Metal", below: "rock")).steps[0].after == ["Music", "Rock", "Metal"])
  }

  @Test func `the genre list counts each item once per genre`() throws {
    try add("Doom Metal", "Black Metal")
    try add("Metal")
    try add("Metal", "Jazz")
    let list = try store.genreList()
    let used = list.filter { $0.items > 0 }
    #expect(used.map(\.name) == ["Music", "Jazz", "Rock", "Metal", "Black Metal", "Doom Metal"])
    #expect(used.map(\.items) == [3, 1, 3, 3, 1, 1])
    #expect(used.map(\.ownItems) == [0, 1, 0, 2, 1, 1])
    #expect(used.last?.ancestors == ["Music", "Rock", "Metal"])
    #expect(list.count == ShippedGenres.all.genres.count)
  }

  // MARK: What stays

  @Test func `seeding a later genre tree keeps the user's edits`() throws {
    let item = try add("Hip Hop", "Bebop", "Doom Metal", "Petrels")
    try store.apply(.rename("Hip-Hop", to: "Rap"))
    try store.apply(.merge(["Bebop"], into: "Jazz"))
    try store.apply(.move("Metal", below: nil))
    try store.apply(.alias("Solarpunk", source: nil, genres: ["Science Fiction"]))
    try store.apply(.alias("Misc", source: nil, genres: []))
    let before = try store.genreList()
    try store.seed(ShippedGenres.all.genres)
    #expect(try store.genreList() == before)
    // New ones find their place by the old names; what a person gave another meaning is no genre.
    try store.seed(
      ShippedGenres.all.genres + [
        .init(name: "Cloud Rap", parent: "Hip-Hop"), .init(name: "Vocalese", parent: "Bebop"),
        .init(name: "Drone Metal", parent: "Metal"), .init(name: "Solarpunk", parent: "Fiction"),
        .init(name: "Misc", parent: nil), .init(name: "Below Misc", parent: "Misc"),
      ])
    #expect(try parent("Cloud Rap") == "Rap")
    #expect(try parent("Vocalese") == "Jazz")
    #expect(try parent("Drone Metal") == "Metal")
    #expect(try parent("Metal") == nil)
    #expect(try store.genreList().count == before.count + 4)
    #expect(try store.genres(of: item) == ["Rap", "Jazz", "Doom Metal", "Petrels"])
  }

  @Test func `migrating from version 1 marks genres that differ from the labels as chosen`() throws {
    let store = Store(db: try Connection(.memory), path: nil, isWritable: true)
    try store.migrate(Array(Migration.all.prefix(1)))
    try store.db.execute(
      script: """
        INSERT INTO genre (id, name, key) VALUES (1, 'A', 'a'), (2, 'B', 'b');
        INSERT INTO genre_label (id, source, key, label) VALUES (1, 'x', 'both', 'Both'), (2, 'x', 'b', 'B'), (3, 'x', 'no', 'No');
        INSERT INTO genre_label_target VALUES (1, 1, 1), (1, 2, 2), (2, 1, 2);
        INSERT INTO item (id, kind, title, created_at, updated_at)
          SELECT value, 'book', 'Title', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z' FROM json_each('[1,2,3,4,5,6]');
        INSERT INTO item_label VALUES (1, 1, 1), (1, 2, 2), (2, 1, 1), (3, 1, 1), (4, 1, 3), (5, 1, 3);
        INSERT INTO item_genre VALUES (1, 1, 1), (1, 2, 2), (2, 1, 2), (2, 2, 1), (3, 1, 1), (5, 1, 1);
        """)
    try store.migrate()
    #expect(try store.db.values("SELECT id FROM item WHERE genres_by_hand", as: Int64.self) == [2, 3, 5])
  }

  @Test func `items with genres chosen by the user are marked`() throws {
    let chosen = try add("Jazz", genres: ["Jazz"])
    let mapped = try add("Jazz")
    try store.change(mapped, now: now) { $0.record.year = 1959 }
    func byHand() throws -> [Int64] { try store.db.values("SELECT id FROM item WHERE genres_by_hand") }
    #expect(try byHand() == [chosen.rawValue])
    try store.change(mapped, now: now) { $0.genres = [] }
    #expect(try byHand() == [chosen.rawValue, mapped.rawValue])
  }

  // MARK: Any sequence

  /// The expected content of the catalog, by names, computed in the simplest way.
  private struct Model {
    /// The genres of labels, by source and key.
    var meanings: [[String]: [String]] = [:]
    var labels: [ItemID: [[String]]] = [:]
    var byHand: [ItemID: [String]] = [:]

    func genres(of item: ItemID) -> [String] {
      byHand[item] ?? (labels[item] ?? []).flatMap { meanings[$0] ?? [] }.withoutRepeats
    }

    mutating func replace(_ names: [String], with name: String) {
      func replaced(_ genres: [String]) -> [String] { genres.map { names.contains($0) ? name : $0 }.withoutRepeats }
      meanings = meanings.mapValues(replaced)
      byHand = byHand.mapValues(replaced)
    }

    mutating func apply(_ edit: GenreEdit, _ canonical: (String) throws -> String) rethrows {
      switch edit {
      case .rename(let name, let new): replace([try canonical(name)], with: new)
      case .merge(let names, let target): replace(try names.map(canonical), with: try canonical(target))
      case .alias(let label, let source, _, let genres):
        let genres = try genres.map(canonical).withoutRepeats
        for key in meanings.keys where key[1] == Folding.nameKey(label) && (source == nil || key[0] == source) {
          meanings[key] = genres
        }
      case .move: break
      }
    }
  }

  @Test(arguments: 1...12)
  func `after random edits the genre tree has no cycle and every item has the expected genres`(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let names = ["Jazz", "Bebop", "Hard Bop", "Metal", "Doom Metal", "Foo", "Bar", "Baz", "Fantasy", "hip hop"]
    let sources = ["discogs", "openlibrary", "hand"]
    func name() -> String { names.randomElement(using: &random) ?? "" }
    func some() -> [String] { (0..<Int.random(in: 0...3, using: &random)).map { _ in name() } }
    var model = Model()
    func keep(_ item: ItemID, _ source: String, _ labels: [String], byHand: Bool) throws {
      model.labels[item] = labels.map { [source, Folding.nameKey($0)] }
      for label in try store.genreLabels() {
        let key = [label.source, Folding.nameKey(label.label)]
        if model.meanings[key] == nil { model.meanings[key] = label.genres }
      }
      if byHand { model.byHand[item] = try store.genres(of: item) }
    }
    for step in 0..<60 {
      let isByHand = Int.random(in: 0..<4, using: &random) == 0
      switch Int.random(in: 0..<9, using: &random) {
      case 0...1:
        // A kind of which no rule speaks of these genres.
        var record = Record(kind: .book, title: "Title \(step)")
        let source = sources.randomElement(using: &random) ?? ""
        record.labels = some()
        record.externalIDs = [ExternalID(source: source, value: "\(step)")]
        let item = try store.add(record, genres: isByHand ? some() : nil, now: now).id
        try keep(item, source, record.labels, byHand: isByHand)
      case 2:
        guard let item = model.labels.keys.sorted(by: { $0.rawValue < $1.rawValue }).randomElement(using: &random)
        else { continue }
        let chosen = some()
        let (before, after) = try store.change(item, now: now) { $0.genres = chosen }
        if chosen != before.genres { model.byHand[item] = after.genres }
      case let kind:
        let edit: GenreEdit =
          switch kind {
          case 3: .rename(name(), to: name())
          case 4...5: .merge([name()] + some(), into: name())
          case 6...7: .alias(name(), source: Bool.random(using: &random) ? nil : "discogs", genres: some())
          default: .move(name(), below: Bool.random(using: &random) ? nil : name())
          }
        let before = try store.genreList()
        do {
          let preview = try store.preview(edit)
          #expect(try store.genreList() == before, "a preview changes nothing")
          try model.apply(edit) { try store.genre(named: $0) ?? "" }
          #expect(try store.apply(edit) == preview)
          #expect(try store.apply(edit).isEmpty, "again: \(edit)")
        } catch is CatalogError {
          #expect(try store.genreList() == before, "what is refused changes nothing")
        }
      }
      for item in model.labels.keys {
        #expect(try store.genres(of: item) == model.genres(of: item), "\(step): item \(item)")
      }
    }
    let before = try store.genreList()
    #expect(Set(before.map(\.name)).count == (try store.genreNames().count), "who stands in a circle is not listed")
    try store.seed(ShippedGenres.all.genres)
    #expect(try store.genreList() == before)
    #expect(try store.examine(now: .init(timeIntervalSince1970: 1_800_000_000)).filter { $0.state == .wrong } == [])
    for item in model.labels.keys {
      for genre in model.genres(of: item) { #expect(try store.search(genre, limit: 200).contains(item)) }
    }
  }
}
