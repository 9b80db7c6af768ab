internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import SourceCopies

/// `catalog complete CREATOR|SERIES|LABEL|GENRE`: what is here of it, and what is missing.
struct CompleteCommand: Command {
  /// The meanings of the words.
  enum Subject: String, CaseIterable, ArgumentValue {
    case creator, series, label, genre
  }

  static let info = CommandInfo<Self>(
    "complete", summary: "Show what you have and lack of a creator, a series, a label or a genre.",
    discussion: """
      Of a creator, a label or a publisher it compares your shelf with the copies of sources on this computer ('catalog \
      help source build') and the built-in pack of well-known works, of a genre with the pack. None needs a network, and \
      the heading says which of them know it. Of a series it shows the numbers up to the last that you have, at most up \
      to 500. The words are a series, if you have a book of it, else a creator, else a label, else a genre; '--as' \
      decides. A part of a name does, if only one has it.

      What is missing is numbered r1, r2, …, so that 'catalog wish r1' wishes for it. Of each copy the 100 best known \
      works are compared; '--all' compares all.
      """,
    examples: [
      Example("catalog complete \"Miles Davis\"", "His records here, and those that are missing."),
      Example("catalog complete \"Blue Note\" --as label --all", "The records of a label, from the copies."),
      Example("catalog complete Discworld --as series", "The numbers that are missing."),
      Example("catalog complete Jazz --missing", "Only what is missing."),
    ],
    arguments: [
      .positional("words", \.words, help: "Whose, or of what: a name."),
      .option("as", \.subject, value: "WHAT", help: "What the words are: creator, series, label or genre."),
      .flag("missing", \.isMissingOnly, help: "Only what is missing."),
      .flag("all", \.isAll, help: "All works that the copies know, not only the best known."),
    ] + TableOptions.arguments.lifted(\.table))

  var words: [String] = []
  var subject: Subject?
  var isMissingOnly = false
  var isAll = false
  var table = TableOptions()

  /// The most names that are offered for a part of a name.
  private static let mostNames = 20

  /// The most works of one copy that are compared without `--all`, and with it.
  private static let (few, many) = (100, 10_000)

  func run(in context: Context) throws {
    let store = try context.reading()
    let found = try found(words.joined(separator: " "), in: store, context)
    let shown = isMissingOnly ? found.works.filter { $0.state == .missing } : found.works
    let format = table.format(on: context.terminal)
    guard format == .fitted else {
      return try Table(shown, Self.columns).write(table, to: context.output, terminal: context.terminal)
    }
    let missing = shown.compactMap { $0.reference.flatMap { found.candidates[$0] } }
    let isNumbered = !missing.isEmpty && context.results.save(missing)
    try context.paged { try $0.print(report(shown, of: found, numbered: isNumbered ? missing.map(\.id) : [], in: $0)) }
  }

  /// The works of a creator, a series, a label or a genre.
  private struct Found {
    /// The name that the works are found by.
    var title: String
    var works: [Holding]
    /// The missing works that can be added.
    var candidates: [ExternalID: Candidate] = [:]
    /// The sources that know works of it.
    var sources: [String] = []
  }

  /// Finds the works of what the words name, or name a part of.
  private func found(_ words: String, in store: Store, _ context: Context) throws -> Found {
    if let found = try find(words, in: store, context) { return found }
    let known = try names(in: store)
    let names = known.filter { SearchText.hasWords(Folding.fold($0), Folding.fold(words)) }
      .withoutRepeats(by: Folding.nameKey)
    let unknown: Message = "no creator, series, label or genre is called \(words.quoted)"
    if names.isEmpty {
      throw Failure(
        unknown + Suggestion.phrase(for: words, among: known),
        hint: "what there is: catalog report creators, catalog report labels, catalog genre list")
    }
    let few = Array(names.prefix(Self.mostNames))
    var chosen = names.count == 1 ? names[0] : nil
    if chosen == nil, context.terminal.isInputTerminal, context.terminal.isErrorTerminal {
      context.note(unknown + Message(verbatim: ":"))
      chosen = try context.prompt.choose("Which one?", from: few, option: "").map { few[$0] }
    }
    guard let chosen, let found = try find(chosen, in: store, context) else {
      throw Failure(
        unknown + Message(verbatim: ":\n  " + few.joined(separator: "\n  ")),
        hint: "name one: catalog complete \(names[0].shellWord)")
    }
    return found
  }

