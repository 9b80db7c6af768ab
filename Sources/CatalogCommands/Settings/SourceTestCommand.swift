internal import CatalogModel
internal import CommandLineKit
internal import FoundationEssentials
internal import Lookup
internal import Processes

/// `catalog source test [NAME…]`: sends a request to each source, all at once.
struct SourceTestCommand: Command {
  static let info = CommandInfo<Self>(
    "test", summary: "Test whether the sources can be reached and accept their keys.",
    discussion: """
      Sends one request to each source, all at once, without the cache. A source without its required key is not \
      asked; that is a failure only if you name the source. If the key is optional, a named source is asked without \
      it. 'Left' is the number of requests that the source still allows, if it says so; 'Today' is the number of \
      requests since midnight in UTC. A source is asked even while it rests after a refusal. The verdict names the \
      cause of a refusal: the contact, the key, the words, too many requests. 'Sent as' is the User-Agent that the \
      source sees.
      """,
    examples: [
      Example("catalog source test", "All of them."),
      Example("catalog source test tmdb", "Only TMDB: status 4 when the key is missing or refused."),
    ],
    arguments: [
      .positional("source", \.sources, isRequired: false, help: "The source; all by default.")
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
    for index in trials.indices where trials[index].verdict == .refused {
      try trials[index].tellAgentFromWords(in: context)
    }

    let today = context.cache.requestsToday(now: context.now())
    try Self.table(trials, today: today, in: context).write(table, to: context.output, terminal: context.terminal)
    let failures = trials.compactMap { trial in
      trial.isAsked || areNamed ? trial.failure : nil
    }
    for hint in trials.compactMap({ $0.failure?.hint }).withoutRepeats(by: \.self) { context.hint(hint) }
    if let first = failures.first { throw SilentFailure(status: first.status) }
    let unknown = trials.filter { $0.isAsked && $0.source.asksForContact }.map(\.source.name)
    if !unknown.isEmpty, try context.lacksContact() {
      context.hint(
        "no contact for \(unknown.joined(separator: ", ")): catalog config set contact me@example.org")
    }
  }

  private static func table(_ trials: [SourceTrial], today: [String: Int]?, in context: Context) throws -> Table {
    try Table(
      trials,
      [
        .init("source", "Source", importance: 9, style: .bold, \.source.id),
        .init("reachable", "Reachable", importance: 8) { trial in
          let words: Message? = trial.isReachable.map { $0 ? (trial.isRefused ? "yes, refused" : "yes") : "no" }
          return Table.Cell(
            value: trial.isReachable.map(Table.Value.flag) ?? .none, shown: context.text(words ?? "not asked"),
            style: trial.isReachable == false ? .red : .plain)
        },
        .init("key", "Key", importance: 7) { trial in
          context.cell(
            Message(words: trial.key), style: ["missing", "refused"].contains(trial.key) ? .red : .plain)
        },
        .init(
          "left", "Left", alignment: .right, importance: 5, \.left?.left,
          shown: { $0.left.map { left in left.of.map { context.text("\(left.left) of \($0)") } ?? "\(left.left)" } }),
        .hidden("limit", \.left?.of),
        .init("today", "Today", alignment: .right, importance: 4) { trial in
          today.map { $0[trial.source.id] ?? 0 }
        },
        .init("sent_as", "Sent as", isFlexible: true, minimumWidth: 13, importance: 3, \.agent),
        .init("verdict", "Verdict", importance: 6) { trial in
          context.cell(
            trial.verdict.map { Message(words: $0.rawValue) }, style: trial.verdict == .fine ? .plain : .red)
        },
        .init("problem", "", isFlexible: true, minimumWidth: 16, importance: 2) { context.cell($0.failure?.message) },
      ])
  }
}

/// The result of testing one source.
private struct SourceTrial {
  /// The cause of a refusal in a few words, which are also the value in JSON.
  enum Verdict: String {
    case fine = "fine"
    case noContact = "no contact"
    case refused = "refused"
    case moved = "address not found"
    case agentRefused = "agent refused"
    case wordsRefused = "words refused"
    case hungUp = "hung up"
    case throttled = "throttled"
    case busy = "busy"
    case quota = "quota used up"
    case noKey = "no key"
    case keyRefused = "key refused"
    case apiOff = "switch the API on"
    case unreachable = "unreachable"
    case late = "too slow"
    case noAnswer = "page instead of an answer"
    case network = "not sent"
  }

