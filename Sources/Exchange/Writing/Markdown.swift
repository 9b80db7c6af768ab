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

  private static func frontMatter(of item: Outgoing) -> [String] {
    let (record, entry) = (item.record, item.entry)
    let details: [(String, Value?)] =
      switch record.kind {
      case .book:
        [
          ("isbn", record.book.isbn.map { .text($0.digits13) }), ("publisher", .init(record.book.publisher)),
          ("pages", .init(record.book.pages)), ("series", .init(record.book.series)),
        ]
      case .vinyl:
        [
          ("label", .init(record.vinyl.label)), ("catalog_number", .init(record.vinyl.catalogNumber)),
          ("format", .init(record.vinyl.format)),
        ]
      default: [("minutes", .init(record.movie.minutes))]
      }
    let members: [(String, Value?)] =
      [
        ("catalog", .number("\(item.id)")), ("kind", .text(record.kind.rawValue)), ("title", .text(record.title)),
        (
          "aliases",
          .list(([record.originalTitle].compactMap(\.self) + record.otherTitles).filter { $0 != record.title })
        ),
        (Credit.Role(main: record.kind).rawValue, .list(record.creators)), ("year", .init(item.year)),
        ("genres", .list(item.genres)),
        ("rating", item.rating.map { .number(decimal($0.value * 5)) }),
        // Tags in Obsidian have no blanks.
        ("tags", .list(entry.tags.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: "-") })),
        ("piles", .list(entry.piles.map(\.pile))), ("favorite", entry.isFavorite ? .number("true") : nil),
        ("wished", entry.wish == nil ? nil : .number("true")),
        ("copies", entry.copies.isEmpty ? nil : .number("\(entry.copies.count)")),
        ("added", entry.addedOn.map { .text($0.description) }),
        ("finished", .list(item.finished.compactMap { $0.endedOn?.description })),
      ] + details + [("ids", .list(record.externalIDs.map(\.description))), ("url", .init(record.url))]
    return ["---"] + members.flatMap { key, value in value?.lines(key) ?? [] } + ["---", ""]
  }

  private enum Value {
    case number(String)
    case text(String)
    case list([String])

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
    add("Cards", item.entry.opinions.map { "- " + words(of: $0) })
    add("Copies", item.entry.copies.map(line))
    add("Tracks", item.record.tracks.map { "- \($0.position.harmless) \($0.title.harmless)" })
    return lines
  }

  private static func line(of time: Entry.Time) -> String {
    let day = [time.startedOn.map { "\($0) –" }, time.endedOn?.description].compactMap(\.self).joined(separator: " ")
    let outcome = time.outcome == .done ? "" : " (\(time.outcome.rawValue))"
    let parts = [(day + outcome).trimmed, time.opinion.map(words) ?? "", time.note?.emphasized ?? ""]
    return "- " + parts.filter { !$0.isEmpty }.joined(separator: " · ")
  }

  private static func words(of opinion: Entry.Opinion) -> String {
    [opinion.rating?.stars, opinion.comment?.harmless].compactMap(\.self).joined(separator: " ")
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
