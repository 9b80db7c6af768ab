/// One source's part in a search of several.
public struct SourceSearch: Sendable {
  public var source: Source
  public var search: Search
  public var settings: SourceSettings

  public init(_ source: Source, _ search: Search, _ settings: SourceSettings) {
    (self.source, self.search, self.settings) = (source, search, settings)
  }
}

extension HTTPClient {
  /// Asks several sources at once. The pages have the order of `searches`, whatever answers first, and one that fails
  /// takes no other with it.
  ///
  /// Words that are blank are not sent: nothing is found for them. A thing that stands twice on a page is kept once.
  public func pages(of searches: [SourceSearch]) -> [Result<Page, SourceError>] {
    let asked = searches.filter { !$0.isBlank }
    var responses = send(asked.map { $0.source.request($0.search, $0.settings) })[...]
    return searches.map { part in
      guard !part.isBlank else { return .success(Page()) }
      let response = responses.popFirst() ?? .failure(.unreachable(host: part.settings.host))
      return Result { () throws(SourceError) in try part.page(from: response) }
    }
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

extension SourceSearch {
  fileprivate var isBlank: Bool { search.words.allSatisfy(\.isWhitespace) }

  fileprivate func page(from result: Result<Response, HTTPError>) throws(SourceError) -> Page {
    switch result {
    case .failure(let error): throw .network(error)
    case .success(let response):
      var page = try source.read(response, search, settings)
      page.candidates = page.candidates.withoutRepeats(by: \.id)
      return page
    }
  }
}
