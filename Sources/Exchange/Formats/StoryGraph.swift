internal import CatalogModel

extension TableFormat {
  /// The export of The StoryGraph.
  static let storyGraph = TableFormat(
    "storygraph", "The StoryGraph", .book, needs: ["Title", "Authors", "ISBN/UID", "Read Status", "Star Rating"],
    columns: [
      "Title": .title, "Authors": .creator.each(of: ","), "Contributors": contributors, "ISBN/UID": uid,
      "Format": .format, "Read Status": .status, "Date Added": .addedOn, "Last Date Read": lastRead,
      "Dates Read": datesRead, "Read Count": .count, "Moods": .tags, "Pace": pace, "Star Rating": .rating(.five),
      "Review": .review, "Tags": .tags, "Owned?": .owned,
    ],
    finish: { facts, _ in
      facts.takeSeriesFromTitle()
      if facts.status == .dropped || facts.status == .wish { facts.count = nil }
    })

  /// `Howard Richard (Translator), Szíjgyártó László (Illustrator)`: translators are kept, others are named in the note.
  private static let contributors = Target("translator", "translator") { text, facts in
    for part in Names.list(text, ",") {
      guard let open = part.lastIndex(of: "("), part.hasSuffix(")") else {
        facts.note("Contributors", part)
        continue
      }
      let role = part[part.index(after: open)...].dropLast().lowercased()
      let name = part[..<open].trimmed
      if role.hasPrefix("transl") {
        facts.credits.append(Credit(name: String(name), role: .translator))
      } else {
        facts.note("Contributors", part)
      }
    }
    return true
  }

  /// An ISBN, or a name that only StoryGraph knows.
  private static let uid = Target("isbn", "ISBN") { text, facts in
    if let isbn = try? ISBN(text) {
      facts.book.isbn = isbn
      return true
    }
    // A UUID says nothing to anybody else.
    return text.utf8.count == 36 && text.utf8.count(where: { $0 == UInt8(ascii: "-") }) == 4
  }

  private static let pace = Target("tags", "tags") { text, facts in
    facts.tags.append("\(text) pace")
    return true
  }

  private static let lastRead = Target("finished", "date of watching or reading") { text, facts in
    guard let date = Dates.read(text) else { return false }
    if facts.status == .dropped { facts.dropped.append(date) } else { facts.finished.append(date) }
    return true
  }

  /// `2022/06/01-2022/06/15, 2023/01/02`: each time that it was read.
  private static let datesRead = Target("finished", "date of watching or reading") { text, facts in
    for part in Names.list(text, ",;") {
      // Between dates with slashes a hyphen, or between those with hyphens a blank on each side.
      let ends = part.contains("/") ? part.split(separator: "-") : part.split(separator: " ").filter { $0 != "-" }
      let dates = ends.map { Dates.read(String($0)) }
      guard (1...2).contains(dates.count), let last = dates[dates.count - 1] else { return false }
      if facts.status == .dropped {
        if !facts.dropped.contains(last) { facts.dropped.append(last) }
      } else {
        facts.finished.removeAll { $0 == last }
        facts.times.append((dates.count == 2 ? dates[0] : nil, last))
      }
    }
    return true
  }
}
