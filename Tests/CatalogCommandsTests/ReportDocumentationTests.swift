import CatalogModel
import Foundation
import Processes
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests that the SQL in docs/reports.md, run by the `sqlite3` shell, gives the numbers of `--json`.
struct ReportDocumentationTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "docs/reports.md")
  static let shell = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// A block of SQL, with the name in its first line.
  struct Block: CustomTestStringConvertible, Sendable {
    var name: String
    var sql: String
    var testDescription: String { name }
  }

  static let blocks: [Block] = {
    let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
    return text.components(separatedBy: "```sql\n-- ").dropFirst().map { part in
      let block = part.components(separatedBy: "\n```")[0]
      let lines = block.split(separator: "\n", maxSplits: 1).map(String.init)
      return Block(name: lines[0], sql: lines.count > 1 ? lines[1] : "")
    }
  }()

  static let compared = blocks.filter { $0.name.hasPrefix("catalog ") }

  /// The answer of the SQLite shell to `sql`, with the views of the page.
  /// - Parameter zone: the value of `TZ`.
  private func ask(_ sql: String, of path: String, zone: String = "UTC0") throws -> [[String: Any]] {
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.shell))
    process.arguments = ["-batch", "-bail", "-init", "/dev/null", "-readonly", "-json", path]
    process.environment = ["TZ": zone]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    let views = try #require(Self.blocks.first { $0.name == "first" }).sql
    try input.fileHandleForWriting.write(contentsOf: Data("\(views)\n\(sql)\n".utf8))
    try input.fileHandleForWriting.close()
    let answer = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(sql)")
    guard !answer.isEmpty else { return [] }
    return try #require(try JSONSerialization.jsonObject(with: answer) as? [[String: Any]])
  }

  /// A catalog with all the data that reports use: years, cards dated by the year, other currencies, gaps.
  private func filled(_ path: String, seed: UInt64) throws -> TestCatalog {
    let catalog = try TestCatalog(path: path)
    var random = SplitMix(seed: seed)
    func maybe<T>(_ value: T) -> T? { Int.random(in: 0...3, using: &random) == 0 ? nil : value }
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func pick<T>(_ values: [T]) -> T { values[number(0...values.count - 1)] }
    func date() -> String {
      let day = number(0...3) == 0 ? pick(["01-01", "12-31"]) : "\(pick(["01", "02", "11", "12"]))-\(number(10...28))"
      return "20\(number(24...26))-\(day)"
    }
    func moment(_ day: String) -> Timestamp {
      Timestamp(rawValue: "\(day)T\(pick(["01", "09", "12", "18", "23"])):00:00Z")
    }
    try catalog.store.write {
      for count in 0..<160 {
        var record = Record(kind: pick(Kind.shelved), title: "Title \(count)")
        record.year = maybe(pick([-50, -1, 7, 1959, 1960, 2025, 2026, number(1950...1969)]))
        record.credits = ["한강", "Ann", "Bob"].filter { _ in number(0...2) == 0 }.map {
          Credit(name: $0, role: Credit.Role(main: record.kind))
        }
        record.publicRating = maybe(PublicRating(value: Double(number(0...1000)) / 10))
        switch record.kind {
        case .movie:
          var movie = Movie()
          movie.minutes = maybe(number(60...200))
          record.details = .movie(movie)
        case .book:
          var book = Book()
          book.pages = maybe(number(50...900))
          book.price = maybe(Price(minorUnits: number(0...30_000), currency: pick(["KRW", "USD", "EUR"])))
          book.publisher = maybe(pick(["민음사", "Faber", "FABER", " Faber "]))
          record.details = .book(book)
        default:
          var vinyl = Vinyl()
          vinyl.label = maybe(pick(["Blue Note", "blue note", "Verve"]))
          record.details = .vinyl(vinyl)
        }
        let genres = ["Jazz", "Hard Bop", "Rock", "Fantasy", "Doom Metal"].filter { _ in number(0...3) == 0 }
        let id = try catalog.store.add(record, genres: genres, now: moment(date())).id
        for _ in 0..<number(0...3) {
          _ = try catalog.store.addCard(
            to: id, rating: maybe(Rating(value: number(0...100), scale: .percent)).flatMap(\.self), comment: "words",
            seenOn: maybe(String(date().prefix(pick([4, 7, 10])))).flatMap { PartialDate($0) }, now: moment(date()))
        }
        for _ in 0..<number(0...2) {
          let ended = maybe(String(date().prefix(pick([4, 7, 10])))).flatMap { PartialDate($0) }
          _ = try catalog.store.log(
            Occasion(
              number(0...3) == 0 ? .dropped : .done, endedOn: ended, isUndated: ended == nil,
              rating: maybe(Rating(value: number(0...100), scale: .percent)).flatMap(\.self)),
            of: id, now: moment("2026-12-31"))
        }
        if number(0...5) == 0 { try catalog.store.favorite(id, now: moment(date())) }
      }
      // A genre that is new in 2026.
      for day in ["2026-03-01", "2026-04-01"] {
        let id = try catalog.store.add(
          Record(kind: .vinyl, title: "Title"), genres: ["Bossa Nova"], now: moment(day)
        ).id
        _ = try catalog.store.log(
          Occasion(.done, endedOn: PartialDate(day)), of: id, now: moment("2026-12-31"))
      }
      try catalog.store.remove((1...160).filter { $0 % 17 == 0 }.map { ItemID(rawValue: Int64($0)) })
    }
    return catalog
  }

  @Test(
    .enabled(if: shell != nil, "there is no sqlite3 shell"),
    arguments: [(UInt64(1), "UTC0", 0), (2, "KST-9", 9), (3, "HST10", -10)])
  func `the SQL in reports.md gives the numbers of report --json`(_ seed: UInt64, zone: String, hours: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("catalog.db")
    let catalog = try filled(path, seed: seed)
    catalog.localTime = LocalTime { _ in hours * 3600 }
    #expect(Self.compared.count >= 20)
    for block in Self.compared {
      // `catalog report years --json: years`
      let halves = block.name.split(separator: ":", omittingEmptySubsequences: false)
      let run = catalog.run(halves[0].split(separator: " ").dropFirst().map(String.init))
      #expect(run.status == 0, "\(block.name)")
      #expect(run.errors == "", "\(block.name)")
      var answer = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
      for key in halves[1].split(whereSeparator: { " .".contains($0) }) {
        // The members of all objects of a list, in order.
        if let list = answer as? [[String: Any]] {
          answer = list.compactMap { $0[String(key)] }.flatMap { value in
            value as? [[String: Any]] ?? (value as? [String: Any]).map { [$0] } ?? []
          }
        } else {
          answer = try #require((answer as? [String: Any])?[String(key)], "\(block.name)")
        }
      }
      let rows = try ask(block.sql, of: path, zone: zone)
      let ours = answer as? [[String: Any]] ?? (answer as? [String: Any]).map { [$0] } ?? []
      #expect(rows.count == ours.count, "\(block.name)")
      #expect(!rows.isEmpty, "\(block.name)")
      for (row, own) in zip(rows, ours) {
        for (column, value) in row { expectSame(value, own[column], "\(block.name), \(column)") }
      }
    }
  }

  private func expectSame(_ value: Any, _ own: Any?, _ name: String) {
    if let number = value as? NSNumber {
      let other = (own as? NSNumber)?.doubleValue
      #expect(other != nil, "\(name): \(number), \(own ?? "nothing")")
      #expect(abs(number.doubleValue - (other ?? .nan)) < 1e-9, "\(name): \(number), \(own ?? "nothing")")
    } else if value is NSNull {
      #expect(own is NSNull, "\(name)")
    } else {
      #expect(value as? String == own as? String, "\(name)")
    }
  }

  @Test(.enabled(if: shell != nil, "there is no sqlite3 shell"))
  func `the prices query in reports.md sums each currency as the report does`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("catalog.db")
    let catalog = try filled(path, seed: 4)
    let block = try #require(Self.blocks.first { $0.name == "prices" })
    var expected: [Int: [String]] = [:]
    for row in try ask(block.sql, of: path) {
      let year = try #require(row["year"] as? Int)
      let price = Price(
        minorUnits: try #require(row["minor_units"] as? Int), currency: try #require(row["currency"] as? String))
      expected[year, default: []].append("\(price)")
    }
    let answer = try JSONSerialization.jsonObject(with: Data(catalog.run("report", "years", "--json").output.utf8))
    for row in try #require((answer as? [String: Any])?["years"] as? [[String: Any]]) {
      let prices = (row["prices"] as? [[String: Any]] ?? []).compactMap { price in
        Price(
          amount: (price["amount"] as? NSNumber)?.doubleValue ?? -1, currency: price["currency"] as? String ?? "")
      }
      #expect(prices.map(\.description) == expected[try #require(row["year"] as? Int)] ?? [])
    }
    #expect(!expected.isEmpty)
  }
}
