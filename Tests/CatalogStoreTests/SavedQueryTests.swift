import CatalogModel
import FoundationEssentials
import SQLite
import TestSupport
import Testing

@testable import CatalogStore

struct SavedQueryTests {
  private static let now = Date(timeIntervalSince1970: 1_795_253_400)
  private let store: Store

  init() throws {
    store = try Store.empty()
    for (number, kind) in [Kind.movie, .book, .vinyl, .vinyl].enumerated() {
      var record = Record(kind: kind, title: "Title \(number)")
      record.year = 1950 + number
      try store.add(record, now: Timestamp(Self.now))
    }
  }

  private func save(_ name: String, _ words: String...) throws {
    let known = try store.savedQueries()[name]
    try store.save(SavedQuery(name, words), over: known, now: Self.now)
  }

  private func query(_ words: String...) throws -> Query { try store.query(words, now: Self.now) }

  private func ids(_ words: String...) throws -> [Int64] {
    try store.ids(store.query(words, now: Self.now)).map(\.rawValue)
  }

  @Test func `a saved query can be used anywhere in a query`() throws {
    try save("records", "kind:vinyl")
    try save("Über Alt", "year:1951,1952")
    #expect(try ids("@records") == [4, 3])
    #expect(try ids("@RECORDS") == [4, 3])
    #expect(try ids("@uber-alt") == [3, 2])
    #expect(try ids("@\"über alt\"", "@records") == [3])
    #expect(try ids("not (@records or year:1950)") == [2])
    #expect(try ids("-@records", "title") == [2, 1])
    #expect(try store.ids(store.query(line: "^@records (@uberalt)", now: Self.now)).map(\.rawValue) == [2])
    // A saved query is one term, whatever its operators.
    try save("either", "kind:movie or kind:book")
    #expect(try ids("year:1951", "@either") == [2])
  }

  @Test func `a saved query may use others`() throws {
    try save("records", "kind:vinyl")
    try save("old", "year:..1952")
    try save("old records", "@records", "@old")
    #expect(try ids("@old-records") == [3])
    #expect(try query("@old-records").onlyKind == .vinyl)
  }

  @Test(arguments: [
    (["tag:winter"], ["tag:\"high summer\""]),
    (["kind:book", "tag:=WINTER,rain"], ["kind:book", "tag:=\"high summer\",rain"]),
    (
      ["title:winter", "tag:\"winter\" or tag:win-ter"], ["title:winter", "tag:\"high summer\" or tag:\"high summer\""]
    ),
    (["added:-2w..", "tag:wint"], ["added:-2w..", "tag:wint"]),
  ])
  func `a saved query follows a renamed tag`(_ before: [String], _ after: [String]) throws {
    try store.addTag("winter", to: [ItemID(rawValue: 1)])
    try store.save(SavedQuery("asks", before), now: Self.now)
    let renaming = try store.renameTag("Winter", to: "high summer")
    #expect(try store.savedQueries()["asks"]?.arguments == after)
    #expect(renaming.queries.map(\.name) == (before == after ? [] : ["asks"]))
  }

  @Test func `relative dates in a saved query stay relative`() throws {
    try save("fresh", "added:-2w..")
    #expect(try ids("@fresh").count == 4)
    let later = Self.now.addingTimeInterval(60 * 86_400)
    #expect(try store.ids(store.query(["@fresh"], now: later)).isEmpty)
  }

  @Test func `a saved query keeps its separate arguments`() throws {
    try save("title", "title:title 1", "kind:book")
    #expect(try ids("@title") == [2])
    #expect(try store.db.value("SELECT query FROM saved_query") == "title:title 1\nkind:book")
  }

  @Test(arguments: [
    "@a", "^@a", "not @a", "(@a or b) c", "@\"best of\"", "@\"12\" x", "@가-나_다", "@\"a \"\"b\"\"\"", "@a or -@a",
  ])
  func `a query with a saved name is printed and parsed again`(_ text: String) throws {
    let saved = SavedQueries(["a", "best of", "12", "가-나_다", "a \"b\""].map { SavedQuery($0, ["kind:book"]) })
    for query in [
      try Query([text], now: Self.now, saved: saved), try Query(line: text, now: Self.now, saved: saved),
    ] {
      #expect(try Query(query.arguments, now: Self.now, saved: saved) == query, "\(query)")
      #expect(try Query(line: "\(query)", now: Self.now, saved: saved) == query, "\(query)")
      #expect("\(query)".contains("@"))
    }
  }

  @Test(arguments: ["@", "@1", "@10", "a@b.org", "\"@home\""])
  func `an at sign without a valid name is a word`(_ text: String) throws {
    #expect(try query(text).words.count == 1)
  }

