internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The export of The StoryGraph.
  static let storyGraph = TableFormat(
    "storygraph", "The StoryGraph", .book, needs: ["Title", "Authors", "ISBN/UID", "Read Status", "Star Rating"],
    own: ["contributors": contributors, "uid": uid, "dates-read": datesRead, "pace": pace],
    finish: { facts, _ in
      facts.takeSeriesFromTitle()
      if facts.status == .planned { facts.count = nil }
    })

  /// `Howard Richard (Translator), Szíjgyártó László (Illustrator)`: translators are stored, others go into the note.
  private static let contributors = ColumnMapping("translator", "translator") { text, facts in
    for maker in NamedPerson.all(in: text, .firstLast) {
      if maker.role.map(PartRole.init) == .translator {
        facts.credits.append(Credit(name: maker.name, role: .translator))
      } else {
        facts.note("Contributors", maker.name + (maker.role.map { " (\($0))" } ?? ""))
      }
    }
    return true
  }

  /// An ISBN, or an id that only StoryGraph knows.
  private static let uid = ColumnMapping("isbn", "ISBN") { text, facts in
    if let isbn = try? ISBN(text) {
      facts.book.isbn = isbn
      return true
    }
    // A UUID means nothing elsewhere.
    return text.utf8.count == 36 && text.utf8.count(where: { $0 == UInt8(ascii: "-") }) == 4
  }

  private static let pace = ColumnMapping("tags", "tags") { text, facts in
    facts.tags.append("\(text) pace")
    return true
  }

  /// The times of reading: `2022/06/01-2022/06/15, 2023/01/02`.
  private static let datesRead: ColumnMapping = .ordered("finished", "date of watching or reading") {
    text, order, facts in
    for part in Names.list(text, ",;") {
      // `2025/04/02-`: begun and not finished.
      if part.hasSuffix("-"),
        let start = Dates.read(String(part.dropLast()).trimmed, order: order, today: facts.choices.latestDay)
      {
        facts.started = start
        continue
      }
      // A hyphen separates dates with slashes, and a hyphen between blanks separates dates with hyphens.
      let ends = part.contains("/") ? part.split(separator: "-") : part.split(separator: " ").filter { $0 != "-" }
      let dates = ends.map { Dates.read(String($0), order: order, today: facts.choices.latestDay) }
      guard (1...2).contains(dates.count), let last = dates[dates.count - 1] else { return false }
      facts.times.append((dates.count == 2 ? dates[0] : nil, last))
    }
    return true
  }
}
