internal import FoundationEssentials

/// What a source is asked again after a refusal, and how long it is left alone when that does not help.
///
/// The numbers come from what each service documents and does: docs/sources.md.
public struct RetryPolicy: Sendable, Hashable {
  /// The seconds before each further try of a request that came too soon. A time that the source names goes before.
  public var throttled: [Double]
  /// The same after 5xx.
  public var busy: [Double]
  /// The same after a 200 that is no answer.
  public var unreadable: [Double]
  /// How long the source rests after a refusal that tries do not help against.
  public var rests: [Rest.Reason: Rest]
  /// Whether the source rests after each request that names no contact, whatever it answers: it may block the address of
  /// who goes on.
  public var restsWithoutContact: Bool

  public init(
    throttled: [Double] = [1, 2], busy: [Double] = [1, 2], unreadable: [Double] = [],
    rests: [Rest.Reason: Rest] = [:], restsWithoutContact: Bool = false
  ) {
    (self.throttled, self.busy, self.unreadable) = (throttled, busy, unreadable)
    (self.rests, self.restsWithoutContact) = (rests, restsWithoutContact)
  }

  /// The policy for pictures of all but the Internet Archive.
  public static let pictures = RetryPolicy(throttled: [2], busy: [2])
  /// The policy for the Internet Archive's pictures. It blocks an address that asks too fast by refusing connections.
  public static let archive = RetryPolicy(throttled: [2], busy: [2], rests: [.closed: .seconds(600)])

  /// The seconds before each further try after this trouble.
  func pauses(after trouble: Trouble) -> [Double] {
    switch trouble {
    case .throttled: throttled
    case .busy: busy
    case .unreadable: unreadable
    }
  }
}

/// How long a source is left alone.
public enum Rest: Sendable, Hashable {
  /// So many seconds, twice as many each time in a row up to `most`.
  case seconds(Int, most: Int? = nil)
  /// Until a full hour of the day in UTC: the midnight of the source's own day.
  case untilHour(Int)

  /// Why a source rests.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// Too many requests.
    case throttled
    /// The requests of the day are used up.
    case quota
    /// The source refuses this program, which names no contact.
    case contact
    /// The source refuses this program.
    case forbidden
    case hungUp
    /// The host takes no connection.
    case closed
  }

  /// When the rest is over.
  /// - Parameter count: how many rests there were in a row, this one included.
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

/// A refusal that a further try may help against.
enum Trouble: Sendable, Hashable {
  case throttled, busy, unreadable
}

extension Request {
  /// Which refusal a response is that a further try may help against; nil for an answer, and for any other refusal.
  func trouble(in response: Response) -> Trouble? {
    guard let reader else {
      return response.status == 429 ? .throttled : response.status >= 500 ? .busy : nil
    }
    return switch reader(response) {
    case .network(.throttled), .quota(.minute): .throttled
    case .network(.busy): .busy
    case .refused(500..., _): .busy
    case .unreadable where response.status == 200: .unreadable
    default: nil
    }
  }

  /// The seconds after which the source answers again, where it says so.
  func retryAfter(_ response: Response, now: Date) -> Double? {
    if let seconds = response.retryAfter(now) { return seconds }
    return switch reader?(response) {
    case .network(.throttled(_, let seconds?)), .network(.busy(_, let seconds?)): Double(seconds)
    default: nil
    }
  }
}
