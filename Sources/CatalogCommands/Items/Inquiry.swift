internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// Asks sources about items that are on their shelves: those that know an item by an id, or one where the same thing is
/// found.
struct Inquiry {
  private let context: Context
  /// The only source that is asked; nil for those that know the item.
  private let only: Source?
  /// Why a source is not asked any more in this run, and how often it failed in a row.
  private var failures: [String: (count: Int, failure: Failure)] = [:]

  /// The failures of which it was said that another source answers instead.
  private var replaced: [Failure] = []

  /// Who fails so often in a row is not asked any more.
  private static let patience = 3
  /// So many that are called alike are looked at more closely.
  private static let mostAlike = 3

  /// - Parameters:
  ///   - source: asks only this one.
  ///   - takesKept: whether an answer that was kept will do.
  init(of source: Source?, takesKept: Bool = false, in context: Context) {
    only = source
    self.context = (takesKept ? context : context.pastCache).patient
  }

  /// What came of the questions about one item.
  struct Answer {
    var told: [Renewal.Told] = []
    /// The sources that answered, if only that they know no such thing.
    var asked: [String] = []
    /// Why others said nothing.
    var failures: [Failure] = []
    /// Whether nobody was asked, because all have failed before.
    var isGivenUp = false
  }

  /// What sources say of an item, the one that it came from first.
  mutating func ask(about item: Item, in store: Store) throws -> Answer {
    let known = try knownIDs(of: item, in: store)
    let sources: [Source]
    do { sources = try known.isEmpty ? finders(for: item) : known.map(\.source) } catch let failure as Failure {
      return Answer(failures: [failure])
    }
    var answer = Answer(isGivenUp: true)
    for (index, source) in sources.enumerated() where !isGivenUp(source) {
      // Where none knows the item, the next one is asked only while those before it are away.
      if known.isEmpty, !answer.asked.isEmpty { break }
      answer.isGivenUp = false
      do {
        let record =
          try known.isEmpty ? find(item, at: source) : noted(fetching(known[index].id, of: item, at: source))
        failures[source.id] = nil
        answer.asked.append(source.id)
        var told = record.told(of: item, by: source)
        // A book without a genre gets one as a new one does.
        if item.record.labels.isEmpty { told = context.classifying(told)() }
        answer.told.append(Renewal.Told(source: source.id, record: told))
      } catch {
        try Interrupt.check()
        let failure = Failure(error)
        answer.failures.append(failure)
        // It answered, if only that there is no such thing.
        let hasAnswered = failure.status == .failed
        if hasAnswered { answer.asked.append(source.id) }
        failures[source.id] = hasAnswered ? nil : ((failures[source.id]?.count ?? 0) + 1, failure)
      }
    }
    if known.isEmpty, let standIn = sources.first(where: { $0.id == answer.asked.first }) {
      // What another source answered is no failure.
      for failure in answer.failures where failure.status != .failed && !replaced.contains(failure) {
        replaced.append(failure)
        context.warn("\(failure.message); \(standIn.name) answers instead")
      }
      answer.failures.removeAll { $0.status != .failed }
    }
    return answer
  }

  /// A source without its key says the same of each item.
  private func isGivenUp(_ source: Source) -> Bool {
    guard let (count, failure) = failures[source.id] else { return false }
    return count >= Self.patience || failure.status == .keyNeeded
  }

  /// The picture that a source has for an item and that is another than its cover. That none can be had is said and no
  /// reason to leave the rest.
  func cover(of item: Item, _ told: [Renewal.Told], in store: Store) throws -> (picture: Cover, source: String)? {
    guard let (url, told) = told.lazy.compactMap({ told in told.record.artworkURL.map { ($0, told) } }).first,
      try store.origins(of: item)[.cover]?.isLocked != true
    else { return nil }
    let kept = try store.cover(of: item.id)
    let question = PictureQuestion(
      at: url, of: told.record, kept: kept.flatMap { $0.sourceURL == url ? $0 : nil }, in: context)
    let (found, failure) = question.tried()
    try Interrupt.check()
    if let failure { context.warn("\(item.line): \(failure.message)") }
    guard let found, found.bytes != kept?.bytes else { return nil }
    return (found, told.source)
  }

  // MARK: Who knows it

  /// The source that is asked first about a thing, as far as that is seen from afar, and whether it knows the thing by an id;
  /// nil where nobody can be asked.
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

  /// The ids by which it can be asked for, one a source.
  private func knownIDs(of item: Item, in store: Store) throws -> [(id: ExternalID, source: Source)] {
    let origin = try store.origin(of: item).name
    let ids = item.record.externalIDs
    return (ids.filter { $0.source == origin } + ids).withoutRepeats(by: \.source).compactMap { id in
      context.sources.first { $0.id == id.source && (only == nil || $0.id == only?.id) }.map { (id, $0) }
    }
  }

