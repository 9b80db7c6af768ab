internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Exchange
internal import Lookup
internal import Processes

/// `catalog import …`: imports data of other programs.
enum ImportCommands {
  static let group = CommandNode<Context>.group(
    CommandGroup(
      "import", summary: "Import data from another service.",
      discussion: ImportCommand.info.description.discussion, examples: ImportCommand.info.description.examples,
      default: AnyCommand(ImportCommand.self), takingWords: true,
      [.command(ImportListCommand.self), .command(ImportShowCommand.self)]))
}

/// `catalog import FILE…`: imports files.
struct ImportCommand: WritingCommand {
  static let threads = Threads.two
  static let info = CommandInfo<Self>(
    "import", summary: "Import data from another service.",
    discussion: """
      The format is recognized by a file's content, not by its name: docs/formats.md lists the formats. Before \
      anything is written, you see how many rows are certain, unsure, new and rejected, and how each column is used; \
      then you are asked. No network is needed: rows are matched with your shelves and the built-in pack. Items on a \
      shelf get values that they lack, and never lose any.

      Importing the same file again adds nothing. A newer file adds what is new, and your changes stay. Rows that may \
      be one of several items become new items, and are listed, unless you decide: --review writes them to a file for \
      your editor, and --apply reads it. 'catalog undo' undoes a whole import.

      '-' is standard input, also for --apply, and standard output for --review. The command cannot ask then, so it needs --yes, or --dry-run to see what would be \
      imported. discogs:USER is not a file either: it is the collection and the wantlist of that user at Discogs, read \
      with your token.
      """,
    examples: [
      Example("catalog import letterboxd.zip", "Films, diary, stars, reviews, lists and the watchlist of Letterboxd."),
      Example(
        "catalog import books.csv --map 'Jahr=year' --map 'Regal=place'", "Any table, with what its columns mean."),
      Example(
        "catalog import goodreads.csv --review rows.tsv", "How each row was matched, for review in an editor."),
      Example("catalog import goodreads.csv --apply rows.tsv --yes", "Applies these decisions, without a question."),
      Example("catalog --profile club export jsonl | catalog import - --yes", "The items of another catalog."),
      Example("catalog import discogs:USER", "Copies with their grades, folders, stars and the wantlist of Discogs."),
    ],
    arguments: [
      .positional(
        "file", \.files, completion: .files,
        help: "The files, as the other program exported them; '-' for standard input; or discogs:USER."),
      .option(
        "format", short: "f", \.format, value: "NAME", completion: .dynamic("import formats"),
        help: "The format, if it is not recognized."),
      .option("kind", short: "k", \.kind, help: "The kind of the items in a table: movie, book or vinyl."),
      .option(
        "dates", \.dates, help: "The order in dates written in numbers: dmy, mdy or ymd."),
      .option(
        "encoding", \.encoding,
        help: "The encoding of the text, if it is not recognized: windows-1251, latin-2, gbk, shift_jis, …"),
      .option(
        "map", short: "m", \.mapping, value: "COLUMN=FIELD", help: "The meaning of a column; repeat for several."),
      .option(
        "sheet", \.sheet, value: "NAME", help: "The sheet of a workbook; the first with headings if none is named."),
      .option(
        "review", short: "r", \.review, value: "FILE", completion: .files,
        help: "Only write how each row was matched, for review."),
      .option(
        "apply", short: "a", \.apply, value: "FILE", completion: .files, help: "Apply the decisions in such a file."),
      .flag("lookup", \.looksUp, help: "Look new items up in the sources, without asking."),
      .flag("no-lookup", \.looksNothingUp, help: "Do not look new items up in the sources."),
    ])

  static var mayBegin: Bool { true }

  var files: [String] = []
  var format: String?
  var kind: Shelf?
  var dates: DateOrder?
  var encoding: TextEncoding?
  var mapping: [String] = []
  var sheet: String?
  var review: String?
  var apply: String?
  var looksUp = false
  var looksNothingUp = false
  var result = ResultOptions()
  var isAboutMany: Bool { files.count > 1 }

  func validate() throws(UsageError) {
    if looksUp, looksNothingUp { throw UsageError("--lookup and --no-lookup cannot be combined") }
    if apply == "-", files.contains("-") { throw UsageError("standard input is the file already, and not its review") }
    if review != nil, files.count > 1 { throw UsageError("--review takes one file at a time") }
    if let pair = mapping.first(where: { !$0.dropFirst().contains("=") }) {
      throw UsageError("\(pair.quoted) is not a column mapping", hint: "for example: --map 'Jahr=year'")
    }
  }

