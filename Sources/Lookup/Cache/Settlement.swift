internal import FoundationEssentials

/// What an answer means where another one may be kept. Answers and pictures are kept by one rule; what is one, they know
/// themselves.
struct Settlement {
  /// What came, to who keeps such things.
  enum Reading {
    case answer
    /// The word of the source that there is no such thing, or no longer.
    case absence
    /// A page instead of an answer, a breakdown, a refusal that a kept answer makes good.
    case trouble
    /// A refusal that a kept answer must not hide: of the key, or of the question.
    case refusal
  }

  /// What becomes of what is kept.
  enum Change {
    case keep(Response, until: Date)
    /// It is still right.
    case renew(Response, until: Date)
    case keepAbsence(Response, until: Date)
    /// It is right no longer, and what came in its place must not be kept.
    case forget
    case nothing
  }

  /// What who asked gets. The old one is better than none, and says that it is old.
  private(set) var result: Result<Response, HTTPError>
  private(set) var change = Change.nothing

  init(
    _ answer: Result<Response, HTTPError>, to request: Request, kept: Response?, now: Date,
    reading: (Response) -> Reading
  ) {
    var old = kept
    old?.origin = .staleCache
    guard case .success(var response) = answer else {
      result = answer == .failure(.interrupted) ? answer : old.map { .success($0) } ?? answer
      return
    }
    let isEcho = request.secret?.blot(out: &response) ?? false
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
    // What has the key in it is not kept.
    guard let news, !isEcho else { return }
    change = response.freshUntil(now).map { news(response, $0) } ?? (kept == nil ? .nothing : .forget)
  }
}
