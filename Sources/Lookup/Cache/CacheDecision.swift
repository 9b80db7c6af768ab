internal import FoundationEssentials

/// The decision about a received answer and the stored one. Answers and pictures share these rules; each provides its
/// own ``AnswerKind``.
struct CacheDecision {
  /// The meaning of a response.
  enum AnswerKind {
    case answer
    /// The source reports that the item does not exist, or no longer does.
    case absence
    /// An error page, a failure, or a refusal that a stored answer may replace.
    case trouble
    /// A refusal, of the key or of the request, that a stored answer must not hide.
    case refusal
  }

  /// The change to the stored answer.
  enum Change {
    case keep(Response, until: Date)
    /// The stored answer is still valid.
    case renew(Response, until: Date)
    case keepAbsence(Response, until: Date)
    /// The stored answer is outdated, and the new one must not be stored.
    case forget
    case nothing
  }

  /// The result for the caller: the received answer, or the stored one marked as old.
  private(set) var result: Result<Response, HTTPError>
  private(set) var change = Change.nothing

  init(
    _ answer: Result<Response, HTTPError>, to request: Request, kept: Response?, now: Date,
    reading: (Response) -> AnswerKind
  ) {
    var old = kept
    old?.origin = .staleCache
    guard case .success(var response) = answer else {
      result = answer == .failure(.interrupted) ? answer : old.map { .success($0) } ?? answer
      return
    }
    let isEcho = request.secret?.redact(from: &response) ?? false
    result = .success(response)
    var news: ((Response, Date) -> Change)?
    switch (response.status, reading(response)) {
    case (304, _):
      guard let updated = kept?.updated(by: response) else { break }
      result = .success(updated)
      response = updated
      news = { .renew($0, until: $1) }
    case (_, .answer): news = { .keep($0, until: $1) }
    case (_, .absence): news = { .keepAbsence($0, until: $1) }
    case (_, .trouble): result = old.map { .success($0) } ?? result
    case (_, .refusal): break
    }
    // An answer that contains the key is not stored.
    guard let news, !isEcho else { return }
    change = response.freshUntil(now).map { news(response, $0) } ?? (kept == nil ? .nothing : .forget)
  }
}
