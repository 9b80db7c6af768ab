internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Lookup
internal import Processes
internal import SourceCopies

/// The results of a search for one kind.
struct SearchSection {
  /// The words of the search.
  var words: String
  var kind: Kind
  /// The season of the search, by `seasons`.
  var season: Season?
  /// The name of the source that answered.
  var source: String
  var candidates: [Candidate]
  /// The number of all hits, if the source gives it.
  var total: Int?
  var hasMore: Bool
  /// The reason why there are no results, or why another source than usual answered.
  var failure: Failure?
  /// The stand-in for the source that failed; nil without one.
  var standIn: StandIn?
  /// Whether the results are from an earlier answer, because the source could not be asked.
  var isOld = false
  /// The reason why further hits cannot be fetched.
  var stop: Page.Stop?

  /// The source in a message.
  var sourceWords: Message { source == Source.pack.name ? Source.pack.words : Message(verbatim: source) }

  enum StandIn {
    /// Another web source.
    case source
    /// An earlier answer to the same search.
    case earlierAnswer
    /// A copy of a source on this computer.
    case copy
    case pack
  }
}

extension SearchSection {
  /// The section as the answer to one season.
  func of(_ season: Season) -> SearchSection {
    var section = self
    section.season = season
    // Seasons have one page.
    section.hasMore = false
    return section
  }
}

/// Searches the sources for commands, falls back to other sources and the built-in pack, and saves the results.
struct Finder {
  var context: Context
  var country: String?

  /// The largest number of pages that are asked for at once.
  static let mostPages = 20
  /// The time that standard error is silent while sources are asked.
  static let silence = Duration.seconds(1)

  /// Searches each kind, all at once, and returns a section for each in the order of the kinds.
  ///
  /// If the source of a kind fails, the search goes on with the next source of its chain, then with an earlier answer,
  /// then with the pack.
  ///
  /// - Parameters:
  ///   - kinds: nil for movie, book and vinyl, or those of the named source.
  ///   - only: the only source to ask.
  ///   - scope: the field to search; kinds whose sources cannot search it are left out.
  ///   - keepsResults: whether the results become r1, r2, …
  ///   - year: the year of the work that was named, whose results come first.
  ///   - isAll: whether to fetch all pages from this one on, ``mostPages`` at most.
  ///   - receive: called with all sections that are ready, in their order, each time there are more. The results are
  ///     saved before the call. Each kind is then searched in a thread of its own, for which the command must declare
  ///     several: ``Command/threads``.
  func search(
    _ words: String, kinds: [Kind]?, source only: Source?, scope: Search.Scope? = nil, page: Int = 1, limit: Int = 10,
    isAll: Bool = false, keepsResults: Bool = true, year: Int? = nil, receive: (([SearchSection]) throws -> Void)? = nil
  ) throws -> [SearchSection] {
    var kinds = try wanted(kinds, of: only)
    if scope == nil, page == 1, let code = Code(words: words), let kind = code.kind(among: kinds) {
      guard let only else { return try sections(for: code, words, of: kind, limit: limit, receive) }
      // A search for the code in the named source itself.
      if only.fields(kind).contains(.isbn), code.isISBN {
        return try search(
          words, kinds: [kind], source: only, scope: .field(.isbn), limit: limit, receive: receive)
      }
      kinds = [kind]
    }
    var chains = try kinds.map { kind in
      Chain(
        sources: try only.map { [try context.asked($0)] }
          ?? context.asked(context.chain(for: kind, words: words, country: country), for: kind),
        search: Search(words: words, kind: kind, page: page, pageSize: limit, scope: scope, year: year),
        pages: isAll ? Self.mostPages : 1)
    }
    if case .field(let field) = scope { chains = try able(chains, field) }
    var sections: [SearchSection] = []
    try answers(to: chains, onThreads: receive != nil) { answers in
      for answer in answers {
        let chain = chains[sections.count]
        var section = section(for: chain, answer)
        noteEnd(of: chain, in: &section)
        noteStop(of: chain, in: section)
        sections.append(section)
      }
      if keepsResults { keep(sections) }
      try receive?(sections)
    }
    return sections
  }

