package import CatalogModel
internal import SQLite

/// A table of the catalog, with what is needed to know of it to open a file, and to undo, export, restore, sync and
/// merge its rows. ``all`` lists them.
package struct TableSchema: Sendable {
  package let name: String
  /// The names of the columns in the order of the file, with blanks between them: every start makes all tables, and few
  /// starts need columns.
  private let columnNames: String
  /// The number of leading columns that form the key: one for rows with an id.
  let keyCount: Int
  /// The column with the owner of a row: its item, or the copy of a loan. Nil for rows that belong to none.
  let owner: String?
  /// The column with the time of the last write, which is not a change by itself.
  let touched: String?
  /// Whether operations record its changes. They record all of the catalog without search indexes, which follow the
  /// rows, shipped data, and trending lists.
  private(set) var isRecorded = true
  package let identity: Identity
  /// The columns, besides the owner's, that a merge empties when the row to which they refer is gone.
  let links: [Link]
  let place: Place
  let merge: MergeRule
  /// Groups of columns whose values mean something only together.
  let groups: [[String]]
  /// The state that only one row of an owner can have.
  let open: OpenState?
  let role: Role
  /// Whether its rows move to the kept item when two items are merged. If an item can have only one row, the kept
  /// item's row stays.
  let movesInMerges: Bool
  /// Whether a new row fulfils the open wish for its item, by a trigger.
  let fulfilsWishes: Bool
  package let history: History

  /// The way in which documents refer to a row from other rows.
  package enum Identity: Sendable, Hashable {
    /// By its number, or not at all.
    case none
    /// By a uid that is valid on every device.
    case uid
    /// By words, of which the first `keyCount` are enough to find the row.
    case words([String], keyCount: Int)
  }

  /// A column that refers to a row of another table with uids.
  struct Link: Sendable {
    let column: String
    let table: String
    /// Whether only one row may refer to the same row.
    var isExclusive = false
    /// The name of the column in documents.
    var key: String { String(column.dropLast(3)) }
  }

  /// The documents that have the rows.
  enum Place: Sendable {
    /// The document of the owner. Without an owner, a document of their own in exports, and none in a tree.
    case withOwner
    /// The owner's in exports, and a file of its own in a tree, which has an order of its own.
    case withOwnerInExports
    /// A file of its own; in a tree, only the rows without an owner.
    case ownFile
    /// A document of their own in exports, none in a tree: they belong to one device.
    case exportsOnly
  }

  /// The way to identify and merge the rows of an owner that two devices have changed.
  package enum MergeRule: Sendable {
    /// One row, column by column.
    case row
    /// Rows with these columns as their key, each column by column.
    case rows(by: [String])
    /// An ordered set of the values of a column; of the whole values if it is empty.
    case orderedSet(by: String)
    /// One side whole.
    case whole
  }

  /// A state that only one row of an owner can have: an entry in progress, an open wish, an open loan.
  struct OpenState: Sendable {
    let column: String
    /// The value of `column` in an open row; nil if it is empty there.
    var value: String?
    /// The way in which a merge ends a second one.
    let merge: Merge

    enum Merge: Sendable {
      /// The rows become one.
      case combined
      /// The earlier row ends when the later one began, by this column.
      case ended(at: String)
    }

    func holds(for row: Document) -> Bool { row[column]?.text == value }
  }

  /// The part that rows play in an undo.
  enum Role: Sendable {
    case own
    /// Several others can refer to a row; a row without references is deleted.
    case shared
    /// The program fills it: views, covers, the genres of labels. Its rows go with the item and do not prevent its
    /// removal.
    case incidental
  }

  /// The way in which changes are listed by `history` and `undo`.
  package enum History: Sendable {
    /// Each row, under this noun.
    case row(Message)
    /// All rows of an item as one fact.
    case part(Message)
    /// Not on its own.
    case unlisted(Message?)

    package var noun: Message? {
      switch self {
      case .row(let noun), .part(let noun): noun
      case .unlisted(let noun): noun
      }
    }
  }

  init(
    _ name: String, _ columns: String, keyCount: Int = 1, owner: String? = nil, touched: String? = nil,
    identity: Identity = .none, links: [Link] = [], place: Place = .withOwner, merge: MergeRule = .whole,
    groups: [[String]] = [], open: OpenState? = nil, role: Role = .own, movesInMerges: Bool = false,
    fulfilsWishes: Bool = false, history: History = .unlisted(nil)
  ) {
    self.name = name
    columnNames = columns
    (self.keyCount, self.owner, self.touched, self.identity) = (keyCount, owner, touched, identity)
    (self.links, self.place, self.merge, self.groups, self.open) = (links, place, merge, groups, open)
    (self.role, self.movesInMerges, self.fulfilsWishes, self.history) = (role, movesInMerges, fulfilsWishes, history)
  }

  /// A table whose changes no operation records.
  init(unrecorded name: String, _ columns: String) {
    self.init(name, columns)
    isRecorded = false
  }

  /// The names of the columns in the order of the file.
  var columns: [String] { columnNames.split(separator: " ").map(String.init) }

  /// The place of a column in the file; nil if there is none of that name.
  func place(of column: String) -> Int? {
    var (place, rest) = (0, columnNames.utf8[...])
    while !rest.isEmpty {
      let name = rest.prefix { $0 != UInt8(ascii: " ") }
      if name.elementsEqual(column.utf8) { return place }
      (place, rest) = (place + 1, rest[name.endIndex...].dropFirst())
    }
    return nil
  }

  /// Whether its rows have uids, belong to items, and can be of two items at once: one device has merged these, and so
  /// moved the rows of one, while another changed both.
  package var isOwnable: Bool { identity == .uid && name != "item" }

  /// The table of the owner; nil for rows of items, and for rows that belong to none.
  var ownerTable: TableSchema? {
    owner.flatMap { $0 == Self.item || $0 == "id" ? nil : Self.named(String($0.dropLast(3))) }
  }

  /// The table of that name; nil if there is none.
  package static func named(_ name: String) -> TableSchema? { byName[name] }

  private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

  /// The tables whose changes operations record.
  static let recorded = all.filter(\.isRecorded)
  /// The tables whose rows have uids.
  static let identified = all.filter { $0.identity == .uid }
  /// The tables of what an item is itself.
  package static let ofItemItself: Set = ["item", "movie", "book", "vinyl"]

  // MARK: Columns of all tables

  /// Texts of a person, none of which is lost in a merge.
  static let texts: Set = ["comment", "note"]
  /// The columns whose later value wins without a conflict.
  static let laterWins: Set = ["updated_at", "sequence", "set_at", "asked_at", "added_at"]
  /// The columns of documents that name a genre or a tag. Two devices may spell one name differently.
  static let named: Set = ["genre", "genres", "parent", "tag"]

  // MARK: Opening

  /// - Throws: ``SQLiteError`` as SQLite would, when the file lacks a table.
  static func check(_ db: Connection) throws {
    guard all.contains(where: { !db.hasTable($0.name) }) else { return }
    // The connection may know only the tables from before another process migrated the file: a query makes it read them
    // again.
    _ = try db.value("SELECT count(*) FROM sqlite_schema", as: Int.self)
    for table in all where !db.hasTable(table.name) { throw SQLiteError(noTable: table.name) }
  }
}

extension RecordedTable {
  init(_ schema: TableSchema) {
    self.init(
      schema.name, keyCount: schema.keyCount, owner: schema.owner.flatMap(schema.place),
      touched: schema.touched.flatMap(schema.place))
  }

  static let all = TableSchema.recorded.map(RecordedTable.init)
}

extension Message {
  /// The noun for a row of a table: `card`, `diary entry`.
  package init(table: String) { self = TableSchema.named(table)?.history.noun ?? Message(verbatim: table) }
}
