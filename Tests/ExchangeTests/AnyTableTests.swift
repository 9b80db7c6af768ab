import CatalogModel
import Testing

@testable import Exchange

/// Tests tables of no particular program, and lists.
struct AnyTableTests {
  @Test func `a column of another kind goes into the note`() throws {
    let film = try #require(
      try rows("Title,Director,Cast,Language,Pages\nHeat,Michael Mann,Al Pacino,English,12\n").first?.entry)
    #expect(film.record.movie.language == "en")
    #expect(film.notes == ["Pages: 12"])
    let record = try #require(try rows("Album,Artist,Language,Runtime\nBlue,Joni Mitchell,English,36\n").first?.entry)
    #expect(record.record.kind == .vinyl)
    #expect(record.notes == ["Language: English", "Runtime: 36"])
  }

  @Test func `a rewatch means that there was a time before`() throws {
    let films = try entries(
      "Name,Director,Year,Rating,Rewatch,Watched Date\nA,B C,1999,4,Yes,2017-07-30\nD,E F,1999,3,,2016-01-02\n"
        + "G,H I,1999,3,yes,\n")
    #expect(films.map(\.times.count) == [2, 1, 2])
    #expect(films[0].times.map { $0.endedOn?.description } == [nil, "2017-07-30"] && films[0].notes == [])
  }

  @Test func `of a key that an object has twice no value is lost`() throws {
    let book = try entries(#"[{"title":"A","author":"B C","year":1999,"year":2000}]"#)[0]
    #expect(book.record.year == 1999 && book.notes == ["year (2): 2000"])
  }

  @Test func `the path of a shop is no genre`() throws {
    let books = try entries("제목,저자,장르\n가나,갑을,국내도서>소설/시/희곡>한국소설\n다라,병정,드라마·가족\n")
    #expect(books.map(\.record.labels) == [[], ["드라마", "가족"]])
    #expect(books[0].notes == ["장르: 국내도서>소설/시/희곡>한국소설"])
  }

  @Test func `columns are guessed in several languages`() throws {
    let korean = try rows("제목,감독,연도,평점,본 날짜,메모\n헤어질 결심,박찬욱,2022,4.5,2022. 7. 3.,영화관\n")
    let entry = try #require(korean[0].entry)
    #expect(korean[0].words == "헤어질 결심 (2022)")
    #expect(entry.record.kind == .movie)
    #expect(
      entry.times == [Entry.Time(endedOn: PartialDate("2022-07-03"), opinion: Entry.Opinion(rating: try Rating("4.5")))]
    )
    #expect(entry.notes == ["메모: 영화관"])

    let german = try entries(
      "Titel;Autor;Verlag;Seiten;Bewertung;Gelesen am;Standort\nEmma;Jane Austen;dtv;474;9;02.01.2020;Regal 3\n")
    #expect(german[0].record.kind == .book && german[0].record.book.publisher == "dtv")
    #expect(
      german[0].times.first?.endedOn?.description == "2020-01-02" && german[0].copies.first?.facts.place == "Regal 3")
    #expect(german[0].times.first?.opinion?.rating?.description == "9/10")

    let french = try entries("Titre,Réalisateur,Année\nLa Haine,Mathieu Kassovitz,1995\n")
    #expect(french[0].record.creators == ["Mathieu Kassovitz"])
    let records = try entries("Artist,Album,Label,Media Condition\nAu Pairs,Playing,Human,VG+\n")
    #expect(records[0].record.kind == .vinyl && records[0].record.title == "Playing")
    #expect(records[0].copies.first?.facts.media == .veryGoodPlus)
  }

  @Test func `the rating scale and date order are decided by the whole column`() throws {
    let ratings = try entries("Title,Director,Rating,Date watched\nA,X,4,03/04/2020\nB,Y,87,25/04/2020\n")
    #expect(ratings.map { $0.times.first?.opinion?.rating?.description } == ["4%", "87%"])
    #expect(ratings.map { $0.times.first?.endedOn?.description } == ["2020-04-03", "2020-04-25"])
    // The order of day and month is unknown: the words stay.
    let unknown = try entries("Title,Director,Date watched\nA,X,03/04/2020\n")
    #expect(unknown[0].times.isEmpty && unknown[0].notes == ["Date watched: 03/04/2020"])
  }

  @Test(arguments: [
    ("\"Discworld, Book 13\",", "Discworld #13"), ("Discworld (13),", "Discworld #13"),
    ("Discworld,13", "Discworld #13"),
    ("Discworld #13,13", "Discworld #13"), ("Discworld -- 13,14.0", "Discworld -- 13 #14"), ("Area 51,", "Area 51"),
    ("\"Series name 3, and birds\",", "Series name 3, and birds"),
  ])
  func `a series and its number have one spelling`(cells: String, series: String) throws {
    let book = try entries("Title,Author,Series,Series number\nT,A,\(cells)\n", kind: .book)
    #expect(book[0].record.book.series == series)
  }

  @Test func `an ISBN with a prefix, other hyphens or wide digits is read`() throws {
    let books = try entries(
      "Title,Author,ISBN\nT,A,ISBN-13: 978‐0‐8264‐9752‐9 (pbk.)\nU,A,０８２６４９７５２７\n", kind: .book)
    #expect(books.map { $0.record.book.isbn?.digits13 } == ["9780826497529", "9780826497529"])
  }

  @Test func `the first of two labels is the record's label`() throws {
    let record = try entries("Artist,Album,Label\nA,B,\"EMI, Capitol\"\n")[0].record
    #expect(record.vinyl.label == "EMI")
    #expect(record.recordLabels == ["EMI", "Capitol"])
  }

  @Test func `a mapping sets the use of columns, and --kind the kind of rows`() throws {
    #expect(throws: ImportProblem.self) { try rows("A,B\nHeat,1995\n", mapping: ["C": "title"]) }
    #expect(throws: ImportProblem.self) { try rows("A,B\nHeat,1995\n", mapping: ["A": "nothing"]) }
    let entry = try entries("A,B,C\nHeat,1995,x\n", mapping: ["A": "title", "B": "year", "C": "ignore"], kind: .movie)
    #expect(entry[0].record.title == "Heat" && entry[0].record.year == 1995 && entry[0].notes.isEmpty)
    #expect(try rows("Title,Year\nHeat,1995\n")[0].rejection?.contains("--kind") == true)
    #expect(try rows("Title,Year\nHeat,1995\n", kind: .movie)[0].entry?.record.kind == .movie)
    #expect(try rows("Title,Year,Type\nHeat,1995,Film\n")[0].entry?.record.kind == .movie)
    #expect(
      try rows("Title,Year,Type\nHeat,1995,TV Series\n", kind: .movie)[0].rejection?.contains("TV Series") == true)
    let file = try SmallFile("Title,Year,Director,Mood\nHeat,1995,M,x\n")
    #expect(
      try Import(path: file.path).uses.map(\.becomes) == [.kept("title"), .kept("year"), .kept("director"), .noted])
  }

  @Test func `equal rows get different keys that are the same in each run`() throws {
    let text = "Title,Director\nHeat,M\nheat,m\nAlien,S\n"
    let keys = try rows(text).map(\.key)
    #expect(keys == ["movie|heat|m|", "movie|heat|m|#2", "movie|alien|s|"])
    #expect(try rows(text).map(\.key) == keys)
  }

  @Test func `rows with too few or too many cells are read`() throws {
    let rows = try rows("Title,Director,Year\nHeat\nAlien,Ridley Scott,1979,more,\n,,1979\n")
    #expect(rows.map(\.line) == [2, 3, 4])
    #expect(rows[0].entry?.record.title == "Heat")
    #expect(rows[1].entry?.notes == ["column 4: more"])
    #expect(rows[2].rejection == "the title is missing")
  }

  @Test func `a plain list of titles and codes is read`() throws {
    let rows = try rows(
      "# mine\r\nHeat (1995)\r\n\r\n- Alien, 1979\n3. Se7en\n[x] Dune, Part Two\ntt0113277\n9780141439587\n5016073331724\n",
      kind: .movie)
    #expect(
      rows.map(\.words) == [
        "Heat (1995)", "Alien (1979)", "Se7en", "Dune, Part Two", "tt0113277", "9780141439587", "5016073331724",
      ])
    #expect(rows.map { $0.entry?.record.kind } == [.movie, .movie, .movie, .movie, .movie, .book, .movie])
    #expect(rows.map(\.line) == [2, 4, 5, 6, 7, 8, 9])
    #expect(try ExchangeTests.rows("Heat (1995)\nAlien\n").allSatisfy { $0.rejection != nil })
    #expect(
      try ExchangeTests.rows("Alien, 1979\nHeat, 1995\n", kind: .movie).map(\.words) == ["Alien (1979)", "Heat (1995)"])
  }

  @Test func `a file of several tables uses the columns of each table`() throws {
    let tables = [["title", "year"], ["year", "title"]]
    var format = TableFormat("x", "x", .movie, isOurs: { _ in true }, columns: ["title": .title, "year": .year])
    format.records = .other { _, each in
      for (number, keys) in zip(1..., tables) {
        let row = DelimitedReader.Row(line: number, cells: keys.map { $0 == "year" ? "1995" : "Heat" })
        _ = try each(Cells(row, header: keys, keys: keys))
      }
    }
    var words: [String] = []
    try format.read(InputFile(path: "", shape: .empty)) { row in
      words.append(row.words)
      return true
    }
    #expect(words == ["Heat (1995)", "Heat (1995)"])
  }
}
