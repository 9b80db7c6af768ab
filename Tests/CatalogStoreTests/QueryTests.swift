import CatalogModel
import CatalogStore
import FoundationEssentials
import TestSupport
import Testing

struct QueryTests {
  /// 2026-11-21T09:30:00Z.
  private static let now = Date(timeIntervalSince1970: 1_795_253_400)

  @Test(arguments: [
    ("blue", Query.Condition.word("blue"), false), ("^blue", .word("blue"), true), ("-blue", .word("blue"), true),
    ("-", .word("-"), false), ("kind:vinyl", .kind(.vinyl), false), ("type:records", .kind(.vinyl), false),
    ("kind:movie,book", .field(.kind, [.equals("movie"), .equals("book")]), false),
    ("genre:Science Fiction", .field(.genres, [.equals("Science Fiction")]), false),
    ("-genre:pop", .field(.genres, [.equals("pop")]), true),
    ("genres:jazz,blues", .field(.genres, [.equals("jazz"), .equals("blues")]), false),
    ("genre:none", .missing(.genres), false), ("^genre:none", .missing(.genres), true),
    ("genre:jazz,none", .field(.genres, [.equals("jazz"), .missing]), false),
    ("has:cover", .present(.cover), false), ("cover:yes", .present(.cover), false),
    ("cover:no", .missing(.cover), false),
    ("year:1959", years(1959...1959), false), ("year:1955..1965", years(1955...1965), false),
    ("YEAR:1955..", years(1955...2200), false), ("year:..-1", years(-3000 ... -1), false),
    ("year:>=1990", years(1990...2200), false), ("year:>1990", years(1991...2200), false),
    ("year:<1990", years(-3000...1989), false), ("year:≤1990", years(-3000...1990), false),
    ("year:1959,1999", .field(.year, [.numbers(1959...1959), .numbers(1999...1999)]), false),
    ("year:none", .missing(.year), false),
    ("rating:4..", .field(.rating, [.numbers(80...100)]), false),
    ("rating:..3", .field(.rating, [.numbers(0...60)]), false),
    ("rating:>=4", .field(.rating, [.numbers(80...100)]), false),
    ("stars:4.5", .field(.rating, [.numbers(90...90)]), false),
    ("rating:8/10..", .field(.rating, [.numbers(80...100)]), false),
    ("rating:none", .missing(.rating), false),
    ("artist:miles davis", .field(.creator, [.contains("miles davis")]), false),
    ("creator:davis,evans", .field(.creator, [.contains("davis"), .contains("evans")]), false),
    // A comma before a blank, in a title or in quotes belongs to the value.
    ("creator:Earth, Wind & Fire", .field(.creator, [.contains("Earth, Wind & Fire")]), false),
    ("creator:\"10,000 Maniacs\"", .field(.creator, [.contains("10,000 Maniacs")]), false),
    ("title:blue,green", .field(.title, [.contains("blue,green")]), false),
    ("title:\"none\"", .field(.title, [.contains("none")]), false),
    ("title:Re:Zero", .field(.title, [.contains("Re:Zero")]), false),
    ("favorite:yes", .isFavorite, false), ("favourite:no", .missing(.favorite), false),
    ("^favorite:no", .missing(.favorite), true), ("is:favorite", .isFavorite, false),
    ("favorite:2026-11", .field(.favorite, [.dates(from: "2026-11", before: "2026-12")]), false),
    ("id:3..5", .field(.id, [.numbers(3...5)]), false),
    ("added:2026", added("2026", "2027"), false), ("added_at:2026-12", added("2026-12", "2027-01"), false),
    ("added:2026-12-31", added("2026-12-31", "2027-01-01"), false),
    ("added:2024-02-28", added("2024-02-28", "2024-02-29"), false),
    ("added:>2026-11", added("2026-12", nil), false), ("added:<=2026-11", added(nil, "2026-12"), false),
    ("added:-2w..", added("2026-11-07", nil), false), ("added:-1m", added("2026-10-21", "2026-10-22"), false),
    ("added:-1y..-1m", added("2025-11-21", "2026-10-22"), false), ("added:..2025", added(nil, "2026"), false),
    ("isbn:89-364-3412-8", .field(field("isbn"), [.contains("9788936434120")]), false),
    ("barcode:0 746", .field(field("barcode"), [.contains("0746")]), false),
    ("pages:500..", .field(field("pages"), [.numbers(500...1_000_000)]), false),
    ("public_rating:>80", .field(field("public_rating"), [.reals(80.0.nextUp ... .greatestFiniteMagnitude)]), false),
    ("published:2014", .field(field("published"), [.dates(from: "2014", before: "2015")]), false),
    ("country:KR,US", .field(field("countries"), [.contains("KR"), .contains("US")]), false),
    // A title may have a colon, too.
    ("http://x", .word("http://x"), false), ("2001:", .word("2001:"), false), ("12:08", .word("12:08"), false),
    ("Mission:", .word("Mission:"), false), ("스타워즈:에피소드", .word("스타워즈:에피소드"), false),
    ("\"Re:Zero\"", .word("Re:Zero"), false), ("-\"Re:Zero\"", .word("Re:Zero"), true),
  ])
  func `a term is read`(_ text: String, _ condition: Query.Condition, _ isNegated: Bool) throws {
    #expect(try Query([text], now: Self.now).terms == [Query.Term(condition, isNegated: isNegated)])
  }

  private static func years(_ years: ClosedRange<Int>) -> Query.Condition { .field(.year, [.numbers(years)]) }

  private static func added(_ from: String?, _ before: String?) -> Query.Condition {
    .field(.added, [.dates(from: from, before: before)])
  }

