internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog complete CREATOR|SERIES|GENRE`: what is here of it, and what is missing.
struct CompleteCommand: Command {
  /// The meanings of the words.
  enum Subject: String, CaseIterable, ArgumentValue {
    case creator, series, genre
  }

  static let info = CommandInfo<Self>(
    "complete", summary: "Show what you have and lack of a creator, a series or a genre.",
    discussion: """
      Of a creator or a genre it compares your shelf with the built-in pack of well-known works, which needs no network; of a \
      series it shows the numbers up to the last that you have, at most up to 500. The words are a series, if you have a book of \
      it, else a creator, else a genre; '--as' decides.
      """,
    examples: [
      Example("catalog complete \"Miles Davis\"", "His records here, and those of the pack that are missing."),
      Example("catalog complete Discworld --as series", "The numbers that are missing."),
      Example("catalog complete Jazz --missing", "Only what is missing."),
    ],
    arguments: [
      .positional("words", \.words, help: "Whose, or of what: a name."),
      .option("as", \.subject, value: "WHAT", help: "What the words are: creator, series or genre."),
      .flag("missing", \.isMissingOnly, help: "Only what is missing."),
    ] + TableOptions.arguments.lifted(\.table))

  var words: [String] = []
  var subject: Subject?
  var isMissingOnly = false
  var table = TableOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    let name = words.joined(separator: " ")
    guard let (title, works) = try find(name, in: store, context) else {
      throw Failure(
        "no creator, series or genre is called \(name.quoted)",
        hint: "what there is: catalog report creators, catalog genre list")
    }
    let shown = isMissingOnly ? works.filter { $0.state == .missing } : works
    let format = table.format(on: context.terminal)
    guard format == .fitted else { return try rows(shown).write(table, to: context.output, terminal: context.terminal) }
    try context.paged { try $0.print(report(shown, of: works, title, in: $0)) }
  }

  /// Finds the series, creator or genre of this name, and its works.
  private func find(_ name: String, in store: Store, _ context: Context) throws -> (title: String, works: [Holding])? {
    if subject == nil || subject == .series {
      let books = try store.holdings(ofSeries: name)
      if !books.isEmpty { return (name, books) }
    }
    if subject == nil || subject == .creator {
      let ids = try store.items(by: name)
      let key = Folding.labelKey(name)
      let pack = StarterPack.candidates.filter { $0.record.creators.contains { Folding.labelKey($0) == key } }
      if !ids.isEmpty || !pack.isEmpty { return (name, try join(store.holdings(of: ids), pack)) }
    }
    guard subject == nil || subject == .genre, let genre = try store.genre(named: name) else { return nil }
    let query = try context.query(["genre:\(genre.shellWord)"], in: store)
    let pack = StarterPack.candidates.filter { $0.record.labels.contains(genre) }
    return (genre, try join(store.holdings(of: store.ids(query)), Array(pack)))
  }

  /// Adds the works of the pack that are not on the shelf.
  private func join(_ here: [Holding], _ pack: [Candidate]) -> [Holding] {
    func key(_ kind: Kind, _ title: String) -> String { "\(kind.rawValue) \(Folding.labelKey(title))" }
    let known = Set(here.map { key($0.kind, $0.title) })
    let missing = pack.filter { candidate in
      let titles =
        [candidate.record.title, candidate.record.originalTitle].compactMap(\.self) + candidate.record.otherTitles
      return known.isDisjoint(with: titles.map { key(candidate.record.kind, $0) })
    }.map { candidate in
      Holding(
        kind: candidate.record.kind, title: candidate.record.title,
        creator: candidate.record.creators.joined(separator: ", "), year: candidate.record.year, state: .missing,
        reference: candidate.id)
    }
    return (here + missing).sorted {
      ($0.year ?? .max, $0.title) < ($1.year ?? .max, $1.title)
    }
  }

  private func rows(_ works: [Holding]) -> Table {
    Table(
      columns: [
        .init("state"), .init("id"), .init("kind"), .init("number"), .init("title"), .init("creator"), .init("year"),
        .init("reference"),
      ],
      rows: works.map {
        [
          .init($0.state.rawValue), .init($0.item.map { Int(clamping: $0.rawValue) }), .init($0.kind.rawValue),
          .init($0.number), .init($0.title),
          .init($0.creator), .init($0.year), .init($0.reference.map { "\($0)" }),
        ]
      })
  }

  private func report(_ shown: [Holding], of works: [Holding], _ title: String, in context: Context) -> Report {
    let here = works.count { $0.state != .missing && $0.state != .wished }
    var report = Report(Message(verbatim: title), subtitle: "\(here) of \(works.count) here")
    var table = TableBuilder(of: shown, hasHeadings: false)
    table.add(.init("state", "State", importance: 7)) { work in
      .init(context.text(Self.words(for: work.state)), style: work.state == .missing ? .dim : .plain)
    }
    table.add(.init("id", "Item", alignment: .right, importance: 6)) { work in
      .init(work.item.map { Int(clamping: $0.rawValue) }, style: .cyan)
    }
    table.add(.init("number", "Number", alignment: .right, importance: 5)) { .init($0.number.map { "#\($0)" }) }
    table.add(.init("year", "Year", importance: 4)) { .init($0.year.map { "\($0)" }) }
    table.add(.init("title", "Title", isFlexible: true, minimumWidth: 16, importance: 8)) { work in
      .init([work.creator, work.title].filter { !$0.isEmpty }.joined(separator: " – "))
    }
    report.add(.table(table.table, caption: "Works"))
    if let first = works.first(where: { $0.state == .missing })?.reference {
      report.add(.note(Footnote("Wish for a missing one", command: "catalog wish \(first)")))
    }
    return report
  }

  private static func words(for state: Holding.State) -> Message {
    switch state {
    case .owned: "owned"
    case .finished: "finished"
    case .listed: "listed"
    case .wished: "wished for"
    case .missing: "missing"
    }
  }
}
