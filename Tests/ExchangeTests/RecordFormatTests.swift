import CatalogModel
import SQLite
import TestSupport
import Testing

@testable import Exchange

struct RecordFormatTests {
  @Test func `a Discogs export is read as copies with grades, and as wishes`() throws {
    let rows = try rows(
      #"""
      Catalog#,Artist,Title,Label,Format,Rating,Released,release_id,CollectionFolder,Date Added,Collection Media Condition,Collection Sleeve Condition,Collection Notes,Collection Shelf
      "OTO 4, oto4",Au Pairs (2),Diet,"021 Records, Human Records (2)","7"", Single",4,1980,434828,Punk,2020-11-12 12:26:02,Very Good Plus (VG+),Generic,worn,A3
      X,Various,Unknown,L,"12""",,0,5,Uncategorized,2020-11-12 12:26:03,Perfect,Near Mint (NM or M-)
      """#)
    #expect(rows.map(\.key) == ["434828 Punk 2020-11-12 12:26:02", "5 Uncategorized 2020-11-12 12:26:03"])
    let diet = try #require(rows[0].entry)
    #expect(diet.record.creators == ["Au Pairs"])
    #expect(diet.record.vinyl.label == "021 Records")
    #expect(diet.record.credits.filter { $0.role == .label }.map(\.name) == ["021 Records", "Human Records"])
    #expect(diet.copies.map(\.facts.grades) == ["VG+/Generic"] && diet.copies[0].facts.note == "worn")
    #expect(diet.copies[0].facts.format == "7\", Single")
    #expect(diet.tags == ["Punk"])
    #expect(diet.notes == ["Collection Shelf: A3"])
    #expect(diet.opinions.first?.rating?.description == "4")
    let unknown = try #require(rows[1].entry)
    #expect(unknown.record.year == nil && unknown.tags.isEmpty && unknown.copies[0].facts.sleeve == .nearMint)
    #expect(unknown.notes == ["Collection Media Condition: Perfect"])

    // An owned item is no wish any more.
    let both = try entries("Title,Author,Status,Owned\nEmma,Jane Austen,to-read,yes\n")
    #expect(both[0].wish == nil && both[0].tags == ["to-read"] && both[0].copies.count == 1)
    let wish = try entries(
      "Catalog#,Artist,Title,Label,Format,Rating,Released,release_id,Notes\nA,B,C,D,LP,,1979,7,first press\n")
    #expect(wish[0].wish?.note == "first press" && wish[0].copies.isEmpty && wish[0].record.vinyl.format == "LP")
  }

  @Test func `signs in headings do not matter`() throws {
    let book = try entries("Title,Author,# Pages,Price ($),Rating %\nA,B C,120,12.50 USD,80\n", kind: .book)[0]
    #expect(book.record.book.pages == 120)
    let plain = try entries("Title,Author,Pages,Price,Rating\nA,B C,120,12.50 USD,80\n", kind: .book)[0]
    #expect(book == plain)
  }

  @Test func `a RateYourMusic export is read`() throws {
    let entries = try entries(
      """
      RYM Album, First Name,Last Name,First Name localized, Last Name localized,Title,Release_Date,Rating,Ownership,Purchase Date,Media Type, Review, Review Title
      "10","The Jimi","Hendrix Experience","","","Are You?","1967","10","o","2020-01-02","CD","[b]bold[/b] review\\n[Artist577519]",""
      "30","","","","빌리","Planet","2026","0","w","","","",""
      "40","","P","","","Det","","9","u","","","","My Review"
      """)
    #expect(entries[0].record.creators == ["The Jimi Hendrix Experience"])
    #expect(entries[0].copies.first?.facts.acquiredOn?.description == "2020-01-02")
    #expect(
      entries[0].opinions == [Entry.Opinion(rating: try Rating("10/10"), comment: "bold review")].compactMap { $0 })
    #expect(entries[1].wish != nil && entries[1].opinions.isEmpty && entries[1].record.creators == ["빌리"])
    #expect(entries[2].copies.isEmpty && entries[2].notes == ["Ownership: used to own"])
    #expect(entries[2].opinions.first?.comment == "My Review")
  }

  @Test func `a beets library and a beets export are read`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("library.db")
    try Connection(.file(path)).execute(
      script: """
        CREATE TABLE items (id INTEGER PRIMARY KEY); CREATE TABLE album_attributes (id INTEGER PRIMARY KEY);
        CREATE TABLE albums (id INTEGER PRIMARY KEY, artpath BLOB, albumartist TEXT, album TEXT, genre TEXT, year INT, month INT, day INT,
          original_year INT, original_month INT, original_day INT, label TEXT, catalognum TEXT, country TEXT, media TEXT, mb_albumid TEXT, added REAL, comp BOOL, mood TEXT);
        INSERT INTO albums VALUES (1, x'00', 'Au Pairs', 'Playing', 'Punk', 2006, 0, 0, 1981, 5, 0, 'Human', 'H1', 'GB', '12" Vinyl', 'mb-1', 1600000000.5, 0, 'loud');
        """)
    let opened = try Import(path: path)
    let row = try #require(try opened.all().first)
    #expect(opened.formatID == "beets")
    #expect(row.key == "mb-1")
    let album = try #require(row.entry)
    #expect(album.record.released?.description == "1981-05")
    #expect(album.record.vinyl.country == "GB")
    #expect(album.notes == ["mood: loud"])
    #expect(album.addedOn?.description == "2020-09-13")

    let json = try rows(
      """
      [{"title": "One", "album": "Playing", "albumartist": "Au Pairs", "track": 1, "year": 1981},
       {"title": "Two", "album": "Playing", "albumartist": "Au Pairs", "track": 2, "year": 1981},
       {"title": "Alone", "album": "", "albumartist": "", "track": 0, "artist": "X"}]
      """)
    #expect(json.map(\.words) == ["Playing (1981), Au Pairs", "?"])
    #expect(json.last?.rejection == "it is a track of no album")
  }

  @Test func `a Data Crow export is read`() throws {
    let entries = try entries(
      """
      <data-crow-objects><music-album-items><music-album><title>Legacy</title><year>1993</year><genres-items><music-genre><name>Folk</name></music-genre></genres-items>
      <genres-items-list>Folk</genres-items-list><artists-items-list>R. M.</artists-items-list><rating>8</rating><ean>5016073331724</ean>
      <container-items-list>box 1</container-items-list><id>u</id></music-album></music-album-items><music-genre-items/></data-crow-objects>
      """)
    #expect(entries[0].record.labels == ["Folk"] && entries[0].record.vinyl.barcode == "5016073331724")
    #expect(entries[0].copies.first?.facts.place == "box 1" && entries[0].notes.isEmpty)
    #expect(entries[0].opinions.first?.rating?.description == "8/10")
  }
}
