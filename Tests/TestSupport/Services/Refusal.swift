/// A way in which a service refuses requests, such as `throttled` or `throttled:60`.
public struct Refusal: Hashable, Sendable {
  public enum Name: String, CaseIterable, Sendable {
    case forbidden, forbiddenEmpty, throttled, unprocessable, serverError, busy, flickering, keyRefused, quotaUsedUp
    case keyNotAllowed, invalidKey, hangUp, reset, page, empty, exceptionText, cutShort, slow, maxlag, inexact, away

    /// The behaviour of the service, and the meaning of the number after the name.
    public var summary: String {
      switch self {
      case .forbidden: "403 with the page or text of the service, of its CDN or of its firewall"
      case .forbiddenEmpty: "403 with an empty body and no-store: iTunes after too many requests"
      case .throttled:
        "429 in the service's own form (MusicBrainz: 503; Deezer: 200); throttled:60 adds Retry-After"
      case .unprocessable: "422: the question is not accepted"
      case .serverError: "500; serverError:502 another status"
      case .busy: "503 in the service's own form; busy:60 adds Retry-After"
      case .flickering: "503 for 3 questions, then answers; flickering:6 for 6"
      case .keyRefused: "401: the key is wrong"
      case .quotaUsedUp: "the daily quota of the key is used up"
      case .keyNotAllowed: "403: the API is not switched on for the key"
      case .invalidKey: "400: the key is no key"
      case .hangUp: "ends the connection without a byte"
      case .reset: "breaks the connection off (RST)"
      case .page: "200 with an HTML page instead of an answer"
      case .empty: "200 with nothing (Discogs: once, then answers)"
      case .exceptionText: "200 with the text of an exception, to a question for an ISBN"
      case .cutShort: "half of an answer, then the connection ends"
      case .slow: "answers after 30 seconds; slow:2 after 2"
      case .maxlag: "200 with the error `maxlag`: the databases lag behind"
      case .inexact: "a search does not count its hits (numFoundExact: false)"
      case .away: "refuses the connection: see Services.set"
      }
    }
  }

  public var name: Name
  /// Seconds, a count or a status: ``Name/summary``.
  public var number: Int?

  public init(_ name: Name, _ number: Int? = nil) { (self.name, self.number) = (name, number) }

  /// The refusal with this name: `throttled`, `slow:2`. Fails for an unknown one.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count <= 2,
      let name = Name.allCases.first(where: { $0.rawValue.lowercased() == first.lowercased() })
    else { return nil }
    self.init(name)
    guard parts.count == 2 else { return }
    guard let number = Int(parts[1]), number >= 0 else { return nil }
    self.number = number
  }

  public static let forbidden = Refusal(.forbidden)
  public static let forbiddenEmpty = Refusal(.forbiddenEmpty)
  public static let throttled = Refusal(.throttled)
  public static func throttled(retryAfter seconds: Int) -> Refusal { Refusal(.throttled, seconds) }
  public static let unprocessable = Refusal(.unprocessable)
  public static func serverError(_ status: Int) -> Refusal { Refusal(.serverError, status) }
  public static let busy = Refusal(.busy)
  public static func busy(retryAfter seconds: Int) -> Refusal { Refusal(.busy, seconds) }
  public static func flickering(count: Int) -> Refusal { Refusal(.flickering, count) }
  public static let keyRefused = Refusal(.keyRefused)
  public static let quotaUsedUp = Refusal(.quotaUsedUp)
  public static let keyNotAllowed = Refusal(.keyNotAllowed)
  public static let invalidKey = Refusal(.invalidKey)
  public static let hangUp = Refusal(.hangUp)
  public static let reset = Refusal(.reset)
  public static let page = Refusal(.page)
  public static let empty = Refusal(.empty)
  public static let exceptionText = Refusal(.exceptionText)
  public static let cutShort = Refusal(.cutShort)
  public static func slow(seconds: Int) -> Refusal { Refusal(.slow, seconds) }
  public static let maxlag = Refusal(.maxlag)
  public static let inexact = Refusal(.inexact)
  public static let away = Refusal(.away)

  // MARK: Answers

  /// A request that is refused.
  struct Situation {
    var refusal: Refusal
    var ask: Ask
    /// The answer without the refusal.
    var usual: Answer
    /// The number of requests since the refusal was set, including this one.
    var times: Int

    /// The service's answer for another refusal.
    func answer(by name: Name) -> Answer {
      ask.service.manner.form(of: name)?(Situation(refusal: Refusal(name), ask: ask, usual: usual, times: times))
        ?? usual
    }
  }

  typealias Form = @Sendable (Situation) -> Answer

  /// The answers of services without a form of their own.
  static let common: [Name: Form] = [
    .forbidden: { _ in .nginx(403) },
    .forbiddenEmpty: { _ in Answer(status: 403, headers: ["Cache-Control": "max-age=0, no-cache, no-store"]) },
    .throttled: { .nginx(429).retrying(after: $0.refusal.number) },
    .serverError: { .nginx($0.refusal.number ?? 500) },
    .busy: { .nginx(503).retrying(after: $0.refusal.number) },
    .flickering: { $0.times <= $0.refusal.number ?? 3 ? $0.answer(by: .busy) : $0.usual },
    .hangUp: { _ in .hungUp },
    .reset: { _ in .reset },
    .page: { _ in
      .html("<!DOCTYPE html>\n<html><head><title>Just a moment</title></head><body>Please wait.</body></html>\n")
    },
    .empty: { _ in Answer(headers: ["Content-Type": "application/json"]) },
    .cutShort: { $0.usual.with { $0.delivery = .cutShort } },
    .slow: { situation in situation.usual.with { $0.delay = Double(situation.refusal.number ?? 30) } },
    // A program that still uses the old address gets a reset.
    .away: { _ in .reset },
  ]
}

extension Answer {
  func with(_ change: (inout Answer) -> Void) -> Answer {
    var answer = self
    change(&answer)
    return answer
  }
}
