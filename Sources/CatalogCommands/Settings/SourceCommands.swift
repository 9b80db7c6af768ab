internal import CatalogModel
internal import CommandLineKit
internal import FoundationEssentials
internal import Lookup

/// `catalog source …`: the sources of results.
enum SourceCommands {
  static let group = CommandGroup<Context>(
    "source", summary: "List the sources of results, store their keys, test and copy them.",
    examples: [
      Example("catalog source list", "Each source, its kinds, and whether it needs a key."),
      Example("catalog source key tmdb", "Asks for the key of TMDB and stores it."),
      Example("catalog source build imdb ~/Downloads", "Builds a copy of IMDb from its files, to search offline."),
    ],
    default: AnyCommand(SourceListCommand.self),
    [
      .command(SourceListCommand.self), .command(SourceKeyCommand.self), .command(SourceTestCommand.self),
      .command(SourceBuildCommand.self), .command(SourceUpdateCommand.self), .group(SourceCopyCommands.group),
    ])
}

/// `catalog source list`: lists the sources.
struct SourceListCommand: Command {
  static let info = CommandInfo<Self>(
    "list", aliases: ["ls"], summary: "List the sources.",
    discussion: """
      For each source it shows the kinds, the state of its key, its rate limit and the number of requests today; with \
      '--all' also what its key is for, and the text that its terms require. Days are in UTC; answers from the cache do not count. The pack is compiled into the \
      program and needs no network.
      """,
    examples: [
      Example("catalog source list", "All of them."),
      Example("catalog source list --json=source,kinds", "For a program."),
    ],
    arguments: [
      .flag(
        "all", short: "a", \.isAll, help: "What each key is for, and the texts that the terms of the sources require.")
    ] + TableOptions.arguments.lifted(\.table))

  var isAll = false
  var table = TableOptions()

  func run(in context: Context) throws {
    let today = context.cache.requestsToday(now: context.now())
    let rows = try Source.offered.filter { !$0.isCopied }.map { try SourceRow($0, today: today, in: context) }
    let table = try Self.table(rows, in: context)
    guard self.table.format(on: context.terminal) == .fitted else {
      return try table.write(self.table, to: context.output, terminal: context.terminal)
    }
    try table.write(as: .fitted, to: context.output, terminal: context.terminal)
    if isAll {
      for text in rows.compactMap(\.missingKey) { try printParagraph(context.text(text), .plain, in: context) }
    } else if let first = rows.first(where: { $0.missingKey != nil }) {
      let names = rows.filter { $0.missingKey != nil }.map(\.name)
      try printParagraph(
        context.text("\(names.listed) answer with a key, or better with one: catalog source key \(first.id)"), .plain,
        in: context)
    }
    let unknown = rows.filter { $0.contact == "missing" }.map(\.name)
    if !unknown.isEmpty {
      try printParagraph(
        context.text(
          """
          \(unknown.joined(separator: ", ")) ask for your e-mail address or page, and some refuse requests without it. \
          To set it:
          """), .plain, in: context)
      try context.print(verbatim: "  catalog config set contact me@example.org")
    }
    for row in rows {
      guard let rest = row.rest else { continue }
      try printParagraph(
        context.text("\(row.name) is not asked for another \(rest.minutes.duration): \(rest.reason.words)"), .plain,
        in: context)
    }
    guard isAll else {
      try context.print("")
      return try context.print(
        Footnote("What each key is for, and the terms of the sources", command: "catalog source list --all"))
    }
    for row in rows {
      guard let attribution = row.attribution else { continue }
      try printParagraph(context.text("\(row.name): \(attribution)"), .dim, in: context)
    }
  }

  private func printParagraph(_ text: String, _ style: Style, in context: Context) throws {
    try context.print("")
    for line in text.wrapped(to: context.terminal.width) {
      try context.print(verbatim: context.styled(verbatim: line, style))
    }
  }

