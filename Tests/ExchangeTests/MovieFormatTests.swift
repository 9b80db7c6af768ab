import CatalogModel
import Testing

@testable import Exchange

struct MovieFormatTests {
  @Test func `IMDb exports keep only movies, in any language of the title type`() throws {
    let header =
      "Const,Your Rating,Date Rated,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,Release Date,Directors\n"
    let rows = try ExchangeTests.rows(
      header + """
        tt0113277,9,2024-03-15,Heat,Heat,https://www.imdb.com/title/tt0113277/,Film,8.3,170,1995,"Crime, Drama",1,1995-12-15,Michael Mann
        tt0903747,10,2024-06-01,Some Series,Some Series,,TV Series,9.5,49,2008,Crime,1,2008-01-20,
        tt0903748,10,2024-06-01,Eine Serie,Eine Serie,,Serie TV,9.5,49,2008,Crime,1,2008-01-20,
        tt0903749,10,2024-06-01,Old,Old,,tvSeries,9.5,49,2008,Crime,1,2008-01-20,
        tt0903750,10,2024-06-01,Part,Part,,Episodio TV,9.5,49,2008,Crime,1,2008-01-20,
        """)
    #expect(rows.map { $0.rejection == nil } == [true, false, false, false, false])
    let heat = try #require(rows[0].entry)
    let opinion = Entry.Opinion(rating: try Rating("9/10"), day: PartialDate("2024-03-15"))
    #expect(heat.times == [Entry.Time(opinion: opinion)])
    #expect(heat.record.movie.minutes == 170)
    #expect(heat.record.released?.description == "1995-12-15")
    #expect(heat.record.externalIDs == [ExternalID(source: "imdb", value: "tt0113277")])
    #expect(heat.addedOn != nil)

    let list = try self.list(
      """
      Position,Const,Created,Modified,Description,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,Release Date,Directors,Your Rating,Date Rated
      1,tt0113277,2020-01-01,2020-01-01,loud,Heat,Heat,,Movie,8.3,170,1995,Crime,1,1995-12-15,Michael Mann,,
      """)
    #expect(list.piles == [Entry.PilePlace("IMDb", position: 1)])
    #expect(list.times.isEmpty)
    #expect(list.opinions.map(\.comment) == ["loud"])
  }

