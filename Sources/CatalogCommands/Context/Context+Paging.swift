internal import CommandLineKit

extension Context {
  /// The pager of this person; nil where nothing is paged. Then no setting is read for it.
  func pager() throws -> Pager? {
    guard terminal.isOutputTerminal, terminal.isInputTerminal, globals.usesPager else { return nil }
    var settings = environment
    if let program = try configuration()["pager"] { settings["PAGER"] = program }
    return Pager(terminal: terminal, environment: settings)
  }

  /// Runs `body`; what it prints on a terminal goes through the pager when it is longer than the terminal is high.
  func paged<T>(_ body: (Context) throws -> T) throws -> T {
    guard let pager = try pager() else { return try body(self) }
    var inner = self
    inner.output = .memory()
    let result = try body(inner)
    try Pager.write(inner.output.bytes, to: output, terminal: terminal, pager: pager)
    return result
  }

  /// Writes a listing as the options ask. For a person it is paged, and an empty one is nothing to look at: what is
  /// missing is then said by whoever has listed it.
  /// - Parameter note: stands below it for a person.
  func write(_ listing: Table, _ options: TableOptions, below note: Note? = nil) throws {
    let isForPerson = options.format(on: terminal) == .fitted
    guard !listing.rows.isEmpty || !isForPerson else { return }
    try paged { context in
      try listing.write(options, to: context.output, terminal: context.terminal)
      if isForPerson, let note { try context.print(note) }
    }
  }
}
