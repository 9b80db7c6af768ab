public import CatalogModel

/// One source's part in a search of several.
public struct SourceSearch: Sendable {
  public var source: Source
  public var search: Search
  public var settings: SourceSettings
  /// The number of pages, from that of the search on.
  public var pages: Int

  /// Whether the hits are put in order by their titles. A source is then asked for pages of a fixed size, each put in
  /// order by itself, so that the order does not depend on how many hits are wanted.
  public var isRanked: Bool

  public init(
    _ source: Source, _ search: Search, _ settings: SourceSettings, pages: Int = 1, isRanked: Bool = false
  ) {
    (self.source, self.search, self.settings, self.pages) = (source, search, settings, pages)
    self.isRanked = isRanked && search.isForTitles
  }

  /// The number of hits that are put in order together: as many as are asked for at once, or of hits that have to be
  /// completed those that take two requests to Wikidata.
  fileprivate var rankedTogether: Int { source.complete == nil ? min(100, source.paging.mostOnPage) : 14 }

  /// The size of the pages that the source is asked for; nil for the size that is wanted.
  fileprivate var ownPageSize: Int? {
    let paging = source.paging
    let size = search.size(atMost: 200)
    if let fixed = paging.fixedSize { return fixed }
    if isRanked, source.complete != nil {
      let blocks = min((size * max(1, pages) - 1) / rankedTogether + 1, paging.mostOnPage / rankedTogether)
      return max(1, blocks) * rankedTogether
    }
    if isRanked { return rankedTogether }
    return pages > 1 || size > paging.mostOnPage ? min(size * max(1, pages), paging.mostOnPage) : nil
  }

  /// The maximum number of hits.
  public var mostHits: Int { search.pageSize * pages }
}

extension HTTPClient {
  /// Asks several sources at the same time. The pages are in the order of `searches`, and a failed search does not
  /// affect the others.
  ///
  /// Blank words find nothing without a request. A search without a required key fails, and so does a page after the
  /// last one, with ``SourceError/noPage(last:hits:)``. Built-in sources answer at once. Duplicates within a page are
  /// removed. A page that must be put together, because the source has a fixed page size or several pages are wanted,
  /// takes as few requests as possible, each sent only while hits are missing. A search without hits is repeated in
  /// other words: without the *by* of `dune by frank herbert`, and as its source has it: ``Source/rephrased``.
  public func pages(of searches: [SourceSearch]) -> [Result<Page, SourceError>] {
    var paginators = searches.map { Paginator($0, using: self) }
    while true {
      let due = paginators.indices.filter { paginators[$0].question != nil }
      if due.isEmpty { break }
      var responses = send(due.compactMap { paginators[$0].question?.request })[...]
      for index in due { paginators[index].take(responses.popFirst()) }
    }
    return paginators.map(\.result)
  }
}

extension Source {
  /// One page of a search of this source alone.
  public func page(
    of search: Search, _ settings: SourceSettings, using http: HTTPClient
  ) throws(SourceError) -> Page {
    try http.pages(of: [SourceSearch(self, search, settings)]).first?.get() ?? Page()
  }
}

extension Source {
  /// The source, with ISBNs looked up by a search.
  var searchedForISBNs: Source {
    var source = self
    source.lookUp = { code, settings, http throws(SourceError) in
      guard case .isbn(let isbn) = code else { return [] }
      let search = Search(words: isbn.digits13, kind: .book, scope: .field(.isbn))
      return try page(of: search, settings, using: http).candidates.filter { $0.record.book.isbn == isbn }
    }
    return source
  }
}

extension [Candidate] {
  /// The same, vinyl before other discs.
  var recordsFirst: [Candidate] {
    func isVinyl(_ candidate: Candidate) -> Bool {
      candidate.record.vinyl.format?.lowercased().contains("vinyl") == true
    }
    return filter(isVinyl) + filter { !isVinyl($0) }
  }
}

extension Source {
  /// The question for a page of a search that only the source itself may answer, even while it rests.
  public func trial(_ search: Search, _ settings: SourceSettings) -> Request {
    var request = question(request(search, settings), search, settings).request
    (request.bypassesCache, request.ignoresRest) = (true, true)
    return request
  }
}

extension Source {
  /// The popular movies of this week, by rank. The request bypasses the cache, which may have last week's list.
  /// - Throws: ``SourceError``; a list without movies is unreadable.
  public func trendingPage(_ settings: SourceSettings, using http: HTTPClient) throws(SourceError) -> Page {
    guard var request = trending?(settings) else { throw .notFound }
    try requireKey(settings)
    request.bypassesCache = true
    let read = read
    return try http.ask(
      Question(request) { response throws(SourceError) in
        let page = try read(response, Search(words: "", kind: .movie), settings)
        guard !page.candidates.isEmpty else { throw .unreadable("a list without movies") }
        return page.withoutRepeats
      })
  }
}

