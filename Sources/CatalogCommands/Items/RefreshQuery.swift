internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// Asks sources about stored items: the sources that know an item by an id, or a source that can find the same work.
struct RefreshQuery {
  private let context: Context
  /// The only source to ask; nil for those that know the item.
  private let only: Source?
  private let copies: CopiesAtHand
  /// The sources whose copy was said to answer instead of the network.
  private var replacing: Set<String> = []
  /// The number of failures in a row of each source, and the last one.
  private var failures: [String: (count: Int, failure: Failure)] = [:]

  /// The failures that were reported with another source that answered instead.
  private var replaced: [Failure] = []

  /// The number of failures in a row after which a source is not asked again.
  private static let patience = 3
  /// The most search results to fetch in full.
  private static let mostAlike = 3

  /// - Parameters:
  ///   - source: the only source to ask.
  ///   - takesKept: whether cached answers are allowed.
  init(of source: Source?, takesKept: Bool = false, in context: Context) {
    only = source
    self.context = (takesKept ? context : context.pastCache).patient
    copies = CopiesAtHand(in: context)
  }

  /// The answers about one item.
  struct Answer {
    var records: [RefreshPlan.Answer] = []
    /// The sources that answered, including those that do not know the item.
    var asked: [String] = []
    /// The errors of the other sources.
    var failures: [Failure] = []
    /// Whether no source was asked, because all have failed repeatedly.
    var isGivenUp = false
    /// Whether the records are those of a copy on this computer, which knows less than its source: they only fill
    /// fields.
    var isCopied = false
  }

  /// Asks about an item in the order of its chain, in which its own sources stand for those of the web.
  mutating func ask(about item: Item, in store: Store) throws -> Answer {
    let order = try only == nil ? context.order(at: nil, for: item.record.kind, words: item.record.title) : []
    let web = context.globals.isOffline ? order.endIndex : order.prefix(while: \.isBuiltIn).endIndex
    if let copied = try askCopies(order[..<web], about: item) { return copied }
    if context.globals.isOffline { return Answer() }
    let answer = try askSources(about: item, in: store)
    guard answer.records.isEmpty, var copied = try askCopies(order[web...], about: item) else { return answer }
    copied.asked = answer.asked
    // A source that does not know the item is no failure.
    let away = answer.failures.first { $0.status != .failed }
    if let away, let id = copied.records.first?.source, replacing.insert(id).inserted, let source = Source.offered(id) {
      context.warn("\(away.message); \(Finder.copyAnswers(source))")
    }
    return copied
  }

  /// The answer of the copies among these sources; nil when none certainly has the item.
  private func askCopies(_ sources: ArraySlice<Source>, about item: Item) throws -> Answer? {
    try copies.record(certainly: item.record, of: sources).map { source, record in
      Answer(records: [answer(record, of: item, by: source)], isCopied: true)
    }
  }

  /// A record as an answer about an item. A book without a genre gets one, as a new book does.
  private func answer(_ record: Record, of item: Item, by source: Source) -> RefreshPlan.Answer {
    var record = record.shelved(as: item.record.kind)
    record.labelSource = record.labelSource ?? source.id
    if item.record.labels.isEmpty { record = context.classified(record) }
    return RefreshPlan.Answer(source: source.id, record: record)
  }

  private mutating func askSources(about item: Item, in store: Store) throws -> Answer {
    let known = try knownIDs(of: item, in: store)
    let sources: [Source]
    do { sources = try known.isEmpty ? finders(for: item) : known.map(\.source) } catch let failure as Failure {
      return Answer(failures: [failure])
    }
    var answer = Answer(isGivenUp: true)
    for (index, source) in sources.enumerated() where !isGivenUp(source) {
      // If no source knows the item, the next one is asked only if those before it failed.
      if known.isEmpty, !answer.asked.isEmpty { break }
      answer.isGivenUp = false
      do {
        let record =
          try known.isEmpty ? find(item, at: source) : noted(fetching(known[index].id, of: item, at: source))
        failures[source.id] = nil
        answer.asked.append(source.id)
        answer.records.append(self.answer(record, of: item, by: source))
      } catch {
        try Interrupt.check()
        let failure = Failure(error)
        answer.failures.append(failure)
        // The source answered, if only that it has no such item.
        let hasAnswered = failure.status == .failed
        if hasAnswered { answer.asked.append(source.id) }
        failures[source.id] = hasAnswered ? nil : ((failures[source.id]?.count ?? 0) + 1, failure)
      }
    }
    if only == nil, !known.isEmpty, item.record.isPoor {
      try askBest(about: item, beside: known.map(\.source), &answer)
    }
    if known.isEmpty, let standIn = sources.first(where: { $0.id == answer.asked.first }) {
      // A failure is no failure of the command if another source answered.
      for failure in answer.failures where failure.status != .failed && !replaced.contains(failure) {
        replaced.append(failure)
        context.warn("\(failure.message); \(standIn.name) answers instead")
      }
      answer.failures.removeAll { $0.status != .failed }
    }
    return answer
  }

