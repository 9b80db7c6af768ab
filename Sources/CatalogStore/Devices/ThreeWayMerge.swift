public import CatalogModel

/// A conflict between two devices, and its resolution.
public struct MergeConflict: Sendable, Hashable {
  public enum Resolution: String, Sendable, CaseIterable { case ours = "mine", theirs, both }

  /// The title shown to the user, such as the title of the item.
  public var title: String
  /// The table, with the name of the row if it has several: `card 0199…`.
  public var row: String
  /// The part of the row: `year`; empty for the whole row.
  public var part: String
  /// The value on each side; nil if the side has none or removed it.
  public var ours: JSON?
  public var theirs: JSON?
  public var resolution: Resolution
}

/// Merges two versions of a document, part by part, given their common ancestor. docs/devices.md has the rules.
///
/// Two devices that merge the same versions get the same document. Which side is ours shows only in the conflicts.
package struct ThreeWayMerge {
  private(set) var conflicts: [MergeConflict] = []
  var title = ""
  /// The times of the last change on each side, used for rows without a time of their own.
  var times = (ours: "", theirs: "")

  /// - Parameter base: the common ancestor; nil if both sides have added the document.
  package static func merge(
    base: Document?, ours: Document, theirs: Document
  ) -> (document: Document, conflicts: [MergeConflict]) {
    var merge = ThreeWayMerge()
    let document = merge.merge(base, ours, theirs)
    return (document, merge.conflicts)
  }

  private mutating func merge(_ base: Document?, _ ours: Document, _ theirs: Document) -> Document {
    if ours.isSame(as: theirs) || theirs.isSame(as: base) { return ours }
    if ours.isSame(as: base) { return theirs }
    title = ours.title ?? theirs.title ?? ""
    times = (ours.time, theirs.time)
    if ours.isGone || theirs.isGone { return mergeTombstones(base, ours, theirs) }
    // An item that the base has removed has come back on both sides.
    let base = base.flatMap { $0.isGone ? nil : $0 }
    let sides = Sides(base: base, ours: ours, theirs: theirs)
    var merged = Document()
    for key in sides.keys {
      let values = sides.values(key)
      if let value = member(key, values.base, values.ours, values.theirs, sides) {
        merged.members.append(.init(key, value))
      } else if ours["item"] == nil, TableSchema.named(key)?.place == .ownFile {
        // The document of a collection file keeps an empty list.
        merged.members.append(.init(key, .list([])))
      }
    }
    return repaired(Self.withOrigin(ofGenresIn: merged, sides))
  }

  /// Sets `genres_by_hand` by the genres that were kept, if one side chose its genres and the other has those of its
  /// labels.
  private static func withOrigin(ofGenresIn merged: Document, _ sides: Sides) -> Document {
    func isByHand(_ side: Document) -> Bool { side.rows(of: "item").first?[byHand]?.integer == 1 }
    func genres(_ side: Document) -> [String] { side.rows(of: "item_genre").map { $0["genre"]?.word ?? "" } }
    guard isByHand(sides.ours) != isByHand(sides.theirs), genres(sides.ours) != genres(sides.theirs),
      let item = merged["item"]?.object
    else { return merged }
    let chosen = isByHand(sides.ours) ? sides.ours : sides.theirs
    let flag = JSON.integer(genres(merged) == genres(chosen) ? 1 : 0)
    return merged.with("item", .object(item.with(byHand, flag)))
  }

  private static let byHand = "genres_by_hand"

  /// A removal removes the state that its device knew, and no later change.
  private mutating func mergeTombstones(_ base: Document?, _ ours: Document, _ theirs: Document) -> Document {
    if ours.isGone, theirs.isGone { return Self.order(ours, theirs) ? theirs : ours }
    let isOurs = theirs.isGone
    let kept = isOurs ? ours : theirs
    recordRemoval("", "", kept["item"] ?? .text(""), isOurs: isOurs)
    return kept
  }

  /// Records that a value of one side stays, although the other side removed it.
  private mutating func recordRemoval(_ row: String, _ part: String, _ value: JSON?, isOurs: Bool) {
    recordConflict(row, part, isOurs ? value : nil, isOurs ? nil : value, isOurs ? .ours : .theirs)
  }

  mutating func recordConflict(
    _ row: String, _ part: String, _ ours: JSON?, _ theirs: JSON?,
    _ resolution: MergeConflict.Resolution, called own: String? = nil
  ) {
    // A row of no item has a name of its own.
    let name = title.isEmpty ? own?[...] ?? row.drop { $0 != " " }.dropFirst() : title[...]
    conflicts.append(
      .init(title: String(name), row: row, part: part, ours: ours, theirs: theirs, resolution: resolution))
  }

  // MARK: Members

  struct Sides {
    let base: Document?
    let ours: Document
    let theirs: Document

    /// All of them, ours first.
    var keys: [String] { (ours.members.map(\.key) + theirs.members.map(\.key)).withoutRepeats }

    func values(_ key: String) -> (base: JSON?, ours: JSON?, theirs: JSON?) {
      (base?[key], ours[key], theirs[key])
    }

    /// Whether each side's value of an item's field was entered by hand or is locked.
    func isByHand(_ field: String) -> (ours: Bool, theirs: Bool) {
      func isByHand(_ side: Document) -> Bool {
        side.rows(of: "field_value").contains {
          $0["field"]?.text == field && ($0["source"]?.text == "hand" || $0["is_locked"]?.integer == 1)
        }
      }
      return (isByHand(ours), isByHand(theirs))
    }
  }

  private mutating func member(
    _ key: String, _ base: JSON?, _ ours: JSON?, _ theirs: JSON?, _ sides: Sides
  ) -> JSON? {
    // A lent copy has changed, whatever its own row has.
    let loans = sides.values("loan")
    let isLent = key == "copy" && !(Self.same(loans.ours, loans.base) && Self.same(loans.theirs, loans.base))
    if !isLent {
      if Self.same(ours, theirs) || Self.same(theirs, base) && base != nil { return ours }
      if Self.same(ours, base), base != nil { return theirs }
    }
    // A missing list is an empty one.
    if theirs == nil, base == nil { return ours }
    if ours == nil, base == nil { return theirs }
    switch TableSchema.MergeRule.of(key) {
    case .row:
      guard case .object(let ourRow)? = ours, case .object(let theirRow)? = theirs else {
        // Removed on one side, changed on the other.
        return chosen(key, "", base, ours, theirs)
      }
      return .object(row(key, "", base.flatMap(\.object), ourRow, theirRow, sides))
    case .rows:
      return rows(key, TableSchema.MergeRule.of(key), base, ours, theirs, sides)
    case .orderedSet(let column):
      return orderedSet(key, column, base, ours, theirs, sides)
    case .whole:
      return chosen(key, "", base, ours, theirs)
    }
  }

  private static func same(_ a: JSON?, _ b: JSON?) -> Bool {
    if let a { a.isSame(as: b) } else { b == nil }
  }

  // MARK: Rows

  private mutating func rows(
    _ table: String, _ rule: TableSchema.MergeRule, _ base: JSON?, _ ours: JSON?, _ theirs: JSON?,
    _ sides: Sides
  ) -> JSON? {
    func all(_ value: JSON?) -> [(key: [String], row: Document)] {
      Document([.init(table, value ?? .null)]).rows(of: table).map { (rule.key(of: $0), $0) }
    }
    func byKey(_ rows: [(key: [String], row: Document)]) -> [[String]: Document] {
      Dictionary(rows.map { ($0.key, $0.row) }) { first, _ in first }
    }
    let (ourList, theirList) = (all(ours), all(theirs))
    let (baseRows, ourRows, theirRows) = (byKey(all(base)), byKey(ourList), byKey(theirList))
    var merged: [Document] = []
    for key in (ourList + theirList).map(\.key).withoutRepeats.sorted(by: Self.order) {
      let name = table + key.map { " \($0)" }.joined()
      let base = baseRows[key]
      let outer = title
      defer { title = outer }
      if title.isEmpty { title = (ourRows[key] ?? theirRows[key])?["name"]?.text ?? "" }
      if let ours = ourRows[key], let theirs = theirRows[key] {
        merged.append(row(table, name, base, ours, theirs, sides))
      } else if let only = ourRows[key] ?? theirRows[key] {
        let isOurs = ourRows[key] != nil
        if let base {
          let isChanged =
            !only.isSame(as: base)
            || Self.wasLent(only, table, by: isOurs ? sides.ours : sides.theirs, since: sides.base)
          guard isChanged else { continue }
          recordRemoval(name, "", .object(only), isOurs: isOurs)
        }
        merged.append(only)
      }
    }
    return merged.isEmpty ? nil : .list(merged.map(JSON.object))
  }

  /// Whether a side has lent or got back a copy since the base. The device that removed the copy did not know of it.
  private static func wasLent(_ row: Document, _ table: String, by side: Document, since base: Document?) -> Bool {
    guard table == "copy" else { return false }
    let before = base?.rows(of: "loan") ?? []
    return side.rows(of: "loan").contains { loan in
      loan["copy"] == row[TableSchema.uid] && !before.contains { $0.isSame(as: loan) }
    }
  }

  /// The longest that a text may be, in characters.
  private static let longestText = 10_000

  mutating func row(
    _ table: String, _ name: String, _ base: Document?, _ ours: Document, _ theirs: Document, _ sides: Sides
  ) -> Document {
    let name = name.isEmpty ? table : name
    if ours.isSame(as: theirs) || theirs.isSame(as: base) { return ours }
    if ours.isSame(as: base) { return theirs }
    // The time of the row is more exact than that of the item.
    let outer = times
    defer { times = outer }
    if let own = ours.ownTime { times.ours = own }
    if let own = theirs.ownTime { times.theirs = own }
    var merged = Document()
    var done = Set<String>()
    for key in Sides(base: base, ours: ours, theirs: theirs).keys where !done.contains(key) {
      let group = TableSchema.group(of: key, in: table)
      done.formUnion(group)
      func values(_ row: Document?) -> [JSON?] { group.map { row?[$0] } }
      let picked = column(
        table, name, group, base.map(values), values(ours), values(theirs), sides)
      for (key, value) in zip(group, picked) { if let value { merged.members.append(.init(key, value)) } }
    }
    if table == "card", merged["rating"] == nil, merged["comment"] == nil {
      // Each side removed the row that the other kept.
      let isOurs = Self.isLater((times.ours, .object(ours)), than: (times.theirs, .object(theirs)))
      recordConflict(name, "", .object(ours), .object(theirs), isOurs ? .ours : .theirs)
      return isOurs ? ours : theirs
    }
    return merged
  }

  private mutating func column(
    _ table: String, _ name: String, _ group: [String], _ base: [JSON?]?, _ ours: [JSON?],
    _ theirs: [JSON?], _ sides: Sides
  ) -> [JSON?] {
    func same(_ a: [JSON?], _ b: [JSON?]?) -> Bool {
      b.map { zip(a, $0).allSatisfy(Self.same) } ?? false
    }
    func isNothing(_ values: [JSON?]) -> Bool { values.allSatisfy { $0 == nil } }
    if same(ours, theirs) || same(theirs, base) { return ours }
    if same(ours, base) { return theirs }
    let key = group[0]
    // Two spellings of one name are no conflict: the vocabulary decides.
    if let ours = ours[0], let theirs = theirs[0], TableSchema.named.contains(key),
      TableSchema.MergeRule.name(of: ours) == TableSchema.MergeRule.name(of: theirs)
    {
      return [Self.order([ours.word], [theirs.word]) ? theirs : ours]
    }
    if TableSchema.laterWins.contains(key) { return (ours[0]?.word ?? "") >= (theirs[0]?.word ?? "") ? ours : theirs }
    if key == "created_at" { return (ours[0]?.word ?? "~") <= (theirs[0]?.word ?? "~") ? ours : theirs }
    // A value that one side never had was not removed.
    if base == nil || base.map(isNothing) == true {
      if isNothing(theirs) { return ours }
      if isNothing(ours) { return theirs }
    }
    func shown(_ values: [JSON?]) -> JSON? {
      if group.count == 1 { return values[0] }
      let members = zip(group, values).compactMap { key, value in value.map { JSON.Member(key, $0) } }
      return members.isEmpty ? nil : .object(Document(members))
    }
    if TableSchema.texts.contains(key) {
      // A text that only one side removed stays.
      if isNothing(ours) || isNothing(theirs) {
        let isOurs = isNothing(theirs)
        recordRemoval(name, key, (isOurs ? ours : theirs)[0], isOurs: isOurs)
        return isOurs ? ours : theirs
      }
      if let both = Self.both(ours[0]?.text ?? "", times.ours, theirs[0]?.text ?? "", times.theirs) {
        recordConflict(name, key, ours[0], theirs[0], .both)
        return [.text(both)]
      }
    }
    var isOurs = Self.isLater((times.ours, shown(ours)), than: (times.theirs, shown(theirs)))
    if TableSchema.ofItemItself.contains(table) {
      let hand = sides.isByHand(key)
      if hand.ours != hand.theirs { isOurs = hand.ours }
    }
    recordConflict(name, group.joined(separator: ", "), shown(ours), shown(theirs), isOurs ? .ours : .theirs)
    return isOurs ? ours : theirs
  }

  /// Both texts, the earlier one first; nil if they are too long together.
  private static func both(_ ours: String, _ ourTime: String, _ theirs: String, _ theirTime: String) -> String? {
    if ours.contains(theirs) { return ours }
    if theirs.contains(ours) { return theirs }
    let isOursLater = isLater((ourTime, .text(ours)), than: (theirTime, .text(theirs)))
    let both = isOursLater ? theirs + "\n\n" + ours : ours + "\n\n" + theirs
    return both.unicodeScalars.count <= longestText ? both : nil
  }

  // MARK: Sets and wholes

  private mutating func orderedSet(
    _ member: String, _ column: String, _ base: JSON?, _ ours: JSON?, _ theirs: JSON?,
    _ sides: Sides
  ) -> JSON? {
    if member == "item_genre" {
      // Genres chosen by a person win over those of labels.
      func isByHand(_ side: Document) -> Bool { side.rows(of: "item").first?[Self.byHand]?.integer == 1 }
      if isByHand(sides.ours) != isByHand(sides.theirs) { return isByHand(sides.ours) ? ours : theirs }
    }
    func all(_ value: JSON?) -> [JSON] { if case .list(let values)? = value { values } else { [] } }
    let rule = TableSchema.MergeRule.orderedSet(by: column)
    func thing(_ value: JSON) -> JSON {
      column.isEmpty ? value : .list(rule.key(of: value.object ?? Document()).map(JSON.text))
    }
    func things(_ value: JSON?) -> [JSON] { all(value).map(thing) }
    let (before, ourThings, theirThings) = (things(base), things(ours), things(theirs))
    func stays(_ value: JSON) -> Bool {
      ourThings.contains(value) && theirThings.contains(value) || !before.contains(value)
    }
    // The order is that of the side that changed it, or of the later side.
    let ourOrder = ourThings.filter(stays)
    let theirOrder = theirThings.filter(stays)
    let isOursChanged = !before.filter(ourThings.contains).elementsEqual(ourThings.filter(before.contains))
    let isTheirsChanged = !before.filter(theirThings.contains).elementsEqual(theirThings.filter(before.contains))
    let isOursFirst =
      isOursChanged != isTheirsChanged
      ? isOursChanged : Self.isLater((times.ours, ours), than: (times.theirs, theirs))
    var order = (isOursFirst ? ourOrder + theirOrder : theirOrder + ourOrder).withoutRepeats
    // Aliases are sorted, as the catalog exports them.
    if member == PortableDocuments.aliases { order.sort { Self.order([$0.word], [$1.word]) } }
    let known = Dictionary((isOursFirst ? all(theirs) + all(ours) : all(ours) + all(theirs)).map { (thing($0), $0) }) {
      $1
    }
    let merged = order.enumerated().compactMap { place, thing -> JSON? in
      guard let value = known[thing] else { return nil }
      return if case .object(let row) = value { .object(row.placed(place + 1)) } else { value }
    }
    return merged.isEmpty ? nil : .list(merged)
  }

  /// The value of one side, where both have changed it.
  private mutating func chosen(
    _ row: String, _ part: String, _ base: JSON?, _ ours: JSON?, _ theirs: JSON?
  ) -> JSON? {
    let isOurs = Self.isLater((times.ours, ours), than: (times.theirs, theirs))
    recordConflict(row, part, ours, theirs, isOurs ? .ours : .theirs)
    return isOurs ? ours : theirs
  }

  /// Whether the first is later; at equal times, whether its text comes last, so that both devices agree.
  private static func isLater(
    _ first: (time: String, value: JSON?), than second: (time: String, value: JSON?)
  ) -> Bool {
    if first.time != second.time { return first.time > second.time }
    return order([second.value?.word ?? ""], [first.value?.word ?? ""])
  }

  private static func order(_ a: Document, _ b: Document) -> Bool {
    order([JSON.object(a).word], [JSON.object(b).word])
  }

  static func order(_ a: [String], _ b: [String]) -> Bool {
    // By bytes: two forms of one letter are two texts.
    for (a, b) in zip(a, b) where !a.utf8.elementsEqual(b.utf8) { return a.utf8.lexicographicallyPrecedes(b.utf8) }
    return a.count < b.count
  }
}

