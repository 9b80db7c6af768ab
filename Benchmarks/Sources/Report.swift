import FoundationEssentials
import Glibc

/// One line of the table: a figure beside its yardstick and its budget.
struct Figure: Encodable {
  var operation: String
  /// The number of items in the catalog; 0 without a catalog.
  var size: Int
  var ours: Double
  var unit: String
  /// The program of comparison: `floor`, `shell`, `empty`, …; nil when the budget applies to the figure itself.
  var yardstick: String?
  var theirs: Double?
  var budget: Double?

  /// The value that the budget limits.
  var value: Double { theirs.map { ours / max($0, 1e-9) } ?? ours }
  var isOver: Bool? { budget.map { value > $0 } }

  enum Key: String, CodingKey {
    case operation, size, ours, unit, yardstick, theirs, ratio, budget, over
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(operation, forKey: .operation)
    try container.encode(size, forKey: .size)
    try container.encode(ours, forKey: .ours)
    try container.encode(unit, forKey: .unit)
    try container.encode(yardstick, forKey: .yardstick)
    try container.encode(theirs, forKey: .theirs)
    try container.encode(theirs.map { _ in value }, forKey: .ratio)
    try container.encode(budget, forKey: .budget)
    try container.encode(isOver, forKey: .over)
  }

  static let heading = ["operation", "size", "ours", "", "yardstick", "theirs", "ratio", "budget", ""]

  var cells: [String] {
    [
      operation, size == 0 ? "" : "\(size)", Self.format(ours), unit, yardstick ?? "", theirs.map(Self.format) ?? "",
      theirs == nil ? "" : Self.format(value), budget.map(Self.format) ?? "", isOver.map { $0 ? "OVER" : "ok" } ?? "",
    ]
  }

  /// Three digits that matter.
  static func format(_ number: Double) -> String {
    let decimals = number >= 100 ? 0 : number >= 10 ? 1 : 2
    let scale = pow(10, Double(decimals))
    let hundredths = Int((number * scale).rounded())
    guard decimals > 0 else { return "\(hundredths)" }
    let fraction = String(hundredths % Int(scale))
    return "\(hundredths / Int(scale)).\(String(repeating: "0", count: decimals - fraction.count))\(fraction)"
  }
}

/// Lines up columns; numbers on the right.
func table(_ rows: [[String]]) -> String {
  let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  return rows.map { row in
    zip(row, widths).enumerated().map { column, cell in
      let space = String(repeating: " ", count: cell.1 - cell.0.count)
      return [1, 2, 5, 6, 7].contains(column) ? space + cell.0 : cell.0 + space
    }.joined(separator: "  ") + "\n"
  }.joined()
}

/// A table of the growth of each operation from the smallest catalog to the largest.
func growth(_ figures: [Figure]) -> String {
  let sizes = Set(figures.lazy.filter { $0.unit == "B" }.map(\.size)).sorted()
  guard sizes.count > 1 else { return "" }
  var names: [String] = []
  for figure in figures where figure.size > 0 && figure.unit == "ms" && !names.contains(figure.operation) {
    names.append(figure.operation)
  }
  let rows = names.map { name in
    [name]
      + sizes.map { size in
        figures.first { $0.operation == name && $0.size == size }.map { Figure.format($0.ours) } ?? ""
      }
  }
  return "\nGrowth, ms:\n" + table([["operation"] + sizes.map { "\($0)" }] + rows)
}

/// Measures everything, and prints and writes the results.
func runAll(_ bench: Bench, sizes: [Int], runs: Int, json: String?) throws {
  var figures: [Figure] = []
  func add(_ operation: Operation) throws {
    complain("\(operation.name) \(operation.size == 0 ? "" : "\(operation.size)")\n")
    do {
      let commands = [operation.ours] + operation.yardsticks.map(\.command)
      let measured = try bench.measure(commands, runs: operation.runs)
      for (yardstick, theirs) in zip(operation.yardsticks, measured.dropFirst()) {
        figures.append(
          Figure(
            operation: operation.name, size: operation.size, ours: measured[0].wall, unit: "ms",
            yardstick: yardstick.name, theirs: theirs.wall, budget: yardstick.budget))
      }
      figures.append(
        Figure(
          operation: "\(operation.name), memory", size: operation.size, ours: measured[0].memory, unit: "MiB",
          budget: operation.memoryBudget))
    } catch let trouble as Trouble {
      // A command that is not there yet spoils nothing else.
      complain("  passed over: \(trouble)\n")
    }
  }

  for operation in bench.startUp(runs: runs) { try add(operation) }
  for size in sizes {
    let db = bench.file("\(size).db")
    complain("catalog of \(size)\n")
    try bench.makeCatalog(size: size)
    for (part, bytes) in try bench.parts(of: db) {
      figures.append(
        Figure(
          operation: "file, \(part), bytes an item", size: size, ours: Double(bytes) / Double(size), unit: "B",
          budget: part == Bench.bare && size >= 10_000 ? 450 : nil))
    }
    for operation in bench.operations(size: size, runs: runs) { try add(operation) }
    for (name, hangul) in [("Latin", false), ("Hangul", true)] {
      let times = try searchAsYouType(in: db, hangul: hangul)
      for (part, time, budget) in [("p50", times.p50, 1.0), ("p95", times.p95, 6), ("p99", times.p99, 12)] {
        figures.append(
          Figure(operation: "type \(name), \(part)", size: size, ours: time, unit: "ms", budget: budget))
      }
    }
  }
  let decoding = try decodeAnswers(runs: 200)
  figures.append(
    Figure(
      operation: "decode 200 results", size: 0, ours: decoding.ours, unit: "ms", yardstick: "JSONDecoder",
      theirs: decoding.plain, budget: 1.6))

  figures += try picturesUsed(in: bench.folder, runs: 501)

  print(table([Figure.heading] + figures.map(\.cells)) + growth(figures), terminator: "")
  if let json {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(figures).write(to: URL(filePath: json))
  }
}

extension Bench {
  /// The catalog of `size` items, from the same lines each time, and two copies to write to.
  func makeCatalog(size: Int) throws {
    let (things, db) = (file("\(size).tsv"), file("\(size).db"))
    for name in [db, db + "-journal", file("empty.db")] { unlink(name) }
    try generate(count: size, into: things)
    try output(of: [program("catalog-benchmarks"), "fill", things, db])
    try output(of: [program("catalog-benchmarks"), "life", db])
    if size <= 100_000 {
      try output(of: [program("catalog-benchmarks"), "csv", things, file("\(size).csv")])
      // A hundred thousand other works, many with titles of the first ones.
      try generate(count: 100_000, from: size, into: file("\(size)-more.tsv"))
      try output(of: [program("catalog-benchmarks"), "csv", file("\(size)-more.tsv"), file("\(size)-more.csv")])
      // The exported works as one flat table.
      let (flat, rows) = (file("\(size)-flat.db"), file("\(size)-flat.csv"))
      unlink(flat)
      try output(of: [program("catalog"), "--db", db, "export", "csv", "--yes", "-o", rows])
      try output(of: ["sqlite3", flat, ".import --csv '\(rows)' flat"])
    }
    for copy in ["ours", "floor"] { try output(of: ["cp", db, file("\(size)-\(copy).db")]) }
    // A catalog with the shipped genres and nothing else.
    try generate(count: 0, into: file("0.tsv"))
    try output(of: [program("catalog-benchmarks"), "fill", file("0.tsv"), file("empty.db")])
  }
}
