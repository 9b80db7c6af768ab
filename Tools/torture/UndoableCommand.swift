import SQLite
import TestSupport

/// A random command of a user that changes a catalog, based on its contents. A new command is a new line in ``all``.
struct UndoableCommand: Sendable {
  var name: String
  /// The arguments; nil when the catalog has nothing suitable.
  var words: @Sendable (inout Chance) throws -> [String]?

  init(_ name: String, _ words: @escaping @Sendable (inout Chance) throws -> [String]?) {
    (self.name, self.words) = (name, words)
  }

  static let all: [UndoableCommand] = [
    UndoableCommand("add by hand") { chance in
      let kind = chance.one(of: ["movie", "book", "vinyl"])
      var words = ["add", kind, "--title", chance.title(), "--year", "\(chance.number(1900...2020))", "--yes"]
      for _ in 0..<chance.number(0...2) { words += ["--creator", chance.person()] }
      for _ in 0..<chance.number(0...2) { words += ["--genre", chance.genre()] }
      if chance.happens(0.3) { words += ["--stars", "4.5", "--comment", chance.title()] }
      if chance.happens(0.3) { words.append("--favorite") }
      return words
    },
    UndoableCommand("add of the pack") { chance in
      ["add", "--offline"] + (0..<chance.number(1...3)).map { _ in chance.one(of: Self.pack) }
    },
    UndoableCommand("edit") { chance in
      try chance.item().map { item in
        ["edit", item, "--yes"] + (0..<chance.number(1...3)).map { _ in chance.change() }
      }
    },
    UndoableCommand("edit of many") { chance in
      ["edit", "--where", "kind:\(chance.one(of: ["movie", "book", "vinyl"]))", chance.change(), "--yes"]
    },
    UndoableCommand("card add") { chance in
      try chance.item().map { ["card", "add", $0, "--stars", "\(chance.number(1...5))", "--comment", chance.title()] }
    },
    UndoableCommand("card edit") { chance in
      try chance.id(in: "card").map { ["card", "edit", $0, "--stars", "\(chance.number(1...5))", chance.title()] }
    },
    UndoableCommand("card remove") { chance in try chance.id(in: "card").map { ["card", "remove", $0, "--yes"] } },
    UndoableCommand("favorite") { chance in try chance.items(3).map { ["favorite"] + $0 } },
    UndoableCommand("unfavorite") { chance in
      try chance.id(in: "favorite", column: "item_id").map {
        ["unfavorite", "--yes"] + (chance.happens(0.2) ? ["--all"] : [$0])
      }
    },
    UndoableCommand("remove") { chance in try chance.items(2).map { ["remove", "--yes"] + $0 } },
    UndoableCommand("genre rename") { chance in
      try chance.known("genre").map { ["genre", "rename", $0, chance.genre(), "--yes"] }
    },
    UndoableCommand("genre merge") { chance in
      guard let one = try chance.known("genre"), let other = try chance.known("genre") else { return nil }
      return ["genre", "merge", one, other, "--yes"]
    },
    UndoableCommand("genre parent") { chance in
      guard let one = try chance.known("genre"), let other = try chance.known("genre") else { return nil }
      return ["genre", "parent", one, "--yes"] + (chance.happens(0.3) ? ["--root"] : [other])
    },
    UndoableCommand("genre alias") { chance in
      try chance.known("genre").map { ["genre", "alias", chance.title(), $0, "--yes"] }
    },
    UndoableCommand("recent remove") { _ in ["recent", "remove", "@1"] },
    UndoableCommand("copy add") { chance in try chance.item().map { ["copy", "add", $0] + chance.condition() } },
    UndoableCommand("copy edit") { chance in
      try chance.id(in: "copy").map { ["copy", "edit", "c\($0)"] + chance.condition() }
    },
    UndoableCommand("copy remove") { chance in try chance.id(in: "copy").map { ["copy", "remove", "c\($0)", "--yes"] }
    },
    UndoableCommand("represent") { chance in
      try chance.id(in: "vinyl", column: "item_id").map { ["represent"] + (chance.happens(0.2) ? ["--none"] : [$0]) }
    },
    UndoableCommand("log") { chance in
      try chance.item().map { item in
        ["log", item]
          + chance.one(of: [[], ["--dropped"], ["--ongoing"], ["--on", "2020-05"], ["--undated"], ["--again"]])
          + (chance.happens(0.4) ? ["--stars", "\(chance.number(1...5))", "--comment", chance.title()] : [])
      }
    },
    UndoableCommand("diary edit") { chance in
      try chance.id(in: "log_entry").map { ["diary", "edit", $0, "--note", chance.title()] }
    },
    UndoableCommand("diary remove") { chance in
      try chance.id(in: "log_entry").map { ["diary", "remove", $0, "--yes"] }
    },
    UndoableCommand("rate") { chance in try chance.item().map { ["rate", $0, "\(chance.number(1...5))"] } },
    UndoableCommand("wish") { chance in
      let words = chance.happens(0.3) ? chance.title() : try chance.item()
      return words.map { ["wish", $0, "--up-to", "\(chance.number(1...90)) EUR", "--yes"] }
    },
    UndoableCommand("wishes remove") { chance in
      try chance.id(in: "wish").map { ["wishes", "remove", "w\($0)", "--yes"] }
    },
    UndoableCommand("lend") { chance in
      try chance.id(in: "copy").map { ["lend", "c\($0)", "to", chance.person(), "--due", "2w"] }
    },
    UndoableCommand("return") { chance in try chance.id(in: "loan", column: "copy_id").map { ["return", "c\($0)"] } },
    UndoableCommand("tag add") { chance in try chance.items(3).map { ["tag", "add", chance.genre()] + $0 } },
    UndoableCommand("tag remove") { chance in
      guard let tag = try chance.name(in: "tag"), let item = try chance.item() else { return nil }
      return ["tag", "remove", tag, "--yes"] + (chance.happens(0.3) ? ["--all"] : [item])
    },
    UndoableCommand("tag rename") { chance in
      try chance.name(in: "tag").map { ["tag", "rename", $0, chance.genre(), "--yes"] }
    },
    UndoableCommand("pile add") { chance in try chance.items(3).map { ["pile", "add", chance.genre()] + $0 } },
    UndoableCommand("pile move") { chance in
      guard let pile = try chance.name(in: "pile"), let item = try chance.id(in: "pile_item", column: "item_id") else {
        return nil
      }
      return ["pile", "move", pile, item, chance.one(of: ["first", "last", "2"])]
    },
    UndoableCommand("pile remove") { chance in
      guard let pile = try chance.name(in: "pile"), let item = try chance.id(in: "pile_item", column: "item_id") else {
        return nil
      }
      return ["pile", "remove", pile, "--yes"] + (chance.happens(0.3) ? ["--all"] : [item])
    },
    UndoableCommand("shelf save") { chance in ["shelf", "save", chance.genre(), "kind:book", "--yes"] },
    UndoableCommand("edition add") { chance in
      guard let one = try chance.item(), let other = try chance.item() else { return nil }
      return ["edition", "add", one, other]
    },
    UndoableCommand("edition remove") { chance in
      try chance.id(in: "edition_of", column: "item_id").map { ["edition", "remove", $0] }
    },
    UndoableCommand("merge") { chance in
      guard let one = try chance.item(), let other = try chance.item() else { return nil }
      return ["merge", one, other, "--yes"]
    },
    UndoableCommand("edit back to a source") { chance in try chance.item().map { ["edit", $0, "year!", "--yes"] } },
  ]

