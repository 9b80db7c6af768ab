internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

// The one way from typed words to what they name (docs/words.md), for every command.

extension Argument {
  /// Words that name one or several items, results or copies.
  static func words(
    _ path: @autoclosure @escaping LazyPath<TypedReferences>, isRequired: Bool = true, value: String? = nil,
    completion: String = "items", help: String = "Which one: see 'catalog help references'."
  ) -> Argument {
    Argument<TypedReferences>.positional(
      "ref", \.words, isRequired: isRequired, value: value, completion: .dynamic(completion), help: help
    ).lifted(path())
  }
}

extension Reference {
  /// The words as one reference.
  init(_ typed: TypedReferences) throws { try self.init(argument: typed.together) }
}

/// The words of a command that writes a comment.
enum WrittenWords {
  static let help =
    "Which item or result; a comment of several words may follow in quotes, and '-' reads it from standard input."
}

/// The words behind the name of an item.
enum TypedTail: Hashable {
  case comment(String)
  /// The comment comes from standard input.
  case standardInput
  case rating(Rating)
  case day(TypedDate)

  /// The meaning of bare words behind a name.
  fileprivate init(bare words: String) {
    if let rating = try? Rating(words) {
      self = .rating(rating)
    } else if let day = try? TypedDate(argument: words), Int(words) == nil {
      self = .day(day)
    } else {
      self = .comment(words)
    }
  }

  var words: Message {
    switch self {
    case .comment(let text): "with the comment \(text.quoted)"
    case .standardInput: "with a comment"
    case .rating(let rating): "with the rating \(rating.stars)"
    case .day(let day): "on \(day.text)"
    }
  }

  /// The arguments that say the same without a doubt.
  /// - Parameter day: the option for the day.
  fileprivate func arguments(day option: String) -> [String] {
    switch self {
    case .comment(let text): text.contains(where: \.isWhitespace) ? [text] : ["--comment", text]
    case .standardInput: ["-"]
    case .rating(let rating): ["--stars", "\(rating)"]
    case .day(let day): [option, day.text]
    }
  }
}

extension Context {
  // MARK: One

  /// The one target of the words.
  func target(_ typed: TypedReferences, for use: ReferenceUse = .adding, in store: Store) throws -> ResolvedReference {
    try target(Reference(typed), for: use, in: store)
  }

  /// The one item of the words.
  func item(_ typed: TypedReferences, for use: ReferenceUse = .changing, in store: Store) throws -> ItemID {
    try item(Reference(typed), for: use, in: store)
  }

  /// The targets that the words name as they stand: the one of a reference, or the items of a title.
  func named(_ words: some Collection<String>, in store: Store) throws -> [ResolvedReference] {
    let typed = TypedReferences(words: Array(words))
    guard !typed.isEmpty, let reference = try? Reference(typed) else { return [] }
    if case .words(let words) = reference { return try items(called: words, in: store).map { .item($0) } }
    if case .item(let id) = reference, try !store.exists(id) {
      return try items(called: typed.together, atMost: .withoutArticle, in: store).map { .item($0) }
    }
    return (try? target(reference, for: .changing, in: store)).map { [$0] } ?? []
  }