extension Source {
  /// The pressings of an album, the oldest first: the first page, or all pages up to a limit. When a page fails, the
  /// earlier pages are returned, and ``Page/hasMore`` is true.
  /// - Returns: nil when the source has no pressings, or the id is not that of an album.
  public func pressings(
    of album: ExternalID, isAll: Bool, _ settings: SourceSettings, using http: HTTPClient
  ) throws(SourceError) -> Page? {
    var found: Page?
    for number in 1...(isAll ? 20 : 1) {
      guard let request = pressings?(album, number, settings) else { return nil }
      do throws(SourceError) {
        let page = try http.ask(question(request, Search(words: "", kind: .vinyl, page: number), settings))
        found = Page(
          candidates: ((found?.candidates ?? []) + page.candidates).withoutRepeats, total: page.total,
          hasMore: page.hasMore, unreadable: (found?.unreadable ?? 0) + page.unreadable)
      } catch {
        guard found != nil else { throw error }
        break
      }
      guard found?.hasMore == true else { break }
    }
    return found
  }
}

/// The progress of one search that takes several requests.
private struct Paginator {
  private let part: SourceSearch
  private let http: HTTPClient
  /// The number of wanted hits.
  private let wanted: Int
  /// Whether it may take several requests.
  private var isGathered = false
  /// The other words to try while nothing is found; nil until then.
  private var rephrasings: ArraySlice<Search>?
  /// The title and maker that were typed with a *by* between them: nothing else is meant.
  private var titleWithMaker: SearchWords?
  /// The source's next page; nil at the end.
  private var next: Search?
  /// The request for the next page.
  private(set) var question: Question<Page>?
  /// The number of hits on that page to skip, because they belong to earlier pages.
  private var passed = 0
  /// The number of places used, by hits or by elements that could not be read.
  private var taken = 0
  private(set) var result: Result<Page, SourceError>

  init(_ part: SourceSearch, using http: HTTPClient) {
    (self.part, self.http) = (part, http)
    let paging = part.source.paging
    let size = part.search.size(atMost: part.pages > 1 && paging.fixedSize == nil ? paging.mostOnPage : 200)
    wanted = size * max(1, part.pages)
    result = .success(Page())
    do throws(SourceError) {
      try part.source.requireKey(part.settings)
    } catch {
      result = .failure(error)
      return
    }
    guard !part.search.words.allSatisfy(\.isWhitespace) else { return }
    var search = part.search
    let last = paging.last(ofSize: size)
    guard search.number <= last else {
      result = .failure(.noPage(last: last))
      return
    }
    if let own = part.ownPageSize {
      let offset = (search.number - 1) * size
      (search.page, search.pageSize) = (offset / own + 1, own)
      passed = offset % own
      isGathered = true
    }
    ask(for: search)
  }

  private mutating func ask(for page: Search) {
    next = page
    guard let builtIn = part.source.builtIn else {
      question = part.source.question(part.source.request(page, part.settings), page, part.settings)
      return
    }
    take(Result { () throws(SourceError) in try builtIn.search(page) })
  }

  /// The next words to try.
  private mutating func rephrased(_ search: Search) -> Search? {
    let rest = rephrasings ?? [search.withoutBy, part.source.rephrased?(search)].compactMap(\.self)[...]
    rephrasings = rest.dropFirst()
    titleWithMaker = rest.first.flatMap { $0 == search.withoutBy ? SearchWords($0.words) : nil }
    return rest.first
  }

  mutating func take(_ answer: Result<Response, HTTPError>?) {
    guard let question else { return }
    self.question = nil
    take(
      question.value(of: answer).map { page in
        var page = page
        page.isOld = (try? answer?.get())?.origin == .staleCache
        return page
      })
  }

