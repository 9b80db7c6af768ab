internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog search WORDS…`: asks the sources, all at once, and prints a section for each kind, always in the same
/// order.
struct SearchCommand: Command {
  static let info = CommandInfo<Self>(
    "search", aliases: ["find"], summary: "Search for titles in the sources.",
    discussion: """
      Asks a source for each kind and numbers the results r1, r2, …: until the next search, other commands take these \
      numbers. Each result shows whether you already have it.
      """,
    examples: [
      Example(
        "catalog search \"kind of blue\" --kind vinyl", "Records with that name; catalog add r1 shelves the first."),
      Example("catalog search dune", "Movies, books and records called Dune."),
      Example("catalog search 한강 --by author --kind book", "Books by Han Kang."),
      Example("catalog search \"CL 1355\" --by catno --kind vinyl", "Records with that catalog number."),
      Example("catalog search \"song kang ho\" --attribute actor", "Movies with that actor, from iTunes."),
    ],
    arguments: [
      .positional("words", \.words, help: "Words of the title, or a name."),
      .option(
        "kind", short: "k", \.kinds, separator: ",",
        help: "The kinds to search for: movie, book, vinyl, music, podcast, app, or all; several with commas."),
      .option("source", short: "s", \.source, help: "Ask only this source; pack is the built-in one."),
      .option(
        "by", \.by,
        help:
          """
          Search for the words in one field only: title, creator (or author, artist, director), publisher (or \
          label), isbn, catno.
          """
      ),
      .option(
        "attribute", \.attributes,
        help: "Search in this category of iTunes, such as actor or composer: see 'catalog help itunes'."),
      .option("page", short: "p", \.page, help: "The page of the results, from 1."),
      .flag("all", \.isAll, help: "All pages from this one on, at most 20."),
      .option("limit", short: "l", \.limit, help: "How many results of each kind, 1 to 200; 10 by default."),
      .option("country", \.country, value: "CODE", help: "The country whose shop is asked: KR."),
    ] + TableOptions.arguments.lifted(\.table))

  /// One thread for each kind.
  static let threads = Threads.many

  static var mayBegin: Bool { true }

  var words: [String] = []
  var kinds: [Kinds] = []
  var source: Source?
  var by: Search.Field?
  /// Only one attribute is allowed; more are an error.
  var attributes: [AttributeName] = []
  var page = PageNumber(1)
  var isAll = false
  var limit = 10
  var country: CountryCode?
  var table = TableOptions()

  func validate() throws(UsageError) {
    guard words.contains(where: { !$0.trimmingBlanks.isEmpty }) else {
      throw UsageError("the words to search for are empty", hint: "for example: catalog search dune")
    }
    guard (1...200).contains(limit) else {
      throw UsageError("'--limit \(limit)' is out of range: it goes from 1 to 200")
    }
    if attributes.count > 1 {
      throw UsageError("just one attribute can be chosen", hint: "for example: --attribute actor")
    }
    if by != nil, !attributes.isEmpty {
      throw UsageError("'--by' and '--attribute' both say where to look", hint: "leave one of them out")
    }
  }

  func run(in context: Context) throws {
    let finder = Finder(context: context, country: country?.letters)
    let typed = TypedReferences(words: words)
    // A code with a wrong check digit is an error, no title.
    _ = try Reference(typed)
    let isTitle = by == nil && attributes.isEmpty
    let reading =
      try isTitle
      ? finder.reading(of: typed, isPlain: !kinds.isEmpty) : (words: typed.together, kind: nil, year: nil)
    if let kind = reading.kind {
      let word = (typed.words.first ?? "").quoted
      context.note(
        "\(word) chooses \(kind.plurals); as a word of the title: catalog search \(typed.together.shellWord)")
    }
    var heading: [Message] = ["Results for \(reading.words.quoted)"]
    let choice: AttributeChoice?
    if let attribute = attributes.first {
      choice = try AttributeChoice(
        attribute, kinds: wantedKinds, usual: try Self.usualKinds(in: context), source: source, in: context)
      heading += choice?.word.map { [Message(words: $0)] } ?? []
    } else {
      choice = nil
      heading += by.map { ["by \($0.rawValue)"] } ?? []
    }
    if page.number > 1 { heading.append("page \(page.number)") }
    var report = SearchReport(heading: heading, options: table, context: context)
    let sections = try finder.search(
      reading.words,
      kinds: try choice?.kinds ?? wantedKinds ?? reading.kind.map { [$0] } ?? Self.usualKinds(in: context),
      source: choice?.source ?? source, scope: choice == nil ? by.map { .field($0) } : choice?.scope,
      page: page.number, limit: limit, isAll: isAll, year: reading.year
    ) { sections in try report.receive(sections) }
    try report.finish(sections)
  }

  private var wantedKinds: [Kind]? { kinds.isEmpty ? nil : kinds.joined().kinds }

  /// The kinds to search when none is named.
  static func usualKinds(in context: Context) throws -> [Kind]? {
    try context.configuration()["search.kinds"].map { try Kinds(list: $0).kinds }
  }
}
