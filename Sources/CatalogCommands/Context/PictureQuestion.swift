internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// A picture that is wanted, and the one rule by which every command has it. The first of these that has it counts:
///
/// 1. the **file**: the cover of an item is in it, and nobody is asked,
/// 2. what is **kept**: the poster of a popular movie. Its server is asked whether it is still the same, and when nobody can
///    be asked, or nothing better comes, the kept one is it,
/// 3. the **cache**, by the rules of its own,
/// 4. the **source**.
///
/// It is made of a ``Context``, and can be answered on any thread.
struct PictureQuestion: Sendable {
  /// Where it is on the web; nil when that is not known of what is in the file.
  private(set) var url: String?
  private var file: Cover?
  private var kept: Cover?
  private var request: Request
  /// What messages call it: `cover`, `portrait`.
  private let name: String
  /// Whose it is, for messages.
  private let title: String?
  private let cached: HTTPClient
  private let network: HTTPClient

  /// A picture at an address that an answer about a record has named.
  init(
    at url: String, of record: Record, named name: String = "cover", kept: Cover? = nil, in context: Context
  ) {
    self.init(
      url: url, file: nil, kept: kept, request: context.request(for: url, of: record), name: name,
      title: record.title, in: context)
  }

  /// A picture at an address by itself, of one of these sources.
  init(at url: String, kept: Cover?, of sources: [SourceSettings], in context: Context) {
    self.init(
      url: url, file: nil, kept: kept,
      request: Request(source: Source.pictures(at: url), url: url, namedBy: sources), name: "picture",
      title: nil, in: context)
  }

  /// A picture that is in the file.
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

  /// The same for another picture of the same thing, of which none is kept.
  func at(_ url: String) -> PictureQuestion {
    var question = self
    (question.url, question.file, question.kept, question.request.url) = (url, nil, nil, url)
    return question
  }

  /// What is there without asking anybody: in the file, or kept.
  var atHand: Cover? { file ?? kept }

  /// Whether it is in the file already.
  var isInFile: Bool { file != nil }

  /// Whether a picture that came is another than the one that is kept from its address.
  func isRenewed(by cover: Cover) -> Bool { kept.map { $0 != cover } ?? false }

  /// - Throws: ``Failure`` when there is none or it cannot be had, ``Interrupted``.
  func answer() throws -> Cover {
    guard let cover = try Self.answers(to: [self]).first?.get() else {
      let name = Message(words: name)
      throw Failure(title.map { "no \(name) of \($0.quoted) is at its address" } ?? "no \(name) is at its address")
    }
    return cover
  }

  /// The same for what goes on without a picture: then there is only why, where that is worth a word.
  func tried() -> (cover: Cover?, failure: Failure?) {
    do {
      return (try Self.answers(to: [self]).first?.get(), nil)
    } catch {
      return (nil, error is Interrupted ? nil : Failure(error))
    }
  }

  /// Several at once. Nil where there is none at the address.
  static func answers(
    to questions: [PictureQuestion], within seconds: Int? = nil
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
    let server = "the server of the \(name)"
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
    guard let cover = Cover(image: response.body, sourceURL: request.url, etag: response.header("etag")) else {
      throw Failure(
        "the server of the \(Message(words: name)) sent something that is no picture", status: .sourceFailed)
    }
    return cover
  }
}

extension Response {
  /// A picture that is kept, as if it had just come.
  fileprivate init(kept cover: Cover) {
    self.init(
      status: 200, headers: cover.etag.map { [Header("etag", $0)] } ?? [], body: cover.bytes, origin: .cache)
  }
}
