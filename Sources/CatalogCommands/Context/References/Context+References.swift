internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes
internal import SourceCopies

/// The target of a reference.
enum ResolvedReference: Hashable {
  case item(ItemID)
  /// A search result that is not in the catalog.
  case candidate(Candidate)
}

extension Context {
  /// The target of a reference; for words see ``target(called:for:in:missing:)``.
  func target(_ reference: Reference, for use: ReferenceUse = .adding, in store: Store) throws -> ResolvedReference {
    switch reference {
    case .item(let id):
      if try store.exists(id) { return .item(id) }
      // A title may be a number: 1917.
      return try target(called: "\(id)", for: use, in: store, missing: CatalogError.noItem(id))
    case .result(let number): return try target(of: result(number), in: store)
    case .recent(let number):
      return try target(of: recent(number, among: store.recents()), in: store, known: results.load())
    case .copy(let id): return .item(try store.copy(id).item)
    case .wish(let id):
      switch try store.wish(id).subject {
      case .item(let item): return .item(item)
      case .words(let words, _):
        throw Failure(
          "the wish \(id) is for words, not an item: \(words)", hint: "link it to an item: catalog wishes tie \(id) REF"
        )
      }
    case .isbn(let isbn):
      if let id = try store.itemID(of: isbn) { return .item(id) }
      return .candidate(try candidate(of: .isbn(isbn), for: use, "no book with ISBN \(isbn) is in the catalog"))
    case .barcode(let barcode):
      let ids = try store.itemIDs(of: barcode)
      if !ids.isEmpty { return try chosen(among: ids, "\(reference)", in: store) }
      return .candidate(
        try candidate(of: .barcode(barcode), for: use, "no record with barcode \(barcode) is in the catalog"))
    case .external(let id):
      if let item = try store.itemID(of: id) { return .item(item) }
      if let known = results.load().first(where: { $0.id == id }) { return .candidate(known) }
      if id.source == ExternalID.imdb, let page = id.page, let item = try store.itemID(ofPage: page) {
        return .item(item)
      }
      if id.source == ExternalID.imdb { return try target(of: movie(id), in: store) }
      return .candidate(try candidate(of: id))
    case .page(let address):
      if let item = try store.itemID(ofPage: address) { return .item(item) }
      if let known = results.load().first(where: { $0.record.url == address }) { return .candidate(known) }
      if let id = ExternalID(page: address) {
        if let item = try store.itemID(of: id) { return .item(item) }
        return .candidate(try candidate(of: id, page: address))
      }
      throw Failure("no item and no result has the page \(address)", hint: "search for its title: catalog search WORDS")
    case .words(let words): return try target(called: words, for: use, in: store)
    }
  }

  /// The item that a reference names.
  /// - Throws: ``Failure`` when its target is not in the catalog.
  func item(_ reference: Reference, for use: ReferenceUse = .changing, in store: Store) throws -> ItemID {
    try item(of: target(reference, for: use, in: store))
  }

  /// One line that identifies the target.
  func line(of target: ResolvedReference, in store: Store) throws -> Message {
    switch target {
    case .item(let id): try store.item(id).line
    case .candidate(let candidate): candidate.record.line
    }
  }

  /// The result of the last search with this number.
  func result(_ number: Int) throws -> Candidate {
    let results = results.load()
    guard results.indices.contains(number - 1) else {
      throw results.isEmpty
        ? Failure("there is no result r\(number): nothing was found yet", hint: "search first: catalog search WORDS")
        : Failure(
          "there is no result r\(number): the last search found \(results.count)",
          hint: results.count == 1 ? "it is r1" : "they are r1 to r\(results.count)")
    }
    return results[number - 1]
  }

  /// The view behind `@1`, `@2`, ….
  func recent(_ number: Int, among recents: [RecentView]) throws -> RecentView {
    guard recents.indices.contains(number - 1) else {
      throw Failure(
        recents.isEmpty ? "nothing was viewed yet" : "there is no recent @\(number): there are \(recents.count)",
        hint: "'catalog recent' lists them")
    }
    return recents[number - 1]
  }

  private func target(of candidate: Candidate, in store: Store) throws -> ResolvedReference {
    try store.itemID(of: candidate).map { .item($0) } ?? .candidate(candidate)
  }

  /// The item or result that was viewed.
  /// - Parameter known: results with more details than were kept of the view.
  func target(of recent: RecentView, in store: Store, known: [Candidate]) throws -> ResolvedReference {
    if let item = recent.item { return .item(item) }
    guard let id = recent.externalID else { throw Failure("the item of that view no longer exists") }
    let candidate = try known.first { $0.id == id } ?? Candidate(id: id, record: try recent.record(in: store))
    return try target(of: candidate, in: store)
  }

