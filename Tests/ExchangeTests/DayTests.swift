import CatalogModel
import Testing

@testable import Exchange

/// Tests the days in a file: how they are parsed, and the treatment of those that cannot be.
struct DayTests {
  @Test(
    arguments: [
      ("12/14/22", "2022-12-14"), ("November 12, 2020", "2020-11-12"), ("Nov. 12, 2020", "2020-11-12"),
      ("Fri Feb 15 22:45:23 2013", "2013-02-15"), ("12-Nov-20", "2020-11-12"), ("Sat, 12 Nov 2020", "2020-11-12"),
      ("31.12.20", "2020-12-31"), ("3/4/21", nil), ("14/12/22", nil), ("98/12/31", "1998-12-31"), ("-0800", nil),
      ("-0044-03-15", nil), ("12.30.2026", "2026-12-30"), ("44147", nil), ("Nov-20", nil),
      ("25/04/2021 10:30 PM", "2021-04-25"), ("2021-04-25 (Sun)", "2021-04-25"), ("a 12 b 2020", nil),
      ("201705", "2017-05"), ("2024년 5월 3일 (금)", "2024-05-03"), ("3. Mai 2024", "2024-05-03"),
    ] as [(String, String?)])
  func `a single date is read in its usual spellings`(text: String, day: String?) {
    #expect(Dates.read(text)?.description == day)
  }

  @Test(
    arguments: [
      ("2026-01-01T09:10:11.000Z", 9, "2026-01-01"), ("2025-12-31T15:10:11.000Z", 9, "2026-01-01"),
      ("2025-12-31 15:10:11+00:00", 9, "2026-01-01"), ("2026-01-01T09:10:11Z", -10, "2025-12-31"),
      // Midnight is a day without a time, and with another zone the day is local already.
      ("2026-01-01T00:00:00Z", -10, "2026-01-01"), ("2026-01-01T00:00:00.000Z", 9, "2026-01-01"),
      ("2025-12-31T23:10:11+09:00", 9, "2025-12-31"), ("2025-12-31T23:10:11", 9, "2025-12-31"),
      ("2026-01-01", -10, "2026-01-01"), ("2025-12-31T99:10:11.000Z", 9, "2025-12-31"),
    ] as [(String, Int, String)])
  func `a moment in UTC is of the local day`(text: String, hours: Int, day: String) throws {
    let choices = ImportChoices(kind: .book, at: LocalTime { _ in hours * 3600 })
    let table = "Title,Author,Date Read,Publication Date\nT,A,\(text),\(text)\n"
    let entry = try opened(table, choices: choices) { try #require(try $0.all().first?.entry) }
    #expect(entry.times.first?.endedOn?.description == day)
    // The day of a release does not depend on the person's place.
    #expect(entry.record.book.published?.description == String(text.prefix(10)))
  }

  /// The days of a column, and the remarks about it.
  private func column(_ cells: [String], _ dates: DateOrder? = nil) throws -> (days: [String?], remarks: [String]) {
    let text = "Title,Author,Date Read\n" + cells.map { "T,A,\"\($0)\"\n" }.joined()
    return try opened(text, choices: ImportChoices(kind: .book, dates: dates)) { file in
      let days = try file.all().map { $0.entry?.times.first?.endedOn?.description }
      return (days, file.remarks.map { $0.message.text(in: nil) })
    }
  }

  @Test(
    arguments: [
      (
        ["03/04/2021", "25/12/2020"], ["2021-04-03", "2020-12-25"], "'Date Read' is read with the day first: 25/12/2020"
      ),
      (["3/4/21", "12/14/22"], ["2021-03-04", "2022-12-14"], "'Date Read' is read with the month first: 12/14/22"),
      (
        ["14/12/22", "15/12/22", "2/3/22"], ["2022-12-14", "2022-12-15", "2022-03-02"],
        "'Date Read' is read with the day first: 14/12/22 → 2022-12-14"
      ),
      (
        ["22.04.30", "22.05.31", "22.01.02"], ["2022-04-30", "2022-05-31", "2022-01-02"],
        "'Date Read' is read with the year first: 22.04.30"
      ),
      (
        ["44147", "43000.5"], ["2020-11-12", "2017-09-22"],
        "'Date Read' holds dates as spreadsheet numbers: 44147"
      ),
    ] as [([String], [String], String)])
  func `the order of dates is decided by the whole column`(cells: [String], days: [String], remark: String) throws {
    let read = try column(cells)
    #expect(read.days == days)
    #expect(read.remarks == [remark])
  }

  /// The days of a column with this heading, as of 28 November 2026.
  private func days(_ heading: String, _ cells: [String], usual: DateOrder? = nil) throws -> [String?] {
    let text = "Title,Author,\(heading)\n" + cells.map { "T,A,\"\($0)\"\n" }.joined()
    let choices = ImportChoices(kind: .book, usualDates: usual, latestDay: PartialDate("2026-11-29"))
    return try opened(text, choices: choices) { try $0.all().map { $0.entry?.times.first?.endedOn?.description } }
  }

  @Test func `the order of dates reads every cell of a column`() throws {
    // A year above 31 in one cell turns nothing round.
    #expect(try days("Date Read", ["31/12/99", "01/02/03"]) == ["1999-12-31", "2003-02-01"])
    #expect(try days("Date Read", ["30-11-93", "01-02-20"]) == ["1993-11-30", "2020-02-01"])
    // Nothing was read in years to come.
    #expect(try days("Date Read", ["24/05/03", "27/12/20"]) == ["2003-05-24", "2020-12-27"])
    // A typing error of one in twenty goes into the note.
    let month = (10...28).map { "12/\($0)/2020" } + ["28/12/2020", "1/2/2020"]
    #expect(try days("Date Read", month).suffix(2) == [nil, "2020-01-02"])
  }

  @Test func `where all cells can be read in two ways, the heading, the points or the place tell`() throws {
    #expect(try days("읽은 날", ["24.05.03", "23.12.25"]) == ["2024-05-03", "2023-12-25"])
    #expect(try days("읽은 날", ["24/05/03"]) == ["2024-05-03"])
    #expect(try days("Date Read", ["24.05.03"], usual: .ymd) == ["2024-05-03"])
    #expect(try days("Date Read", ["03.05.24"]) == ["2024-05-03"])
    #expect(try days("Date Read", ["03/04/2020"], usual: .mdy) == ["2020-03-04"])
    #expect(try days("Date Read", ["03/04/2020"]) == [nil])
    #expect(try days("Gelesen am", ["03/04/2020"]) == ["2020-04-03"])
  }

  @Test func `years vary less than days`() throws {
    #expect(
      try days(
        "Date Read",
        ["15/11/21", "17/10/21", "19/12/21", "21/11/21", "13/10/21", "24/12/21", "18/11/22", "20/10/22"]
      ).first == "2021-11-15")
  }

