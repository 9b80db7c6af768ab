import Glibc

/// Numbers that look random and are the same in every run (SplitMix64).
struct Numbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0xD134_2543_DE82_EF95 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func fraction() -> Double { Double.random(in: 0..<1, using: &self) }
  mutating func normal() -> Double {
    (-2 * log(max(fraction(), 1e-300))).squareRoot() * cos(2 * .pi * fraction())
  }
}

/// The way in which a shelf came about. The genres of an item depend only on its kind.
struct Life {
  enum Labels { case one, several, independent, richAndPoor, richLater }
  enum Days { case even, bursts, oneDay, growing, kindAfterKind, filmsFirst }
  enum Kinds { case mixed, films }
  enum Ratings { case alike, booksHigher, publicOfBooksHigher, recordsNever }
  /// Items of the same genres within two weeks: none, a quarter of all as trilogies, or half of all in runs of 3 to 6.
  enum Runs { case none, trilogies, half }
  /// Works of one maker, some six, may have nothing in common, or their genres with much the same ratings, or their
  /// genres with the same twenty years.
  enum Makers { case any, opinion, era }

  var name: String
  var labels = Labels.several
  var days = Days.even
  var kinds = Kinds.mixed
  var ratings = Ratings.alike
  var runs = Runs.none
  var makers = Makers.any

  static let plain = Life(name: "several genres an item", labels: .several)
  static let films = Life(name: "films", kinds: .films)
  static let all = [
    Life(name: "one genre an item", labels: .one), plain,
    Life(name: "each genre by itself", labels: .independent),
    Life(name: "rich and poor labels", labels: .richAndPoor),
    Life(name: "richer labels in the last year", labels: .richLater),
    Life(name: "bursts", days: .bursts), Life(name: "one day", days: .oneDay),
    Life(name: "more and more, films", days: .growing, kinds: .films),
    Life(name: "kind after kind", days: .kindAfterKind),
    Life(name: "films imported, then even", days: .filmsFirst),
    Life(name: "books rated higher", ratings: .booksHigher),
    Life(name: "the public kinder to books", ratings: .publicOfBooksHigher),
    Life(name: "records never rated", ratings: .recordsNever),
  ]
  /// Items of an unchanged taste that do not come independently.
  static let stress = [
    Life(name: "trilogies, a quarter", runs: .trilogies), Life(name: "runs, half", runs: .half),
    Life(name: "runs, half, one genre, films", labels: .one, kinds: .films, runs: .half),
    Life(name: "makers share ratings, films", labels: .one, kinds: .films, makers: .opinion),
    Life(name: "makers keep to a genre and time, films", labels: .one, kinds: .films, makers: .era),
  ]
}

/// An item of a shelf.
struct Thing {
  /// 0 a movie, 1 a book, 2 a record.
  var kind: Int
  var genres: [Int]
  /// Days before today.
  var age: Int
  var year: Int
  var rating: Int?
  var publicRating: Int?
  var isFavorite = false
  var maker: Int
}

/// The age of a shelf in days.
let span = 1900

