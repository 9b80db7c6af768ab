internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog wish REF…|WORDS`: adds wishes.
struct WishCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "wish", summary: "Add items to the wish list.",
    discussion: """
      A result that is not in the catalog is added as known, not owned. Words that are no title here or in the pack become \
      a wish in words, for something that no source knows; with --words or --kind they always do. An item that is already wished \
      for keeps its wish, and --up-to and --note change it; so does its number, w3. A copy fulfils the wish, and so does watching the movie.
      """,
    examples: [
      Example(
        "catalog wish r1 --up-to \"30000 KRW\"", "The first result of the last search, and the most you would pay."),
      Example("catalog wish 42 --note \"the first pressing\"", "A note for an item in the catalog."),
      Example("catalog wish \"a demo tape of the band next door\" --kind vinyl", "Something that no source knows."),
    ],
    arguments: [
      .words(
        \.typed, value: "REF|WORDS", help: "Which ones: see 'catalog help references'; or words of your own."),
      .option("up-to", \.limit, value: "PRICE", help: "The most you would pay: \"30000 KRW\"; 'none' clears it."),
      .option("note", \.note, value: "WORDS", help: "A note; 'none' clears it."),
      .flag("words", \.isInWords, help: "Take the words as a wish in words."),
      .option("kind", short: "k", \.kind, help: "The same, for something of this kind."),
    ])

  static var mayBegin: Bool { true }

  var typed = TypedReferences()
  var limit: Clearable<TypedPrice>?
  var note: Clearable<String>?
  var isInWords = false
  var kind: Shelf?
  var result = ResultOptions()

  /// The subject of a wish.
  private enum Wanted {
    case target(ResolvedReference)
    case words(String)
    /// An open wish, to be changed.
    case wish(Wish)
  }

  func run(in context: Context) throws {
    var store = try context.changing()
    let limit = try limit.map { try $0.value.map(context.price) }
    // Errors in the options come before anything is added.
    try Store.check(Wish.Terms(note: note?.value))
    let wanted = try wanted(in: store, context)
    if context.globals.isDryRun {
      for thing in wanted {
        let change =
          switch thing {
          case .target(let target): try Change(of: target, in: store)
          case .words(let words): Change(of: words, kind?.kind)
          case .wish(let wish): try Change(of: wish, in: store)
          }
        try context.would("would wish for \(context.safe(try line(of: thing, in: store, context)))", change)
      }
      return
    }
    try ask(about: wanted, in: store, context)
    let change = { (terms: inout Wish.Terms) in
      if let limit { terms.limit = limit }
      if let note { terms.note = note.value }
    }
    let now = context.timestamp
    func tell(_ wish: (before: Wish?, after: Wish)?) throws {
      guard let (before, after) = wish else { return }
      let line = context.safe(context.text(try after.line(in: store, context)))
      let change = try Change(of: after, in: store)
      if before == after {
        context.already("already wished for: \(line)", change)
      } else {
        try context.did(before == nil ? "wished for \(line)" : "changed the wish \(line)", change)
      }
    }
    for thing in wanted {
      var wish: (before: Wish?, after: Wish)?
      switch thing {
      case .target(let target):
        try context.write(to: target, in: &store) { store, id in
          wish = try store.wish(for: .item(id), now: now, change)
        }
      case .words(let words):
        store = try context.writable(store)
        wish = try store.wish(for: .words(words, kind?.kind), now: now, change)
      case .wish(let known):
        store = try context.writable(store)
        wish = try store.wish(for: known.subject, now: now, change)
      }
      try tell(wish)
    }
  }

  private func wanted(in store: Store, _ context: Context) throws -> [Wanted] {
    if kind != nil || isInWords { return [.words(typed.together)] }
    return try context.parts(of: typed).flatMap { part -> [Wanted] in
      switch part {
      case .reference(.wish(let id)):
        let wish = try store.wish(id)
        guard wish.fulfilledAt == nil else {
          throw Failure("the wish \(id) is fulfilled", hint: "see it: catalog wishes --all")
        }
        return [.wish(wish)]
      case .reference(let reference): return [.target(try context.target(reference, in: store))]
      case .title(let words):
        let together = words.joined(separator: " ")
        let isKnown = try !context.named(words, in: store).isEmpty
        let elsewhere = isKnown ? [] : try context.titles(called: together, in: store)
        if let only = elsewhere.first, elsewhere.count == 1 { return [.target(.candidate(only))] }
        guard try isKnown || !context.near(together, for: .adding, in: store).isEmpty else { return [.words(together)] }
        do { return try context.targets(part.typed, in: store).map { .target($0) } } catch var failure as Failure {
          failure.hint = failure.hint.map { "\($0); as a wish in words: catalog wish --words \(together.shellWord)" }
          throw failure
        }
      }
    }
  }

  /// Asks about items that are owned already.
  private func ask(about wanted: [Wanted], in store: Store, _ context: Context) throws {
    let owned = try wanted.compactMap { thing -> ItemID? in
      guard case .target(.item(let id)) = thing, try store.isOwned(id) else { return nil }
      return try store.openWish(for: .item(id)) == nil ? id : nil
    }
    guard !owned.isEmpty else { return }
    try context.ask(
      owned.count == 1
        ? "You own it already. Wish for another copy?"
        : "You own \(owned.count) of them already. Wish for other copies?",
      about: owned.map { "  " + context.text(try store.item($0).line) })
  }

  private func line(of thing: Wanted, in store: Store, _ context: Context) throws -> Message {
    switch thing {
    case .target(let target): try context.line(of: target, in: store)
    case .words(let words): Wish.line(words, kind?.kind)
    case .wish(let wish): try wish.line(in: store, context)
    }
  }
}

extension Change {
  /// Describes a change of a wish, for an item or for words.
  init(_ outcome: Outcome = .done, of wish: Wish, in store: Store) throws {
    let number = (key: "wish", value: Table.Value.text("\(wish.id)"))
    switch wish.subject {
    case .item(let id): self.init(outcome, of: try store.item(id), [number])
    case .words(let words, let kind): self.init(outcome, of: words, kind, [number])
    }
  }

  /// Describes a change of a wish for words.
  init(_ outcome: Outcome = .done, of words: String, _ kind: Kind?, _ more: Members = []) {
    self.init(
      outcome,
      [
        ("item", Table.Value.none), ("kind", kind), ("title", words), ("creators", [String]()),
        ("year", Table.Value.none),
      ] + more)
  }
}

extension Wish {
  /// The title of the item, or the words of the wish.
  func title(in store: Store) throws -> String {
    switch subject {
    case .item(let id): try store.item(id).record.title
    case .words(let words, _): words
    }
  }

  /// The words of a wish, behind their kind: `vinyl: the mono one`.
  fileprivate static func line(_ words: String, _ kind: Kind?) -> Message {
    kind.map { "\($0.singular): \(words)" } ?? Message(verbatim: words)
  }

  /// One line: `w3: vinyl 4: Blue Train — John Coltrane (1958), up to ₩30,000`.
  func line(in store: Store, _ context: Context) throws -> Message {
    let thing =
      switch subject {
      case .item(let id): try store.item(id).line
      case .words(let words, let kind): Wish.line(words, kind)
      }
    let limit = terms.limit?.text(in: context.moneyLanguage)
    return limit.map { "\(id): \(thing), up to \($0)" } ?? "\(id): \(thing)"
  }
}