  private func list(_ text: String) throws -> Entry { try #require(try entries(text).first) }

  @Test func `exports of TMDB and Trakt are read`() throws {
    let tmdb = try rows(
      """
      TMDb ID,IMDb ID,Type,Name,Release Date,Season Number,Episode Number,Rating,Your Rating,Date Rated
      949,tt0113277,movie,Heat,1995-12-15T00:00:00Z,,,7.9,8,2023-05-02T09:29:50Z
      1,tt0000001,tv,Series S1E1,1994-09-22T00:00:00Z,1,1,6.9,8,2023-01-07T16:35:52Z
      """)
    #expect(tmdb[0].entry?.record.externalIDs.map(\.description) == ["tmdb:949", "imdb:tt0113277"])
    #expect(tmdb[0].entry?.times.first?.opinion?.rating?.description == "8/10")
    #expect(tmdb[1].rejection != nil)

    let trakt = try rows(
      """
      [{"rated_at":"2020-01-02T10:00:00.000Z","rating":8,"type":"movie","movie":{"title":"Heat","year":1995,"ids":{"trakt":5,"slug":"heat","imdb":"tt0113277","tmdb":949}}},
       {"rated_at":"2020-01-02T10:00:00.000Z","rating":8,"type":"show","show":{"title":"Series","year":1995,"ids":{"trakt":6}}}]
      """)
    #expect(trakt[0].entry?.times.first?.opinion?.rating?.description == "8/10")
    #expect(trakt[0].entry?.notes == [] && trakt[1].rejection != nil)
    let watched = try entries(
      #"[{"plays":3,"last_watched_at":"2020-01-02T10:00:00.000Z","movie":{"title":"Heat","year":1995,"ids":{"trakt":5}}}]"#
    )
    #expect(watched[0].times.map(\.endedOn?.description) == [nil, nil, "2020-01-02"])
    let wished = try entries(
      #"[{"listed_at":"2020-01-02T10:00:00.000Z","type":"movie","movie":{"title":"Heat","year":1995,"ids":{"trakt":5}}}]"#
    )
    #expect(wished[0].wish != nil && wished[0].addedOn?.description == "2020-01-02")
  }

  @Test(arguments: ["", "me/"]) func `the current and the old archive of Trakt are read`(folder: String) throws {
    func movie(_ title: String, _ id: Int) -> String {
      #""type":"movie","movie":{"title":"\#(title)","year":1995,"ids":{"trakt":\#(id),"tmdb":9\#(id),"plex":{"guid":"5d"}}}"#
    }
    let (heat, casino) = (movie("Heat", 1), movie("Casino", 2))
    let isOld = !folder.isEmpty
    func name(_ part: String, _ file: String) -> String { "\(folder)\(isOld ? part + "/" : "")\(file).json" }
    let archive = try SmallFile(zip: [
      name("watched", isOld ? "history-1" : "watched-history-1"):
        #"[{"id":11,"watched_at":"2026-08-21T06:41:00.000Z","action":"watch",\#(heat)},"#
        + #"{"id":12,"watched_at":"2026-07-21T19:19:00.000Z","type":"episode","episode":{"number":1},"show":{"title":"Show"}}]"#,
      name("watched", isOld ? "history-2" : "watched-history-2"):
        #"[{"id":13,"watched_at":"2020-01-01T00:00:00.000Z",\#(heat)}]"#,
      name("watched", "watched-movies"): #"[{"plays":2,"last_watched_at":"2026-08-21T06:41:00.000Z",\#(heat)}]"#,
      name("ratings", "ratings-movies"): #"[{"rated_at":"2026-06-30T19:55:52.000Z","rating":9,\#(heat)}]"#,
      name("ratings", "ratings-shows"): #"[{"rating":9,"type":"show","show":{"title":"Show"}}]"#,
      name("collection", "collection-movies-1"): #"[{"collected_at":"2021-01-04T14:02:03.000Z",\#(heat)}]"#,
      name("comments", "comments-movies"):
        #"[{\#(heat),"comment":{"id":5,"comment":"Loud.","spoiler":false,"likes":3}}]"#,
      name("lists", isOld ? "watchlist" : "lists-watchlist"):
        #"[{"id":1,"rank":1,"listed_at":"2026-01-04T14:02:03.000Z",\#(casino)}]"#,
      name("lists", isOld ? "favorites" : "lists-favorites"): #"[{"id":2,"rank":1,"listed_at":"2026-01-04",\#(heat)}]"#,
      name("lists", isOld ? "top-10" : "lists-top-10"): #"[{"id":3,"rank":2,"listed_at":"2026-01-04",\#(heat)}]"#,
      "\(folder)user-profile.json": #"{"username":"me"}"#,
    ])
    let others = try SmallFile(zip: ["lists/a.json": "[]", "lists/b.json": "[]", "watchlist.json": "[]"])
    #expect(throws: ImportProblem.self) { try Import(path: others.path) }
    let file = try Import(path: archive.path)
    let rows = try file.all()
    let keys = ["1 11", "1 13", "1", "1 collected", "1 comment", "2 1 listed", "1 2 favorite", "1 3 top-10"]
    #expect(file.formatID == "trakt")
    #expect(rows.filter { $0.entry != nil }.map(\.key) == keys)
    #expect(rows[1].rejection == "it is a series or an episode: the catalog keeps movies" && rows[1].words == "Show")
    // The folder that holds all is no part of a name.
    let member = name("watched", isOld ? "history-1" : "watched-history-1").dropFirst(folder.count)
    #expect(rows[1].line == 2 && rows[1].member == String(member))
    let entries = rows.compactMap(\.entry)
    #expect(entries.prefix(2).flatMap(\.times).map(\.endedOn?.description) == ["2026-08-21", "2020-01-01"])
    #expect(entries[2].times.first?.opinion?.rating?.value == 90 && entries[3].copies.count == 1)
    #expect(entries[4].opinions.map(\.comment) == ["Loud."] && entries[5].wish != nil && entries[5].piles.isEmpty)
    #expect(entries[6].isFavorite && entries[6].wish == nil)
    #expect(entries[7].piles == [Entry.PilePlace("top-10", position: 2)] && entries[7].wish == nil)
    #expect(entries.allSatisfy { $0.notes.isEmpty })
    #expect(file.uses.count { $0.becomes == .left("it is not for a catalog, or is also in another part") } == 3)
  }

  @Test func `exports of MovieLens, Yamtrack and NeoDB are read`() throws {
    let lens = try entries(
      "movie_id,imdb_id,tmdb_id,rating,average_rating,title\n1,0113277,949,4.5,4.1,\"Matrix, The (1999)\"\n")
    #expect(lens[0].record.title == "The Matrix" && lens[0].record.year == 1999)
    #expect(lens[0].record.externalIDs.map(\.description) == ["movielens:1", "imdb:tt0113277", "tmdb:949"])
    let yam = try rows(
      """
      media_id,source,media_type,title,image,season_number,episode_number,score,status,notes,start_date,end_date,progress,created_at,progressed_at
      949,tmdb,movie,Heat,http://x/y.jpg,,,8.5,Completed,with A.,,2020-01-02 00:00:00+00:00,1,2020-01-01,
      1,tmdb,tv,Series,,,,8,Completed,,,,1,,
      OL1M,openlibrary,book,Emma,,,,,Planning,,,,,,
      10\u{4}4,tmdb,movie,Casino,,,,,Planning,,,,,,
      """)
    #expect(
      yam[0].entry?.times.first?.note == "with A."
        && yam[0].entry?.times.first?.opinion?.rating?.description == "8.5/10")
    #expect(yam[1].rejection == "it is of a kind 'tv' that the catalog does not keep")
    #expect(yam[2].entry?.wish != nil && yam[2].entry?.record.kind == .book)
    #expect(
      yam.compactMap(\.entry).map { $0.record.externalIDs.map(\.description) } == [
        ["tmdb:949"], ["openlibrary:OL1M"], [],
      ])
    let neo = try rows(
      """
      title,info,links,timestamp,status,rating,comment,tags
      Heat (1995),imdb:tt0113277,https://neodb.example/movie/abc https://www.themoviedb.org/movie/949,2020-01-02T00:00:00Z,complete,9,Good.,a b
      Emma,isbn:9780141439587,https://neodb.example/book/def,2020-01-02T00:00:00Z,wishlist,,,
      Show,,https://neodb.example/tv/season/x,2020-01-02T00:00:00Z,complete,,,
      """)
    #expect(neo[0].words == "Heat (1995)")
    #expect(
      neo[0].entry?.record.externalIDs.map(\.description) == ["imdb:tt0113277", "neodb:movie/abc", "tmdb:949"])
    #expect(neo[1].entry?.wish != nil && neo[1].entry?.record.kind == .book && neo[2].rejection != nil)
  }

  @Test func `marks, reviews and notes in a NeoDB archive share the ids of their item`() throws {
    let marks = """
      title,info,links,timestamp,status,rating,comment,tags
      하녀,imdb:tt0150980 year:1960 director:Kim Ki-young/김기영,https://n.example/movie/a,2023-01-05T12:00:00Z,complete,9,Stairs.,a|b c
      """
    let reviews = """
      title,info,links,timestamp,title,content
      하녀,year:1960,https://n.example/movie/a,2023-01-06T12:00:00+00:00,On stairs,"Up.

      Down."
      """
    let notes = """
      title,info,links,timestamp,progress,title,content
      Emma,isbn:9780141439587 pub_year:2003 author:Jane Austen,https://n.example/book/b,2023-01-06T12:00:00+00:00,Page 12,,A match
      """
    let shows = "title,info,links,timestamp,status,rating,comment,tags\nShow,,https://n.example/game/x,,complete,,,\n"
    let archive = try SmallFile(zip: [
      "movie_mark.csv": marks, "movie_review.csv": reviews, "book_note.csv": notes, "game_mark.csv": shows,
    ])
    let rows = Dictionary(uniqueKeysWithValues: try Import(path: archive.path).all().map { ($0.key, $0) })
    let mark = try #require(rows["https://n.example/movie/a"]?.entry)
    #expect(mark.record.creators == ["Kim Ki-young", "김기영"])
    #expect(mark.record.year == 1960)
    #expect(mark.tags == ["a", "b c"])
    #expect(mark.times.first?.opinion?.comment == "Stairs.")
    let review = try #require(rows["https://n.example/movie/a review"]?.entry)
    #expect(review.record.title == "하녀")
    #expect(review.opinions.map(\.comment) == ["On stairs\n\nUp.\n\nDown."])
    let id = ExternalID(source: "neodb", value: "movie/a")
    #expect([mark, review].allSatisfy { $0.record.externalIDs.contains(id) }, "by which they are one")
    let note = try #require(rows["https://n.example/book/b note"]?.entry)
    #expect(note.notes == ["progress: Page 12", "Note: A match"])
    #expect(note.opinions.isEmpty)
    #expect(note.record.creators == ["Jane Austen"])
    #expect(note.record.book.published?.year == 2003)
    #expect(rows["https://n.example/game/x"]?.rejection == "it is of a kind that the catalog does not keep")
  }

  @Test func `a NeoDB NDJSON archive has the same entries and ids as the CSV archive`() throws {
    let things = #"""
      {"server":"n.example","username":"me"}
      {"id":"https://n.example/movie/a","type":"Movie","title":"하녀","localized_title":[{"lang":"ko","text":"하녀"},{"lang":"en","text":"The Housemaid"}],"director":["Kim Ki-young"],"year":1960,"imdb":"tt0150980","external_resources":[{"url":"https://www.themoviedb.org/movie/31414"},{"url":"https://www.goodreads.com/book/show/7"}]}
      {"id":"https://n.example/book/b","type":"Edition","display_title":"Emma","author":["Jane Austen"],"pub_year":2003,"isbn":"9780141439587"}
      {"id":"https://n.example/tv/c","type":"TVSeason","title":"Show"}
      {"id":"https://n.example/book/d","type":"Edition","title":"Of which nothing is told"}
      """#
    let journal = #"""
      {"server":"n.example","username":"me"}
      {"type":"Rating","content":{"value":9,"best":10,"withRegardTo":"https://n.example/movie/a"}}
      {"type":"Comment","content":{"content":"Stairs.","withRegardTo":"https://n.example/movie/a"}}
      {"type":"Review","content":{"name":"On stairs","content":"Up.\n\nDown.","withRegardTo":"https://n.example/movie/a"}}
      {"type":"Note","content":{"title":"T","content":"words","progress":{"type":"page","value":"12"},"withRegardTo":"https://n.example/book/b"}}
      {"type":"Collection","content":{"name":"Best"},"items":[{"item":"https://n.example/book/b"},{"item":"https://n.example/movie/a"}]}
      {"type":"TagMember","content":{"tag":"x","withRegardTo":"https://n.example/movie/a"}}
      {"type":"ShelfMember","content":{"status":"complete","published":"2023-01-05T12:00:00Z","withRegardTo":"https://n.example/movie/a"}}
      {"type":"ShelfMember","content":{"status":"progress","withRegardTo":"https://n.example/book/b"},"progress":{"type":"page","value":"120"}}
      {"type":"ShelfMember","content":{"status":"complete","withRegardTo":"https://n.example/tv/c"}}
      {"type":"ShelfMember","content":{"status":"complete","withRegardTo":"https://n.example/movie/gone"}}
      {"type":"ShelfLog","item":"https://n.example/movie/a","status":"complete"}
      {"type":"post","post":{"id":1}}
      """#
    let archive = try SmallFile(zip: ["journal.ndjson": journal, "catalog.ndjson": things, "actor.ndjson": "{}"])
    let file = try Import(path: archive.path)
    let rows = Dictionary(uniqueKeysWithValues: try file.all().map { ($0.key.dropFirst(18), $0) })
    #expect(rows.keys.sorted() == ["book/b", "book/b note", "movie/a", "movie/a review", "tv/c"])
    let mark = try #require(rows["movie/a"]?.entry)
    #expect(mark.record.creators == ["Kim Ki-young"])
    #expect(mark.record.otherTitles == ["The Housemaid"])
    #expect(
      mark.record.externalIDs.map(\.description) == ["imdb:tt0150980", "neodb:movie/a", "tmdb:31414", "goodreads:7"])
    #expect(mark.tags == ["x"])
    #expect(mark.addedOn?.description == "2023-01-05")
    #expect(mark.piles.first?.position == 2)
    #expect(mark.times.first?.opinion?.rating?.value == 90)
    #expect(mark.times.first?.opinion?.comment == "Stairs.")
    let review = try #require(rows["movie/a review"]?.entry)
    #expect(review.opinions.map(\.comment) == ["On stairs\n\nUp.\n\nDown."])
    #expect(review.times.isEmpty)
    #expect(review.tags.isEmpty)
    #expect(review.piles.isEmpty)
    #expect(review.record.externalIDs == mark.record.externalIDs)
    let book = try #require(rows["book/b"]?.entry)
    #expect(book.times.first?.outcome == .ongoing)
    #expect(book.times.first?.page == 120)
    #expect(rows["book/b note"]?.entry?.notes == ["progress: 12", "Note: T: words"])
    #expect(rows["tv/c"]?.rejection == "it is of a kind that the catalog does not keep")
    #expect(file.uses.contains(ColumnUse("ShelfLog", .left("it only says how the status came about"))))
  }

  @Test func `a Tellico file is read with its loans`() throws {
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE tellico PUBLIC '-//R/DTD Tellico V11.0//EN' 'http://periapsis.org/tellico/dtd/v11/tellico.dtd'>
      <tellico xmlns="http://periapsis.org/tellico/" syntaxVersion="11"><collection title="Mine" type="3"><fields/>
      <entry id="4"><id>4</id><title>Heat</title><medium>DVD</medium><years><year>1995</year></years>
       <directors><director>Michael Mann</director></directors>
       <casts><cast><column>Al P.</column><column/></cast><cast><column>Robert D.</column><column>Neil</column></cast></casts>
       <rating>4</rating><pur_price>12,50 EUR</pur_price><loaned>true</loaned><comments>ours</comments>
       <cdate><year>2020</year><month>08</month><day>12</day></cdate></entry>
      <entry id="5"><id>5</id></entry></collection>
      <borrowers><borrower name="A friend"><loan entryRef="4" loanDate="2021-01-02" dueDate=""/></borrower></borrowers></tellico>
      """
    let archive = try SmallFile(zip: ["tellico.xml": xml])
    let rows = try Import(path: archive.path).all()
    #expect(try ExchangeTests.rows(xml).map(\.words) == rows.map(\.words))
    #expect(rows.map(\.key) == ["movie 4 heat", "movie 5 "] && rows[1].rejection == "the title is missing")
    let heat = try #require(rows[0].entry)
    #expect(heat.record.credits.filter { $0.role == .cast }.map(\.detail) == [nil, "Neil"])
    #expect(heat.copies.first?.holder?.person == "A friend")
    #expect(heat.copies.first?.facts.price?.description == "12.50 EUR")
    #expect(heat.addedOn?.description == "2020-08-12")
    #expect(heat.notes == ["comments: ours"])
  }

  @Test func `exports of Collectorz, Griffith and Delicious Library are read`() throws {
    let collectorz = try entries(
      """
      <movieinfo><movielist><movie><id>9</id><title>Heat</title><imdbnum>113277</imdbnum><myrating>0</myrating><myrating>8</myrating>
      <seenit boolvalue="1">Yes</seenit><viewingdate><date>3/23/2012</date></viewingdate><releasedate><year><displayname>1995</displayname></year><date>12/15/1995</date></releasedate>
      <collectionstatus listid="3">In Collection</collectionstatus><purchaseprice>$44.55</purchaseprice><location><displayname>Shelf 2</displayname></location>
      <crew><crewmember><role id="dfDirector">Director</role><roleid>dfDirector</roleid><person><displayname>Michael Mann</displayname></person></crewmember>
      <crewmember><role id="dfWriter">Writer</role><roleid>dfWriter</roleid><person><displayname>Other</displayname></person></crewmember></crew></movie></movielist></movieinfo>
      """)
    let heat = collectorz[0]
    #expect(heat.record.creators == ["Michael Mann"])
    #expect(heat.record.externalIDs.map(\.description) == ["imdb:tt0113277"])
    #expect(
      heat.times.map(\.endedOn?.description) == ["2012-03-23"] && heat.times[0].opinion?.rating?.description == "8/10")
    #expect(heat.copies.first?.facts.place == "Shelf 2")
    #expect(heat.copies.first?.facts.price?.description == "44.55 USD")

    let griffith = try entries(
      """
      <root><movie><number>1</number><o_title>Heat</o_title><title>Hitze</title><director>Michael Mann</director><year>1995</year>
      <rating>6</rating><seen>1</seen><loaned>0</loaned><site>http://www.imdb.com/title/tt0113277</site><cast>Al P. as Vincent
      Robert D.</cast><media_name>DVD</media_name></movie></root>
      """)
    #expect(griffith[0].record.originalTitle == "Heat" && griffith[0].times.count == 1 && griffith[0].copies.count == 1)
    #expect(griffith[0].record.credits.filter { $0.role == .cast }.map(\.detail) == ["Vincent", nil])

    let delicious = try ExchangeTests.rows(
      """
      <library version="1"><items>
      <book asin="0141439580" author="Jane Austen&#10;Other" created="176690736" published="17-08-2003" purchaseDate="07-08-2006" title="Emma" uuid="U1" pages="474">
       <recommendations><book title="Not mine" uuid="U9"/></recommendations></book>
      <game title="Chess" uuid="U2"/></items>
      <shelves><shelf name="Best" uuid="S"><linkto uuid="U1"/></shelf></shelves></library>
      """)
    #expect(delicious.map(\.key) == ["U1", "U2"] && delicious[1].rejection != nil)
    let emma = try #require(delicious[0].entry)
    #expect(emma.record.creators == ["Jane Austen", "Other"])
    #expect(emma.record.book.isbn?.digits13 == "9780141439587")
    #expect(emma.piles.map(\.pile) == ["Best"])
    #expect(emma.addedOn?.description == "2006-08-08")
    #expect(emma.record.book.published?.description == "2003-08-17")
    #expect(emma.copies.first?.facts.acquiredOn?.description == "2006-08-07")

    let file = try SmallFile(
      "<library><items><book title=\"A\"><recommendations><book title=\"B\" asin=\"C\"/></recommendations></book></items></library>"
    )
    #expect(
      try Import(path: file.path).uses == [
        ColumnUse("title", .kept("title")), ColumnUse("recommendations", .left("others recommended it")),
      ])
    let second = try ExchangeTests.rows(
      """
      <?xml version="1.0"?><plist version="1.0"><array><dict><key>actorsCompositeString</key><string>Ozzy O.</string><key>title</key><string>Sin</string>
      <key>publishDate</key><date>1987-06-29T07:00:00Z</date><key>type</key><string>Music</string><key>isSigned</key><integer>1</integer><key>rating</key><real>0.0</real></dict>
      <dict><key>title</key><string>Chess</string><key>type</key><string>Game</string></dict></array></plist>
      """)
    #expect(second[0].entry?.record.creators == ["Ozzy O."] && second[0].entry?.record.kind == .vinyl)
    #expect(second[0].entry?.copies.first?.facts.note == "signed" && second[1].rejection != nil)
  }
}
