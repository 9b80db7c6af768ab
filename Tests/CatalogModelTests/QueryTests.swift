import CatalogModel
import FoundationEssentials
import Testing

struct QueryTests {
  /// 2026-11-21T09:30:00Z.
  private static let now = Date(timeIntervalSince1970: 1_795_253_400)

  @Test(arguments: [
    ("blue", Query.Condition.word("blue"), false), ("^blue", .word("blue"), true), ("-blue", .word("blue"), true),
    ("-", .word("-"), false), ("kind:vinyl", .kind(.vinyl), false), ("type:records", .kind(.vinyl), false),
    ("genre:Science Fiction", .genre("Science Fiction"), false), ("-genre:pop", .genre("pop"), true),
    ("genre:none", .missing(.genre), false), ("^genre:none", .missing(.genre), true),
    ("has:cover", .present(.cover), false),
    ("year:1959", .year(1959...1959), false), ("year:1955..1965", .year(1955...1965), false),
    ("year:1955..", .year(1955...2200), false), ("year:..-1", .year(-3000 ... -1), false),
    ("year:>=1990", .year(1990...2200), false), ("year:>1990", .year(1991...2200), false),
    ("year:<1990", .year(-3000...1989), false), ("year:≤1990", .year(-3000...1990), false),
    ("year:none", .missing(.year), false),
    ("rating:>=4", .rating(80...100), false), ("stars:4.5", .rating(90...90), false),
    ("rating:8/10..", .rating(80...100), false),
    ("rating:none", .missing(.rating), false), ("artist:miles davis", .creator("miles davis"), false),
    ("title:blue", .title("blue"), false), ("favorite:yes", .isFavorite, false), ("favourite:no", .isFavorite, true),
    ("^favorite:no", .isFavorite, false), ("is:favorite", .isFavorite, false), ("id:3..5", .id(3...5), false),
    ("added:2026", .added(from: "2026", before: "2027"), false),
    ("added:2026-12", .added(from: "2026-12", before: "2027-01"), false),
    ("added:2026-12-31", .added(from: "2026-12-31", before: "2027-01-01"), false),
    ("added:2024-02-28", .added(from: "2024-02-28", before: "2024-02-29"), false),
    ("added:-2w..", .added(from: "2026-11-07", before: nil), false),
    ("added:-1m", .added(from: "2026-10-21", before: "2026-10-22"), false),
    ("added:-1y..-1m", .added(from: "2025-11-21", before: "2026-10-22"), false),
    ("added:..2025", .added(from: nil, before: "2026"), false),
    ("http://x", .word("http://x"), false), ("2001:", .word("2001:"), false),
  ])
  func `a term is read`(_ text: String, _ condition: Query.Condition, _ isNegated: Bool) throws {
    #expect(try Query([text], now: Self.now).terms == [Query.Term(condition, isNegated: isNegated)])
  }

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
        try Query(["added:\(ago).."], now: now).terms == [Query.Term(.added(from: day, before: nil))], "at \(time)")
    }
  }

  @Test func `words with blanks are several words`() throws {
    #expect(try Query(["kind of", "blue"], now: Self.now).words == ["kind", "of", "blue"])
    #expect(try Query(["blue", "^red", "kind:book"], now: Self.now).words == ["blue"])
    #expect(try Query(["", "  "], now: Self.now).terms.isEmpty)
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
    ("id:>9223372036854775807", "no id"), ("id:<1", "empty range"),
  ])
  func `what is no query is explained`(_ text: String, _ words: String) {
    let problem = #expect(throws: Query.Problem.self) { try Query([text], now: Self.now) }
    #expect(problem?.description.contains(words) ?? false, "\(problem?.description ?? "")")
  }
}