  /// The names of creators, series and labels here and in the pack, as far as `--as` asks for them.
  private func names(in store: Store) throws -> [String] {
    var names: [String] = []
    if subject == nil || subject == .creator {
      names += try store.tallyCreators(Query()).rows.map(\.heading) + StarterPack.candidates.flatMap(\.record.creators)
    }
    if subject == nil || subject == .label {
      names += try store.tallyLabels(Query()).rows.map(\.heading)
      names += StarterPack.candidates.compactMap(\.record.vinyl.label)
    }
    if subject == nil || subject == .series { names += try store.series() }
    return names
  }

  /// Finds the series, creator, label or genre of this name, and its works.
  private func find(_ name: String, in store: Store, _ context: Context) throws -> Found? {
    if subject == nil || subject == .series {
      let books = try store.holdings(ofSeries: name)
      if !books.isEmpty { return Found(title: name, works: books) }
    }
    if subject == nil || subject == .creator {
      let ids = try store.items(by: name)
      let key = Maker(name).key
      let pack = StarterPack.candidates.filter { $0.record.creators.contains { Maker($0).key == key } }
      let copied = try PersonNames.all(name).flatMap { spelling in
        try self.copied(in: context) { try $0.works(by: spelling, as: $1, most: $2) }
      }
      if !ids.isEmpty || !pack.isEmpty || !copied.isEmpty {
        return try join(name, store.holdings(of: ids), copied + pack, in: store)
      }
    }
    if subject == nil || subject == .label {
      let ids = try store.items(ofLabel: name)
      let key = Folding.nameKey(name)
      let pack = StarterPack.candidates.filter { $0.record.vinyl.label.map(Folding.nameKey) == key }
      let copied = try copied(in: context) { try $0.works(ofLabel: name, as: $1, most: $2) }
      if !ids.isEmpty || !pack.isEmpty || !copied.isEmpty {
        return try join(name, store.holdings(of: ids), copied + pack, in: store)
      }
    }
    guard subject == nil || subject == .genre, let genre = try store.genre(named: name) else { return nil }
    let query = try context.query(["genre:\(genre.shellWord)"], in: store)
    let pack = StarterPack.candidates.filter { $0.record.labels.contains(genre) }
    return try join(genre, store.holdings(of: store.ids(query)), Array(pack), in: store)
  }

  /// The works in the copies, with a word about those that were not compared.
  private func copied(
    in context: Context, _ works: (SourceCopy, Kind, _ most: Int) throws -> CopiedWorks
  ) throws -> [Candidate] {
    let copies = CopiesAtHand(in: context)
    return try Kind.shelved.flatMap { kind in
      try copies.ask(for: kind) { source, copy in
        let found = try works(copy, kind, isAll ? Self.many : Self.few)
        if found.hasMore {
          context.note("the copy of \(source.name) has more than \(found.candidates.count) \(kind.plurals) of this")
          if !isAll { context.hint("compare all: --all") }
        }
        return found.candidates
      }.flatMap(\.self)
    }
  }

