public import CatalogModel

extension Record {
  /// The record with what it lacks and another one says of the same thing. What it has stays as it is.
  /// - Parameter locked: the keys of fields that are a person's own, also when they are empty.
  public func filled(from other: Record, except locked: Set<String> = []) -> Record {
    var record = self
    let (mine, others) = (Draft(self), Draft(other))
    func lacks(_ keys: String...) -> Bool {
      keys.allSatisfy { key in
        !locked.contains(key) && Field.named(key).map { $0.value(of: mine).texts.isEmpty } ?? false
      }
    }
    for field in Field.all where field.isEditable && field.isOf(kind) && lacks(field.key) {
      switch field.key {
      case "year" where !lacks("released"): continue
      // It says the year, too, and must not say another.
      case "released" where !lacks("year") && other.released?.year != year: continue
      default: break
      }
      let told = field.value(of: others).texts
      for column in field.columns where !told.isEmpty && (column.table == .item || column.table == Table(kind)) {
        // What is a value of a record is one of another of its kind.
        try? column.set(&record, told)
      }
    }
    // What only a source says, and what is only something together.
    if lacks("public_rating", "public_votes") { record.publicRating = other.publicRating }
    if lacks("list_price", "sale_price", "currency") {
      (record.book.price, record.book.salePrice) = (other.book.price, other.book.salePrice)
    }
    for role in Credit.Role.allCases where !credits.contains(where: { $0.role == role }) {
      let key = role == Credit.Role(main: kind) ? "creator" : role == .translator ? "translators" : role.rawValue
      if !locked.contains(key) { record.credits += other.credits.filter { $0.role == role } }
    }
    if lacks("tracks") { record.vinyl.tracks = other.vinyl.tracks }
    if lacks("labels") { (record.labels, record.labelSource) = (other.labels, other.labelSource) }
    // It is known by all its ids.
    for id in other.externalIDs where !record.externalIDs.contains(id) { record.externalIDs.append(id) }
    return record
  }

  /// What another says otherwise, as far as it can be compared: `minutes: 171`. A date that is only more precise is no other.
  func differences(to other: Record) -> [String] {
    Field.all.filter { $0.isOf(kind) && !$0.columns.isEmpty && !Self.ownWords.contains($0.key) }.compactMap { field in
      let (mine, told) = (compared(field), other.compared(field))
      guard !mine.isEmpty, !told.isEmpty, Set(mine).isDisjoint(with: told) else { return nil }
      if field.type == .date, let one = mine.first, let date = told.first, one.hasPrefix(date) || date.hasPrefix(one) {
        return nil
      }
      return "\(field.key): \(field.value(of: Draft(other)).texts.joined(separator: ", "))"
    }
  }

  /// The values of a field, equal where they mean the same.
  private func compared(_ field: Field) -> [String] {
    switch field.key {
    case "barcode": vinyl.barcode.map { [Barcode.canonical(of: $0)] } ?? []
    case "label": recordLabels
    default: field.value(of: Draft(self)).texts
    }
  }

  /// What each source says in its own words.
  private static let ownWords: Set = [
    "title", "url", "description", "note", "tagline", "public_rating", "public_votes",
  ]
}