  /// Asks the first source of its kind about a poor item that came from others, by its codes. The failure of
  /// that source is only printed, once.
  private mutating func askBest(about item: Item, beside known: [Source], _ answer: inout Answer) throws {
    let record = item.record
    guard
      let best = try? record.code.map(context.chain(for:))?.first
        ?? context.chain(for: record.kind).first(where: { $0.find != nil }),
      !known.contains(where: { $0.id == best.id }), !isGivenUp(best)
    else { return }
    do {
      if let found = try found(byCodeOf: item, at: best) {
        answer.asked.append(best.id)
        answer.records.append(self.answer(found, of: item, by: best))
      }
      failures[best.id] = nil
    } catch {
      try Interrupt.check()
      let failure = Failure(error)
      guard failure.status != .failed else { return }
      failures[best.id] = ((failures[best.id]?.count ?? 0) + 1, failure)
      if !replaced.contains(failure) { context.warn(failure.message) }
      replaced.append(failure)
    }
  }

  /// Whether the source failed too often, or lacks its key.
  private func isGivenUp(_ source: Source) -> Bool {
    guard let (count, failure) = failures[source.id] else { return false }
    return count >= Self.patience || failure.status == .keyNeeded
  }

  /// The picture that a source has for an item, if it differs from the cover. An error is only printed.
  func cover(of item: Item, _ records: [RefreshPlan.Answer], in store: Store) throws -> (
    picture: Cover, source: String
  )? {
    guard
      let (url, answer) = records.lazy.compactMap({ answer in answer.record.artworkURL.map { ($0, answer) } }).first,
      try store.origins(of: item)[.cover]?.isLocked != true
    else { return nil }
    let kept = try store.cover(of: item.id)
    let question = PictureRequest(
      at: url, of: answer.record, kept: kept.flatMap { $0.sourceURL == url ? $0 : nil }, in: context)
    let (found, failure) = question.tried()
    try Interrupt.check()
    if let failure { context.warn("\(item.line): \(failure.message)") }
    guard let found, found.bytes != kept?.bytes else { return nil }
    return (found, answer.source)
  }

  // MARK: Who knows it

  /// The first source to ask about an item, judged by a few facts, and whether it knows the item by an id; nil when no
  /// source can be asked.
  func source(for thing: UnaskedThing) throws -> (source: Source, isKnown: Bool)? {
    func canBeAsked(_ source: Source) throws -> Bool {
      try source.key?.isRequired != true || context.keyOrigin(of: source) != nil
    }
    if let known = try thing.sources.lazy.compactMap({ id in context.sources.first { $0.id == id } }).first(
      where: canBeAsked)
    {
      return (known, true)
    }
    let source = try only ?? context.standardSource(for: thing.kind)
    guard !source.isBuiltIn, source.kinds.contains(thing.kind), try canBeAsked(source) else { return nil }
    let hasCode =
      thing.hasCode && source.lookUp != nil || source.find != nil && thing.sources.contains(ExternalID.imdb)
    let canBeFound = thing.kind == .movie ? thing.hasYear : thing.hasCreator
    return hasCode || canBeFound ? (source, false) : nil
  }

  /// The item's ids at the sources, one for each source.
  private func knownIDs(of item: Item, in store: Store) throws -> [(id: ExternalID, source: Source)] {
    let origin = try store.origin(of: item).name
    let ids = item.record.externalIDs
    return (ids.filter { $0.source == origin } + ids).withoutRepeats(by: \.source).compactMap { id in
      context.sources.first { $0.id == id.source && (only == nil || $0.id == only?.id) }.map { (id, $0) }
    }
  }