  /// The matches in the pack, of all kinds that have a shelf, the best first.
  func packCandidates(_ words: String) -> [Candidate] {
    let typed = SearchWords(words)
    func found(_ words: String, _ kinds: [Kind]) -> [Candidate] {
      kinds.flatMap { packSection(Search(words: words, kind: $0, pageSize: 5), pages: 1)?.candidates ?? [] }
    }
    let qualified = typed.qualified.flatMap { reading in
      found(reading.text, reading.kind.map { [$0] } ?? Kind.shelved)
        .filter { TitleRank(of: $0.record, for: typed) <= .withNames }
    }
    return (found(words, Kind.shelved) + qualified).withoutRepeats(by: \.id).ranked(for: typed)
  }

  /// The entries of the pack whose title is spelled nearly as the words.
  func packCandidates(spelledLike words: String) -> [Candidate] {
    let typed = Folding.letters(words)
    let length = typed.unicodeScalars.count
    let titles = StarterPack.shipped.titles
    guard length > 3,
      let meant = Suggestion.closest(to: typed, among: titles.lazy.map(Folding.letters), most: length > 6 ? 2 : 1),
      let title = titles.first(where: { Folding.letters($0) == meant })
    else { return [] }
    return packCandidates(title).filter { TitleRank(of: $0.record, for: SearchWords(title)) == .exact }
  }

  /// The same as sections of a search, of these kinds. Its results become r1, r2, ….
  func packSections(spelledLike words: String, kinds: [Kind]) -> [SearchSection] {
    let alike = packCandidates(spelledLike: words).filter { kinds.contains($0.record.kind) }
    guard let title = alike.first?.record.title, Folding.letters(title) != Folding.letters(words) else { return [] }
    context.note("nothing was found for \(words.quoted); these are for \(title.quoted)")
    let sections = kinds.map { kind in
      SearchSection(
        words: title, kind: kind, source: Source.pack.name, candidates: alike.filter { $0.record.kind == kind },
        hasMore: false)
    }.filter { !$0.candidates.isEmpty }
    keep(sections)
    return sections
  }

  /// The words, kind and year for the sources. The words of a title keep the kind before them and the year behind them.
  /// - Parameter isPlain: a kind is known already; the first word is none.
  func reading(of typed: TypedReferences, isPlain: Bool = false) throws -> (words: String, kind: Kind?, year: Int?) {
    let whole = typed.together
    let words = SearchWords(whole)
    // In quotes, a kind is a word like any other.
    let isKindApart = typed.words.count > 1 && !isPlain
    guard
      let reading = words.qualified.last(where: { $0.kind == nil || isKindApart }),
      !packCandidates(whole).contains(where: { TitleRank(of: $0.record, for: words) <= .withoutArticle }),
      try !context.opened(for: .reading).matches(of: whole).contains(where: { $0.rank <= .withoutArticle })
    else { return (whole, nil, nil) }
    return (reading.text, reading.kind, reading.year)
  }

  /// Searches one source for each season, all at once, and returns a section for each in the order of the year.
  func searchSeasons(
    _ kind: Kind, source: Source, scope: Search.Scope?, in language: Season.Language
  ) throws -> [SearchSection] {
    let chains = Season.allCases.map {
      Chain(sources: [source], search: $0.search(kind, scope: scope, in: language))
    }
    let linked = try chains.map(linked)
    let questions = linked.map(question)
    let answers =
      context.globals.isOffline
      ? answersAtHand(to: questions) : ChainSearch.answers(to: questions, using: context.http)
    try Interrupt.check()
    let sections = zip(zip(linked, answers), Season.allCases).map { answered, season in
      section(for: answered.0, answered, hasPack: false).of(season)
    }
    keep(sections)
    return sections
  }

  /// Saves the results of all sections as r1, r2, …. A search that failed keeps the results of the one before.
  private func keep(_ sections: [SearchSection]) {
    guard sections.contains(where: { $0.failure == nil || !$0.candidates.isEmpty }) else { return }
    let candidates = sections.flatMap(\.candidates)
    if !context.results.save(candidates), !candidates.isEmpty {
      context.warn("the results could not be saved, so r1, r2, … will not work")
    }
  }

  private func wanted(_ kinds: [Kind]?, of source: Source?) throws -> [Kind] {
    guard let source else { return kinds ?? Kind.shelved }
    let available = source.kinds
    guard let kinds else { return available.filter(\.isShelved).isEmpty ? available : available.filter(\.isShelved) }
    let both = kinds.filter(available.contains)
    guard !both.isEmpty else {
      throw UsageError(
        "\(source.id) has no \(kinds.plurals)", hint: "it has \(available.plurals)")
    }
    return both
  }

