internal import CommandLineKit

extension Context {
  /// Runs `body`; what it prints on a terminal goes through the pager when it is longer than the terminal is high.
  func paged<T>(_ body: (Context) throws -> T) throws -> T {
    // Where nothing is paged, nothing is read for it.
    guard terminal.isOutputTerminal, terminal.isInputTerminal, globals.usesPager else { return try body(self) }
    var settings = environment
    if let program = try configuration()["pager"] { settings["PAGER"] = program }
    guard let pager = Pager(terminal: terminal, environment: settings, isEnabled: globals.usesPager) else {
      return try body(self)
    }
    var inner = self
    inner.output = .memory()
    let result = try body(inner)
    try Pager.write(inner.output.bytes, to: output, terminal: terminal, pager: pager)
    return result
  }
}
