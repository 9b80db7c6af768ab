internal import CommandLineKit

extension Context {
  /// Prints one JSON value, on a terminal indented.
  func printJSON(_ write: (inout JSONWriter) throws -> Void) throws { try printJSON(.all, write) }

  /// Prints these members of one JSON value: of its object, or of each object in its list.
  /// - Parameter areKnown: whether each is known to be a member of such values.
  func printJSON(_ fields: FieldSelection, areKnown: Bool = false, _ write: (inout JSONWriter) throws -> Void) throws {
    var json = JSONWriter(isPretty: terminal.isOutputTerminal)
    try json.choosing(fields, areKnown: areKnown, write)
    json.endLine()
    try output.append(bytes: json.take())
  }

  /// Prints an object with a member for each column, or for those that are named.
  func printJSON<Row>(_ fields: FieldSelection, _ row: Row, _ columns: [Column<Row>]) throws {
    try printJSON(fields) { try $0.value(row, columns) }
  }
}
