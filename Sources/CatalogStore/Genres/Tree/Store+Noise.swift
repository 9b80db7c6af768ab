public import CatalogModel
internal import SQLite

extension Store {
  /// Those of a source's labels that are not known to say nothing about the genre. Nothing is written.
  /// - Parameter areGenres: whether the labels are names of the shipped genres: only a person can have said that one
  ///   says nothing, and the shipped labels, which take long to read, are not asked.
  public func withoutNoise(
    _ labels: [String], from source: String, of kind: Kind, areGenres: Bool = false
  ) throws -> [String] {
    let known = GenreLabels(db)
    return try labels.filter { try !known.isNoise($0, from: source, of: kind.ofLabels, isGenre: areGenres) }
  }
}

extension GenreLabels {
  /// Whether a person or the shipped labels say that a label stands for no genre.
  fileprivate func isNoise(_ label: String, from source: String, of kind: Kind, isGenre: Bool) throws -> Bool {
    let key = Folding.nameKey(label)
    let decided = try db.value(
      """
      SELECT is_known AND NOT EXISTS (SELECT 1 FROM genre_label_target WHERE label_id = genre_label.id)
      FROM genre_label WHERE key = \(key) AND source IN (\(source), 'any') AND kind IN (\(kind.rawValue), '')
      ORDER BY source = 'any', kind = '' LIMIT 1
      """, as: Bool.self)
    if let decided { return decided }
    guard !isGenre else { return false }
    let shipped = ShippedLabels.all
    // A label that has a meaning beside another one is shown.
    guard shipped.besides[key]?.contains(where: { $0.holds(for: source, kind) }) != true else { return false }
    let genres =
      shipped.genres(for: key, from: source, of: kind) ?? shipped.genres(forPatternOf: label, from: source, of: kind)
    return genres?.isEmpty == true
  }
}
