internal import CommandLineKit

extension Context {
  /// Prints one JSON value, on a terminal indented.
  func printJSON(_ write: (inout JSONWriter) throws -> Void) throws {
    var json = JSONWriter(isPretty: terminal.isOutputTerminal)
    try write(&json)
    json.endLine()
    try output.append(bytes: json.take())
  }
}