  // MARK: Chains

  /// A search and the sources that can answer it, in the order in which they are asked.
  struct Chain {
    var sources: [Source]
    var search: Search
    var pages = 1
    /// The failures of sources whose key could not be read.
    fileprivate(set) var keyFailures: [Failure] = []
    /// The searches of the sources that can be asked.
    fileprivate(set) var links: [SourceSearch] = []

    init(sources: [Source], search: Search, pages: Int = 1) {
      (self.sources, self.search, self.pages) = (sources, search, pages)
    }

    /// Whether the next source is asked, too, when one finds nothing. A film of a small country may be missing in one
    /// catalog only; a book or record that is missing in one is mostly unknown to the others.
    fileprivate var goesOnWhenEmpty: Bool { search.kind == .movie && search.page == 1 }
  }

  /// The chains whose sources can search this field; kinds without such a source are printed.
  private func able(_ chains: [Chain], _ field: Search.Field) throws -> [Chain] {
    var able: [Chain] = []
    var unable: [Message] = []
    for var chain in chains {
      let kind = chain.search.kind
      let first = chain.sources.first?.words ?? ""
      chain.sources.removeAll { !$0.fields(kind).contains(field) }
      if chain.sources.isEmpty {
        unable.append("\(first) cannot search \(kind.plurals) by \(field.rawValue)")
      } else {
        able.append(chain)
      }
    }
    guard !able.isEmpty else {
      let others = context.sources.filter { !kinds(of: $0, by: field).isEmpty }
      throw UsageError(
        unable.joined(separator: "; "),
        hint: """
          by \(field.rawValue) can be searched: \
          \(others.map { "\($0.id) (\(kinds(of: $0, by: field).plurals))" as Message }.joined(separator: ", "))
          """)
    }
    for line in unable { context.warn(line) }
    return able
  }

  private func kinds(of source: Source, by field: Search.Field) -> [Kind] {
    source.kinds.filter { source.fields($0).contains(field) }
  }

  /// Adds the settings of its sources to a chain. A source whose key cannot be read is left out.
  func linked(_ chain: Chain) throws -> Chain {
    var chain = chain
    for source in chain.sources {
      do {
        let settings = try context.settings(of: source, country: country)
        chain.links.append(SourceSearch(source, chain.search, settings, pages: chain.pages))
      } catch let failure as Failure where failure.status == .keyNeeded && !context.globals.isOffline {
        chain.keyFailures.append(failure)
      } catch let failure as Failure where failure.status == .keyNeeded {
        let settings = try context.keylessSettings(of: source, country: country)
        chain.links.append(SourceSearch(source, chain.search, settings, pages: chain.pages))
      }
    }
    return chain
  }

  /// The search of a chain, to be run on any thread.
  func question(_ chain: Chain) -> ChainSearch {
    ChainSearch(chain.links, goesOnWhenEmpty: chain.goesOnWhenEmpty)
  }

  /// Asks all chains at once. Answers are handed over in the order of the chains, as soon as those before them are
  /// ready.
  private func answers(
    to chains: [Chain], onThreads: Bool, receive: ([(chain: Chain, answer: ChainSearch.Answer)]) throws -> Void
  ) throws {
    let chains = try chains.map(linked)
    // All pages of a source may take longer than the time limit of a search.
    let hasManyPages = chains.contains { $0.pages > 1 }
    let http = hasManyPages ? context.http.patient : context.http.until(try latest())
    let questions = chains.map(question)
    // A search without web sources needs no thread.
    guard !context.globals.isOffline, questions.contains(where: { $0.links.contains { !$0.source.isBuiltIn } }) else {
      return try receive(Array(zip(chains, answersAtHand(to: questions))))
    }
    guard onThreads else {
      let answers = ChainSearch.answers(to: questions, using: http)
      // An interrupted search has no results.
      try Interrupt.check()
      return try receive(Array(zip(chains, answers)))
    }
    // Chains with a single source are asked together; every other one has a thread of its own.
    let alone = questions.indices.filter { questions[$0].links.count == 1 }
    let groups = (alone.isEmpty ? [] : [alone]) + questions.indices.filter { !alone.contains($0) }.map { [$0] }
    let works = try groups.map { group in
      let searches = group.map { questions[$0] }
      return try BackgroundWork { ChainSearch.answers(to: searches, using: http) }
    }
    let progress = SearchProgress(in: context)
    defer { progress.clear() }
    var answers = [ChainSearch.Answer?](repeating: nil, count: questions.count)
    var taken = 0
    while taken < chains.count {
      for (group, work) in zip(groups, works) where answers[group[0]] == nil {
        guard let result = work.result else { continue }
        for (index, answer) in zip(group, (try? result.get()) ?? group.map { _ in ChainSearch.Answer() }) {
          answers[index] = answer
        }
      }
      let ready = answers[taken...].prefix { $0 != nil }.compactMap(\.self)
      if ready.isEmpty {
        try Interrupt.check()
        progress.show(zip(chains, answers).filter { $1 == nil }.compactMap { $0.0.sources.first?.name })
        zip(groups, works).first { $0.0.contains(taken) }?.1.wait(atMost: .milliseconds(100))
      } else {
        // An interrupted search has no results.
        try Interrupt.check()
        progress.clear()
        try receive(Array(zip(chains[taken...], ready)))
        taken += ready.count
      }
    }
  }

