internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// A request for a picture, and the one rule by which every command gets it. The first of these that has it counts:
///
/// 1. the **file**: the stored cover of an item, without a request,
/// 2. the **kept** poster of a popular movie. Its server is asked whether it is still the same; without an answer the
///    kept one is used,
/// 3. the **cache**, by its own rules,
/// 4. the **source**.
///
/// It is made from a ``Context``, and can be answered on any thread.
struct PictureRequest: Sendable {
  /// The address on the web; nil for a stored cover with an unknown address.
  private(set) var url: String?
  private var file: Cover?
  private var kept: Cover?
  private var request: Request
  /// The noun for messages: `cover`, `portrait`.
  private let name: String
  /// The title of the item, for messages.
  private let title: String?
  private let cached: HTTPClient
  private let network: HTTPClient

  /// Requests a picture at an address from an answer about a record.
  init(
    at url: String, of record: Record, named name: String = "cover", kept: Cover? = nil, in context: Context
  ) {
    self.init(
      url: url, file: nil, kept: kept, request: context.request(for: url, of: record), name: name,
      title: record.title, in: context)
  }

  /// Requests a picture at an address by itself, named by one of these sources.
  init(at url: String, kept: Cover?, of sources: [SourceSettings], in context: Context) {
    self.init(
      url: url, file: nil, kept: kept,
      request: Request(source: Source.pictures(at: url), url: url, namedBy: sources), name: "picture",
      title: nil, in: context)
  }

  /// Wraps a cover that is stored in the catalog.
  init(_ cover: Cover, of record: Record, in context: Context) {
    self.init(
      url: cover.sourceURL, file: cover, kept: nil, request: context.request(for: cover.sourceURL ?? "", of: record),
      name: "cover", title: record.title, in: context)
  }

  private init(
    url: String?, file: Cover?, kept: Cover?, request: Request, name: String, title: String?, in context: Context
  ) {
    (self.url, self.file, self.kept, self.request) = (url, file, kept, request)
    (self.name, self.title, cached, network) = (name, title, context.pictures, context.http)
  }

  /// The request for another picture of the same record, of which none is kept.
  func at(_ url: String) -> PictureRequest {
    var question = self
    (question.url, question.file, question.kept, question.request.url) = (url, nil, nil, url)
    return question
  }

  /// The picture without a request: the stored or the kept one.
  var atHand: Cover? { file ?? kept }

  /// Whether the picture is stored in the catalog.
  var isInFile: Bool { file != nil }

  /// Whether a fetched picture differs from the one that is kept for its address.
  func isRenewed(by cover: Cover) -> Bool { kept.map { $0 != cover } ?? false }

  /// - Throws: ``Failure`` when there is no picture or it cannot be fetched, ``Interrupted``.
  func answer() throws -> Cover {
    guard let cover = try Self.answers(to: [self]).first?.get() else {
      let name = Message(words: name)
      throw Failure(
        title.map { "the \(name) of \($0.quoted) is not at its address" } ?? "the \(name) is not at its address")
    }
    return cover
  }

  /// The picture, for callers that can do without one; with the reason if it cannot be fetched. An interrupt gives no
  /// reason.
  func tried() -> (cover: Cover?, failure: Failure?) {
    do {
      return (try Self.answers(to: [self]).first?.get(), nil)
    } catch {
      return (nil, error is Interrupted ? nil : Failure(error))
    }
  }

  /// Answers several requests at once; nil for an address without a picture.
  static func answers(
    to questions: [PictureRequest], within seconds: Int? = nil
  ) -> [Result<Cover?, any Error>] {
    let asked = questions.filter { $0.file == nil }
    guard let first = asked.first else { return questions.map { .success($0.file) } }
    let kept = Dictionary(
      asked.compactMap { question in question.kept.map { (question.request.url, Response(kept: $0)) } }
    ) { first, _ in first }
    let requests = asked.map { question in
      var request = question.request
      if let seconds { request.deadline = seconds }
      return request
    }
    var responses = first.cached.having(kept, renewedBy: first.network).send(requests)[...]
    return questions.map { question in
      if let file = question.file { return .success(file) }
      guard let response = responses.popFirst() else { return .success(nil) }
      return Result { try question.cover(response) }
    }
  }

  private func cover(_ answer: Result<Response, HTTPError>) throws -> Cover? {
    let server: Message = "the server of the \(Message(words: name))"
    let response: Response
    do {
      response = try answer.get()
    } catch {
      try Interrupt.check()
      throw Failure(SourceError.network(error), named: server)
    }
    if response.status == 404 || response.status == 410 { return nil }
    guard response.status == 200 else {
      throw Failure(SourceError.refused(status: response.status), named: server)
    }
    if let kept, response.body == kept.bytes { return kept }
    do throws(ImageInfo.Fault) {
      return try Cover(image: response.body, sourceURL: request.url, etag: response.header("etag"))
    } catch {
      // Sources that have none send such a picture.
      if error == .tiny { return nil }
      throw Failure(
        "the server of the \(Message(words: name)) sent something that is not a picture", status: .sourceFailed)
    }
  }
}

extension Response {
  /// A response with the kept picture, as if it had just arrived.
  fileprivate init(kept cover: Cover) {
    self.init(
      status: 200, headers: cover.etag.map { [Header("etag", $0)] } ?? [], body: cover.bytes, origin: .cache)
  }
}
