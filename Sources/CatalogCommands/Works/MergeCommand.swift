internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog merge A B`: merges two items.
struct MergeCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "merge", summary: "Merge two items.",
    discussion: """
      The first stays, with its number. Everything that belongs to the second moves to it: cards, copies with their \
      loans, the diary, wishes, tags, piles and editions. The first gets values that it lacks from the second; its own \
      values, and those that you locked, stay. The ids of the second at sources mean the first. The number of the \
      second is never used again. Two editions of one work are two items: see 'catalog edition'.

      Shows what changes, and asks. --yes does not ask, --dry-run only shows.
      """,
    examples: [
      Example("catalog merge 42 57", "Merges item 57 into item 42, after a question."),
      Example("catalog doctor", "Lists pairs that are probably duplicates."),
    ],
    arguments: [
      .words(
        \.typed, value: "STAYS GOES",
        help: "The one that stays, then the one that goes: see 'catalog help references'.")
    ])

  var typed = TypedReferences()
  var result = ResultOptions()

  func run(in context: Context) throws {
    let store = try context.changing()
    let ids = try context.items(typed, in: store)
    guard ids.count == 2 else {
      throw UsageError("'merge' takes two items, the one that stays first", hint: "for example: catalog merge 42 57")
    }
    let (stays, goes) = (ids[0], ids[1])
    let merging = try store.merging(goes, into: stays)
    let lines = merging.lines.map(context.text)
    func change() throws -> Change { Change(of: try store.item(stays), [("merged", goes.rawValue)]) }
    if context.globals.isDryRun {
      for line in lines { try context.print(verbatim: context.safe(line)) }
      return try context.would("would merge \(context.safe(merging.gone.line)) into \(stays)", change())
    }
    try context.ask("Merge item \(goes) into item \(stays)?", about: lines.map(context.safe))
    try context.writable(store).merge(goes, into: stays, seen: merging, now: context.timestamp)
    try context.did(
      "merged \(context.safe(merging.gone.line)) into \(context.safe(try store.item(stays).line))", change())
  }
}

extension Merging {
  /// The plan of the merge, one line for each field and each kind of moved row.
  var lines: [Message] {
    let head: [Message] = ["stays: \(kept.line)", "goes: \(gone.line)"]
    let fields = fields.map { filled -> Message in
      let before = filled.field.text(of: Draft(kept))
      let after = filled.value.texts.joined(separator: "; ")
      return "  \(filled.field.noun): \(Draft.shown(before)) → \(Draft.shown(after))"
    }
    return head + fields + moves.map { "  moves with it: \($0.words)" }
  }
}

extension Merging.Move {
  /// `2 cards`.
  fileprivate var words: Message {
    switch thing {
    case .cards: count.counted("card", "cards")
    case .copies: count.counted("copy", "copies")
    case .log: count.counted("diary entry", "diary entries")
    case .wishes: count.counted("wish", "wishes")
    case .tags: count.counted("tag", "tags")
    case .piles: count.counted("place in a pile", "places in piles")
    case .favorite: "its favorite mark"
    case .cover: "its cover"
    case .representative: "representing you"
    case .editions: count.counted("edition", "editions")
    }
  }
}
