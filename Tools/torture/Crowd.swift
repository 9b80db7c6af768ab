import FoundationEssentials
import SQLite
import TestSupport

/// Several people, or programs, who change one catalog and one file of settings, and afterwards all
/// is counted.
struct Crowd {
  var folder: String
  var program: String
  var seed: UInt64
  var members = 8
  /// How many changes each makes.
  var count: Int

  /// What a member does.
  enum Change: String, CaseIterable {
    /// Adds a name of its own to one item, which all do.
    case creator = "edit creator+="
    /// Adds genres to one item, and takes some of its own away again.
    case genre = "edit genre+= and -="
    /// Sets one field of one item: each member another field.
    case field = "edit field="
    case cardAdd = "card add"
    /// Changes one part of one card: each of three members another part.
    case cardEdit = "card edit"
    /// Makes an item of its own a favorite, or none.
    case favorite = "favorite, unfavorite"
    /// Adds an item, and removes an older one of its own.
    case add = "add, remove"
    /// Each another setting.
    case config = "config set"
    /// Each of four the key of another source.
    case key = "source key"
    case show = "show"
  }

  /// What one member knows to be done.
  private struct Memory {
    var creators: Set<String> = []
    var genres: Set<String> = []
    var cards: Set<String> = []
    /// By number, the oldest first.
    var items: [(id: String, title: String)] = []
    var field: String?
    var cardPart: String?
    var isFavorite = false
    var setting: String?
    var key: String?
  }

  /// A command, and what its member remembers once it is acknowledged.
  private struct Step {
    var change: Change
    var words: [String]
    var input = ""
    var remember: (inout Memory, Outcome) -> Void = { _, _ in }
  }

  private static let fields = [
    "title", "year", "original_title", "publisher", "pages", "series", "language", "description",
  ]
  private static let keyed = ["tmdb", "kakao", "discogs", "googlebooks"]
  private static let mirrored = ["tmdb", "kakao", "discogs", "googlebooks", "itunes", "openlibrary", "musicbrainz"]
  /// The items that all change, each for another purpose, and the first of those that belong to one member.
  private static let (named, fielded, labelled, carded, first) = (1, 2, 3, 4, 5)

  func run() throws -> Report {
    let home = Home(path: "\(folder)/crowd")
    try home.make()
    defer { home.remove() }
    for number in 1..<Self.first + members {
      let outcome = try home.run(["add", "book", "--title", "Item \(number)"], program: program)
      guard outcome.status == 0 else { throw Trouble("add: \(outcome.errors)") }
    }
    let card = try home.run(["card", "add", "\(Self.carded)", "a card"], program: program)
    guard card.status == 0 else { throw Trouble("card add: \(card.errors)") }

    var report = Report(columns: "tries", "acknowledged")
    for change in Change.allCases { report.count("tries", of: change.rawValue, by: 0) }
    var memories = Array(repeating: Memory(), count: members)
    var random = SplitMix(seed: seed)
    var pending: [Change] = []
    for number in 0..<count {
      // Each kind once, in another order, before any comes again; and all members the same kind at the same moment.
      if pending.isEmpty { pending = Change.allCases.shuffled(using: &random) }
      let change = pending.removeLast()
      let steps = memories.enumerated().map { step(change, of: $0.offset, number, $0.element) }
      let launches = try steps.map { step in
        let launch = try home.launch(step.words, program: program)
        launch.type(step.input)
        launch.closeInput()
        return launch
      }
      for (member, (step, launch)) in zip(steps, launches).enumerated() {
        let outcome = launch.finish()
        report.count("tries", of: step.change.rawValue)
        // What source key says, it says beside its results.
        if outcome.status == 0, outcome.errors.isEmpty || step.change == .key {
          report.count("acknowledged", of: step.change.rawValue)
          step.remember(&memories[member], outcome)
        } else {
          report.fail(
            "member \(member), status \(outcome.status): \(outcome.errors)", of: step.change.rawValue, again: again)
        }
      }
    }
    try compare(memories, with: home, &report)
    return report
  }

  private var again: String { "crowd --seed \(seed) --members \(members) --count \(count)" }

  // MARK: One member

