import CatalogModel
import FoundationEssentials
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests that one moment is of one day in every command, whatever the zone: that of the person.
struct LocalDayTests {
  /// A moment at a place.
  struct Moment: CustomTestStringConvertible, Sendable {
    var place: String
    var time: LocalTime
    var utc: String
    /// The local time, to the minute.
    var local: String

    var day: String { String(local.prefix(10)) }
    var year: String { String(local.prefix(4)) }
    var clock: Date { Timestamp(rawValue: utc).date ?? .distantPast }
    var testDescription: String { "\(local) in \(place)" }
  }

  private static let seoul = LocalTime { _ in 9 * 3600 }
  private static let honolulu = LocalTime { _ in -10 * 3600 }
  /// The clocks go back on 1 November 2026 at two in the morning.
  private static let newYork = LocalTime { $0.timeIntervalSince1970 < 1_793_512_800 ? -4 * 3600 : -5 * 3600 }

  static let moments = [
    Moment(place: "Seoul", time: seoul, utc: "2025-12-31T15:30:00Z", local: "2026-01-01 00:30"),
    Moment(place: "Seoul", time: seoul, utc: "2026-01-01T14:59:59Z", local: "2026-01-01 23:59"),
    Moment(place: "Honolulu", time: honolulu, utc: "2026-01-01T09:59:59Z", local: "2025-12-31 23:59"),
    Moment(place: "Honolulu", time: honolulu, utc: "2026-01-01T10:00:00Z", local: "2026-01-01 00:00"),
    Moment(place: "Honolulu", time: honolulu, utc: "2026-01-01T00:00:00Z", local: "2025-12-31 14:00"),
    Moment(place: "New York", time: newYork, utc: "2026-11-01T04:00:00Z", local: "2026-11-01 00:00"),
    Moment(place: "New York", time: newYork, utc: "2026-11-02T04:59:59Z", local: "2026-11-01 23:59"),
    Moment(place: "London", time: .utc, utc: "2026-01-01T00:00:00Z", local: "2026-01-01 00:00"),
  ]

  private func catalog(at moment: Moment) throws -> TestCatalog {
    let catalog = try TestCatalog()
    (catalog.localTime, catalog.now) = (moment.time, moment.clock)
    return catalog
  }

