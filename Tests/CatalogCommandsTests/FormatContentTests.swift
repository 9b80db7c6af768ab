import CatalogModel
import Exchange
import FoundationEssentials
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests what comes back from each format that is written and read: docs/export.md has the table.
struct FormatContentTests {
  typealias Generator = FormatRoundTripTests.Generator

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let formats = [
    "csv", "json", "markdown", "letterboxd", "letterboxd-watchlist", "imdb", "goodreads", "storygraph", "discogs",
  ]

  @Test func `docs/export.md says what comes back from each format`() throws {
    let first = try TestCatalog()
    var generator = Generator(seed: 7)
    let count = Rounds.count(60, long: 500)
    var entries = Kind.shelved.flatMap { kind in (0..<count).map { Self.entry($0, kind, &generator) } }
    for place in entries.indices where place % 7 == 6 {
      let other = entries[place - 1].record
      if other.kind == entries[place].record.kind { entries[place].editionOf = other.title }
    }
    let source = Entries(entries)
    let decider = try RowDecider(source, in: first.store)
    _ = try ImportWriter(source, "test", decider, asksCopies: false, first.context()).write(to: first.store)
    let expected = try Self.things(in: first.store)
    #expect(expected.count == entries.count)

    var columns: [[String]] = []
    for format in Self.formats {
      let kind = OutgoingTable.all.first { $0.id == format }?.kind
      let path = folder.path(format + (format == "markdown" ? "" : format == "json" ? ".json" : ".csv"))
      let out = first.run("export", format, "-o", path)
      #expect(out.status == 0, "\(format): \(out.errors)")
      let second = try TestCatalog()
      let run = second.run("import", path, "--yes")
      #expect(run.status == 0 && !run.errors.contains("rejected"), "\(format): \(run.errors)")
      let found = try Self.things(in: second.store)
      columns.append(
        Part.all.map { part in
          var (same, other) = (0, 0)
          for (title, thing) in expected where kind == nil || thing.record.kind == kind {
            // A value that a service cannot hold is left out and reported.
            guard let back = found[title] else { continue }
            let (before, after) = (part.value(thing), part.value(back))
            if !before.isEmpty { if before == after { same += 1 } else { other += 1 } }
            // Facts of copies of which a listing does not say to which they belong are in the note.
            if kind == nil, before.isEmpty, part.name != "note" {
              #expect(after.isEmpty, "\(format): \(part.name) of \(title): \(after)")
            }
          }
          if ["csv", "json", "markdown"].contains(format), found.count != expected.count {
            Issue.record("\(format): \(found.count) items of \(expected.count)")
          }
          return same + other == 0 ? "" : other == 0 ? "yes" : same == 0 ? "–" : "partly"
        })
      #expect(second.run("import", path, "--yes").output.contains("nothing new"), "\(format)")
    }
    var page = "## What comes back\n\n| | \(Self.formats.map { "`\($0)`" }.joined(separator: " | ")) |\n"
    page += "|" + String(repeating: "---|", count: Self.formats.count + 1) + "\n"
    for (number, part) in Part.all.enumerated() {
      page += "| \(part.name) | \(columns.map { $0[number] }.joined(separator: " | ")) |\n"
    }
    try Self.compare(page)
  }

  /// Compares a section with that of docs/export.md, or writes it there.
  private static func compare(_ section: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/export.md")
    let whole = try String(contentsOf: file, encoding: .utf8)
    let heading = try #require(section.split(separator: "\n").first)
    let start = try #require(whole.firstRange(of: heading + "\n\n|"))
    let rest = whole[start.lowerBound...]
    let end = rest.firstRange(of: "|\n\n").map { rest.index($0.lowerBound, offsetBy: 2) } ?? rest.endIndex
    if ProcessInfo.processInfo.environment["UPDATE_DOCS"] != nil {
      try Data((whole[..<start.lowerBound] + section + whole[end...]).utf8).write(to: file)
    } else {
      #expect(String(rest[..<end]) == section, "run UPDATE_DOCS=1 swift test --filter FormatContentTests")
    }
  }

  /// The items of a catalog by title.
  private static func things(in store: Store) throws -> [String: Thing] {
    var things: [String: Thing] = [:]
    for id in try store.ids(Query()) {
      let item = try store.item(id)
      things[item.record.title] = Thing(
        entry: try store.entry(of: id), genres: item.genres, rating: item.rating,
        editions: try store.editions(of: id).map { try store.item($0).record.title }.sorted())
    }
    return things
  }

