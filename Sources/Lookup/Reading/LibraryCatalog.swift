internal import CatalogModel

/// The catalog of a library, which is asked by SRU and answers with records in a form of MARC.
/// <https://www.loc.gov/standards/sru/>
struct LibraryCatalog: Sendable {
  var id: String
  var path: String
  var version: String
  /// The name of the form that is asked for.
  var schema: String
  var form: MARCForm
  /// The index of words everywhere, with the sign behind it.
  var everywhere: String
  var indexes: [Search.Field: String]
  /// The further condition of a search by words.
  var onlyBooks: String
  /// The index of the ids, up to the id.
  var ids: String
  var identify: @Sendable (MARCRecord) -> String?

  static let mostOnPage = 50

  // MARK: Asking

  func request(_ search: Search, _ settings: SourceSettings) -> Request {
    request(
      query(for: search), at: search.offset(atMost: Self.mostOnPage), most: search.size(atMost: Self.mostOnPage),
      settings)
  }

  private func request(_ query: String, at place: Int = 0, most: Int = 10, _ settings: SourceSettings) -> Request {
    Request(
      source: id,
      url: Request.url(
        settings.baseURL, path,
        query: [
          ("version", version), ("operation", "searchRetrieve"), ("query", query), ("recordSchema", schema),
          ("startRecord", "\(place + 1)"), ("maximumRecords", "\(most)"),
        ]))
  }

  /// All words must be found. Numbers of older books are kept with ten digits.
  private func query(for search: Search) -> String {
    if search.field == .isbn || search.scope == nil, let isbn = try? ISBN(search.words),
      let index = indexes[.isbn]
    {
      return [isbn.digits13, isbn.digits10].compactMap(\.self).map { index + Self.quoted($0) }
        .joined(separator: " or ")
    }
    let index = search.field.flatMap { indexes[$0] } ?? everywhere
    let words = search.words.split(whereSeparator: \.isWhitespace).map { index + Self.quoted(String($0)) }
    return (words + [onlyBooks]).joined(separator: " and ")
  }

  private static func quoted(_ word: String) -> String {
    "\"" + word.reduce(into: "") { $0 += "\"\\".contains($1) ? "\\\($1)" : "\($1)" } + "\""
  }

  // MARK: Reading

  func read(_ response: Response, _ search: Search, _ settings: SourceSettings) throws(SourceError) -> Page {
    let (total, records) = try answer(response, settings)
    let isbn = try? ISBN(search.words)
    return Page(records, of: search, atMost: Self.mostOnPage, total: total) { record in
      record.flatMap { candidate($0, isbn: isbn) }
    }
  }

  private func candidate(_ record: MARCRecord, isbn: ISBN? = nil) -> Candidate? {
    guard let value = identify(record), value.isIdentifier else { return nil }
    let id = ExternalID(source: id, value: value)
    return record.book(as: id, in: form, isbn: isbn).map { Candidate(id: id, record: $0) }
  }

  func fetch(
    _ wanted: ExternalID, _ kind: Kind, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Fetched {
    guard wanted.value.isIdentifier else { throw .notFound }
    let question = Question(thing: request(ids + wanted.value + "\"", settings)) { response throws(SourceError) in
      try answer(response, settings).records
    }
    let records = try http.ask(question)
    guard !records.isEmpty else { throw .notFound }
    guard let record = records.lazy.compactMap({ $0.flatMap { candidate($0) } }).first?.record else {
      throw .unreadable("a book without a title")
    }
    return Fetched(record)
  }

  /// The number of all records, and those of this answer; nil for one that cannot be read.
  private func answer(
    _ response: Response, _ settings: SourceSettings
  ) throws(SourceError) -> (total: Int?, records: [MARCRecord?]) {
    let host = settings.host
    try response.requireSuccess(host: host)
    var total: Int?
    var records: [MARCRecord?] = []
    var refusal: SourceError?
    try response.elements(named: ["numberOfRecords", "recordData", "diagnostic"]) { element in
      switch element.name {
      case "numberOfRecords": total = JSON.text(element.text.trimmingBlanks).whole.flatMap { $0 < 0 ? nil : $0 }
      case "recordData": records.append(element.children.first { $0.name == "record" }.map(MARCRecord.init))
      default: refusal = refusal ?? Self.refusal(element, host)
      }
    }
    if let refusal { throw refusal }
    guard total != nil || !records.isEmpty else { throw .anotherShape }
    return (total, records)
  }

  /// <https://www.loc.gov/standards/sru/diagnostics/diagnosticsList.html>
  private static func refusal(_ diagnostic: XMLElement, _ host: String) -> SourceError {
    func text(_ name: String) -> String? {
      diagnostic.children.first { $0.name == name }.flatMap { JSON.text($0.text).line }
    }
    if text("uri") == "info:srw/diagnostic/1/2" { return .network(.busy(host: host, retryAfter: nil)) }
    return .refused(status: 400, words: (text("message") ?? text("details")).map { String($0.prefix(200)) })
  }
}

extension Source {
  /// A library, of which a search result is the complete record, without a genre.
  /// - Parameter catalog: the addresses and fields of the library, for each question.
  static func library(
    _ id: String, _ name: String, attribution: String, at address: String, isbnGroups: [String], pages: String,
    _ catalog: @escaping @Sendable () -> LibraryCatalog
  ) -> Source {
    Source(
      id: id, name: name, kinds: [.book], fields: { _ in [.title, .creator, .publisher, .isbn] },
      paging: Paging(mostOnPage: LibraryCatalog.mostOnPage), knowsGenres: false, attribution: attribution,
      // None is documented.
      limit: RateLimit(requests: 2, per: 1), defaultBaseURL: address, policy: { RetryPolicy(throttled: [], busy: [2]) },
      request: { catalog().request($0, $1) },
      read: { answer, search, settings throws(SourceError) in try catalog().read(answer, search, settings) },
      fetch: { id, kind, settings, http throws(SourceError) in try catalog().fetch(id, kind, settings, http) },
      isbnGroups: isbnGroups, pages: pages
    )
    .searchedForISBNs
  }
}

extension Response {
  /// Calls `each` for the outermost elements of an XML answer that have one of these names.
  fileprivate func elements(named names: Set<String>, _ each: (XMLElement) -> Void) throws(SourceError) {
    let start = String(decoding: body.prefix(200), as: UTF8.self).trimmingBlanks.lowercased()
    if start.isEmpty { throw .unreadable("an empty answer") }
    if ["<!doctype html", "<html"].contains(where: start.hasPrefix) {
      throw .unreadable("an HTML page instead of an answer")
    }
    var pieces = [body][...]
    do {
      try XMLElements { (pieces.popFirst() ?? [], false) }.read(named: names) { element in
        each(element)
        return true
      }
    } catch {
      if (error as? XMLProblem)?.isTooMuch == true { throw .tooMuch }
      let isWhole = body.last { $0 > 0x20 } == UInt8(ascii: ">")
      throw isWhole ? .anotherShape : .unreadable("an answer that is cut short")
    }
  }
}