  func run(in context: Context) throws {
    let choices = try apply.map { try ReviewFile.choices(in: context.typedText(of: $0)) } ?? [:]
    let pairs = mapping.map { pair -> (String, String) in
      let sign = pair.lastIndex(of: "=") ?? pair.endIndex
      return (String(pair[..<sign]), String(pair[sign...].dropFirst()))
    }
    let sum = ImportSum()
    for path in files {
      if let user = DiscogsCollection.user(in: path) {
        try take(rowsOf: collection(of: user, context), path, path, choices, sum, context)
        continue
      }
      let mapping = Dictionary(pairs) { $1 }
      if let pipe = PipedFile.descriptor(of: path) {
        try PipedFile.with(pipe, in: context) {
          try take(file: $0, called: PipedFile.name, mapping, choices, sum, context)
        }
      } else {
        try take(file: path, called: Import.name(of: path), mapping, choices, sum, context)
      }
    }
    if review == nil { try sum.check() }
  }

  private func take(
    file path: String, called name: String, _ mapping: [String: String], _ choices: [String: ReviewFile.Choice],
    _ sum: ImportSum, _ context: Context
  ) throws {
    do {
      if format == nil, let export = try CatalogExport(path: path) {
        try take(export, name, path, choices, sum, context)
      } else {
        let said = ImportChoices(
          kind: kind?.kind, dates: dates, usualDates: context.dateOrder, currency: try context.usualCurrency(),
          encoding: encoding, latestDay: PartialDate(context.lastDay), sheet: sheet, at: context.localTime)
        let file = try Import(path: path, format: format, mapping: mapping, choices: said)
        try take(rowsOf: file, name, path, choices, sum, context)
      }
    } catch let problem as ImportProblem {
      throw Failure(name == PipedFile.name ? problem.calling(path, context.text("standard input")) : problem)
    }
  }

  private func collection(of user: String, _ context: Context) throws -> DiscogsCollection {
    guard format == nil, mapping.isEmpty, kind == nil, dates == nil, encoding == nil, sheet == nil else {
      throw UsageError(
        """
        --format, --map, --kind, --dates, --encoding and --sheet are for files, and discogs:\(user) is not a file
        """)
    }
    return try DiscogsCollection(of: user, context)
  }

  /// Restores an export of `catalog` into an empty catalog, row for row. Into any other catalog it is imported like
  /// other files.
  private func take(
    _ export: CatalogExport, _ name: String, _ path: String, _ choices: [String: ReviewFile.Choice],
    _ sum: ImportSum, _ context: Context
  ) throws {
    let store = try context.changing()
    guard try store.isEmpty(), review == nil else {
      return try take(rowsOf: export, name, path, choices, sum, context)
    }
    // An export of a catalog without items is kept, too.
    sum.add(1, rejected: 0)
    func change(_ items: Int?) -> Change {
      Change(
        .done,
        [
          ("file", path), ("file_format", export.formatID), ("import", Table.Value.none), ("added", items),
          ("joined", 0), ("rejected", 0), ("skipped", 0), ("unchanged", 0), ("unsure", 0), ("noted", 0),
        ])
    }
    if context.globals.isDryRun { return try context.would("would restore \(context.safe(name))", change(nil)) }
    try context.ask("Restore \(name) into this empty catalog?", about: [])
    let progress = ProgressLine(of: nil, in: context)
    defer { progress.clear() }
    var reader = try export.documents()
    let restored = try context.writable(store).restore { count in
      progress.show(count, name)
      return !Interrupt.isRequested
    } _: {
      try reader.next()
    }
    progress.clear()
    try Interrupt.check()
    sum.add(restored.unknown.count, rejected: restored.unknown.count)
    for name in restored.unknown { context.warn("\(name.quoted) is unknown here, and was left out") }
    try context.did("restored \(restored.items.counted("item", "items"))", change(restored.items))
  }

