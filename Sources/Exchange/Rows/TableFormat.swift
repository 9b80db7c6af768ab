internal import CatalogModel
internal import Lookup
internal import Processes

/// A format of which every record is one thing, told by a table: column → what it means.
struct TableFormat: FileFormat {
  var id: String
  var name: String
  /// What its things are; nil where each says it, or the person.
  var kind: Kind?
  /// How its records are found in a file.
  var records: Records = .rows
  /// Whether a file is of it.
  var isOurs: @Sendable (Shape) -> Bool
  /// What each column means, by its name as ``Cells/key(_:)`` understands names. A column that is not named here goes into
  /// the note.
  var columns: [String: Target]
  /// Columns whose names begin so, for those that are numbered or named by the person.
  var prefixes: [(String, Target)] = []
  /// What no single column says. It may reject the row.
  var finish: @Sendable (inout RowFacts, Cells) throws(ImportRow.Rejection) -> Void = { _, _ in }
  /// What the other program calls the record; nil where it has no name for it.
  var key: (@Sendable (Cells, RowFacts) -> String?)?
  var remarks: [Entry.Remark] = []
  /// Finds out of a file what its records alone do not say.
  private var prepare: (@Sendable (InputFile, inout TableFormat) throws -> Void)?
  /// What becomes of members of an archive that have no records.
  var otherMembers: @Sendable (String) -> ColumnUse.Fate? = { _ in nil }

  init(
    _ id: String, _ name: String, _ kind: Kind?, records: Records = .rows,
    isOurs: @escaping @Sendable (Shape) -> Bool, columns: KeyValuePairs<String, Target>,
    prefixes: [(String, Target)] = [],
    finish: @escaping @Sendable (inout RowFacts, Cells) throws(ImportRow.Rejection) -> Void = { _, _ in },
    key: (@Sendable (Cells, RowFacts) -> String?)? = nil
  ) {
    (self.id, self.name, self.kind, self.records, self.isOurs) = (id, name, kind, records, isOurs)
    self.columns = Dictionary(columns.map { (Cells.key($0), $1) }) { first, _ in first }
    self.prefixes = prefixes.map { (Cells.key($0.0), $0.1) }
    (self.finish, self.key) = (finish, key)
  }

  /// A format whose tables, or lists of JSON, are known by some of their columns.
  init(
    _ id: String, _ name: String, _ kind: Kind?, needs: [String], columns: KeyValuePairs<String, Target>,
    prefixes: [(String, Target)] = [],
    finish: @escaping @Sendable (inout RowFacts, Cells) throws(ImportRow.Rejection) -> Void = { _, _ in },
    key: (@Sendable (Cells, RowFacts) -> String?)? = nil
  ) {
    let needed = Set(needs.map(Cells.key))
    self.init(
      id, name, kind, isOurs: { $0.names.map { needed.isSubset(of: $0) } ?? false }, columns: columns,
      prefixes: prefixes, finish: finish, key: key)
  }

  func recognizes(_ shape: Shape) -> Bool { isOurs(shape) }

  func target(_ column: String) -> Target {
    let key = Cells.key(column)
    return columns[key] ?? prefixes.first { key.hasPrefix($0.0) }?.1 ?? (Self.isOurs(column) ? .inside : .note)
  }

  /// Whether it is no column of the file, but what ``Cells`` says of a record.
  private static func isOurs(_ column: String) -> Bool { column.hasPrefix("(") && column.hasSuffix(")") }

  /// The same with what the cells of this file say of its columns. A spreadsheet may have written the days of any table anew.
  func fitted(to file: InputFile) throws -> any FileFormat {
    var format = self
    try prepare?(file, &format)
    switch records {
    case .rows, .elements, .query: try format.fit(to: file)
    case .parts, .other: break
    }
    return format
  }

  /// The same with something to find out of each file first.
  func prepared(_ prepare: @escaping @Sendable (InputFile, inout TableFormat) throws -> Void) -> TableFormat {
    var format = self
    format.prepare = prepare
    return format
  }

  /// Settles the orders of days and the scales of ratings by what stands in the columns.
  /// - Parameter isTold: whether a person said what a column means, by its key: then it is that.
  mutating func fit(to file: InputFile, isTold: (String) -> Bool = { _ in false }) throws {
    let sample = try ColumnSample(of: file, columns, in: records)
    for (key, name) in sample.names {
      guard let target = columns[key] else { continue }
      let (fitted, remark) = sample.fitted(target, column: name, key: key)
      if fitted.id == Target.note.id, isTold(key) { continue }
      columns[key] = fitted
      if let remark, !remarks.contains(remark) { remarks.append(remark) }
    }
  }

