public import CatalogModel
internal import Lookup
internal import Processes

/// An importable file with its format and rows.
public struct Import: Sendable {
  private let file: InputFile
  private let format: any FileFormat
  /// The id of the format, for commands: `letterboxd`.
  public var formatID: String { format.id }
  /// The name of the format for the user: `Letterboxd`.
  public var formatName: String { format.name }
  /// The use of every column: nothing is dropped silently. For files without a header, these are the columns of the
  /// first thousand records; further columns of later records go into the note.
  public let uses: [ColumnUse]
  /// The remarks for the user on how the file is read, such as guesses about all rows.
  public let remarks: [Entry.Remark]

  /// Spreadsheets and other documents that are archives, by a member that shows them.
  private static let sheets: [(member: String, words: Message)] = [
    ("xl/workbook.bin", "an Excel file"), ("word/document.xml", "a Word file"),
    ("META-INF/manifest.xml", "a file of LibreOffice"),
  ]

  /// Opens a file and determines its format.
  /// - Parameters:
  ///   - format: an id from ``formats``; nil to detect the format.
  ///   - mapping: the ids of ``targets`` by column name. The meaning of other columns is guessed.
  ///   - choices: the user's choices about the file.
  /// - Throws: ``ImportProblem``.
  public init(
    path: String, format: String? = nil, mapping: [String: String] = [:], choices: ImportChoices = ImportChoices()
  ) throws(ImportProblem) {
    do {
      let (file, found) = try Self.input(path, choices)
      let format = try Self.format(of: file, named: format, mapping).fitted(to: file)
      (self.file, self.format) = (file, format)
      uses = try format.uses(in: file)
      remarks = found + format.remarks
    } catch let problem as ImportProblem {
      throw problem
    } catch {
      throw ImportProblem(.damaged, "'\(path)' cannot be read: \(String(describing: error))")
    }
  }

  /// The file or the folder of notes at a path, with the remarks on how it is read.
  private static func input(_ path: String, _ choices: ImportChoices) throws -> (InputFile, [Entry.Remark]) {
    if let folder = try NoteFolder(path: path) {
      let (names, without) = try folder.survey()
      if without < folder.notes.count {
        let remark = Entry.Remark("notes without properties are left out: \(without)")
        let file = InputFile(path: path, shape: .notes(names: names), choices: choices)
        return (file, without == 0 ? [] : [remark])
      }
    }
    var file = InputFile(path: path, shape: .empty, choices: choices)
    if let content = try Gzip.content(of: path) {
      (file.content, file.decoding) = try (content, TextDecoding(beginning: content, told: choices.encoding))
      file.shape = try Shape(text: file.bytes(), file.decoding, path: nil)
    } else {
      if !isFolder(path) { file.decoding = try TextDecoding(path: path, told: choices.encoding) }
      file.shape = try Shape(path: path, file.decoding)
    }
    // An archive of no service, with one table or list in it.
    if case .zip(let members) = file.shape, !Formats.all.contains(where: { $0.recognizes(file.shape) }) {
      let lists = members.filter(ZipArchive.isList)
      if lists.count == 1, let list = lists.first, !isFolder(path) || !list.lowercased().hasSuffix(".md") {
        let content = try ZipArchive(path: path).read(list).all(limit: Sheets.mostBytes)
        (file.content, file.decoding) = try (content, TextDecoding(beginning: content, told: choices.encoding))
        file.shape = try Shape(text: file.bytes(), file.decoding, path: nil)
      } else if isFolder(path) {
        // It says what can be done about a folder.
        _ = try ByteSource(path: path)
      }
    }
    guard case .container(let container) = file.shape else {
      if choices.sheet != nil { throw ImportProblem(.misuse, "--sheet is for workbooks, and '\(path)' is none") }
      return (file, file.decoding?.remarks ?? [])
    }
    let found = try container.read(file)
    return (found.file, found.remarks)
  }

  /// Calls `each` for every row, until it returns false. It holds one row in memory, unless a format spreads a record
  /// over several files.
  /// - Throws: ``ImportProblem``, `Interrupted`, and the errors of `each`.
  public func rows(_ each: (ImportRow) throws -> Bool) throws { try format.read(file, each: each) }

