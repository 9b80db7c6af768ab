internal import CatalogModel
internal import Lookup
internal import Processes

/// A format with one record per item, defined by a table from columns to targets.
struct TableFormat: FileFormat {
  var id: String
  var name: String
  /// The kind of its items; nil if each record has it, or the user gives it.
  var kind: Kind?
  /// The method to find its records in a file.
  var records: Records = .rows
  /// Whether a file has this format.
  var isOurs: @Sendable (Shape) -> Bool
  /// The target of each column, by its ``Cells/key(_:)``. Columns that are not listed go into the note.
  var columns: [String: ColumnMapping]
  /// The targets of columns by prefix, for columns that are numbered or that the user named.
  var prefixes: [(String, ColumnMapping)] = []
  /// Sets values that no single column gives. It may reject the row.
  var finish: @Sendable (inout RowFacts, Cells) throws(ImportRow.Rejection) -> Void = { _, _ in }
  /// The id of the record in the other program; nil if it has none.
  var key: (@Sendable (Cells, RowFacts) -> String?)?
  /// Whether its records are numbered items, none of which is another.
  var numbersItems = false
  var remarks: [Entry.Remark] = []
  /// The fields in Data/formats.tsv that are none.
  let unknown: [String]
  /// Analyzes a file for settings that single records do not give.
  private var prepare: (@Sendable (InputFile, inout TableFormat) throws -> Void)?
  /// The use of archive members without records.
  var otherMembers: @Sendable (String) -> ColumnUse.Role? = { _ in nil }

  /// - Parameters:
  ///   - needs: the columns by which its tables or JSON lists are recognized.
  ///   - isOurs: recognizes a file in another way.
  ///   - columns: the columns with their targets, if they do not stand in Data/formats.tsv.
  ///   - own: the meanings there that only this format has, by their names.
  init(
    _ id: String, _ name: String, _ kind: Kind?, needs: [String] = [], records: Records = .rows,
    isOurs: (@Sendable (Shape) -> Bool)? = nil, columns: KeyValuePairs<String, ColumnMapping> = [:],
    prefixes: [(String, ColumnMapping)] = [], own: [String: ColumnMapping] = [:],
    finish: @escaping @Sendable (inout RowFacts, Cells) throws(ImportRow.Rejection) -> Void = { _, _ in },
    key: (@Sendable (Cells, RowFacts) -> String?)? = nil
  ) {
    let needed = Set(needs.map(Cells.key))
    (self.id, self.name, self.kind, self.records) = (id, name, kind, records)
    self.isOurs = isOurs ?? { $0.names.map { needed.isSubset(of: $0) } ?? false }
    let known = FormatColumns(of: id, own: own)
    self.columns = known.exact.merging(columns.map { (Cells.key($0), $1) }) { $1 }
    self.prefixes = known.prefixes + prefixes.map { (Cells.key($0.0), $0.1) }
    (unknown, self.finish, self.key) = (known.unknown, finish, key)
  }

  func recognizes(_ shape: Shape) -> Bool { isOurs(shape) }

  func target(_ column: String) -> ColumnMapping {
    let key = Cells.key(column)
    return columns[key] ?? prefixes.first { key.hasPrefix($0.0) }?.1 ?? (Self.isOurs(column) ? .inside : .note)
  }

  /// Whether the name is no column of the file but one that ``Cells`` adds.
  private static func isOurs(_ column: String) -> Bool { column.hasPrefix("(") && column.hasSuffix(")") }

  /// Returns the format adapted to the cells of this file. A spreadsheet may have rewritten the days of any table.
  func fitted(to file: InputFile) throws -> any FileFormat {
    var format = self
    try prepare?(file, &format)
    switch records {
    case .rows, .elements, .query: try format.fit(to: file)
    case .parts, .other: break
    }
    return format
  }

  /// Returns the format with a function that analyzes each file first.
  func prepared(_ prepare: @escaping @Sendable (InputFile, inout TableFormat) throws -> Void) -> TableFormat {
    var format = self
    format.prepare = prepare
    return format
  }

  /// Determines the orders of days and the scales of ratings from the cells.
  /// - Parameter isTold: whether the user set the meaning of a column, by its key. Then it stays.
  mutating func fit(to file: InputFile, isTold: (String) -> Bool = { _ in false }) throws {
    let sample = try ColumnSample(of: file, columns, in: records)
    for (key, name) in sample.names {
      guard let target = columns[key] else { continue }
      let (fitted, remark) = sample.fitted(target, column: name, key: key)
      if fitted.id == ColumnMapping.note.id, isTold(key) { continue }
      columns[key] = fitted
      if let remark, !remarks.contains(remark) { remarks.append(remark) }
    }
  }