  private static func field(_ name: String) -> Field { Field.named(name) ?? .id }

  @Test(
    arguments: [
      ("2026-11-21", "-0d", "2026-11-21"), ("2026-11-21", "-1d", "2026-11-20"), ("2026-01-01", "-1d", "2025-12-31"),
      ("2024-03-01", "-1d", "2024-02-29"), ("2026-11-21", "-2w", "2026-11-07"),
      // A month and a year are those of the calendar.
      ("2026-11-21", "-1m", "2026-10-21"), ("2026-11-21", "-0m", "2026-11-21"), ("2026-01-15", "-1m", "2025-12-15"),
      ("2026-12-01", "-12m", "2025-12-01"), ("2026-11-21", "-11m", "2025-12-21"), ("2026-02-10", "-26m", "2023-12-10"),
      // Of a month that has no such day, the last one.
      ("2026-03-31", "-1m", "2026-02-28"), ("2024-03-31", "-1m", "2024-02-29"), ("2026-03-29", "-1m", "2026-02-28"),
      ("2026-05-31", "-1m", "2026-04-30"), ("2026-07-31", "-1m", "2026-06-30"), ("2026-03-31", "-2m", "2026-01-31"),
      ("2024-02-29", "-1y", "2023-02-28"), ("2024-02-29", "-4y", "2020-02-29"), ("2100-03-31", "-1m", "2100-02-28"),
      ("2000-03-30", "-1m", "2000-02-29"), ("2026-11-21", "-1y", "2025-11-21"), ("2025-03-01", "-1y", "2024-03-01"),
      ("2026-11-21", "-2025y", "0001-11-21"),
    ])
  func `the date so long ago is one of the calendar`(_ today: String, _ ago: String, _ day: String) throws {
    // Until the last second of the day.
    for time in ["00:00:00", "23:59:59"] {
      let now = try Date("\(today)T\(time)Z", strategy: .iso8601)
      #expect(
        try Query(["added:\(ago).."], now: now).terms == [Query.Term(Self.added(day, nil))], "at \(time)")
    }
  }

  @Test func `words with blanks are several words`() throws {
    #expect(try Query(["kind of", "blue"], now: Self.now).words == ["kind", "of", "blue"])
    #expect(try Query(["blue", "^red", "kind:book"], now: Self.now).words == ["blue"])
    #expect(try Query(["", "  "], now: Self.now).terms.isEmpty)
    // A value follows its colon at once.
    for title in ["Mission: Impossible", "Country: The Best Of", "title: blue"] {
      #expect(try Query([title], now: Self.now).words == title.split(separator: " ").map(String.init))
    }
  }

  @Test(arguments: [
    ("kind:podcast", "no kind"), ("kind:", "lacks a value"), ("year:19x9", "'19x9' is no year"),
    ("year:99999", "no year"),
    ("year:0", "no year"), ("year:1965..1955", "empty range"), ("year:>2200", "empty range"), ("rating:6", "no rating"),
    ("rating:2.3", "no rating"), ("favorite:maybe", "not understood"), ("is:blue", "not understood"),
    ("has:money", "not understood"),
    ("added:yesterday", "no date"), ("added:2026-13", "no date"), ("added:-99999999d", "no date"),
    ("added:-d", "no date"), ("added:-1q", "no date"), ("added:-2026y", "no date"), ("added:--1m", "no date"),
    ("id:0", "no id"), ("id:x", "no id"), ("id:99999999999999999999", "no id"), ("rating:>5", "empty range"),
    ("id:>9223372036854775807", "no id"), ("id:<1", "empty range"), ("gnre:jazz", "there is no field 'gnre'"),
    ("Re:Zero", "there is no field 're'"), ("has:title", "not understood"),
    ("cover:maybe", "write cover:yes or cover:no"),
    ("pages:many", "'many' is no pages"),
  ])
  func `what is no query is explained`(_ text: String, _ words: String) {
    let problem = #expect(throws: Query.Problem.self) { try Query([text], now: Self.now) }
    #expect(problem?.description.contains(words) ?? false, "\(problem?.description ?? "")")
  }

  @Test func `one text is split at blanks outside of quotes, which stay what they are`() throws {
    #expect(
      try Query(line: "kind:vinyl genre:\"Science Fiction\"  \"Re:Zero\"", now: Self.now)
        == Query(["kind:vinyl", "genre:Science Fiction", "\"Re:Zero\""], now: Self.now))
    for line in ["", "  ", "title:\"blue"] {
      #expect(throws: Query.Problem.self) { try Query(line: line, now: Self.now) }
    }
  }

  @Test(arguments: [UInt64(1), 2, 3, 4]) func `no text makes a query crash`(_ seed: UInt64) {
    let pieces =
      [
        ":", ",", "..", "-", "^", "\"", ">", ">=", "<", "≤", "none", "no", "yes", "4", "4.5", "1959", "-11", "-2w",
        "9223372036854775807",
        "1e400", "nan", " ", "\u{0}", "\u{300}", "가", "🇰🇷", "x", "has:", "is:", "//", "jazz", "movie",
      ] + Field.all.map { $0.word + ":" }
    var random = SplitMix(seed: seed)
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      _ = try? Query(line: text, now: Self.now)
      guard let query = try? Query([text], now: Self.now) else { continue }
      for case .field(.year, let comparisons) in query.terms.map(\.condition) {
        for case .numbers(let years) in comparisons {
          #expect(
            ReleaseYear.range.contains(years.lowerBound) && ReleaseYear.range.contains(years.upperBound), "\(text)")
        }
      }
    }
  }
}
