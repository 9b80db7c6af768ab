internal import CatalogModel
internal import CommandLineKit
internal import FoundationEssentials
internal import Lookup

/// `catalog cache …`: the cache of answers and pictures.
enum CacheCommands {
  static let group = CommandGroup<Context>(
    "cache", summary: "Show and empty the cache of answers and pictures.",
    discussion: """
      It can be emptied at any time: covers of items are stored in the catalog itself. A picture expires 24 hours \
      after its last use; then its server is asked whether it has changed. If there is too little room, the least \
      recently used picture is removed among those that have expired or were used no more often than the average.
      """,
    examples: [
      Example("catalog cache stats", "The size of the cache, and its limits."),
      Example("catalog cache clear", "Empties it."),
    ],
    default: AnyCommand(CacheStatsCommand.self),
    [.command(CacheStatsCommand.self), .command(CacheClearCommand.self), .command(CacheCollectCommand.self)])
}

/// `catalog cache stats`: shows the size of the cache.
struct CacheStatsCommand: Command {
  static let info = CommandInfo<Self>(
    "stats", summary: "Show how much is in the cache.",
    examples: [
      Example("catalog cache stats", "Pictures and answers, with the room they take and may take."),
      Example("catalog cache stats --json", "The same for a program."),
    ],
    arguments: TableOptions.arguments.lifted(\.table))

  var table = TableOptions()

  func run(in context: Context) throws {
    let pictures = context.pictureCache.totals(now: context.now())
    let others = context.cache.totals()
    let uses = pictures.pictures == 0 ? nil : Double(pictures.uses) / Double(pictures.pictures)
    let rows: [(name: String, count: Int, bytes: Int?, limit: Int?, expired: Int?, uses: Double?)] = [
      ("pictures", pictures.pictures, pictures.bytes, context.pictureCache.byteLimit, pictures.expired, uses),
      ("answers", others.answers, others.answerBytes, context.cache.answerLimit, nil, nil),
      ("results", others.results, nil, nil, nil, nil),
    ]
    let table = try Table(
      rows,
      [
        .init("what", "What", importance: 9, style: .bold, \.name),
        .init("entries", "Entries", alignment: .right, importance: 8, \.count),
        .init("bytes", "Size", alignment: .right, importance: 7, \.bytes, shown: { $0.bytes.map(\.size) }),
        .init(
          "byte_limit", "At most", alignment: .right, importance: 6, \.limit, shown: { $0.limit.map(ByteCount.text) }),
        .init("expired", "Expired", alignment: .right, importance: 4, \.expired),
        .init(
          "mean_uses", "Mean uses", alignment: .right, importance: 3, \.uses, shown: { $0.uses.map { $0.fixed(1) } }),
      ])
    try table.write(self.table, to: context.output, terminal: context.terminal)
  }
}

/// `catalog cache clear [WHAT]`: removes cached answers and pictures.
struct CacheClearCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "clear", summary: "Empty the cache.",
    discussion: "Covers of items stay: they are stored in the catalog. The results r1, r2, … stay too.",
    examples: [
      Example("catalog cache clear", "Removes all answers and pictures."),
      Example("catalog cache clear pictures", "Removes only the pictures."),
    ],
    arguments: [.positional("what", \.part, help: "Only the answers, or only the pictures.")])

  enum Part: String, CaseIterable, ArgumentValue {
    case answers, pictures
  }

  var part: Part?
  var result = ResultOptions()

  func run(in context: Context) throws {
    let pictures = part == .answers ? 0 : context.pictureCache.totals(now: context.now()).bytes
    let answers = part == .pictures ? 0 : context.cache.totals().answerBytes
    let size = (pictures + answers).size
    let change = Change(.done, [("bytes", pictures + answers)])
    if context.globals.isDryRun { return try context.would("would remove \(size)", change) }
    let parts: Set<CacheDatabase.Part> =
      switch part {
      case .answers: [.answers]
      case .pictures: [.pictures]
      case nil: [.answers, .pictures]
      }
    guard context.cache.clear(parts) else {
      throw Failure(
        context.places.cache.map { "the cache cannot be used: \($0.quoted)" }
          ?? "the cache cannot be used: HOME is not set",
        hint: "another program may be using it; it may be deleted at any time")
    }
    try context.did("removed \(size)", change)
  }
}

/// `catalog cache gc`: removes expired pictures, and those beyond the size limit.
struct CacheCollectCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "gc", summary: "Remove expired pictures, and pictures beyond the limit of the cache.",
    discussion: "--explain lists what would be removed and why, in this order, and removes nothing.",
    examples: [
      Example("catalog cache gc", "Removes expired and excess pictures."),
      Example("catalog cache gc --explain", "Lists what would be removed, and why."),
    ],
    arguments: [.flag("explain", \.explains, help: "Only list what would be removed, and why.")]
      + TableOptions.arguments.lifted(\.table))

  var explains = false
  var table = TableOptions()
  /// With `--explain` it lists, and changes nothing. `--json` is one of the options of ``table``.
  var result: ResultOptions {
    get { explains || table.format != .json ? ResultOptions() : ResultOptions(fields: table.fields) }
    set {}
  }

  static var arguments: [Argument<Self>] { info.arguments }

  func run(in context: Context) throws {
    let now = context.now()
    let isOnlyAsked = explains || context.globals.isDryRun
    let gone = context.pictureCache.collect(now: now, isOnlyAsked: isOnlyAsked)
    let size = gone.map(\.size).reduce(0, +).size
    let count = gone.count.counted("picture", "pictures")
    guard explains else {
      let change = Change(.done, [("pictures", gone.count), ("bytes", gone.map(\.size).reduce(0, +))])
      return try isOnlyAsked
        ? context.would("would remove \(count) (\(size))", change)
        : context.did("removed \(count) (\(size))", change)
    }
    let listing = try Table(
      gone,
      [
        .init("url", "Picture", isFlexible: true, minimumWidth: 16, importance: 7, \.url),
        .init("bytes", "Size", alignment: .right, importance: 5, \.size, shown: \.size.size),
        .init("uses", "Uses", alignment: .right, importance: 6, \.uses),
        .init(
          "used_at", "Last used", importance: 4, { Timestamp($0.usedAt) },
          shown: { String(Timestamp($0.usedAt).rawValue.prefix(16)) }),
        .init("reason", "Why", isFlexible: true, minimumWidth: 20, importance: 9) { context.cell($0.reason.words) },
      ])
    try context.paged { try listing.write(table, to: $0.output, terminal: $0.terminal) }
    context.note("\(count) would be removed (\(size))")
  }
}

extension PictureDeparture.Reason {
  fileprivate var words: Message {
    switch self {
    case .expired: "expired: not used for 24 hours"
    case .usedNoMoreThanOthers(let average):
      "too little room: longest unused of those used at most \(average.fixed(1)) times, the average"
    }
  }
}
