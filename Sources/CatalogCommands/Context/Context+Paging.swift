internal import CommandLineKit

extension Context {
  /// The pager of this person; nil when nothing is paged, which reads no settings.
  func pager() throws -> Pager? {
    guard terminal.isOutputTerminal, terminal.isInputTerminal, globals.usesPager else { return nil }
    var settings = environment
    if let program = try configuration()["pager"] { settings["PAGER"] = program }
    return Pager(terminal: terminal, environment: settings)
  }

  /// Runs `body`. On a terminal its output goes through the pager when it is longer than the screen.
  func paged<T>(_ body: (Context) throws -> T) throws -> T {
    guard onReport == nil, let pager = try pager() else { return try body(self) }
    var inner = self
    inner.output = .memory()
    let result = try body(inner)
    try Pager.write(inner.output.bytes, to: output, terminal: terminal, pager: pager)
    return result
  }

  /// Writes a listing in the format of the options. For a person it is paged, and an empty one is not printed: the
  /// caller says what is missing.
  /// - Parameter note: a note below the listing for a person.
  func write(_ listing: Table, _ options: TableOptions, below note: Footnote? = nil) throws {
    let isForPerson = options.format(on: terminal) == .fitted
    guard !listing.rows.isEmpty || !isForPerson else { return }
    try paged { context in
      try listing.write(options, to: context.output, terminal: context.terminal)
      if isForPerson, let note { try context.print(note) }
    }
  }
}
