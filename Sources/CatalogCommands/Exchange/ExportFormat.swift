internal import CatalogModel
internal import CommandLineKit
internal import Exchange

/// The formats of `export`.
enum ExportFormat: Hashable {
  /// All data, which `import` restores.
  case jsonLines
  /// The fields of `list --json`.
  case json
  /// The fields of `list --csv`.
  case csv
  case html
  /// A folder of notes.
  case markdown
  /// A separate catalog.
  case sqlite
  /// A table of another program, by its id.
  case table(String)
  /// A text format with one entry for each item, by its id.
  case text(String)

  private static let all: [(name: String, format: ExportFormat)] =
    [
      ("jsonl", .jsonLines), ("json", .json), ("csv", .csv), ("html", .html), ("markdown", .markdown),
      ("sqlite", .sqlite),
    ] + OutgoingTable.all.map { ($0.id, .table($0.id)) } + OutgoingText.all.map { ($0.id, .text($0.id)) }

  static var names: [String] { all.map(\.name) }
  var name: String { Self.all.first { $0.format == self }?.name ?? "" }

  /// The only kind of the format; nil when all kinds are allowed.
  var kind: Kind? {
    switch self {
    case .table(let id): OutgoingTable.all.first { $0.id == id }?.kind
    case .text(let id): OutgoingText.all.first { $0.id == id }?.kind
    default: nil
    }
  }

  /// A name for hints.
  var usualName: String {
    switch self {
    case .table(let id): "\(id).csv"
    case .text("bibtex"): "books.bib"
    case .text(let id): "books.\(id)"
    case .markdown: "notes"
    case .sqlite: "selection.db"
    default: "catalog.\(name)"
    }
  }
}

extension ExportFormat: ArgumentValue {
  init(argument word: String) throws {
    guard let known = Self.all.first(where: { $0.name == word.lowercased() }) else {
      throw UsageError.unknown(Message("format", context: "of a file"), word, among: Self.names)
    }
    self = known.format
  }

  static var valueName: String? { "FORMAT" }
  static var completion: CompletionKind { .values(names) }
}
