internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// `catalog browse [WORDS…]`: full-screen search while you type.
struct BrowseCommand: Command {
  static let info = CommandInfo<Self>(
    "browse", summary: "Search as you type, on the full screen.",
    discussion: """
      Items on your shelf are found at once; the sources are asked when you pause. ↓ goes to the list: there Enter \
      shows everything, a adds, f makes a favorite, c writes a card, l writes into the diary, w wishes for it, p plays the preview, o opens the page, and ? \
      explains the other keys. Ctrl-T searches in another category of iTunes, such as the artist, Ctrl-S for the four \
      seasons. Tab goes to the next kind, and the next time the last kind is open again. While nothing is typed, the \
      items that you viewed last are listed. On a wide screen the page of the chosen item is shown beside the list. q \
      quits.
      """,
    examples: [
      Example("catalog browse", "Recents first; type to find something."),
      Example("catalog browse kind of blue --kind vinyl", "Starts with a search for records."),
      Example("catalog browse --seasons --kind music", "Music named after the seasons, on the full screen."),
      Example("catalog browse --offline", "Searches the built-in pack at every key."),
    ],
    arguments: [
      .positional("words", \.words, isRequired: false, help: "The first words to search for."),
      .option(
        "kind", short: "k", \.kind,
        help: "The kind to open first: movie, book, vinyl, music, podcast or app. By default the one open last."),
      .option("source", short: "s", \.source, help: "Ask only this source; pack is the built-in one."),
      .flag("seasons", \.showsSeasons, help: "Begin with the four seasons, which 'catalog seasons' prints."),
      .option("country", \.country, value: "CODE", help: "The country whose shop is asked: KR."),
    ])

  /// Sources are asked while keys are read.
  static let threads = Threads.many

  var words: [String] = []
  var kind: Kind?
  var source: Source?
  var country: CountryCode?
  var showsSeasons = false

  private var kinds: [Kind] { Kind.allCases.filter { source?.kinds.contains($0) ?? true } }

  func validate() throws(UsageError) {
    if let kind, let source, !kinds.contains(kind) {
      throw UsageError(
        "\(source.id) has no \(kind.plurals)", hint: "it has \(kinds.plurals)")
    }
    guard showsSeasons else { return }
    if !words.isEmpty { throw UsageError("'--seasons' searches for the seasons, and takes no words") }
    if let source, source.id != Season.source.id {
      throw UsageError("the seasons are searched for at \(Season.source.name)", hint: "leave --source out")
    }
    if let kind, !Season.source.kinds.contains(kind) {
      throw UsageError(
        "\(Season.source.name) has no \(kind.plurals)", hint: "it has \(Season.source.kinds.plurals)")
    }
  }

  /// The categories and seasons that the asked sources offer.
  private func choices(in context: Context) -> Browser.Choices {
    func isAsked(_ other: Source) -> Bool { source.map { $0.id == other.id } ?? true }
    var choices = Browser.Choices()
    if let owner = context.sources.first(where: { isAsked($0) && !$0.kindsWithAttributes.isEmpty }) {
      for kind in owner.kindsWithAttributes { choices.categories[kind] = owner.attributes(kind) }
    }
    if isAsked(Season.source) { choices.seasonal = Set(Season.source.kinds) }
    return choices
  }

  func run(in context: Context) throws {
    guard context.hasScreen else {
      let typed = words.isEmpty ? "WORDS" : words.map(\.shellWord).joined(separator: " ")
      throw Failure("browsing needs a terminal with a screen", hint: "catalog search \(typed)", status: .misused)
    }
    // Errors in the catalog and the question for a contact come before the screen is taken.
    _ = try context.reading()
    if context.sources.contains(where: { $0.asksForContact }), source?.asksForContact != false {
      try context.askForContact()
    }
    let last = context.cache.lastKind().flatMap { Kind(rawValue: $0) }
    let choices = choices(in: context)
    let usual = last.flatMap { kinds.contains($0) ? $0 : nil }
    // Without a seasonal kind, the seasons begin with music, as in `catalog seasons`.
    let seasonal = usual.flatMap { choices.seasonal.contains($0) ? $0 : nil } ?? .music
    try context.withScreen { screen in
      let browser = Browser(
        kinds, choices: choices, kind: kind ?? (showsSeasons ? seasonal : usual),
        words: words.joined(separator: " ").trimmingBlanks, showsSeasons: showsSeasons, size: screen.size)
      var session = try BrowseSession(browser, source: source, country: country?.letters, on: screen, in: context)
      try session.run()
      if session.kind != last { context.cache.keep(lastKind: session.kind.rawValue) }
    }
    // The failures of sources were on the screen.
    context.state.hasPartialFailure = false
    try Interrupt.check()
  }
}
