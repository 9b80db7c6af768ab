import CatalogModel
import Foundation
import Processes
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// The queries of docs/genre-mathematics.md, run by the `sqlite3` shell just as they stand there, give the numbers of
/// `--json`.
@Suite(.enabled(if: SQLiteShell.path != nil, "there is no sqlite3 shell to run the documented SQL"))
struct GenreSQLTests {
  /// A part of the catalog, as a query and as SQL.
  struct Part: CustomTestStringConvertible {
    var query: [String]
    var condition: String
    var testDescription: String { query.isEmpty ? "everything" : query.joined(separator: " ") }
  }

  private static let parts = [
    Part(query: [], condition: ""), Part(query: ["kind:vinyl"], condition: " WHERE kind = 'vinyl'"),
    Part(query: ["year:1960..1999"], condition: " WHERE year BETWEEN 1960 AND 1999"),
    Part(
      query: ["favorite:yes", "^kind:book"],
      condition: " WHERE id IN (SELECT item_id FROM favorite) AND kind <> 'book'"),
    // A single item, whose numbers are mostly null.
    Part(query: ["id:7"], condition: " WHERE id = 7"),
  ]

  private let folder: TemporaryFolder
  private let catalog: TestCatalog
  private let queries: [String: String]

  init() throws {
    queries = try Self.documented()
    folder = try TemporaryFolder()
    catalog = try TestCatalog(path: folder.path("catalog.db"))
    // The documented SQL counts back from this moment.
    catalog.now = Date()
    var random = SplitMix(seed: 3)
    let genres = [
      "Jazz", "Hard Bop", "Soul", "Rock", "Music", "Fantasy", "Fiction", "Drama", "가요", "Biography & Memoir",
    ]
    try catalog.store.write {
      for number in 1...240 {
        let kind = Kind.shelved.randomElement(using: &random) ?? .book
        var record = Record(kind: kind, title: "Title \(number)")
        record.year = number % 9 == 0 ? nil : Int.random(in: 1948...2024, using: &random)
        record.credits = (0..<Int.random(in: 0...2, using: &random)).map { _ in
          Credit(name: "P\(Int.random(in: 10...25, using: &random))", role: Credit.Role(main: kind))
        }
        record.credits.append(Credit(name: "P99", role: kind == .vinyl ? .label : .translator))
        var mine = Array(genres.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)))
        // Two that seek each other, and two that one label stands for.
        if number % 6 == 0 { mine = ["Fantasy", "Drama"] }
        if number % 11 == 0 { mine = ["Action", "Adventure"] }
        let then = Timestamp(catalog.now.addingTimeInterval(-86_400 * Double.random(in: 1...1400, using: &random)))
        let id = try catalog.store.add(record, genres: mine, now: then).id
        if number % 3 == 0 {
          let rating = Rating(value: Int.random(in: 0...100, using: &random), scale: .percent)
          _ = try catalog.store.addCard(to: id, rating: rating, comment: nil, now: then)
        }
        if number % 7 == 0 { try catalog.store.favorite(id, now: then) }
        // A wish is no taste.
        if number % 29 == 0 { _ = try catalog.store.wish(for: .item(id), now: then) }
        if number == 1 {
          var record = Record(kind: .movie, title: "Labelled")
          record.labels = ["Action & Adventure"]
          _ = try catalog.store.add(record, now: then)
        }
      }
    }
  }

  /// The queries by the line above each.
  private static func documented() throws -> [String: String] {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../docs/genre-mathematics.md"),
      encoding: .utf8)
    var queries: [String: String] = [:]
    let pieces = page.components(separatedBy: "```sql\n")
    for (before, piece) in zip(pieces, pieces.dropFirst()) {
      let paragraph = before.components(separatedBy: "\n\n").last ?? ""
      queries[String(paragraph.prefix { $0 != ":" && $0 != "," })] = piece.components(separatedBy: "```")[0]
    }
    return queries
  }

  private typealias Rows = [[String: Any]]

  /// Runs a query of the page on the items of a part.
  private func rows(_ name: String, _ part: Part, _ change: (String) -> String = { $0 }) throws -> Rows {
    let sql = try #require(queries[name], "\(name) is not on the page")
    let changed = change(sql.replacing("FROM taste)", with: "FROM taste\(part.condition))", maxReplacements: 1))
    #expect(part.condition.isEmpty || changed.contains(part.condition))
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: SQLiteShell.path ?? "")
    process.arguments = ["-init", "/dev/null", "-readonly", "-json", folder.path("catalog.db"), changed]
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return data.isEmpty ? [] : try #require(JSONSerialization.jsonObject(with: data) as? Rows)
  }

  /// The program's output as JSON.
  private func object(_ words: [String]) throws -> [String: Any] {
    let run = catalog.run(["genres", "--json"] + words)
    try #require(run.status == 0, "\(run.errors)")
    return try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  /// Checks that the program has the same rows in the same order, with every member of SQL's rows.
  private func expectEqual(_ sql: Rows, _ json: Rows, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(sql.count == json.count, sourceLocation: sourceLocation)
    for (row, other) in zip(sql, json) {
      for (key, value) in row {
        let same =
          switch (value, other[key]) {
          case (is NSNull, is NSNull): true
          case (let a as NSNumber, let b as NSNumber): abs(a.doubleValue - b.doubleValue) < 1e-9
          case (let a as String, let b as String): a == b
          default: false
          }
        #expect(same, "\(key): \(value), \(String(describing: other[key])) in \(row)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test func `the documented SQL gives genres, pairs, diversity and coverage as JSON does`() throws {
    for part in Self.parts { try expectMeasures(part) }
  }

  private func expectMeasures(_ part: Part) throws {
    let json = try object(part.query)
    let genres = try rows("Genres", part)
    #expect(!genres.isEmpty && genres[0].count == 14)
    expectEqual(genres, try #require(json["genres"] as? Rows))
    // SQL has what may be chance too; the program has nothing that SQL has not, in the same order.
    let listed = try #require(json["pairs"] as? Rows)
    func names(_ row: [String: Any]) -> String { "\(row["genre"] ?? ""), \(row["other"] ?? "")" }
    let all = try rows("Pairs", part)
    let same = all.filter { row in listed.contains { names($0) == names(row) } }
    for row in same {
      #expect(try #require(row["surplus"] as? Double) > 1.6 * #require(row["deviation"] as? Double), "\(row)")
    }
    expectEqual(
      same.map { $0.filter { !["surplus", "deviation"].contains($0.key) } }, listed)
    expectEqual(try rows("Pairs looked at", part), [json])
    let diversity = try rows("Diversity", part)
    if diversity.isEmpty {
      #expect(json["effective_branches"] is NSNull)
      #expect(json["gini_simpson"] is NSNull)
    } else {
      expectEqual(diversity, [json])
    }
    expectEqual(try rows("Coverage", part), try #require(json["coverage"] as? Rows))
  }

  @Test func `the documented SQL gives drift and new genres as JSON does`() throws {
    for part in Self.parts { try expectYears(part) }
  }

  private func expectYears(_ part: Part) throws {
    let years = try #require(try object(part.query)["drift"] as? Rows)
    expectEqual(try rows("Drift", part), years.filter { $0["items_with_genre"] as? Int != 0 })
    let fresh = years.flatMap { year in
      (year["new_genres"] as? [String] ?? []).map { ["year": year["year"] as Any, "genre": $0] }
    }
    expectEqual(try rows("New genres", part), fresh)
  }

  @Test func `the documented SQL gives the similarity of kinds as JSON does`() throws {
    for part in Self.parts { try expectKinds(part) }
  }

  private func expectKinds(_ part: Part) throws {
    let pairs = try #require(try object(part.query)["kinds"] as? Rows)
    let sql = try rows("Kinds", part)
    let flat = pairs.flatMap { pair in
      (pair["genres"] as? Rows ?? []).map {
        $0.merging(["kind": pair["kind"] as Any, "other": pair["other"] as Any]) { $1 }
      }
    }
    expectEqual(sql, flat)
    for pair in pairs {
      let sum = sql.filter {
        $0["kind"] as? String == pair["kind"] as? String && $0["other"] as? String == pair["other"] as? String
      }
      .reduce(0) { $0 + (($1["contribution"] as? Double) ?? 0) }
      #expect(try abs(sum - #require(pair["similarity"] as? Double)) < 1e-9)
    }
  }

  @Test func `the documented SQL gives each heat map as JSON does`() throws {
    for part in Self.parts { try expectMatrix(part) }
  }

  private func expectMatrix(_ part: Part) throws {
    let dimensions: [(name: String, query: String, expression: String?)] = [
      ("decade", "By decade", nil), ("kind", "By decade", "kind"),
      ("year-added", "By decade", "CAST(substr(created_at, 1, 4) AS INTEGER) AS year_added"),
      ("rating", "By rating", nil), ("creator", "By creator", nil),
    ]
    for (name, query, expression) in dimensions {
      let key = name.replacing("-", with: "_")
      let cells = try #require(try object(["--by", name] + part.query)["cells"] as? Rows)
      let sql = try rows(query, part) { text in
        guard let expression else { return text }
        return text.replacing("year - (year % 10 + 10) % 10 AS decade", with: expression).replacing("decade", with: key)
      }
      func sorted(_ rows: Rows) -> Rows {
        rows.sorted { "\($0[key] ?? "") \($0["genre"] ?? "")" < "\($1[key] ?? "") \($1["genre"] ?? "")" }
      }
      expectEqual(sorted(sql), sorted(cells))
    }
  }
}

enum SQLiteShell {
  static let path = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/opt/homebrew/bin/sqlite3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
}