  // MARK: Parts

  struct Thing {
    var entry: Entry
    var genres: [String]
    var rating: Rating?
    var editions: [String]
    var record: Record { entry.record }
  }

  /// A part of what a catalog has of an item.
  struct Part: Sendable {
    var name: String
    /// Its value as a text; empty if there is none.
    var value: @Sendable (Thing) -> String

    init(_ name: String, _ value: @escaping @Sendable (Thing) -> String?) {
      (self.name, self.value) = (name, { value($0) ?? "" })
    }

    init(_ name: String, list: @escaping @Sendable (Thing) -> [String?]) {
      self.init(name) { thing in list(thing).compactMap(\.self).joined(separator: " / ") }
    }

    private static func names(_ role: Credit.Role) -> @Sendable (Thing) -> [String?] {
      { $0.record.credits.filter { $0.role == role }.map(\.name) }
    }

    private static func copies(_ value: @escaping @Sendable (Copy.Facts) -> String?) -> @Sendable (Thing) -> [String?] {
      {
        $0.entry.copies.map { value($0.facts) }.contains { $0 != nil }
          ? $0.entry.copies.map { value($0.facts) ?? "–" } : []
      }
    }

    static let all = [
      Part("makers", list: { $0.record.creators }), Part("year") { $0.record.year.map(String.init) },
      Part("release date") { $0.record.released?.description },
      Part("original title") { $0.record.originalTitle }, Part("other titles", list: { $0.record.otherTitles }),
      Part("genres", list: { $0.genres }), Part("labels of sources", list: { $0.record.labels }),
      Part("ids", list: { $0.record.externalIDs.map(\.description).sorted() }),
      Part("page on the web") { $0.record.url }, Part("description") { $0.record.summary },
      Part("note") { $0.record.note }, Part("editions", list: { $0.editions }),
      Part("minutes") { $0.record.movie.minutes.map(String.init) }, Part("cast", list: names(.cast)),
      Part("countries", list: { $0.record.movie.countries + [$0.record.vinyl.country] }),
      Part("language") { $0.record.movie.language ?? $0.record.book.language },
      Part("tagline") { $0.record.movie.tagline }, Part("translators", list: names(.translator)),
      Part("ISBN") { $0.record.book.isbn?.digits13 }, Part("publisher") { $0.record.book.publisher },
      Part("publication of the edition") { $0.record.book.published?.description },
      Part("pages") { $0.record.book.pages.map(String.init) }, Part("series") { $0.record.book.series },
      Part("labels", list: { $0.record.recordLabels }), Part("catalog number") { $0.record.vinyl.catalogNumber },
      Part("barcode") { $0.record.vinyl.barcode }, Part("format") { $0.record.vinyl.format },
      Part("speed") { $0.record.vinyl.speed }, Part("discs") { $0.record.vinyl.discs.map(String.init) },
      Part("tracks", list: { $0.record.vinyl.tracks.map { "\($0.position) \($0.title)" } }),
      Part("days of watching or reading", list: { $0.entry.times(.done).map { $0.endedOn?.description ?? "–" } }),
      Part("beginnings", list: { $0.entry.times(.done).map(\.startedOn?.description) }),
      Part("dropped, with its day", list: { $0.entry.times(.dropped).map { $0.endedOn?.description ?? "–" } }),
      Part("in progress", list: { $0.entry.times(.ongoing).map { $0.startedOn?.description ?? "–" } }),
      Part("dropped or in progress", list: { $0.entry.times.map { $0.outcome == .done ? nil : $0.outcome.rawValue } }),
      Part("page where you are", list: { $0.entry.times(.ongoing).map { $0.page.map(String.init) } }),
      Part("notes of the diary", list: { $0.entry.times.map(\.note) }),
      Part("stars", { $0.rating.map { "\($0.value)" } }), Part("scale of the stars") { $0.rating?.scale.rawValue },
      Part("all stars", list: { $0.entry.allOpinions.map { $0.rating.map { "\($0.value)" } } }),
      Part("comments", list: { $0.entry.allOpinions.map(\.comment) }),
      Part("days of stars and comments", list: { $0.entry.allOpinions.map(\.day?.description) }),
      Part("copies", { $0.entry.copies.isEmpty ? nil : "\($0.entry.copies.count)" }),
      Part("grades of copies", list: copies(\.grades)), Part("formats of copies", list: copies(\.format)),
      Part("places of copies", list: copies(\.place)), Part("prices of copies", list: copies(\.price?.description)),
      Part(
        "purchases of copies",
        list: copies { facts in
          let parts = [facts.acquiredOn?.description, facts.acquiredFrom].compactMap(\.self)
          return parts.isEmpty ? nil : parts.joined(separator: " ")
        }),
      Part("notes of copies", list: copies(\.note)),
      Part("loans", list: { $0.entry.copies.map { $0.holder.map { "\($0)" } } }),
      Part("wish") { $0.entry.wish.map { _ in "wish" } }, Part("day of the wish") { $0.entry.wishedOn?.description },
      Part("limit and note of the wish", list: { [$0.entry.wish?.limit?.description, $0.entry.wish?.note] }),
      Part("tags", list: { $0.entry.tags.sorted() }), Part("piles", list: { $0.entry.piles.map(\.pile).sorted() }),
      Part("places in piles", list: { $0.entry.piles.map { place in place.position.map { "\(place.pile) \($0)" } } }),
      Part("favorite") { $0.entry.isFavorite ? "yes" : nil },
      Part("day of the favorite") { $0.entry.favoriteOn?.description },
      Part("day of the addition") { $0.entry.addedOn?.description },
    ]
  }