  /// Reads the file to its end and throws the errors of ``rows(_:)``, without creating rows.
  public func check() throws { try format.check(file) }

  public static func isFolder(_ path: String) -> Bool { NoteFolder.isFolder(path) }

  /// The formats that can be read.
  public static var formats: [(id: String, name: String)] { Formats.all.map { ($0.id, $0.name) } }

  /// The possible meanings of a column.
  public static var targets: [(id: String, words: Message)] {
    ColumnMapping.all.map { target in
      switch target.use {
      case .kept(let words): (target.id, words)
      case .noted: (target.id, "a line of the note")
      case .left: (target.id, "nothing: it is left out")
      }
    }
  }

  private static func format(
    of file: InputFile, named name: String?, _ mapping: [String: String]
  ) throws -> any FileFormat {
    if file.shape == .empty { throw ImportProblem(.unknown, "'\(file.path)' is empty") }
    if !mapping.isEmpty {
      guard name == nil || name == AnyTable.usualID else {
        throw ImportProblem(.misuse, "--map is for the columns of a table, and those of \(name ?? "") are known")
      }
      return try AnyTable(mapping: mapping, for: file.shape)
    }
    if let name {
      guard let format = Formats.all.first(where: { $0.id == name }) else {
        throw ImportProblem(
          .misuse, "there is no format '\(name)'",
          hint: "one of: \(formats.map(\.id).joined(separator: ", "))")
      }
      guard format.recognizes(file.shape) else {
        throw ImportProblem(
          .unknown, "'\(file.path)' is not a file of the format \(format.name): it is \(file.shape.words)")
      }
      return format
    }
    // Below a known heading is no list of titles.
    let isOtherColumn = file.shape.isColumn && !AnyTable().recognizes(file.shape)
    if !isOtherColumn, let format = Formats.all.first(where: { $0.recognizes(file.shape) }) { return format }
    let isTable = file.shape.names != nil
    if case .zip(let members) = file.shape {
      if let sheet = Self.sheets.first(where: { members.contains($0.member) }) {
        throw ImportProblem(
          .unknown, "'\(file.path)' is \(sheet.words), and holds no list that can be read",
          hint: "save it as CSV, and import that")
      }
      throw ImportProblem(
        .unknown, "'\(file.path)' has an unknown format: \(file.shape.words)",
        hint: "unpack it, and import a file in it")
    }
    if case .table(let header, _, _) = file.shape,
      header.contains(where: { Numbers.year($0) != nil || AnyTable.isNumber($0) })
    {
      throw ImportProblem(
        .unknown, "the first line of '\(file.path)' names no columns: \(file.shape.words)",
        hint: "put a line with names above it: Title,Author,Year")
    }
    throw ImportProblem(
      .unknown, "'\(file.path)' has an unknown format: \(file.shape.words)",
      hint: isTable ? "say which column is the title: --map 'COLUMN=title'" : nil)
  }
}

extension Shape {
  /// Whether it is one column below a heading that this program knows, or two of which one has such a heading.
  fileprivate var isColumn: Bool {
    guard case .table(let header, _, _) = self else { return false }
    return switch header.count {
    case 1: AnyTable.isHeading(header[0])
    case 2:
      header.allSatisfy { $0.first != " " && !AnyTable.isNumber($0) }
        && header.contains { Heading.named(Cells.key($0)) != nil }
    default: false
    }
  }

  /// A description of the file for the user.
  var words: Message {
    func some(_ names: some Collection<String>) -> String {
      let short = names.prefix(8).map { PlainText.line(String($0.prefix(40))) }.joined(separator: ", ")
      return names.count > 8 ? "\(short) …" : short
    }
    return switch self {
    case .table(let header, _, _): "a table with the columns \(some(header))"
    case .json(let names, _): "JSON with \(some(names.sorted()))"
    case .xml(let root, _): "XML that begins with <\(PlainText.line(String(root.prefix(40))))>"
    case .zip(let members): "an archive with \(some(members))"
    case .notes(let names): "a folder of notes with the properties \(some(names.sorted()))"
    case .database(let tables): "a database with the tables \(some(tables.sorted()))"
    case .container(let container): container.words
    case .lines: "lines of text"
    case .empty: "empty"
    }
  }
}
