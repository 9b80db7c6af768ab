public import CatalogModel
internal import FoundationEssentials

// Which source is asked after which.
extension Source {
  /// The sources that can answer a search of this kind, the best first. Of those that need a key, those of which there
  /// is one.
  ///
  /// - Parameters:
  ///   - words: the words of the search; Korean ones are for a Korean source.
  ///   - country: the person's.
  ///   - keys: the ids of the sources of which there is a key.
  public static func chain(
    for kind: Kind, words: String = "", country: String = "US", keys: Set<String> = []
  ) -> [Source] {
    let isKorean = country == "KR" || Language.written(in: words).first == "ko"
    let chain: [Source] =
      switch kind {
      case .movie: [tmdb, itunes, wikidata]
      case .book: (isKorean ? [kakao, aladin] : []) + [openLibrary, googleBooks, inventaire, itunes]
      case .vinyl: [discogs, musicBrainz, itunes]
      case .music: [itunes, musicBrainz]
      case .podcast, .app: [itunes]
      }
    return chain.having(keys)
  }

  /// The sources that can look a code up, the best first.
  public static func chain(for code: Code, keys: Set<String> = []) -> [Source] {
    let chain: [Source] =
      switch code {
      case .isbn(let isbn): chain(for: isbn)
      case .barcode: [discogs, musicBrainz, itunes]
      }
    return chain.having(keys)
  }

  /// The sources for an ISBN. A country's own come after the first; Open Library has few Korean books.
  private static func chain(for isbn: ISBN) -> [Source] {
    let own = all.filter { $0.isbnGroups.contains(where: isbn.digits13.hasPrefix) }
    let first = own.contains { $0.id == kakao.id } ? [] : [openLibrary]
    return (first + own + [openLibrary, kakao, googleBooks, inventaire, itunes]).withoutRepeats(by: \.id)
  }

  /// The sources that know IMDb's ids, the best first.
  public static func chainForIMDb(keys: Set<String> = []) -> [Source] {
    [tmdb, wikidata].having(keys)
  }

  /// The first source for items of this kind.
  public static func standard(
    for kind: Kind, words: String = "", country: String = "US", keys: Set<String> = []
  ) -> Source {
    chain(for: kind, words: words, country: country, keys: keys).first ?? itunes
  }
}

extension [String] {
  /// The beginnings of Korea's ISBNs.
  static let ofKorea = ["97889", "97911"]
}

extension [Source] {
  /// Those that need no key, and those of which there is one.
  fileprivate func having(_ keys: Set<String>) -> [Source] { filter { $0.key == nil || keys.contains($0.id) } }

  /// The order of these web sources of a chain and of copies: the copies that come first, these, the other
  /// copies; of both the copies of these sources before others.
  public func order(with copies: [Source], first: Set<String>) -> [Source] {
    let ids = map(\.id)
    let copies = copies.filter { ids.contains($0.id) } + copies.filter { !ids.contains($0.id) }
    return copies.filter { first.contains($0.id) } + self + copies.filter { !first.contains($0.id) }
  }
}

/// A source that was asked and gave nothing.
public struct Miss: Sendable, Hashable {
  /// The source's id.
  public var source: String
  /// Why; nil when it has nothing of the kind.
  public var error: SourceError?
  /// The number of results that could not be read.
  public var unreadable = 0

  public init(_ source: Source, _ error: SourceError? = nil, unreadable: Int = 0) {
    (self.source, self.error, self.unreadable) = (source.id, error, unreadable)
  }
}

/// A search that goes from one source to the next until one has results: the copies that come first, the web sources,
/// their earlier answers, the other copies, the built-in pack.
///
/// A source that has nothing, or cannot be asked, is passed over. Only an interruption and a missing curl end the
/// chain.
public struct ChainSearch: Sendable {
  /// The searches of the sources, in their order.
  public var links: [SourceSearch]
  /// Whether a person named the first source. Another link replaces it if it is away, but not after an empty answer,
  /// and only its own copy after a refused key.
  public var isNamed: Bool

  public init(_ links: [SourceSearch], isNamed: Bool = false) { (self.links, self.isNamed) = (links, isNamed) }

  /// The outcome of a chain of searches.
  public struct Answer: Sendable {
    /// The sources without a result, in the order of the requests.
    public var misses: [Miss] = []
    /// The search that has results, or else the first that has none; nil when no source could be asked.
    public var link: SourceSearch?
    public var page = Page()