  /// The one target of the words, and what stands behind its name.
  ///
  /// A comment is the last word, in quotes and with a blank in it. Bare words behind a title are never taken for a
  /// comment, a rating or a day: a person at a terminal is asked, elsewhere the error shows the line to type.
  /// - Parameter day: the option for the day.
  func targetWithTail(
    _ typed: TypedReferences, day: String, in store: Store
  ) throws -> (target: ResolvedReference, tail: TypedTail?) {
    let words = typed.words
    guard words.count > 1, let last = words.last else { return (try target(typed, in: store), nil) }
    let isStars = (try? Rating(last)) != nil && !last.contains { $0.isLetter || $0.isNumber }
    let whole = last.trimmingBlanks.isEmpty || isStars ? [] : try named(words, in: store)
    if last == "-" || last.trimmingBlanks.isEmpty || last.trimmingBlanks.contains(where: \.isWhitespace) {
      let tail: TypedTail = last == "-" ? .standardInput : .comment(last)
      let before = TypedReferences(words: words.dropLast())
      if whole.isEmpty { return (try target(before, in: store), tail) }
      let parted = try named(before.words, in: store)
      let choices =
        whole.map { TargetChoice(typed: reference($0), target: $0) }
        + parted.map { choice($0, named: before.words, tail, day: day) }
      if choices.count == 1 { return (choices[0].target, nil) }
      let chosen = try chosen(choices, "\(typed.together.quoted) is a title, or a title and a comment", in: store)
      return (chosen.target, chosen.tail)
    }
    guard whole.isEmpty, let split = try bareTail(words, in: store) else { return (try target(typed, in: store), nil) }
    // A year behind a title of other years.
    if ReleaseYear.typed(split.rest) != nil {
      let choices = split.targets.map { TargetChoice(typed: reference($0), target: $0) }
      return (try chosen(choices, "nothing in the catalog is called \(typed.together.quoted)", in: store).target, nil)
    }
    let elsewhere =
      try isStars
      ? []
      : titles(called: typed.together, in: store).map {
        TargetChoice(typed: "\($0.id)", target: .candidate($0))
      }
    let tail = TypedTail(bare: split.rest)
    let choices = elsewhere + split.targets.map { choice($0, named: split.name, tail, day: day) }
    if elsewhere.isEmpty, let only = choices.first, choices.count == 1 {
      return try confirmed(only, typed, in: store)
    }
    let chosen = try chosen(choices, "nothing in the catalog is called \(typed.together.quoted)", in: store)
    return (chosen.target, chosen.tail)
  }

  /// The longest name at the beginning of the words, with the rest.
  private func bareTail(
    _ words: [String], in store: Store
  ) throws -> (targets: [ResolvedReference], name: [String], rest: String)? {
    for count in (1..<words.count).reversed() {
      let targets = try named(words.prefix(count), in: store)
      guard !targets.isEmpty else { continue }
      return (targets, Array(words.prefix(count)), words.dropFirst(count).joined(separator: " "))
    }
    return nil
  }

  private func choice(
    _ target: ResolvedReference, named name: [String], _ tail: TypedTail, day: String
  ) -> TargetChoice {
    // A reference stays as typed.
    let isReference = name.count == 1 && (try? Reference(argument: name[0]))?.isWords == false
    let words = [isReference ? name[0] : reference(target)] + tail.arguments(day: day)
    return TargetChoice(typed: words.map(\.shellWord).joined(separator: " "), target: target, tail: tail)
  }

  /// Asks whether the words behind a name were meant so.
  private func confirmed(
    _ choice: TargetChoice, _ typed: TypedReferences, in store: Store
  ) throws -> (ResolvedReference, TypedTail?) {
    guard let tail = choice.tail else { return (choice.target, choice.tail) }
    let name = try line(of: choice.target, in: store)
    guard terminal.isInputTerminal, terminal.isErrorTerminal else {
      throw UsageError(
        "nothing in the catalog is called \(typed.together.quoted)",
        hint: "if you mean \(name), \(tail.words): \(line(instead: choice.typed, of: typed))")
    }
    note("\(name), \(tail.words)")
    guard try prompt.confirm("Is this what you mean?") else {
      warn("nothing was changed")
      throw SilentFailure(status: .failed)
    }
    return (choice.target, tail)
  }

  /// The typed command line with other words in place of those that name its subject.
  func line(instead words: String, of typed: TypedReferences) -> String {
    var rest = commandLine
    var place: Int?
    for word in typed.words {
      guard let found = rest[(place ?? 0)...].firstIndex(of: word) else { return "catalog … \(words)" }
      place = place ?? found
      rest.remove(at: found)
    }
    let parts = rest.map(\.shellWord)
    let border = place ?? parts.count
    return (["catalog"] + parts[..<border] + [words] + parts[border...]).joined(separator: " ")
  }

  // MARK: Several

  /// The references and titles that the words stand for.
  func parts(of typed: TypedReferences) throws -> [TypedReferences.Part] {
    try typed.parts(sources: Source.offered.map(\.id))
  }

