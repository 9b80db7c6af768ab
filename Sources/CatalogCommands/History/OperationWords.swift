internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The changes of an operation in words.
struct OperationWords {
  let changes: OperationChanges
  /// The most changes of one sort that are listed; more are counted.
  var mostNamed = 3

  /// A line for each change, the items first.
  var lines: [Message] {
    var lines: [Message] = []
    for (act, count) in [(OperationChange.Act.added, changes.added), (.removed, changes.removed)] where count > 0 {
      let items = changes.changes.filter { $0.table == "item" && $0.act == act }.compactMap(\.item)
      if count <= mostNamed, items.count == count {
        lines += items.map { Self.said(act, $0.line) }
      } else {
        lines.append(Self.said(act, count.counted("item", "items")))
      }
    }
    var others = changes.others
    func add(_ count: Int, _ sort: OperationChanges.Sort) {
      lines.append(Self.said(sort.act, Message("\(Self.noun(sort.table)) × \(count)", context: "so many")))
    }
    for group in groups {
      guard let first = group.first else { continue }
      let sort = OperationChanges.Sort(act: first.act, table: first.table)
      let count = group.count + (first.isPart ? 0 : others.removeValue(forKey: sort) ?? 0)
      if count <= mostNamed { lines += group.map(Self.line) } else { add(count, sort) }
    }
    let rest = others.sorted { ($0.key.table, $0.key.act.rawValue) < ($1.key.table, $1.key.act.rawValue) }
    for (sort, count) in rest {
      let change = OperationChange(act: sort.act, table: sort.table, id: nil)
      if change.isNews, !change.isPart { add(count, sort) }
    }
    if changes.isCut, changes.added + changes.removed == 0 { lines.append("and more") }
    return lines
  }

  /// The changes that are not part of an added or removed item, grouped by sort.
  private var groups: [[OperationChange]] {
    let whole = changes.whole
    var order: [String] = []
    var groups: [String: [OperationChange]] = [:]
    for change in changes.changes where change.isNews {
      // People, genres and labels of an added item are part of it.
      if change.item.map({ whole.contains($0.id) }) ?? !whole.isEmpty { continue }
      var change = change
      if change.isPart { (change.act, change.id) = (.changed, nil) }
      let key = "\(change.act) \(change.table)"
      if groups[key] == nil { order.append(key) }
      if change.isPart, groups[key, default: []].contains(where: { $0.item == change.item }) { continue }
      groups[key, default: []].append(change)
    }
    return order.compactMap { groups[$0] }
  }

  private static func line(_ change: OperationChange) -> Message {
    var what = thing(change)
    if !change.fields.isEmpty {
      what = Message("\(what) (\(change.fields.map(words).joined(separator: ", ")))", context: "what changed")
    }
    return said(change.act, what)
  }

  /// The noun for a row: `card 7 of vinyl 3: Kind of Blue`.
  private static func thing(_ change: OperationChange) -> Message {
    let isItem = TableSchema.ofItemItself.contains(change.table)
    if isItem, let item = change.item { return item.line }
    var noun = noun(change.table)
    if let name = change.name {
      noun = Message("\(noun) \(name.quoted)", context: "by its name")
    } else if change.isNumbered, let id = change.id {
      noun = Message("\(noun) \(number(id, in: change.table))", context: "by its number")
    }
    return change.item.map { Message("\(noun) of \($0.line)", context: "part of an item") } ?? noun
  }

  /// The number of a row as it is typed: `c7` for a copy.
  private static func number(_ id: Int64, in table: String) -> String {
    switch table {
    case "copy": "\(CopyID(rawValue: id))"
    case "wish": "\(WishID(rawValue: id))"
    default: "\(id)"
    }
  }

  /// `year: 1959 → 1960`.
  private static func words(_ field: OperationChange.Field) -> Message {
    func short(_ text: String?) -> String { (text ?? "–").truncated(to: 40) }
    return "\(Message(column: field.name)): \(short(field.old)) → \(short(field.new))"
  }

  private static func said(_ act: OperationChange.Act, _ what: Message) -> Message {
    switch act {
    case .added: "added \(what)"
    case .removed: "removed \(what)"
    case .changed: "changed \(what)"
    }
  }

  /// The noun for a row of a table.
  static func noun(_ table: String) -> Message { Message(table: table) }

  // MARK: What stayed

  /// The undo conflict, and its reason.
  static func words(_ conflict: UndoConflict) -> Message {
    let what = thing(OperationChange(act: .changed, table: conflict.table, id: conflict.id, item: conflict.item))
    return switch conflict.reason {
    case .changed(let column?): "\(what) was left alone: its \(column) was changed since"
    case .changed(nil): "\(what) was left alone: it was changed since"
    case .gone: "\(what) was left alone: it is gone"
    case .has(let table): "\(what) was left alone: this was added to it since: \(noun(table))"
    case .taken: "\(what) was left alone: something else is in its place"
    case .rejected: "\(what) was left alone: it conflicts with the present data"
    }
  }
}

extension NamedItem {
  /// The item as text: `vinyl 3: Kind of Blue`.
  fileprivate var line: Message { "\(Message(words: kind)) \(id): \(title)" }
}

extension OperationChange {
  /// Whether the change is listed on its own.
  fileprivate var isNews: Bool {
    if table == "item" { return act == .changed }
    return if case .unlisted = history { false } else { true }
  }

  /// Whether several rows of this table are one fact for a person, such as the genres of an item.
  fileprivate var isPart: Bool { if case .part = history { true } else { false } }

  /// Whether a person names the rows of this table by their number.
  fileprivate var isNumbered: Bool { TableSchema.named(table)?.isOwnable == true }

  private var history: TableSchema.History { TableSchema.named(table)?.history ?? .unlisted(nil) }
}