  @Test func `an ambiguous date stays text unless the date order is given`() throws {
    let read = try column(["03/04/2020", "05/06/2020"])
    #expect(read.days == [nil, nil])
    #expect(read.remarks.count == 1)
    #expect(try column(["03/04/2020"], .dmy).days == ["2020-04-03"])
    #expect(try column(["03/04/2020"], .mdy).days == ["2020-03-04"])
    #expect(try column(["20/04/05"], .ymd).days == ["2020-04-05"])
    #expect(try column(["44147", "soon"]).days == [nil, nil])
  }

  @Test func `service exports saved by a spreadsheet get their date order from the columns`() throws {
    let books = try entries(
      "Book Id,Title,Author,Author l-f,Exclusive Shelf,Date Read,Date Added\n"
        + "1,B,A B,\"B, A\",read,2/3/2015,1/2/2015\n2,C,A B,\"B, A\",read,9/13/2015,3/4/2015\n")
    #expect(books.map { $0.times.first?.endedOn?.description } == ["2015-02-03", "2015-09-13"])
    // The other column shows nothing by itself.
    #expect(books.map { $0.addedOn?.description } == ["2015-01-02", "2015-03-04"])
  }

  @Test func `a heading may state the date order or rating scale of its column`() throws {
    let film = try entries("Title,Director,Watched on (dd/mm/yyyy),My rating (1-10)\nA,X,03/04/2020,4\n")[0]
    #expect(film.times.first?.endedOn?.description == "2020-04-03")
    #expect(film.times.first?.opinion?.rating?.description == "4/10")
    let text = "Title,Director,Rating,Note\nA,X,9,\nB,Y,3,\n"
    #expect(try opened(text) { $0.uses[2].becomes } == .kept("rating of 10"))
  }

  @Test func `a column called Watched may hold dates, and a date column may say yes`() throws {
    let films = try entries("Title,Director,Watched\nA,X,2023-01-02\nB,X,yes\nC,X,no\n")
    #expect(films.map { $0.times.map { $0.endedOn?.description } } == [["2023-01-02"], [nil], []])
    #expect(try entries("Title,Author,Finished\nA,X,yes\n")[0].times == [Entry.Time()])
  }