  @Test(arguments: [
    (["kind:vinyl", "@recrods"], 11..<19, "no saved query 'recrods'"), (["(@x)"], 1..<3, "no saved query 'x'"),
    (["-@\"a b\""], 1..<7, "no saved query 'a b'"), (["@\""], 1..<2, "closing quote"),
    (["@\" \""], 0..<4, "name is missing"),
  ])
  func `a problem with a saved query has the position of its name`(
    _ words: [String], _ range: Range<Int>, _ text: String
  ) throws {
    try save("records", "kind:vinyl")
    let problem = #expect(throws: Query.Problem.self) { try store.query(words, now: Self.now) }
    #expect(problem?.range == range)
    #expect(problem?.description.contains(text) ?? false, "\(problem?.description ?? "")")
    if words[0] == "kind:vinyl" { #expect(problem?.unknownSaved?.among == ["records"]) }
  }

  @Test func `a cycle of saved queries is rejected when saved and when read`() throws {
    #expect(throws: Query.Problem.self) { try save("a", "@A x") }
    try save("a", "kind:book")
    try save("b", "@a or x")
    try save("c", "not @b")
    let problem = #expect(throws: Query.Problem.self) { try save("a", "year:1950 @c") }
    #expect(problem?.description == "a saved query uses itself: '@a → @c → @b → @a'")
    #expect(problem?.range == 10..<12)
    #expect(try store.savedQueries()["a"]?.arguments == ["kind:book"])
    try store.db.run("UPDATE saved_query SET query = '@c' WHERE key = 'a'")
    let read = #expect(throws: Query.Problem.self) { try query("x", "@b") }
    #expect(read?.range == 2..<4)
    #expect(read?.savedQuery == "c", "the one that leads back is named")
  }

  @Test func `an invalid saved query of another program is reported by its name`() throws {
    try store.db.run("INSERT INTO saved_query (key, name, query) VALUES ('odd', 'Odd', 'year:195x')")
    let problem = #expect(throws: Query.Problem.self) { try query("kind:book", "@odd") }
    #expect(problem?.description == "invalid year '195x'")
    #expect(problem?.savedQuery == "Odd")
    #expect(problem?.range == 10..<14)
  }

  @Test func `saved queries that grow without bound are rejected`() throws {
    try save("n0", "x y")
    for number in 1...7 { try save("n\(number)", "@n\(number - 1) @n\(number - 1)") }
    let problem = #expect(throws: Query.Problem.self) { try save("n8", "@n7 @n7") }
    #expect(problem?.description.contains("more than 1000") ?? false)
    #expect(try ids("@n7").isEmpty)
    // As deep as parentheses.
    let deep = (0..<80).map { SavedQuery("d\($0)", [$0 == 0 ? "x" : "@d\($0 - 1)"]) }
    #expect(throws: Query.Problem.self) { try Query(["@d79"], now: Self.now, saved: SavedQueries(deep)) }
  }

  @Test func `an invalid saved query is rejected and nothing is written`() throws {
    #expect(throws: CatalogError.emptyName) { try save(" ", "x") }
    #expect(throws: CatalogError.nameOfDigits("12")) { try save("12", "x") }
    #expect(throws: CatalogError.emptyQuery) { try save("x", " ", "") }
    #expect(throws: Query.Problem.self) { try save("x", "year:195x") }
    #expect(try store.savedQueries().all.isEmpty)
    try save("x", "kind:book")
    #expect(throws: CatalogError.savedQueryExists("X")) { try store.save(SavedQuery("X", ["a"]), now: Self.now) }
    #expect(try store.savedQueries()["x"]?.arguments == ["kind:book"])
  }

  @Test func `a saved query in use cannot be removed`() throws {
    try save("a", "kind:book")
    try save("b", "@a")
    #expect(throws: CatalogError.savedQueryInUse("a", by: "b")) { try store.forgetQueries(["a"]) }
    #expect(throws: CatalogError.noSavedQuery("z")) { try store.forgetQueries(["b", "z"]) }
    #expect(try store.savedQueries().names == ["a", "b"])
    #expect(try store.forgetQueries(["B", "a", "A"]).map(\.name) == ["b", "a"])
    #expect(try store.savedQueries().all.isEmpty)
  }

  @Test(arguments: [UInt64(1), 2]) func `random text crashes no saved query, and parsed queries print and parse again`(
    _ seed: UInt64
  ) throws {
    let saved = SavedQueries([
      SavedQuery("a", ["kind:book"]), SavedQuery("best of", ["@a or x", "year:1950s"]), SavedQuery("loop", ["@loop"]),
      SavedQuery("bad", ["year:x"]),
    ])
    let pieces = [
      "@", "@a", "@\"best of\"", "@loop", "@bad", "@1", "\"", "(", ")", " ", " ", "-", "^", " not ", " or ", ",",
      "title:",
      "가", "\u{300}", "\u{0}", "x", "=", "..",
    ]
    var random = SplitMix(seed: seed)
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      do {
        let query = try Query([text], now: Self.now, saved: saved)
        #expect(try Query(query.arguments, now: Self.now, saved: saved) == query, "\(text.debugDescription): \(query)")
        _ = try store.count(query)
      } catch {
        let problem = try #require(error as? Query.Problem)
        #expect(problem.range.upperBound <= text.unicodeScalars.count)
        #expect(problem.range.lowerBound >= 0)
      }
    }
  }
}
