internal import CatalogModel
internal import Processes

/// A list of titles or codes, one per line: `Heat (1995)`, `9780306406157`, `tt0113277`.
///
/// List marks before them are removed (`- `, `3. `, `[x]`), and lines that begin with `#` are comments.
struct PlainList: FileFormat {
  let id = "list"
  let name = "list of titles or codes"

  func recognizes(_ shape: Shape) -> Bool {
    switch shape {
    case .lines: true
    // Titles with commas, or titles with years, without a header. In a table, no blank follows a comma.
    case .table(let header, _, _):
      header.count <= 2
        || header.contains { Numbers.year($0) != nil } && header.dropFirst().allSatisfy { $0.hasPrefix(" ") }
    default: false
    }
  }

  func uses(in file: InputFile) throws -> [ColumnUse] { [ColumnUse("line", .kept("title or code"))] }

  func read(_ file: InputFile, each: (ImportRow) throws -> Bool) throws {
    var keys = RowKeys()
    try Self.lines(of: try file.text()) { line, number, isMended in
      let text = Self.withoutMarks(line)
      guard !text.isEmpty, !line.hasPrefix("#") else { return true }
      var facts = RowFacts()
      Self.read(text, &facts)
      facts.kind = facts.kind ?? file.kind
      if isMended { facts.remark(.strayBytes) }
      return try each(ImportRow(facts, line: number, rejection: nil, key: try keys.unique(nil, facts)))
    }
  }

  private static func read(_ text: String, _ facts: inout RowFacts) {
    if let isbn = try? ISBN(text) {
      (facts.kind, facts.book.isbn) = (.book, isbn)
    } else if let code = try? Barcode(text) {
      facts.barcode = code.digits
    } else if let id = ExternalID(imdb: text) ?? ExternalID(imdbPage: text) {
      (facts.kind, facts.externalIDs) = (.movie, [id])
    } else {
      facts.title = text
      facts.takeYearFromTitle()
      // `Heat, 1995`, `Heat;1995`, `Heat<tab>1995`
      if facts.year == nil, let mark = text.lastIndex(where: { ",;\t".contains($0) }),
        case let end = text[text.index(after: mark)...].trimmed, end.utf8.count == 4,
        let year = ReleaseYear.parse(end), (1_000...2_200).contains(year), case let title = text[..<mark].trimmed,
        !title.isEmpty
      {
        (facts.title, facts.year) = (String(title), year)
      }
    }
  }

  private static func withoutMarks(_ line: String) -> String {
    var text = line[...]
    if let first = text.first, "-*•·+".contains(first), text.dropFirst().first?.isWhitespace == true {
      text = text.dropFirst().trimmed
    } else if let mark = text.firstIndex(where: { $0 == "." || $0 == ")" }), text[..<mark].allSatisfy(\.isNumber),
      (1...4).contains(text[..<mark].count), text[text.index(after: mark)...].first?.isWhitespace == true
    {
      text = text[text.index(after: mark)...].trimmed
    }
    for box in ["[ ]", "[x]", "[X]"] where text.hasPrefix(box) { text = text.dropFirst(3).trimmed }
    return String(text)
  }

  /// Calls `each` for every non-empty line, trimmed.
  private static func lines(of source: ByteSource, _ each: (String, Int, Bool) throws -> Bool) throws {
    var rest: [UInt8] = []
    var number = 1
    var isBehindCR = false
    func give() throws -> Bool {
      var isMended = false
      return try each(String(forgiving: rest, isMended: &isMended).trimmed, number, isMended)
    }
    while case let piece = try source.next(), !piece.isEmpty {
      for byte in piece {
        defer { isBehindCR = byte == 0x0D }
        if byte == 0x0A, isBehindCR { continue }
        guard byte == 0x0A || byte == 0x0D else {
          rest.append(byte)
          continue
        }
        if !rest.isEmpty, try !give() { return }
        number += 1
        rest.removeAll(keepingCapacity: true)
      }
      guard rest.count <= DelimitedReader.longestCell else {
        throw ImportProblem.tooMuch("line \(number) has more than a million letters")
      }
    }
    if !rest.isEmpty { _ = try give() }
  }
}
