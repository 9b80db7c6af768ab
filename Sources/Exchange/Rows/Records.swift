internal import CatalogModel
internal import Lookup
internal import Processes
internal import SQLite

/// The method to find the records of a format in a file.
enum Records: Sendable {
  /// The rows of a table, or the elements of a JSON file.
  case rows
  /// The records of a single file, or of the chosen members of an archive, in this order. The members are tables or
  /// JSON lists. The cell ``Cells/member`` of each record has the name of its member.
  case parts(@Sendable (_ members: [String]) -> [String])
  /// The elements with these names in an XML file, or in the member of an archive with this suffix.
  case elements(Set<String>, member: String? = nil)
  /// The rows of a query.
  case query(@Sendable (Connection) throws -> SQL)
  /// A method of the format's own.
  case other(@Sendable (InputFile, (Cells) throws -> Bool) throws -> Void)

  /// Calls `each` for every record, until it returns false.
  func forEach(in file: InputFile, _ each: (Cells) throws -> Bool) throws {
    if let records = file.records {
      for record in records { guard try each(record) else { return } }
      return
    }
    switch (self, file.shape) {
    case (.rows, .table(let header, let delimiter, let line)), (.parts, .table(let header, let delimiter, let line)):
      var reader = try file.rows(delimiter: delimiter)
      // Skips the header and a preamble of programs before it.
      while let row = try reader.next(), row.line < line {}
      _ = try Self.rows(of: &reader, header, each)
    case (.parts(let chosen), .zip(let members)):
      let archive = try ZipArchive(path: file.path)
      for member in chosen(members) {
        let source = try archive.read(member).decoded(path: nil)
        guard try Self.records(of: source, isJSON: member.hasSuffix(".json"), { try each($0.of(member)) }) else {
          return
        }
      }
    case (.rows, .json(_, let layout)), (.parts, .json(_, let layout)):
      var elements = JSONElements(try file.text(), layout: layout)
      try elements.forEach { try each(Cells($0)) }
    case (.rows, .notes):
      try NoteFolder(path: file.path)?.forEach { try each(Cells($2, number: $0, name: $1)) }
    case (.elements(let names, nil), .xml):
      try file.elements(named: names, each)
    case (.elements(let names, let member?), .zip(let members)):
      guard let name = members.first(where: { $0.hasSuffix(member) }) else { return }
      let source = try ZipArchive(path: file.path).read(name)
      try Self.cells(of: XMLElements(source: source), named: names, each)
    case (.elements(let names, _), .xml):
      try file.elements(named: names, each)
    case (.query(let query), .database):
      try Self.rows(of: query, in: file.path, each)
    case (.other(let read), _): try read(file, each)
    default: break
    }
  }

  /// Reads the records of a member of an archive.
  /// - Returns: whether `each` wants more.
  private static func records(
    of source: ByteSource, isJSON: Bool, _ each: (Cells) throws -> Bool
  ) throws -> Bool {
    guard isJSON else {
      var reader = DelimitedReader(source, delimiter: UInt8(ascii: ","))
      guard let header = try reader.next() else { return true }
      return try rows(of: &reader, header.cells, each)
    }
    var (elements, goesOn) = (JSONElements(source, layout: .list), true)
    try elements.forEach { element in
      goesOn = try each(Cells(element))
      return goesOn
    }
    return goesOn
  }

  /// - Returns: whether `each` wants more.
  private static func rows(
    of reader: inout DelimitedReader, _ header: [String], _ each: (Cells) throws -> Bool
  ) throws -> Bool {
    let keys = header.map(Cells.key)
    while let row = try reader.next() {
      if row.isNothing(below: header) { continue }
      guard try each(Cells(row, header: header, keys: keys)) else { return false }
    }
    return true
  }

  static func cells(of elements: XMLElements, named names: Set<String>, _ each: (Cells) throws -> Bool) throws {
    var number = 0
    try elements.forEach(named: names) { element in
      number += 1
      return try each(Cells(element, number: number))
    }
  }

  private static func rows(
    of query: (Connection) throws -> SQL, in path: String, _ each: (Cells) throws -> Bool
  ) throws {
    // Wraps errors of the caller, to tell them from those of the database.
    struct Foreign: Error { var error: any Error }
    do {
      let database = try Connection.ofOthers(path) { Interrupt.isRequested }
      var number = 0
      try database.forEach(try query(database)) { cursor in
        number += 1
        do {
          // If rows are written in between, SQLite goes on to the next without being interrupted.
          try Interrupt.check()
          return try each(Cells(cursor.row, number: number))
        } catch {
          throw Foreign(error: error)
        }
      }
    } catch let foreign as Foreign {
      throw foreign.error
    } catch let error as SQLiteError {
      try Interrupt.check()
      throw ImportProblem(error, in: path)
    }
  }
}

extension InputFile {
  fileprivate func elements(named names: Set<String>, _ each: (Cells) throws -> Bool) throws {
    try Records.cells(of: XMLElements(source: try bytes()), named: names, each)
  }
}

extension DelimitedReader.Row {
  /// Whether it is an empty line of a spreadsheet, the line below the headings in Markdown, or the headings once more,
  /// as in two exports put together.
  func isNothing(below header: [String]) -> Bool {
    cells.allSatisfy { $0.utf8.allSatisfy { $0 <= 0x20 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ":") } }
      || header.count > 1 && cells == header
  }
}
