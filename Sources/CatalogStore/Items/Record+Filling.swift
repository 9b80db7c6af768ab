public import CatalogModel

extension Record {
  /// Returns the record with its empty fields filled from another record of the same work. Other fields stay.
  /// - Parameter locked: the keys of fields that the user has set or emptied.
  public func filled(from other: Record, except locked: Set<String> = []) -> Record {
    var record = self
    let (own, others) = (Draft(self), Draft(other))
    func lacks(_ keys: String...) -> Bool {
      keys.allSatisfy { key in
        !locked.contains(key) && Field.kept(key).map { $0.value(of: own).texts.isEmpty } ?? false
      }
    }
    if isTitledByCode, !other.isTitledByCode, !locked.contains("title") { record.title = other.title }
    for field in Field.all where field.isEditable && field.isOf(kind) && lacks(field.key) {
      switch field.key {
      case "year" where !lacks("released"): continue
      // The date also sets the year, and must not change it.
      case "released" where !lacks("year") && other.released?.year != year: continue
      default: break
      }
      let found = field.value(of: others).texts
      for column in field.columns where !found.isEmpty && (column.table == .item || column.table == Table(kind)) {
        // A value of one record is valid in another of the same kind.
        try? column.set(&record, found)
      }
    }
    // These fields come only from sources, or only together.
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
    // All ids are kept.
    for id in other.externalIDs where !record.externalIDs.contains(id) { record.externalIDs.append(id) }
    return record
  }

  /// Returns the comparable fields whose values contradict, with the other record's values: `minutes: 171`. A date that
  /// is only more precise does not contradict.
  func differences(to other: Record) -> [String] {
    Field.all.filter { $0.isOf(kind) && !$0.columns.isEmpty && !Self.ownWords.contains($0.key) }.compactMap { field in
      let (own, found) = (compared(field), other.compared(field))
      guard !own.isEmpty, !found.isEmpty, Set(own).isDisjoint(with: found) else { return nil }
      if field.type == .date, let one = own.first, let date = found.first, one.hasPrefix(date) || date.hasPrefix(one) {
        return nil
      }
      return "\(field.key): \(field.value(of: Draft(other)).texts.joined(separator: ", "))"
    }
  }

  /// The values of a field in a form that is equal for equal meanings.
  private func compared(_ field: Field) -> [String] {
    switch field.key {
    case "barcode": vinyl.barcode.map { [Barcode.canonical(of: $0)] } ?? []
    case "label": recordLabels
    default: field.value(of: Draft(self)).texts
    }
  }

  /// The fields that each source words in its own way.
  private static let ownWords: Set = [
    "title", "url", "description", "note", "tagline", "public_rating", "public_votes",
  ]
}
