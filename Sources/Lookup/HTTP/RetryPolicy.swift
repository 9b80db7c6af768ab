internal import FoundationEssentials

/// The rules for retrying a refused request, and for the rest of a source when retries do not help.
///
/// The numbers come from the documentation and the behavior of each service: docs/sources.md.
public struct RetryPolicy: Sendable, Hashable {
  /// The seconds before each retry of a request that exceeded a rate limit. A time named by the source takes
  /// precedence; after a time of more than ``longestWait`` there is no retry.
  public var throttled: [Double]
  /// The seconds before each retry after a 5xx status.
  public var busy: [Double]
  /// The seconds before each retry after an unreadable answer with status 200.
  public var unreadable: [Double]
  /// The rest after a refusal that retries do not help against, by reason. A source that asks for a pause always rests.
  public var rests: [Rest.Reason: Rest]
  /// Whether the source rests after each request without a contact, whatever the answer. It may block the address of a
  /// program that continues.
  public var restsWithoutContact: Bool

  public init(
    throttled: [Double] = [1], busy: [Double] = [1, 2], unreadable: [Double] = [],
    rests: [Rest.Reason: Rest] = [:], restsWithoutContact: Bool = false
  ) {
    (self.throttled, self.busy, self.unreadable) = (throttled, busy, unreadable)
    self.rests = rests.merging([.throttled: .standard, .busy: .standard]) { own, _ in own }
    self.restsWithoutContact = restsWithoutContact
  }

  /// The longest wait before a retry, in seconds.
  static let longestWait = 3.0

  /// The policy for pictures, except those of the Internet Archive. They are at many hosts, so none rests for another.
  public static let pictures = {
    var policy = RetryPolicy(throttled: [2], busy: [2])
    policy.rests = [:]
    return policy
  }()
  /// The policy for pictures of the Internet Archive. It refuses connections from an address that asks too often.
  public static let archive = RetryPolicy(throttled: [2], busy: [2], rests: [.closed: .seconds(600)])

  /// The seconds before each retry of a refused request; nil for an answer, and for a refusal that a retry does not
  /// help against.
  func pauses(after response: Response, to request: Request) -> [Double]? {
    guard let reader = request.reader else {
      return response.status == 429 ? throttled : response.status >= 500 ? busy : nil
    }
    return switch reader(response) {
    case .network(.throttled), .quota(.minute): throttled
    case .network(.busy), .refused(500..., _): busy
    case .unreadable where response.status == 200: unreadable
    default: nil
    }
  }
}

public enum Rest: Sendable, Hashable {
  /// A number of seconds, doubled with each consecutive rest up to `most`.
  case seconds(Int, most: Int? = nil)
  /// Until the given hour of the day in UTC, at which the source starts a new day.
  case untilHour(Int)

  /// The rest of a source that asks for a pause and names no time.
  static let standard = Rest.seconds(60)
  /// The longest rest that a source can ask for, in seconds.
  static let longest = 86_400

  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// Too many requests.
    case throttled
    /// The source is overloaded.
    case busy
    /// The rate limit of this program is used up until then. Such a rest is not stored.
    case limit
    /// The daily quota is used up.
    case quota
    /// The source refuses the program because it names no contact.
    case contact
    /// The source refuses the program.
    case forbidden
    case hungUp
    /// The host refuses connections.
    case closed
  }

  /// Returns the end of the rest.
  /// - Parameter count: the number of consecutive rests, including this one.
  func end(from now: Date, count: Int) -> Date {
    switch self {
    case .seconds(let seconds, let most):
      let doubled = seconds << min(max(0, count - 1), 16)
      return now.addingTimeInterval(Double(most.map { min($0, doubled) } ?? seconds))
    case .untilHour(let hour):
      let time = now.timeIntervalSince1970
      let today = (time / 86_400).rounded(.down) * 86_400 + Double(hour) * 3_600
      return Date(timeIntervalSince1970: today > time ? today : today + 86_400)
    }
  }
}

extension Request {
  /// The seconds until the source answers again, if it names them.
  func retryAfter(_ response: Response, now: Date) -> Double? {
    if let seconds = response.retryAfter(now) { return seconds }
    return switch reader?(response) {
    case .network(.throttled(_, let seconds?)), .network(.busy(_, let seconds?)): Double(seconds)
    default: nil
    }
  }
}