  /// The answers of the pack, and with --offline those in the cache.
  func answersAtHand(to questions: [ChainSearch]) -> [ChainSearch.Answer] {
    context.globals.isOffline
      ? ChainSearch.keptAnswers(to: questions, using: context.http)
      : ChainSearch.answers(to: questions, using: context.http)
  }

  /// The latest time for the answer to a search that begins now.
  func latest() throws -> Date { context.now().addingTimeInterval(try context.configuration().totalDeadline) }

  // MARK: Sections

  /// The section for an answer. The pack stands in when no source answered.
  /// - Parameter hasPack: whether the pack may stand in.
  func section(
    for chain: Chain, _ answer: (chain: Chain, answer: ChainSearch.Answer), hasPack: Bool = true
  ) -> SearchSection {
    let (search, link) = (chain.search, answer.answer.link)
    var misses = answer.answer.misses
    if let link {
      // A source that was asked because the one before it found nothing is no stand-in when it fails.
      let later = links(behind: link, in: answer.chain)
      if answer.answer.page.candidates.isEmpty {
        for miss in misses where later.contains(miss.source) {
          guard let error = miss.error, let source = Source.named(miss.source) else { continue }
          context.warn(context.failure(error, of: source).message)
        }
      }
      misses.removeAll { later.contains($0.source) }
    }
    let failure = failure(of: misses, answer.chain.keyFailures, hasAnswer: link != nil)
    guard let link else {
      var section = SearchSection(
        words: search.words, kind: search.kind, source: chain.sources.first?.name ?? "", candidates: [],
        hasMore: false, failure: failure)
      // When a source was named, a missing key is its own error, not an absence of the source: only its own copy answers.
      let isOnlyKey =
        !context.globals.isOffline && chain.sources.count == 1
        && (!answer.chain.keyFailures.isEmpty || misses.contains { $0.error?.isOfKey == true })
      let isAway = misses.allSatisfy { $0.error.map { $0.isAway || $0.isOfKey } ?? true }
      if isOnlyKey {
        if let copy = copySection(search, of: chain, only: chain.sources) {
          section = copy
          (section.failure, section.standIn) = (failure, .copy)
        }
      } else if hasPack, isAway, chain.sources.count > 1 || !misses.isEmpty {
        if let copy = copySection(search, of: chain) {
          section = copy
          (section.failure, section.standIn) = (failure, .copy)
        } else if let pack = packSection(search, pages: chain.pages) {
          section = pack
          (section.failure, section.standIn) = (failure, .pack)
        }
      }
      return section
    }
    let page = answer.answer.page
    if page.unreadable > 0 {
      let count = page.candidates.count + page.unreadable
      context.warn("\(link.source.name): \(page.unreadable) of \(count) results could not be read")
    }
    let limit = link.mostHits
    var section = SearchSection(
      words: search.words, kind: search.kind, source: link.source.name,
      candidates: ranked(Array(page.candidates.prefix(limit)), search), total: page.total,
      hasMore: page.hasMore || page.candidates.count > limit, failure: failure, isOld: page.isOld, stop: page.stop)
    if failure != nil || page.isOld { section.standIn = page.isOld ? .earlierAnswer : .source }
    if section.candidates.isEmpty, hasPack,
      let meant = respelledCopySection(search, of: chain, CopiesAtHand(in: context))
    {
      return meant
    }
    return section
  }

