import FoundationEssentials
import SQLite
import TestSupport

/// Several processes that change one catalog and one settings file at the same time. Afterwards, all changes are
/// counted.
struct ConcurrencyTest {
  var folder: String
  var program: String
  var seed: UInt64
  var members = 8
  /// The number of changes by each member.
  var count: Int

  /// A kind of change.
  enum Change: String, CaseIterable {
    /// All members add their own names to one item.
    case creator = "edit creator+="
    /// Adds genres to one item, and removes some of them.
    case genre = "edit genre+= and -="
    /// Sets one field of one item, a different field for each member.
    case field = "edit field="
    case cardAdd = "card add"
    /// Changes one part of one card, a different part for each of three members.
    case cardEdit = "card edit"
    /// Adds the member's own item to the favorites, or removes it.
    case favorite = "favorite, unfavorite"
    /// Adds an item, and removes an older one of the same member.
    case add = "add, remove"
    /// Each another setting.
    case config = "config set"
    /// Each of four the key of another source.
    case key = "source key"
    case show = "show"
    /// Adds copies to one item.
    case copyAdd = "copy add"
    /// Changes one part of one copy: each of three members another part.
    case copyEdit = "copy edit"
    case log = "log"
    /// Rates an item of its own.
    case rate = "rate"
    /// Wishes for something of its own.
    case wish = "wish"
    /// Puts tags of its own on one item, and takes some away again.
    case tag = "tag add, tag remove"
    case tagEdit = "edit tag+="
    /// Puts an item of its own on a pile that all share, and takes it from there.
    case pile = "pile add, pile remove"
    /// Moves one of the items that stay on the shared pile.
    case pileMove = "pile move"
    /// Saves a query of its own, and then another over it.
    case query = "shelf save"
    /// Lends a copy that all members lend, at which only one succeeds, and returns it.
    case lend = "lend, return"

    /// The text expected on standard error after success.
    var note: String? {
      switch self {
      case .key: "the key of "
      case .tag: "is a new tag\n"
      default: nil
      }
    }

    /// The error expected when another member was faster.
    var refusal: String? {
      switch self {
      case .lend: "the copy c1"
      default: nil
      }
    }
  }

