internal import CatalogModel
internal import Lookup
internal import Processes
internal import SQLite

/// What a file is, as far as its beginning tells. Its name says nothing.
enum Shape: Sendable, Hashable {
  /// Cells between delimiters; the cells of the first line that is no preamble, and which line that is.
  case table(header: [String], delimiter: UInt8, line: Int)
  /// JSON: the names in the first thing that it tells of.
  case json(names: Set<String>, layout: JSONLayout)
  /// The name of its first element, and what stands in that.
  case xml(root: String, inside: [String])
  /// The paths of the members, in the order of the archive.
  case zip(members: [String])
  /// The tables of an SQLite file.
  case database(tables: Set<String>)
  /// Lines of text: titles or codes.
  case lines
  case empty
}

extension Shape {
  /// How much of a text is looked at, in bytes.
  static let beginning = 256 << 10

  /// - Parameter decoding: how the text of the file is written down.
  init(path: String, _ decoding: TextDecoding) throws {
    let magic = try ByteSource(path: path).beginning(16)
    if magic.starts(with: [0x50, 0x4B, 3, 4]) || magic.starts(with: [0x50, 0x4B, 5, 6]) {
      self = .zip(members: try ZipArchive(path: path).members)
    } else if magic.starts(with: "SQLite format 3".utf8) {
      self = .database(tables: try Self.tables(of: path))
    } else {
      if let known = Self.known.first(where: { magic.starts(with: $0.magic) }) {
        throw ImportProblem(
          .unknown, "'\(path)' is \(known.words), which holds no list that could be read", hint: known.hint)
      }
      self = try Shape(text: ByteSource(path: path), decoding, path: path)
    }
  }

  /// What people take for an export now and then.
  private static let known: [(magic: [UInt8], words: Wording, hint: Wording?)] = [
    (Array("%PDF".utf8), "a PDF", nil), ([0x89, 0x50, 0x4E, 0x47], "a picture", nil),
    ([0xFF, 0xD8, 0xFF], "a picture", nil), ([0x1F, 0x8B], "a gzip archive", "unpack it first: gunzip FILE"),
    ([0xD0, 0xCF, 0x11, 0xE0], "an old Excel file", "save it as CSV, and import that"),
    ([0x7F, 0x45, 0x4C, 0x46], "a program", nil),
  ]

  /// What a text is.
  init(text source: ByteSource, _ decoding: TextDecoding, path: String?) throws {
    // XML says itself how it is written.
    let raw = try source.beginning(Self.beginning)
    if let xml = try Self.xml(raw) {
      self = xml
      return
    }
    let bytes = try source.decoded(decoding, path: path).beginning(Self.beginning)
    let isWhole = bytes.count < Self.beginning
    if bytes.starts(with: "<<<<<<< ".utf8) {
      throw ImportProblem(.unknown, "the file begins with the marks of a merge that nobody finished: <<<<<<<")
    }
    guard let first = bytes.first(where: { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }) else {
      self = .empty
      return
    }
    if bytes.prefix(4_096).filter({ $0 < 0x20 && ![0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1A].contains($0) }).count > 16 {
      throw ImportProblem(.unknown, "this is no text, no archive and no database that is known")
    }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "["), let json = try Self.json(bytes, isWhole: isWhole) {
      self = json
    } else {
      self = try Self.table(bytes, isWhole: isWhole) ?? .lines
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
      // The end of what was looked at is the end of nothing.
    }
    guard let root = names.first else { throw ImportProblem.damaged("the file begins like XML, but is none") }
    if root.lowercased() == "html" { throw ImportProblem(.unknown, "this is a page of the web, not an export") }
    return .xml(root: root, inside: Array(names.dropFirst()))
  }

  private static func json(_ bytes: [UInt8], isWhole: Bool) throws -> Shape? {
    let first = bytes.first { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
    var sample: JSON?
    func names(_ layout: JSONLayout) -> Set<String> {
      var elements = JSONElements(ByteSource(bytes: bytes), layout: layout)
      var names: Set<String> = []
      // It may be cut, or no JSON at all: reading it will tell.
      try? elements.forEach { element in
        sample = sample ?? element.value
        names.formUnion(Cells(element).list.map(\.name))
        // What is not known of the first ones has a name, too.
        if case .object(let members) = element.value {
          names.formUnion(members.filter { $0.value == .null }.map(\.key))
        }
        return element.number < 20
      }
      return names
    }
    if first == UInt8(ascii: "[") {
      // `[1] Heat` is a line of a list.
      let list = names(.list)
      return list.isEmpty && !isWhole ? nil : .json(names: list, layout: .list)
    }
    let sequence = names(.sequence)
    if case .object(let members)? = sample {
      let isList = members.values.contains {
        if case .list(let items) = $0, case .object? = items.first { true } else { false }
      }
      let isScalar = members.values.contains { value in
        switch value {
        case .object, .list: false
        default: true
        }
      }
      let isObjects = !members.isEmpty && members.values.allSatisfy { if case .object = $0 { true } else { false } }
      if isObjects { return .json(names: names(.members), layout: .members) }
      if isList, !isScalar || isEnvelope(members) { return .json(names: names(.lists), layout: .lists) }
      return .json(names: sequence, layout: .sequence)
    }
    // One object that is longer than what was looked at.
    let lists = names(.lists)
    if !lists.isEmpty { return .json(names: lists, layout: .lists) }
    let members = names(.members)
    return members.isEmpty ? nil : .json(names: members, layout: .members)
  }

  /// Whether an object is what is around a list of things, and no thing with a list in it: it has no title.
  private static func isEnvelope(_ members: [String: JSON]) -> Bool {
    !members.keys.contains { ["title", "name"].contains($0.lowercased()) }
  }

  private static func table(_ bytes: [UInt8], isWhole: Bool) throws -> Shape? {
    let (text, skipped) = withoutPreamble(bytes)
    // An export of a list begins with the list itself; its format knows how it goes on.
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
        // The last one may be cut.
        if row.cells.count == header.cells.count { alike += 1 }
      }
      // Of rows that differ, only a header that is known makes a table.
      let shape = Shape.table(header: header.cells, delimiter: delimiter, line: header.line)
      guard rows == 0 || alike * 2 >= rows || AnyTable().recognizes(shape) else { continue }
      let score = header.cells.count * 100 + (rows == 0 ? 50 : alike * 100 / rows)
      if score > best?.score ?? 0 { best = (score, header.cells, delimiter, header.line) }
    }
    guard let best else { return nil }
    return .table(header: best.header, delimiter: best.delimiter, line: best.line + skipped)
  }

  /// Excel's word for the delimiter before the header, which it tells itself as well: `sep=;`
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
      let database = try Connection.ofOthers(path)
      return Set(try database.values("SELECT name FROM sqlite_master WHERE type = 'table'", as: String.self))
    } catch let error as SQLiteError {
      try Interrupt.check()
      throw ImportProblem(error, in: path)
    }
  }
}
