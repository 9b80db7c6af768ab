public import CatalogModel

/// Something about a selection that an unchanged, even taste would hardly show. docs/genre-mathematics.md says which test stands behind
/// each, and what it takes to be said.
public struct GenreFinding: Sendable, Hashable {
  /// What is so, with the numbers that say it.
  public enum Claim: Sendable, Hashable {
    /// Another share of what was added in the last 365 days than of what was added before.
    case trend(now: Share, before: Share)
    /// Nothing of it was added any more from then on, while so many other things were.
    case quiet(since: PartialDate, items: Int, othersSince: Int)
    /// It was not there in the beginning, came, and was added again and again.
    case new(since: PartialDate, items: Int, othersBefore: Int)
    /// Rated otherwise than the rest.
    case loved(rating: Mean, rest: Mean)
    /// Rated otherwise than the public does, by so many points; a genre: otherwise than in the rest.
    case publicly(difference: Mean, rest: Mean?)
    /// A larger part waits to be watched, read or played, and to be rated, than of the rest.
    case waiting(part: Share, rest: Share)
    /// Books rated otherwise than the films of the same story.
    case story(books: Mean, films: Mean, items: [ItemID])

    /// The name of what is claimed, and of the family of comparisons that are corrected together.
    public var name: String {
      switch self {
      case .trend: "trend"
      case .quiet: "quiet"
      case .new: "new"
      case .loved: "loved"
      case .publicly: "public"
      case .waiting: "waiting"
      case .story: "story"
      }
    }

    static let families = 7
  }

  /// So many of so many.
  public struct Share: Sendable, Hashable {
    public var items: Int
    public var whole: Int
    /// 0 … 1: `items` of `whole`, or the weighted mean of the shares of several kinds.
    public var value: Double

    init(items: Int, whole: Int) {
      self.init(items: items, whole: whole, value: whole > 0 ? Double(items) / Double(whole) : 0)
    }

    init(items: Int, whole: Int, value: Double) { (self.items, self.whole, self.value) = (items, whole, value) }
  }

  /// A mean rating of 0 … 100, or difference of ratings, and of how many.
  public struct Mean: Sendable, Hashable {
    public var value: Double
    public var items: Int
  }

  /// The test that an even taste would pass.
  public enum Test: String, Sendable {
    /// Fisher's exact test, within each kind.
    case fisher
    /// How likely none of a genre's items is among so many added first or last: the hypergeometric distribution.
    case hypergeometric
    /// The rank-sum test of Wilcoxon, Mann and Whitney, within each kind (van Elteren).
    case rankSum = "rank-sum"
    /// Wilcoxon's signed-rank test.
    case signedRank = "signed-rank"
  }

  /// The genre's name; nil for all items.
  public var genre: String?
  /// The kinds that were compared.
  public var kinds: [Kind]
  public var claim: Claim
  public var test: Test
  /// How often chance alone makes as much, or more.
  public var p: Double
  /// The same, corrected for all that the report compares: at most ``FalseAlarms/report``, 4 %.
  public var adjusted: Double

  /// A report says no more.
  public static let most = 7
  /// Of one kind.
  static let mostOfAKind = 2
  /// Below so many items nothing is claimed.
  public static let leastItems = 30
  /// A genre of fewer items is not looked at.
  static let leastOfGenre = 5
  /// Of what is compared, each side has so many.
  static let leastToCompare = 10
  /// A genre is not quiet before so many days without it.
  static let quietDays = 90
  /// A genre is new for so many days.
  static let newDays = 730
  /// It came again in so many of the 30-day stretches since.
  static let newStretches = 3
  /// So many stories were both read and seen.
  static let leastStories = 6
}

extension GenreFinding.Claim {
  /// How far from even, 0 … 1: of two equally sure findings the larger goes first.
  var size: Double {
    switch self {
    case .trend(let now, let before): abs(now.value - before.value)
    case .quiet(_, let items, let others), .new(_, let items, let others):
      Double(items) / Double(max(1, items + others))
    case .loved(let rating, let rest): abs(rating.value - rest.value) / 100
    case .publicly(let difference, let rest): abs(difference.value - (rest?.value ?? 0)) / 100
    case .waiting(let part, let rest): abs(part.value - rest.value)
    case .story(let books, let films, _): abs(books.value - films.value) / 100
    }
  }
}