  /// The ids of the sources that are asked after this one.
  private func links(behind link: SourceSearch, in chain: Chain) -> Set<String> {
    let ids = chain.links.map(\.source.id)
    return Set(ids.drop { $0 != link.source.id }.dropFirst())
  }

  /// The candidates, with matching titles first; unchanged when the search is not for titles.
  private func ranked(_ candidates: [Candidate], _ search: Search) -> [Candidate] {
    guard search.scope == nil || search.field == .title else { return candidates }
    let ranked = candidates.ranked(for: SearchWords(search.words))
    guard let year = search.year else { return ranked }
    func isOfYear(_ candidate: Candidate) -> Bool { (candidate.record.year ?? candidate.record.released?.year) == year }
    return ranked.filter(isOfYear) + ranked.filter { !isOfYear($0) }
  }

  /// The results of the first copy that has any; nil when none has, or the words are for a category of a source.
  /// - Parameter only: the sources whose copies may answer; nil for all.
  private func copySection(_ search: Search, of chain: Chain, only: [Source]? = nil) -> SearchSection? {
    if case .attribute = search.scope { return nil }
    var search = search
    search.pageSize *= chain.pages
    let copies = CopiesAtHand(in: context)
    if let only {
      return only.lazy.compactMap { source in
        (try? copies.ask(source) { section(of: try $0.search(search), search, source) }) ?? nil
      }.first
    }
    return
      (try? copies.first(for: search.kind, first: chain.sources) { section(of: try $1.search(search), search, $0) })
      ?? respelledCopySection(search, of: chain, copies)
  }

  private func section(of page: Page, _ search: Search, _ source: Source) -> SearchSection? {
    guard !page.candidates.isEmpty else { return nil }
    return SearchSection(
      words: search.words, kind: search.kind, source: source.name, candidates: page.candidates, total: page.total,
      hasMore: page.hasMore)
  }

  /// The results of the first copy for the words as its best known titles spell them; nil when none has any.
  private func respelledCopySection(_ search: Search, of chain: Chain, _ copies: CopiesAtHand) -> SearchSection? {
    guard search.page == 1, search.scope == nil else { return nil }
    let meant = try? copies.first(for: search.kind, first: chain.sources) { source, copy in
      try copy.respelled(search, closest: { Suggestion.closest(to: $0, among: $1) })
        .flatMap { section(of: try copy.search($0), $0, source) }
    }
    if let meant {
      context.note("nothing was found for \(search.words.quoted); these are for \(meant.words.quoted)")
    }
    return meant
  }

  /// The pack's results, unless the words are for a category of a source.
  private func packSection(_ search: Search, pages: Int) -> SearchSection? {
    if case .attribute = search.scope { return nil }
    guard search.kind.isShelved, let builtIn = Source.pack.builtIn else { return nil }
    var search = search
    search.scope = nil
    search.pageSize *= pages
    guard let page = try? builtIn.search(search) else { return nil }
    return SearchSection(
      words: search.words, kind: search.kind, source: Source.pack.name,
      candidates: search.year == nil ? page.candidates : ranked(page.candidates, search), total: page.total,
      hasMore: page.hasMore)
  }

  /// The failure of the first source, with the names of the sources that failed after it.
  private func failure(of misses: [Miss], _ keyFailures: [Failure], hasAnswer: Bool) -> Failure? {
    let failed = misses.compactMap { miss in
      miss.error.flatMap { error in Source.offered(miss.source).map { ($0, error) } }
    }
    guard let (source, error) = failed.first else { return keyFailures.first }
    var failure = keyFailures.first ?? context.failure(error, of: source)
    let others = failed.dropFirst(keyFailures.isEmpty ? 1 : 0).map(\.0.name)
    if !hasAnswer, !others.isEmpty, !context.globals.isOffline {
      let names = others.joined(separator: ", ")
      failure.message = "\(failure.message); no answer from \(names) either"
    }
    return failure
  }

  /// Reports an empty page as a failure that names the last page, if it is known.
  private func noteEnd(of chain: Chain, in section: inout SearchSection) {
    // With --offline the pack is the searched source.
    let isPack = section.standIn == .pack && context.globals.isOffline
    guard chain.search.page > 1, section.failure == nil || isPack, section.candidates.isEmpty, section.total != 0,
      let source = isPack ? .pack : chain.sources.first
    else { return }
    section.failure = context.failure(chain.search.end(of: section.total, at: source), of: source)
    section.standIn = nil
  }

