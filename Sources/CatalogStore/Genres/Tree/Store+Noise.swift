internal import CatalogModel
internal import SQLite

extension Store {
  /// Those of a source's labels that are not known to say nothing about the genre. Nothing is written.
  public func withoutNoise(_ labels: [String], from source: String) throws -> [String] {
    let known = GenreLabels(db)
    return try labels.filter { try !known.isNoise($0, from: source) }
  }
}

extension GenreLabels {
  /// Whether a person or the shipped labels say that a label stands for no genre.
  fileprivate func isNoise(_ label: String, from source: String) throws -> Bool {
    let key = Folding.labelKey(label)
    let decided = try db.value(
      """
      SELECT is_known AND NOT EXISTS (SELECT 1 FROM genre_label_target WHERE label_id = genre_label.id)
      FROM genre_label WHERE key = \(key) AND source IN (\(source), 'any') ORDER BY source = 'any' LIMIT 1
      """, as: Bool.self)
    if let decided { return decided }
    let shipped = ShippedLabels.all
    let genres = shipped.genres(for: key, from: source) ?? shipped.genres(forPatternOf: label, from: source)
    return genres?.isEmpty == true
  }
}
