internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog genre labels [WORDS]`: what the sources call the genres, and what that means here.
struct GenreLabelsCommand: Command {
  typealias Label = Store.ListedLabel

  static let info = CommandInfo<Self>(
    "labels", summary: "List the labels of sources, and the genres they stand for.",
    discussion: """
      A label is known and stands for genres, is noise and stands for none, or is unknown: then it became a genre of its \
      own, or none when the source's labels are free text by many hands. 'catalog genre alias' gives it a meaning.
      """,
    examples: [
      Example("catalog genre labels --unknown", "The labels without a meaning so far."),
      Example("catalog genre labels --noise", "Labels that say nothing about the genre."),
      Example("catalog genre labels --all --source discogs", "Also labels that the program knows but no item has."),
    ],
    arguments: [
      .positional("words", \.words, isRequired: false, help: "Part of a label or of a genre's name."),
      .flag("unknown", \.state, sets: .unknown, help: "Only the unknown ones."),
      .flag("noise", \.state, sets: .noise, help: "Only noise."),
      .option(
        "source", short: "s", \.source, value: "NAME", completion: .dynamic("sources"), help: "Only this source's."),
      .flag("all", short: "a", \.showsAll, help: "Also labels that the program knows but no item has."),
    ] + TableOptions.arguments.lifted(\.table))

  var words: [String] = []
  var state: Label.State?
  var source: String?
  var showsAll = false
  var table = TableOptions()

  func run(in context: Context) throws {
    let source = try source.map { try context.labelSource($0) }
    let part = Folding.nameKey(words.joined(separator: " "))
    let labels = try context.reading().genreLabels(includesShipped: showsAll).filter { label in
      (state == nil || label.state == state) && (source == nil || label.source == source)
        && (words.isEmpty || ([label.label] + label.genres).contains { Folding.nameKey($0).contains(part) })
    }
    try context.write(Self.table(labels, in: context), table)
    guard !labels.isEmpty else {
      throw Failure(
        "no such label", hint: showsAll ? nil : "--all also looks among those that no item came with")
    }
  }

  private static func table(_ labels: [Label], in context: Context) -> Table {
    // The kind is said where a source says the same of several.
    func key(_ label: Label) -> [String] { [label.source, Folding.nameKey(label.label)] }
    let counts = Dictionary(labels.map { (key($0), 1) }, uniquingKeysWith: +)
    func isOne(_ label: Label) -> Bool { label.source != "any" && counts[key(label)] == 1 }
    func kind(_ label: Label) -> String { label.kind.map { " (\($0.rawValue))" } ?? "" }
    return Table(
      columns: [
        .init(
          "source_genre", Message("Label", context: "of a source"), isFlexible: true, minimumWidth: 12, importance: 9),
        .init("source", "Source", importance: 6),
        .init("genres", "Genres", isFlexible: true, minimumWidth: 10, importance: 8),
        .init("items", "Items", alignment: .right, importance: 7),
        .init("decision", isHidden: true),
        .init("kind", isHidden: true),
      ],
      rows: labels.map { label in
        let others = label.beside.joined(separator: ", ")
        let beside = others.isEmpty ? nil : context.text("beside others \(others)")
        let shown: String? =
          switch label.state {
          case .known: beside.map { "\(label.genres.joined(separator: ", ")), \($0)" }
          case .noise: beside ?? context.text("(noise)")
          case .unknown:
            context.text(label.genres.isEmpty ? "(unknown)" : "\(label.genres.joined(separator: ", ")) (unknown)")
          }
        return [
          .init(label.label),
          .init(value: .text(label.source), shown: label.source + (isOne(label) ? "" : kind(label)), style: .dim),
          .init(label.genres, shown: shown, style: label.state == .known || beside != nil ? .plain : .yellow),
          .init(label.items),
          .init(label.state.rawValue), .init(label.kind?.rawValue),
        ]
      })
  }
}

extension Context {
  /// The source of labels that a person means: one that is asked, one whose labels the program knows, or one that items
  /// came from.
  func labelSource(_ name: String) throws -> String {
    let names = try Set(sourceNames).union(reading().labelSources()).sorted()
    guard names.contains(name.lowercased()) else { throw UsageError.unknown("source", name, among: names) }
    return name.lowercased()
  }
}
