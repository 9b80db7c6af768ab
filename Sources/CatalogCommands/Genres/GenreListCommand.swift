internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog genre list [WORDS]`: the genres as a tree.
struct GenreListCommand: Command {
  static let info = CommandInfo<Self>(
    "list", aliases: ["ls"], summary: "Show the genres as a tree.",
    discussion: """
      By default it lists the genres that items have, with the number of items in the genre or one below it, and in \
      the genre itself. With words it lists every genre with such a name, and the genres above and below it.
      """,
    examples: [
      Example("catalog genre list", "The genres of your items."),
      Example("catalog genre list jazz", "Jazz and all genres below it, also those that no item has."),
      Example("catalog genre list --all --json=genre,ancestors", "The whole tree, for a program."),
    ],
    arguments: [
      .positional(
        "words", \.words, isRequired: false, completion: .dynamic("genres"), help: "Part of a genre's name."),
      .flag("all", short: "a", \.showsAll, help: "Also the genres that no item has."),
    ] + TableOptions.arguments.lifted(\.table))

  var words: [String] = []
  var showsAll = false
  var table = TableOptions()

  func run(in context: Context) throws {
    let all = try context.reading().genreList()
    let genres = words.isEmpty ? showsAll ? all : all.filter { $0.items > 0 } : Self.named(words, among: all)
    if words.isEmpty || !genres.isEmpty {
      let others = words.isEmpty && !showsAll ? all.count - genres.count : 0
      try context.write(
        Self.table(genres, context.genreName), table,
        below: others > 0 ? Footnote("\(others) more that no item has", command: "catalog genre list --all") : nil)
      guard !genres.isEmpty else {
        throw Failure("no item has a genre yet", hint: "see all \(all.count): catalog genre list --all")
      }
      return
    }
    let name = words.joined(separator: " ")
    let near = Suggestion.phrase(for: name, among: all.map(\.name))
    throw Failure("no genre is called \(name.quoted)\(near)", hint: "see them all: catalog genre list --all")
  }

  /// Returns the genres whose name or alias contains the words, with their ancestors and descendants.
  private static func named(_ words: [String], among all: [Store.ListedGenre]) -> [Store.ListedGenre] {
    let part = Folding.nameKey(words.joined(separator: " "))
    let hits = all.filter { genre in ([genre.name] + genre.aliases).contains { Folding.nameKey($0).contains(part) } }
    let names = Set(hits.map(\.name))
    let above = Set(hits.flatMap(\.ancestors))
    return all.filter { names.contains($0.name) || above.contains($0.name) || !names.isDisjoint(with: $0.ancestors) }
  }

  private static func table(_ genres: [Store.ListedGenre], _ name: (String) -> String) -> Table {
    Table(
      columns: [
        .init("genre", "Genre", isFlexible: true, minimumWidth: 12, importance: 9),
        .init("ancestors", isHidden: true),
        .init("items", "Items", alignment: .right, importance: 8),
        .init("own_items", "Own", alignment: .right, importance: 7),
        .init("aliases", "Also called", isFlexible: true, importance: 2),
      ],
      rows: genres.map { genre in
        let depth = genre.ancestors.count
        let isEmpty = genre.items == 0
        return [
          .init(
            value: .text(genre.name), shown: String(repeating: "  ", count: depth) + name(genre.name),
            style: isEmpty ? .dim : depth == 0 ? .bold : .plain),
          .init(genre.ancestors),
          .init(genre.items, style: isEmpty ? .dim : .plain),
          .init(genre.ownItems, shown: genre.ownItems == 0 ? "" : nil),
          .init(genre.aliases, style: .dim),
        ]
      })
  }
}
