import CatalogModel
import FoundationEssentials
import SQLite
import TestSupport
import Testing

@testable import CatalogStore

struct QueryTests {
  /// 2026-11-21T09:30:00Z.
  private static let now = Date(timeIntervalSince1970: 1_795_253_400)

  @Test func `every Korean field name belongs to a field`() {
    for (name, word) in KoreanWords.fields {
      #expect(Field.named(name) != nil, "\(name): \(word)")
      #expect(Field.named(name) == Field.named(word), "\(name): \(word)")
    }
  }

  @Test(arguments: [
    ("blue", Query.Condition.word("blue"), false), ("^blue", .word("blue"), true), ("-blue", .word("blue"), true),
    ("-", .word("-"), false), ("kind:vinyl", .kind(.vinyl), false), ("type:records", .kind(.vinyl), false),
    ("kind:movie,book", .field(.kind, [.equals("movie"), .equals("book")]), false),
    ("genre:Science Fiction", .field(.genres, [.contains("Science Fiction")]), false),
    ("-genre:pop", .field(.genres, [.contains("pop")]), true),
    ("genres:jazz,blues", .field(.genres, [.contains("jazz"), .contains("blues")]), false),
    ("genre:none", .missing(.genres), false), ("^genre:none", .missing(.genres), true),
    ("genre:jazz,none", .field(.genres, [.contains("jazz"), .missing]), false),
    ("has:cover", .present(.cover), false), ("cover:yes", .present(.cover), false),
    ("cover:no", .missing(.cover), false),
    ("year:1959", years(1959...1959), false), ("year:1955..1965", years(1955...1965), false),
    ("YEAR:1955..", years(1955...2200), false), ("year:..-1", years(-3000 ... -1), false),
    ("year:>=1990", years(1990...2200), false), ("year:>1990", years(1991...2200), false),
    ("year:<1990", years(-3000...1989), false), ("year:≤1990", years(-3000...1990), false),
    ("year:1959,1999", .field(.year, [.numbers(1959...1959), .numbers(1999...1999)]), false),
    ("year:none", .missing(.year), false), ("year:any", .present(.year), false),
    ("연도:1950년대", years(1950...1959), false), ("year:1990년대..2000년대", years(1990...2009), false),
    ("년도:1959년", years(1959...1959), false), ("종류:책", .kind(.book), false), ("kind:영화", .kind(.movie), false),
    ("-장르:재즈", .field(.genres, [.contains("재즈")]), true), ("표지:없음", .missing(.cover), false),
    ("상태:\"읽는 중\"", .field(field("status"), [.equals("ongoing")]), false),
    ("추가일:오늘", .field(field("added_at"), [.dates(day("2026-11-21"), day("2026-11-21"))]), false),
    ("본날:\"2024년 5월\"", .field(field("seen"), [.dates(day("2024-05"), day("2024-05"))]), false),
    // A word that is no field is a word of a title.
    ("year:1950s", years(1950...1959), false), ("year:1950s..1970s", years(1950...1979), false),
    ("year:>1950s", years(1960...2200), false), ("year:<1950s", years(-3000...1949), false),
    ("year:-10s", years(-10 ... -1), false), ("year:0s", years(1...9), false), ("year:>-1", years(1...2200), false),
    ("year:=1959", years(1959...1959), false),
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
    ("title:=Blue", .field(.title, [.equals("Blue")]), false),
    ("title:=none", .field(.title, [.equals("none")]), false),
    (
      "creator:=prince,=\"Earth, Wind\",davis",
      .field(.creator, [.equals("prince"), .equals("Earth, Wind"), .contains("davis")]), false
    ),
    ("genre:=rock", .field(.genres, [.equals("rock")]), false),
    (
      "track:\"So What\",\"Blue, in \"\"Green\"",
      .field(field("tracks"), [.contains("So What"), .contains("Blue, in \"Green")]), false
    ),
    ("comment:never gets, old", .field(field("comments"), [.contains("never gets, old")]), false),
    ("seen:2024", .field(field("seen"), [.dates(day("2024"), day("2024"))]), false),
    ("seen:none", .missing(field("seen")), false), ("cast:song", .field(field("cast"), [.contains("song")]), false),
    ("cards:none", .missing(field("cards")), false), ("cards:0", .field(field("cards"), [.numbers(0...0)]), false),
    ("price:..20000KRW", .field(field("price"), [.amounts(0...20_000_000, currency: "KRW")]), false),
    ("price:12.5usd", .field(field("price"), [.amounts(12_500...12_500, currency: "USD")]), false),
    ("구입가:12000원", .field(field("price"), [.amounts(12_000_000...12_000_000, currency: "KRW")]), false),
    (
      "price:₩12,000,5000KRW",
      .field(
        field("price"),
        [
          .amounts(12_000_000...12_000_000, currency: "KRW"), .amounts(5_000_000...5_000_000, currency: "KRW"),
        ]), false
    ),
    ("구입가:1만2천원", .field(field("price"), [.amounts(12_000_000...12_000_000, currency: "KRW")]), false),
    ("price:..2만원", .field(field("price"), [.amounts(0...20_000_000, currency: "KRW")]), false),
    ("price:10..20.05", .field(field("price"), [.amounts(10_000...20_050, currency: nil)]), false),
    ("grade:>=nm", .field(field("grade"), [.grades([.nearMint, .mint])]), false),
    ("grade:VG+,M-", .field(field("grade"), [.grades([.veryGoodPlus]), .grades([.nearMint])]), false),
    ("place:living room", .field(field("place"), [.contains("living room")]), false),
    ("sleeve:\"Not Graded\"", .field(field("sleeve"), [.grades([.notGraded])]), false),
    ("place:K2/3", .field(field("place"), [.contains("K2/3")]), false),
    ("format:12\" single", .field(field("format"), [.contains("12\" single")]), false),
    ("title:Re:Zero", .field(.title, [.contains("Re:Zero")]), false),
    ("favorite:yes", .isFavorite, false), ("favourite:no", .missing(.favorite), false),
    ("^favorite:no", .missing(.favorite), true), ("is:favorite", .isFavorite, false),
    ("favorite:2026-11", .field(.favorite, [.dates(day("2026-11"), day("2026-11"))]), false),
    ("id:3..5", .field(.id, [.numbers(3...5)]), false),
    ("added:2026", added("2026", "2026"), false), ("added_at:2026-12", added("2026-12", "2026-12"), false),
    ("added:2026-12-31", added("2026-12-31", "2026-12-31"), false),
    ("added:2024-02-28", added("2024-02-28", "2024-02-28"), false),
    ("added:>2026-11", added("2026-12", nil), false), ("added:<=2026-11", added(nil, "2026-11"), false),
    ("added:>2024-02-28", added("2024-02-29", nil), false), ("added:<2024-03-01", added(nil, "2024-02-29"), false),
    ("added:<2024", added(nil, "2023"), false), ("added:<2024-01", added(nil, "2023-12"), false),
    ("added:>2024-12-31", added("2025-01-01", nil), false), ("added:today", added("2026-11-21", "2026-11-21"), false),
    ("added:Yesterday", added("2026-11-20", "2026-11-20"), false),
    ("added:..tomorrow", added(nil, "2026-11-22"), false),
    ("added:+1m", added("2026-12-21", "2026-12-21"), false), ("added:2020s", added("2020", "2029"), false),
    ("added:..", added(nil, nil), false),
    ("added:-2w..", added("2026-11-07", nil), false), ("added:-1m", added("2026-10-21", "2026-10-21"), false),
    ("added:-1y..-1m", added("2025-11-21", "2026-10-21"), false), ("added:..2025", added(nil, "2025"), false),
    ("isbn:89-364-3412-8", .field(field("isbn"), [.contains("9788936434120")]), false),
    ("barcode:0 746", .field(field("barcode"), [.contains("0746")]), false),
    ("pages:500..", .field(field("pages"), [.numbers(500...1_000_000)]), false),
    ("public_rating:>80", .field(field("public_rating"), [.reals(80.0.nextUp ... .greatestFiniteMagnitude)]), false),
    ("published:2014", .field(field("published"), [.dates(day("2014"), day("2014"))]), false),
    ("country:KR,US", .field(field("countries"), [.contains("KR"), .contains("US")]), false),
    // A title may have a colon, too.
    ("http://x", .word("http://x"), false), ("2001:", .word("2001:"), false), ("12:08", .word("12:08"), false),
    ("Mission:", .word("Mission:"), false),
    ("\"Re:Zero\"", .word("Re:Zero"), false), ("-\"Re:Zero\"", .word("Re:Zero"), true),
  ])
  func `a query term is parsed and printed again`(
    _ text: String, _ condition: Query.Condition, _ isNegated: Bool
  ) throws {
    let query = try Query([text], now: Self.now)
    #expect(query.condition == (isNegated ? .not(condition) : condition))
    #expect(try Query(query.arguments, now: Self.now) == query, "\(query)")
    #expect(try Query(line: "\(query)", now: Self.now) == query, "\(query)")
  }