  /// The acknowledged changes of one member.
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
    var copies: Set<String> = []
    var copyPart: String?
    var entries: Set<String> = []
    var rating: Int?
    var wishes: Set<String> = []
    var tags: Set<String> = []
    var isOnPile = false
    var query: String?
    /// The people to whom the member has lent the copy.
    var loans: Set<String> = []
  }

  /// A command, and the change that its member remembers after success.
  private struct Step {
    var change: Change
    var words: [String]
    var input = ""
    var remember: (inout Memory, Outcome) -> Void = { _, _ in }
  }

  private static let fields = [
    "title", "year", "original_title", "publisher", "pages", "series", "note", "description",
  ]
  private static let shared = (named...tagged).map { "\($0)" }
  private static let copyParts = [("--place", "place"), ("--from", "acquired_from"), ("--note", "note")].map {
    (option: $0.0, column: $0.1)
  }
  private static let keyed = ["tmdb", "kakao", "discogs", "googlebooks"]
  private static let mirrored = ["tmdb", "kakao", "discogs", "googlebooks", "itunes", "openlibrary", "musicbrainz"]
  /// The items that all change, each for another purpose, and the first of those that belong to one member. All are
  /// books, of which a copy is written: c1 is lent, c2 changed.
  private static let (named, fielded, labelled, carded, copied, tagged, first) = (1, 2, 3, 4, 5, 6, 7)

  func run() throws -> Report {
    let home = Home(path: "\(folder)/crowd")
    try home.make()
    defer { home.remove() }
    for number in 1..<Self.first + members {
      let outcome = try home.run(["add", "book", "--title", "Item \(number)"], program: program)
      guard outcome.status == 0 else { throw Trouble("add: \(outcome.errors)") }
    }
    for words in [["card", "add", "\(Self.carded)", "a card"], ["pile", "add", "next"] + Self.shared] {
      let outcome = try home.run(words, program: program)
      guard outcome.status == 0 else { throw Trouble("\(words.joined(separator: " ")): \(outcome.errors)") }
    }

    var report = Report(columns: "tries", "acknowledged", "refused")
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
        let said = outcome.errors.split(separator: "\n")
        let isNoted = step.change.note.map { outcome.errors.contains($0) && said.count == 1 } ?? false
        if outcome.status == 0, outcome.errors.isEmpty || isNoted {
          report.count("acknowledged", of: step.change.rawValue)
          step.remember(&memories[member], outcome)
        } else if outcome.status == 1, let refusal = step.change.refusal, outcome.errors.contains(refusal) {
          report.count("refused", of: step.change.rawValue)
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
    case .copyAdd:
      return Step(change: kind, words: ["copy", "add", "\(Self.copied)", "--note", "Copy \(name)"]) { memory, _ in
        memory.copies.insert("Copy \(name)")
      }
    case .copyEdit where member < Self.copyParts.count:
      let value = "Part \(name)"
      return Step(change: kind, words: ["copy", "edit", "c2", Self.copyParts[member].option, value]) { memory, _ in
        memory.copyPart = value
      }
    case .log:
      return Step(
        change: kind, words: ["log", "\(Self.copied)", "--on", "\(1900 + number % 100)", "--note", "Entry \(name)"]
      ) { memory, _ in memory.entries.insert("Entry \(name)") }
    case .rate:
      let rating = (number + member) % 101
      return Step(change: kind, words: ["rate", "\(Self.first + member)", "\(rating)%"]) { memory, _ in
        memory.rating = rating
      }
    case .wish:
      return Step(change: kind, words: ["wish", "Wish \(name)", "--kind", "vinyl"]) { memory, _ in
        memory.wishes.insert("Wish \(name)")
      }
    case .tag:
      if number.isMultiple(of: 3), let tag = memory.tags.sorted().first {
        return Step(change: kind, words: ["tag", "remove", tag, "\(Self.tagged)"]) { memory, _ in
          memory.tags.remove(tag)
        }
      }
      return Step(change: kind, words: ["tag", "add", "tag \(name)", "\(Self.tagged)"]) { memory, _ in
        memory.tags.insert("tag \(name)")
      }
    case .tagEdit:
      return Step(change: kind, words: ["edit", "\(Self.tagged)", "tag+=edited \(name)"]) { memory, _ in
        memory.tags.insert("edited \(name)")
      }
    case .pile:
      let isOnPile = memory.isOnPile
      return Step(change: kind, words: ["pile", isOnPile ? "remove" : "add", "next", "\(Self.first + member)"]) {
        memory, _ in
        memory.isOnPile = !isOnPile
      }
    case .pileMove:
      let item = Self.named + (member + number) % Self.tagged
      return Step(change: kind, words: ["pile", "move", "next", "\(item)", "\(1 + number % members)"])
    case .query:
      let query = "year:\(1000 + number)"
      return Step(change: kind, words: ["shelf", "save", "query \(member)", query, "--yes"]) { memory, _ in
        memory.query = query
      }
    case .lend:
      if !(number / Change.allCases.count).isMultiple(of: 2) { return Step(change: kind, words: ["return", "c1"]) }
      return Step(change: kind, words: ["lend", "c1", "to", "Friend \(name)"]) { memory, _ in
        memory.loans.insert("Friend \(name)")
      }
    // A member without a part in this kind adds names.
    case .creator, .field, .cardEdit, .config, .key, .copyEdit:
      return Step(change: .creator, words: ["edit", "\(Self.named)", "creator+=Name \(name)"]) { memory, _ in
        memory.creators.insert("Name \(name)")
      }
    }
  }

  private static func setting(of member: Int) -> String {
    member == 0 ? "pager" : "sources.\(mirrored[member - 1]).base_url"
  }

  // MARK: Afterwards

  /// Compares the stored rows with the members' memories.
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

    compare(
      .copyAdd, try db.values("SELECT note FROM copy WHERE item_id = \(Self.copied) AND note LIKE 'Copy %'"),
      with: memories.reduce(into: []) { $0.formUnion($1.copies) }, of: "copies")
    compare(
      .log, try db.values("SELECT note FROM log_entry"), with: memories.reduce(into: []) { $0.formUnion($1.entries) },
      of: "entries")
    compare(
      .wish, try db.values("SELECT words FROM wish"), with: memories.reduce(into: []) { $0.formUnion($1.wishes) },
      of: "wishes")
    compare(
      .tag, try db.values("SELECT name FROM tag JOIN item_tag ON tag_id = tag.id WHERE item_id = \(Self.tagged)"),
      with: memories.reduce(into: []) { $0.formUnion($1.tags) }, of: "tags")
    compare(
      .pile, try db.values("SELECT CAST(item_id AS TEXT) FROM pile_item"),
      with: Set(memories.indices.filter { memories[$0].isOnPile }.map { "\(Self.first + $0)" } + Self.shared),
      of: "items on the pile")
    let places = try db.values("SELECT position FROM pile_item ORDER BY position", as: Int.self)
    if places != Array(1..<places.count + 1) { fail(.pileMove, "the places on the pile are \(places)") }
    compare(
      .lend, try db.values("SELECT person FROM loan"), with: memories.reduce(into: []) { $0.formUnion($1.loans) },
      of: "loans")
    let lent = try db.value("SELECT count(*) FROM loan WHERE returned_on IS NULL", as: Int.self) ?? 0
    if lent > 1 { fail(.lend, "the copy is lent \(lent) times at once") }

    // A value written by one member only is its last one.
    let fields =
      try db.one(
        """
        SELECT title, CAST(year AS TEXT) AS year, original_title, publisher, CAST(pages AS TEXT) AS pages, series, note,
          description
        FROM item JOIN book ON book.item_id = item.id WHERE item.id = \(Self.fielded)
        """
      ) { row in try Self.fields.map { try row.get($0, as: String?.self) } } ?? []
    let parts =
      try db.one("SELECT CAST(rating AS TEXT) AS rating, comment, seen_on FROM card WHERE id = 1") { row in
        try ["rating", "comment", "seen_on"].map { try row.get($0, as: String?.self) }
      } ?? []
    let copy =
      try db.one("SELECT place, acquired_from, note FROM copy WHERE id = 2") { row in
        try Self.copyParts.map { try row.get($0.column, as: String?.self) }
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
      check(.copyEdit, memory.copyPart, copy.indices.contains(member) ? copy[member] : nil)
      check(
        .rate, memory.rating.map(String.init),
        try db.value(
          """
          SELECT CAST(rating AS TEXT) FROM card WHERE item_id = \(Self.first + member) AND rating IS NOT NULL
          ORDER BY id DESC LIMIT 1
          """))
      check(
        .query, memory.query, try db.value("SELECT query FROM saved_query WHERE name = \("query \(member)")"))
      if memory.setting != nil { check(.config, memory.setting, settings[Self.setting(of: member)]) }
      if memory.key != nil { check(.key, memory.key, settings["sources.\(Self.keyed[member]).key"]) }
    }
    let recents = try db.value("SELECT count(*) FROM recently_viewed", as: Int.self) ?? 0
    if recents > 10 { fail(.show, "\(recents) recents") }
  }
}