  // MARK: Items

  /// The rows of a file with these entries.
  private struct Entries: RowSource {
    let formatID = "test"
    let formatName = "test"
    let uses: [ColumnUse] = []
    let entries: [Entry]

    init(_ entries: [Entry]) { self.entries = entries }

    func rows(_ each: (ImportRow) throws -> Bool) throws {
      for (number, entry) in entries.enumerated() {
        let row = ImportRow(
          line: number + 1, key: "\(number)", words: entry.record.title, content: .success(entry), isItem: true,
          work: entry.editionOf ?? entry.record.title)
        guard try each(row) else { return }
      }
    }
  }

  private static func entry(_ number: Int, _ kind: Kind, _ generator: inout Generator) -> Entry {
    func date(_ text: String) -> PartialDate? { PartialDate(text) }
    func sometimes<T>(_ value: T) -> T? { generator.number(0...2) > 0 ? value : nil }
    let unique = number + kind.rawValue.utf8.count * 10_000
    var record = Record(kind: kind, title: generator.title(unique))
    let year = generator.number(1900...1990)
    record.year = year
    record.originalTitle = sometimes("Original \(generator.word()) \(unique)")
    record.otherTitles = (0..<generator.number(0...2)).map { "Other \($0), \(unique)" }
    record.released = kind == .book ? nil : sometimes(date("\(year)-0\(generator.number(1...9))-11")).flatMap(\.self)
    record.summary = sometimes(generator.text())
    record.note = sometimes("my \(generator.word()), my own")
    record.url = sometimes("https://example.com/\(unique)")
    record.labels = [generator.one(["Drama", "Horror"])]
    record.credits = generator.names(1...2).map { Credit(name: $0, role: Credit.Role(main: kind)) }
    switch kind {
    case .movie:
      record.externalIDs = [ExternalID(source: "imdb", value: "tt\(7_000_000 + unique)")]
      record.movie.minutes = sometimes(generator.number(60...200))
      record.movie.countries = Array(["KR", "FR"].prefix(generator.number(0...2)))
      record.movie.language = sometimes("ko")
      record.movie.tagline = sometimes("A \(generator.word()); a line.")
      record.credits += generator.names(1...2).map { Credit(name: $0, role: .cast) }
    case .book:
      record.externalIDs = [ExternalID(source: "goodreads", value: "\(unique)")]
      record.book.isbn = try? ISBN(generator.isbn(number).long)
      record.book.publisher = sometimes("\(generator.word()) & Sons, Ltd.")
      record.book.published = sometimes(date("\(year + 3)-02")).flatMap(\.self)
      record.book.pages = 900
      record.book.language = sometimes("de")
      record.book.series = sometimes("\(generator.word()) Saga #\(generator.number(1...9))")
      record.credits += generator.names(0...1).map { Credit(name: $0, role: .translator) }
    default:
      record.labels = ["Jazz"]
      record.externalIDs = [ExternalID(source: "discogs", value: "\(unique)")]
      let labels = ["\(generator.word()) Records", "Label, Other & Co"].prefix(generator.number(0...2))
      record.vinyl.label = labels.first
      record.credits += labels.dropFirst().map { Credit(name: $0, role: .label) }
      record.vinyl.catalogNumber = sometimes("CL \(unique)")
      record.vinyl.country = sometimes("US")
      record.vinyl.format = sometimes(#"Vinyl, 12", LP"#)
      record.vinyl.speed = sometimes("45 RPM")
      record.vinyl.discs = sometimes(2)
      if number == 3 { record.vinyl.barcode = "0727361379704" }
      record.vinyl.tracks =
        sometimes([Track(position: "A1", title: "A *Song*"), Track(position: "A2", title: "B")]) ?? []
    }
    var entry = Entry(record)
    entry.addedOn = date(generator.day(1991...1994))
    func opinion(on day: PartialDate?) -> Entry.Opinion? {
      let rating = try? Rating(generator.one(["4.5", "3", "4.25", "9/10", "87%"]))
      return Entry.Opinion(rating: sometimes(rating).flatMap(\.self), comment: sometimes(generator.text()), day: day)
    }
    for place in 0..<generator.number(0...2) {
      let end = date(generator.day((2000 + place * 5)...(2003 + place * 5)))
      entry.times.append(
        Entry.Time(
          startedOn: sometimes(date("\(1998 + place * 5)-03-04")).flatMap(\.self), endedOn: end,
          note: sometimes("at \(generator.word())"), opinion: sometimes(opinion(on: end)).flatMap(\.self)))
    }
    switch generator.number(0...4) {
    case 0:
      let page = kind == .book ? generator.number(1...800) : nil
      entry.times.append(Entry.Time(.ongoing, startedOn: date("2020-05-06"), page: page))
    case 1: entry.times.append(Entry.Time(.dropped, startedOn: date("2019-01-02"), endedOn: date("2020-05-06")))
    default: break
    }
    if let opinion = sometimes(opinion(on: date(generator.day(2021...2024)))).flatMap(\.self) {
      entry.opinions = [opinion]
    }
    for place in 0..<generator.number(0...2) {
      let isVinyl = kind == .vinyl
      let facts = Copy.Facts(
        format: sometimes(isVinyl ? "LP" : "Hardcover"), media: isVinyl ? sometimes(.veryGood) : nil,
        sleeve: isVinyl ? sometimes(.mint) : nil, place: sometimes("K1/\(place)"),
        price: sometimes(try? Price(typed: "12.50 EUR")).flatMap(\.self),
        acquiredOn: sometimes(date("2001-02-03")).flatMap(\.self),
        acquiredFrom: sometimes("\(generator.word()) & Sons"), note: sometimes(generator.text()))
      let holder = Copy.Holder(
        person: generator.name(), since: date("2025-01-02"), due: sometimes(date("2027-01-02")).flatMap(\.self))
      entry.copies.append(Entry.CopyOwned(facts, holder: generator.number(0...3) == 0 ? holder : nil))
    }
    if entry.copies.isEmpty, generator.number(0...1) == 0 {
      entry.wish = Wish.Terms(
        limit: sometimes(try? Price(typed: "25000 KRW")).flatMap(\.self), note: sometimes(generator.text()))
      entry.wishedOn = date(generator.day(1996...1999))
    }
    entry.tags = generator.words(0...2)
    entry.piles = generator.number(0...2) == 0 ? [Entry.PilePlace("next, please", position: 1_000 - number)] : []
    entry.isFavorite = generator.number(0...2) == 0
    entry.favoriteOn = entry.isFavorite ? date(generator.day(2005...2009)) : nil
    return entry
  }
}

extension Entry {
  fileprivate func times(_ outcome: LogEntry.Outcome) -> [Time] { times.filter { $0.outcome == outcome } }

  /// The opinions of its times and its others, by their texts.
  fileprivate var allOpinions: [Opinion] {
    (times.compactMap(\.opinion) + opinions).sorted { "\($0)" < "\($1)" }
  }
}
