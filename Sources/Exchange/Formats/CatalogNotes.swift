internal import CatalogModel

/// The notes that `catalog export markdown` writes: the item from the properties, and diary, cards and copies from the
/// text.
struct CatalogNotes: FileFormat {
  let id = "catalog-notes"
  let name = "catalog notes"

  func recognizes(_ shape: Shape) -> Bool {
    guard case .notes(let names) = shape else { return false }
    return names.isSuperset(of: ["catalog", "kind", "title"])
  }

  func uses(in file: InputFile) throws -> [ColumnUse] { try Self.table.uses(in: file) }

  func read(_ file: InputFile, each: (ImportRow) throws -> Bool) throws {
    var targets = ColumnMappings(of: Self.table, with: file.choices)
    var keys = RowKeys()
    try Records.rows.forEach(in: file) { cells in
      let (facts, rejection) = Self.table.facts(of: cells, &targets)
      let number = cells.first("catalog").map { "\($0) \(cells.first("added") ?? "")" }
      let row = ImportRow(
        facts, line: cells.line, member: cells.first(Cells.member), rejection: rejection,
        key: try keys.unique(number, facts), until: file.choices.latestDay)
      let content = row.content.map { entry in
        var entry = entry
        entry.readNote(cells.first(Self.text) ?? "")
        return entry
      }
      return try each(
        ImportRow(
          line: row.line, member: row.member, key: row.key, words: row.words, content: content, isItem: true,
          work: cells.first("edition_of") ?? cells.first("catalog")))
    }
  }

  private static let text = "text"

  private static let table: TableFormat = {
    var table = TableFormat(
      "catalog-notes", "catalog notes", nil, isOurs: { _ in true },
      columns: [text: ColumnMapping("text", "summary, diary, cards and copies") { _, _ in true }])
    for property in MarkdownNote.properties { table.columns[Cells.key(property.name)] = property.mapping }
    return table
  }()
}

extension Entry {
  /// Adds the parts of a note's text: a summary, and the lists below the headings. The text below the last line of ours
  /// goes into the note.
  fileprivate mutating func readNote(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let end = lines.firstIndex { $0.trimmed == MarkdownNote.ending } ?? lines.endIndex
    var (heading, summary): (String?, [String]) = (nil, [])
    var items: [(heading: String, text: String)] = []
    for line in lines[..<end] {
      if line.hasPrefix("## ") {
        heading = String(line.dropFirst(3)).trimmed
      } else if let heading, line.hasPrefix("- ") {
        items.append((heading, String(line.dropFirst(2)).withoutBreak))
      } else if heading == nil {
        summary.append(line.withoutBreak)
      } else if line.hasPrefix("  "), let last = items.popLast() {
        items.append((last.heading, "\(last.text)\n\(String(line.dropFirst(2)).withoutBreak)"))
      }
    }
    let prose = summary.map { $0.hasPrefix("  ") ? String($0.dropFirst(2)) : $0 }.joined(separator: "\n").trimmed
    if !prose.isEmpty { record.summary = prose.unescaped }
    for item in items {
      switch item.heading {
      case "Diary": times.append(Time(note: item.text))
      case "Cards": if let opinion = Opinion(note: item.text) { opinions.append(opinion) }
      case "Copies": copies.append(CopyOwned(note: item.text))
      case "Tracks":
        guard record.kind == .vinyl else { continue }
        let parts = item.text.split(separator: " ", maxSplits: 1).map { String($0).unescaped }
        if parts.count == 2 { record.vinyl.tracks.append(Track(position: parts[0], title: parts[1])) }
      default: notes.append(item.text.unescaped)
      }
    }
    if end < lines.endIndex {
      let rest = lines[(end + 1)...].joined(separator: "\n").trimmed
      if !rest.isEmpty { notes.append(rest) }
    }
  }
}

extension Entry.Time {
  /// `2020-01-02 – 2020-02-03 (dropped, page 90) · ★★★★ words · *note*`
  fileprivate init(note text: String) {
    let (line, note) = text.partedNote
    var rest = line[...]
    var (start, end): (PartialDate?, PartialDate?)
    if let match = rest.prefixMatch(of: /([0-9]{4}(?:-[0-9]{2}){0,2}) –( |$)/), let day = PartialDate(String(match.1)) {
      start = day
      rest = rest[match.range.upperBound...]
    }
    if let match = rest.prefixMatch(of: /[0-9]{4}(?:-[0-9]{2}){0,2}(?= |$)/), let day = PartialDate(String(match.0)) {
      end = day
      rest = rest[match.range.upperBound...].trimmed
    }
    var (outcome, page) = (LogEntry.Outcome.done, Int?.none)
    if let match = rest.prefixMatch(of: /\(([a-z]*)(?:, )?(?:page ([0-9]{1,9}))?\)/), match.0.count > 2,
      let known = match.1.isEmpty ? .done : LogEntry.Outcome(rawValue: String(match.1))
    {
      (outcome, page) = (known, match.2.flatMap { Int($0) })
      rest = rest[match.range.upperBound...].trimmed
    }
    if rest.hasPrefix("· ") { rest = rest.dropFirst(2) }
    self.init(
      outcome, startedOn: start, endedOn: end, page: page, note: note, opinion: Entry.Opinion(note: String(rest)))
  }
}

