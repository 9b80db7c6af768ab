public import CatalogModel
internal import FoundationEssentials

// Which source is asked after which.
extension Source {
  /// The sources that can answer a search of this kind, the best first. Of those that need a key, those of which there is
  /// one.
  ///
  /// - Parameters:
  ///   - words: the words of the search; Korean ones are for a Korean source.
  ///   - country: the person's.
  ///   - keys: the ids of the sources of which there is a key.
  public static func chain(
    for kind: Kind, words: String = "", country: String = "US", keys: Set<String> = []
  ) -> [Source] {
    let isKorean = country == "KR" || words.hasHangul
    let chain: [Source] =
      switch kind {
      case .movie: [tmdb, itunes, wikidata]
      case .book: (isKorean ? [kakao] : []) + [openLibrary, googleBooks, inventaire, itunes]
      case .vinyl: [discogs, musicBrainz, itunes]
      case .music: [itunes, musicBrainz]
      case .podcast, .app: [itunes]
      }
    return chain.filter { $0.key == nil || keys.contains($0.id) }
  }

  /// The sources that can look a code up, the best first.
  public static func chain(for code: Code, keys: Set<String> = []) -> [Source] {
    let chain: [Source] =
      switch code {
      // Kakao knows the books of the Korean market best.
      case .isbn(let isbn) where isbn.isKorean: [kakao, openLibrary, googleBooks, inventaire, itunes]
      case .isbn: [openLibrary, kakao, googleBooks, inventaire, itunes]
      case .barcode: [discogs, musicBrainz, itunes]
      }
    return chain.filter { $0.key == nil || keys.contains($0.id) }
  }

  /// The sources that know IMDb's ids, the best first.
  public static func chainForIMDb(keys: Set<String> = []) -> [Source] {
    [tmdb, wikidata].filter { $0.key == nil || keys.contains($0.id) }
  }

  /// The first source for items of this kind.
  public static func standard(
    for kind: Kind, words: String = "", country: String = "US", keys: Set<String> = []
  ) -> Source {
    chain(for: kind, words: words, country: country, keys: keys).first ?? itunes
  }
}

extension ISBN {
  /// Whether the number is of Korea's range: 978-89 or 979-11.
  fileprivate var isKorean: Bool { digits13.hasPrefix("97889") || digits13.hasPrefix("97911") }
}

extension String {
  /// Whether there is a Korean letter or syllable in it.
  fileprivate var hasHangul: Bool {
    unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF: true
      default: false
      }
    }
  }
}

/// A source that was asked and gave nothing.
public struct Miss: Sendable, Hashable {
  /// The source's id.
  public var source: String
  /// Why; nil when it has nothing of the kind.
  public var error: SourceError?

  public init(_ source: Source, _ error: SourceError? = nil) { (self.source, self.error) = (source.id, error) }
}

/// A search that goes on to the next source while sources are away.
public struct ChainSearch: Sendable {
  /// The searches of the sources, in their order; never empty.
  public var links: [SourceSearch]
  /// Whether the next source is asked, too, when one finds nothing.
  public var goesOnWhenEmpty: Bool

  public init(_ links: [SourceSearch], goesOnWhenEmpty: Bool = false) {
    (self.links, self.goesOnWhenEmpty) = (links, goesOnWhenEmpty)
  }

  /// The outcome of a chain of searches.
  public struct Answer: Sendable {
    /// The sources without a result, in the order of the requests.
    public var misses: [Miss] = []
    /// The search that was answered; nil when none was.
    public var link: SourceSearch?
    public var page = Page()

    public init(misses: [Miss] = [], link: SourceSearch? = nil, page: Page = Page()) {
      (self.misses, self.link, self.page) = (misses, link, page)
    }

    /// The first of the results of all sources that found something, else the first that is an answer.
    fileprivate init(of results: [Result<Page, SourceError>], to search: ChainSearch) {
      for (link, result) in zip(search.links, results) {
        switch result {
        case .failure(let error): misses.append(Miss(link.source, error))
        case .success(let page) where self.link == nil || self.page.candidates.isEmpty:
          (self.link, self.page) = (link, page)
        case .success: break
        }
      }
    }
  }

  /// The time limit for a source that replaces another one, in seconds.
  static let deadline = 5

  /// Runs several searches: the first sources are asked at the same time, the others one after the other.
  public static func answers(to searches: [ChainSearch], using http: HTTPClient) -> [Answer] {
    var firsts: [Int: Result<Page, SourceError>] = [:]
    for hasOthers in [false, true] {
      let places = searches.indices.filter { (searches[$0].links.count > 1) == hasOthers }
      let client = hasOthers ? http.takingOldAnswers(.never) : http
      let asked = places.filter { !searches[$0].links.isEmpty }
      for (place, result) in zip(asked, client.pages(of: asked.compactMap { searches[$0].links.first })) {
        firsts[place] = result
      }
    }
    return searches.enumerated().map { place, search in search.answer(using: http, first: firsts[place]) }
  }

  /// The answers to several searches that are kept, with no source asked: all read at once.
  public static func keptAnswers(to searches: [ChainSearch], using http: HTTPClient) -> [Answer] {
    var results = http.takingOldAnswers(.only).pages(of: searches.flatMap(\.links))[...]
    return searches.map { search in
      defer { results = results.dropFirst(search.links.count) }
      return Answer(of: Array(results.prefix(search.links.count)), to: search)
    }
  }

  /// Asks the sources one after the other until one answers. When all fail, it uses an outdated answer to the same
  /// search from the cache.
  ///
  /// A refusal of the search itself ends the search, since the other sources would get the same one.
  ///
  /// - Parameter first: the answer of the first source, if it has been asked already.
  public func answer(using http: HTTPClient, first: Result<Page, SourceError>? = nil) -> Answer {
    var answer = Answer()
    var empty: (link: SourceSearch, page: Page)?
    let hasOthers = links.count > 1
    for (place, link) in links.enumerated() {
      // An older answer is for when no other source has a new one.
      let patient = hasOthers ? http.takingOldAnswers(.never) : http
      let client = place == 0 ? patient : patient.within { Self.deadline }
      let known = place == 0 ? first : nil
      switch known ?? client.pages(of: [link]).first ?? .success(Page()) {
      case .success(let page) where page.candidates.isEmpty && goesOnWhenEmpty:
        answer.misses.append(Miss(link.source))
        empty = empty ?? (link, page)
      case .success(let page):
        (answer.link, answer.page) = (link, page)
        return answer
      case .failure(let error):
        answer.misses.append(Miss(link.source, error))
        if error.endsChain || place == 0 && !error.isAway && !error.isOfKey { return answer }
      }
    }
    if let empty {
      (answer.link, answer.page) = empty
    } else if hasOthers, let kept = Self.keptAnswers(to: [self], using: http).first, kept.link != nil {
      (answer.link, answer.page) = (kept.link, kept.page)
    }
    return answer
  }
}

extension SourceError {
  /// Whether no other source can be asked either.
  fileprivate var endsChain: Bool {
    switch self {
    case .network(.interrupted), .network(.curlMissing), .network(.curlTooOld): true
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

  /// Sets the use of outdated answers for each request.
  public func takingOldAnswers(_ use: Request.OldAnswer) -> HTTPClient {
    HTTPClient { requests in
      send(
        requests.map { request in
          var request = request
          request.oldAnswer = use
          return request
        })
    }
  }
}
