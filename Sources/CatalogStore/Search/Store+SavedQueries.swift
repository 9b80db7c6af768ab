internal import CatalogModel
public import FoundationEssentials
internal import SQLite

/// A query that a person has named, to use it as `@name`.
public struct SavedQuery: Sendable, Hashable {
  public var name: String
  /// The query as it was typed, one argument of the command line each.
  public var arguments: [String]

  public init(_ name: String, _ arguments: [String]) { (self.name, self.arguments) = (name, arguments) }

  /// What names share that are one: `Best Jazz` and `best-jazz`.
  var key: String { Folding.labelKey(name) }
}

/// The saved queries of a catalog, by their names.
public struct SavedQueries: Sendable {
  private var byKey: [String: SavedQuery] = [:]

  public init(_ queries: [SavedQuery] = []) { for query in queries { self[query.name] = query } }

  /// The query of this name, whatever its case and accents.
  public subscript(_ name: String) -> SavedQuery? {
    get { byKey[Folding.labelKey(name)] }
    set { byKey[Folding.labelKey(name)] = newValue }
  }

  /// In alphabetical order.
  public var all: [SavedQuery] { byKey.values.sorted { $0.key < $1.key } }
  public var names: [String] { all.map(\.name) }
}

extension Store {
  /// Reads a query, and the saved ones only when it names one.
  /// - Throws: ``Query/Problem``, or ``CatalogError``.
  public func query(_ arguments: [String], now: Date) throws -> Query {
    try query(QueryLexer.read(arguments), now: now)
  }

  /// The same of one text, as `--where` takes it.
  public func query(line: String, now: Date) throws -> Query { try query(QueryLexer.read(line: line), now: now) }

  private func query(_ lexer: QueryLexer, now: Date) throws -> Query {
    try Query(lexer, now: now, saved: lexer.namesSaved ? savedQueries() : SavedQueries())
  }

  public func savedQueries() throws -> SavedQueries {
    SavedQueries(
      try db.all("SELECT name, query FROM saved_query") { row in
        // Another program may write anything; what it writes on several lines are several arguments, as ours are.
        SavedQuery(try row.get("name"), try row.get("query", as: String.self).split(separator: "\n").map(String.init))
      })
  }

  /// Saves a query under its name.
  /// - Parameter known: the one of that name that it replaces.
  /// - Throws: what ``check(_:now:)`` throws, ``CatalogError/savedQueryExists(_:)`` when another has the name by now.
  public func save(_ query: SavedQuery, over known: SavedQuery? = nil, now: Date) throws {
    try write {
      let query = try check(query, now: now)
      guard try savedQueries()[query.name] == known else { throw CatalogError.savedQueryExists(query.name) }
      try db.run(
        """
        INSERT INTO saved_query (key, name, query) VALUES (\(query.key), \(query.name), \(query.arguments.joined(separator: "\n")))
        ON CONFLICT (key) DO UPDATE SET name = excluded.name, query = excluded.query
        """)
    }
  }

  /// Checks what would be saved, before anything is done for it.
  /// - Returns: the query as it would be kept.
  /// - Throws: ``Query/Problem`` for what is no query, or stands within itself; ``CatalogError/emptyName``, ``CatalogError/nameTooLong(_:)``,
  ///   ``CatalogError/nameOfDigits(_:)``, ``CatalogError/emptyQuery``.
  @discardableResult
  public func check(_ query: SavedQuery, now: Date) throws -> SavedQuery {
    let name = try Self.checkName(query.name)
    guard name.contains(where: { !("0"..."9").contains($0) }) else { throw CatalogError.nameOfDigits(name) }
    let query = SavedQuery(name, query.arguments.compactMap(Text.line))
    guard !query.arguments.isEmpty else { throw CatalogError.emptyQuery }
    var saved = try savedQueries()
    saved[name] = query
    _ = try Query(QueryLexer.read(query.arguments), now: now, saved: saved, of: query)
    return query
  }

  /// Forgets saved queries, all or none of them.
  /// - Throws: ``CatalogError/noSavedQuery(_:)``; ``CatalogError/savedQueryInUse(_:by:)`` for one that another stands for.
  /// - Returns: what they were.
  @discardableResult
  public func forgetQueries(_ names: [String]) throws -> [SavedQuery] {
    try write {
      let saved = try savedQueries()
      let gone = try names.map { name in
        guard let query = saved[name] else { throw CatalogError.noSavedQuery(name) }
        return query
      }.withoutRepeats
      for query in gone { try db.run("DELETE FROM saved_query WHERE key = \(query.key)") }
      let rest = saved.all.filter { !gone.contains($0) }
      for query in gone {
        if let user = rest.first(where: { $0.names(query) }) {
          throw CatalogError.savedQueryInUse(query.name, by: user.name)
        }
      }
      return gone
    }
  }
}

extension SavedQuery {
  /// Whether it is made of another.
  fileprivate func names(_ other: SavedQuery) -> Bool {
    guard let lexer = try? QueryLexer.read(arguments) else { return false }
    return lexer.tokens.contains {
      if case .saved(let name) = $0.kind { Folding.labelKey(name) == other.key } else { false }
    }
  }
}