  /// Adds the works that are not on the shelf: each once, though several copies have it.
  private func join(_ title: String, _ here: [Holding], _ works: [Candidate], in store: Store) throws -> Found {
    let sources = works.map(\.id.source).withoutRepeats(by: \.self)
    var found = Found(title: title, works: here, sources: sources.map { Source.named($0)?.name ?? $0 })
    func key(_ kind: Kind, _ title: String) -> String { "\(kind.rawValue) \(Folding.nameKey(title))" }
    var known = Set(here.map { key($0.kind, $0.title) })
    var (others, missing): ([ItemID], [Holding]) = ([], [])
    for candidate in works {
      let record = candidate.record
      let titles = [record.title, record.originalTitle].compactMap(\.self) + record.otherTitles
      let keys = titles.map { key(record.kind, $0) }
      guard known.isDisjoint(with: keys) else { continue }
      known.formUnion(keys)
      if let likeness = try store.likeness(of: record) {
        // It is here under another title or name.
        if !here.contains(where: { $0.item == likeness.id }) { others.append(likeness.id) }
        continue
      }
      found.candidates[candidate.id] = candidate
      missing.append(
        Holding(
          kind: record.kind, title: record.title, creators: record.creators, year: record.year,
          state: .missing, reference: candidate.id))
    }
    found.works = try (here + store.holdings(of: others.withoutRepeats(by: \.self)) + missing).sorted {
      ($0.year ?? .max, SortKey.of($0.title)) < ($1.year ?? .max, SortKey.of($1.title))
    }
    return found
  }

  private static var columns: [Column<Holding>] {
    [
      .init("have", \.state.rawValue), .init("item", \.item), .init("kind", \.kind), .init("number", \.number),
      .init("title", \.title), .init("creators", \.creators), .init("year", \.year), .init("reference", \.reference),
    ]
  }

  /// - Parameter numbered: the ids of the missing works r1, r2, …
  private func report(_ shown: [Holding], of found: Found, numbered: [ExternalID], in context: Context) throws -> Report
  {
    var report = Report(Message(verbatim: found.title), subtitle: subtitle(found))
    let numbers = Dictionary(zip(numbered, 1...)) { first, _ in first }
    let table = try Table(
      shown,
      [
        .init("state", "State", importance: 7) { work in
          Table.Cell(context.text(Self.words(for: work.state)), style: work.state == .missing ? .dim : .plain)
        },
        .init("id", "Item", alignment: .right, importance: 6, style: .cyan) { work in
          work.item.map(\.cell) ?? work.reference.flatMap { numbers[$0] }.map { "r\($0)" }.cell
        },
      ], Set(shown.map(\.kind)).count > 1 ? [.init("kind", "Kind", importance: 3, isWord: true, \.kind)] : [],
      [
        .init("number", "Number", alignment: .right, importance: 5) { $0.number.map { "#\($0)" } },
        .init("year", "Year", importance: 4) { $0.year.map { "\($0)" } },
        .init("title", "Title", isFlexible: true, minimumWidth: 16, importance: 8) { work in
          [work.creators.joined(separator: ", "), work.title].filter { !$0.isEmpty }.joined(separator: " – ")
        },
      ], hasHeadings: false)
    report.add(.table(table, caption: "Works"))
    if found.sources.isEmpty, !found.works.contains(where: { $0.number != nil }) {
      let source = found.works.contains { $0.kind == .vinyl } ? "discogs" : "openlibrary"
      report.add(.note(Footnote("A copy of a source knows more", command: "catalog source build \(source)")))
    }
    if !numbered.isEmpty {
      report.add(.note(Footnote("Wish for a missing one", command: "catalog wish r1")))
    }
    return report
  }

  /// The number of works here, and of those that were compared; what nothing knows is never called complete.
  private func subtitle(_ found: Found) -> Message {
    let here = found.works.count { $0.state != .missing && $0.state != .wished }
    if !found.sources.isEmpty {
      return "\(here) of \(found.works.count) here, as far as \(found.sources.listed) knows them"
    }
    if let last = found.works.compactMap({ $0.number.flatMap { Int($0) } }).max() {
      return "\(here) of \(found.works.count) here, up to number \(last)"
    }
    return "\(here) here; no source at hand knows it"
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