  func uses(in file: InputFile) throws -> [ColumnUse] {
    if case .table(let header, _, _) = file.shape {
      return header.filter { !$0.trimmed.isEmpty }.map { ColumnUse($0, target($0).use) }
    }
    // What stands in the first ones. What comes later and is not known goes into notes.
    var uses: [ColumnUse] = []
    var known: Set<String> = []
    var left = 1_000
    try records.forEach(in: file) { cells in
      for cell in cells.list where !cell.value.isEmpty && !Self.isOurs(cell.name) && uses.count < 1_000 {
        let (name, target) = (cell.name, target(cell.name))
        guard known.insert(name).inserted else { continue }
        // Of parts that have one fate, what they are part of is told.
        let isPart = columns[Cells.key(name)] == nil && target.id != Target.note.id
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
          ColumnUse(member, otherMembers(member) ?? .left("it is not for a catalog, or stands in another part, too")))
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
    var targets = Targets(of: self)
    var keys = RowKeys()
    try records.forEach(in: file) { cells in
      var (facts, rejection) = facts(of: cells, &targets)
      if facts.kind == nil { facts.kind = file.kind }
      return try each(
        ImportRow(
          facts, line: cells.line, member: cells.first(Cells.member), rejection: rejection,
          key: try keys.unique(key?(cells, facts), facts), until: file.choices.latestDay))
    }
  }
}

extension TableFormat {
  /// What a record says, and why it cannot be kept.
  func facts(of cells: Cells, _ targets: inout Targets) -> (RowFacts, ImportRow.Rejection?) {
    var facts = RowFacts()
    (facts.kind, facts.remarks) = (kind, cells.remarks)
    do throws(ImportRow.Rejection) {
      if kind == nil { readKind(of: cells, &targets, &facts) }
      for (place, cell) in cells.list.enumerated() where !cell.value.isEmpty {
        let target = targets.target(of: cell.name, at: place, in: cells)
        if target.read(cell.value, &facts) { continue }
        if case .kept = target.use {
          facts.noteInstead(cell.name, cell.value)
        } else {
          facts.note(cell.name, cell.value)
        }
      }
      try finish(&facts, cells)
    } catch {
      return (facts, error)
    }
    return (facts, nil)
  }

  /// What a thing is decides how other cells are read, wherever it stands.
  private func readKind(of cells: Cells, _ targets: inout Targets, _ facts: inout RowFacts) {
    for (place, cell) in cells.list.enumerated() where !cell.value.isEmpty {
      let target = targets.target(of: cell.name, at: place, in: cells)
      if target.id == Target.kind.id { _ = target.read(cell.value, &facts) }
    }
  }
}

extension InputFile {
  /// The names of its columns, or of the members of its first things.
  var columnNames: [String] {
    switch shape {
    case .table(let header, _, _): header
    // Those that say what others mean, first: a title is `title` before it is `movie.title`.
    case .json(let names, _), .notes(let names): names.sorted { ($0.count, $0) < ($1.count, $1) }
    default: []
    }
  }
}

/// What the columns of a file mean, each looked up once.
struct Targets {
  private let format: TableFormat
  /// Of a table, by their places, with the keys of its header: a file may have several tables.
  private var keys: [String] = []
  private var byPlace: [Target?] = []
  private var byName: [String: Target] = [:]

  init(of format: TableFormat) { self.format = format }

  mutating func target(of name: String, at place: Int, in cells: Cells) -> Target {
    guard place < cells.keys.count else { return target(of: name) }
    // Of one table they are one array, which costs nothing to compare.
    if keys != cells.keys { (keys, byPlace) = (cells.keys, Array(repeating: nil, count: cells.keys.count)) }
    if let known = byPlace[place] { return known }
    let target = format.target(name)
    byPlace[place] = target
    return target
  }

  private mutating func target(of name: String) -> Target {
    if let known = byName[name] { return known }
    let target = format.target(name)
    if byName.count < 1_000 { byName[name] = target }
    return target
  }
}

extension ImportRow {
  convenience init(
    _ facts: consuming RowFacts, line: Int, member: String? = nil, rejection: Rejection?, key: String,
    until latest: PartialDate? = nil
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
    self.init(line: line, member: member, key: key, words: words, content: content)
  }
}

extension RowFacts {
  /// `Heat (1995)`, for a person.
  var words: String {
    let title = title ?? originalTitle ?? code
    let year = (year ?? released?.year ?? book.published?.year ?? editionYear).map { " (\($0))" } ?? ""
    let creator = creator.map { ", \(PlainText.line($0))" } ?? ""
    guard let title else { return "?" }
    let short = PlainText.line(title.utf8.count <= 200 ? title : String(title.prefix(200)))
    return "\(short)\(year)\(kind == .movie ? "" : creator)"
  }
}

/// Keys by which rows are known again, each of them once in a file.
struct RowKeys {
  /// More rows are no person's catalog.
  static let most = 200_000
  private var seen: Set<UInt64> = []
  /// How often those stand there that stand there several times.
  private var repeated: [UInt64: Int] = [:]
  private var count = 0

  /// - Throws: ``ImportProblem`` when a file has too many rows.
  static func check(_ count: Int) throws {
    guard count <= most else {
      throw ImportProblem(
        .tooMuch, "the file has more than \(most) rows", hint: "split it, and import the parts one after the other")
    }
  }

  /// The name that the other program gave, or kind, title, creator, year and volume; a repeated one with a running number.
  /// - Throws: ``ImportProblem`` when there are too many rows.
  mutating func unique(_ name: String?, _ facts: RowFacts) throws -> String {
    count += 1
    try Self.check(count)
    // Nothing else tells the volumes of one title apart.
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