  func uses(in file: InputFile) throws -> [ColumnUse] {
    if case .table(let header, _, _) = file.shape {
      return header.filter { !$0.trimmed.isEmpty }.map { ColumnUse($0, target($0).use) }
    }
    // The columns of the first records. Unknown columns of later ones go into notes.
    var uses: [ColumnUse] = []
    var known: Set<String> = []
    var left = 1_000
    try records.forEach(in: file) { cells in
      for cell in cells.list where !cell.value.isEmpty && !Self.isOurs(cell.name) && uses.count < 1_000 {
        let (name, target) = (cell.name, target(cell.name))
        guard known.insert(name).inserted else { continue }
        // Members of an object with the same use are listed as the object.
        let isPart = columns[Cells.key(name)] == nil && target.id != ColumnMapping.note.id
        let use = ColumnUse(isPart ? String(name.prefix { $0 != "." }) : name, target.use)
        if !uses.contains(use) { uses.append(use) }
      }
      left -= 1
      return left > 0
    }
    if case .parts(let chosen) = records, case .zip(let members) = file.shape {
      let read = Set(chosen(members))
      for member in members where !read.contains(member) && !member.hasSuffix("/") {
        uses.append(
          ColumnUse(member, otherMembers(member) ?? .left("it is not for a catalog, or is also in another part")))
      }
    }
    return uses
  }

  func check(_ file: InputFile) throws {
    var count = 0
    try records.forEach(in: file) { _ in
      try Interrupt.check()
      count += 1
      try RowKeys.check(count)
      return true
    }
  }

  func read(_ file: InputFile, each: (ImportRow) throws -> Bool) throws {
    var targets = ColumnMappings(of: self, with: file.choices)
    var keys = RowKeys()
    let lists = columns.filter { $0.value.isList }
    try records.forEach(in: file) { cells in
      let cells = lists.isEmpty ? cells : cells.split { lists[$0] != nil }
      var (facts, rejection) = facts(of: cells, &targets)
      if facts.kind == nil { facts.kind = file.kind }
      return try each(
        ImportRow(
          facts, line: cells.line, member: cells.first(Cells.member), rejection: rejection,
          key: try keys.unique(key?(cells, facts), facts), until: file.choices.latestDay, isItem: numbersItems))
    }
  }
}

extension TableFormat {
  /// Returns the values of a record, and the reason if it is rejected.
  func facts(of cells: Cells, _ targets: inout ColumnMappings) -> (RowFacts, ImportRow.Rejection?) {
    var facts = RowFacts()
    (facts.kind, facts.remarks, facts.choices) = (kind, cells.remarks, targets.choices)
    do throws(ImportRow.Rejection) {
      if targets.needsFirst { readFirst(of: cells, &targets, &facts) }
      for isLast in targets.hasLast ? [false, true] : [false] {
        for (place, cell) in cells.list.enumerated() where !cell.value.isEmpty {
          let target = targets.target(of: cell.name, at: place, in: cells)
          if target.isLast != isLast || target.read(cell.value, &facts) { continue }
          if case .kept = target.use {
            facts.noteInstead(cell.name, cell.value)
          } else {
            facts.note(cell.name, cell.value)
          }
        }
      }
      try finish(&facts, cells)
    } catch {
      return (facts, error)
    }
    return (facts, nil)
  }

  /// Reads the kind and the currency first, wherever they stand, because other cells depend on them.
  private func readFirst(of cells: Cells, _ targets: inout ColumnMappings, _ facts: inout RowFacts) {
    for (place, cell) in cells.list.enumerated() where !cell.value.isEmpty {
      let target = targets.target(of: cell.name, at: place, in: cells)
      let isFirst = target.id == ColumnMapping.kind.id || target.id == ColumnMapping.currency.id
      if isFirst { _ = target.read(cell.value, &facts) }
    }
  }
}

extension InputFile {
  /// The names of its columns, or of the members of its first elements.
  var columnNames: [String] {
    switch shape {
    case .table(let header, _, _): header
    // Short names come first: a title is `title` before it is `movie.title`.
    case .json(let names, _), .notes(let names): names.sorted { ($0.count, $0) < ($1.count, $1) }
    default: []
    }
  }
}