  /// - Parameters:
  ///   - name: the name of the file without its folder.
  ///   - path: the file as typed.
  private func take(
    rowsOf file: some RowSource, _ name: String, _ path: String, _ choices: [String: ReviewFile.Choice],
    _ sum: ImportSum, _ context: Context
  ) throws {
    let store = try context.changing()
    let decider = try RowDecider(file, choices: choices, in: store)
    // A file of which nothing can be kept makes no catalog.
    let isVain = try !context.hasCatalog() && !file.hasReadableRow()
    // Without a question no plan is needed. Decisions by hand may be wrong, so they are checked before anything is
    // written.
    let plan =
      context.globals.saysYes && !context.globals.isDryRun && review == nil && choices.isEmpty && !isVain
      ? nil : try plan(of: file, name, decider, context)
    let told = (path: name == PipedFile.name ? "-" : path, format: file.formatID)
    if review != nil || context.globals.isDryRun || isVain {
      if let plan {
        sum.add(ImportOutcome(plan.tally))
        context.changes?.append(ImportOutcome(plan.tally).change(.planned, told))
        if isVain, !context.globals.isDryRun { tell(plan.tally.remarks, context) }
      }
      return
    }
    if let plan {
      guard plan.tally.brings else {
        tell(plan.tally.remarks, context)
        sum.add(ImportOutcome(plan.tally))
        context.changes?.append(ImportOutcome(plan.tally).change(.already, told))
        return try say(nothingNewIn: file, name, path, plan.tally, store, context)
      }
      // Rows that were left out by hand are only remembered.
      if plan.tally.writable > 0 {
        let lines = plan.lines(of: file, name, in: context)
        try context.ask("Import \(plan.tally.writable.counted("row", "rows"))?", about: lines)
      }
    }
    let written = try context.writable(store)
    let writer = try ImportWriter(file, name, decider, plan: plan, asksCopies: !looksNothingUp, context)
    let outcome = try writer.write(to: written)
    sum.add(outcome)
    tell(outcome.remarks(isPlanned: plan.map { $0.tally.writable > 0 } ?? false), context)
    context.changes?.append(outcome.change(outcome.tally.writable > 0 ? .done : .already, told))
    guard outcome.tally.writable > 0 else {
      return try say(nothingNewIn: file, name, path, outcome.tally, written, context)
    }
    try outcome.tell(in: context)
    for line in outcome.tally.lines(of: file, in: context) { context.note(verbatim: line) }
    if let batch = outcome.batch {
      let unsure = outcome.tally.count(.unsure) - outcome.tally.perhapsOfPack
      if unsure > 0 {
        context.hint(
          """
          \(unsure.counted("new item", "new items")) may be duplicates: catalog import show \(batch) lists them, \
          and catalog merge merges two items
          """
        )
      }
      if outcome.tally.perhapsOfPack > 0 {
        context.hint(
          """
          \(outcome.tally.perhapsOfPack.counted("new item", "new items")) may be a known work: \
          catalog import show \(batch) lists them, and catalog edit REF year=YEAR says which one it is
          """
        )
      }
      context.hint("each row: catalog import show \(batch); undo it all: catalog undo")
    }
    try lookUp(file, name, path, batch: outcome.batch, in: written, context)
  }

  /// Makes the plan. In a dry run it is printed, and a review is written.
  private func plan(
    of file: some RowSource, _ name: String, _ decider: RowDecider, _ context: Context
  ) throws -> ImportPlan {
    var reviewed: [String] = [ReviewFile.columns.joined(separator: "\t"), ReviewFile.explanation]
    let plan = try ImportPlan(file, decider, context) { row, match, decision in
      if review != nil, let line = ReviewFile.line(row, match, decision, in: context) { reviewed.append(line) }
    }
    if let review {
      try context.save(
        reviewed.joined(separator: "\n") + "\n", to: review, usualName: "review.tsv",
        command: "catalog import … --review")
    } else if context.globals.isDryRun {
      for line in plan.lines(of: file, name, in: context) { try context.print(verbatim: context.safe(line)) }
    }
    return plan
  }

  private func say(
    nothingNewIn file: some RowSource, _ name: String, _ path: String, _ tally: ImportTally, _ store: Store,
    _ context: Context
  ) throws {
    if tally.rows > tally.count(.rejected) + tally.rejectedBefore {
      try context.print("nothing new in \(context.safe(name)): \(tally.rows.counted("row", "rows"))")
    }
    try lookUp(file, name, path, isNew: false, in: store, context)
  }

  /// Asks sources about the items of the file. For a file without new rows, only `--lookup` does so.
  /// - Parameter batch: the number of the import; a pipe cannot be read again, and its items are found by it.
  private func lookUp(
    _ file: some RowSource, _ name: String, _ path: String, isNew: Bool = true, batch: Int64? = nil, in store: Store,
    _ context: Context
  ) throws {
    guard !looksNothingUp, !context.globals.isOffline else { return }
    let isPipe = name == PipedFile.name
    let line =
      isPipe ? batch.map { "catalog refresh --where import:\($0)" } : "catalog import \(path.shellWord) --lookup"
    var lookup = try ImportLookup(ofFile: name, format: file.formatID, in: store, context)
    try lookup.run(looksUp ? .yes : isNew ? .ask : .tell, line: line)
  }

  /// Prints remarks about rows.
  private func tell(_ remarks: FirstLines, _ context: Context) {
    for line in remarks.shortened(in: context) { context.note(verbatim: line) }
  }
}

