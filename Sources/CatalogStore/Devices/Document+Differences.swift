public import CatalogModel

extension Document {
  /// The parts in which two versions differ, such as `year` or `card rating`. Times of changes are no difference.
  public static func differences(
    _ old: Document, _ new: Document
  ) -> [(part: String, old: JSON?, new: JSON?)] {
    let silent: Set = ["updated_at", "created_at", "field_value", "item_refresh", "sequence"]
    var found: [(part: String, old: JSON?, new: JSON?)] = []
    func compare(_ old: Document, _ new: Document, _ prefix: String) {
      for key in (old.members.map(\.key) + new.members.map(\.key)).withoutRepeats where !silent.contains(key) {
        let (before, after) = (old[key], new[key])
        if before.map({ $0.isSame(as: after) }) ?? (after == nil) { continue }
        if case .object(let one)? = before, case .object(let other)? = after {
          let isOwn = TableSchema.ofItemItself.contains(key)
          compare(one, other, prefix + (isOwn ? "" : key + " "))
          continue
        }
        let rule = TableSchema.MergeRule.of(key)
        guard case .rows = rule else {
          found.append((prefix + key, before, after))
          continue
        }
        let (mine, others) = (old.rows(of: key), new.rows(of: key))
        for row in mine {
          let other = others.first { rule.key(of: $0) == rule.key(of: row) }
          if let other { compare(row, other, "\(key) ") } else { found.append((key, .object(row), nil)) }
        }
        for row in others where !mine.contains(where: { rule.key(of: $0) == rule.key(of: row) }) {
          found.append((key, nil, .object(row)))
        }
      }
    }
    compare(old, new, "")
    return found
  }
}