  private static func years(_ years: ClosedRange<Int>) -> Query.Condition { .field(.year, [.numbers(years)]) }

  private static func added(_ from: String?, _ to: String?) -> Query.Condition {
    .field(.added, [.dates(from.flatMap(day), to.flatMap(day))])
  }

  private static func day(_ text: String) -> PartialDate? { PartialDate(text) }

  private static func field(_ name: String) -> Field { Field.named(name) ?? .id }

  @Test(
    arguments: [
      ("2026-11-21", "-0d", "2026-11-21"), ("2026-11-21", "-1d", "2026-11-20"), ("2026-01-01", "-1d", "2025-12-31"),
      ("2024-03-01", "-1d", "2024-02-29"), ("2026-11-21", "-2w", "2026-11-07"),
      // A month and a year are those of the calendar.
      ("2026-11-21", "-1m", "2026-10-21"), ("2026-11-21", "-0m", "2026-11-21"), ("2026-01-15", "-1m", "2025-12-15"),
      ("2026-12-01", "-12m", "2025-12-01"), ("2026-11-21", "-11m", "2025-12-21"), ("2026-02-10", "-26m", "2023-12-10"),
      // The last day of a month that has no such day.
      ("2026-03-31", "-1m", "2026-02-28"), ("2024-03-31", "-1m", "2024-02-29"), ("2026-03-29", "-1m", "2026-02-28"),
      ("2026-05-31", "-1m", "2026-04-30"), ("2026-07-31", "-1m", "2026-06-30"), ("2026-03-31", "-2m", "2026-01-31"),
      ("2024-02-29", "-1y", "2023-02-28"), ("2024-02-29", "-4y", "2020-02-29"), ("2100-03-31", "-1m", "2100-02-28"),
      ("2000-03-30", "-1m", "2000-02-29"), ("2026-11-21", "-1y", "2025-11-21"), ("2025-03-01", "-1y", "2024-03-01"),
      ("2026-11-21", "-2025y", "0001-11-21"),
    ])
  func `a relative date is a date of the calendar`(_ today: String, _ ago: String, _ day: String) throws {
    // Until the last second of the day.
    for time in ["00:00:00", "23:59:59"] {
      let now = try Date("\(today)T\(time)Z", strategy: .iso8601)
      #expect(
        try Query(["added:\(ago).."], now: now).condition == Self.added(day, nil), "at \(time)")
    }
  }

  @Test func `an argument with blanks is several words`() throws {
    #expect(try Query(["kind of", "blue"], now: Self.now).words == ["kind", "of", "blue"])
    #expect(try Query(["blue", "^red", "kind:book"], now: Self.now).words == ["blue"])
    #expect(try Query(["", "  "], now: Self.now).isEverything)
    // A value follows its colon at once.
    for title in ["Mission: Impossible", "Country: The Best Of", "title: blue"] {
      #expect(try Query([title], now: Self.now).words == title.split(separator: " ").map(String.init))
    }
  }

  @Test(arguments: [
    ("kind:podcast", "no kind"), ("kind:", "has no value"), ("year:19x9", "invalid year '19x9'"),
    ("year:99999", "invalid year"),
    ("year:0", "invalid year"), ("year:1965..1955", "empty range"), ("year:>2200", "empty range"),
    ("rating:6", "invalid rating"),
    ("rating:2.3", "invalid rating"), ("favorite:maybe", "not understood"), ("is:blue", "not understood"),
    ("has:money", "not understood"),
    ("added:someday", "invalid date"), ("added:2026-13", "invalid date"), ("added:-99999999d", "invalid date"),
    ("added:-d", "invalid date"), ("added:-1q", "invalid date"), ("added:-2026y", "invalid date"),
    ("added:--1m", "invalid date"),
    ("id:0", "invalid id"), ("id:x", "invalid id"), ("id:99999999999999999999", "invalid id"),
    ("rating:>5", "empty range"),
    ("id:>9223372036854775807", "invalid id"), ("id:<1", "empty range"), ("gnre:jazz", "there is no field 'gnre'"),
    ("Re:Zero", "there is no field 're'"), ("has:title", "not understood"),
    ("cover:maybe", "write 'cover:yes' or 'cover:no'"),
    ("스타워즈:제다이", "there is no field '스타워즈'"), ("페이지수량:3", "there is no field"),
    ("pages:many", "invalid pages 'many'"), ("year:1955s", "invalid year"), ("price:5KR", "invalid price"),
    ("price:1.2345", "invalid price"), ("isbn:-", "invalid isbn '-'"), ("barcode:=\"- -\"", "invalid barcode '- -'"),
    ("grade:VG++", "invalid grade 'VG++'"),
    ("grade:>M", "empty range"),
    ("sleeve:>Generic", "invalid sleeve 'Generic' in 'sleeve:>Generic'"),
    ("price:5KRW..6USD", "two currencies"), ("added:2026..2025", "empty range"), ("added:>9999", "empty range"),
    ("title:\"\"", "a value is missing"), ("title:\"x", "closing quote"), ("\"x", "closing quote"),
    ("(x", "closing parenthesis"), ("()", "there is nothing between"), ("(", "there is nothing after"),
    (")", "there is nothing before"),
    ("x )", "no opening parenthesis"), (String(repeating: "(", count: 60) + "x", "nested more than"),
    (String(repeating: "-", count: 60) + "x", "nested more than"),
    (String(repeating: "x ", count: 1_001), "more than 1000"),
  ])
  func `an invalid query is explained`(_ text: String, _ words: String) {
    let problem = #expect(throws: Query.Problem.self) { try Query([text], now: Self.now) }
    #expect(problem?.description.contains(words) ?? false, "\(problem?.description ?? "")")
  }

  @Test func `a query line is split at blanks outside of quotes`() throws {
    #expect(
      try Query(line: "kind:vinyl genre:\"Science Fiction\"  \"Re:Zero\"", now: Self.now)
        == Query(["kind:vinyl", "genre:Science Fiction", "\"Re:Zero\""], now: Self.now))
    // A quote within a word is one of it; a blank ends a value.
    #expect(try Query(line: "title:12\" blue", now: Self.now) == Query(["title:12\"", "blue"], now: Self.now))
    for line in ["", "  ", "title:\"blue", "title: blue"] {
      #expect(throws: Query.Problem.self) { try Query(line: line, now: Self.now) }
    }
  }

  // MARK: The grammar

  /// The tree of a query as a text: `and(a or(b not(c)))`.
  private static func tree(_ condition: Query.Condition) -> String {
    switch condition {
    case .all(let parts): "and(\(parts.map(tree).joined(separator: " ")))"
    case .any(let parts): "or(\(parts.map(tree).joined(separator: " ")))"
    case .not(let part): "not(\(tree(part)))"
    case .word(let word): word
    case .field, .saved: "\(Query(condition))"
    }
  }

  @Test(arguments: [
    ("a b", "and(a b)"), ("a and b", "and(a b)"), ("a or b", "or(a b)"), ("a b or c d", "or(and(a b) and(c d))"),
    ("a and b or c", "or(and(a b) c)"), ("a (b or c)", "and(a or(b c))"), ("((a))", "a"), ("(a b) c", "and(a b c)"),
    ("a or (b or c)", "or(a b c)"), ("a AND b OR c", "or(and(a b) c)"), ("^(a b)", "not(and(a b))"),
    ("-a or ^b", "or(not(a) not(b))"), ("a not b", "and(a not(b))"), ("a and not b or c", "or(and(a not(b)) c)"),
    ("not (a or b)", "not(or(a b))"), ("not kind:book", "not(kind:book)"), ("not \"a b\"", "not(and(a b))"),
    ("not -a", "not(not(a))"), ("^^a", "not(not(a))"), ("(not a) b", "and(not(a) b)"), ("NOT a", "not(a)"),
    // Words of titles: at the beginning, at the end, in quotes, with a capital.
    ("and justice for all", "and(and justice for all)"), ("or else", "and(or else)"),
    ("not fade away", "and(not fade away)"),
    ("ready or not", "or(ready not)"), ("and", "and"), ("not", "not"), ("a or", "and(a or)"), ("a not", "and(a not)"),
    ("(a or) b", "and(a or b)"), ("and and and", "and(and and)"), ("\"do not disturb\"", "and(do not disturb)"),
    ("Pride And Prejudice", "and(Pride And Prejudice)"), ("Not Fade Away", "and(Not Fade Away)"),
    ("a \"or\" b", "and(a or b)"),
    // A value goes on over blanks, up to what can be none of it.
    ("title:pride and prejudice", "title:\"pride and prejudice\""),
    ("genre:jazz or genre:pop", "or(genre:jazz genre:pop)"),
    ("genre:Science Fiction year:1950s", "and(genre:\"Science Fiction\" year:1950..1959)"),
    ("title:this and (a or b)", "and(title:\"this\" or(a b))"),
    ("(title:this or that) b", "and(title:\"this or that\" b)"),
    ("title:Re:Zero or not", "title:\"Re:Zero or not\""), ("kind:book blue", "and(kind:book blue)"),
    ("title:\"a\" b", "and(title:\"a\" b)"), ("creator:davis and -kind:book", "and(creator:davis not(kind:book))"),
    // Parentheses of a title belong to it.
    ("title:(500) days", "title:\"(500) days\""), ("(title:(500) or x)", "title:\"(500) or x\""),
    ("live(1)", "live(1)"),
    ("smile :)", "and(smile :))"), ("(genre:jazz)", "genre:jazz"),
    ("(kind:book)(year:1959)", "and(kind:book year:1959)"),
    ("title:Alien Re:Zero", "title:\"Alien Re:Zero\""), ("(a b)c", "and(a b c)"),
  ])
  func `operators and parentheses bind in their order of precedence`(_ text: String, _ tree: String) throws {
    #expect(Self.tree(try Query([text], now: Self.now).condition) == tree)
  }

  @Test func `several arguments form one query`() throws {
    let query = try Query(["(", "kind:book", "or", "kind:movie)", "not", "genre:Science Fiction"], now: Self.now)
    #expect(Self.tree(query.condition) == "and(or(kind:book kind:movie) not(genre:\"Science Fiction\"))")
    // Each argument keeps its value to itself.
    #expect(
      Self.tree(try Query(["title:this", "that", "title:x or", "y"], now: Self.now).condition)
        == "and(title:\"this\" that title:\"x or\" y)")
    #expect(
      Self.tree(try Query(line: "title:this that (kind:book or x)", now: Self.now).condition)
        == "and(title:\"this\" that or(kind:book x))")
  }

  @Test(arguments: [
    ("pride and prejudice", "pride and prejudice"), ("and justice for all", "and justice for all"),
    ("love or hate year:1990", "love or hate"), ("blue or kind:book", "blue"),
    ("\"do not\" -x disturb", "do not disturb"),
    ("kind:book", ""),
  ])
  func `titles are ranked by the words of the query as typed`(_ text: String, _ phrase: String) throws {
    #expect(try Query([text], now: Self.now).phrase == phrase)
  }

  @Test(arguments: [
    (["kind:vinyl", "year:19x9"], "kind:vinyl year:19x9", 16..<20), (["year:1955..19x9"], "year:1955..19x9", 11..<15),
    (["blue", "(gnre:jazz"], "blue (gnre:jazz", 6..<10), (["a", "(b"], "a (b", 2..<3),
    (["a", "b", ")"], "a b )", 4..<5),
    (["year:1959,x,1960"], "year:1959,x,1960", 10..<11), (["title:\"x y"], "title:\"x y", 6..<10),
    (["kind:"], "kind:", 0..<5), (["has:money"], "has:money", 4..<9), (["한강", "year:한강"], "한강 year:한강", 8..<10),
    (["year:2000..1990"], "year:2000..1990", 5..<15), (["year:\"x\""], "year:\"x\"", 5..<8),
    (["genre:jazz or yaer:1959"], "genre:jazz or yaer:1959", 14..<18),
  ])
  func `a query problem has the position of its cause`(_ words: [String], _ typed: String, _ range: Range<Int>) {
    let problem = #expect(throws: Query.Problem.self) { try Query(words, now: Self.now) }
    #expect(problem?.typed == typed)
    #expect(problem?.range == range)
  }

  @Test(arguments: [UInt64(1), 2, 3, 4]) func `random text crashes no query, and parsed queries print and parse again`(
    _ seed: UInt64
  ) throws {
    let pieces =
      [
        ":", ",", "..", "-", "^", "\"", "\"\"", ">", ">=", "<", "≤", "=", "none", "any", "no", "yes", "4", "4.5",
        "1959", "1950s",
        "-11", "-2w", "today", "9223372036854775807", "20000KRW", "1e400", "nan", " ", " ", " ", "\u{0}", "\u{300}",
        "\r\n", "가",
        "🇰🇷", "x", "has:", "is:", "//", "jazz", "movie", "(", ")", " and ", " or ", " not ", " NOT ", "😀\u{FE0F}",
      ] + Field.all.map { $0.word + ":" }
    let store = try Store.empty()
    var random = SplitMix(seed: seed)
    for round in 0..<2_000 {
      let text = (0..<Int.random(in: 0...9, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      for query in [try? Query(line: text, now: Self.now), try? Query([text], now: Self.now)].compactMap(\.self) {
        #expect((try? Query(query.arguments, now: Self.now)) == query, "\(text.debugDescription): \(query)")
        if !query.isEverything {
          #expect((try? Query(line: "\(query)", now: Self.now)) == query, "\(text.debugDescription): \(query)")
        }
        if round.isMultiple(of: 4) { #expect(try store.count(query) == 0, "\(text.debugDescription)") }
      }
      do { _ = try Query([text], now: Self.now) } catch {
        #expect(error.range.upperBound <= text.unicodeScalars.count)
        #expect(error.range.lowerBound >= 0)
      }
    }
  }

  @Test func `a query with the maximal number of terms and nesting runs`() throws {
    let store = try Store.empty()
    for text in ["x ", "x or ", "-x ", "title:x or "] {
      let line = String(repeating: text, count: Query.mostTerms - 1) + "y"
      #expect(try store.count(Query(line: line, now: Self.now)) == 0)
    }
    let ids = "id:" + (1...Query.mostTerms).map(String.init).joined(separator: ",")
    #expect(try store.count(Query([ids], now: Self.now)) == 0)
    let deep =
      String(repeating: "(a or ", count: Query.mostNested - 1) + "b"
      + String(repeating: ")", count: Query.mostNested - 1)
    #expect(try store.count(Query([deep], now: Self.now)) == 0)
  }

  @Test(arguments: [
    "creator:\"the beatles\"", "creator:\"beatles, the\"", "creator:=\"The Beatles\"", "creator:=\"Beatles, The\"",
    "creator:beatles",
  ])
  func `an artist is one with the article in front and behind, also one kept before`(query: String) throws {
    let store = try Store.empty()
    for (title, name) in [("Help!", "Beatles, The"), ("Revolver", "The Beatles"), ("Wild Life", "Wings")] {
      var record = Record(kind: .vinyl, title: title)
      record.credits = [Credit(name: name, role: .artist)]
      _ = try store.add(record, now: Timestamp(Self.now))
    }
    #expect(try store.count(Query(line: query, now: Self.now)) == 2)
    // As an earlier version kept it.
    try store.db.run("INSERT INTO person (name, external_id) VALUES ('Beatles, The', '')")
    try store.db.run(
      "UPDATE credit SET person_id = (SELECT max(id) FROM person) WHERE item_id = (SELECT min(id) FROM item)")
    _ = try store.refreshIndex()
    #expect(try store.count(Query(line: query, now: Self.now)) == 2)
  }
}
