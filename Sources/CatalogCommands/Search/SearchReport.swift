internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// Prints the numbered results of a search, with a section for each kind and the marks of each result.
///
/// On a terminal ``receive(_:)`` prints a section as soon as it and those before it are ready. ``finish(_:)`` prints
/// the rest, all output for programs, and the hints.
struct SearchReport {
  /// The words of the search and its field, printed above the sections.
  var heading: [Message] = []
  let context: Context
  let options: TableOptions
  /// The number of sections that are printed.
  private var printed = 0
  /// The number of the next result.
  private var number = 1
  /// The catalog, once it is needed.
  private var store: Store?

  init(heading: [Message] = [], options: TableOptions, context: Context) {
    (self.heading, self.options, self.context) = (heading, options, context)
  }

  /// Opens the catalog for these sections. A missing catalog is not created for results of the pack.
  private mutating func openStore(for sections: [SearchSection]) {
    let isOfPack = sections.allSatisfy { $0.candidates.allSatisfy { $0.id.source == StarterPack.id } }
    guard store == nil, context.hasCatalog() || !isOfPack else { return }
    store = try? context.reading()
  }

  private var isFitted: Bool { options.format(on: context.terminal) == .fitted }

  /// Prints the new sections, if the output is for people.
  mutating func receive(_ sections: [SearchSection]) throws {
    guard isFitted else { return }
    openStore(for: sections)
    if printed == 0, let first = heading.first {
      let rest = heading.dropFirst().map { " · " + context.text($0) }.joined()
      try context.print(
        verbatim: context.styled(verbatim: context.safe(context.text(first)), .bold)
          + context.styled(verbatim: rest, .dim))
      try context.print("")
    }
    for section in sections.dropFirst(printed) {
      if printed > 0 { try context.print("") }
      try show(section)
      printed += 1
    }
    context.output.flushIgnoringErrors()
  }

  /// Prints the rest of the sections when the search is complete.
  /// - Throws: ``SilentFailure`` when nothing was found or every source failed.
  mutating func finish(_ sections: [SearchSection]) throws {
    let candidates = sections.flatMap(\.candidates)
    openStore(for: sections)
    if isFitted {
      try receive(sections)
      noteHints(of: sections)
      if let first = candidates.first {
        context.note(
          first.record.kind.isShelved
            ? "Type 'catalog add r1' to keep a result, 'catalog show r1' to see it."
            : "Type 'catalog show r1' to see a result.")
      }
    } else {
      sections.forEach(noteFailure(of:))
      noteHints(of: sections)
      // A search that failed has no table.
      if !hasFailed(sections) {
        try table(of: sections, first: 1).write(options, to: context.output, terminal: context.terminal)
      }
      noteNothing(in: sections)
    }
    guard candidates.isEmpty else { return }
    // The failures were printed.
    throw SilentFailure(status: hasFailed(sections) ? failures(of: sections).first?.status ?? .failed : .failed)
  }

  /// Tells what is missing from the results, and why.
  func noteProblems(of sections: [SearchSection]) {
    sections.forEach(noteFailure(of:))
    noteNothing(in: sections)
  }

  /// Tells which sources failed, what answered in their place, and what can be done about it.
  func noteFailures(of sections: [SearchSection]) {
    sections.forEach(noteFailure(of:))
    noteHints(of: sections)
  }

  /// Tells of what nothing was found.
  private func noteNothing(in sections: [SearchSection]) {
    guard sections.allSatisfy(\.candidates.isEmpty) else {
      for section in sections where section.isEmpty {
        context.warn("no \(section.kind.singular) was found for \(section.words.quoted)")
      }
      return
    }
    // If no source could be asked, nothing was searched.
    guard sections.contains(where: \.isEmpty) else { return }
    let kinds = sections.map(\.kind).withoutRepeats(by: \.self)
    let words = sections.map(\.words.quoted).withoutRepeats(by: \.self)
    let listed = words.dropLast().joined(separator: ", ")
    let looked: Message = listed.isEmpty ? Message(verbatim: words.last ?? "") : "\(listed) or \(words.last ?? "")"
    let near = store.map { context.phrase(forMisspelt: sections[0].words, in: $0) } ?? ""
    context.warn("no \(kinds.count == 1 ? kinds[0].singular : "result") was found for \(looked)" + near)
  }

