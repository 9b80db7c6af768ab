internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog level`: shows the level of the record collection.
struct LevelCommand: Command {
  static let info = CommandInfo<Self>(
    "level", summary: "Show the record levels, and which is yours.",
    discussion: """
      The level comes from the vinyl records that you own, those with a copy on vinyl, counted anew each time. CDs, \
      cassettes and files do not count.
      """,
    examples: [Example("catalog level", "The five levels, yours marked.")],
    arguments: ResultOptions.arguments.lifted(\.result))

  var result = ResultOptions()

  func run(in context: Context) throws {
    let records = try context.reading().ownedRecords()
    let current = RecordLevel.of(records: records)
    if let fields = result.fields { return try context.printJSON(fields, current, members(records)) }
    func isCurrent(_ level: RecordLevel) -> Bool { level == current }
    let mark = context.terminal.usesUnicode ? "▶" : ">"
    let table = try Table(
      RecordLevel.all,
      [
        .init("current", "", importance: 5, style: .magenta, isCurrent, shown: { isCurrent($0) ? mark : "" }),
        .init("level", "Level", alignment: .right, importance: 2, \.number),
        .init("name", "Name", isFlexible: true, minimumWidth: 8, importance: 3) { level in
          Table.Cell(
            value: .text(level.name), shown: context.text(level.words), style: isCurrent(level) ? .bold : .plain)
        },
        .init("vinyl", "Records", alignment: .right, importance: 1, \.span),
        .init(
          "gauge", "", importance: 4, { isCurrent($0) ? $0.gauge(records: records) : "" },
          shown: { isCurrent($0) ? gauge($0, records, in: context) : "" }),
      ])
    try table.write(TableOptions(), to: context.output, terminal: context.terminal)
  }

  private func gauge(_ level: RecordLevel, _ records: Int, in context: Context) -> String {
    // A narrow terminal shows a shorter bar.
    let width = min(20, max(6, context.terminal.width / 4))
    let bar = context.terminal.bar(level.fullness(records: records), width: width)
    let rest = String(repeating: context.terminal.usesUnicode ? "░" : ".", count: max(0, width - bar.cellWidth))
    return "\(bar)\(rest) \(level.gauge(records: records))"
  }

  private func members(_ records: Int) -> [Column<RecordLevel>] {
    [
      .init("vinyl") { _ in records }, .init("level", \.number), .init("name", \.name),
      .init("gauge") { $0.gauge(records: records) },
      .list(
        "levels", { _ in RecordLevel.all },
        [
          .init("level", \.number), .init("name", \.name), .init("least", \.records.lowerBound),
          .init("most") { $0.records.upperBound == Int.max ? nil : $0.records.upperBound },
        ]),
    ]
  }
}

extension RecordLevel {
  /// The name for a person.
  var words: Message { Message(words: name) }

  /// `10–49`; the last level has no end: `500–`.
  fileprivate var span: String {
    "\(records.lowerBound)–" + (records.upperBound == Int.max ? "" : "\(records.upperBound)")
  }
}