extension Entry.Opinion {
  /// `★★★★½ words`, `9/10 words`, `words`, `on 2024-05-06: ★★★★½ words`
  fileprivate init?(note text: String) {
    let dated = text.prefixMatch(of: /on ([0-9]{4}(?:-[0-9]{2}){0,2}):( |$)/)
    let day = dated.flatMap { PartialDate(String($0.1)) }
    let text = day == nil ? text[...] : text[(dated?.range.upperBound ?? text.startIndex)...]
    guard let match = text.prefixMatch(of: /(★{0,5}[¼½¾]?|☆|[0-9]+\/10|[0-9]+%)( |$)/), !match.1.isEmpty,
      let rating = try? Rating(match.1 == "☆" ? "0" : String(match.1))
    else {
      self.init(comment: String(text).unescaped.nonEmpty, day: day)
      return
    }
    self.init(rating: rating, comment: String(text[match.range.upperBound...]).unescaped.nonEmpty, day: day)
  }
}

extension Entry.CopyOwned {
  /// `LP · VG+/VG · at K1/3 · 25.00 EUR · bought 2020-01-01 · from a shop · lent to Ada · since 2024-01-01 · *note*`
  fileprivate init(note text: String) {
    let (line, note) = text.partedNote
    var facts = Copy.Facts(note: note)
    var holder: Copy.Holder?
    for part in line.split(separator: " · ").map({ String($0).unescaped }) where part != "a copy" {
      func rest(_ word: String) -> String? { part.hasPrefix(word + " ") ? String(part.dropFirst(word.count + 1)) : nil }
      if let place = rest("at") {
        facts.place = place
      } else if let day = rest("bought").flatMap({ PartialDate($0) }) {
        facts.acquiredOn = day
      } else if let shop = rest("from") {
        facts.acquiredFrom = shop
      } else if let person = rest("lent to") {
        holder = Copy.Holder(person: person, since: nil, due: nil)
      } else if let day = rest("since").flatMap({ PartialDate($0) }) {
        holder?.since = day
      } else if let day = rest("due").flatMap({ PartialDate($0) }) {
        holder?.due = day
      } else if let (media, sleeve) = Self.grades(part) {
        (facts.media, facts.sleeve) = (media, sleeve)
      } else if part.contains(/^[0-9]+(\.[0-9]+)? [A-Z]{3}$/), let price = try? Price(typed: part) {
        facts.price = price
      } else {
        facts.format = facts.format.map { "\($0) · \(part)" } ?? part
      }
    }
    self.init(facts, holder: holder)
  }

  /// `VG+/VG`, `–/VG`, `VG+`
  private static func grades(_ text: String) -> (media: Grade?, sleeve: Grade?)? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let first = parts.first, parts.count <= 2 else { return nil }
    let grades = parts.map { Grade(rawValue: $0) }
    guard grades[0] != nil || first == "–" && parts.count == 2, parts.count == 1 || grades[1] != nil else { return nil }
    return (grades[0], parts.count == 2 ? grades[1] : nil)
  }
}

extension String {
  /// The line of a list without the note at its end, which stands in unescaped asterisks; and that note.
  fileprivate var partedNote: (line: String, note: String?) {
    guard hasSuffix("*"), !hasSuffix("\\*") else { return (self, nil) }
    let inner = dropLast()
    if let start = inner.ranges(of: " · *").last {
      return (String(inner[..<start.lowerBound]), String(inner[start.upperBound...]).unescaped)
    }
    return inner.hasPrefix("*") ? ("", String(inner.dropFirst()).unescaped) : (self, nil)
  }

  /// The line without the two blanks that break it.
  fileprivate var withoutBreak: String { hasSuffix("  ") ? String(dropLast(2)) : self }

  /// The text without the backslashes before signs of Markdown.
  fileprivate var unescaped: String { replacing(/\\([\\`*_\[\]<>#|%])/) { String($0.output.1) } }
}
