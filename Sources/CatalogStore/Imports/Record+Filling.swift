public import CatalogModel

extension Record {
  /// The record with what it lacks and another one says of the same thing.
  public func filled(from other: Record) -> Record {
    var record = self
    for field in Field.all where field.isOf(kind) && field.key != Field.title.key {
      let told = field.value(of: Draft(other)).texts
      guard !told.isEmpty, field.value(of: Draft(self)).texts.isEmpty else { continue }
      for column in field.columns where column.table == .item || column.table == Table(kind) {
        // What is a value of a record is one of another of its kind.
        try? column.set(&record, told)
      }
    }
    for role in Credit.Role.allCases where !credits.contains(where: { $0.role == role }) {
      record.credits += other.credits.filter { $0.role == role }
    }
    if record.vinyl.tracks.isEmpty { record.vinyl.tracks = other.vinyl.tracks }
    if labels.isEmpty { (record.labels, record.labelSource) = (other.labels, other.labelSource) }
    for id in other.externalIDs where !record.externalIDs.contains(id) { record.externalIDs.append(id) }
    return record
  }

  /// What another says otherwise, as far as it can be compared: `minutes: 171`.
  func differences(to other: Record) -> [String] {
    Field.all.filter { $0.isOf(kind) && !$0.columns.isEmpty && !Self.ownWords.contains($0.key) }.compactMap { field in
      let (mine, told) = (field.value(of: Draft(self)).texts, field.value(of: Draft(other)).texts)
      guard !mine.isEmpty, !told.isEmpty, Set(mine).isDisjoint(with: told) else { return nil }
      return "\(field.key): \(told.joined(separator: ", "))"
    }
  }

  /// What each source says in its own words.
  private static let ownWords: Set = [
    "title", "url", "description", "note", "tagline", "public_rating", "public_votes",
  ]
}
