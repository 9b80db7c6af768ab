internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Exchange
internal import Processes

/// `catalog export FORMAT [QUERY]`: writes the catalog, or a part of it, for another program or place.
struct ExportCommand: WritingCommand {
  static let threads = Threads.two
  static let info = CommandInfo<Self>(
    "export", summary: "Export the catalog for another program, or as a backup.",
    discussion: """
      'jsonl' is everything, one line per item, with covers, diary and copies: importing it into an empty catalog \
      gives the same catalog. 'json' and 'csv' have the fields of a listing. 'letterboxd', 'letterboxd-watchlist', \
      'imdb' (movies), 'goodreads', 'storygraph' (books) and 'discogs' (records) are the formats of these services, \
      'bibtex' and 'ris' those of bibliographies. 'html' is a page to print, 'markdown' a folder of notes with front \
      matter for Obsidian, 'sqlite' a catalog of its own with the items of the query.

      Without a file, or with '-', it goes to standard output; '-o' also takes a named pipe or a device. A file is \
      written completely or not at all; an existing file is replaced after a question, which '--yes' answers. Values that a service cannot hold are left out and counted: \
      docs/export.md lists the columns. With '--safe-for-spreadsheets' no cell begins like a formula, which is for \
      viewing, not for the service.
      """,
    examples: [
      Example("catalog export jsonl -o catalog.jsonl", "Everything, as a backup or for another computer."),
      Example("catalog export letterboxd -o films.csv", "What you watched, as Letterboxd imports it."),
      Example("catalog export markdown kind:book -o ~/notes/books", "A note for each book."),
      Example("catalog export sqlite genre:jazz -o jazz.db", "A catalog of its own."),
    ],
    arguments: [
      .positional("format", \.format, help: "The format to write."),
      .query(\.words, help: "Which items: see 'catalog help query'; all by default."),
      .option(
        "output", short: "o", \.file, value: "FILE", completion: .files,
        help: "The file to write to; for 'markdown' a folder."),
      .flag("no-covers", \.withCovers, sets: false, help: "Leave the pictures out of jsonl and sqlite."),
    ])

  var format = ExportFormat.jsonLines
  var words: [String] = []
  var file: String?
  var withCovers = true
  var result = ResultOptions()

  func validate() throws(UsageError) {
    let isStreamed = file.map { StreamTarget($0) != nil } ?? true
    try result.requireFile(file ?? "-")
    guard format == .markdown, isStreamed else { return }
    throw UsageError(
      "\(format.name) cannot go to standard output",
      hint: "name the file to write: catalog export \(format.name) -o \(format.usualName)")
  }

  func run(in context: Context) throws {
    let store = try context.reading()
    var query = try context.query(words, in: store)
    if let kind = format.kind { query.require(.kind(kind)) }
    let count = try store.count(query)
    guard count > 0 || words.isEmpty && [.jsonLines, .json, .csv].contains(format) else {
      throw nothing(query, in: context)
    }
    let export = Export(query: words.isEmpty ? nil : query, count: count, store: store)
    context.changes?.append(
      Change(
        context.globals.isDryRun ? .planned : .done,
        [("file", file), ("file_format", format.name), ("items", count)]))
    // Within the file nothing is left out for the document about it.
    var context = context
    context.changes = nil
    context.isQuiet = context.isQuiet || result.isJSON
    switch format {
    case .jsonLines: try save(in: context) { try export.writeDocuments(withCovers: withCovers, in: $0) }
    case .json: try save(in: context) { try export.writeListing(query, as: .json, in: $0) }
    case .csv: try save(in: context) { try export.writeListing(query, as: .csv, in: $0) }
    case .html: try save(in: context) { try export.writePage(of: query, in: $0) }
    case .markdown: try export.writeNotes(of: query, to: file ?? "", in: context)
    case .sqlite: try export.writeCatalog(withCovers: withCovers, to: file ?? "-", in: context)
    case .table(let id):
      guard let table = OutgoingTable.all.first(where: { $0.id == id }) else { return }
      try save(
        try export.parts(of: table, query, splits: file.map { StreamTarget($0) == nil } ?? false, in: context),
        in: context)
    case .text(let id):
      guard let text = OutgoingText.all.first(where: { $0.id == id }) else { return }
      try save(in: context) { context in
        let clean = context.terminal.sanitizing.line
        try export.forEach(query, in: context) { try context.output.append(text.text(of: $0, clean: clean)) }
      }
    }
  }

  private var command: String { "catalog export \(format.name) -o" }

  private func save(in context: Context, _ body: (Context) throws -> Void) throws {
    try context.save(to: file ?? "-", usualName: format.usualName, command: command, body)
  }

  /// Saves a table in one file, or in several numbered ones: `films-1.csv`.
  private func save(_ parts: [[UInt8]], in context: Context) throws {
    guard parts.count > 1, let file else {
      return try save(in: context) { try $0.output.append(bytes: Array(parts.joined())) }
    }
    let dot = file.lastIndex(of: ".").flatMap { file[$0...].contains("/") ? nil : $0 } ?? file.endIndex
    for (number, part) in parts.enumerated() {
      try context.save(
        part, to: "\(file[..<dot])-\(number + 1)\(file[dot...])", usualName: format.usualName, command: command)
    }
  }

  private func nothing(_ query: Query, in context: Context) -> Failure {
    if !words.isEmpty { return context.nothingMatches(query, typed: words, format.kind?.thing ?? "item") }
    return Failure(
      format.kind.map { "there are no \($0.things) yet" } ?? "the catalog is empty",
      hint: "look something up: catalog search dune")
  }
}
