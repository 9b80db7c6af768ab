internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import SQLite

/// `catalog doctor [--fix]`: checks the catalog and repairs it.
struct DoctorCommand: Command {
  static let info = CommandInfo<Self>(
    "doctor", summary: "Check the catalog, and repair it where possible.",
    discussion: """
      Checks the file, its tables and their rules, the search index, people without an item, impossible dates and \
      wrong ISBNs; then things that are not errors but worth a look: items without a genre or a creator, labels \
      without a genre, creators spelled in two ways, probable duplicates.

      Each check is 'ok', 'wrong', a 'hint' (not an error), 'fixed' (it was wrong until now), or 'unchecked': it could \
      not be done, for the reason given. Checking writes nothing, so a catalog that cannot be written can be checked \
      too. It ends with status 1 if something is wrong or could not be checked, and with 0 if everything is right or \
      was repaired.
      """,
    examples: [
      Example("catalog doctor", "Lists errors and oddities; changes nothing."),
      Example("catalog doctor --fix", "Repairs indexes and removes people without an item."),
      Example("catalog doctor --json=check,state", "The same for a program."),
    ],
    arguments: [.flag("fix", \.fixes, help: "Repair what can be repaired without losing data.")]
      + TableOptions.arguments.lifted(\.table))

  var fixes = false
  var table = TableOptions()

  func run(in context: Context) throws {
    let findings = try findings(in: context)
    if table.format(on: context.terminal) == .fitted {
      try show(findings, in: context)
    } else {
      try write(Self.table(findings, [Self.contactRow(in: context)]), in: context)
    }
    if findings.contains(where: { [.wrong, .unchecked].contains($0.state) }) {
      throw SilentFailure(status: .failed)
    }
  }

  private func findings(in context: Context) throws -> [Finding] {
    var mended = Set<Finding.Check>()
    if fixes, !context.globals.isDryRun, let path = context.places.catalog {
      // The reason for the failure is found again below.
      do { mended = try Store.mendStructure(at: path) } catch let error as SQLiteError where error.isInterrupted {
        throw error
      } catch {}
    }
    return try found(in: context).map { finding in
      var finding = finding
      if mended.contains(finding.check), [.ok, .hint].contains(finding.state) { finding.state = .fixed }
      return finding
    }
  }

  private func found(in context: Context) throws -> [Finding] {
    do {
      let store = try context.opened(for: .reading)
      guard store.path != nil else {
        if table.format(on: context.terminal) != .fitted { try write(Self.table([], []), in: context) }
        throw Failure(
          "there is no catalog to check yet" + (context.places.catalog.map { ": \($0.quoted)" } ?? ""),
          hint: "look something up: catalog search dune")
      }
      guard fixes, !context.globals.isDryRun else { return try store.examine(now: context.now()) }
      let writable = try context.writing()
      return try writable.fix(try writable.examine(now: context.now()))
    } catch let error as CatalogError {
      guard let findings = Store.examine(unopened: error) else { throw error }
      return findings
    }
  }

  // MARK: For programs

  private func write(_ listing: Table, in context: Context) throws {
    try listing.write(table, to: context.output, terminal: context.terminal)
  }

  /// A row of the table: a check, or the contact for sources, which is no part of the catalog.
  private typealias Row = (check: String, state: Finding.State, count: Int, message: Message, finding: Finding?)

  private static func contactRow(in context: Context) throws -> Row {
    let isMissing = try context.lacksContact()
    return ("contact", isMissing ? .hint : .ok, isMissing ? 1 : 0, isMissing ? missingContact(in: context) : "", nil)
  }

  private static func missingContact(in context: Context) -> Message {
    let names = context.sources.filter(\.asksForContact).map(\.name).joined(separator: ", ")
    return "no contact for \(names): catalog config set contact me@example.org"
  }

  private static func table(_ findings: [Finding], _ contact: [Row]) throws -> Table {
    let rows = findings.map { finding -> Row in
      (finding.check.rawValue, finding.state, finding.count, message(finding), finding)
    }
    return try Table(
      rows + contact,
      [
        .init("check", \.check), .init("state", \.state.rawValue), .init("findings", \.count),
        .init("message") { $0.message.text(in: nil) },
        .init("items") { Table.Value.numbers(($0.finding?.items ?? []).map(\.rawValue)) },
        .init("examples") { $0.finding?.examples ?? [] },
      ])
  }

  // MARK: For a person

  private func show(_ findings: [Finding], in context: Context) throws {
    let isUnicode = context.terminal.usesUnicode
    for finding in findings {
      let (sign, style): (String, Style) =
        switch finding.state {
        case .ok: (isUnicode ? "✓" : "ok", .green)
        case .fixed: (isUnicode ? "✓" : "ok", .green)
        case .hint: (isUnicode ? "·" : "-", .yellow)
        case .wrong: (isUnicode ? "✗" : "!!", .red)
        case .unchecked: ("?", .yellow)
        }
      let message = Self.message(finding)
      try show(
        context.styled(verbatim: sign.padded(to: 2), style), Self.name(of: finding.check),
        finding.state == .fixed ? "\(message) (repaired)" : message, in: context)
      if finding.state != .ok, finding.state != .fixed { try showDetails(of: finding, in: context) }
    }
    if try context.lacksContact() {
      try show(
        context.styled(verbatim: isUnicode ? "· " : "- ", .yellow), "contact", Self.missingContact(in: context),
        in: context)
    }
    if findings.contains(where: { $0.isFixable && $0.state == .wrong }) {
      try context.print("\n'catalog doctor --fix' repairs what can be repaired.")
    }
    if findings.contains(where: { [.file, .schema].contains($0.check) && $0.state == .wrong }) {
      try context.print(
        "\nKeep a copy of the file as it is. 'sqlite3 FILE .recover' saves what can be read; a backup is better.")
    }
  }