  private static let pack = [
    "pack:book/1q84-2009", "pack:book/2666-2004", "pack:book/possession-1990", "pack:movie/obsession-1943",
    "pack:movie/possession-1981", "pack:vinyl/after-school-session-1957",
  ]
}

/// A reproducible random generator, and the catalog to choose from.
struct Chance {
  let db: Connection
  private var random: SplitMix

  init(seed: UInt64, in db: Connection) { (self.db, random) = (db, SplitMix(seed: seed)) }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  mutating func happens(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
  mutating func one<T>(of all: [T]) -> T { all[number(0...all.count - 1)] }

  mutating func title() -> String {
    one(of: ["Blue", "Night", "기생충", "It's a", "Sea of", "1984"]) + " "
      + one(of: ["Train", "Song", "나라", "Life", "Trees"])
  }
  mutating func person() -> String { one(of: ["Anna Smith", "한강", "Miles Davis", "Élie Faure", "elie faure", "Else"]) }
  /// A name, some of which are spellings of one.
  mutating func genre() -> String {
    one(of: ["Jazz", "jazz", "Drama", "Hard Bop", "hard-bop", "Fantasy", "Mine", "Mīne", "MINE", "Yours", "Ours"])
  }
  mutating func change() -> String {
    switch number(0...10) {
    case 0: "title=\(title())"
    case 1: "year=\(number(1900...2020))"
    case 2: "creator=\(person())"
    case 3: "creator+=\(person())"
    case 4: "genre=\(genre())"
    case 5: "genre+=\(genre())"
    case 6: "genre-=\(genre())"
    case 7: "genres!"
    case 8: "tag+=\(genre())"
    case 9: "tag=\(genre())"
    default: "description=\(title())"
    }
  }

  /// Random fields of a copy.
  mutating func condition() -> [String] {
    ["--media", one(of: ["M", "NM", "VG+", "G"]), "--price", "\(number(1...90)) EUR", "--note", title()]
  }

  mutating func id(in table: String, column: String = "id") throws -> String? {
    let all = try db.values("SELECT \(identifier: column) FROM \(identifier: table) ORDER BY 1", as: Int64.self)
    return all.isEmpty ? nil : "\(one(of: all))"
  }

  mutating func item() throws -> String? { try id(in: "item") }

  /// Up to `most` different items.
  mutating func items(_ most: Int) throws -> [String]? {
    let items = Set(try (0..<number(1...most)).compactMap { _ in try item() })
    return items.isEmpty ? nil : items.sorted()
  }

  /// The name of a row, usually of one in use by items.
  mutating func known(_ table: String) throws -> String? {
    let used = try db.values(
      "SELECT DISTINCT name FROM genre JOIN item_genre ON genre_id = genre.id ORDER BY 1", as: String.self)
    if !used.isEmpty, happens(0.8) { return one(of: used) }
    return try name(in: table)
  }

  /// The name of any row.
  mutating func name(in table: String) throws -> String? {
    let all = try db.values("SELECT name FROM \(identifier: table) ORDER BY 1", as: String.self)
    return all.isEmpty ? nil : one(of: all)
  }
}