  @Test(arguments: moments)
  func `what is done in one moment is of one day in every command`(_ moment: Moment) throws {
    let catalog = try catalog(at: moment)
    for line in [
      "add book --title Aaa --genre Fantasy", "log 1", "card add 1 --comment good", "favorite 1", "lend c1 to Anna",
      "wish 1 --yes",
    ] { #expect(catalog.run(line.split(separator: " ").map(String.init)).status == 0, "\(line)") }
    func titles(_ query: String) -> String {
      catalog.run("list", query, "wished:any or -wished:any", "--columns", "title", "--tsv").output
    }
    for field in ["added", "updated", "favorite", "seen", "wished"] {
      for date in [moment.day, String(moment.day.prefix(7)), moment.year, "today", "..today", "today..", "-1d..+1d"] {
        #expect(titles("\(field):\(date)") == "Aaa\n", "\(field):\(date)")
      }
      for date in ["yesterday", "tomorrow", "..yesterday", "tomorrow..", "<today", ">today"] {
        #expect(titles("\(field):\(date)") == "", "\(field):\(date)")
      }
    }
    #expect(catalog.run("loans", "--json").output.contains("\"lent_on\":\"\(moment.day)\""))
    #expect(catalog.run("diary", "--json").output.contains("\"ended_on\":\"\(moment.day)\""))
    #expect(catalog.run("report", "years", "--added", "--json").output.contains("\"year\":\(moment.year)"))
    let review = catalog.run("report", "year", moment.year, "--json").output
    #expect(review.contains("\"done_on\":\"\(moment.day)\""))
    let figures = try catalog.store.yearReview(try #require(Int(moment.year)), now: catalog.now)
    #expect(figures.figures.added.items == 1)
    #expect(figures.figures.favorites == 1)
    #expect(figures.figures.cards == 1)
    let month = try #require(Int(moment.day.dropFirst(5).prefix(2)))
    #expect(figures.figures.months[month - 1].added == 1)
    #expect(figures.firstAdded?.on.description == moment.day)
    #expect(!figures.isOver)
    let matrix = try catalog.store.genreMatrix(of: .all, by: .yearAdded)
    #expect(matrix.buckets.map(\.value) == [.number(try #require(Int(moment.year)))])
  }

  @Test(arguments: moments)
  func `people see local days and times, and programs UTC`(_ moment: Moment) throws {
    let catalog = try catalog(at: moment)
    for line in [
      "add book --title Aaa", "show 1", "card add 1 --comment good", "favorite 1", "wish book Bbb --yes",
    ] { #expect(catalog.run(line.split(separator: " ").map(String.init)).status == 0, "\(line)") }
    for line in ["list --json", "list --jsonl", "card list --json", "history --json", "wishes --json", "recent --json"]
    {
      let output = catalog.run(line.split(separator: " ").map(String.init)).output
      #expect(output.contains("\"\(moment.utc)\""), "\(line)")
    }
    for line in ["list --columns title,added --tsv", "card list --csv", "history", "wishes", "recent"] {
      #expect(catalog.run(line.split(separator: " ").map(String.init)).output.contains(moment.utc), "\(line)")
    }
    catalog.atTerminal(width: 120)
    for line in ["list --columns title,added", "show 1", "card list", "card show 1", "wishes", "recent"] {
      let output = catalog.run(["--no-pager"] + line.split(separator: " ").map(String.init)).output
      #expect(output.contains(moment.day), "\(line): \(output)")
      #expect(!output.contains("Z"), "\(line): \(output)")
    }
    #expect(catalog.run("--no-pager", "history").output.contains(moment.local))
    #expect(catalog.run("--no-pager", "history", "--operation", "1").output.contains("operation 1, \(moment.local)"))
  }

  @Test(arguments: moments)
  func `a day that a file names is that day here`(_ moment: Moment) throws {
    let catalog = try catalog(at: moment)
    catalog.now += 86_400 * 400
    let folder = try TemporaryFolder()
    let path = folder.path("books.csv")
    try "Title,Author,Date Added,My Rating\nAaa,X,\(moment.day),5\n".write(
      toFile: path, atomically: true, encoding: .utf8)
    #expect(catalog.run("import", path, "--kind", "book", "--yes").status == 0)
    #expect(catalog.run("list", "added:\(moment.day)", "--columns", "title", "--tsv").output == "Aaa\n")
    let entry = try catalog.store.entry(of: ItemID(rawValue: 1))
    #expect(entry.addedOn?.description == moment.day)
    #expect(entry.times.map(\.opinion?.day?.description) == [moment.day])
    // A listed day is read again as the same day.
    let listed = catalog.run("list", "--csv").output
    let again = try TestCatalog()
    (again.localTime, again.now) = (moment.time, catalog.now)
    try listed.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(again.run("import", path, "--yes").status == 0)
    #expect(try again.store.entry(of: ItemID(rawValue: 1)).addedOn?.description == moment.day)
  }

  @Test(arguments: moments)
  func `of two opinions of one day the later is the newest`(_ moment: Moment) throws {
    let catalog = try catalog(at: moment)
    try catalog.add(.movie, "Heat")
    for (place, line) in ["card add 1 --stars 3", "log 1 --stars 5", "log 1 --again --stars 4"].enumerated() {
      catalog.now = moment.clock.addingTimeInterval(Double(place) - 3)
      guard moment.time.day(of: Timestamp(catalog.now)) == moment.day else { return }
      catalog.run(line.split(separator: " ").map(String.init))
    }
    #expect(try catalog.store.item(ItemID(rawValue: 1)).rating?.value == 80)
    #expect(try catalog.store.rating(of: ItemID(rawValue: 1))?.value == 80)
    #expect(catalog.run("list", "rating:4", "--columns", "title", "--tsv").output == "Heat\n")
    #expect(catalog.run("list", "rating:5", "--columns", "title", "--tsv").output == "")
  }

  @Test func `a rating replaces that of the same local day only`() throws {
    let catalog = try catalog(at: Self.moments[2])
    try catalog.add(.movie, "Heat")
    catalog.now = Self.moments[2].clock.addingTimeInterval(-60)
    catalog.run("rate", "1", "3")
    catalog.now += 30
    catalog.run("rate", "1", "4")
    #expect(try catalog.store.cards().map { $0.rating?.value } == [80])
    // A minute later it is the new year.
    catalog.now += 60
    catalog.run("rate", "1", "5")
    #expect(try catalog.store.cards().map { $0.rating?.value } == [100, 80])
  }

  @Test(arguments: [
    ["log", "1", "--on", "DAY"], ["card", "add", "1", "--comment", "x", "--seen", "DAY"],
    ["card", "edit", "1", "--seen", "DAY"], ["lend", "c1", "to", "Anna", "--on", "DAY"],
  ])
  func `a day in words is the local day, and one to come is refused`(_ line: [String]) throws {
    let catalog = try catalog(at: Self.moments[0])
    try catalog.add(.book, "Aaa")
    catalog.now = Self.moments[0].clock
    catalog.run("copy", "add", "1")
    catalog.run("card", "add", "1", "--stars", "3")
    func run(_ day: String) -> TestCatalog.Run { catalog.run(line.map { $0 == "DAY" ? day : $0 }) }
    for day in ["2026-01-03", "2099-12-31", "+1w"] {
      #expect(run(day).status == 2, "\(day)")
      #expect(run(day).errors.contains("is in the future"), "\(day)")
    }
    #expect(run("today").status == 0)
    let days = try catalog.store.db.values(
      """
      SELECT ended_on FROM log_entry UNION ALL SELECT seen_on FROM card WHERE seen_on NOTNULL
      UNION ALL SELECT lent_on FROM loan
      """, as: String.self)
    #expect(days == ["2026-01-01"])
  }
}