  @Test func `a cell may hold several dates, also with commas in them`() throws {
    let book = try entries("Title,Author,Date Read\nA,X,\"May 5, 2019; Jun 6 2020\"\nB,X,\"2020-01-01, 2021-01-01\"\n")
    #expect(
      book.map { $0.times.compactMap { $0.endedOn?.description } }
        == [["2019-05-05", "2020-06-06"], ["2020-01-01", "2021-01-01"]])
  }

  @Test func `an impossible date goes into the note and the rest of the row is kept`() throws {
    let text =
      "Title,Author,Date Started,Date Read,Status,My Rating\n"
      + "Late,A,,2031-01-01,read,5\nTurned,A,2021-05-10,2021-05-01,read,5\nOpen,A,2021-05-10,,,\n"
    let rows = try opened(text, choices: ImportChoices(latestDay: PartialDate("2026-11-27"))) { try $0.all() }
    #expect(
      rows.map { $0.entry?.notes } == [["Finished: 2031-01-01"], ["Started: 2021-05-10"], ["Started: 2021-05-10"]])
    #expect(rows.map { $0.entry?.times.count } == [1, 1, 0])
    #expect(
      rows.map(\.remarks.first) == [
        "a date in the future goes into the note", "a start date after the end date goes into the note",
        "a start date without an end date goes into the note, unless the item is in progress",
      ])
    #expect(rows[0].entry?.times.first?.opinion?.rating?.value == 100)
  }

  @Test func `a dropped entry ends on the date that the file gives`() throws {
    let book = try entries("Title,Author,Date Started,Date Read,Status\nA,X,2024-05-01,2024-05-05,DNF\n")[0]
    #expect(
      book.times == [
        Entry.Time(.dropped, startedOn: PartialDate("2024-05-01"), endedOn: PartialDate("2024-05-05"))
      ])
    let goodreads = try entries(
      "Book Id,Title,Author,Author l-f,Exclusive Shelf,Date Read,Read Count\n1,B,A B,,did-not-finish,2024/05/05,1\n")
    #expect(goodreads[0].times == [Entry.Time(.dropped, endedOn: PartialDate("2024-05-05"))])
  }

  @Test func `an unknown status is reported and goes into the note`() throws {
    let rows = try rows("Title,Author,Status\nA,X,someday\nB,X,on hold\nC,X,읽었어요\nD,X,소장중\nE,X,안 읽음\n")
    #expect(rows[0].entry?.notes == ["Status: someday"] && rows[0].remarks == ["'Status' goes into the note instead"])
    #expect(rows[1].entry?.times.map(\.outcome) == [.ongoing] && rows[1].entry?.notes == ["Status: on hold"])
    #expect(rows[2].entry?.times == [Entry.Time()] && rows[3].entry?.copies.count == 1)
    #expect(rows[4].entry?.times == [] && rows[4].remarks == [])
  }

  @Test func `an excessive number of plays goes into the note`() throws {
    let rows = try rows("Artist,Album,Plays\nA,B,800\nA,C,3\n")
    #expect(rows.map { $0.entry?.times.count } == [1, 3] && rows[0].entry?.notes == ["Plays: 800"])
  }

  @Test func `a publication year before Christ is read as negative`() throws {
    let books = try entries("Title,Author,Publication Date\nIliad,Homer,-0800\nX,Y,-0044-03-15\n")
    #expect(books.map(\.record.year) == [-800, -44])
  }

  @Test func `Calibre dates near midnight UTC are read as local dates`() throws {
    let text =
      "author_sort,authors,title,title_sort,pubdate,uuid\n"
      + "R,J R,A,A,2018-12-31 15:00:00+00:00,1\nR,J R,B,B,2018-12-31T23:00:00+00:00,2\n"
      + "R,J R,C,C,2019-01-01T05:00:00+00:00,3\nR,J R,D,D,2018-12-31T23:07:12+00:00,4\n"
    let books = try entries(text)
    #expect(
      books.map { $0.record.book.published?.description }
        == ["2019-01-01", "2019-01-01", "2019-01-01", "2018-12-31"])
  }

  @Test func `a Trakt play dated 1970 has no date`() throws {
    let film = try entries(
      #"[{"id":3,"watched_at":"1970-01-01T00:00:00.000Z","type":"movie","movie":{"title":"Old","year":1999,"ids":{"trakt":3}}}]"#
    )[0]
    #expect(film.times == [Entry.Time()])
  }

  @Test func `dates in XML are read in the order of their column`() throws {
    func days(_ first: String, _ second: String) throws -> [String?] {
      try entries(
        """
        <tellico><collection type="2"><entry id="1"><title>A</title><pur_date>\(first)</pur_date></entry>
        <entry id="2"><title>B</title><pur_date>\(second)</pur_date></entry></collection></tellico>
        """
      ).map { $0.copies.first?.facts.acquiredOn?.description }
    }
    #expect(try days("03/04/2020", "25/12/2020") == ["2020-04-03", "2020-12-25"])
    #expect(try days("03/04/2020", "12/25/2020") == ["2020-03-04", "2020-12-25"])
    #expect(try days("03/04/2020", "2020") == [nil, "2020"])
  }
}