/// The targets of a file's columns, each looked up once.
struct ColumnMappings {
  private let format: TableFormat
  let choices: ImportChoices
  /// Whether a column has what other cells of its row depend on.
  let needsFirst: Bool
  /// Whether some columns are read behind all others.
  let hasLast: Bool
  /// The targets in a table by place, with the keys of its header: a file may have several tables.
  private var keys: [String] = []
  private var byPlace: [ColumnMapping?] = []
  private var byName: [String: ColumnMapping] = [:]

  init(of format: TableFormat, with choices: ImportChoices) {
    (self.format, self.choices) = (format, choices)
    hasLast = format.columns.values.contains(where: \.isLast)
    needsFirst = format.kind == nil || format.columns.values.contains { $0.id == ColumnMapping.currency.id }
  }

  mutating func target(of name: String, at place: Int, in cells: Cells) -> ColumnMapping {
    guard place < cells.keys.count else { return target(of: name) }
    // Within one table, the keys are the same array, so comparing them costs nothing.
    if keys != cells.keys { (keys, byPlace) = (cells.keys, Array(repeating: nil, count: cells.keys.count)) }
    if let known = byPlace[place] { return known }
    let target = format.target(name)
    byPlace[place] = target
    return target
  }

  private mutating func target(of name: String) -> ColumnMapping {
    if let known = byName[name] { return known }
    let target = format.target(name)
    if byName.count < 1_000 { byName[name] = target }
    return target
  }
}

extension ImportRow {
  convenience init(
    _ facts: consuming RowFacts, line: Int, member: String? = nil, rejection: Rejection?, key: String,
    until latest: PartialDate? = nil, isItem: Bool = false
  ) {
    let words = facts.words
    let content: Result<Entry, Rejection>
    if let rejection {
      content = .failure(rejection)
    } else {
      do throws(Rejection) {
        content = .success(try facts.entry(until: latest))
      } catch {
        content = .failure(error)
      }
    }
    self.init(line: line, member: member, key: key, words: words, content: content, isItem: isItem)
  }
}

extension RowFacts {
  /// The row in a few words for the user: `Heat (1995)`.
  var words: String {
    let title = title ?? originalTitle ?? code
    let year = (year ?? released?.year ?? book.published?.year ?? editionYear).map { " (\($0))" } ?? ""
    let creator = creator.map { ", \(PlainText.line($0))" } ?? ""
    guard let title else { return "?" }
    let short = PlainText.line(title.utf8.count <= 200 ? title : String(title.prefix(200)))
    return "\(short)\(year)\(kind == .movie ? "" : creator)"
  }
}

/// The keys that identify rows in later exports, unique within a file.
struct RowKeys {
  /// The maximum number of rows.
  static let most = 200_000
  private var seen: Set<UInt64> = []
  /// The number of occurrences of repeated keys.
  private var repeated: [UInt64: Int] = [:]
  private var count = 0

  /// - Throws: ``ImportProblem`` when a file has too many rows.
  static func check(_ count: Int) throws {
    guard count <= most else {
      throw ImportProblem(
        .tooMuch, "the file has more than \(most) rows", hint: "split it, and import the parts one after the other")
    }
  }

  /// Returns the id of the other program, or kind, title, creator, year and volume. A repeated key gets a number.
  /// - Throws: ``ImportProblem`` if there are too many rows.
  mutating func unique(_ name: String?, _ facts: RowFacts) throws -> String {
    count += 1
    try Self.check(count)
    // Only the number distinguishes the volumes of one title.
    let volume = facts.book.series == nil || facts.book.series != facts.title ? nil : facts.seriesNumber
    let key =
      name
      ?? ([
        facts.kind?.rawValue ?? "", facts.title ?? facts.originalTitle ?? facts.code ?? "",
        facts.creator ?? "", (facts.year ?? facts.released?.year).map(String.init) ?? "",
      ] + (volume.map { ["#\($0)"] } ?? [])).map { Folding.fold($0.trimmed) }.joined(separator: "|")
    let short = key.utf8.count <= 300 ? key : String(key.prefix(300))
    let hash = FNV1a(short).value
    if seen.insert(hash).inserted { return short }
    let number = repeated[hash, default: 1] + 1
    repeated[hash] = number
    return "\(short)#\(number)"
  }
}
