internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// The purpose of a reference.
enum ReferenceUse: Hashable {
  /// Showing: a single match of the words is enough.
  case reading
  /// Changing: the words must be a title, or a title with its creator.
  case changing
  /// Changing, or adding a result that is not in the catalog.
  case adding
}

// Finds items by their titles.
extension Context {
  /// The target with this title. Nothing is changed on a guess: when no title or several titles fit, a person at a
  /// terminal chooses; elsewhere the error lists the candidates.
  ///
  /// - Parameter missing: the error when there is no candidate; nil for the usual one. With it, the words are a number.
  func target(
    called words: String, for use: ReferenceUse, in store: Store, missing: (any Error)? = nil
  ) throws -> ResolvedReference {
    let matches = try store.matches(of: words)
    let isNumber = missing != nil
    let called = matches.filter { $0.rank <= (isNumber ? .withoutArticle : .withNames) }
    let best = called.filter { $0.rank == called[0].rank }
    // The number was perhaps meant as an item's number.
    if best.count == 1, !isNumber || use == .reading { return .item(best[0].id) }
    if best.count > 1 { return try chosen(best.map { .item($0.id) }, Self.several(best.count, words), in: store) }
    let likely = isNumber ? called : matches
    if use == .reading {
      guard let first = likely.first else { throw missing ?? nothingMatches(words, in: store) }
      if likely.count == 1 {
        note("\(words.quoted) taken for \(try store.item(first.id).line)")
        return .item(first.id)
      }
      return try chosen(likely.map { .item($0.id) }, Self.several(likely.count, words), in: store)
    }
    var choices = likely.prefix(Self.mostChoices).map { ResolvedReference.item($0.id) }
    if use == .adding { choices += try titles(called: words, in: store).map { .candidate($0) } }
    guard let first = choices.first else { throw missing ?? nothingMatches(words, in: store) }
    if choices.count == 1, globals.saysYes {
      note("\(words.quoted) taken for \(try line(of: first, in: store))")
      return first
    }
    let problem: Message =
      isNumber ? "there is no item \(words); called so" : "nothing in the catalog is called \(words.quoted)"
    return try chosen(choices, problem, in: store)
  }

  /// One of several items with the same code.
  func chosen(among ids: [ItemID], _ code: String, in store: Store) throws -> ResolvedReference {
    ids.count == 1
      ? .item(ids[0]) : try chosen(ids.map { .item($0) }, Self.several(ids.count, code), in: store)
  }

  /// The most candidates in a question.
  private static let mostChoices = 20

  private static func several(_ count: Int, _ words: String) -> Message {
    count > mostChoices
      ? "\(words.quoted) matches more than \(mostChoices) items" : "\(words.quoted) matches \(count) items"
  }

  private func nothingMatches(_ words: String, in store: Store) -> Failure {
    Failure(
      "nothing in the catalog matches \(words.quoted)" + phrase(forMisspelt: words, in: store),
      hint: "look it up: catalog search \(words.shellWord)")
  }

  /// The target that the person chooses from several.
  /// - Throws: ``Failure`` that lists them when the person cannot be asked.
  private func chosen(_ choices: [ResolvedReference], _ problem: Message, in store: Store) throws -> ResolvedReference {
    let choices = choices.prefix(Self.mostChoices)
    guard terminal.isInputTerminal, terminal.isErrorTerminal else {
      let names = choices.map(reference)
      let width = names.map(\.cellWidth).max() ?? 0
      let lines = try zip(names, choices).map { name, target in
        "\n  \(name.padded(to: width))  \(text(try words(for: target, in: store)))"
      }
      throw Failure(
        problem + Message(verbatim: ":" + lines.joined()), hint: "type what stands before it instead: \(names[0])")
    }
    note(problem + Message(verbatim: ":"))
    let lines = try choices.map { target in
      switch target {
      case .item(let id): "\(text(try words(for: target, in: store)))  (\(id))"
      case .candidate: text(try words(for: target, in: store))
      }
    }
    let question: Message = choices.count == 1 ? "This one?" : "Which one?"
    guard let place = try prompt.choose(question, from: lines, option: reference(choices[0])) else {
      throw Failure("none was chosen")
    }
    return choices[place]
  }

  /// The shortest reference to the target: `754`, `pack:3f2`.
  private func reference(_ target: ResolvedReference) -> String {
    switch target {
    case .item(let id): "\(id)"
    case .candidate(let candidate): "\(candidate.id)"
    }
  }

  private func words(for target: ResolvedReference, in store: Store) throws -> Message {
    switch target {
    case .item(let id):
      let record = try store.item(id).record
      return Message(verbatim: "\(record.kind.rawValue) \(record.headline)")
    case .candidate(let candidate):
      return "\(candidate.record.kind.rawValue) \(candidate.record.headline), not in the catalog"
    }
  }

  /// Results with this title that can be added: from the pack, or, for a person at a terminal, from the sources when
  /// the pack has none.
  private func titles(called words: String, in store: Store) throws -> [Candidate] {
    func called(_ candidates: [Candidate]) throws -> [Candidate] {
      let words = SearchWords(words)
      return try candidates.filter { candidate in
        try TitleRank(of: candidate.record, for: words) <= .withNames && store.likeness(of: candidate) == nil
      }
    }
    let finder = Finder(context: self)
    let known = try called(finder.packCandidates(words))
    guard known.isEmpty, !globals.isOffline, terminal.isInputTerminal, terminal.isErrorTerminal else { return known }
    note("Nothing in the catalog is called \(words.quoted): asking sources …")
    return try called(
      finder.search(words, kinds: nil, source: nil, limit: 5, keepsResults: false).flatMap(\.candidates))
  }
}
