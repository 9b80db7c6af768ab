internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog history [REF]`: lists the changes of each command, the newest first.
struct HistoryCommand: Command {
  static let info = CommandInfo<Self>(
    "history", summary: "Show what each command changed.",
    discussion: """
      The newest operation comes first; 'catalog redo' redoes undone operations. Operations of the last 90 days are \
      kept while they take no more than a tenth of the file, and the last 20 in any case.
      """,
    examples: [
      Example("catalog history", "All operations."),
      Example("catalog history 42", "The operations that changed item 42."),
      Example("catalog history --operation 7", "One operation in full, with the values before and after."),
    ],
    arguments: [
      .words(\.typed, isRequired: false, help: "Only operations that changed this item."),
      .option("operation", \.operation, value: "N", help: "One operation in full."),
      .flag(
        "device", \.asksTree,
        help: "The history of the item on all devices: its versions in the tree of 'catalog sync'."),
      .option("limit", \.limit, help: "Show at most this many operations."),
    ] + TableOptions.arguments.lifted(\.table))

  var typed = TypedReferences()
  var operation: Count?
  var limit: Count?
  var asksTree = false
  var table = TableOptions()

  func validate() throws(UsageError) {
    if !typed.isEmpty, operation != nil { throw UsageError("name an item or give --operation, not both") }
    if asksTree, typed.isEmpty {
      throw UsageError("--device wants an item", hint: "for example: catalog history 42 --device")
    }
  }

  func run(in context: Context) throws {
    let store = try context.reading()
    let item = try typed.isEmpty ? nil : context.item(typed, for: .reading, in: store)
    if asksTree, let item {
      return try context.write(try VersionTable(of: item, limit: limit?.number, in: context).table, table)
    }
    let found: [(operation: Operation, changes: OperationChanges)]
    if let operation {
      let wanted = try store.operation(Int64(operation.number))
      // Later operations have the names of rows that were removed since.
      found = try store.changes(of: store.operations().filter { $0.id >= wanted.id }).filter {
        $0.operation.id == wanted.id
      }
    } else {
      let operations = try store.operations()
      let read = try store.changes(
        of: item == nil ? Array(operations.prefix(limit?.number ?? operations.count)) : operations, touching: item)
      found = Array(read.prefix(limit?.number ?? read.count))
    }
    let isForPerson = table.format(on: context.terminal) == .fitted
    if isForPerson, operation != nil, let only = found.first { return try context.paged { try show(only, in: $0) } }
    try context.write(table(of: found, in: context), table)
    guard !found.isEmpty else {
      throw Failure(
        try item.map { "no recorded operation changed \(try store.item($0).line)" } ?? "nothing was changed yet")
    }
  }

  private func table(of operations: [(operation: Operation, changes: OperationChanges)], in context: Context) -> Table {
    let isForPerson = table.format(on: context.terminal) == .fitted
    func minute(_ moment: Timestamp) -> Table.Cell {
      .init(value: .text(moment.rawValue), shown: context.localTime.minute(of: moment))
    }
    return Table(
      columns: [
        .init("id", "Operation", alignment: .right, importance: 9),
        .init("operation", isHidden: true),
        .init("done_at", "When", importance: 7),
        .init("command", isHidden: true),
        .init("typed", "Typed", isFlexible: true, minimumWidth: 28, importance: 6),
        .init("changes", "Changed", isFlexible: true, minimumWidth: 20, importance: 8),
        .init("undone_at", isHidden: true),
      ],
      rows: operations.map { operation, changes in
        let isUndone = operation.undoneAt != nil
        var lines = OperationWords(changes: changes).lines.map { isForPerson ? context.text($0) : $0.text(in: nil) }
        if isForPerson, isUndone { lines = [context.text("(undone) \(lines.joined(separator: "; "))")] }
        return [
          .init(Int(operation.id), style: .cyan), .init(Int(operation.id)), minute(operation.at),
          .init(operation.command), .init(operation.line), .init(isForPerson ? [lines.joined(separator: "; ")] : lines),
          .init(operation.undoneAt?.rawValue),
        ]
      })
  }

  /// Shows one operation with every change.
  private func show(_ found: (operation: Operation, changes: OperationChanges), in context: Context) throws {
    let (operation, changes) = found
    try context.print(
      "operation \(operation.id), \(context.localTime.minute(of: operation.at)): \(context.safe(operation.line))", .bold
    )
    if let undone = operation.undoneAt { try context.print("undone \(context.localTime.minute(of: undone))") }
    for line in OperationWords(changes: changes, mostNamed: .max).lines {
      try context.print(verbatim: "  " + context.safe(context.text(line)))
    }
  }
}
