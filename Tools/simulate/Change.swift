import CatalogStore
import Glibc

/// A change of taste that was planted. It concerns one genre of each kind, but for what is rated: that is a genre of
/// movies.
struct Change {
  enum Kind {
    /// The genre's weight in the last year, multiplied by the factor.
    case times(Int, Double)
    /// No items of the genre in the last year.
    case gone(Int)
    /// No items of the genre before the last year.
    case came(Int)
    /// A star more.
    case loved(Int)
    /// Three in ten items that have the one, and not the other, have it too.
    case pair(Int, Int)
    /// Two added to one other genre by chance, three times as often together.
    case richer(Int, Int)
    /// The one's share falls from 30 to 5 per cent over the years, and the other's rises.
    case moves(Int, Int)
    /// The rarest become the most frequent ones, in the last two years.
    case turned
  }

  var name: String
  var kind: Kind

  /// The genres that are drawn third and eighth most often: about a tenth and a twentieth of all that is drawn.
  static let all = [
    Change(name: "a tenth doubles", kind: .times(2, 2.2)), Change(name: "a twentieth doubles", kind: .times(7, 2.1)),
    Change(name: "a tenth ends", kind: .gone(2)), Change(name: "a tenth comes", kind: .came(2)),
    Change(name: "a tenth gets a star more", kind: .loved(2)), Change(name: "two of a tenth meet", kind: .pair(2, 3)),
    Change(name: "two make items richer", kind: .richer(2, 5)),
    Change(name: "one moves to another in five years", kind: .moves(2, 5)),
    Change(name: "the mix is turned round", kind: .turned),
  ]

  func turn(_ weights: inout [Double], age: Int) {
    let isRecent = age <= 365
    switch kind {
    case .times(let genre, let times): if isRecent { weights[genre] *= times }
    case .gone(let genre): if isRecent { weights[genre] = 0 }
    case .came(let genre): if !isRecent { weights[genre] = 0 }
    case .turned: if age <= 730 { weights.reverse() }
    case .moves(let from, let to):
      let (late, rest) = (1 - Double(age) / Double(span), weights.reduce(0, +) - weights[from] - weights[to])
      weights[from] = (0.3 - 0.25 * late) / 0.65 * rest
      weights[to] = (0.05 + 0.25 * late) / 0.65 * rest
    case .loved, .pair, .richer: break
    }
  }

  private var genres: [Int] {
    switch kind {
    case .times(let genre, _), .gone(let genre), .came(let genre), .loved(let genre): [genre]
    case .pair(let a, let b), .richer(let a, let b), .moves(let a, let b): [a, b]
    case .turned: []
    }
  }

  /// Whether a sentence says it.
  func isSaid(_ report: GenreReport) -> Bool {
    report.findings.contains { finding in
      let isIn = Simulation.names.contains { names in genres.contains { names[$0] == finding.genre } }
      return switch (kind, finding.claim) {
      case (.times, .trend), (.gone, .quiet), (.gone, .trend), (.came, .new), (.came, .trend), (.loved, .loved),
        (.moves, .slow), (.moves, .trend), (.times, .slow), (.gone, .slow), (.came, .slow):
        isIn
      case (.turned, .trend), (.turned, .quiet), (.turned, .new): true
      default: false
      }
    }
  }

  /// Whether a table marks it.
  func isMarked(_ report: GenreReport) -> Bool {
    let mine = report.genres.filter { genre in
      Simulation.names.contains { names in genres.contains { names[$0] == genre.name } }
    }
    return switch kind {
    case .times, .gone, .came, .moves: mine.contains(where: \.isTrendSignificant)
    case .loved: mine.contains(where: \.isAffinitySignificant)
    case .pair(let a, let b), .richer(let a, let b):
      report.pairs.contains { pair in
        Simulation.names.contains { Set([$0[a], $0[b]]) == Set([pair.genre, pair.other]) }
      }
    case .turned: report.years.contains(where: \.isSignificant)
    }
  }
}
