internal import CatalogModel
internal import CommandLineKit
internal import Lookup
internal import Processes

/// `catalog source test [NAME…]`: asks each source for one thing, all at once.
struct SourceTestCommand: Command {
  static let info = CommandInfo<Self>(
    "test", summary: "Try whether the sources can be reached and accept their keys.",
    discussion: """
      Each source is asked for one thing, all at once, past the cache. A source that lacks its key is not asked; that is \
      a failure only when you name it. Where the key is optional, it is asked without one when you name it. What is left \
      is what the source says, where it says so; today is how often it was asked since midnight in UTC.
      """,
    examples: [
      Example("catalog source test", "All of them."),
      Example("catalog source test tmdb", "Only TMDB: status 4 when the key is missing or refused."),
    ],
    arguments: [
      .positional("source", \.sources, isRequired: false, help: "Which; all without it.")
    ] + TableOptions.arguments.lifted(\.table))

  var sources: [Source] = []
  var table = TableOptions()

  func run(in context: Context) throws {
    guard !context.globals.isOffline else { throw UsageError("sources cannot be tried with --offline") }
    let areNamed = !sources.isEmpty
    var trials = try (areNamed ? sources : context.sources).map {
      try SourceTrial($0, isNamed: areNamed, in: context)
    }
    let asked = trials.indices.filter { trials[$0].request != nil }
    let results = context.http.send(asked.compactMap { trials[$0].request })
    try Interrupt.check()
    for (index, result) in zip(asked, results) { trials[index].take(result, in: context) }

    let today = context.cache.requestsToday(now: context.now())
    try Self.table(trials, today: today, in: context).write(table, to: context.output, terminal: context.terminal)
    let failures = trials.compactMap { trial in
      trial.isAsked || areNamed ? trial.failure : nil
    }
    for hint in trials.compactMap({ $0.failure?.hint }).withoutRepeats(by: \.self) { context.hint(hint) }
    if let first = failures.first { throw SilentFailure(status: first.status) }
  }

  private static func table(_ trials: [SourceTrial], today: [String: Int]?, in context: Context) -> Table {
    Table(
      columns: [
        .init("source", "Source", importance: 9), .init("reachable", "Reachable", importance: 8),
        .init("key", "Key", importance: 7), .init("left", "Left", alignment: .right, importance: 5),
        .init("limit", isHidden: true), .init("today", "Today", alignment: .right, importance: 4),
        .init("problem", "", isFlexible: true, minimumWidth: 16, importance: 6),
      ],
      rows: trials.map { trial in
        let left = trial.left
        return [
          .init(trial.source.id, style: .bold),
          .init(
            value: trial.isReachable.map(Table.Value.flag) ?? .none,
            shown: context.text(trial.isReachable.map { $0 ? "yes" : "no" } ?? "not asked"),
            style: trial.isReachable == false ? .red : .plain),
          .init(
            value: .text(trial.key), shown: context.text(Message(words: trial.key)),
            style: ["missing", "refused"].contains(trial.key) ? .red : .plain),
          .init(
            left?.left,
            shown: left.map { left in left.of.map { context.text("\(left.left) of \($0)") } ?? "\(left.left)" }),
          .init(left?.of), .init(today.map { $0[trial.source.id] ?? 0 }),
          .init(
            value: trial.failure.map { .text($0.message.text(in: nil)) } ?? .none,
            shown: trial.failure?.message.text(on: context.terminal)),
        ]
      })
  }
}

/// What trying one source showed.
private struct SourceTrial {
  var source: Source
  private(set) var search: SourceSearch?
  /// Nil when it is not asked, or no more.
  private(set) var isReachable: Bool?
  /// `not needed`, `missing`, `optional`, `accepted`, `refused`, or `not tried`.
  private(set) var key: String
  private(set) var left: (left: Int, of: Int?)?
  private(set) var failure: Failure?

  var isAsked: Bool { search != nil }

  /// The smallest question that there is, which the source itself must answer.
  var request: Request? {
    guard let search else { return nil }
    var request = search.source.request(search.search, search.settings)
    request.mustAsk = true
    return request
  }

  init(_ source: Source, isNamed: Bool, in context: Context) throws {
    self.source = source
    key = source.key.map { $0.isRequired ? "missing" : "optional" } ?? "not needed"
    do {
      let settings = try context.settings(of: source)
      do throws(SourceError) { try source.requireKey(settings) } catch { throw Failure(error, source: source) }
      guard !source.isBuiltIn, isNamed || source.hasItsKey(settings) else { return }
      if settings.key != nil { key = "not tried" }
      search = SourceSearch(
        source, Search(words: "dune", kind: source.kinds.first ?? .movie, pageSize: 1), settings)
    } catch let error as Failure where error.status == .keyNeeded {
      failure = error
    }
  }

  mutating func take(_ result: Result<Response, HTTPError>, in context: Context) {
    guard let search else { return }
    do throws(SourceError) {
      let response: Response
      do { response = try result.get() } catch { throw .network(error) }
      isReachable = true
      left = response.questionsLeft
      _ = try search.source.read(response, search.search, search.settings)
      if search.settings.key != nil { key = "accepted" }
    } catch {
      failure = context.failure(error, of: source)
      switch error {
      // A source that asks for a pause is there.
      case .network(.throttled), .network(.busy): isReachable = true
      case .network: isReachable = false
      case .key, .apiNotEnabled: key = "refused"
      default: break
      }
    }
  }
}