  private static func table(_ rows: [SourceRow], in context: Context) throws -> Table {
    let hasMirrors = rows.contains { $0.mirror != nil }
    return try Table(
      rows,
      [
        .init("source", "Source", importance: 9, style: .bold, \.id),
        .init("name", "Name", isFlexible: true, importance: 4) { context.cell($0.name) },
        .init(
          "kinds", "Kinds", importance: 8, { $0.kinds.map(\.rawValue) },
          shown: { context.text($0.kinds.map(\.singular).joined(separator: ", ")) }),
        .init("key", "Key", importance: 7) {
          context.cell($0.key, style: $0.key == "missing" ? .yellow : .plain)
        },
        .init("rate_limit", "Limit", isFlexible: true, importance: 6) { context.cell($0.limit) },
        .init("today", "Today", alignment: .right, importance: 5, \.today, shown: { $0.usage.map(context.text) }),
        .hidden("daily_limit", \.dailyLimit),
        .init("default_for", "Asked for", isHidden: true) { $0.defaultFor.map(\.rawValue) },
        .hidden("contact", \.contact), .hidden("rests_until") { $0.rest.map { Timestamp($0.until) } },
        .init(
          "base_url", "Address", isFlexible: true, importance: 3, isHidden: !hasMirrors, \.address,
          shown: { $0.mirror ?? "" }),
        .hidden("attribution") { $0.attribution?.text(in: nil) }, .hidden("titles", \.titles),
        .hidden("bytes", \.bytes),
      ])
  }
}

/// A source in the list.
private struct SourceRow {
  var id: String
  var name: Message
  var kinds: [Kind]
  /// `not needed`, `missing`, `optional` for a missing key that is not required, or the origin of the key.
  var key: Message = "not needed"
  /// The page to get a missing key, and the features without it.
  var missingKey: Message?
  /// `40/s`, `20/min`.
  var limit: Message?
  /// The number of requests today, if it is known.
  var today: Int?
  var dailyLimit: Int?
  var defaultFor: [Kind] = []
  /// `not needed`, `missing`, or `named`.
  var contact = "not needed"
  /// The end, the remaining minutes and the reason of a pause after a refusal.
  var rest: (until: Date, minutes: Int, reason: Rest.Reason)?
  var address: String?
  /// The address, if a person has changed it.
  var mirror: String?
  var attribution: Message?
  /// The number of titles in the pack, and its size in bytes.
  var titles: Int?
  var bytes: Int?

  /// `3`, `3 of 1000`.
  var usage: Message? {
    today.map { today in dailyLimit.map { "\(today) of \($0)" } ?? "\(today)" }
  }

  init(_ source: Source, today: [String: Int]?, in context: Context) throws {
    id = source.id
    name = source.words
    kinds = source.kinds
    guard let rate = source.limit else {
      let pack = StarterPack.shipped
      let (titles, bytes) = (pack.candidates.reduce(0) { count, _ in count + 1 }, pack.text.utf8.count)
      (self.titles, self.bytes) = (titles, bytes)
      attribution = "Bare facts of \(titles) well-known works, \(bytes.size), compiled into the program."
      return
    }
    limit =
      switch rate.interval {
      case 1: "\(rate.requests)/s"
      case 60: "\(rate.requests)/min"
      default: "\(rate.requests)/\(rate.interval) s"
      }
    self.today = today.map { $0[source.id] ?? 0 }
    dailyLimit = rate.perDay
    // A source may be the default only for Korean words or only for others.
    defaultFor = try Kind.allCases.filter { kind in
      try ["", "한"].contains { try context.standardSource(for: kind, words: $0).id == source.id }
    }
    let settings = try context.keylessSettings(of: source)
    address = settings.baseURL
    mirror = settings.baseURL == source.defaultBaseURL ? nil : settings.baseURL
    attribution = source.attribution.map { Message(verbatim: $0) }
    if source.asksForContact { contact = try context.lacksContact() ? "missing" : "named" }
    rest = context.cache.rest(of: source.id, now: context.now()).map { rest in
      (rest.until, Int(clamping: (rest.until.timeIntervalSince(context.now()) / 60).rounded(.up)), rest.reason)
    }
    guard let need = source.key else { return }
    switch try context.keyOrigin(of: source) {
    case .environment(let variable): key = "from \(variable)"
    case .configuration: key = "kept"
    case .command: key = "from a program"
    case nil:
      key = need.isRequired ? "missing" : "optional"
      let without = Message(words: need.without)
      missingKey =
        need.isRequired
        ? """
        \(name) needs a key, its \(need.name): get one at \(need.page), then type 'catalog source key \(id)'. Without it \
        \(without).
        """
        : """
        \(name) answers better with a key, its \(need.name): get one at \(need.page), then type 'catalog source key \
        \(id)'. Without it \(without).
        """
    }
  }
}