extension Life {
  /// - Parameter genres: how many each kind has; the first are the most frequent.
  func things(_ items: Int, genres: [Int], change: Change?, using numbers: inout Numbers) -> [Thing] {
    let bursts = (0..<12).map { _ in Int.random(in: 0..<span, using: &numbers) }
    let makers = (0..<max(1, items / 6)).map { _ in Maker(using: &numbers) }
    var ofMakers: [Int: [Int]] = [:]
    var (run, first) = (0, Thing?.none)
    return (0..<items).map { place in
      var kind = kinds == .films ? 0 : Int.random(in: 0..<3, using: &numbers)
      var age = Int.random(in: 1..<span, using: &numbers)
      switch days {
      case .even: break
      case .bursts: age = bursts.randomElement(using: &numbers) ?? age
      case .oneDay: age = 400
      case .growing: age = Int(Double(span) * (1 - numbers.fraction().squareRoot()))
      case .kindAfterKind: age = 1 + (2 - kind) * span / 3 + Int.random(in: 0..<span / 3 - 1, using: &numbers)
      case .filmsFirst: if place * 2 < items { (kind, age) = (0, span) }
      }
      var thing = Thing(
        kind: kind, genres: [], age: age, year: 1950 + min(75, Int(75 * numbers.fraction().squareRoot())), rating: nil,
        maker: Int.random(in: 0..<makers.count, using: &numbers))
      thing.genres = mine(of: genres[kind], age, change: change, using: &numbers)
      let maker = makers[thing.maker]
      if self.makers != .any {
        thing.genres = ofMakers[thing.maker] ?? thing.genres
        ofMakers[thing.maker] = thing.genres
      }
      if self.makers == .era { thing.year = maker.year + Int.random(in: 0..<20, using: &numbers) }
      if run > 0, let first {
        run -= 1
        thing.kind = first.kind
        thing.genres = first.genres
        thing.age = max(1, first.age - Int.random(in: 0..<14, using: &numbers))
      } else if numbers.fraction() < (runs == .none ? 0 : runs == .half ? 1 / 5.5 : 0.1) {
        run = runs == .half ? Int.random(in: 2...5, using: &numbers) : 2
        first = thing
      }
      kind = thing.kind
      let isRated = ratings == .recordsNever && kind == 2 ? false : numbers.fraction() < 0.6
      if isRated {
        var mean = 68.0
        if ratings == .booksHigher, kind == 1 { mean += 12 }
        if case .loved(let genre) = change?.kind, kind == 0, thing.genres.contains(genre) { mean += 20 }
        let opinion = self.makers == .opinion ? maker.opinion + 10 * numbers.normal() : 16 * numbers.normal()
        thing.rating = min(100, max(0, Int(((mean + opinion) / 10).rounded()) * 10))
      }
      if numbers.fraction() < 0.8 {
        let mean = ratings == .publicOfBooksHigher && kind == 1 ? 78.0 : 68
        thing.publicRating = min(100, max(0, Int((mean + 8 * numbers.normal()).rounded())))
      }
      thing.isFavorite = numbers.fraction() < 0.04
      return thing
    }
  }

  private struct Maker {
    var opinion: Double
    var year: Int

    init(using numbers: inout Numbers) {
      (opinion, year) = (13 * numbers.normal(), 1950 + Int.random(in: 0..<55, using: &numbers))
    }
  }

  private func mine(of genres: Int, _ age: Int, change: Change?, using numbers: inout Numbers) -> [Int] {
    var weights = (0..<genres).map { pow(Double($0 + 1), -0.8) }
    change?.turn(&weights, age: age)
    switch labels {
    case .independent:
      // Two genres an item, on average.
      let whole = weights.reduce(0, +)
      let mine = weights.indices.filter { numbers.fraction() < min(0.9, 2 * weights[$0] / whole) }
      return mine.isEmpty ? Self.draw(1, weights, using: &numbers) : mine
    case .one: return Self.draw(1, weights, using: &numbers)
    case .several: break
    case .richAndPoor: if numbers.fraction() < 0.5 { return Self.draw(1, weights, using: &numbers) }
    case .richLater: if age > 365 { return Self.draw(1, weights, using: &numbers) }
    }
    let isRich = labels == .richAndPoor || labels == .richLater
    if case .richer(let a, let b) = change?.kind {
      // The two beside one other: three times as often together as by chance.
      let other = Self.draw(1, weights, using: &numbers).map { $0 == a || $0 == b ? 0 : $0 }
      let has = numbers.fraction() < 0.15
      return other + (has ? [a] : []) + (numbers.fraction() < (has ? 0.45 : 0.097) ? [b] : [])
    }
    var mine = Self.draw(Int.random(in: isRich ? 5...7 : 1...3, using: &numbers), weights, using: &numbers)
    if case .pair(let a, let b) = change?.kind, mine.contains(a), !mine.contains(b), numbers.fraction() < 0.3 {
      mine.append(b)
    }
    return mine
  }

  private static func draw(_ count: Int, _ weights: [Double], using numbers: inout Numbers) -> [Int] {
    var weights = weights
    return (0..<min(count, weights.count)).map { _ in
      var rest = numbers.fraction() * weights.reduce(0, +)
      let place =
        weights.firstIndex {
          rest -= $0
          return rest < 0
        } ?? weights.count - 1
      weights[place] = 0
      return place
    }
  }
}
