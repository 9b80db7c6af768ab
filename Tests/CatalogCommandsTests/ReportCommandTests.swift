import CatalogModel
import CommandLineKit
import FoundationEssentials
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct ReportCommandTests {
  let catalog: TestCatalog

  init() throws { catalog = try TestCatalog() }

  private func add(
    _ kind: Kind, _ title: String, by creators: String..., year: Int? = nil, genres: [String] = [], at day: String,
    publicRating: Double? = nil, _ details: Details? = nil
  ) throws -> ItemID {
    var record = Record(kind: kind, title: title, details: details)
    record.credits = creators.map { Credit(name: $0, role: Credit.Role(main: kind)) }
    record.year = year
    record.publicRating = publicRating.map { PublicRating(value: $0) }
    return try catalog.store.add(record, genres: genres, now: Timestamp(rawValue: day + "T12:00:00Z")).id
  }

  private func rate(_ item: ItemID, _ rating: String, at day: String, seen: String? = nil) throws {
    _ = try catalog.store.addCard(
      to: item, rating: Rating(rating), comment: nil, seenOn: seen.flatMap { PartialDate($0) },
      now: Timestamp(rawValue: day + "T13:00:00Z"))
  }

  private func book(_ pages: Int, _ price: Price, _ publisher: String) -> Details {
    var book = Book()
    (book.pages, book.price, book.publisher) = (pages, price, publisher)
    return .book(book)
  }

  private func movie(_ minutes: Int) -> Details {
    var movie = Movie()
    movie.minutes = minutes
    return .movie(movie)
  }

  private func vinyl(_ label: String) -> Details {
    var vinyl = Vinyl()
    vinyl.label = label
    return .vinyl(vinyl)
  }

  /// Adds seven items of three years.
  private func fill() throws {
    let blue = try add(
      .vinyl, "Kind of Blue", by: "Miles Davis", year: 1959, genres: ["Jazz"], at: "2024-06-01", vinyl("Columbia"))
    try rate(blue, "5", at: "2024-06-02")
    try catalog.store.favorite(blue, now: Timestamp(rawValue: "2026-02-01T00:00:00Z"))
    let parasite = try add(
      .movie, "기생충", by: "봉준호", year: 2019, genres: ["Thriller", "Drama"], at: "2025-02-03", publicRating: 85,
      movie(132))
    try rate(parasite, "4.5", at: "2025-02-04", seen: "2025-02")
    let alien = try add(
      .movie, "Alien", by: "Ridley Scott", year: 1979, genres: ["Horror", "Thriller"], at: "2026-01-05",
      publicRating: 82,
      movie(117))
    try rate(alien, "5", at: "2026-01-11", seen: "2026-01-10")
    let boy = try add(
      .book, "소년이 온다", by: "한강", year: 2014, genres: ["Literary Fiction"], at: "2026-03-01",
      book(216, Price(minorUnits: 14_000, currency: "KRW"), "창비"))
    try rate(boy, "4", at: "2026-03-09", seen: "2026")
    _ = try add(
      .book, "Dune", by: "Frank Herbert", year: 1965, genres: ["Science Fiction"], at: "2026-03-02",
      book(412, Price(minorUnits: 1_899, currency: "USD"), "Chilton"))
    let train = try add(
      .vinyl, "Blue Train", by: "John Coltrane", year: 1958, genres: ["Jazz", "Hard Bop"], at: "2026-11-20",
      publicRating: 88, vinyl("Blue Note"))
    try rate(train, "3.5", at: "2026-11-20")
    _ = try add(.vinyl, "Untitled", at: "2026-11-20")
  }

  /// Every report.
  private static let all = [
    ["years"], ["years", "--added"], ["decades"], ["creators"], ["labels"], ["publishers"], ["ratings"], ["shame"],
    ["year"], ["year", "2025"],
  ]

  private func report(_ words: [String]) -> TestCatalog.Run { catalog.run(["--no-pager", "report"] + words) }

  // MARK: As people see it

  @Test(arguments: [60, 80, 120]) func `report decades fits the terminal`(_ width: Int) throws {
    try fill()
    catalog.atTerminal(width: width)
    let run = report(["decades"])
    #expect(run.errors == "")
    #expect(run.status == 0)
    #expect(
      run.output
        == [
          60: """
          Decades    6 items in 4 decades, 1950s to 2010s; the middle
                     one is of the 1960s
          Items      2 movies, 2 books and 3 records
          Ratings    4.40 stars on average, 5 of 7 rated
          Length     628 pages in all 2 books, 4 h 9 min in all 2
                     movies
          Prices     ₩14,000, $18.99 on the covers of all 2 books
          Missing    1 item has no year: catalog list year:none

          Decade       Items                Mean ★   Pages        Time
          1950s            2  ████████████  4.3 (2)
          1960s            1  ██████                   412
          1970s            1  ██████        5.0 (1)         1 h 57 min
          1980s–2000s      –
          2010s            2  ████████████  4.3 (2)    216  2 h 12 min

          """,
          80: """
          Decades    6 items in 4 decades, 1950s to 2010s; the middle one is of the 1960s
          Items      2 movies, 2 books and 3 records
          Ratings    4.40 stars on average, 5 of 7 rated
          Length     628 pages in all 2 books, 4 h 9 min in all 2 movies
          Prices     ₩14,000, $18.99 on the covers of all 2 books
          Missing    1 item has no year: catalog list year:none

          Decade       Items            Mean ★   Movies  Books  Records  Pages        Time
          1950s            2  ████████  4.3 (2)                       2
          1960s            1  ████                           1             412
          1970s            1  ████      5.0 (1)       1                         1 h 57 min
          1980s–2000s      –
          2010s            2  ████████  4.3 (2)       1      1             216  2 h 12 min

          """,
          120: """
          Decades    6 items in 4 decades, 1950s to 2010s; the middle one is of the 1960s
          Items      2 movies, 2 books and 3 records
          Ratings    4.40 stars on average, 5 of 7 rated
          Length     628 pages in all 2 books, 4 h 9 min in all 2 movies
          Prices     ₩14,000, $18.99 on the covers of all 2 books
          Missing    1 item has no year: catalog list year:none

          Decade       Items                                    Mean ★   Movies  Books  Records  Pages        Time   Prices
          1950s            2  ████████████████████████████████  4.3 (2)                       2
          1960s            1  ████████████████                                       1             412               $18.99
          1970s            1  ████████████████                  5.0 (1)       1                         1 h 57 min
          1980s–2000s      –
          2010s            2  ████████████████████████████████  4.3 (2)       1      1             216  2 h 12 min  ₩14,000

          """,
        ][width])
  }

  @Test(arguments: [80]) func `report years --added counts years in UTC`(_ width: Int) throws {
    try fill()
    catalog.atTerminal(width: width)
    let run = report(["years", "--added"])
    #expect(run.errors == "")
    #expect(run.status == 0)
    #expect(
      run.output == """
        Years      7 items in 3 years, 2024 to 2026
        Items      2 movies, 2 books and 3 records
        Ratings    4.40 stars on average, 5 of 7 rated
        Length     628 pages in all 2 books, 4 h 9 min in all 2 movies
        Prices     ₩14,000, $18.99 on the covers of all 2 books

        Year  Items                   Mean ★   Movies  Books  Records  Pages        Time
        2024      1  ███              5.0 (1)                       1
        2025      1  ███              4.5 (1)       1                         2 h 12 min
        2026      5  ███████████████  4.2 (3)       1      2        2    628  1 h 57 min

        """)
  }

  @Test(arguments: [80]) func `report creators shows the years of each creator`(_ width: Int) throws {
    try fill()
    catalog.atTerminal(width: width)
    let run = report(["creators"])
    #expect(run.errors == "")
    #expect(run.status == 0)
    #expect(
      run.output == """
        Creators   6 items by 6 creators
        Items      2 movies, 2 books and 3 records
        Ratings    4.40 stars on average, 5 of 7 rated
        Length     628 pages in all 2 books, 4 h 9 min in all 2 movies
        Prices     ₩14,000, $18.99 on the covers of all 2 books
        Missing    1 item has no creator: catalog list creator:none

        Creator        Items                  Mean ★   Years  Pages        Time   Prices
        Frank Herbert      1  ██████████████           1965     412               $18.99
        John Coltrane      1  ██████████████  3.5 (1)  1958
        Miles Davis        1  ██████████████  5.0 (1)  1959
        Ridley Scott       1  ██████████████  5.0 (1)  1979          1 h 57 min
        봉준호             1  ██████████████  4.5 (1)  2019          2 h 12 min
        한강               1  ██████████████  4.0 (1)  2014     216              ₩14,000

        """)
  }

  @Test(arguments: [60]) func `report labels counts records only`(_ width: Int) throws {
    try fill()
    catalog.atTerminal(width: width)
    let run = report(["labels"])
    #expect(run.errors == "")
    #expect(run.status == 0)
    #expect(
      run.output == """
        Labels     2 records on 2 labels
        Ratings    4.25 stars on average, 2 of 3 rated
        Missing    1 record has no label

        Label      Items                              Mean ★   Years
        Blue Note      1  ██████████████████████████  3.5 (1)  1958
        Columbia       1  ██████████████████████████  5.0 (1)  1959

        These are few records: the numbers mean more with five and
        more.

        """)
  }

  @Test(arguments: [60]) func `report ratings compares the ratings with the public ones`(_ width: Int) throws {
    try fill()
    catalog.atTerminal(width: width)
    let run = report(["ratings"])
    #expect(run.errors == "")
    #expect(run.status == 0)
    #expect(
      run.output == """
        Rated      5 of 7 items; the rest: catalog report shame
        Mean       4.40 stars; the middle rating is 4.50, the spread
                   0.58
        By kind    movies 4.75 (2), books 4.00 (1), vinyl 4.25 (2)

          ★  Items   Share
        5.0      2  40.0 %  ████████████████████████████████
        4.5      1  20.0 %  ████████████████
        4.0      1  20.0 %  ████████████████
        3.5      1  20.0 %  ████████████████
        3.0      0   0.0 %
        2.5      0   0.0 %
        2.0      0   0.0 %
        1.5      0   0.0 %
        1.0      0   0.0 %
        0.5      0   0.0 %
        0.0      0   0.0 %

        Against the public: movies
        You give   4.75 stars where the public gives 4.18: 0.57
                   more, over 2 items
        Apart      0.57 on average, up or down; agreement needs 5
                   items that both have rated

        You like more
        3  Alien — Ridley Scott (1979)  +0.9  5.0 against 4.1
        2  기생충 — 봉준호 (2019)       +0.3  4.5 against 4.3

        Against the public: vinyl
        You give   3.50 stars where the public gives 4.40: 0.90
                   less, over 1 item
        Apart      0.90 on average, up or down; agreement needs 5
                   items that both have rated

        You like less
        6  Blue Train — John Coltrane (1958)  -0.9  3.5 against 4.4

        """)
  }

  @Test(arguments: [80]) func `report shame lists the items without a rating`(_ width: Int) throws {
    try fill()
    catalog.atTerminal(width: width)
    let run = report(["shame"])
    #expect(run.errors == "")
    #expect(run.status == 0)
    #expect(
      run.output == """
        Unrated    2 of 7 items (29 %): 1 book and 1 record
        Waiting    412 pages, $18.99

           Kind   Title     By             Year  Added
        5  book   Dune      Frank Herbert  1965  2026-03-02
        7  vinyl  Untitled                       2026-11-20

        Begin with the first: catalog card add 5 --stars 4

        """)
  }

  @Test(arguments: [60, 80, 120]) func `report year fits the terminal`(_ width: Int) throws {
    try fill()
    catalog.atTerminal(width: width)
    let run = report(["year"])
    #expect(run.errors == "")
    #expect(run.status == 0)
    #expect(
      run.output
        == [
          60: """
          2026 so far  Until 2026-11-21

          You added 1 movie, 2 books and 2 records, 4 more than in
          2025 up to this day.
          Watched, read: 1 movie and 1 book.
          Rated: 1 movie, 1 book and 1 record, 4.17 stars on average.
          Best of all: Alien, with 5 stars.
          216 pages and 1 h 57 min of film in all.

          By month
               Added  Times
          Jan      1      1  ████████████████████████████████
          Feb      0      0
          Mar      2      0
          Apr      0      0
          May      0      0
          Jun      0      0
          Jul      0      0
          Aug      0      0
          Sep      0      0
          Oct      0      0
          Nov      2      0
          1 entry of the diary says 2026 and no month: it counts for
          the year alone.

          Best
          ★★★★★  3  Alien — Ridley Scott (1979)        2026-01-10
          ★★★★   4  소년이 온다 — 한강 (2014)          2026
          ★★★½   6  Blue Train — John Coltrane (1958)  2026-11-20

          First and last
          First added         2026-01-05  3  Alien — Ridley Scott (19…
          Last added          2026-11-20  7  Untitled
          First in the diary  2026-01-10  3  Alien — Ridley Scott (19…
          Last in the diary   2026-01-10  3  Alien — Ridley Scott (19…

          Genres
          Genre             Items   Share                         2025
          Hard Bop              1  33.3 %  ██████████████████    0.0 %
          Horror                1  33.3 %  ██████████████████    0.0 %
          Jazz                  1  33.3 %  ██████████████████    0.0 %
          Literary Fiction      1  33.3 %  ██████████████████    0.0 %
          Thriller              1  33.3 %  ██████████████████  100.0 %
          Too little to tell what is new: 2 of 20 items came before.

          2026 and 2025
                                  2026        2025
          Added                      5           1       +4
            movies                   1           1
            books                    2           0       +2
            records                  2           0       +2
            pages                  628           0     +628
            time            1 h 57 min  2 h 12 min  −15 min
            prices, KRW          14000           0   +14000
            prices, USD          18.99        0.00   +18.99
          Watched, read              2           1       +1
            movies watched           1           1
            books read               1           0       +1
            pages                  216           0     +216
            time            1 h 57 min  2 h 12 min  −15 min
          Rated                      3           1       +2
            mean                  4.17        4.50    −0.33
          Cards                      3           1       +2
          Made a favorite            1           0       +1
          2026 is not over, so 2025 is counted up to 2025-11-21 only.

          2 of 5 items added are not rated:
            catalog report shame added:2026

          """,
          80: """
          2026 so far  Until 2026-11-21

          You added 1 movie, 2 books and 2 records, 4 more than in 2025 up to this day.
          Watched, read: 1 movie and 1 book.
          Rated: 1 movie, 1 book and 1 record, 4.17 stars on average.
          Best of all: Alien, with 5 stars.
          216 pages and 1 h 57 min of film in all.

          By month
               Added  Times
          Jan      1      1  ████████████████████████████████
          Feb      0      0
          Mar      2      0
          Apr      0      0
          May      0      0
          Jun      0      0
          Jul      0      0
          Aug      0      0
          Sep      0      0
          Oct      0      0
          Nov      2      0
          1 entry of the diary says 2026 and no month: it counts for the year alone.

          Best
          ★★★★★  3  Alien — Ridley Scott (1979)        2026-01-10
          ★★★★   4  소년이 온다 — 한강 (2014)          2026
          ★★★½   6  Blue Train — John Coltrane (1958)  2026-11-20

          First and last
          First added         2026-01-05  3  Alien — Ridley Scott (1979)
          Last added          2026-11-20  7  Untitled
          First in the diary  2026-01-10  3  Alien — Ridley Scott (1979)
          Last in the diary   2026-01-10  3  Alien — Ridley Scott (1979)

          Genres
          Genre             Items   Share                                       2025
          Hard Bop              1  33.3 %  ████████████████████████████████    0.0 %
          Horror                1  33.3 %  ████████████████████████████████    0.0 %
          Jazz                  1  33.3 %  ████████████████████████████████    0.0 %
          Literary Fiction      1  33.3 %  ████████████████████████████████    0.0 %
          Thriller              1  33.3 %  ████████████████████████████████  100.0 %
          Too little to tell what is new: 2 of 20 items came before.

          2026 and 2025
                                  2026        2025
          Added                      5           1       +4
            movies                   1           1
            books                    2           0       +2
            records                  2           0       +2
            pages                  628           0     +628
            time            1 h 57 min  2 h 12 min  −15 min
            prices, KRW          14000           0   +14000
            prices, USD          18.99        0.00   +18.99
          Watched, read              2           1       +1
            movies watched           1           1
            books read               1           0       +1
            pages                  216           0     +216
            time            1 h 57 min  2 h 12 min  −15 min
          Rated                      3           1       +2
            mean                  4.17        4.50    −0.33
          Cards                      3           1       +2
          Made a favorite            1           0       +1
          2026 is not over, so 2025 is counted up to 2025-11-21 only.

          2 of 5 items added are not rated: catalog report shame added:2026

          """,
          120: """
          2026 so far  Until 2026-11-21

          You added 1 movie, 2 books and 2 records, 4 more than in 2025 up to this day.
          Watched, read: 1 movie and 1 book.
          Rated: 1 movie, 1 book and 1 record, 4.17 stars on average.
          Best of all: Alien, with 5 stars.
          216 pages and 1 h 57 min of film in all.

          By month
               Added  Times
          Jan      1      1  ████████████████████████████████
          Feb      0      0
          Mar      2      0
          Apr      0      0
          May      0      0
          Jun      0      0
          Jul      0      0
          Aug      0      0
          Sep      0      0
          Oct      0      0
          Nov      2      0
          1 entry of the diary says 2026 and no month: it counts for the year alone.

          Best
          ★★★★★  3  Alien — Ridley Scott (1979)        2026-01-10
          ★★★★   4  소년이 온다 — 한강 (2014)          2026
          ★★★½   6  Blue Train — John Coltrane (1958)  2026-11-20

          First and last
          First added         2026-01-05  3  Alien — Ridley Scott (1979)
          Last added          2026-11-20  7  Untitled
          First in the diary  2026-01-10  3  Alien — Ridley Scott (1979)
          Last in the diary   2026-01-10  3  Alien — Ridley Scott (1979)

          Genres
          Genre             Items   Share                                       2025
          Hard Bop              1  33.3 %  ████████████████████████████████    0.0 %
          Horror                1  33.3 %  ████████████████████████████████    0.0 %
          Jazz                  1  33.3 %  ████████████████████████████████    0.0 %
          Literary Fiction      1  33.3 %  ████████████████████████████████    0.0 %
          Thriller              1  33.3 %  ████████████████████████████████  100.0 %
          Too little to tell what is new: 2 of 20 items came before.

          2026 and 2025
                                  2026        2025
          Added                      5           1       +4
            movies                   1           1
            books                    2           0       +2
            records                  2           0       +2
            pages                  628           0     +628
            time            1 h 57 min  2 h 12 min  −15 min
            prices, KRW          14000           0   +14000
            prices, USD          18.99        0.00   +18.99
          Watched, read              2           1       +1
            movies watched           1           1
            books read               1           0       +1
            pages                  216           0     +216
            time            1 h 57 min  2 h 12 min  −15 min
          Rated                      3           1       +2
            mean                  4.17        4.50    −0.33
          Cards                      3           1       +2
          Made a favorite            1           0       +1
          2026 is not over, so 2025 is counted up to 2025-11-21 only.

          2 of 5 items added are not rated: catalog report shame added:2026

          """,
        ][width])
  }

  @Test(arguments: [80]) func `the report of a past year compares it with the year before`(_ width: Int) throws {
    try fill()
    catalog.atTerminal(width: width)
    let run = report(["year", "2025"])
    #expect(run.errors == "")
    #expect(run.status == 0)
    #expect(
      run.output == """
        2025 in review

        You added 1 movie, as many as in 2024.
        Watched: 1 movie, 4.5 stars.
        2 h 12 min of film in all.

        By month
             Added  Watched
        Jan      0        0
        Feb      1        1  ████████████████████████████████
        Mar      0        0
        Apr      0        0
        May      0        0
        Jun      0        0
        Jul      0        0
        Aug      0        0
        Sep      0        0
        Oct      0        0
        Nov      0        0
        Dec      0        0

        Best
        ★★★★½  2  기생충 — 봉준호 (2019)  2025-02

        First and last
        First added  2025-02-03  2  기생충 — 봉준호 (2019)
        Last added   2025-02-03  2  기생충 — 봉준호 (2019)

        Genres
        Genre     Items    Share                                     2024
        Drama         1  100.0 %  ████████████████████████████████  0.0 %
        Thriller      1  100.0 %  ████████████████████████████████  0.0 %
        Too little to tell what is new: 1 of 20 items came before.

        2025 and 2024
                                2025   2024
        Added                      1      1
          movies                   1      0           +1
          records                  0      1           −1
          time            2 h 12 min  0 min  +2 h 12 min
        Watched                    1      0           +1
          movies watched           1      0           +1
          time            2 h 12 min  0 min  +2 h 12 min
        Rated                      1      1
          mean                  4.50   5.00        −0.50
        Cards                      1      1

        Too few items and entries for the numbers to mean much.

        """)
  }

  // MARK: For programs

  @Test func `reports print rows as CSV and an object with totals as JSON`() throws {
    try fill()
    #expect(
      report(["decades", "kind:book", "--json"]).output == """
        {"items":2,"movies":0,"books":2,"vinyl":0,"rated":1,"mean_rating":80.0,"pages":628,"books_with_pages":2,\
        "minutes":0,"movies_with_minutes":0,"prices":[{"amount":14000,"currency":"KRW"},{"amount":18.99,"currency":"USD"}],"books_with_price":2,\
        "items_without_year":0,"decades":[\
        {"decade":1960,"items":1,"movies":0,"books":1,"vinyl":0,"rated":0,"mean_rating":null,"shrunk_rating":null,\
        "pages":412,"minutes":0,"prices":[{"amount":18.99,"currency":"USD"}]},\
        {"decade":2010,"items":1,"movies":0,"books":1,"vinyl":0,"rated":1,"mean_rating":80.0,"shrunk_rating":80.0,\
        "pages":216,"minutes":0,"prices":[{"amount":14000,"currency":"KRW"}]}]}

        """)
    #expect(
      report(["labels", "--csv"]).output
        == "label,items,movies,books,vinyl,rated,mean_rating,shrunk_rating,pages,minutes,prices,first_year,last_year\r\n"
        + "Blue Note,1,0,0,1,1,70.0,83.63636363636364,0,0,,1958,1958\r\nColumbia,1,0,0,1,1,100.0,86.36363636363636,0,0,,1959,1959\r\n"
    )
    #expect(
      report(["creators", "kind:movie", "--sort", "name"]).output.hasPrefix("Ridley Scott\t1\t1\t0\t0\t1\t100.0\t"))
    #expect(report(["years", "--jsonl", "year:1965"]).output.hasPrefix("{\"year\":1965,\"items\":1,"))
    #expect(
      report(["ratings", "--csv"]).output.hasPrefix("stars,least,most,items,share\r\n0.0,0,4,0,0.0\r\n0.5,5,14,"))
    #expect(
      report(["shame", "--json=id,title"]).output
        == "[{\"id\":5,\"title\":\"Dune\"},{\"id\":7,\"title\":\"Untitled\"}]\n")
    #expect(report(["shame", "--limit", "1"]).output == "5\tbook\tDune\tFrank Herbert\t1965\t2026-03-02T12:00:00Z\n")
    #expect(report(["year", "--csv"]).output.hasPrefix("measure,value,before\r\nadded,5,1\r\nmovies_added,1,1\r\n"))
    #expect(
      report(["year", "2025", "--json=year,best"]).output == """
        {"year":2025,"best":[{"id":2,"item":2,"kind":"movie","title":"기생충","creators":["봉준호"],"year":2019,"done_on":"2025-02",\
        "rating":90,"rating_scale":"half"}]}

        """)
    // In the first years of a catalog every genre is new, and none is listed.
    #expect(report(["year", "2024", "--json=new_genres"]).output == "{\"new_genres\":null}\n")
  }

  @Test func `report creators is sorted by items, rating or name`() throws {
    try fill()
    func names(_ words: String...) -> [Substring] {
      report(["creators"] + words).output.split(separator: "\n").compactMap { $0.split(separator: "\t").first }
    }
    #expect(names() == ["Frank Herbert", "John Coltrane", "Miles Davis", "Ridley Scott", "봉준호", "한강"])
    #expect(names("--sort", "name") == names())
    // The unrated come last.
    #expect(
      names("--sort", "rating") == ["Miles Davis", "Ridley Scott", "봉준호", "한강", "John Coltrane", "Frank Herbert"])
    #expect(names("--sort", "rating", "--top", "2") == ["Miles Davis", "Ridley Scott"])
    catalog.atTerminal()
    #expect(
      report(["creators", "kind:vinyl", "--top", "1", "--sort", "rating"]).output.hasSuffix(
        """
        1 more: catalog report creators --sort rating --top 2 kind:vinyl
        These are few items: the numbers mean more with five and more.

        """))
  }

  @Test func `report year without a number means this year, with the words as a query`() throws {
    try fill()
    #expect(report(["year", "--json=year"]).output == "{\"year\":2026}\n")
    #expect(report(["year", "kind:book", "--csv"]).output.contains("\r\nadded,2,0\r\n"))
    #expect(report(["year", "2026", "kind:book", "--csv"]) == report(["year", "kind:book", "--csv"]))
    #expect(report(["year", "0"]).errors.contains("years go from 1 to 9999"))
    #expect(report(["year", "0"]).status == 2)
    #expect(report(["year", "--json=yaer"]).errors.contains("did you mean 'year'"))
  }

  // MARK: Sense

  @Test(arguments: all) func `a report of an empty catalog hints at search`(_ words: [String]) throws {
    catalog.atTerminal()
    let run = report(words)
    // This one is a listing.
    let status = words == ["shame"] ? 1 : 0
    #expect(run.status == status)
    #expect(run.errors == "")
    #expect(run.output.contains("catalog search dune"))
    catalog.terminal = Terminal()
    let json = report(words + ["--json"])
    #expect(json.status == status)
    #expect(["{", "["].contains(json.output.prefix(1)))
    for word in ["nan", "inf"] { #expect(!json.output.contains(word)) }
  }

  @Test(arguments: [1, 2, 7], all) func `reports of few items without date, rating or genre are complete`(
    _ count: Int, _ words: [String]
  ) throws {
    for number in 0..<count { _ = try add(Kind.shelved[number % 3], "Title", at: "2025-05-01") }
    for isTerminal in [true, false] {
      if isTerminal { catalog.atTerminal() } else { catalog.terminal = Terminal() }
      let run = report(words)
      switch words {
      // Nothing happened in 2026: that is nothing found.
      case ["year"]:
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(run.errors.contains("catalog report years --added"))
      case ["labels"] where count < 3, ["publishers"] where count < 2:
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(run.output.contains("There are no") == isTerminal)
      default: #expect(run.status == 0 && run.errors == "")
      }
      for word in ["nan", "inf", "-0.0"] { #expect(!run.output.contains(word)) }
    }
    catalog.atTerminal()
    let run = report(words)
    switch words {
    case ["years"], ["decades"]:
      #expect(run.output.contains("no year: catalog list year:none"))
      #expect(run.output.contains("None of them has a year"))
      #expect(run.output.contains("Nothing is rated yet: catalog card add"))
    case ["ratings"]: #expect(run.output.contains("rated yet"))
    case ["shame"]: #expect(run.output.contains("\(count) of \(count == 1 ? "1 item" : "\(count) items") (100 %)"))
    case ["years", "--added"]: #expect(run.output.contains("These are few items") == (count < 5))
    default: break
    }
  }

  @Test(arguments: all) func `a report of a query without matches fails and names the query`(_ words: [String]) throws {
    try fill()
    let run = report(words + ["kind:movie", "year:1900"])
    #expect(run.status == 1)
    #expect(run.output == "")
    #expect(run.errors.contains("matches kind:movie year:1900"))
    #expect(report(words + ["year:x"]).status == 2)
  }

  @Test func `report shame with every item rated is an empty list with status 1`() throws {
    let id = try add(.movie, "Alien", at: "2025-05-01")
    try rate(id, "5", at: "2025-05-01")
    catalog.atTerminal()
    #expect(
      report(["shame"]) == .init(output: "The one item is rated. Nothing to be ashamed of.\n", errors: "", status: 1))
    catalog.terminal = Terminal()
    #expect(report(["shame", "--json"]) == .init(output: "[]\n", errors: "", status: 1))
  }

  @Test(arguments: [60, 61, 72, 80, 100, 120, 200], [true, false])
  func `no line is wider than the terminal`(_ width: Int, _ usesUnicode: Bool) throws {
    try fill()
    for number in 0..<14 {
      _ = try add(
        .book, "아주 긴 제목 \(String(repeating: "아주 ", count: 40))",
        by: String(repeating: "긴 이름 ", count: 20) + "\(number)",
        year: 1900 + number * 9, at: "2026-01-01", book(100_000, Price(minorUnits: 1_234_567, currency: "EUR"), "민음사"))
    }
    catalog.atTerminal(width: width)
    catalog.terminal.usesUnicode = usesUnicode
    for words in Self.all {
      let run = report(words)
      #expect(run.status == 0)
      for line in run.output.split(separator: "\n") {
        // A command is to be copied whole.
        #expect(line.cellWidth <= width || line.contains("catalog "), "\(words): \(line)")
        if !usesUnicode { #expect(!line.contains("█") && !line.contains("★") && !line.contains("−")) }
      }
    }
  }

  @Test func `colour in reports is switched on and off`() throws {
    try fill()
    catalog.atTerminal()
    for words in Self.all {
      catalog.terminal.usesColor = false
      let plain = report(words).output
      #expect(!plain.contains("\u{1B}"))
      catalog.terminal.usesColor = true
      #expect(report(words).output.contains("\u{1B}["))
    }
  }

  @Test func `more than ten years are drawn as a timeline`() throws {
    catalog.atTerminal(width: 60)
    for (number, year) in ([1900, 1901, 1901] + Array(1990...1999)).enumerated() {
      _ = try add(.movie, "T\(number)", year: year, at: "2026-01-01")
    }
    let run = report(["years"])
    #expect(run.output.contains("A column is 2 years."))
    #expect(run.output.contains("tallest: 3 (Items, 1900)"))
    #expect(report(["years", "year:1990.."]).output.contains("tallest") == false)
  }

  // MARK: The page

  @Test func `the HTML report escapes titles and has a text for every chart`() throws {
    try fill()
    let bad = "<script>alert('1')</script> \"&\" \u{1B}[31m\u{202E}مرحبا🎷" + String(repeating: " long", count: 60)
    let item = try add(.movie, bad, by: "<b>Bob</b>", at: "2026-05-01")
    try rate(item, "5", at: "2026-05-02")
    let second = try add(.movie, "Other", by: "<b>Bob</b>", at: "2026-05-03")
    try rate(second, "5", at: "2026-05-04")
    let run = report(["year", "2026", "--html", "-"])
    #expect(run.status == 0)
    #expect(run.errors == "")
    let page = run.output
    #expect(page.hasPrefix("<!DOCTYPE html>"))
    #expect(page.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &quot;&amp;&quot;"))
    #expect(!page.contains("<script>alert"))
    #expect(!page.contains("<b>Bob"))
    #expect(!page.contains("\u{1B}"))
    #expect(!page.contains("\u{202E}") && !page.contains("http://") || page.contains("http://www.w3.org/"))
    for words in ["2026 so far", "Alien", "Hard Bop", "Blue Train", "By month", "2026-01-10", "<svg"] {
      #expect(page.contains(words), "\(words)")
    }
    #expect(report(["year", "2025", "--html", "-"]).output.contains("2025 in review"))
  }

  @Test func `report --html writes a file, replaces one with --yes, and excludes --json`() throws {
    try fill()
    let folder = try TemporaryFolder()
    let path = folder.path("2026.html")
    #expect(report(["year", "2026", "--html", path]).output.hasPrefix("wrote "))
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("2026 so far"))
    #expect(report(["year", "--html", path, "--json"]).status == 2)
    // The file exists now, and there is no terminal to ask.
    #expect(report(["year", "--html", path]).status == 2)
    #expect(catalog.run("--yes", "report", "year", "--html", path).status == 0)
    #expect(report(["year", "2019", "--html", path]).status == 1)
  }
}
