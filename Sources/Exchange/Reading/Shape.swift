internal import CatalogModel
internal import Lookup
internal import Processes
internal import SQLite

/// The type of a file, judged by its beginning and not by its name.
enum Shape: Sendable, Hashable {
  /// A table: the header, the delimiter, and the line of the header.
  case table(header: [String], delimiter: UInt8, line: Int)
  /// JSON: the names in the first elements.
  case json(names: Set<String>, layout: JSONLayout)
  /// XML: the name of the root element, and those of the first elements inside.
  case xml(root: String, inside: [String])
  /// A zip archive: the paths of its members, in order.
  case zip(members: [String])
  /// An SQLite database: the names of its tables.
  case database(tables: Set<String>)
  /// A file of another form, which becomes one of the others.
  case container(Container)
  /// A folder of Markdown notes: the names of their properties, as ``Cells/key(_:)`` understands names.
  case notes(names: Set<String>)
  /// Lines of text: titles or codes.
  case lines
  case empty
}

extension Shape {
  /// The number of bytes of a text that are examined.
  static let beginning = 256 << 10

  /// - Parameter decoding: the encoding of the file's text.
  init(path: String, _ decoding: TextDecoding?) throws {
    if NoteFolder.isFolder(path) {
      self = .zip(members: try ZipArchive(path: path).members)
      return
    }
    let magic = try ByteSource(path: path).beginning(16)
    if magic.starts(with: [0x50, 0x4B, 3, 4]) || magic.starts(with: [0x50, 0x4B, 5, 6]) {
      let archive = try ZipArchive(path: path)
      self = try Container(of: archive).map(Shape.container) ?? .zip(members: archive.members)
    } else if magic.starts(with: "SQLite format 3".utf8) {
      self = .database(tables: try Self.tables(of: path))
    } else {
      if let known = Self.known.first(where: { magic.starts(with: $0.magic) }) {
        throw ImportProblem(
          .unknown, "'\(path)' is \(known.words), and holds no list that can be read", hint: known.hint)
      }
      self = try Shape(text: ByteSource(path: path), decoding, path: path)
    }
  }

  /// Types of files that users mistake for an export.
  private static let known: [(magic: [UInt8], words: Message, hint: Message?)] = [
    (Array("%PDF".utf8), "a PDF", nil), ([0x89, 0x50, 0x4E, 0x47], "a picture", nil),
    ([0xFF, 0xD8, 0xFF], "a picture", nil),
    ([0xD0, 0xCF, 0x11, 0xE0], "an old Excel file", "save it as CSV, and import that"),
    ([0x7F, 0x45, 0x4C, 0x46], "a program", nil),
  ]

  /// Determines the type of a text.
  init(text source: ByteSource, _ decoding: TextDecoding?, path: String?) throws {
    // XML declares its own encoding.
    let raw = try source.beginning(Self.beginning)
    if let container = Container(markup: raw) {
      self = .container(container)
      return
    }
    if let xml = try Self.xml(raw) {
      self = xml
      return
    }
    let bytes = try source.decoded(decoding, path: path).beginning(Self.beginning)
    let isWhole = bytes.count < Self.beginning
    if bytes.starts(with: "<<<<<<< ".utf8) {
      throw ImportProblem(.unknown, "the file begins with the conflict markers of an unfinished merge: <<<<<<<")
    }
    guard let first = bytes.first(where: { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }) else {
      self = .empty
      return
    }
    if bytes.prefix(4_096).filter({ $0 < 0x20 && ![0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1A].contains($0) }).count > 16 {
      throw ImportProblem(.unknown, "this is not text, an archive or a database that the program knows")
    }
    let container = Container(text: bytes)
    // TOML may begin with the bracket of a table.
    if container != .toml, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let json = try Self.json(bytes, isWhole: isWhole)
    {
      self = json
    } else {
      let table = try Self.table(bytes, isWhole: isWhole)
      let isTable = table.map { AnyTable().recognizes($0) } ?? false
      if let container, container == .markdown || container == .toml || !isTable {
        self = .container(container)
        return
      }
      self = table ?? .lines
    }
  }

  // MARK: Kinds of text

  private static func xml(_ bytes: [UInt8]) throws -> Shape? {
    let text = bytes.drop { [0xEF, 0xBB, 0xBF, 0xFF, 0xFE, 0x20, 0x0A, 0x0D, 0x09, 0].contains($0) }
    guard text.first == UInt8(ascii: "<"),
      let second = text.dropFirst().first(where: { $0 != 0 }),
      second == UInt8(ascii: "?") || second == UInt8(ascii: "!") || (97...122).contains(second | 0x20)
    else { return nil }
    var names: [String] = []
    let elements = XMLElements(source: ByteSource(bytes: bytes))
    do {
      try elements.forEach(
        named: [],
        begin: { element in
          names.append(element.name)
          return names.count < 40
        }, { _ in true })
    } catch let problem as ImportProblem where problem.reason == .damaged && !names.isEmpty {
      // The examined part ends in the middle of the XML.
    }
    guard let root = names.first else { throw ImportProblem.damaged("the file begins like XML, but is not XML") }
    if root.lowercased() == "html" { return .container(.page) }
    if root == "Workbook", names.contains("Worksheet") { return .container(.excel2003) }
    return .xml(root: root, inside: Array(names.dropFirst()))
  }

