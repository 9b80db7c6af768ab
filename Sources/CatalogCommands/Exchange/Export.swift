internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Exchange
internal import Processes
internal import SQLite

/// Items to export.
struct Export {
  /// The query of the items; nil for the whole catalog.
  var query: Query?
  /// The number of items.
  var count: Int
  var store: Store

  // MARK: Ours

  func writeDocuments(withCovers: Bool, in context: Context) throws {
    try following(in: context) { advance in
      var json = JSONWriter()
      try store.documents(of: query, withCovers: withCovers) { document in
        json.value(document)
        json.endLine()
        try context.output.append(bytes: json.take())
        if document["item"] != nil { try advance() }
        return true
      }
    }
  }

  /// Writes the fields of a listing, and those on request that an import reads.
  func writeListing(_ query: Query, as format: TableFormat, in context: Context) throws {
    let fields = Field.listed(of: query.onlyKind, requested: { Import.keepsListed($0.name) })
    let listing = Listing(query: query, fields: fields, order: [ListingOrder(.id)])
    if format == .json, !context.terminal.isOutputTerminal {
      try listing.writeLongJSON(from: store, to: context.output)
    } else {
      _ = try listing.write(as: .format(format), from: store, in: context)
    }
  }

  /// Writes a page to print, with a table for each kind, sorted by title.
  func writePage(of query: Query, in context: Context) throws {
    var page = HTMLPage(
      "Catalog", subtitle: count.counted("item", "items"),
      footer: "Made by catalog \(Release.version) on \(context.day).", in: context.terminal.translation)
    for kind in Kind.shelved {
      var own = query
      own.require(.kind(kind))
      let listing = Listing(
        query: own, fields: [.title, .creator, .year, .genres, .rating], order: [ListingOrder(.title)])
      let table = try listing.table(from: store, in: context)
      if !table.rows.isEmpty { page.add(.table(table, caption: kind.things)) }
    }
    try context.output.append(page.text)
  }

  func writeCatalog(withCovers: Bool, to target: String, in context: Context) throws {
    func copy(to path: String, replaces: Bool = false) throws -> (items: Int, bytes: Int) {
      try store.copySelection(of: query, withCovers: withCovers, to: path, replaces: replaces) { _, _ in
        !Interrupt.isRequested
      }
    }
    let (plan, command): (Message, String) = ("would write \(target.quoted)", "catalog export sqlite -o")
    if let stream = StreamTarget(target) {
      return try context.write(databaseTo: stream, named: target, plan: plan, command: command) { _ = try copy(to: $0) }
    }
    let replaces = try context.mayReplace(target, catalog: store.path, usualName: "selection.db", command: command)
    try context.requireNoJournal(of: target)
    if context.globals.isDryRun { return try context.print(plan) }
    let (items, bytes) = try copy(to: target, replaces: replaces)
    try context.print("copied \(items.counted("item", "items")) to \(context.safe(target)) (\(bytes.size))")
  }

  // MARK: Those of others

  /// Calls `body` with each item, in the order in which they were added.
  func forEach(_ query: Query, in context: Context, _ body: (Outgoing) throws -> Void) throws {
    try following(in: context) { advance in
      try forEach(query) { item in
        try body(item)
        try advance()
      }
    }
  }

  private func forEach(_ query: Query, _ body: (Outgoing) throws -> Void) throws {
    try store.read {
      for id in try store.ids(query, order: [ListingOrder(.id)]) {
        try Interrupt.check()
        let item = try store.item(id)
        try body(Outgoing(id, try store.entry(of: item), genres: item.genres, rating: item.rating))
      }
    }
  }

  /// The files for a table of another program: one, or several if the program limits the size.
  func parts(of table: OutgoingTable, _ query: Query, splits: Bool, in context: Context) throws -> [[UInt8]] {
    let sanitizing = Sanitizing(
      isForTerminal: context.terminal.isOutputTerminal && !splits, choice: context.globals.text)
    func line(_ cells: [String]) -> [UInt8] { Array((sanitizing.commaSeparated(cells) + "\r\n").utf8) }
    var table = table
    if table.mayHaveOwnColumns { try forEach(query) { table.addOwnColumns(of: $0) } }
    let header = line(table.header)
    var parts = [header]
    var (written, left) = (0, 0)
    try forEach(query, in: context) { item in
      let lines = table.rows(of: item, behind: written).map(line)
      written += lines.count
      if lines.isEmpty { left += 1 }
      for line in lines {
        if splits, let most = table.mostBytes, parts[parts.count - 1].count + line.count > most { parts.append(header) }
        parts[parts.count - 1] += line
      }
    }
    if left > 0 {
      context.warn("left out, since \(table.name) cannot hold them: \(left.counted("item", "items"))")
    }
    return parts
  }

  // MARK: Progress

  /// Shows progress while `body` runs, which calls `advance` for each item.
  func following(in context: Context, _ body: (_ advance: () throws -> Void) throws -> Void) throws {
    var progress = Progress("Exporting", total: count, on: context.errors, terminal: context.progressTerminal)
    defer { try? progress.finish() }
    // Output on the terminal shows the progress by itself.
    let isSeen = context.terminal.isOutputTerminal
    try body {
      try Interrupt.check()
      if !isSeen { try progress.advance() }
    }
  }
}
