import CatalogModel
import Foundation
import TestSupport
import Testing

@testable import Exchange

/// Tests the exports of services and programs that are JSON, XML or a table of their own.
struct OtherServiceTests {
  private func lines(_ text: String, _ format: String, name: String = "file") throws -> [String] {
    try opened(text, name: name) { file in
      #expect(file.formatID == format)
      let rows = try file.all()
      #expect(Set(rows.map(\.key)).count == rows.count)
      return rows.map(ContainerTests.line)
    }
  }

  @Test func `Simkl is read with its ratings and wishes`() throws {
    let text = """
      {"movies": [{"last_watched_at": "2024-05-03T00:00:00Z", "user_rating": 8, "status": "completed", "movie": {"title":
      "Heat", "year": 1995, "ids": {"simkl": 1, "imdb": "tt0113277", "slug": "heat"}}}, {"status": "plantowatch",
      "user_rating": null, "added_to_watchlist_at": "2024-05-04T00:00:00Z", "movie": {"title": "Alien", "year": 1979,
      "ids": {"simkl": 2}}}], "shows": [{"status": "watching", "show": {"title": "A Series", "ids": {"simkl": 3}}}],
      "anime": [{"status": "dropped", "anime_type": "movie", "show": {"title": "Akira", "year": 1988, "ids": {"simkl": 4}}}]}
      """
    #expect(
      try lines(text, "simkl") == [
        "1 movie Heat||1995|80 2024-05-03||", "2 movie Alien||1979|||",
        "3 it is a series or an episode: the catalog keeps movies", "4 movie Akira||1988|||",
      ])
    let wish = try rows(text)[1].entry
    #expect(wish?.wish != nil && wish?.wishedOn?.description == "2024-05-04")
  }

  @Test func `of the lists of anime the films are read`() throws {
    let xml = """
      <?xml version="1.0"?><myanimelist><myinfo><user_export_type>1</user_export_type></myinfo>
      <anime><series_animedb_id>1</series_animedb_id><series_title><![CDATA[Akira]]></series_title><series_type>Movie</series_type>
      <my_start_date>0000-00-00</my_start_date><my_finish_date>2024-05-03</my_finish_date><my_score>8</my_score>
      <my_status>Completed</my_status><my_times_watched>1</my_times_watched><my_tags><![CDATA[a, b]]></my_tags></anime>
      <anime><series_title>A Series</series_title><series_type>TV</series_type><my_score>0</my_score></anime></myanimelist>
      """
    let rejected = "2 it is of a kind 'TV' that the catalog does not keep"
    #expect(try lines(xml, "myanimelist") == ["1 movie Akira|||80 2024-05-03||", rejected])
    let film = try rows(xml)[0].entry
    #expect(film?.times.count == 2 && film?.tags == ["a", "b"] && film?.record.externalIDs.first?.source == "mal")
    func entry(_ id: Int, _ format: String, _ day: String) -> String {
      """
      {"status": "COMPLETED", "score": 8, "repeat": 0, "startedAt": {"year": null, "month": null, "day": null}, "completedAt":
      \(day), "mediaId": \(id), "media": {"idMal": \(id), "format": "\(format)", "title": {"userPreferred": "T\(id)"}}}
      """
    }
    let film1 = entry(1, "MOVIE", #"{"year": 2024, "month": 5, "day": 3}"#)
    let series = entry(2, "TV", "null")
    let json = """
      {"data": {"anime": {"lists": [{"name": "Completed", "isCustomList": false, "entries": [\(film1), \(series)]}, {"name":
      "Mine", "isCustomList": true, "entries": [\(film1)]}]}, "manga": {"lists": []}}}
      """
    #expect(try lines(json, "anilist") == ["1 movie T1|||80 2024-05-03||", rejected])
    #expect(try rows(json)[0].entry?.piles.map(\.pile) == ["Mine"])
  }

  @Test func `Criticker and Kodi are read`() throws {
    let criticker = """
      <recentratings><filminfo><filmid>1</filmid><filmname>Heat (1995)</filmname><rating>75</rating><quote>fine</quote>
      <reviewdate>May 3 2024, 20:15</reviewdate></filminfo><filminfo><filmid>2</filmid><filmname>Third (1983)</filmname>
      <rating>0</rating><quote></quote></filminfo></recentratings>
      """
    #expect(try lines(criticker, "criticker") == ["1 movie Heat||1995|75||", "2 movie Third||1983|||rating: 0"])
    let nfo = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes" ?>
      <movie><title>Heat</title><ratings><rating name="imdb" max="10"><value>8.3</value></rating></ratings>
      <userrating>8</userrating><playcount>2</playcount><lastplayed>2024-05-03</lastplayed>
      <uniqueid type="imdb" default="true">tt0113277</uniqueid><uniqueid type="tmdb">949</uniqueid><uniqueid type="x">1</uniqueid>
      <actor><name>Ann Other</name><role>Hero</role></actor><actor><name>B C</name></actor><director>M M</director>
      <runtime>170</runtime><year>1995</year></movie>
      https://www.themoviedb.org/movie/949
      """
    #expect(try lines(nfo, "kodi") == ["1 movie Heat|M M|1995|80 2024-05-03||"])
    let film = try #require(try rows(nfo)[0].entry)
    #expect(film.times.count == 2 && film.record.externalIDs.map(\.value) == ["tt0113277", "949"])
    let cast = film.record.credits.filter { $0.role == .cast }
    #expect(cast.map(\.name) == ["Ann Other", "B C"] && cast.map(\.detail) == ["Hero", nil])
    #expect(throws: ImportProblem.self) { try rows("<movie><title>Heat</title>") }
  }

  @Test func `collections of GCstar and Collectorz are read by their kind`() throws {
    let films = """
      <collection type="GCfilms" items="1"><information><maxId>1</maxId></information><item id="1" title="Heat" date="1995"
      time="170 min" director="M M" webPage="http://www.imdb.com/title/tt0113277/##IMDb" seen="1" added="07/09/2009"
      rating="7" borrower="Jane" lendDate="01/02/2020"><actors><line><col>Ann</col><col>Hero</col></line></actors></item></collection>
      """
    #expect(try lines(films, "gcstar") == ["1 movie Heat|M M|1995|70||"])
    let film = try #require(try rows(films)[0].entry)
    #expect(film.addedOn?.description == "2009-09-07" && film.record.externalIDs.map(\.value) == ["tt0113277"])
    #expect(
      film.copies.first?.holder?.person == "Jane" && film.copies.first?.holder?.since?.description == "2020-02-01")
    #expect(film.record.credits.first { $0.role == .cast }?.detail == "Hero")
    let coins = #"<collection type="GCcoins"><item id="1" title="A Coin"/></collection>"#
    #expect(try lines(coins, "gcstar") == ["1 it is of a kind 'GCcoins' that the catalog does not keep"])
    let book = """
      <bookinfo><booklist><book><id>1</id><collectionstatus>In Collection</collectionstatus><publicationdate>
      <date>5/3/2020</date></publicationdate><isbn>9780306406157</isbn><readit boolvalue="1">Yes</readit><readingdate>
      <date>5/4/2024</date></readingdate><mainsection><title>A Book</title><myrating>8</myrating><myrating>
      <displayname>8</displayname></myrating><credits><credit><roleid>dfAuthor</roleid><person><displayname>Roe, Jane</displayname>
      </person></credit></credits></mainsection></book></booklist></bookinfo>
      """
    #expect(try lines(book, "collectorz") == ["1 book A Book|Jane Roe|2020|80 2024-05-04|9780306406157|"])
    let music = """
      <musicinfo><musiclist><music><id>1</id><title>First</title><artists><artist><displayname>Some Band</displayname></artist>
      </artists><purchaseprice>$11.98</purchaseprice><nrdiscs>1</nrdiscs></music></musiclist></musicinfo>
      """
    #expect(try lines(music, "collectorz") == ["1 vinyl First|Some Band||||"])
    #expect(try rows(music)[0].entry?.copies.first?.facts.price?.description == "11.98 USD")
  }

  @Test func `Zotero, Kindle and Booklog are read, with a message about each other kind`() throws {
    let zotero = """
      "Key","Item Type","Publication Year","Author","Title","ISBN","Date","Num Pages","Series","Series Number","Manual Tags","Translator"
      "A1","book","2020","Roe, Jane; Bloggs, Joe","A Book","978-0-306-40615-7 0-306-40615-2","2020-05","320","S","2","x; y","Other, Ann"
      "B2","journalArticle","2019","Roe, Jane","No Book","","2019","","","","",""
      "C3","film","1999","","A Film","","1999","","","","",""
      """
    #expect(
      try lines(zotero, "zotero") == [
        "2 book A Book|Jane Roe & Joe Bloggs|2020||9780306406157|",
        "3 it is of a kind 'journalArticle' that the catalog does not keep", "4 movie A Film||1999|||",
      ])
    let book = try #require(try rows(zotero)[0].entry)
    #expect(book.record.book.published?.description == "2020-05" && book.record.book.series == "S #2")
    #expect(book.tags == ["x", "y"] && book.record.book.pages == 320)
    let kindle = """
      [{"asin": "B01", "title": "A Book", "authors": ["Roe, Jane:Bloggs, Joe:"], "resourceType": "EBOOK", "originType":
      "PURCHASE", "percentageRead": 0}, {"asin": "B02", "title": "B", "authors": [], "resourceType": "EBOOK_SAMPLE",
      "originType": "SAMPLE", "percentageRead": 12}]
      """
    #expect(
      try lines(kindle, "kindle") == [
        "1 book A Book|Jane Roe & Joe Bloggs||||percentageRead: 0", "2 it is a sample of a book",
      ])
    let booklog = """
      "1","100","9780306406157","-","4","読み終わった","よい","a b","","2024-05-01 10:00:00","2024-05-03 00:00:00","見本の本","山田太郎","見本社","2020","本","320"
      "1","101","","-","","読みたい","","","","2024-05-01 10:00:00","0000-00-00 00:00:00","坊っちゃんの夏","佐藤花子","青空出版","2021","本","200"
      """
    let rows = try rows(booklog)
    #expect(rows.map { $0.entry?.record.title } == ["見本の本", "坊っちゃんの夏"])
    let first = try #require(rows[0].entry)
    #expect(first.times.map(\.endedOn?.description) == ["2024-05-03"] && first.times[0].opinion?.rating?.value == 80)
    #expect(rows[1].entry?.wish != nil && rows[1].entry?.times == [])
  }

  @Test func `packed files are read as the file in them`() throws {
    let file = try SmallFile("Title,Author\nDune,F H\n", name: "books.csv")
    let plain = try SmallFile(
      #"{"books": [{"edition": {"title": "A"}, "authors": [{"name": "J R"}], "shelves": []}]}"#, name: "archive.json")
    func run(_ words: String...) throws {
      let program = Process()
      program.executableURL = URL(filePath: "/usr/bin/env")
      program.arguments = words
      try program.run()
      program.waitUntilExit()
      try #require(program.terminationStatus == 0)
    }
    try run("gzip", "-k", file.path)
    #expect(try Import(path: file.path + ".gz").all().map(ContainerTests.line) == ["2 book Dune|F H||||"])
    let tar = file.folder.path("account")
    try run(
      "tar", "-czf", tar, "-C", plain.folder.path("."), "./archive.json", "-C", file.folder.path("."), "./books.csv")
    #expect(try Import(path: tar).formatID == "bookwyrm-account")
    let one = file.folder.path("one:1.tgz")
    try run("tar", "--force-local", "-czf", one, "-C", file.folder.path("."), "books.csv", "books.csv.gz")
    #expect(try Import(path: one).all().count == 1)
    for length in [2, 30] {
      let broken = try SmallFile(Array(try Data(contentsOf: URL(filePath: tar)).prefix(length)))
      #expect(throws: ImportProblem.self) { try Import(path: broken.path) }
    }
  }
}
