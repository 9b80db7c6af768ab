public import CatalogModel
internal import SQLite

extension Store {
  // MARK: Editing

  /// Returns the changes that an edit would make, and writes nothing.
  /// - Throws: the errors of ``apply(_:)``.
  public func preview(_ edit: GenreEdit) throws -> GenreChange { try GenreEditor(db, isPreview: true).run(edit) }

  /// Edits the genres and gives the items what follows from it, in one transaction. The same again changes nothing.
  /// - Throws: ``CatalogError/noGenre(_:)``, ``CatalogError/genreExists(_:)``,
  ///   ``CatalogError/genreWordTaken(_:by:insteadOf:)``, ``CatalogError/labelIsGenre(_:)``,
  ///   ``CatalogError/genreCircle(_:isBelow:)``, ``CatalogError/badGenreName(_:)``.
  @discardableResult
  public func apply(_ edit: GenreEdit) throws -> GenreChange {
    try write { try GenreEditor(db, isPreview: false).run(edit) }
  }

  // MARK: Listing

  /// A genre in the tree, with how many items have it.
  public struct ListedGenre: Sendable, Hashable {
    public var name: String
    /// The names of the genres above it, the root first.
    public var ancestors: [String] = []
    /// Items that have it or a genre below it, each counted once.
    public var items = 0
    /// Items that have it itself.
    public var ownItems = 0
    /// Its aliases: its old names and those that a user gave it.
    public var aliases: [String] = []
  }

  /// Every genre of the catalog, each before those below it; beside each other by name.
  public func genreList() throws -> [ListedGenre] {
    let tree = try GenreTree(db)
    var walk = GenreWalk(tree)
    var own: [Int: Int] = [:]
    try forEachItem(of: .everything, tree) { _, genres in
      walk.next(genres)
      for genre in genres { own[genre, default: 0] += 1 }
    }
    var aliases: [Int: [String]] = [:]
    try db.forEach(
      """
      SELECT genre_id, label FROM genre_label_target JOIN genre_label ON genre_label.id = label_id
      WHERE source = 'any' AND kind = '' ORDER BY label
      """
    ) { row in
      if let genre = tree.number(of: row.integer(0)) { aliases[genre, default: []].append(row.text(1)) }
      return true
    }
    let sorted = try db.values("SELECT id FROM genre ORDER BY catalog_sorted(name), name", as: Int64.self)
    let children = Dictionary(grouping: sorted.compactMap(tree.number)) { tree.parents[$0] }
    var list: [ListedGenre] = []
    func add(below parent: Int) {
      for genre in children[parent] ?? [] {
        list.append(
          ListedGenre(
            name: tree.names[genre], ancestors: tree.ancestors(of: genre), items: walk.counts[genre],
            ownItems: own[genre] ?? 0, aliases: aliases[genre] ?? []))
        add(below: genre)
      }
    }
    add(below: -1)
    return list
  }

  /// A source's label and the genres that it stands for in this catalog.
  public struct ListedLabel: Sendable, Hashable {
    public enum State: String, CaseIterable, Sendable {
      case known
      /// It says nothing about the genre.
      case noise
      /// No mapping knew it: it became a genre of its own, or none.
      case unknown
    }
    /// `any` for a word that holds for every source.
    public var source: String
    /// The kind of the items that have the label, or the only kind that the rule applies to; nil for all.
    public var kind: Kind?
    public var label: String
    public var genres: [String]
    /// The genres that it stands for instead where certain others stand beside it.
    public var beside: [String] = []
    /// Items that came with it.
    public var items: Int
    public var state: State
  }