  /// The sources to search for an item that none knows, in order.
  private func finders(for item: Item) throws -> [Source] {
    guard let only else { return try context.chain(for: item.record.kind, words: item.record.title) }
    guard !only.isBuiltIn else {
      throw Failure("the built-in pack has nothing new", hint: "name a source that can be asked", status: .misused)
    }
    guard only.kinds.contains(item.record.kind) else {
      throw Failure("\(only.name) has no \(item.record.kind.plurals)", status: .misused)
    }
    return [only]
  }

  private func noted(_ fetch: () throws -> Fetched) throws -> Record { context.noting(try fetch()) }

  /// Returns a function that fetches the record with this id.
  private func fetching(_ id: ExternalID, of item: Item, at source: Source) throws -> () throws -> Fetched {
    var record = Record(kind: item.record.kind, title: id.description)
    // The address of the page names the country of the shop.
    (record.url, record.externalIDs) = (item.record.url, [id])
    if record.kind == .book { record.book.language = item.record.book.language }
    if source.fetch == nil, (try? ISBN(id.value)) == nil, item.record.book.isbn != nil {
      return { Fetched(try found(byCodeOf: item, at: source) ?? { throw context.failure(.notFound, of: source) }()) }
    }
    return try context.fetchingRecord(of: Candidate(id: id, record: record))
  }

  // MARK: The same thing

  /// Finds the same work at a source that does not know the item yet: by its IMDb id, its ISBN or barcode, or by a
  /// search with a certain match.
  /// - Throws: ``Failure`` when there is none.
  private func find(_ item: Item, at source: Source) throws -> Record {
    if let record = try found(byCodeOf: item, at: source) ?? found(bySearchFor: item, at: source) { return record }
    throw Failure(
      "\(source.name) has no certain match",
      hint: "matches need the title, the year and the creator: catalog edit \(item.id) year=… creator=…")
  }

  private func found(byCodeOf item: Item, at source: Source) throws -> Record? {
    let settings = try context.settingsToAsk(source)
    do {
      if let find = source.find, let imdb = item.record.externalIDs.first(where: { $0.source == ExternalID.imdb }) {
        if let movie = try find(imdb, settings, context.http) { return try context.fullRecord(of: movie) }
      }
      guard let code = item.record.code, let lookUp = source.lookUp else { return nil }
      let found = try lookUp(code, settings, context.http)
      return try record(of: found.filter { $0.record.kind == item.record.kind }, isCertain: { _ in true })
    } catch let error as SourceError {
      try Interrupt.check()
      throw context.failure(error, of: source)
    }
  }

  private func found(bySearchFor item: Item, at source: Source) throws -> Record? {
    let (record, kind) = (item.record, item.record.kind)
    guard record.isWhole || record.canBeFound else { return nil }
    // A search for movies by title does not match the name of a director.
    let words = kind == .movie ? record.title : "\(record.title) \(record.creators.first ?? "")"
    let settings = try context.settingsToAsk(source)
    let page: Page
    do {
      page = try source.page(of: Search(words: words, kind: kind), settings, using: context.http)
    } catch {
      try Interrupt.check()
      throw context.failure(error, of: source)
    }
    let alike = page.candidates.filter { $0.record.kind == kind && $0.record.mayBe(record) }
    guard record.isWhole else {
      // The item has too few facts to tell two works apart, so only a single match counts.
      guard let only = alike.first, alike.count == 1, only.record.isCertainly(record) else { return nil }
      return try self.record(of: alike) { $0.isCertainly(record) }
    }
    return try self.record(of: Array(alike.prefix(Self.mostAlike))) { $0.isCertainly(record) }
  }

  /// The full record of the first candidate that is certainly the item. From a vinyl record with several pressings,
  /// only the data that all of them share is used.
  private func record(of candidates: [Candidate], isCertain: (Record) -> Bool) throws -> Record? {
    for candidate in candidates {
      let whole = try noted(context.fetchingRecord(of: candidate))
      guard isCertain(whole) else { continue }
      return candidates.count > 1 && whole.kind == .vinyl ? whole.withoutPressing : whole
    }
    return nil
  }
}

extension Context {
  /// The context for many requests that may wait.
  fileprivate var patient: Context {
    var context = self
    context.http = http.patient
    return context
  }

  /// The context for requests that must reach the source. Pictures are still revalidated.
  fileprivate var pastCache: Context {
    var context = self
    context.http = HTTPClient { [http] requests in
      http.send(
        requests.map { request in
          var request = request
          request.bypassesCache = true
          return request
        })
    }
    return context
  }
}
