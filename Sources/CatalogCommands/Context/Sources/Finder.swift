internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Lookup
internal import Processes
internal import SourceCopies

/// The results of a search for one kind.
struct SearchSection {
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
  /// The trouble of the sources before the one that answered, or of all; nil when there was none.
  var failure: Failure?
  /// Further remedies, besides the hint of the failure.
  var hints: [Message] = []
  /// The names of the web sources that have nothing.
  var empty: [String] = []
  /// The stand-in for the source that is asked first; nil when that one answered, or none.
  var standIn: StandIn?
  /// Whether the results are from an earlier answer, because the source could not be asked.
  var isOld = false
  /// The reason why further hits cannot be fetched.
  var stop: Page.Stop?

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

  /// Searches each kind, all at once, and returns a section for each in the order of the kinds: ``ChainSearch``. Where
  /// no kind has results, those for words that are spelled nearly so take their place.
  ///
  /// - Parameters:
  ///   - kinds: nil for movie, book and vinyl, or those of the named source.
  ///   - only: the only source to ask.
  ///   - scope: the field to search; kinds whose sources cannot search it are left out.
  ///   - keepsResults: whether the results become r1, r2, …
  ///   - corrects: whether the words may be misspelt.
  ///   - year: the year of the work that was named, whose results come first.
  ///   - isAll: whether to fetch all pages from this one on, ``mostPages`` at most.
  ///   - receive: called with all sections that are ready, in their order, each time there are more. The results are
  ///     saved before the call. Each kind is then searched in a thread of its own, for which the command must declare
  ///     several: ``Command/threads``.
  func search(
    _ words: String, kinds: [Kind]?, source only: Source?, scope: Search.Scope? = nil, page: Int = 1, limit: Int = 10,
    isAll: Bool = false, keepsResults: Bool = true, corrects: Bool = true, year: Int? = nil,
    receive: (([SearchSection]) throws -> Void)? = nil
  ) throws -> [SearchSection] {
    if scope == nil, page == 1, let named = try context.result(namedBy: words, at: only) {
      let section = SearchSection(
        words: words, kind: named.record.kind, source: context.source(of: named.id)?.name ?? named.id.source,
        candidates: [named], hasMore: false)
      if keepsResults { keep([section]) }
      try receive?([section])
      return [section]
    }
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
      try chain(
        Search(words: words, kind: kind, page: page, pageSize: limit, scope: scope, year: year), at: only,
        pages: isAll ? Self.mostPages : 1)
    }
    if case .field(let field) = scope { chains = try able(chains, field) }
    var sections: [SearchSection] = []
    try answers(to: chains, onThreads: receive != nil) { answers in
      for answer in answers {
        let chain = chains[sections.count]
        var section = section(for: answer.chain, answer.answer)
        noteEnd(of: chain, in: &section)
        noteStop(of: chain, in: section)
        sections.append(section)
      }
      if corrects, sections.count == chains.count { correct(&sections, chains) }
      if keepsResults { keep(sections) }
      // Sections without results may be replaced by those for other words.
      if sections.count == chains.count || !sections.allSatisfy(\.candidates.isEmpty) { try receive?(sections) }
    }
    return sections
  }

  /// The results for words that are spelled nearly as these, with which a search had none. They become r1, r2, ….
  func corrected(_ words: String, kinds: [Kind]?, source only: Source?) throws -> [SearchSection] {
    var sections: [SearchSection] = []
    correct(&sections, try wanted(kinds, of: only).map { try chain(Search(words: words, kind: $0), at: only) })
    keep(sections)
    return sections
  }

  private func chain(_ search: Search, at only: Source?, pages: Int = 1) throws -> Chain {
    Chain(
      sources: try context.order(at: only, for: search.kind, words: search.words, country: country),
      search: search, pages: pages, isNamed: only != nil)
  }

  /// Replaces sections without results, if all are: by the results of the copies, or else of the pack, for words that
  /// are spelled nearly so.
  func correct(_ sections: inout [SearchSection], _ chains: [Chain]) {
    guard sections.allSatisfy(\.candidates.isEmpty),
      let search = chains.first?.search, search.page == 1, search.scope == nil
    else { return }
    let meant = corrected(chains.filter(\.mayStandIn))
    guard let words = meant.first?.words else { return }
    context.note("nothing was found for \(search.words.quoted); these are for \(words.quoted)")
    sections = sections.filter { $0.failure != nil } + meant
  }

  private func corrected(_ chains: [Chain]) -> [SearchSection] {
    let copies = CopiesAtHand(in: context)
    let copied = chains.compactMap { chain -> SearchSection? in
      let named = context.copiedSources(for: chain.search.kind).filter { $0.id == chain.sources.first?.id }
      return try? copies.first(of: chain.isNamed ? named : chain.sources) { source, copy in
        let meant = try copy.respelled(chain.search) {
          Suggestion.closest(to: $0, among: $1, most: Suggestion.mostSlips(inTitle: $0))
        }
        guard let meant, case let page = try copy.search(meant), !page.candidates.isEmpty else { return nil }
        return SearchSection(
          words: meant.words, kind: meant.kind, source: source.name, candidates: page.candidates, total: page.total,
          hasMore: page.hasMore)
      }
    }
    guard copied.isEmpty, let words = chains.first?.search.words else { return copied }
    let kinds = chains.filter { !$0.isNamed || $0.sources.contains { $0.id == StarterPack.id } }.map(\.search.kind)
    let alike = packCandidates(spelledLike: words)
    guard let title = alike.first?.record.title else { return [] }
    return kinds.map { kind in
      SearchSection(
        words: title, kind: kind, source: Source.pack.name, candidates: alike.filter { $0.record.kind == kind },
        hasMore: false)
    }.filter { !$0.candidates.isEmpty }
  }

  /// The matches in the pack, of all kinds that have a shelf, the best first.
  func packCandidates(_ words: String) -> [Candidate] {
    let typed = SearchWords(words)
    func found(_ words: String, _ kinds: [Kind]) -> [Candidate] {
      kinds.flatMap { StarterPack.shipped.search(Search(words: words, kind: $0, pageSize: 5)).candidates }
    }
    let qualified = typed.qualified.flatMap { reading in
      found(reading.text, reading.kind.map { [$0] } ?? Kind.shelved)
        .filter { TitleRank(of: $0.record, for: typed) <= .withNames }
    }
    return (found(words, Kind.shelved) + qualified).withoutRepeats(by: \.id).ranked(for: typed)
  }

  /// The entries of the pack whose title, without its article, is spelled nearly as the words.
  func packCandidates(spelledLike words: String) -> [Candidate] {
    func letters(_ title: String) -> String { Folding.letters(String(Articles.dropped(from: title))) }
    let typed = letters(words)
    let titles = StarterPack.shipped.titles
    guard !typed.isEmpty,
      let meant = Suggestion.closest(
        to: typed, among: titles.lazy.map(letters), most: Suggestion.mostSlips(inTitle: typed)),
      let title = titles.first(where: { letters($0) == meant })
    else { return [] }
    return packCandidates(title).filter { TitleRank(of: $0.record, for: SearchWords(title)) == .exact }
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
      Chain(sources: [source], search: $0.search(kind, scope: scope, in: language), mayStandIn: false, isRanked: false)
    }
    let linked = try chains.map(linked)
    let answers = ChainSearch.answers(to: linked.map(\.question), using: context.http)
    try Interrupt.check()
    let sections = zip(zip(linked, answers), Season.allCases).map { answered, season in
      section(for: answered.0, answered.1).of(season)
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
    /// Whether a person named the source.
    var isNamed = false
    /// Whether copies and the pack may answer in place of the sources.
    var mayStandIn = true
    /// Whether the hits are put in order by their titles, whatever their number.
    var isRanked = true
    /// The failures of sources whose key could not be read.
    fileprivate(set) var keyFailures: [Failure] = []
    /// The searches of the sources that can be asked, and of what stands in for them.
    fileprivate(set) var links: [SourceSearch] = []

    init(
      sources: [Source], search: Search, pages: Int = 1, isNamed: Bool = false, mayStandIn: Bool = true,
      isRanked: Bool = true
    ) {
      (self.sources, self.search, self.pages) = (sources, search, pages)
      (self.isNamed, self.mayStandIn, self.isRanked) = (isNamed, mayStandIn, isRanked)
    }

    /// The search of the chain, to be run on any thread.
    var question: ChainSearch { ChainSearch(links, isNamed: isNamed) }
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

  /// Adds the settings of its sources to a chain, and what stands in for them. A source whose key cannot be read is
  /// left out.
  func linked(_ chain: Chain) throws -> Chain {
    var chain = chain
    func link(_ source: Source, _ settings: SourceSettings) {
      chain.links.append(SourceSearch(source, chain.search, settings, pages: chain.pages, isRanked: chain.isRanked))
    }
    for source in chain.sources {
      do {
        link(source, try context.settings(of: source, country: country))
      } catch let failure as Failure where failure.status == .keyNeeded && !context.globals.isOffline {
        chain.keyFailures.append(failure)
      } catch let failure as Failure where failure.status == .keyNeeded {
        link(source, try context.keylessSettings(of: source, country: country))
      }
    }
    for source in try standIns(for: chain) { link(source, try context.keylessSettings(of: source, country: country)) }
    return chain
  }

  /// The substitutes for a chain: the copies where a source was named, and the pack. None for a category of a
  /// source, or for a source of this computer that was named.
  private func standIns(for chain: Chain) throws -> [Source] {
    if case .attribute = chain.search.scope { return [] }
    guard chain.mayStandIn, !(chain.isNamed && chain.sources.allSatisfy(\.isBuiltIn)) else { return [] }
    let ids = chain.sources.map(\.id)
    let copies = chain.isNamed ? try context.order(chain.sources, for: chain.search.kind).filter(\.isBuiltIn) : []
    // A key that is missing is its own error, not an absence of the source.
    if chain.isNamed, !chain.keyFailures.isEmpty { return copies.filter { ids.contains($0.id) } }
    let isInPack = chain.search.kind.isShelved && [nil, .title, .creator].contains(chain.search.field)
    return copies + (isInPack && !ids.contains(StarterPack.id) ? [.pack] : [])
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
    let questions = chains.map(\.question)
    // A search without web sources needs no thread.
    let hasWeb = !context.globals.isOffline && questions.contains { $0.links.contains { !$0.source.isBuiltIn } }
    guard onThreads, hasWeb else {
      let answers = ChainSearch.answers(to: questions, using: http)
      // An interrupted search has no results.
      try Interrupt.check()
      return try receive(Array(zip(chains, answers)))
    }
    // Chains with a single web source are asked together; every other one has a thread of its own.
    let alone = questions.indices.filter { questions[$0].links.count { !$0.source.isBuiltIn } == 1 }
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

  /// The latest time for the answer to a search that begins now.
  func latest() throws -> Date { context.now().addingTimeInterval(try context.configuration().totalDeadline) }

  // MARK: Sections

  func section(for chain: Chain, _ answer: ChainSearch.Answer) -> SearchSection {
    let (search, page) = (chain.search, answer.page)
    for miss in answer.misses {
      guard let source = Source.offered(miss.source) else { continue }
      if case .badCopy? = miss.error, let error = miss.error { context.note(context.failure(error, of: source)) }
      if miss.unreadable > 0 { noteUnreadable(miss.unreadable, of: miss.unreadable, source) }
    }
    var section = SearchSection(
      words: search.words, kind: search.kind, source: (answer.link?.source ?? chain.sources.first)?.name ?? "",
      candidates: [], total: page.total, hasMore: page.hasMore, isOld: page.isOld, stop: page.stop)
    section.take(trouble(of: answer.misses, chain.keyFailures, isAnswered: answer.link != nil))
    section.empty = answer.misses.filter { $0.error == nil }.compactMap { Source.named($0.source)?.name }
    guard let link = answer.link, !page.candidates.isEmpty else { return section }
    if page.unreadable > 0 {
      noteUnreadable(page.unreadable, of: page.candidates.count + page.unreadable, link.source)
    }
    let shown = Array(page.candidates.prefix(link.mostHits))
    section.candidates = link.isRanked ? shown : shown.ranked(for: search)
    section.hasMore = page.hasMore || page.candidates.count > link.mostHits
    let isInstead = answer.misses.contains { Source.named($0.source) != nil } || !chain.keyFailures.isEmpty
    section.standIn =
      switch link.source.id {
      case _ where page.isOld: .earlierAnswer
      case _ where !isInstead: nil
      case StarterPack.id: .pack
      case _ where link.source.isBuiltIn: .copy
      case _ where section.failure != nil: .source
      default: nil
      }
    return section
  }

  private func noteUnreadable(_ count: Int, of all: Int, _ source: Source) {
    context.warn("\(source.name): \(count) of \(all) results could not be read")
  }

  /// The trouble of all sources that failed, each once: as one failure, and what else can be done. With --offline, it
  /// is none where something answered.
  private func trouble(
    of misses: [Miss], _ keyFailures: [Failure], isAnswered: Bool
  ) -> (failure: Failure, hints: [Message])? {
    let failed = misses.compactMap { miss -> (name: String, failure: Failure)? in
      guard let error = miss.error, let source = Source.offered(miss.source) else { return nil }
      // It has its own message.
      if case .badCopy = error { return nil }
      if isAnswered, case .network(.offline) = error { return nil }
      return (source.name, context.failure(error, of: source))
    }
    let all = keyFailures + failed.map(\.failure)
    guard var failure = all.first else { return nil }
    // A key is for the person to mend; of the others one reason is enough.
    let (keys, others) = (
      all.dropFirst().filter { $0.status == .keyNeeded }, failed.dropFirst(keyFailures.isEmpty ? 1 : 0)
    )
    let names = others.filter { $0.failure.status != .keyNeeded }.map(\.name)
    failure.message = ([failure.message] + keys.map(\.message)).withoutRepeats(by: \.self).joined(separator: "; ")
    if !names.isEmpty, !context.globals.isOffline {
      failure.message = "\(failure.message); no answer from \(names.joined(separator: ", ")) either"
    }
    let hints = keys.compactMap(\.hint).withoutRepeats(by: \.self).filter { $0 != failure.hint }
    return (failure, hints)
  }

  /// Reports an empty page as a failure that names the last page, if it is known.
  private func noteEnd(of chain: Chain, in section: inout SearchSection) {
    guard chain.search.page > 1, section.failure == nil, section.candidates.isEmpty, section.total != 0,
      let source = Source.offered.first(where: { $0.name == section.source })
    else { return }
    section.failure = context.failure(chain.search.end(of: section.total, at: source), of: source)
    section.empty = []
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
    let answer = try asked(for: code)
    var section = SearchSection(
      words: words, kind: kind, source: try (answer.found?.source ?? context.chain(for: code).first)?.name ?? "",
      candidates: Array((answer.found?.value ?? []).prefix(limit)), hasMore: false)
    section.take(trouble(of: answer.misses, answer.keyFailures, isAnswered: answer.found != nil))
    section.empty = answer.misses.filter { $0.error == nil }.compactMap { Source.named($0.source)?.name }
    let isCopied = answer.found?.source.isBuiltIn == true
    if section.failure != nil, answer.found != nil { section.standIn = isCopied ? .copy : .source }
    keep([section])
    try receive?([section])
    return [section]
  }

  /// The outcome of asking for one thing.
  private struct Asked<Value> {
    /// The result, by a copy where the source is built in.
    var found: (source: Source, value: Value)?
    var misses: [Miss] = []
    var keyFailures: [Failure] = []
  }

  /// Looks a code up in the copies and sources that support this, one after the other.
  private func asked(for code: Code) throws -> Asked<[Candidate]> {
    let kind: Kind = code.isISBN ? .book : .vinyl
    return try asked(try context.chain(for: code), of: kind) { _, copy in
      let found = try copy.lookUp(code, as: kind)
      return found.isEmpty ? nil : found
    } web: { source, settings, http throws(SourceError) in
      let found = try source.lookUp?(code, settings, http) ?? []
      return found.isEmpty ? nil : found
    }
  }

  /// Asks the copies that come first, the web sources and the other copies, one after the other, until one has a value.
  /// A source whose key cannot be read is left out.
  private func asked<Value: Sendable>(
    _ chain: [Source], of kind: Kind, copy: (Source, SourceCopy) throws -> Value?,
    web: (Source, SourceSettings, HTTPClient) throws(SourceError) -> Value?
  ) throws -> Asked<Value> {
    let copies = CopiesAtHand(in: context)
    let order = try context.order(chain, for: kind)
    let network = order.prefix(while: \.isBuiltIn).endIndex
    func copied(_ sources: ArraySlice<Source>) throws -> (source: Source, value: Value)? {
      try copies.first(of: sources) { source, known in try copy(source, known).map { (source, $0) } }
    }
    var asked = Asked(found: try copied(order[..<network]))
    if asked.found != nil { return asked }
    var sources: [(source: Source, settings: SourceSettings)] = []
    for source in chain {
      do { sources.append((source, try context.settings(of: source, country: country))) } catch let failure as Failure
        where failure.status == .keyNeeded
      {
        asked.keyFailures.append(failure)
      }
    }
    let answer = context.http.until(try latest()).ask(sources, for: web)
    try Interrupt.check()
    (asked.found, asked.misses) = (answer.found, answer.misses)
    asked.found = try asked.found ?? copied(order[network...])
    return asked
  }

  /// The results for this code, from the first source that knows it.
  /// - Throws: ``Failure`` when none knows it and one failed.
  func lookUp(_ code: Code) throws -> [Candidate] {
    do { return try found(asked(for: code)) ?? [] } catch var failure as Failure {
      failure.hint = failure.hint ?? code.hintByHand
      throw failure
    }
  }

  /// The movie with this IMDb id, from the first source that knows it.
  /// - Parameter only: the only source to ask.
  /// - Throws: ``Failure`` when none knows it.
  func movie(_ imdb: ExternalID, at only: Source? = nil) throws -> Candidate {
    let chain = try only.map { [$0] } ?? Source.chainForIMDb(keys: context.sourcesWithKey())
    let answer = try asked(chain, of: .movie) { source, copy in
      source.id == imdb.source ? try copy.candidate(imdb) : nil
    } web: { source, settings, http throws(SourceError) in
      try source.find?(imdb, settings, http)
    }
    if let movie = try found(answer) { return movie }
    throw Failure(
      "no movie \(imdb) at \(chain.map(\.name).joined(separator: ", "))",
      hint: chain.contains { $0.id == Source.tmdb.id }
        ? "search for its title: catalog search WORDS" : "TMDB knows more movies: catalog source key tmdb")
  }

  /// The end of a warning about a source that failed.
  static func copyAnswers(_ source: Source) -> Message { "the copy of \(source.name) on this computer answers instead" }

  /// The value found, after a warning about the sources that failed before it; nil when no source knows it.
  /// - Throws: ``Failure`` when none knows it and one failed.
  private func found<Value>(_ answer: Asked<Value>) throws -> Value? {
    let trouble = trouble(of: answer.misses, answer.keyFailures, isAnswered: answer.found != nil)
    if let (source, value) = answer.found {
      if let trouble {
        context.warnOfStandIn(
          "\(trouble.failure.message); "
            + (source.isBuiltIn ? Self.copyAnswers(source) : "\(source.name) answers instead"))
        for hint in [trouble.failure.hint].compactMap(\.self) + trouble.hints { context.hint(hint) }
      }
      return value
    }
    guard var failure = trouble?.failure else { return nil }
    let names = answer.misses.filter { $0.error == nil }.compactMap { miss in Source.named(miss.source)?.name }
    if !names.isEmpty { failure.message = "\(failure.message); not known to \(names.joined(separator: ", "))" }
    throw failure
  }
}

extension SearchSection {
  fileprivate mutating func take(_ trouble: (failure: Failure, hints: [Message])?) {
    (failure, hints) = (trouble?.failure, trouble?.hints ?? [])
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
  /// The code that the words of a search are, as they are a reference.
  init?(words: String) {
    switch try? Reference(argument: words) {
    case .isbn(let isbn): self = .isbn(isbn)
    case .barcode(let barcode): self = .barcode(barcode)
    default: return nil
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