  var source: Source
  private(set) var search: SourceSearch?
  /// Whether the source can be reached; nil when it is not asked.
  private(set) var isReachable: Bool?
  /// `not needed`, `missing`, `optional`, `accepted`, `refused`, or `not tried`.
  private(set) var key: String
  private(set) var left: (left: Int, of: Int?)?
  private(set) var failure: Failure?
  private(set) var verdict: Verdict?
  /// The `User-Agent` that is sent.
  private(set) var agent: String?

  var isAsked: Bool { search != nil }
  /// Whether the source was reached and refused.
  var isRefused: Bool { isReachable == true && verdict != .fine }

  /// The smallest possible request. It bypasses the cache and a pause.
  var request: Request? { search.map { $0.source.trial($0.search, $0.settings) } }

  init(_ source: Source, isNamed: Bool, in context: Context) throws {
    self.source = source
    key = source.key.map { $0.isRequired ? "missing" : "optional" } ?? "not needed"
    do {
      let settings = try context.settings(of: source)
      do throws(SourceError) { try source.requireKey(settings) } catch {
        verdict = .noKey
        throw Failure(error, source: source)
      }
      guard !source.isBuiltIn, isNamed || source.hasItsKey(settings) else { return }
      if settings.key != nil { key = "not tried" }
      search = SourceSearch(
        source, Search(words: "dune", kind: source.kinds.first ?? .movie, pageSize: 1), settings)
      let identity = try context.identity()
      agent = source.asksForContact ? identity.full : identity.program
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
      verdict = .fine
    } catch {
      failure = context.failure(error, of: source)
      let isUnknown = source.asksForContact && (try? context.lacksContact()) ?? false
      verdict = Self.verdict(error, isUnknown: isUnknown)
      switch error {
      // A source that asks for a pause can be reached.
      case .network(.throttled), .network(.busy), .network(.damaged), .network(.tooLarge): isReachable = true
      case .network: isReachable = false
      case .key: key = "refused"
      default: break
      }
      if let rest = context.cache.rest(of: source.id, now: context.now()), let message = failure?.message {
        let minutes = Int(clamping: (rest.until.timeIntervalSince(context.now()) / 60).rounded(.up))
        failure?.message = "\(message); it is not asked for another \(minutes.duration)"
        failure?.hint = nil
      } else if case .network(.throttled(_, nil)) = error {
        // A test begins no pause.
        failure?.hint = "try again later"
      }
    }
  }

  private static func verdict(_ error: SourceError, isUnknown: Bool) -> Verdict {
    switch error {
    case .refused(403, _): isUnknown ? .noContact : .refused
    case .refused(500..., _), .network(.busy): .busy
    case .network(.hungUp): isUnknown ? .noContact : .hungUp
    case .network(.throttled), .quota(.minute): .throttled
    case .quota(.noKey), .key(missing: true): .noKey
    case .quota(.day): .quota
    case .key(missing: false): .keyRefused
    case .apiNotEnabled: .apiOff
    case .network(.unreachable), .network(.closed): .unreachable
    case .network(.timedOut): .late
    case .network(.damaged), .network(.tooLarge): .noAnswer
    case .network: .network
    case .refused(404, _), .refused(410, _), .notFound: .moved
    case .unreadable, .noCopy, .badCopy: .noAnswer
    case .refused, .noShop, .noPage: .refused
    }
  }

  /// Sends a plain request to find out whether Open Library refuses the program or the words of the first request.
  mutating func tellAgentFromWords(in context: Context) throws {
    guard source.id == Source.openLibrary.id, let search else { return }
    try context.pause(.seconds(1))
    var plain = Request(
      source: source.id,
      url: Request.url(
        search.settings.baseURL, "/search.json", query: [("q", "dune"), ("limit", "1"), ("fields", "key")]))
    (plain.bypassesCache, plain.ignoresRest) = (true, true)
    let status = (try? context.http.send([plain]).first?.get())?.status
    if status == 200 { verdict = .wordsRefused } else if status == 403 { verdict = .agentRefused }
  }
}