  /// The targets of all words, before anything is changed.
  func targets(
    _ typed: TypedReferences, for use: ReferenceUse = .adding, in store: Store
  ) throws -> [ResolvedReference] {
    try parts(of: typed).flatMap { part -> [ResolvedReference] in
      switch part {
      case .reference(let reference): [try target(reference, for: use, in: store)]
      case .title(let words):
        try titles(words, for: use, in: store) ?? [target(called: words.joined(separator: " "), for: use, in: store)]
      }
    }
  }

  /// The items of all words; a target that is not in the catalog is an error.
  func items(_ typed: TypedReferences, for use: ReferenceUse = .changing, in store: Store) throws -> [ItemID] {
    try targets(typed, for: use, in: store).map { try item(of: $0) }
  }

  /// The targets of several titles of one word each, if nothing here or in the pack has all the words; nil if they are
  /// one title. With a number among them, which may belong to a title, the person is asked.
  private func titles(
    _ words: [String], for use: ReferenceUse, in store: Store
  ) throws -> [ResolvedReference]? {
    let together = words.joined(separator: " ")
    guard words.count > 1, try store.search(together, limit: 1).isEmpty, try items(called: together, in: store).isEmpty
    else { return nil }
    let single = try words.map { word -> [ItemID] in
      guard let number = Int64(word), number > 0 else {
        return try items(called: word, atMost: .withoutArticle, in: store)
      }
      let id = ItemID(rawValue: number)
      return try store.exists(id) ? [id] : []
    }
    guard single.allSatisfy({ $0.count == 1 }), try use != .adding || titles(called: together, in: store).isEmpty else {
      return nil
    }
    let ids = single.flatMap { $0 }
    if words.contains(where: { Int64($0) != nil }) {
      let lines = try ids.map { text(try store.item($0).line) }
      guard terminal.isInputTerminal, terminal.isErrorTerminal else {
        throw Failure(
          "nothing in the catalog is called \(together.quoted)"
            + Message(verbatim: ":\n  " + lines.joined(separator: "\n  ")),
          hint:
            "if you mean these: \(line(instead: ids.map(\.description).joined(separator: " "), of: TypedReferences(words: words)))"
        )
      }
      try ask("Is this what you mean?", about: lines)
    }
    return ids.map { .item($0) }
  }

  /// The item of a target.
  /// - Throws: ``Failure`` when it is not in the catalog.
  func item(of target: ResolvedReference) throws -> ItemID {
    switch target {
    case .item(let id): return id
    case .candidate(let candidate):
      throw Failure(
        "\(candidate.record.title.quoted) is not in the catalog",
        hint: "add it first: catalog add \(reference(target).shellWord)")
    }
  }

  // MARK: Copies

  /// The copies that the words name: `c7`, or the only copy of an item.
  func copies(_ typed: TypedReferences, in store: Store) throws -> [Copy] {
    try parts(of: typed).flatMap { part -> [Copy] in
      if case .reference(.copy(let id)) = part { return [try store.copy(id)] }
      return try items(part.typed, in: store).map { try onlyCopy(of: $0, in: store) }
    }.withoutRepeats(by: \.id)
  }

  /// The only copy of an item. A person at a terminal chooses from several.
  /// - Throws: ``Failure`` when the item has none, or the person cannot be asked.
  func onlyCopy(of id: ItemID, in store: Store) throws -> Copy {
    let copies = try store.copies(of: id)
    if let only = copies.first, copies.count == 1 { return only }
    let name = try store.item(id).line
    guard let first = copies.first else {
      throw Failure("there is no copy of \(name)", hint: "add one: catalog copy add \(id)")
    }
    let many: Message = "there are \(copies.count) copies of \(name)"
    let choices = copies.map { "\($0.id)  \(text(line(of: $0)))" }
    guard terminal.isInputTerminal, terminal.isErrorTerminal else {
      throw Failure(
        many + Message(verbatim: ":\n  " + choices.joined(separator: "\n  ")), hint: "name one: \(first.id)")
    }
    note(many + Message(verbatim: ":"))
    guard let place = try prompt.choose("Which one?", from: choices, option: "\(first.id)") else {
      throw Failure("none was chosen")
    }
    return copies[place]
  }
}