  private func step(_ kind: Change, of member: Int, _ number: Int, _ memory: Memory) -> Step {
    let name = "\(member)-\(number)"
    switch kind {
    case .genre:
      if number.isMultiple(of: 3), let genre = memory.genres.sorted().first {
        return Step(change: kind, words: ["edit", "\(Self.labelled)", "genre-=\(genre)"]) { memory, _ in
          memory.genres.remove(genre)
        }
      }
      return Step(change: kind, words: ["edit", "\(Self.labelled)", "genre+=Genre \(name)", "--yes"]) { memory, _ in
        memory.genres.insert("Genre \(name)")
      }
    case .field where member < Self.fields.count:
      let field = Self.fields[member]
      let value = ["year", "pages"].contains(field) ? "\(1000 + number)" : "Field \(name)"
      return Step(change: kind, words: ["edit", "\(Self.fielded)", "\(field)=\(value)"]) { memory, _ in
        memory.field = value
      }
    case .cardAdd:
      return Step(change: kind, words: ["card", "add", "\(Self.named)", "Card \(name)"]) { memory, _ in
        memory.cards.insert("Card \(name)")
      }
    case .cardEdit where member < 3:
      let values = ["\(number % 101)", "Words \(name)", "\(1900 + number)"]
      let words = [["--rating", "\(values[0])%"], [values[1]], ["--seen", values[2]]][member]
      return Step(change: kind, words: ["card", "edit", "1"] + words) { memory, _ in memory.cardPart = values[member] }
    case .favorite:
      let isFavorite = memory.isFavorite
      return Step(change: kind, words: [isFavorite ? "unfavorite" : "favorite", "\(Self.first + member)"]) {
        memory, _ in
        memory.isFavorite = !isFavorite
      }
    case .add:
      if number.isMultiple(of: 3), let oldest = memory.items.first {
        return Step(change: kind, words: ["remove", oldest.id, "--yes"]) { memory, _ in memory.items.removeFirst() }
      }
      return Step(
        change: kind, words: ["add", "book", "--title", "Book \(name)", "--creator", "One of Many"]
      ) { memory, outcome in
        // added book 12: Book 3-4
        let id = outcome.output.drop { !$0.isNumber }.prefix { $0.isNumber }
        memory.items.append((String(id), "Book \(name)"))
      }
    case .config where member <= Self.mirrored.count:
      let value = member == 0 ? "pager \(name)" : "https://mirror.example/\(name)"
      return Step(change: kind, words: ["config", "set", Self.setting(of: member), value]) { memory, _ in
        memory.setting = value
      }
    case .key where member < Self.keyed.count:
      return Step(change: kind, words: ["source", "key", Self.keyed[member]], input: "sesame-\(name)\n") { memory, _ in
        memory.key = "sesame-\(name)"
      }
    case .show: return Step(change: kind, words: ["show", "\(Self.first + (member + number) % members)"])
    // Who has no part in a kind writes names.
    case .creator, .field, .cardEdit, .config, .key:
      return Step(change: .creator, words: ["edit", "\(Self.named)", "creator+=Name \(name)"]) { memory, _ in
        memory.creators.insert("Name \(name)")
      }
    }
  }

  private static func setting(of member: Int) -> String {
    member == 0 ? "pager" : "sources.\(mirrored[member - 1]).base_url"
  }

  // MARK: Afterwards

  /// Counts what is there, row for row.
  private func compare(_ memories: [Memory], with home: Home, _ report: inout Report) throws {
    func fail(_ change: Change, _ words: String) { report.fail(words, of: change.rawValue, again: again) }
    for problem in home.problems() { fail(.show, problem) }

    let db = try Connection(.file(home[Home.catalog]), mode: .readWrite)
    func compare(_ change: Change, _ found: [String], with wanted: Set<String>, of what: String) {
      let missing = wanted.subtracting(found)
      let surplus = Set(found).subtracting(wanted)
      if !missing.isEmpty { fail(change, "\(missing.count) of \(wanted.count) acknowledged \(what) are not there") }
      if !surplus.isEmpty { fail(change, "\(surplus.count) \(what) are there, and should not be") }
      if found.count != Set(found).count { fail(change, "some \(what) are there twice") }
    }
    compare(
      .creator,
      try db.values("SELECT name FROM credit JOIN person ON person.id = person_id WHERE item_id = \(Self.named)"),
      with: memories.reduce(into: []) { $0.formUnion($1.creators) }, of: "creators")
    compare(
      .genre,
      try db.values("SELECT name FROM item_genre JOIN genre ON genre.id = genre_id WHERE item_id = \(Self.labelled)"),
      with: memories.reduce(into: []) { $0.formUnion($1.genres) }, of: "genres")
    compare(
      .cardAdd, try db.values("SELECT comment FROM card WHERE item_id = \(Self.named)"),
      with: memories.reduce(into: []) { $0.formUnion($1.cards) }, of: "cards")
    compare(
      .add, try db.values("SELECT title FROM item WHERE title LIKE 'Book %'"),
      with: memories.reduce(into: []) { $0.formUnion($1.items.map(\.title)) }, of: "items")
    compare(
      .favorite, try db.values("SELECT CAST(item_id AS TEXT) FROM favorite"),
      with: Set(memories.indices.filter { memories[$0].isFavorite }.map { "\(Self.first + $0)" }), of: "favorites")

    // What only one member writes is what it wrote last.
    let fields =
      try db.one(
        """
        SELECT title, CAST(year AS TEXT) AS year, original_title, publisher, CAST(pages AS TEXT) AS pages, series, language,
          description
        FROM item JOIN book ON book.item_id = item.id WHERE item.id = \(Self.fielded)
        """
      ) { row in try Self.fields.map { try row.get($0, as: String?.self) } } ?? []
    let parts =
      try db.one("SELECT CAST(rating AS TEXT) AS rating, comment, seen_on FROM card WHERE id = 1") { row in
        try ["rating", "comment", "seen_on"].map { try row.get($0, as: String?.self) }
      } ?? []
    let settings = try JSONDecoder().decode([String: String].self, from: Data(home.bytes(of: Home.configuration)))
    for (member, memory) in memories.enumerated() {
      func check(_ change: Change, _ wanted: String?, _ found: String?) {
        if let wanted, wanted != found {
          fail(change, "member \(member) wrote '\(wanted)' last, and it is '\(found ?? "nothing")'")
        }
      }
      check(.field, memory.field, fields.indices.contains(member) ? fields[member] : nil)
      check(.cardEdit, memory.cardPart, parts.indices.contains(member) ? parts[member] : nil)
      if memory.setting != nil { check(.config, memory.setting, settings[Self.setting(of: member)]) }
      if memory.key != nil { check(.key, memory.key, settings["sources.\(Self.keyed[member]).key"]) }
    }
    let recents = try db.value("SELECT count(*) FROM recently_viewed", as: Int.self) ?? 0
    if recents > 10 { fail(.show, "\(recents) recents") }
  }
}
