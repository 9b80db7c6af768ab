internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog show REF`: everything known about one thing. It counts as viewed.
struct ShowCommand: Command {
  static let info = CommandInfo<Self>(
    "show", summary: "Show everything known about an item or a result.",
    discussion: "Showing counts as viewing: the last ten are listed by 'catalog recent'.",
    examples: [
      Example("catalog show 42", "Everything about item 42."),
      Example("catalog show r1", "The first result of the last search, asked of its source in full."),
      Example("catalog show kind of blue", "The item of that title."),
    ],
    arguments: [
      .positional("ref", \.words, completion: .dynamic("items"), help: "Which one: see 'catalog help references'."),
      .flag("back", \.showsBack, help: "Show the back of the newest card: its words."),
      .flag("json", \.isJSON, help: "Print a JSON object."),
    ])

  var words: [String] = []
  var showsBack = false
  var isJSON = false

  func run(in context: Context) throws {
    let store = try context.viewing()
    switch try context.target(words.joined(separator: " "), in: store) {
    case .item(let id):
      let item = try store.item(id)
      let cards = try store.cards(of: id)
      try context.show(Detail(item: item, cards: cards, showsBack: showsBack), asJSON: isJSON)
      keepView(store, in: context) { try $0.recordView(of: id, now: context.timestamp) }
    case .candidate(var candidate):
      do {
        candidate.record = try context.fullRecord(of: candidate)
      } catch let failure as Failure {
        // What the search said of it is still worth showing.
        guard !candidate.isBare else { throw failure }
        context.note("catalog: \(failure.message); this is what the search said")
      }
      try context.show(Detail(candidate: candidate), asJSON: isJSON)
      keepView(store, in: context) { store in
        try store.recordView(of: candidate.record, id: candidate.id, now: context.timestamp)
      }
      try context.output.flush()
      context.rememberPicture(of: candidate.record)
    }
  }

  /// A view that cannot be kept is no reason not to show.
  private func keepView(_ store: Store, in context: Context, _ keep: (Store) throws -> Void) {
    do {
      // A catalog that is not there yet is in memory, and is made now.
      try keep(store.path != nil && store.isWritable ? store : try context.writing())
    } catch {
      context.note("catalog: the view was not kept: \(Failure(error).message)")
    }
  }
}