  /// The result that words name which are an id or the address of a page; nil for any other words. What is not known of
  /// it yet is asked for.
  /// - Parameter only: the only source to ask.
  func result(namedBy words: String, at only: Source?) throws -> Candidate? {
    var (page, named): (String?, ExternalID?) = (nil, nil)
    switch try? Reference(argument: words) {
    case .external(let id): named = id
    case .page(let address): (page, named) = (address, ExternalID(page: address))
    default: return nil
    }
    if let known = results.load().first(where: { $0.id == named || page != nil && $0.record.url == page }) {
      return known
    }
    guard let id = named else {
      throw Failure("no source has the page \(words)", hint: "search for its title: catalog search WORDS")
    }
    if let only, only.id != id.source, only.find == nil || id.source != ExternalID.imdb {
      throw UsageError("\(only.id) does not know \(id)", hint: "leave --source out")
    }
    if id.source == ExternalID.imdb { return try Finder(context: self).movie(id, at: only) }
    var found = try candidate(of: id, page: page)
    if found.isBare { found.record = try fullRecord(of: found) }
    return found
  }

  /// A result with nothing but its source's id.
  /// - Parameter page: the address of its page, which may name the country of a shop.
  private func candidate(of id: ExternalID, page: String? = nil) throws -> Candidate {
    guard let source = source(of: id) else { throw Failure("there is no source \(id.source.quoted)", status: .misused) }
    if source.isCopied {
      guard let copied = try copiedCandidate(of: id) else {
        if copyPath(of: source.id) == nil { throw Failure(.noCopy(source: source.id), named: source.words) }
        throw Failure("the copy of \(source.name) has no \(id.value.quoted)")
      }
      return copied
    }
    if try asksCopyFirst(of: source.id), let copied = try copiedCandidate(of: id) { return copied }
    if let builtIn = source.builtIn {
      guard let record = builtIn.record(id) else { throw Failure("the pack has no \(id.value.quoted)") }
      return Candidate(id: id, record: record)
    }
    var record = Record(kind: source.kinds.first ?? .movie, title: id.description)
    (record.url, record.externalIDs) = (page, [id])
    return Candidate(id: id, record: record)
  }

  /// The result for a code that no item has, if the command can add it.
  /// - Throws: ``Failure`` if it cannot, and when no source knows the code.
  private func candidate(of code: Code, for use: ReferenceUse, _ problem: Message) throws -> Candidate {
    guard use == .adding else { throw Failure(problem, hint: "add it: catalog add \(code.digits)") }
    guard let found = try Finder(context: self).lookUp(code).first else {
      throw Failure("no source knows \(code.name)", hint: code.hintByHand)
    }
    return found
  }

  /// The movie with this IMDb id, from the first source that knows it. IMDb itself is not asked.
  /// - Throws: ``Failure`` when none knows it, or no source could be asked.
  private func movie(_ imdb: ExternalID) throws -> Candidate { try Finder(context: self).movie(imdb) }

  /// The full record of a candidate from its source. Parts that the source failed to send are printed as a warning.
  /// - Throws: ``Failure`` naming the source.
  func fullRecord(of candidate: Candidate) throws -> Record { noting(try fetchingRecord(of: candidate)()) }

  /// Returns a function that fetches the full record on any thread. Pass its result to ``noting(_:)`` to print the
  /// failures.
  func fetchingRecord(
    of candidate: Candidate, wantsPictures: Bool = true
  ) throws -> @Sendable () throws -> Fetched {
    if let partialFailures = candidate.partialFailures {
      return { Fetched(candidate.record, partialFailures: partialFailures) }
    }
    guard let source = source(of: candidate.id) else { return { Fetched(candidate.record) } }
    guard let fetch = source.fetch else { return try fetchingFoundRecord(of: candidate, in: source) }
    // A record of one country's shop may be missing in another's.
    let fetching = try asking(source, country: source.shop?(candidate.record)) { [results] settings, http in
      var settings = settings
      settings.wantsPictures = wantsPictures
      // The edition in the letters of the typed words, not in the language of the locale.
      if let meant = candidate.record.book.language, Language.hasOwnLetters(meant) { settings.language = meant }
      var fetched = try fetch(candidate.id, candidate.record.kind, settings, http)
      if !fetched.record.externalIDs.contains(candidate.id) { fetched.record.externalIDs.insert(candidate.id, at: 0) }
      // An interrupted fetch keeps nothing, least of all a part.
      try Interrupt.check()
      if fetched.partialFailures.isEmpty { results.complete(candidate.id, fetched.record) }
      return fetched
    }
    guard let path = copyPath(of: source.id) else { return fetching }
    // The copy has less than the source, but enough to keep.
    return {
      do { return try fetching() } catch let failure as Failure where failure.isOfAbsence {
        guard let record = BuiltIn.copy(at: path).record(candidate.id) else { throw failure }
        return Fetched(record)
      }
    }
  }

  /// Returns a function for a source whose search gives full records: only a bare candidate is looked up, by its ISBN.
  private func fetchingFoundRecord(
    of candidate: Candidate, in source: Source
  ) throws -> @Sendable () throws -> Fetched {
    guard candidate.isBare else { return { Fetched(candidate.record) } }
    guard let lookUp = source.lookUp, let isbn = try? ISBN(candidate.id.value) else {
      throw Failure(
        "\(candidate.id.description.quoted) is no longer known", hint: "search for it again: catalog search WORDS")
    }
    return try asking(source) { settings, http in
      guard let found = try lookUp(.isbn(isbn), settings, http).first else { throw SourceError.notFound }
      return Fetched(found.record)
    }
  }