  /// A line of the table, or several for long words.
  /// - Parameter sign: a mark of two cells.
  private func show(_ sign: String, _ name: Message, _ words: Message, in context: Context) throws {
    let margin = Self.margin(in: context)
    let lines = context.text(words).wrapped(to: max(30, context.terminal.width - margin))
    for (number, line) in lines.enumerated() {
      let start = number == 0 ? "\(sign) \(context.text(name).padded(to: margin - 3))" : ""
      try context.print(verbatim: (number == 0 ? start : String(repeating: " ", count: margin)) + line)
    }
  }

  /// The column of the findings, behind a sign and the longest name.
  private static func margin(in context: Context) -> Int {
    max(18, (Finding.Check.allCases.map { context.text(name(of: $0)).cellWidth }.max() ?? 0) + 5)
  }

  private func showDetails(of finding: Finding, in context: Context) throws {
    let most = 5
    var lines: [String] = []
    if finding.check == .duplicates {
      lines = finding.examples
    } else if finding.items.count == finding.examples.count, !finding.items.isEmpty {
      lines = zip(finding.items, finding.examples).map { "\($0)  \($1)" }
    } else if !finding.items.isEmpty, finding.check != .genres {
      let ids = finding.items.prefix(10).map(\.description).joined(separator: ", ")
      let all = ids + (finding.items.count > 10 ? ", …" : "")
      lines = [context.text(finding.items.count == 1 ? "item \(all)" : "items \(all)")]
    } else if finding.check != .genres {
      lines = finding.examples
    }
    let margin = Self.margin(in: context)
    let indent = String(repeating: " ", count: margin)
    for line in lines.prefix(most) {
      try context.print(
        verbatim: indent
          + context.styled(verbatim: context.safe(line).truncated(to: max(20, context.terminal.width - margin)), .dim))
    }
    if lines.count > most {
      try context.print(verbatim: indent + context.styled("… and \(lines.count - most) more (--json)", .dim))
    }
  }

  private static func name(of check: Finding.Check) -> Message {
    switch check {
    case .file: "file"
    case .schema: "tables"
    case .references: "references"
    case .searchIndex: "search index"
    case .searchPending: "search"
    case .people: "people"
    case .numbers: "numbers"
    case .history: "history"
    case .dates: "dates"
    case .isbn: "ISBNs"
    case .oddDates: "odd dates"
    case .barcodes: "barcodes"
    case .genres: "genres"
    case .labels: Message("labels", context: "of sources")
    case .creators: "creators"
    case .names: "names"
    case .duplicates: "duplicates"
    }
  }

  private static func message(_ finding: Finding) -> Message {
    let count = finding.count
    func counted(_ one: Message, _ many: Message) -> Message { Message(counting: count, one: one, many: many) }
    if finding.state == .unchecked { return "not checked" }
    guard count > 0 else {
      return switch finding.check {
      case .file: "intact"
      case .schema: "unchanged"
      case .references: "all valid"
      case .searchIndex: "up to date"
      case .searchPending: "complete"
      case .people: "all belong to an item"
      case .numbers: "all tables can give new numbers"
      case .history: "readable"
      case .dates: "all valid"
      case .oddDates: "none"
      case .isbn, .barcodes: "all check digits are right"
      case .genres: "every item has one"
      case .labels: "all are known"
      case .creators: "every item has one"
      case .names: "each is spelled in one way"
      case .duplicates: "none"
      }
    }
    return switch finding.check {
    case .file: counted("damaged: \(count) problem", "damaged: \(count) problems")
    case .schema where finding.state == .wrong:
      counted("\(count) differs from a new catalog", "\(count) differ from a new catalog")
    case .schema: counted("\(count) is not from this program", "\(count) are not from this program")
    case .references: counted("\(count) row refers to a missing row", "\(count) rows refer to missing rows")
    case .searchIndex: "out of date"
    case .searchPending: counted("\(count) item not indexed yet", "\(count) items not indexed yet")
    case .people: counted("\(count) person belongs to no item", "\(count) people belong to no item")
    case .numbers: counted("\(count) table has too high a number", "\(count) tables have too high a number")
    case .history:
      counted(
        "\(count) operation is damaged and cannot be undone", "\(count) operations are damaged and cannot be undone")
    case .dates: counted("\(count) date is impossible", "\(count) dates are impossible")
    case .isbn: counted("\(count) ISBN has a wrong check digit", "\(count) ISBNs have a wrong check digit")
    case .oddDates: counted("\(count) date is unlikely", "\(count) dates are unlikely")
    case .barcodes: counted("\(count) barcode is not valid", "\(count) barcodes are not valid")
    case .genres:
      counted(
        "\(count) item has no genre: catalog list genre:none", "\(count) items have no genre: catalog list genre:none")
    case .labels:
      counted(
        "\(count) label of a source is unknown: catalog genre labels --unknown",
        "\(count) labels of sources are unknown: catalog genre labels --unknown")
    case .creators:
      counted(
        "\(count) item has no creator: catalog list creator:none",
        "\(count) items have no creator: catalog list creator:none")
    case .names:
      counted(
        "\(count) name has a near one: catalog edit --where creator:=NAME creator-=NAME creator+=OTHER",
        "\(count) names have near ones: catalog edit --where creator:=NAME creator-=NAME creator+=OTHER")
    case .duplicates:
      counted(
        "\(count) pair is probably a duplicate: catalog merge",
        "\(count) pairs are probably duplicates: catalog merge")
    }
  }
}