extension Document {
  /// The row's uid; empty if it has none.
  var ownName: String { self[TableSchema.uid]?.text ?? "" }

  /// The row at another position, if it has any.
  func placed(_ position: Int) -> Document {
    self["position"] == nil ? self : with("position", .integer(Int64(position)))
  }

  /// The document with these rows of a table, in the order of their names, in place of its own.
  func saying(_ rows: [Document], of table: String) -> Document {
    let sorted = rows.sorted { $0.ownName.utf8.lexicographicallyPrecedes($1.ownName.utf8) }
    return with(table, rows.isEmpty ? nil : .list(sorted.map(JSON.object)))
  }

  /// Whether the document is a tombstone or the alias of a merged item.
  public var isGone: Bool { self[PortableDocuments.removed] != nil || self[PortableDocuments.same] != nil }

  /// The title or name shown to the user.
  public var title: String? {
    rows(of: "item").first?["title"]?.text ?? rows(of: "pile").first?["name"]?.text ?? self["title"]?.text
  }

  /// The time of the item's last change; empty if unknown.
  var time: String { rows(of: "item").first?["updated_at"]?.text ?? "" }

  /// The time of the row's last change; nil if it has none.
  var ownTime: String? {
    for key in ["updated_at", "set_at", "asked_at", "fulfilled_at", "added_at"] {
      if let time = self[key]?.text { return time }
    }
    return nil
  }
}

extension JSON {
  /// The value as a text, for an order among values.
  public var word: String {
    switch self {
    case .null: ""
    case .flag(let flag): flag ? "true" : "false"
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): text
    case .list(let values): values.map(\.word).joined(separator: "\n")
    case .object(let document): document.members.map { "\($0.key)=\($0.value.word)" }.joined(separator: "\t")
    }
  }
}
