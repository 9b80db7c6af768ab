import CatalogModel
import SQLite
import TestSupport
import Testing

@testable import Exchange

struct BookFormatTests {
  private static let goodreads = """
    Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies

    """

  @Test func `a Goodreads export is read with readings, shelves and copies`() throws {
    let rows = try rows(
      Self.goodreads + #"""
        1,"The Two Towers (The Lord of the Rings, #2)",J.R.R. Tolkien,"Tolkien, J.R.R.",Alan Lee,"=""0261102362""","=""9780261102361""",5,4.4,HarperCollins,Paperback,352,1991,1954,2020/03/04,2020/01/02,"favorites, read","favorites (#2), read (#9)",read,"<b>Yes</b>.<br/>Again.",,gift of A.,2,1
        2,The Gallic War,Julius Caesar,"Caesar, Julius",,"=""""","=""""",0,4,,Hardcover,,,-50,,2020/01/03,to-read,to-read (#1),to-read,,,,1,0
        3,Emma,Jane Austen,"Austen, Jane",,123,="",3,4,,,,2003,1815,,2020/01/04,classics,classics (#1),currently-reading,,,,1,0
        4,,Nobody,"Nobody",,,,0,0,,,,,,,2020/01/04,,,read,,,,1,0
        """#)
    #expect(rows.map(\.key) == ["1", "2", "3", "4"])
    #expect(rows.map(\.line) == [2, 3, 4, 5])
    let towers = try #require(rows[0].entry)
    #expect(towers.record.title == "The Two Towers")
    #expect(towers.record.book.series == "The Lord of the Rings #2")
    #expect(towers.record.book.isbn?.digits13 == "9780261102361")
    #expect(towers.record.year == 1954)
    #expect(towers.record.book.published?.description == "1991")
    #expect(towers.record.creators == ["J.R.R. Tolkien", "Alan Lee"])
    // Read twice, once on a day that is known; the last time has the opinion.
    #expect(towers.times.map(\.endedOn?.description) == [nil, "2020-03-04"])
    #expect(towers.times.last?.opinion == Entry.Opinion(rating: try Rating("5"), comment: "Yes.\nAgain."))
    #expect(towers.times.last?.note == "gift of A.")
    #expect(towers.tags == ["favorites"])
    #expect(towers.copies.count == 1)
    #expect(towers.addedOn?.description == "2020-01-02")

    let caesar = try #require(rows[1].entry)
    #expect(caesar.notes == ["Format: Hardcover"], "what is said of a copy that nobody owns is not lost")
    #expect(caesar.record.year == -50)
    #expect(caesar.wish != nil)
    #expect(caesar.times.isEmpty)
    #expect(caesar.opinions.isEmpty)
    let emma = try #require(rows[2].entry)
    #expect(emma.times.map(\.outcome) == [.ongoing])
    #expect(emma.notes == ["ISBN: 123"])
    #expect(rows[3].rejection == "the title is missing")
  }

  @Test func `a StoryGraph export has quarter stars and the dates of each reading`() throws {
    let entries = try entries(
      """
      Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,Pace,Character- or Plot-Driven?,Strong Character Development?,Loveable Characters?,Diverse Characters?,Flawed Characters?,Star Rating,Review,Content Warnings,Content Warning Description,Tags,Owned?
      Emma,Jane Austen,"Somebody Else (Translator), Another (Narrator)",9780141439587,paperback,read,2022/01/01,2022/06/15,"2020/01/01-2020/01/20, 2022/06/15",3,"funny, tense",slow,,,,,,4.25,<p>Good.</p>,,,classics,Yes
      Ulysses,James Joyce,,fbdd6b7c-f512-47f2-aa94-d8bf0d5f5175,digital,did-not-finish,2022/01/01,,,0,,,,,,,,,,,,,No
      """)
    let emma = entries[0]
    #expect(emma.times.map(\.endedOn?.description) == [nil, "2020-01-20", "2022-06-15"])
    #expect(emma.times.map(\.startedOn?.description) == [nil, "2020-01-01", nil])
    #expect(emma.times.last?.opinion?.rating == Rating(value: 85, scale: .quarter))
    #expect(emma.times.last?.opinion?.comment == "Good.")
    #expect(emma.record.credits.filter { $0.role == .translator }.map(\.name) == ["Somebody Else"])
    #expect(emma.notes == ["Contributors: Another (Narrator)"])
    #expect(emma.tags == ["funny", "tense", "slow pace", "classics"])
    #expect(emma.copies.count == 1)
    #expect(entries[1].times.map(\.outcome) == [.dropped])
    #expect(entries[1].notes == ["Format: digital"] && entries[1].record.book.isbn == nil)
  }

  @Test func `a StoryGraph reading without an end is in progress`() throws {
    let header = "Title,Authors,Contributors,ISBN/UID,Read Status,Dates Read,Read Count,Star Rating,Owned?\n"
    let book = try entries(
      header + "Emma,Jane Austen,,,currently-reading,\"2022/06/01-2022/06/15, 2025/04/02-\",1,,No\n")[0]
    #expect(
      book.times == [
        Entry.Time(startedOn: PartialDate("2022-06-01"), endedOn: PartialDate("2022-06-15")),
        Entry.Time(.ongoing, startedOn: PartialDate("2025-04-02")),
      ])
  }

  @Test func `a LibraryThing export with tabs and in Latin-1 is read`() throws {
    let header = [
      "Book Id", "Title", "Primary Author", "Primary Author Role", "Secondary Author", "Secondary Author Roles",
      "Publication", "Date", "Review", "Rating", "ISBN", "Date Read", "Tags", "Collections", "Work id",
      "Lending Patron", "Lending Start",
    ]
    let row = [
      "7", "Nadja", "Breton, André", "Author", "Howard, Richard|Weiss, Peter", "Translator|Foreword",
      "Grove Press (1994), Edition: Reissue, 160 pages", "1994", "", "4.5", "[0802150268]", "[2020-01-02]",
      "paris,dreams", "Your library,To read", "99", "A friend", "2021-01-01",
    ]
    let text = header.joined(separator: "\t") + "\n" + row.joined(separator: "\t") + "\n"
    let file = try SmallFile(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    let opened = try Import(path: file.path)
    #expect(opened.formatID == "librarything")
    let entry = try #require(try opened.all().first?.entry)
    #expect(entry.record.creators == ["André Breton"])
    #expect(entry.record.credits.filter { $0.role == .translator }.map(\.name) == ["Richard Howard"])
    #expect(entry.record.book.pages == 160)
    #expect(entry.record.book.publisher == "Grove Press")
    #expect(entry.record.book.isbn?.digits10 == "0802150268")
    #expect(entry.notes == ["Edition: Reissue", "Author: Peter Weiss (foreword)"])
    #expect(entry.copies.first?.holder == Copy.Holder(person: "A friend", since: PartialDate("2021-01-01")))
    #expect(entry.times.first?.opinion?.rating?.description == "4.5")
  }

  @Test func `a LibraryThing JSON export is read`() throws {
    let rows = try rows(
      """
      {"11": {"books_id": "11", "title": "Emma", "authors": [{"lf": "Austen, Jane", "fl": "Jane Austen", "role": "Author"}],
        "collections": ["Your library"], "isbn": {"0": "0141439580", "2": "9780141439587"}, "lcc": [], "date": "2003",
        "entrydate": "2020-09-27", "workcode": "5", "rating": 4, "pages": "474 "}}
      """)
    #expect(rows.map(\.key) == ["11"])
    let entry = try #require(rows.first?.entry)
    #expect(entry.record.creators == ["Jane Austen"])
    #expect(entry.record.book.pages == 474)
    #expect(entry.record.book.isbn?.digits13 == "9780141439587")
    #expect(entry.copies.count == 1)
    #expect(entry.notes.isEmpty)
    #expect(entry.opinions.first?.rating?.description == "4")
  }

  @Test func `exports of BookWyrm, Openreads, Jelu and Hardcover are read`() throws {
    let wyrm = try entries(
      """
      title,author_text,remote_id,openlibrary_key,isbn_10,isbn_13,start_date,finish_date,stopped_date,rating,review_name,review_content,shelf,shelf_name,shelf_date
      Gideon (The Tomb #1),Tamsyn M,https://b.example/1,OL1M,,9780261102361,2020-10-21,2020-10-25,,3,Fine,It is.,read,Read,2020-10-26
      Emma,Jane Austen,https://b.example/2,,,,2020-03-05,,2020-03-06,0,,,stopped-reading,Stopped,2020-03-05
      """)
    #expect(wyrm[0].record.book.series == "The Tomb #1")
    #expect(wyrm[0].times.map(\.startedOn?.description) == ["2020-10-21"])
    #expect(wyrm[0].times.first?.opinion?.comment == "Fine\n\nIt is.")
    #expect(wyrm[1].times.map(\.outcome) == [.dropped] && wyrm[1].opinions.isEmpty)

    let openreads = try rows(
      """
      title,subtitle,author,description,status,favourite,deleted,rating,pages,publication_year,isbn,olid,tags,my_review,notes,book_format,readings,date_added,date_modified
      Permanent,A Life,E. S.,,finished,true,false,4.5,,2019,9781529035650,OL27260330M,a|||||b,,,hardcover,2023-10-27T00:00:00.000|2023-11-28T00:00:00.000|,2024-03-01T13:01:12.938,
      Gone,,E. S.,,finished,false,true,4,,,,,,,,,,,
      """)
    let permanent = try #require(openreads[0].entry)
    #expect(permanent.record.title == "Permanent: A Life")
    #expect(permanent.isFavorite)
    #expect(permanent.tags == ["a", "b"])
    #expect(permanent.times.map(\.startedOn?.description) == ["2023-10-27"])
    #expect(openreads[1].rejection == "it was deleted there")

    let jelu = try entries(
      """
      Title,Author,ISBN,Publisher,Date Read,Shelves,Bookshelves,read_dates,tags,authors,isbn10,isbn13,owned,dropped_dates,currently_reading
      b,a,9781566199094,p,2022/02/10,currently-reading,x,"2020/02/10,2021/02/10","science fiction,fantasy","a,c",1566199093,9781566199094,true,2019/02/10,2022/02/10
      """)
    #expect(jelu[0].times.map(\.outcome) == [.done, .done, .dropped, .ongoing])
    #expect(jelu[0].tags == ["science fiction", "fantasy"] && jelu[0].record.creators == ["a", "c"])

    let hardcover = try rows(
      """
      Title,Author,Series,Status,Privacy,Hardcover Book ID,ISBN 10,ISBN 13,Language Code,Date Added,Date Finished,Rating,Review,Review Slate
      Emma,"Jane Austen, R. H. (Translator), L. A. (Illustrator)",,Read,Public,9,,9780141439587,ko,2020-01-01,2020-01-02,4.5,Fine,"[{}]"
      """)
    #expect(hardcover.map(\.key) == ["9"])
    let emma = try #require(hardcover[0].entry)
    #expect(emma.times.first?.opinion?.rating?.description == "4.5")
    #expect(emma.record.book.language == "ko")
    #expect(emma.record.credits.map(\.name) == ["Jane Austen", "R. H."])
    #expect(emma.record.credits.map(\.role) == [.author, .translator])
    #expect(emma.notes == ["Author: L. A. (Illustrator)"])
  }

  @Test func `a Calibre library and a Calibre catalog are read`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("metadata.db")
    let database = try Connection(.file(path))
    try database.execute(
      script: """
        CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, timestamp TEXT, pubdate TEXT, series_index REAL, uuid TEXT);
        CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE books_authors_link (id INTEGER PRIMARY KEY, book INT, author INT);
        CREATE TABLE ratings (id INTEGER PRIMARY KEY, rating INT); CREATE TABLE books_ratings_link (id INTEGER PRIMARY KEY, book INT, rating INT);
        CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE books_series_link (id INTEGER PRIMARY KEY, book INT, series INT);
        CREATE TABLE publishers (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE books_publishers_link (id INTEGER PRIMARY KEY, book INT, publisher INT);
        CREATE TABLE languages (id INTEGER PRIMARY KEY, lang_code TEXT); CREATE TABLE books_languages_link (id INTEGER PRIMARY KEY, book INT, lang_code INT, item_order INT);
        CREATE TABLE identifiers (id INTEGER PRIMARY KEY, book INT, type TEXT, val TEXT); CREATE TABLE comments (id INTEGER PRIMARY KEY, book INT, text TEXT);
        CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE books_tags_link (id INTEGER PRIMARY KEY, book INT, tag INT);
        CREATE TABLE data (id INTEGER PRIMARY KEY, book INT, format TEXT);
        CREATE TABLE custom_columns (id INTEGER PRIMARY KEY, label TEXT, mark_for_delete BOOL); CREATE TABLE custom_column_1 (id INTEGER PRIMARY KEY, book INT, value TEXT);
        INSERT INTO books VALUES (1, 'Emma', '2012-03-03 19:47:47+00:00', '0101-01-01 00:00:00+00:00', 2.0, 'u-1');
        INSERT INTO authors VALUES (1, 'Austen| Jane'), (2, 'Second'); INSERT INTO books_authors_link VALUES (1, 1, 1), (2, 1, 2);
        INSERT INTO ratings VALUES (1, 9); INSERT INTO books_ratings_link VALUES (1, 1, 1);
        INSERT INTO series VALUES (1, 'S'); INSERT INTO books_series_link VALUES (1, 1, 1);
        INSERT INTO languages VALUES (1, 'eng'); INSERT INTO books_languages_link VALUES (1, 1, 1, 0);
        INSERT INTO identifiers VALUES (1, 1, 'isbn', '9780141439587'); INSERT INTO comments VALUES (1, 1, '<p>About.</p>');
        INSERT INTO tags VALUES (1, 'Fiction'); INSERT INTO books_tags_link VALUES (1, 1, 1); INSERT INTO data VALUES (1, 1, 'EPUB');
        INSERT INTO custom_columns VALUES (1, 'mood', 0); INSERT INTO custom_column_1 VALUES (1, 1, 'calm');
        """)
    let opened = try Import(path: path)
    #expect(opened.formatID == "calibre")
    let row = try #require(try opened.all().first)
    #expect(row.key == "u-1")
    let entry = try #require(row.entry)
    #expect(entry.record.creators == ["Austen, Jane", "Second"])
    #expect(entry.record.book.series == "S #2")
    #expect(entry.record.book.isbn?.digits13 == "9780141439587")
    #expect(entry.record.book.language == "en")
    #expect(entry.record.book.published == nil)
    #expect(entry.record.summary == "About.")
    #expect(entry.opinions.first?.rating?.description == "9/10")
    #expect(entry.notes == ["formats: EPUB", "#mood: calm"])

    let catalog = try entries(
      """
      authors,author_sort,rating,library_name,timestamp,formats,size,isbn,identifiers,comments,tags,series,series_index,languages,title,cover,title_sort,publisher,pubdate,id,uuid
      "Jane Austen & Other","Austen, Jane","4","L","2021-01-19T22:41:16+01:00","epub","1","9780141439587","goodreads:39077187,isbn:9780141439587","","a, b","S","8.0","eng","Emma","/x","Emma","P","2019-03-05T01:00:00+01:00","864","u-2"
      """)
    #expect(catalog[0].record.creators == ["Jane Austen", "Other"] && catalog[0].record.book.series == "S #8")
    #expect(catalog[0].record.externalIDs.map(\.description) == ["goodreads:39077187"])
  }

  @Test func `damaged ISBNs of goodbooks-10k are repaired or kept in the note`() throws {
    let rows = try rows(
      """
      book_id,goodreads_book_id,best_book_id,work_id,books_count,isbn,isbn13,authors,original_publication_year,original_title,title,language_code,average_rating
      1,2767052,2767052,2792775,272,439023483,9.78043902348e+12,"Suzanne Collins, Other",2008.0,The Games,"The Games (The Games, #1)",eng,4.34
      2,7,7,7,1,,,Homer,-720.0,,The Iliad,,4
      """)
    #expect(rows.compactMap(\.rejection).isEmpty)
    #expect(rows[0].entry?.notes == ["isbn13: 9.78043902348e+12"])
    #expect(rows[0].entry?.record.book.isbn?.digits10 == "0439023483")
    #expect(rows[0].entry?.record.title == "The Games" && rows[0].entry?.record.originalTitle == nil)
    #expect(rows[1].entry?.record.year == -720)
  }
}
