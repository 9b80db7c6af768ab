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
    if let fields = result.fields { return try context.printJSON(fields) { write(records, current, to: &$0) } }
    var table = Table(columns: [
      .init("current", "", importance: 5),
      .init("level", "Level", alignment: .right, importance: 2),
      .init("name", "Name", isFlexible: true, minimumWidth: 8, importance: 3),
      .init("vinyl", "Records", alignment: .right, importance: 1),
      .init("gauge", "", importance: 4),
    ])
    for level in RecordLevel.all {
      let isCurrent = level == current
      let style = isCurrent ? Style.bold : .plain
      let mark = isCurrent ? context.terminal.usesUnicode ? "▶" : ">" : ""
      table.rows.append([
        .init(isCurrent, shown: mark, style: .magenta), .init(level.number),
        .init(value: .text(level.name), shown: context.text(level.words), style: style),
        .init(level.span),
        .init(
          value: .text(isCurrent ? level.gauge(records: records) : ""),
          shown: isCurrent ? gauge(current, records, in: context) : ""),
      ])
    }
    try table.write(TableOptions(), to: context.output, terminal: context.terminal)
  }

  private func gauge(_ level: RecordLevel, _ records: Int, in context: Context) -> String {
    // A narrow terminal shows a shorter bar.
    let width = min(20, max(6, context.terminal.width / 4))
    let bar = context.terminal.bar(level.fullness(records: records), width: width)
    let rest = String(repeating: context.terminal.usesUnicode ? "░" : ".", count: max(0, width - bar.cellWidth))
    return "\(bar)\(rest) \(level.gauge(records: records))"
  }

  private func write(_ records: Int, _ current: RecordLevel, to json: inout JSONWriter) {
    json.object { json in
      json.member("vinyl", records)
      json.member("level", current.number)
      json.member("name", current.name)
      json.member("gauge", current.gauge(records: records))
      json.key("levels")
      json.array { json in
        for level in RecordLevel.all {
          json.object { json in
            json.member("level", level.number)
            json.member("name", level.name)
            json.member("least", level.records.lowerBound)
            json.member("most", level.records.upperBound == Int.max ? nil : level.records.upperBound)
          }
        }
      }
    }
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
