internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// The purpose of a reference.
enum ReferenceUse: Hashable {
  /// Showing: a single match of the words is enough.
  case reading
  /// Changing: the words must be a title, perhaps with its creator, year or kind.
  case changing
  /// Changing, or adding a result that is not in the catalog.
  case adding
  /// Removing: as for a change, and nothing is offered by the name of its creator.
  case removing
}

/// One of several targets to choose from, with its words.
struct TargetChoice {
  var typed: String
  var target: ResolvedReference
  /// The value of what stands behind the words; nil when they are one title.
  var tail: TypedTail?
}

// Finds items by their titles. Nothing is changed on a guess: when no title or several titles fit, a person at a
// terminal chooses; elsewhere the error lists the candidates.
extension Context {
  /// The items that words name: by a title, perhaps with its creator, year or kind. Several when the words do not
  /// distinguish them, none when nothing is called so.
  func items(called words: String, atMost rank: TitleRank = .withNames, in store: Store) throws -> [ItemID] {
    let called = try store.matches(of: words).filter { $0.rank <= rank }
    if !called.isEmpty { return called.filter { $0.rank == called[0].rank }.map(\.id) }
    // A kind and a number: 'book 7'.
    return try SearchWords(words).qualified.compactMap { reading in
      guard case .item(let id)? = try? Reference(argument: reading.text), let kind = reading.kind, try store.exists(id),
        try store.item(id).record.kind == kind
      else { return nil }
      return id
    }
  }

  /// The target with this title.
  /// - Parameter missing: the error when there is no candidate; nil for the usual one. With it, the words are a number.
  func target(
    called words: String, for use: ReferenceUse, in store: Store, missing: (any Error)? = nil
  ) throws -> ResolvedReference {
    let isNumber = missing != nil
    let called = try items(called: words, atMost: isNumber ? .withoutArticle : .withNames, in: store)
    // The number was perhaps meant as an item's number, and an article may make another title.
    if let only = called.first, called.count == 1 {
      if use == .reading || !isNumber, try use == .reading || !isOnlyElsewhere(words, than: only, in: store) {
        return .item(only)
      }
    } else if called.count > 1 {
      return try chosen(called.map { .item($0) }, Self.several(called.count, words), in: store).target
    }
    if isNumber, let only = called.first {
      if globals.saysYes { return .item(only) }
      return try chosen([.item(only)], "there is no item \(words); called so", in: store).target
    }
    let near = isNumber ? [] : try near(words, for: use, in: store)
    guard let first = near.first else { throw missing ?? nothingMatches(words, in: store) }
    if use == .reading, near.count == 1 {
      note("\(words.quoted) taken for \(try line(of: first, in: store))")
      return first
    }
    return try chosen(
      near, use == .reading ? Self.several(near.count, words) : "nothing in the catalog is called \(words.quoted)",
      in: store
    ).target
  }

  /// Whether the words are exactly the title of something in the pack, while the item's title differs by its article.
  private func isOnlyElsewhere(_ words: String, than item: ItemID, in store: Store) throws -> Bool {
    let typed = SearchWords(words)
    guard TitleRank(of: try store.item(item).record, for: typed) == .withoutArticle else { return false }
    return try Finder(context: self).packCandidates(words).contains {
      try TitleRank(of: $0.record, for: typed) == .exact && store.likeness(of: $0) == nil
    }
  }

  /// The candidates for words that name nothing in the catalog, the best first: titles elsewhere, then items whose
  /// title begins so, is spelled nearly so, or has the words.
  func near(_ words: String, for use: ReferenceUse, in store: Store) throws -> [ResolvedReference] {
    var choices = use == .adding ? try titles(called: words, in: store).map(ResolvedReference.candidate) : []
    let matches = try store.matches(of: words).filter { use != .removing || $0.rank < .other }
    let alike = matches.isEmpty && use != .removing ? try itemsAlike(words, in: store) : matches.map(\.id)
    choices += alike.map { .item($0) }
    if choices.isEmpty, use == .adding {
      choices += Finder(context: self).packCandidates(spelledLike: words).map { .candidate($0) }
    }
    return Array(choices.prefix(Self.mostChoices))
  }

  /// One of several items with the same code.
  func chosen(among ids: [ItemID], _ code: String, in store: Store) throws -> ResolvedReference {
    ids.count == 1
      ? .item(ids[0]) : try chosen(ids.map { .item($0) }, Self.several(ids.count, code), in: store).target
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

  private func chosen(_ targets: [ResolvedReference], _ problem: Message, in store: Store) throws -> TargetChoice {
    try chosen(targets.map { TargetChoice(typed: reference($0), target: $0) }, problem, in: store)
  }

  /// The target that the person chooses from several.
  /// - Throws: ``Failure`` that lists them when the person cannot be asked.
  func chosen(_ choices: [TargetChoice], _ problem: Message, in store: Store) throws -> TargetChoice {
    let choices = choices.prefix(Self.mostChoices)
    guard terminal.isInputTerminal, terminal.isErrorTerminal else {
      let width = choices.map(\.typed.cellWidth).max() ?? 0
      let lines = try choices.map { choice in
        "\n  \(choice.typed.padded(to: width))  \(text(try words(for: choice, in: store)))"
      }
      throw Failure(
        problem + Message(verbatim: ":" + lines.joined()),
        hint: "type what stands before it instead: \(choices[0].typed)")
    }
    note(problem + Message(verbatim: ":"))
    let lines = try choices.map { choice in
      switch choice.target {
      case .item(let id): "\(text(try words(for: choice, in: store)))  (\(id))"
      case .candidate: text(try words(for: choice, in: store))
      }
    }
    let question: Message = choices.count == 1 ? "This one?" : "Which one?"
    guard let place = try prompt.choose(question, from: lines, option: choices[0].typed) else {
      throw Failure("none was chosen")
    }
    return choices[place]
  }

  /// The shortest reference to the target: `754`, `r1` of the last results, `pack:3f2`.
  func reference(_ target: ResolvedReference) -> String {
    switch target {
    case .item(let id): "\(id)"
    case .candidate(let candidate):
      results.load().firstIndex { $0.id == candidate.id }.map { "r\($0 + 1)" } ?? "\(candidate.id)"
    }
  }

  private func words(for choice: TargetChoice, in store: Store) throws -> Message {
    let line: Message
    switch choice.target {
    case .item(let id):
      let record = try store.item(id).record
      line = "\(record.kind.singular) \(record.headline)"
    case .candidate(let candidate):
      line = "\(candidate.record.kind.singular) \(candidate.record.headline), not in the catalog"
    }
    return choice.tail.map { "\(line), \($0.words)" } ?? line
  }

  /// Results with this title that can be added: from the pack, or, for a person at a terminal, from the sources when
  /// the pack has none.
  func titles(called words: String, in store: Store) throws -> [Candidate] {
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