  /// The sources at which an item is looked for that none knows, in the order in which they are asked.
  private func finders(for item: Item) throws -> [Source] {
    guard let only else { return try context.chain(for: item.record.kind, words: item.record.title) }
    guard !only.isBuiltIn else {
      throw Failure("the built-in pack has nothing new", hint: "name a source that can be asked", status: .misused)
    }
    guard only.kinds.contains(item.record.kind) else {
      throw Failure("\(only.name) has no \(item.record.kind.plural)", status: .misused)
    }
    return [only]
  }

  private func noted(_ fetch: () throws -> Fetched) throws -> Record { context.noting(try fetch()) }

  /// The question for what a source calls so.
  private func fetching(_ id: ExternalID, of item: Item, at source: Source) throws -> () throws -> Fetched {
    var record = Record(kind: item.record.kind, title: id.description)
    // The page says which country's shop it is of.
    (record.url, record.externalIDs) = (item.record.url, [id])
    if source.fetch == nil, (try? ISBN(id.value)) == nil, item.record.book.isbn != nil {
      return { Fetched(try found(byCodeOf: item, at: source) ?? { throw context.failure(.notFound, of: source) }()) }
    }
    return try context.fetchingRecord(of: Candidate(id: id, record: record))
  }

  // MARK: The same thing

  /// The same thing at a source that does not know the item yet: by its id at IMDb, its ISBN or barcode, or by a search that
  /// finds what is certainly the same.
  /// - Throws: ``Failure`` when there is none.
  private func find(_ item: Item, at source: Source) throws -> Record {
    if let record = try found(byCodeOf: item, at: source) ?? found(bySearchFor: item, at: source) { return record }
    throw Failure(
      "\(source.name) has nothing that is certainly the same",
      hint: "the title, the year and who made it tell it: catalog edit \(item.id) year=… creator=…")
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
    let isWhole = !record.creators.isEmpty && record.year != nil
    guard isWhole || record.canBeFound else { return nil }
    // Who looks movies up by their titles finds none by a director.
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
    guard isWhole else {
      // Less is known of it than tells two apart: it is the only one, or nobody knows.
      guard let only = alike.first, alike.count == 1, only.record.isCertainly(record) else { return nil }
      return try self.record(of: alike) { $0.isCertainly(record) }
    }
    return try self.record(of: Array(alike.prefix(Self.mostAlike))) { $0.isCertainly(record) }
  }

  /// All that is known of the first of several that is certainly the thing. Of a record that has several pressings nobody
  /// knows which it is: only what they share is taken.
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
  /// The same, for many questions of which none hurries.
  fileprivate var patient: Context {
    var context = self
    context.http = http.patient
    return context
  }

  /// The same, for what only a source itself can answer. Pictures have marks by which their servers know them.
  fileprivate var pastCache: Context {
    var context = self
    context.http = HTTPClient { [http] requests in
      http.send(
        requests.map { request in
          var request = request
          request.mustAsk = true
          return request
        })
    }
    return context
  }
}

extension Record {
  /// What a source says, as an item of its kind has it.
  fileprivate func told(of item: Item, by source: Source) -> Record {
    var record = shelved(as: item.record.kind)
    record.labelSource = record.labelSource ?? source.id
    return record
  }

  /// The number that is printed on it.
  fileprivate var code: Code? {
    switch kind {
    case .book: book.isbn.map(Code.isbn)
    case .vinyl: vinyl.barcode.flatMap { try? Barcode($0) }.map(Code.barcode)
    default: nil
    }
  }

  private var titleKeys: Set<String> {
    Set(([title, originalTitle].compactMap(\.self) + otherTitles).map(Folding.labelKey).filter { !$0.isEmpty })
  }

  /// Whether it is called as another is, and of the same year as far as that is known: search results do not say all.
  fileprivate func mayBe(_ other: Record) -> Bool {
    !titleKeys.isDisjoint(with: other.titleKeys) && (year == nil || other.year == nil || year == other.year)
  }

  /// Whether it is the same thing: of the kind, the title, the year and one of the creators, where the other tells them. Less
  /// makes two things one, or editions of one, where a person is told so; here it would be taken over among hundreds, unseen.
  fileprivate func isCertainly(_ other: Record) -> Bool {
    guard kind == other.kind, mayBe(other), other.year == nil || year == other.year else { return false }
    return other.creators.isEmpty
      || !Set(creators.map(Folding.labelKey)).isDisjoint(with: other.creators.map(Folding.labelKey))
  }

  /// Whether what is known of it can tell it from all others: of a film the year, of a book and a record who made it.
  fileprivate var canBeFound: Bool { kind == .movie ? year != nil : !creators.isEmpty }

  /// What all pressings of a record share.
  fileprivate var withoutPressing: Record {
    var record = self
    record.vinyl = Vinyl()
    record.vinyl.tracks = vinyl.tracks.map { Track(position: $0.position, title: $0.title, seconds: $0.seconds) }
    record.externalIDs = []
    record.url = nil
    return record
  }
}
