public import CatalogModel

/// Something about a selection that an unchanged, even taste would hardly show. docs/genre-mathematics.md says which
/// test stands behind each, and what it takes to be said.
public struct GenreFinding: Sendable, Hashable {
  /// A claim about the items, with its numbers.
  public enum Claim: Sendable, Hashable {
    /// The genre's share of the items added in the last 365 days differs from its share before.
    case trend(now: Share, before: Share)
    /// No item of the genre was added from then on, while many others were.
    case quiet(since: PartialDate, items: Int, othersSince: Int)
    /// The genre was missing at first, then appeared and was added repeatedly.
    case new(since: PartialDate, items: Int, othersBefore: Int)
    /// The genre becomes more or less frequent over all the days: its shares of the last and of the first third.
    case slow(now: Share, before: Share)
    /// The items are rated higher or lower than the rest.
    case loved(rating: Mean, rest: Mean)
    /// The ratings differ from the public's; for a genre, by a different amount than in the rest.
    case publicly(difference: Mean, rest: Mean?)
    /// The share of items that wait to be watched, read or played, and rated, is larger than in the rest.
    case waiting(part: Share, rest: Share)
    /// Books are rated higher or lower than the films of the same stories.
    case story(books: Mean, films: Mean, items: [ItemID])

    /// The name of the claim, and of the family of comparisons that are corrected together.
    public var name: String {
      switch self {
      case .trend: "trend"
      case .quiet: "quiet"
      case .new: "new"
      case .slow: "slow"
      case .loved: "loved"
      case .publicly: "public"
      case .waiting: "waiting"
      case .story: "story"
      }
    }

    /// The weights of the families, in the order of the cases: trend, quiet, new, slow, loved, public, waiting, story.
    /// People ask most about what they love and what changed.
    static let weights = [2.5, 1, 1.5, 1.5, 3, 1, 0.5, 0.5]
    /// The places of two families among them.
    static let (loved, publicly) = (4, 5)
  }

  /// A number of items out of a larger one.
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
    /// The hypergeometric distribution: the chance that none of a genre's items is among those added first or last.
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
  /// The chance of at least so large an effect.
  public var p: Double
  /// The same, corrected for all that the report compares: at most ``FalseAlarms/report``, 4 %.
  public var adjusted: Double

  /// The most findings of a report.
  public static let most = 7
  /// The most findings of one kind in a report.
  static let mostOfAKind = 2
  /// The fewest items with a genre for any finding.
  public static let leastItems = 30
  /// The fewest items of a genre for a finding about it.
  static let leastOfGenre = 5
  /// The fewest items on each side of a comparison.
  static let leastToCompare = 10
  /// The fewest makers on each side of a comparison of ratings, where works of one maker are rated alike.
  static let leastMakers = 5
  /// The fewest days without the genre before it is quiet.
  static let quietDays = 90
  /// The number of days for which a genre is new.
  static let newDays = 730
  /// The fewest 30-day stretches with the genre before it counts as new.
  static let newStretches = 3
  /// The fewest stories that were both read and seen.
  static let leastStories = 6
}

extension GenreFinding.Claim {
  /// The size of the effect, 0 … 1. Of two equally sure findings the larger goes first.
  var size: Double {
    switch self {
    case .trend(let now, let before), .slow(let now, let before): abs(now.value - before.value)
    case .quiet(_, let items, let others), .new(_, let items, let others):
      Double(items) / Double(max(1, items + others))
    case .loved(let rating, let rest): abs(rating.value - rest.value) / 100
    case .publicly(let difference, let rest): abs(difference.value - (rest?.value ?? 0)) / 100
    case .waiting(let part, let rest): abs(part.value - rest.value)
    case .story(let books, let films, _): abs(books.value - films.value) / 100
    }
  }
}
