internal import CatalogModel
public import FoundationEssentials
internal import SQLite

/// A query that the user has named, for use as `@name`.
public struct SavedQuery: Sendable, Hashable {
  public var name: String
  /// The typed query, as arguments of the command line.
  public var arguments: [String]

  public init(_ name: String, _ arguments: [String]) { (self.name, self.arguments) = (name, arguments) }

  /// The key of the name, equal for `Best Jazz` and `best-jazz`.
  var key: String { Folding.nameKey(name) }
}

/// The saved queries of a catalog, by their names.
public struct SavedQueries: Sendable {
  private var byKey: [String: SavedQuery] = [:]

  public init(_ queries: [SavedQuery] = []) { for query in queries { self[query.name] = query } }

  /// The query with this name, ignoring case and accents.
  public subscript(_ name: String) -> SavedQuery? {
    get { byKey[Folding.nameKey(name)] }
    set { byKey[Folding.nameKey(name)] = newValue }
  }

  /// In alphabetical order.
  public var all: [SavedQuery] { byKey.values.sorted { $0.key < $1.key } }
  public var names: [String] { all.map(\.name) }
}

extension Store {
  /// Parses a query. Reads the saved queries only if it names one.
  /// - Throws: ``Query/Problem``, or ``CatalogError``.
  public func query(_ arguments: [String], now: Date) throws -> Query {
    try query(QueryLexer.read(arguments), now: now)
  }

  /// Parses a query in one line, as `--where` takes it.
  public func query(line: String, now: Date) throws -> Query {
    try query(QueryLexer.read(line: line), now: now)
  }

  private func query(_ lexer: QueryLexer, now: Date) throws -> Query {
    try Query(lexer, now: now, at: localTime, saved: lexer.namesSaved ? savedQueries() : SavedQueries())
  }

  public func savedQueries() throws -> SavedQueries {
    SavedQueries(
      try db.all("SELECT name, query FROM saved_query") { row in
        // Lines are arguments; another program may write anything.
        SavedQuery(try row.get("name"), try row.get("query", as: String.self).split(separator: "\n").map(String.init))
      })
  }

  /// Saves a query under its name.
  /// - Parameter known: the query of this name to replace.
  /// - Throws: the errors of ``check(_:now:)``, ``CatalogError/savedQueryExists(_:)`` if another query has the name by
  ///   now.
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

  /// Checks a query before it is saved.
  /// - Returns: the query as it would be stored.
  /// - Throws: ``Query/Problem`` if it is invalid or refers to itself; ``CatalogError/emptyName``,
  ///   ``CatalogError/nameTooLong(_:)``, ``CatalogError/nameOfDigits(_:)``, ``CatalogError/emptyQuery``.
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

  /// Deletes saved queries in one transaction.
  /// - Throws: ``CatalogError/noSavedQuery(_:)``; ``CatalogError/savedQueryInUse(_:by:)`` if another query uses one of
  ///   them.
  /// - Returns: the deleted queries.
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

extension Store {
  /// The saved queries that ask for a tag or pile by this name.
  public func queries(asking field: Field, for name: String) throws -> [SavedQuery] {
    try savedQueries().all.filter { $0.asking(field, for: name, replacedBy: name) != nil }
  }

  /// Lets the saved queries that ask for a name ask for another. Call it inside a write.
  /// - Returns: the changed queries.
  func renameInQueries(_ field: Field, _ name: String, to other: String) throws -> [SavedQuery] {
    let queries = try savedQueries().all.compactMap { $0.asking(field, for: name, replacedBy: other) }
    for query in queries {
      try db.run(
        "UPDATE saved_query SET query = \(query.arguments.joined(separator: "\n")) WHERE key = \(query.key)")
    }
    return queries
  }
}

extension SavedQuery {
  /// The query with another value in place of a field's value; nil if it has no such value.
  fileprivate func asking(_ field: Field, for value: String, replacedBy other: String) -> SavedQuery? {
    guard let lexer = try? QueryLexer.read(arguments) else { return nil }
    let places = lexer.places(of: Folding.nameKey(value), in: field)
    guard !places.isEmpty else { return nil }
    var (changed, start) = (self, 0)
    changed.arguments = arguments.map { argument in
      var scalars = Array(argument.unicodeScalars)
      let range = start..<start + scalars.count
      start = range.upperBound + 1
      for place in places.reversed() where range.contains(place.lowerBound) {
        let place = place.lowerBound - range.lowerBound..<place.upperBound - range.lowerBound
        scalars.replaceSubrange(place, with: Query.Condition.quoted(other).unicodeScalars)
      }
      return String(scalars: scalars)
    }
    return changed
  }

  /// Whether it uses another saved query.
  fileprivate func names(_ other: SavedQuery) -> Bool {
    guard let lexer = try? QueryLexer.read(arguments) else { return false }
    return lexer.tokens.contains {
      if case .saved(let name) = $0.kind { Folding.nameKey(name) == other.key } else { false }
    }
  }
}