    public init(misses: [Miss] = [], link: SourceSearch? = nil, page: Page = Page()) {
      (self.misses, self.link, self.page) = (misses, link, page)
    }
  }

  /// The time limit for a source that replaces another one, in seconds.
  static let deadline = 5

  /// Runs several searches: the first sources are asked at the same time, the others one after the other.
  public static func answers(to searches: [ChainSearch], using http: HTTPClient) -> [Answer] {
    let firsts = http.takingOldAnswers(.never).pages(of: searches.compactMap(\.links.first))
    var rest = firsts[...]
    return searches.map { search in
      search.answer(using: http, first: search.links.isEmpty ? nil : rest.popFirst())
    }
  }

  /// Asks the sources one after the other.
  /// - Parameter first: the answer of the first source, if it has been asked already.
  public func answer(using http: HTTPClient, first: Result<Page, SourceError>? = nil) -> Answer {
    var (answer, isKeyRefused) = (Answer(), false)
    let lastWeb = links.lastIndex { !$0.source.isBuiltIn }
    for (place, link) in links.enumerated() where !isKeyRefused || link.source.id == links[0].source.id {
      // An older answer is for when no source has a new one.
      let client = http.takingOldAnswers(.never)
      let asked = place == 0 ? client : client.within { Self.deadline }
      switch (place == 0 ? first : nil) ?? asked.pages(of: [link]).first ?? .success(Page()) {
      case .success(let page) where !page.candidates.isEmpty:
        (answer.link, answer.page) = (link, page)
        return answer
      case .success(let page):
        answer.misses.append(Miss(link.source, unreadable: page.unreadable))
        if answer.link == nil { (answer.link, answer.page) = (link, page) }
        // Another source has other pages.
        if !link.source.isBuiltIn, isNamed || link.search.page > 1 { return answer }
      case .failure(let error):
        answer.misses.append(Miss(link.source, error))
        if error.endsChain { return answer }
        isKeyRefused = isKeyRefused || isNamed && error.isOfKey
      }
      if place == lastWeb, let kept = kept(by: answer.misses, using: http) {
        (answer.link, answer.page) = kept
        return answer
      }
    }
    return answer
  }

  /// The first of the earlier answers that has results, of the sources that could not be asked.
  private func kept(by misses: [Miss], using http: HTTPClient) -> (SourceSearch, Page)? {
    let away = Set(misses.filter { $0.error != nil }.map(\.source))
    let links = links.filter { !$0.source.isBuiltIn && away.contains($0.source.id) }
    return zip(links, http.takingOldAnswers(.only).pages(of: links)).lazy.compactMap { link, result in
      (try? result.get()).flatMap { $0.candidates.isEmpty ? nil : (link, $0) }
    }.first
  }
}

extension SourceError {
  /// Whether no other source can be asked either.
  fileprivate var endsChain: Bool {
    switch self {
    case .network(.interrupted), .network(.curlMissing), .network(.curlTooOld), .noPage, .noShop: true
    default: false
    }
  }
}

/// The outcome of asking several sources for one item.
public struct ChainAnswer<Value: Sendable>: Sendable {
  public var misses: [Miss] = []
  /// The source that answered, and its answer; nil when none did.
  public var found: (source: Source, value: Value)?
}

extension HTTPClient {
  /// Asks sources for one item, one after the other, until one has it.
  ///
  /// - Parameters:
  ///   - sources: the sources with their settings, in the order of the requests.
  ///   - ask: asks one source; returns nil when it does not have the item.
  public func ask<Value: Sendable>(
    _ sources: [(source: Source, settings: SourceSettings)],
    for ask: (Source, SourceSettings, HTTPClient) throws(SourceError) -> Value?
  ) -> ChainAnswer<Value> {
    var answer = ChainAnswer<Value>()
    for (place, (source, settings)) in sources.enumerated() {
      do throws(SourceError) {
        if let value = try ask(source, settings, place == 0 ? self : within { ChainSearch.deadline }) {
          answer.found = (source, value)
          return answer
        }
        answer.misses.append(Miss(source))
      } catch {
        answer.misses.append(Miss(source, error == .notFound ? nil : error))
        if error.endsChain { return answer }
      }
    }
    return answer
  }
}