  /// Prints the reason why `--all` did not return all results.
  private func noteStop(of chain: Chain, in section: SearchSection) {
    guard chain.pages > 1, !section.candidates.isEmpty, let source = chain.sources.first else { return }
    let reason: Message
    switch section.stop {
    case .failure(let error):
      return context.warn("\(context.failure(error, of: source).message); the pages before it are shown")
    case .bound: reason = "\(section.source) returns no more for one search"
    case nil where section.hasMore:
      reason = "these are \(chain.pages) pages; --page \(chain.search.page + chain.pages) goes on"
    case nil: return
    }
    let (count, kinds) = (section.candidates.count, section.kind.plurals)
    context.warn(
      section.total.map { "'--all' stops after \(count) of \($0) \(kinds): \(reason)" }
        ?? "'--all' stops after \(count) \(kinds): \(reason)")
  }

  // MARK: Codes

  /// The section of a search for a code.
  private func sections(
    for code: Code, _ words: String, of kind: Kind, limit: Int, _ receive: (([SearchSection]) throws -> Void)?
  ) throws -> [SearchSection] {
    let chain = try context.chain(for: code)
    if let copied = try context.copiedCandidates(of: code, first: chain, areFirst: true) {
      let section = SearchSection(
        words: words, kind: kind, source: copied.source.name, candidates: Array(copied.found.prefix(limit)),
        hasMore: false)
      keep([section])
      try receive?([section])
      return [section]
    }
    let answer = try asked(for: code)
    var section = SearchSection(
      words: words, kind: kind, source: answer.found?.source.name ?? "", candidates: answer.found?.value ?? [],
      hasMore: false, failure: failure(of: answer.misses, [], hasAnswer: answer.found != nil))
    if answer.found == nil, let copied = try context.copiedCandidates(of: code, first: chain, areFirst: false) {
      (section.source, section.candidates) = (copied.source.name, copied.found)
      if section.failure != nil { section.standIn = .copy }
    }
    if section.source.isEmpty { section.source = chain.first?.name ?? "" }
    section.candidates = Array(section.candidates.prefix(limit))
    if section.failure != nil, answer.found != nil { section.standIn = .source }
    keep([section])
    try receive?([section])
    return [section]
  }

  /// Looks a code up in the sources that support this, one after the other.
  private func asked(for code: Code) throws -> ChainAnswer<[Candidate]> {
    try asked(try context.chain(for: code)) { source, settings, http throws(SourceError) -> [Candidate]? in
      let found = try source.lookUp?(code, settings, http) ?? []
      return found.isEmpty ? nil : found
    }
  }

  /// Asks the sources one after the other until one has a value. A source whose key cannot be read is left out.
  private func asked<Value: Sendable>(
    _ chain: [Source], for ask: (Source, SourceSettings, HTTPClient) throws(SourceError) -> Value?
  ) throws -> ChainAnswer<Value> {
    var keyFailure: Failure?
    var sources: [(source: Source, settings: SourceSettings)] = []
    for source in chain {
      do { sources.append((source, try context.settings(of: source, country: country))) } catch let failure as Failure
        where failure.status == .keyNeeded
      {
        keyFailure = keyFailure ?? failure
      }
    }
    let answer = context.http.ask(sources, for: ask)
    try Interrupt.check()
    if answer.found == nil, answer.misses.allSatisfy({ $0.error == nil }), let keyFailure { throw keyFailure }
    return answer
  }

  /// The results for this code, from the first source that knows it.
  /// - Throws: ``Failure`` when none knows it and one failed.
  func lookUp(_ code: Code) throws -> [Candidate] {
    let chain = try context.chain(for: code)
    if let copied = try context.copiedCandidates(of: code, first: chain, areFirst: true) { return copied.found }
    do {
      if let found = try found(asked(for: code)) { return found }
      return try context.copiedCandidates(of: code, first: chain, areFirst: false)?.found ?? []
    } catch var failure as Failure {
      if let copied = try context.copiedCandidates(of: code, first: chain, areFirst: false) {
        if !context.globals.isOffline { context.warn("\(failure.message); \(Self.copyAnswers(copied.source))") }
        return copied.found
      }
      failure.hint = failure.hint ?? code.hintByHand
      throw failure
    }
  }