  /// The labels that items came with or that a person gave a meaning, those of most items first.
  /// - Parameter includesShipped: also those that the program knows and that no item came with yet.
  public func genreLabels(includesShipped: Bool = false) throws -> [ListedLabel] {
    var genres: [Int64: [String]] = [:]
    try db.forEach(
      """
      SELECT label_id, name FROM genre_label_target JOIN genre ON genre.id = genre_id ORDER BY label_id, position
      """
    ) { row in
      genres[row.integer(0), default: []].append(row.text(1))
      return true
    }
    var seen = Set<[String]>()
    var list = try db.all(
      """
      SELECT id, source, kind, key, label, is_known, by_hand, coalesce(items, 0) AS items FROM genre_label
      LEFT JOIN (SELECT label_id, count(*) AS items FROM item_label GROUP BY label_id) ON label_id = id
      """
    ) { row in
      let names = genres[try row.get("id")] ?? []
      let kind: String = try row.get("kind")
      seen.insert([try row.get("source"), kind, try row.get("key")])
      return ListedLabel(
        source: try row.get("source"), kind: Kind(rawValue: kind), label: try row.get("label"), genres: names,
        beside: try row.get("by_hand", as: Bool.self)
          ? [] : GenreLabels.besides(row.get("key"), row.get("source"), kind).flatMap(\.genres).withoutRepeats,
        items: try row.get("items"),
        state: try !row.get("is_known", as: Bool.self) ? .unknown : names.isEmpty ? .noise : .known)
    }
    if includesShipped {
      let labels = GenreLabels(db)
      for entry in ShippedLabels.entries {
        let (source, kind) = (entry.place.source, entry.place.kind)
        guard !seen.contains([source, kind?.rawValue ?? "", Folding.nameKey(entry.label)]) else { continue }
        let names = try labels.names(of: entry.genres)
        list.append(
          ListedLabel(
            source: source, kind: kind, label: entry.label, genres: names,
            beside: GenreLabels.besides(Folding.nameKey(entry.label), source, kind?.rawValue ?? "vinyl")
              .flatMap(\.genres).withoutRepeats, items: 0,
            state: names.isEmpty ? .noise : .known))
      }
    }
    func order(_ label: ListedLabel) -> (Int, String, String, String) {
      (-label.items, label.source, label.label, label.kind?.rawValue ?? "")
    }
    return list.sorted { order($0) < order($1) }
  }

  /// Returns the sources whose labels the program or the catalog knows.
  public func labelSources() throws -> Set<String> {
    Set(try db.values("SELECT DISTINCT source FROM genre_label", as: String.self)).union(ShippedLabels.all.sources)
  }

  /// Every canonical genre's name that some item has, most used first.
  public func usedGenres() throws -> [String] {
    try db.values(
      """
      SELECT genre.name FROM genre JOIN item_genre ON item_genre.genre_id = genre.id
      GROUP BY genre.id ORDER BY count(*) DESC, genre.name
      """)
  }

  /// Every canonical genre's name.
  public func genreNames() throws -> [String] {
    try db.values("SELECT name FROM genre ORDER BY catalog_sorted(name), name")
  }

  /// The labels that no shipped or edited mapping knew, with how many items carry them, most first.
  public func unknownLabels() throws -> [(source: String, label: String, items: Int)] {
    try db.all(
      """
      SELECT source, label, count(*) AS items FROM genre_label JOIN item_label ON item_label.label_id = genre_label.id
      WHERE NOT is_known GROUP BY source, key ORDER BY items DESC, source, label
      """
    ) { (try $0.get("source"), try $0.get("label"), try $0.get("items")) }
  }

  /// The canonical name of the genre that a person means by `text`, if the catalog has it.
  public func genre(named text: String) throws -> String? { try genres(named: text).first }

  /// The names of the genres that the labels of a result stand for, as far as the catalog and the program know them.
  public func genres(meantBy record: Record) throws -> [String] {
    let labels = GenreLabels(db)
    let source = record.labelSource ?? record.externalIDs.first?.source ?? "hand"
    return try record.labels.flatMap { label in
      try labels.shippedGenres(for: Folding.nameKey(label), from: source, of: record.kind) ?? genres(named: label)
    }.withoutRepeats
  }

  /// The canonical names of the genres that a person means by `text`, by a name, an older one, a Korean one or another
  /// word: several for `Action & Adventure` and for `Jazz, Soul`, none when the catalog knows no such word.
  public func genres(named text: String) throws -> [String] {
    let labels = GenreLabels(db)
    func names(_ text: some StringProtocol) throws -> [String] {
      try labels.findAll(Folding.nameKey(String(text))).compactMap {
        try db.value("SELECT name FROM genre WHERE id = \($0)")
      }
    }
    let whole = try names(text)
    guard whole.isEmpty, text.contains(",") else { return whole }
    let parts = try text.split(separator: ",").map { try names($0.drop { $0 == " " }) }
    return parts.contains(where: \.isEmpty) ? [] : parts.flatMap(\.self).withoutRepeats
  }
}
