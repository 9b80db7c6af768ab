import CatalogModel
import Testing

@testable import Exchange

/// Tests exports as services write them, which differ from their descriptions.
struct ServiceTests {
  @Test func `RateYourMusic blanks before reviews and HTML entities are read`() throws {
    let records = try entries(
      #"""
      RYM Album, First Name,Last Name,First Name localized, Last Name localized,Title,Release_Date,Rating,Ownership,Purchase Date,Media Type,Review
      "1","","Foo &amp; Bar","","","The Moon &amp; the Sea","2002","7","n","","",  ""
      "2","","파란밴드","","Paranband","&#34;Awaken!&#34;","2003","9","o","2005-06-07","LP",  "She said ""yes"", twice"
      """#)
    #expect(records.map(\.record.title) == ["The Moon & the Sea", "\"Awaken!\""])
    #expect(records.map(\.record.creators) == [["Foo & Bar"], ["파란밴드"]] && records[1].notes == ["Artist: Paranband"])
    #expect(records.map { $0.opinions.first?.comment } == [nil, "She said \"yes\", twice"])
  }

  @Test func `the medium of a LibraryThing row decides its kind`() throws {
    func thing(_ media: String) throws -> Entry {
      let header =
        "Book Id\tTitle\tPrimary Author\tPrimary Author Role\tSecondary Author\tSecondary Author Role\tPublication\tDate\tMedia\tCollections\tWork id"
      return try entries(
        "\(header)\n1\tT\tRoe, Jane & Bloggs, Joe\t\tKing, Martin Luther, Jr.\tTranslator\tTiny (1999)\t1999\t\(media)\tYour library\t9\n"
      )[0]
    }
    let book = try thing("Paperback").record
    #expect(book.kind == .book)
    #expect(book.creators == ["Jane Roe", "Joe Bloggs"])
    #expect(book.credits.last == Credit(name: "Martin Luther King, Jr.", role: .translator))
    let film = try thing("DVD")
    #expect(film.record.kind == .movie)
    #expect(film.record.year == 1999)
    #expect(film.notes == ["Publisher: Tiny"])
    let record = try thing("Vinyl record").record
    #expect(record.kind == .vinyl)
    #expect(record.vinyl.label == "Tiny")
    #expect(try thing("Audiobook (CD)").record.kind == .book)
  }

  @Test func `an IMDb export from before 2017 is read`() throws {
    let film = try entries(
      #"""
      "position","const","created","modified","description","Title","Title type","Directors","You rated","IMDb Rating","Runtime (mins)","Year","Genres","Num. Votes","Release Date (month/day/year)","URL"
      "1","tt9999903","Fri Feb 15 22:45:23 2013","","a word","An Invented Film","Feature Film","Jane Roe","8","7.7","100","1998","drama","15","1998-02-27","http://www.imdb.com/title/tt9999903/"
      """#)[0]
    #expect(film.addedOn?.description == "2013-02-15")
    #expect(film.record.released?.description == "1998-02-27")
    let opinion = film.times.first?.opinion
    #expect(opinion?.rating?.description == "8/10")
    #expect(opinion?.comment == "a word")
    #expect(film.notes == [])
  }

  @Test func `a release date of another year goes into the note`() throws {
    let row = try rows("Title,Director,Year,Release Date\nF,X,2005,2006-03-29\n")[0]
    #expect(row.entry?.record.year == 2005)
    #expect(row.entry?.record.released == nil)
    #expect(row.entry?.notes == ["Released: 2006-03-29"])
    #expect(row.remarks.count == 1)
  }

  @Test func `Trakt lists keep their names, and a single list is no wish list`() throws {
    let movie = #""type":"movie","movie":{"title":"Heat","year":1995,"ids":{"trakt":5}}"#
    let listed = #"[{"rank":2,"listed_at":"2024-03-01T10:00:00.000Z",\#(movie)}]"#
    let archive = try SmallFile(zip: [
      "lists-list-99-rainy-days.json": listed,
      "lists-lists.json": #"[{"name":"Rainy Days","ids":{"slug":"rainy-days","trakt":99}}]"#,
      "ratings-movies.json": #"[{"rated_at":"2023-06-02T12:00:00.000Z","rating":8,\#(movie)}]"#,
      "watched-movies.json": #"[{"plays":1,"last_watched_at":"2023-06-01T12:00:00.000Z",\#(movie)}]"#,
    ])
    let file = try Import(path: archive.path)
    #expect(try file.all().compactMap { $0.entry?.piles.first } == [Entry.PilePlace("Rainy Days", position: 2)])
    #expect(file.uses.contains(ColumnUse("lists-lists.json", .kept("names of the lists"))))
    let alone = try rows(listed, name: "projector.json")[0].entry
    #expect(alone?.wish == nil)
    #expect(alone?.piles == [Entry.PilePlace("projector", position: 2)])
    #expect(try rows(listed, name: "my-watchlist.json")[0].entry?.wish != nil)
  }

  @Test func `a Letterboxd list may lack its first line or all of its text`() throws {
    let list = """

      Date,Name,Tags,URL,Description
      2020-10-19,My List,owned,https://boxd.it/e,A description

      Position,Name,Year,URL,Description
      1,An Invented Film,2023,https://boxd.it/c,first
      """
    let rows = try rows(list)
    #expect(rows.map { $0.entry?.piles } == [[Entry.PilePlace("My List", position: 1)]])
    let archive = try SmallFile(zip: [
      "watched.csv": "Date,Name,Year,Letterboxd URI\n", "watchlist.csv": "Date,Name,Year,Letterboxd URI\n",
      "lists/a.csv": list, "lists/b.csv": String(repeating: "\0", count: 300),
    ])
    let file = try Import(path: archive.path)
    let all = try file.all()
    #expect(all.compactMap { $0.entry?.piles.first?.pile } == ["My List"])
    #expect(all.compactMap(\.rejection) == ["the file is damaged: it holds no text"])
    #expect(file.uses.last?.becomes == .left("a list has a name and an order, and nothing else"))
  }

  @Test func `two films with the same name and year are distinguished by their Letterboxd addresses`() throws {
    let ratings = try rows(
      "Date,Name,Year,Letterboxd URI,Rating\n2021-01-06,Enemy,2013,https://boxd.it/5pk8,4\n2021-01-07,Enemy,2013,https://boxd.it/yyy8,1\n"
    )
    #expect(
      ratings.map { $0.entry?.opinions.first?.rating?.value ?? $0.entry?.times.first?.opinion?.rating?.value } == [
        80, 20,
      ])
    #expect(ratings.map { $0.entry?.times.first?.opinion?.day?.description } == ["2021-01-06", "2021-01-07"])
  }

  @Test func `each row of a Letterboxd import table is a viewing`() throws {
    let film = try entries(
      "tmdbID,imdbID,Title,Year,Directors,Rating,WatchedDate,Rewatch,Tags,Review\n,,F,2019,Jane Roe,,,,,\n")[0]
    #expect(film.times == [Entry.Time()])
  }

  @Test func `BookWyrm shelves keep their names, and Openreads tags are split at bars`() throws {
    let header = "title,author_text,remote_id,isbn_13,shelf,shelf_name,review_content,review_published"
    let book = try entries("\(header)\nT,A B,https://x.y/1,,cooking-9,Cooking,good,2022-11-10\n")[0]
    #expect(book.piles.map(\.pile) == ["Cooking"])
    #expect(book.opinions.first?.day?.description == "2022-11-10")
    let open = try entries(
      "title,author,status,readings,book_format,tags\nT,\"Smith, Mark\",finished,,paperback,\"a|||||b, c\"\n")[0]
    #expect(open.tags == ["a", "b, c"])
    #expect(open.record.creators == ["Mark Smith"])
  }

  @Test func `a BookWyrm account export is read as its books`() throws {
    let book = #"""
      {"edition":{"id":"https://x.y/book/1","type":"Edition","title":"Like a State","subtitle":"How","isbn13":"9780306406157","pages":445,"languages":["English"],"publishedDate":"1998-03-30T00:00:00Z"},
       "authors":[{"name":"Jane Roe"}],"shelves":[{"name":"Read"},{"name":"To Read"},{"name":"Cooking"}],
       "lists":[{"name":"mine","list_item":{"order":2,"notes":"fun"}}],
       "readthroughs":[{"id":1,"start_date":"2018-01-01T00:00:00Z","finish_date":"2023-08-13T00:00:00Z","stopped_date":null}],
       "reviews":[{"name":"great","content":"<p>I like it</p>","rating":4.5,"published":"2023-08-14T04:09:18Z"}],"comments":[],"quotations":[]}
      """#
    let text =
      #"{"type":"Person","name":"Rat","icon":{"url":"a.png"},"settings":{"show_goal":false},"goals":[{"goal":12,"year":2023}],"books":[\#(book)],"follows":[]}"#
    let entry = try entries(text)[0]
    #expect(entry.record.title == "Like a State: How")
    #expect(entry.record.creators == ["Jane Roe"])
    #expect(entry.times.map { $0.startedOn?.description } == ["2018-01-01"])
    #expect(entry.wish == nil)
    #expect(entry.times[0].opinion?.comment == "great\n\nI like it" && entry.times[0].opinion?.rating?.value == 90)
    #expect(entry.piles == [Entry.PilePlace("Cooking"), Entry.PilePlace("mine", position: 2)])
  }

  @Test func `a Data Crow 4 export has its creators from lists`() throws {
    let text = """
      <data-crow-objects><book><title>1632</title><authors><author><name>Eric Flint</name></author></authors>
      <authors-list>Eric Flint</authors-list><publishers-list>Baen</publishers-list><series>Ring of Fire</series>
      <state>Read</state></book><movie><title>A Film</title><directors-list>Jane Roe</directors-list><playlength>2:13:00</playlength>
      <seen>true</seen></movie></data-crow-objects>
      """
    let things = try entries(text)
    #expect(things[0].record.creators == ["Eric Flint"] && things[0].record.book.publisher == "Baen")
    #expect(
      things[0].record.book.series == "Ring of Fire" && things[0].times == [Entry.Time()] && things[0].notes == [])
    #expect(things[1].record.creators == ["Jane Roe"] && things[1].record.movie.minutes == 133)
    #expect(things[1].times == [Entry.Time()])
  }

  @Test func `unknown Calibre identifiers go into the note`() throws {
    let book = try entries(
      "author_sort,authors,title,title_sort,identifiers,rating,uuid\nR,J R,A,A,\"mobi-asin:B01,isbn:9780306406157\",8,1\n"
    )[0]
    #expect(book.notes == ["Identifier: mobi-asin:B01"])
    #expect(book.record.book.isbn != nil)
    #expect(book.times.isEmpty)
    #expect(book.opinions.first?.rating?.description == "8/10")
  }

  @Test func `the catalog's own list export is imported unchanged`() throws {
    let text = """
      id,item,kind,title,creators,year,rating,rating_scale,favorite_at,tags,seen_on,times,note,cards,added_at,updated_at,has_cover,external_ids
      1,1,movie,Bad Film,"Ann Other; Penman, Sharon",2001,10,half,2026-01-01T00:00:00Z,"a, b; c",2020-05-01,1,a word,1,2020-01-01T00:00:00Z,2026-01-01T00:00:00Z,false,imdb:tt0113277
      """
    let entry = try entries(text)[0]
    #expect(try opened(text) { $0.formatID } == "catalog-list")
    #expect(entry.record.creators == ["Ann Other", "Penman, Sharon"])
    #expect(entry.tags == ["a, b", "c"])
    #expect(entry.times.first?.opinion?.rating == Rating(value: 10, scale: .half))
    #expect(entry.isFavorite)
    #expect(entry.notes == ["a word"])
    #expect(entry.addedOn?.description == "2020-01-01")
    #expect(entry.times.map { $0.endedOn?.description } == ["2020-05-01"])
  }
}