  /// Prints which parts of a record its source failed to send, with each reason once.
  ///
  /// - Returns: the record.
  func noting(_ fetched: Fetched) -> Record {
    let source = fetched.record.externalIDs.first.flatMap(source(of:))
    noteMissing(
      fetched.partialFailures.map { missing in
        (
          Message(words: missing.part),
          source.map { failure(missing.reason, of: $0) } ?? Failure(missing.reason)
        )
      })
    return fetched.record
  }

  /// Prints which parts of a record are missing, with each reason and its remedy once, and sets the exit status.
  func noteMissing(_ parts: [(name: Message, failure: Failure)]) {
    for failure in parts.map(\.failure).withoutRepeats(by: \.message) {
      let names = parts.filter { $0.failure.message == failure.message }.map(\.name).withoutRepeats(by: \.self)
      warn("\(failure.message); not available: \(names.joined(separator: ", "))")
      if let hint = failure.hint { self.hint(hint) }
      isIncomplete(because: failure)
    }
  }

  /// Warns that something else answers in place of a source, so that a record may get better later.
  func warnOfStandIn(_ message: Message) {
    state.hasStandIn = true
    warn(message)
  }

  /// Sets the exit status for a partial failure of a source. With `--offline`, missing parts are no failure.
  func isIncomplete(because error: any Error) {
    switch error {
    case SourceError.network(.offline), SourceError.key(missing: true): break
    case let failure as Failure: failure.cause.map(isIncomplete(because:))
    case is SourceError: state.hasPartialFailure = true
    default: break
    }
  }

  /// Binds a request to a source to the settings of this context, to be sent on any thread.
  private func asking<Answer>(
    _ source: Source, country: String? = nil, _ ask: @escaping @Sendable (SourceSettings, HTTPClient) throws -> Answer
  ) throws -> @Sendable () throws -> Answer {
    let settings = try settings(of: source, country: country)
    let origin = try keyOrigin(of: source)
    let hasContact = try !lacksContact()
    return { [http, isOffline = globals.isOffline] in
      do {
        try source.requireKey(settings)
        return try ask(settings, http)
      } catch let error as SourceError {
        // An interrupted request is no failure of the source.
        try Interrupt.check()
        let reason = isOffline && error.isOfKey ? .network(.offline(host: "")) : error
        throw Failure(reason, source: source, keyOrigin: origin, hasContact: hasContact)
      }
    }
  }
}

extension Store {
  /// The item that a result already is.
  func itemID(of candidate: Candidate) throws -> ItemID? {
    try itemID(of: candidate.record) ?? itemID(of: candidate.id)
  }

  /// The relation of a result to the shelf: the same item, another edition, or nil.
  func likeness(of candidate: Candidate) throws -> Likeness? {
    try itemID(of: candidate).map { .same($0) } ?? likeness(of: candidate.record)
  }
}

extension Kind {
  /// The kind of a shelf.
  /// - Throws: ``UsageError`` for a kind without a shelf.
  init(shelf word: String) throws(UsageError) {
    guard let kind = Kind(value: word), kind.isShelved else {
      throw UsageError("there is no shelf \(word.quoted)", hint: "the choices are movie, book and vinyl")
    }
    self = kind
  }
}

extension Item {
  /// One line that identifies the item: `vinyl 3: Kind of Blue — Miles Davis (1959)`.
  var line: Message { "\(record.kind.singular) \(id): \(record.headline)" }
}

extension Candidate {
  /// Whether only its id is known, after a failed look-up: there is nothing to show or keep.
  var isBare: Bool { record.title == id.description }
}

extension Record {
  /// One line that identifies what is not in the catalog: `vinyl: Kind of Blue — Miles Davis (1959)`.
  var line: Message { "\(kind.singular): \(headline)" }

  /// One line: `Kind of Blue — Miles Davis (1959)`.
  var headline: String {
    var line = title
    if !creators.isEmpty { line += " — " + creators.joined(separator: ", ") }
    if let year = year ?? released?.year { line += " (\(year))" }
    return line
  }
}

extension RecentView {
  /// The record of the viewed item as it is now, or the record kept of a result.
  func record(in store: Store) throws -> Record {
    if let item { return try store.item(item).record }
    var record = Record(kind: kind, title: title)
    record.year = year
    record.artworkURL = artworkURL
    record.credits = creator.map { [Credit(name: $0, role: Credit.Role(main: kind))] } ?? []
    record.externalIDs = externalID.map { [$0] } ?? []
    return record
  }

  /// One line that identifies the viewed item or result: `vinyl 3: Kind of Blue — Miles Davis (1959)`.
  func line(in store: Store) throws -> Message {
    if let item { return try store.item(item).line }
    return try record(in: store).line
  }
}