  /// The failures of sections that no source answered.
  private func failures(of sections: [SearchSection]) -> [Failure] {
    sections.filter { !isExcused($0) && $0.standIn == nil && !$0.isEmpty }.compactMap(\.failure)
  }

  /// Whether there are no results because every source failed. One that was not to be asked has not.
  private func hasFailed(_ sections: [SearchSection]) -> Bool {
    failures(of: sections).count { $0.status != .failed } == sections.count && sections.allSatisfy(\.candidates.isEmpty)
  }

  private mutating func show(_ section: SearchSection) throws {
    let heading =
      section.season.map { context.text($0.words(lookedFor: section.words)) } ?? context.text(section.kind.plurals)
    try context.print(
      verbatim: context.styled("\(heading.prefix(1).uppercased())\(heading.dropFirst())", .bold)
        + context.styled(" · \(section.sourceWords)\(counted(section))", .dim))
    noteFailure(of: section)
    if section.isEmpty {
      try context.print(
        "No \(section.kind.singular) was found for \(context.safe(section.words.quoted)).")
    }
    if section.candidates.isEmpty { return }
    try table(of: [section], first: number, isFitted: true)
      .write(as: .fitted, to: context.output, terminal: context.terminal)
    number += section.candidates.count
  }

  private func counted(_ section: SearchSection) -> String {
    guard section.hasMore else { return "" }
    return context.text(
      section.total.map { " · \(section.candidates.count) of \($0)" } ?? " · more with --page")
  }

  /// Whether the failure of a section is not printed: with --offline, only cached answers and the pack are expected.
  private func isExcused(_ section: SearchSection) -> Bool {
    context.globals.isOffline && section.standIn != nil
  }

  /// Prints the failure of a section, and the source that answered instead.
  private func noteFailure(of section: SearchSection) {
    if context.globals.isOffline, section.standIn == .earlierAnswer {
      return context.warn("\(section.source) was not asked; its earlier answer is shown")
    }
    guard !isExcused(section) else { return }
    let season = section.season.map { "\(context.text($0.words(lookedFor: section.words))): " } ?? ""
    guard let message = section.failure.map({ Message(verbatim: season) + $0.message }) else {
      guard let place = section.standIn.flatMap(section.place(of:)), !section.empty.isEmpty else { return }
      return context.note(
        section.empty.count == 1
          ? "\(section.empty[0]) has nothing; \(place) answers"
          : "\(section.empty.joined(separator: ", ")) have nothing; \(place) answers")
    }
    switch section.standIn {
    case nil: context.warn(message)
    case .source: context.warnOfStandIn("\(message); \(section.source) answers instead")
    case .earlierAnswer: context.warnOfStandIn("\(message); the earlier answer of \(section.source) is shown")
    case .copy, .pack:
      let place = section.standIn.flatMap(section.place(of:)) ?? ""
      context.warnOfStandIn("\(message); \(place) answers instead")
    }
  }

  /// Prints the hints of the failures, each once.
  private func noteHints(of sections: [SearchSection]) {
    let hints = sections.filter { !isExcused($0) }.flatMap { [$0.failure?.hint].compactMap(\.self) + $0.hints }
    for hint in hints.withoutRepeats(by: \.self) { context.hint(hint) }
  }

