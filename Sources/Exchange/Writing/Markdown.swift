public import CatalogModel

/// Writes an item as a Markdown note with front matter, for Obsidian.
public enum MarkdownNote {
  /// The marker of the end. Text below it belongs to the user and stays.
  public static let ending = "%% catalog: what stands below this line is yours %%"

  /// The file name of the note without `.md`: the title and the year, without characters that file systems or links
  /// reserve.
  public static func name(of item: Outgoing) -> String {
    let title = item.record.title + (item.year.map { " (\($0))" } ?? "")
    var name = ""
    for character in title {
      let isTaken = "/\\:*?\"<>|#^[]%".contains(character) || character.unicodeScalars.contains(where: isControl)
      let next = isTaken ? " " : String(character)
      if name.utf8.count + next.utf8.count > 120 { break }
      if next != " " || name.last != " " { name += next }
    }
    while let last = name.last, last == " " || last == "." { name.removeLast() }
    name = String(name.drop { $0 == " " || $0 == "." })
    let devices = ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] }
    let isDevice = devices.contains(name.split(separator: ".").first?.lowercased() ?? "")
    return name.isEmpty || isDevice ? "\(item.record.kind) \(item.id)" : name
  }

  /// Whether a character does something where a name is shown: a control character, a separator of lines, a change of
  /// the direction of writing.
  fileprivate static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The number of the note's item, from its front matter; nil for other notes.
  public static func item(of note: String) -> ItemID? {
    let lines = note.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count > 1, lines[0] == "---", lines[1].hasPrefix("catalog: ") else { return nil }
    return Int64(lines[1].dropFirst(9)).map(ItemID.init)
  }

  /// The text of the note, including ``ending``.
  public static func text(of item: Outgoing) -> String {
    (frontMatter(of: item) + body(of: item) + [ending]).joined(separator: "\n") + "\n"
  }

  // MARK: Front matter

  /// A property: how it is written, and how an import reads it.
  struct Property: Sendable {
    let name: String
    let mapping: ColumnMapping
    fileprivate let value: @Sendable (Outgoing) -> Value?

    fileprivate init(_ name: String, _ mapping: ColumnMapping, _ value: @escaping @Sendable (Outgoing) -> Value?) {
      (self.name, self.mapping, self.value) = (name, mapping, value)
    }

    /// Creates a property of a kind.
    fileprivate init(
      _ name: String, _ mapping: ColumnMapping, of kind: Kind, _ value: @escaping @Sendable (Record) -> Value?
    ) {
      self.init(name, mapping) { $0.record.kind == kind ? value($0.record) : nil }
    }
  }

  static let properties: [Property] =
    [
      Property("catalog", .left("each catalog has its own numbers")) { .number("\($0.id)") },
      Property("edition_of", ColumnMapping("edition", "edition") { _, _ in true }) {
        $0.entry.editionOf.map { .number($0) }
      },
      Property("kind", .kind) { .text($0.record.kind.rawValue) },
      Property("title", .title) { .text($0.record.title) },
      Property("original_title", .originalTitle) { .init($0.record.originalTitle) },
      // Obsidian finds a note by its aliases.
      Property("aliases", .otherTitle) { item in
        let titles = [item.record.originalTitle].compactMap(\.self) + item.record.otherTitles
        return .list(titles.filter { $0 != item.record.title })
      },
    ]
    + Kind.shelved.map { kind in
      Property(Credit.Role(main: kind).rawValue, .own(nil), of: kind) { .list($0.creators) }
    } + [
      Property("translators", .own(.translator), of: .book) { .list($0.names(.translator)) },
      Property("cast", .own(.cast), of: .movie) { .list($0.names(.cast)) },
      Property("year", .year) { .init($0.year) },
      Property("released", .released) { .init($0.record.released?.description) },
      Property("genres", .genre) { .list($0.genres) },
      Property("rating", .repeated) { $0.rating.map { .number(decimal($0.value * 5)) } },
      // Tags in Obsidian have no blanks.
      Property("tags", .tag) {
        .list($0.entry.tags.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: "-") })
      },
      Property("piles", .pile) { .list($0.entry.piles.map(\.pile)) },
      Property("favorite", .favorite) { $0.entry.isFavorite ? .number("true") : nil },
      Property("favorite_since", .favoriteOn) { .init($0.entry.favoriteOn?.description) },
      Property("wished", .wished) { $0.entry.wish == nil ? nil : .number("true") },
      Property("wished_since", .wishedOn) { .init($0.entry.wishedOn?.description) },
      Property("wish_limit", .wishLimit) { .init($0.entry.wish?.limit?.description) },
      Property("wish_note", .ownWishNote) { .init($0.entry.wish?.note) },
      Property("copies", .repeated) { $0.entry.copies.isEmpty ? nil : .number("\($0.entry.copies.count)") },
      Property("added", .addedOn) { .init($0.entry.addedOn?.description) },
      Property("finished", .repeated) { .list($0.finished.compactMap { $0.endedOn?.description }) },
      Property("isbn", .isbn, of: .book) { .init($0.book.isbn?.digits13) },
      Property("publisher", .publisher, of: .book) { .init($0.book.publisher) },
      Property("published", .published, of: .book) { .init($0.book.published?.description) },
      Property("pages", .pages, of: .book) { .init($0.book.pages) },
      Property("series", .series, of: .book) { .init($0.book.series) },
      Property("language", .language) { .init($0.record.book.language ?? $0.record.movie.language) },
      Property("label", .ownLabel, of: .vinyl) { .several($0.recordLabels) },
      Property("catalog_number", .catalogNumber, of: .vinyl) { .init($0.vinyl.catalogNumber) },
      Property("barcode", .barcode, of: .vinyl) { .init($0.vinyl.barcode) },
      Property("format", .ownFormat, of: .vinyl) { .init($0.vinyl.format) },
      Property("speed", .speed, of: .vinyl) { .init($0.vinyl.speed) },
      Property("discs", .discs, of: .vinyl) { .init($0.vinyl.discs) },
      Property("minutes", .minutes, of: .movie) { .init($0.movie.minutes) },
      Property("tagline", .tagline, of: .movie) { .init($0.movie.tagline) },
      Property("countries", .country) {
        .several($0.record.movie.countries + [$0.record.vinyl.country].compactMap(\.self))
      },
      Property("ids", .externalID) { .list($0.record.externalIDs.map(\.description)) },
      Property("url", .url) { .init($0.record.url) },
      Property("note", .ownNote) { .init($0.record.note) },
    ]

  private static func frontMatter(of item: Outgoing) -> [String] {
    ["---"] + properties.flatMap { $0.value(item)?.lines($0.name) ?? [] } + ["---", ""]
  }

  fileprivate enum Value {
    case number(String)
    case text(String)
    case list([String])

    /// A text if there is only one.
    static func several(_ texts: [String]) -> Value { texts.count == 1 ? .text(texts[0]) : .list(texts) }

    init?(_ text: String?) {
      guard let text else { return nil }
      self = .text(text)
    }

    init?(_ number: Int?) {
      guard let number else { return nil }
      self = .number("\(number)")
    }

    func lines(_ key: String) -> [String] {
      switch self {
      case .number(let number): ["\(key): \(number)"]
      case .text(let text): ["\(key): \(text.inYAML)"]
      case .list(let texts): texts.isEmpty ? [] : ["\(key):"] + texts.map { "  - \($0.inYAML)" }
      }
    }
  }

  private static func decimal(_ hundredths: Int) -> String {
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)" }
    return rest.isMultiple(of: 10) ? "\(whole).\(rest / 10)" : "\(whole)." + (rest < 10 ? "0" : "") + "\(rest)"
  }

  // MARK: Body

  private static func body(of item: Outgoing) -> [String] {
    var lines: [String] = []
    func add(_ heading: String?, _ parts: [String]) {
      guard !parts.isEmpty else { return }
      lines += (heading.map { ["## \($0)", ""] } ?? []) + parts + [""]
    }
    add(nil, item.record.summary.map { [$0.harmless] } ?? [])
    add("Diary", item.entry.times.map(line))
    add("Cards", item.entry.opinions.map { "- " + words(of: $0, on: nil) })
    add("Copies", item.entry.copies.map(line))
    add("Tracks", item.record.tracks.map { "- \($0.position.harmless) \($0.title.harmless)" })
    return lines
  }

  private static func line(of time: Entry.Time) -> String {
    let outcome = [time.outcome == .done ? nil : time.outcome.rawValue, time.page.map { "page \($0)" }]
    let state = outcome.compactMap(\.self).joined(separator: ", ")
    let when = [time.startedOn.map { "\($0) –" }, time.endedOn?.description, state.isEmpty ? nil : "(\(state))"]
    let parts = [
      when.compactMap(\.self).joined(separator: " "), time.opinion.map { words(of: $0, on: time.endedOn) } ?? "",
      time.note?.emphasized ?? "",
    ]
    return "- " + parts.filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// - Parameter end: the day of the time that it belongs to. Its own is written if it is another, or if a comment
  ///   begins the line.
  private static func words(of opinion: Entry.Opinion, on end: PartialDate?) -> String {
    let isOfThatDay = end.map { "\($0)-01-01".prefix(10) == opinion.day?.description ?? "" } ?? false
    let day = isOfThatDay && opinion.rating != nil ? nil : opinion.day.map { "on \($0):" }
    return [day, opinion.rating?.stars, opinion.comment?.harmless].compactMap(\.self).joined(separator: " ")
  }

  private static func line(of copy: Entry.CopyOwned) -> String {
    let facts = copy.facts
    let parts = [
      facts.format, facts.grades, facts.place.map { "at \($0)" }, facts.price.map(\.description),
      facts.acquiredOn.map { "bought \($0)" }, facts.acquiredFrom.map { "from \($0)" },
      copy.holder.map { "lent to \($0.person)" }, copy.holder?.since.map { "since \($0)" },
      copy.holder?.due.map { "due \($0)" },
    ]
    let words = (parts.compactMap { $0?.harmless } + [facts.note?.emphasized].compactMap(\.self)).joined(
      separator: " · ")
    return "- " + (words.isEmpty ? "a copy" : words)
  }
}

extension String {
  /// The text as a double-quoted YAML string, with the escapes of JSON.
  fileprivate var inYAML: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case _ where MarkdownNote.isControl(scalar):
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// A note, as the last part of a line.
  fileprivate var emphasized: String { "*\(harmless)*" }

  /// The text with its Markdown escaped. Its lines stay, indented.
  fileprivate var harmless: String {
    split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
      line.reduce(into: "") { text, character in
        if "\\`*_[]<>#|%".contains(character) { text += "\\" }
        text.append(character)
      }
    }.joined(separator: "  \n  ")
  }
}