  private static func json(_ bytes: [UInt8], isWhole: Bool) throws -> Shape? {
    let first = bytes.first { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
    var sample: JSON?
    func names(_ layout: JSONLayout) -> Set<String> {
      var elements = JSONElements(ByteSource(bytes: bytes), layout: layout)
      var names: Set<String> = []
      // It may be truncated or invalid; reading it will report that.
      try? elements.forEach { element in
        sample = sample ?? element.value
        names.formUnion(Cells(element).list.map(\.name))
        // Members that are null in the first elements have names, too.
        let members = element.value.object?.members ?? []
        names.formUnion(members.filter { $0.value == .null }.map(\.key))
        return element.number < 20
      }
      return names
    }
    if first == UInt8(ascii: "[") {
      // A line of a list may begin like JSON: `[1] Heat`.
      let list = names(.list)
      return list.isEmpty && !isWhole ? nil : .json(names: list, layout: .list)
    }
    let sequence = names(.sequence)
    if let members = sample?.object?.members {
      let isList = members.contains { $0.value.list?.first?.object != nil }
      let isScalar = members.contains { $0.value.object == nil && $0.value.list == nil }
      let isObjects = !members.isEmpty && members.allSatisfy { $0.value.object != nil }
      if isObjects { return .json(names: names(.members), layout: .members) }
      if isList, !isScalar || isEnvelope(members) { return .json(names: names(.lists), layout: .lists) }
      return .json(names: sequence, layout: .sequence)
    }
    // A single object that is longer than the examined part.
    let lists = names(.lists)
    if !lists.isEmpty { return .json(names: lists, layout: .lists) }
    let members = names(.members)
    return members.isEmpty ? nil : .json(names: members, layout: .members)
  }

  /// Whether an object only wraps a list of records. A record with a list in it has a title, and its list is not called
  /// after records.
  private static func isEnvelope(_ members: [JSON.Member]) -> Bool {
    let titles = ["title", "name"]
    return !members.contains { titles.contains($0.key.lowercased()) }
      || members.contains { member in
        let isOfTitles = member.value.list?.first?.object?.members.contains { titles.contains($0.key.lowercased()) }
        return isOfTitles ?? false && namesOfLists.contains(member.key.lowercased())
      }
  }

  private static let namesOfLists: Set<String> = [
    "item", "items", "result", "results", "data", "entry", "entries", "list", "docs", "documents", "works", "book",
    "books", "movie", "movies", "film", "films", "album", "albums", "record", "records", "releases", "collection",
  ]

  private static func table(_ bytes: [UInt8], isWhole: Bool) throws -> Shape? {
    let (text, skipped) = withoutPreamble(bytes)
    // The format of exported lists handles the rest of such a file.
    if text.starts(with: "Letterboxd list export".utf8) {
      let line = text.prefix { $0 != 0x0A && $0 != 0x0D }
      return .table(header: [String(forgiving: Array(line))], delimiter: UInt8(ascii: ","), line: 1)
    }
    var best: (score: Int, header: [String], delimiter: UInt8, line: Int)?
    for delimiter in ",;\t|".utf8 {
      var reader = DelimitedReader(ByteSource(bytes: Array(text)), delimiter: delimiter)
      guard let header = try? reader.next(), header.cells.count > 1 else { continue }
      var (rows, alike) = (0, 0)
      while rows < 50, let row = try? reader.next() {
        rows += 1
        // The last row may be truncated.
        if row.cells.count == header.cells.count { alike += 1 }
      }
      // If the rows differ in length, only a known header makes a table.
      let shape = Shape.table(header: header.cells, delimiter: delimiter, line: header.line)
      guard rows == 0 || alike * 2 >= rows || AnyTable().recognizes(shape) else { continue }
      let score = header.cells.count * 100 + (rows == 0 ? 50 : alike * 100 / rows)
      if score > best?.score ?? 0 { best = (score, header.cells, delimiter, header.line) }
    }
    guard let best else { return column(text, skipped: skipped) }
    return .table(header: best.header, delimiter: best.delimiter, line: best.line + skipped)
  }

  /// A table of one column: a known heading alone in its line, and below it one cell a line.
  private static func column(_ text: ArraySlice<UInt8>, skipped: Int) -> Shape? {
    // Unquoted titles may contain a comma.
    for delimiter in ",;\t|".utf8 {
      var reader = DelimitedReader(ByteSource(bytes: Array(text)), delimiter: delimiter)
      guard let header = try? reader.next(), header.cells.count == 1, AnyTable.isHeading(header.cells[0]) else {
        continue
      }
      var isColumn = true
      while isColumn, let row = try? reader.next() { isColumn = row.cells.count == 1 }
      if isColumn { return .table(header: header.cells, delimiter: delimiter, line: header.line + skipped) }
    }
    return nil
  }

  /// Removes Excel's line that declares the delimiter: `sep=;`. The header shows the delimiter as well.
  static func withoutPreamble(_ bytes: [UInt8]) -> (rest: ArraySlice<UInt8>, lines: Int) {
    let first = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    guard first.count <= 7, String(forgiving: first.filter { $0 != 0x22 }).lowercased().hasPrefix("sep=") else {
      return (bytes[...], 0)
    }
    let rest = bytes.dropFirst(first.count)
    return (rest.drop { $0 == 0x0A || $0 == 0x0D }, 1)
  }

  private static func tables(of path: String) throws -> Set<String> {
    do {
      let database = try Connection.ofOthers(path) { Interrupt.isRequested }
      return Set(try database.values("SELECT name FROM sqlite_master WHERE type = 'table'", as: String.self))
    } catch let error as SQLiteError {
      try Interrupt.check()
      throw ImportProblem(error, in: path)
    }
  }
}
