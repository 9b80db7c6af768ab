/// The result of a run: a row for each command, and all failures.
struct Report: CustomStringConvertible {
  struct Finding: Hashable, CustomStringConvertible {
    var words: String
    /// The arguments that reproduce the failure.
    var again: String
    var description: String { "\(words)\n  again: torture \(again)" }
  }

  /// The headings of the figures.
  let columns: [String]
  private(set) var rows: [(name: String, figures: [String: Int])] = []
  private(set) var findings: [Finding] = []
  /// Remarks that are not failures.
  var notes: [String] = []

  init(columns: String...) { self.columns = columns }

  mutating func count(_ column: String, of name: String, by amount: Int = 1) {
    if !rows.contains(where: { $0.name == name }) { rows.append((name, [:])) }
    guard let index = rows.firstIndex(where: { $0.name == name }) else { return }
    rows[index].figures[column, default: 0] += amount
  }

  mutating func fail(_ words: String, of name: String, again: String) {
    count("failures", of: name)
    findings.append(Finding(words: "\(name): \(words)", again: again))
  }

  func total(_ column: String) -> Int { rows.reduce(0) { $0 + ($1.figures[column] ?? 0) } }

  /// The figures as a table, followed by the failures.
  var description: String {
    let columns = columns + ["failures"]
    let width = (rows.map(\.name.count) + [8]).max() ?? 8
    func line(_ name: String, _ cells: [String]) -> String {
      func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
      return name + blanks(width - name.count)
        + zip(columns, cells).map { column, cell in blanks(column.count + 2 - cell.count) + cell }.joined()
    }
    return
      ([line("", columns)] + rows.map { row in line(row.name, columns.map { "\(row.figures[$0] ?? 0)" }) }
      + [line("together", columns.map { "\(total($0))" })] + notes
      + findings.map(\.description)).joined(separator: "\n")
  }
}