extension ImportPlan {
  /// The plan in lines for a person.
  func lines(of file: some RowSource, _ name: String, in context: Context) -> [String] {
    let source: Message = name == PipedFile.name ? "standard input" : Message(verbatim: name)
    var lines = [
      context.text("\(source): \(Message(words: file.formatName)), \(decisions.count.counted("row", "rows"))")
    ]
    func add(_ heading: ImportTally.Heading, _ words: Message) {
      if tally.count(heading) > 0 {
        lines.append("  " + "\(tally.count(heading))".padded(to: 7, .right) + "  " + context.text(words))
      }
    }
    add(.known, "unchanged since the last import")
    add(.onShelf, "certain: on your shelves")
    add(.inPack, "certain: in the built-in pack")
    add(.new, "new")
    add(.unsure, "unsure: new items, unless you decide with --review")
    add(.inFile, "the same as a row above")
    add(.left, "left out")
    add(.rejected, "rejected")
    lines += tally.remarks.shortened(to: 12, in: context).map { "  " + $0 }
    lines += tally.lines(of: file, in: context).map { "  " + $0 }
    for use in file.uses {
      switch use.becomes {
      // A list has no columns: its lines are named by us.
      case .kept(let words) where file.formatID == "list":
        lines.append("  \(context.text(Message(words: use.column))) → \(context.text(words))")
      case .kept(let words): lines.append("  \(use.column) → \(context.text(words))")
      case .noted: lines.append(context.text("  \(use.column) → note"))
      case .left(let reason): lines.append(context.text("  \(use.column): left out: \(reason)"))
      }
    }
    return lines
  }
}

extension ImportTally {
  /// The guesses about the file, and the cells that were added to the note, one line for each.
  fileprivate func lines(of file: some RowSource, in context: Context) -> [String] {
    file.remarks.map { context.text($0.message) } + told.lines(in: context)
  }
}

extension Import {
  /// The name of a file without its folder.
  fileprivate static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}

extension Failure {
  init(_ problem: ImportProblem) {
    self.init(
      problem.message, hint: problem.hint,
      status: problem.reason == .misuse ? .misused : .failed)
  }
}

/// `catalog import list`: lists the imports.
struct ImportListCommand: Command {
  static let info = CommandInfo<Self>(
    "list", aliases: ["ls"], summary: "List imported files, the newest first.",
    examples: [Example("catalog import list", "Each with the number of its rows by result.")],
    arguments: TableOptions.arguments.lifted(\.table))

  var table = TableOptions()

  func run(in context: Context) throws {
    let batches = try context.reading().importBatches()
    var listing = Table(columns: [
      .init("id", "Import", alignment: .right, importance: 10), .init("import", isHidden: true),
      .init("done_at", "At", importance: 6),
      .init("file_format", "Format", importance: 7),
      .init("file", "File", isFlexible: true, minimumWidth: 16, importance: 9),
      .init("rows", "Rows", alignment: .right, importance: 5), .init("added", "New", alignment: .right, importance: 8),
      .init("joined", "Joined", alignment: .right, importance: 8),
      .init("skipped", "Left out", alignment: .right, importance: 4),
      .init("rejected", "Rejected", alignment: .right, importance: 4),
    ])
    listing.rows = batches.map { batch in
      func count(_ outcome: ImportedRow.Outcome) -> Table.Cell { Table.Cell(batch.counts[outcome] ?? 0) }
      return [
        Table.Cell(batch.id), Table.Cell(batch.id), context.cell(batch.at),
        Table.Cell(value: .text(batch.format), shown: context.text(Message(words: batch.format))),
        Table.Cell(batch.file),
        Table.Cell(batch.rows), count(.added), count(.joined), count(.skipped), count(.rejected),
      ]
    }
    try context.write(listing, table)
    if batches.isEmpty { throw Failure("nothing was imported yet", hint: "catalog import FILE") }
  }
}

/// `catalog import show N`: lists the rows of an import.
struct ImportShowCommand: Command {
  static let info = CommandInfo<Self>(
    "show", summary: "List the rows of an import, and the result of each.",
    examples: [
      Example("catalog import show 3", "Every row of import 3."),
      Example("catalog import show 3 --csv > rows.csv", "For a spreadsheet."),
    ],
    arguments: [
      .positional("import", \.number, value: "N", help: "The number of the import, from 'catalog import list'.")
    ] + TableOptions.arguments.lifted(\.table))

  var number = Count(1)
  var table = TableOptions()

  func run(in context: Context) throws {
    let rows = try context.reading().importedRows(of: Int64(number.number))
    var listing = Table(columns: [
      .init("line", "Line", alignment: .right, importance: 8),
      .init("row", "Row", isFlexible: true, minimumWidth: 16, importance: 9),
      .init("decision", "Became", importance: 8, isWord: true),
      .init("item", "Item", alignment: .right, importance: 8),
      .init("reason", "Why", isFlexible: true, minimumWidth: 12, importance: 6), .init("row_key", isHidden: true),
    ])
    listing.rows = rows.map { row in
      [
        Table.Cell(row.line), Table.Cell(row.words), Table.Cell(row.outcome.rawValue),
        Table.Cell(row.item.map { Int($0.rawValue) }),
        Table.Cell(row.reason), Table.Cell(row.key),
      ]
    }
    try context.write(listing, table)
  }
}
