internal import CatalogModel
internal import SQLite

extension Connection {
  /// The columns of a table that are kept in the file. Those that are computed for each row are a person's or a
  /// stranger's own.
  func storedColumns(of table: String) throws -> [String] {
    try all("PRAGMA table_xinfo(\(identifier: table))") {
      (name: try $0.get("name", as: String.self), hidden: try $0.get("hidden", as: Int.self))
    }.filter { $0.hidden == 0 }.map(\.name)
  }
}

extension ImportProblem {
  /// Why another program's database cannot be read.
  init(_ error: SQLiteError, in path: String) {
    switch true {
    case error.isBusy, error.needsRollback:
      self.init(
        .damaged, "'\(path)' is in use: another program is writing to it",
        hint: "close the program that uses it, and try again")
    case error.obstacle != nil:
      self.init(.damaged, "'\(error.obstacle ?? path)' is not a regular file", hint: "move it away")
    case error.isTooBig: self = .tooMuch("a value in '\(path)' is too long to read")
    case error.isEndless: self = .tooMuch("'\(path)' returned no row for ten seconds")
    // A view in the place of a table is none to this connection.
    case error.isGeneral:
      self = .damaged("'\(path)' does not have the structure that its program makes: \(error.message)")
    default: self = .damaged("'\(path)' is a damaged database: \(error.message)")
    }
  }
}