  private mutating func take(_ answer: Result<Page, SourceError>) {
    guard var search = next, case .success(var page) = result else { return }
    next = nil
    var found: Page
    switch answer.flatMap({ page in Result { () throws(SourceError) in try ordered(page) } }) {
    case .success(let answer): found = answer
    case .failure(let error) where page.candidates.isEmpty:
      result = .failure(error)
      return
    case .failure(let error):
      // The earlier hits stay, and more exist.
      page.stop = .failure(error)
      result = .success(page)
      return
    }
    if let titleWithMaker {
      found.candidates.removeAll { TitleRank(of: $0.record, for: titleWithMaker) > .withNames }
    }
    if found.isNothing(at: search), page.candidates.isEmpty, let rephrased = rephrased(search) {
      return ask(for: rephrased)
    }
    // The place of an unreadable hit is unknown: a hit is rather shown twice than never.
    let behind = found.candidates.dropFirst(max(0, passed - found.unreadable))
    page.candidates = (page.candidates + behind).withoutRepeats
    page.unreadable += found.unreadable
    page.isOld = page.isOld || found.isOld
    page.total = found.total
    let isLast = search.number >= part.source.paging.last(ofSize: isGathered ? search.pageSize : wanted)
    page.hasMore = found.hasMore && !isLast
    page.stop = found.hasMore && isLast ? .bound : nil
    guard isGathered else { return result = .success(page) }
    taken += max(0, found.candidates.count + found.unreadable - passed)
    passed = 0
    if page.candidates.count > wanted {
      page.candidates.removeSubrange(wanted...)
      (page.hasMore, page.stop) = (true, nil)
    }
    result = .success(page)
    if taken < wanted, page.hasMore {
      search.page += 1
      ask(for: search)
    }
  }

  /// The source's page with complete hits in the order in which they are shown. Of hits that have to be completed no
  /// more are than it takes.
  private func ordered(_ page: Page) throws(SourceError) -> Page {
    var page = page
    let together = part.rankedTogether
    let most = ((passed + wanted - taken - 1) / together + 1) * together
    if part.source.complete != nil, page.candidates.count > most {
      page.candidates.removeSubrange(most...)
      page.hasMore = true
    }
    let blocks = page.candidates.map(\.id).chunks(of: together).map { Set($0) }
    if let complete = part.source.complete, !page.candidates.isEmpty {
      page = try complete(page, part.search, part.settings, http)
    }
    guard part.isRanked else { return page }
    page.candidates = blocks.flatMap { block in
      page.candidates.filter { block.contains($0.id) }.ranked(for: part.search)
    }
    return page
  }
}

extension Source {
  fileprivate func question(_ request: Request, _ search: Search, _ settings: SourceSettings) -> Question<Page> {
    Question(request) { [read] response throws(SourceError) in
      try read(response, search, settings).withoutRepeats
    }
  }
}

extension Search {
  /// The search without the word *by* between a title and its maker; nil without one, or for one field.
  fileprivate var withoutBy: Search? {
    let parts = words.split(whereSeparator: \.isWhitespace)
    guard scope == nil, let place = parts.dropFirst().dropLast().lastIndex(where: { $0.lowercased() == "by" }) else {
      return nil
    }
    var search = self
    search.words = (parts[..<place] + parts[(place + 1)...]).joined(separator: " ")
    return search
  }
}

extension Page {
  /// Whether the search has no hits: an empty first page, or an empty later page with a total of 0.
  fileprivate func isNothing(at search: Search) -> Bool {
    candidates.isEmpty && unreadable == 0 && (search.number == 1 || total == 0)
  }

  fileprivate var withoutRepeats: Page {
    var page = self
    page.candidates = candidates.withoutRepeats
    return page
  }
}

extension [Candidate] {
  /// The candidates without duplicates, each at its first position. Of two with one id or ISBN, the fuller one is kept.
  fileprivate var withoutRepeats: [Candidate] {
    var kept: [Candidate] = []
    var places: [String: Int] = [:]
    for candidate in self {
      let names = [candidate.id.description, candidate.record.book.isbn?.digits13].compactMap(\.self)
      if let place = names.lazy.compactMap({ places[$0] }).first {
        if candidate.record.told > kept[place].record.told { kept[place] = candidate }
        for name in names { places[name] = place }
      } else {
        for name in names { places[name] = kept.count }
        kept.append(candidate)
      }
    }
    return kept
  }
}

extension Record {
  /// The number of known fields, to choose the fuller one of two records of the same item.
  fileprivate var told: Int {
    let facts: [Any?] = [
      originalTitle, released, year, summary, url, artworkURL, previewURL, publicRating, offer, credits.first,
      labels.first, otherTitles.first,
    ]
    guard case .book(let book) = details else { return facts.count { $0 != nil } }
    let printed: [Any?] = [
      book.isbn, book.publisher, book.published, book.pages, book.language, book.series, book.price, book.salePrice,
    ]
    return (facts + printed).count { $0 != nil }
  }
}

extension Collection {
  /// The element of a collection that has just one.
  var only: Element? { count == 1 ? first : nil }
}