  /// - Parameter isFitted: whether a heading shows the season.
  private func table(of sections: [SearchSection], first: Int, isFitted: Bool = false) throws -> Table {
    let found = sections.flatMap { section in section.candidates.map { (section, $0) } }
    let titles = Dictionary(grouping: found.map(\.1.record), by: \.headline)
    struct Row {
      var name: String
      var season: Season?
      var id: ExternalID
      var record: Record
      var likeness: Likeness?
    }
    let rows = zip(first..., found).map { number, found in
      Row(
        name: "r\(number)", season: found.0.season, id: found.1.id, record: found.1.record,
        likeness: (try? store?.likeness(of: found.1)) ?? nil)
    }
    return try Table(
      rows,
      sections.contains { $0.season != nil } ? [.hidden("season", if: isFitted, \.season?.rawValue)] : [],
      [
        .init("id", "", importance: 9, isReference: true, style: .cyan, \.name),
        .hidden("result", isReference: true, \.name), .hidden("kind", \.record.kind),
        .init(
          "title", "Title", isFlexible: true, minimumWidth: 16, importance: 8, style: .bold, \.record.title,
          shown: { $0.record.title(isAlone: titles[$0.record.headline]?.count == 1) }),
        .init("creators", "By", isFlexible: true, minimumWidth: 10, importance: 6, \.record.creators),
        .init("year", "Year", alignment: .right, importance: 7) { $0.record.year ?? $0.record.released?.year },
        .init(
          "source_genres", "Genre", isFlexible: true, minimumWidth: 8, importance: 2, \.record.labels,
          shown: { context.labels(shownOf: $0.record, in: store) }),
        .init("format", "Format", isFlexible: true, minimumWidth: 6, importance: 3, \.record.pressing),
        .init("have", "", importance: 5) { row in
          context.cell(row.likeness.flatMap { store?.marks(of: $0) }, style: .green)
        },
        .init(
          "price", "Price", alignment: .right, importance: 4, \.record.price,
          shown: { $0.record.cost?.cost(in: context.moneyLanguage) ?? "" }),
        .hidden("sale_price", if: isFitted, \.record.book.salePrice),
        .hidden("isbn", \.record.book.isbn?.digits13), .hidden("item", \.likeness?.item),
        .hidden("edition_of", \.likeness?.edition), .hidden("source", \.id.source), .hidden("source_id", \.id.value),
        .hidden("url", \.record.url),
      ])
  }
}

extension SearchSection {
  /// Whether a source answered, and found nothing.
  fileprivate var isEmpty: Bool { candidates.isEmpty && (failure == nil || !empty.isEmpty) }

  /// The place on this computer that answers for a source.
  fileprivate func place(of standIn: StandIn) -> Message? {
    switch standIn {
    case .copy: "the copy of \(source) on this computer"
    case .pack: "the built-in pack"
    case .source, .earlierAnswer: nil
    }
  }
}

extension Record {
  /// The list price of a book, or the price of anything else.
  fileprivate var price: Price? { kind == .book ? book.price : cost }

  /// The title, with its album if several songs have the same title.
  fileprivate func title(isAlone: Bool) -> String {
    guard !isAlone, case .other(let other) = details, let album = other.collection else { return title }
    return "\(title) (\(album))"
  }
}

extension Context {
  /// The first two labels of a result that describe its genre. Those that are names of genres are in the language of
  /// the person.
  func labels(shownOf record: Record, in store: Store?) -> String {
    let source = record.labelSource ?? record.externalIDs.first?.source ?? ""
    let labels = try? store?.withoutNoise(
      record.labels, from: source, of: record.kind, areGenres: source == StarterPack.id)
    return (labels ?? record.labels).prefix(2).map(genreName).joined(separator: ", ")
  }
}

extension Store {
  /// The marks of a result: `[on shelf 42 · VG+/VG] [card ★★★★½]`, `[another edition on shelf 42]`.
  func marks(of likeness: Likeness) -> Message {
    switch likeness {
    case .same(let id):
      let grades = ((try? copies(of: id)) ?? []).compactMap(\.facts.grades)
      let place: Message =
        grades.isEmpty ? "[on shelf \(id)]" : "[on shelf \(id) · \(grades.joined(separator: ", "))]"
      return ((try? rating(of: id)) ?? nil).map { "\(place) [card \($0.stars)]" } ?? place
    case .edition(let id): return "[another edition on shelf \(id)]"
    case .perhaps(let id): return "[perhaps on shelf \(id)]"
    }
  }
}

extension Likeness {
  /// The number of the item that is the same.
  var item: Int? { if case .same(let id) = self { Int(id.rawValue) } else { nil } }
  /// The number of the item that is another edition, or perhaps the same.
  var edition: Int? { item == nil ? Int(id.rawValue) : nil }
}