  /// The movie with this IMDb id, from the first source that knows it.
  /// - Throws: ``Failure`` when none knows it.
  func movie(_ imdb: ExternalID) throws -> Candidate {
    let chain = Source.chainForIMDb(keys: try context.sourcesWithKey())
    let isFirst = try context.asksCopyFirst(of: imdb.source)
    if isFirst, let copied = try context.copiedCandidate(of: imdb) { return copied }
    let answer = try asked(chain) { source, settings, http throws(SourceError) -> Candidate? in
      try source.find?(imdb, settings, http)
    }
    do {
      if let movie = try found(answer) ?? context.copiedCandidate(of: imdb) { return movie }
    } catch let failure as Failure {
      guard let copied = try context.copiedCandidate(of: imdb) else { throw failure }
      if !context.globals.isOffline { context.warn("\(failure.message); \(Self.copyAnswers(.imdb))") }
      return copied
    }
    throw Failure(
      "no movie \(imdb) at \(chain.map(\.name).joined(separator: ", "))",
      hint: chain.contains { $0.id == Source.tmdb.id }
        ? "search for its title: catalog search WORDS" : "TMDB knows more movies: catalog source key tmdb")
  }

  /// The end of a warning about a source that failed.
  static func copyAnswers(_ source: Source) -> Message { "the copy of \(source.name) on this computer answers instead" }

  /// The value found, after a warning about the sources that failed before it; nil when no source knows it.
  /// - Throws: ``Failure`` when none knows it and one failed.
  private func found<Value>(_ answer: ChainAnswer<Value>) throws -> Value? {
    let failure = failure(of: answer.misses, [], hasAnswer: answer.found != nil)
    if let (source, value) = answer.found {
      if let failure, !context.globals.isOffline {
        context.warn("\(failure.message); \(source.name) answers instead")
        if let hint = failure.hint { context.hint(hint) }
      }
      return value
    }
    guard var failure else { return nil }
    let names = answer.misses.filter { $0.error == nil }.compactMap { miss in Source.named(miss.source)?.name }
    if !names.isEmpty { failure.message = "\(failure.message); not known to \(names.joined(separator: ", "))" }
    throw failure
  }
}

/// The line on a terminal that names the sources which have not answered yet.
private final class SearchProgress {
  private let context: Context
  private let start: Duration
  private var isShown = false

  init(in context: Context) { (self.context, start) = (context, context.uptime()) }

  func show(_ names: [String]) {
    guard context.progressTerminal.isErrorTerminal, !isShown,
      context.uptime() - start >= Finder.silence
    else { return }
    context.output.flushIgnoringErrors()
    let line = context.text("asking \(names.joined(separator: ", ")) …, Ctrl-C stops")
    try? context.errors.append("\r" + line.truncated(to: context.terminal.width - 1) + "\u{1B}[K")
    context.errors.flushIgnoringErrors()
    isShown = true
  }

  func clear() {
    guard isShown else { return }
    try? context.errors.append("\r\u{1B}[K")
    context.errors.flushIgnoringErrors()
    isShown = false
  }
}

extension Code {
  /// The code in the words of a search; fails for any text but an ISBN or a barcode of at least 12 digits.
  init?(words: String) {
    if let isbn = try? ISBN(words) {
      self = .isbn(isbn)
    } else if words.utf8.count >= 12, let barcode = try? Barcode(words) {
      self = .barcode(barcode)
    } else {
      return nil
    }
  }

  /// The kind with such codes; nil when it is not among the searched kinds.
  func kind(among kinds: [Kind]) -> Kind? {
    let kind: Kind =
      switch self {
      case .isbn: .book
      case .barcode: .vinyl
      }
    return kinds.contains(kind) ? kind : nil
  }

  /// The hint for adding an item with this code by hand.
  var hintByHand: Message {
    switch self {
    case .isbn(let isbn): "add it by hand: catalog add book --isbn \(isbn) --title …"
    case .barcode(let barcode): "add it by hand: catalog add vinyl --barcode \(barcode) --title …"
    }
  }

  /// `ISBN 9788936434120`.
  var name: Message {
    switch self {
    case .isbn(let isbn): "ISBN \(isbn)"
    case .barcode(let barcode): "barcode \(barcode)"
    }
  }

  var digits: String {
    switch self {
    case .isbn(let isbn): isbn.digits13
    case .barcode(let barcode): barcode.digits
    }
  }

  var isISBN: Bool { if case .isbn = self { true } else { false } }
}
