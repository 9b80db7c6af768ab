internal import CatalogModel

/// The counts of some items of a stratum.
struct GenreCounts: GenreCell {
  var items = 0
  var rated = 0
  var ratings = 0
  var judged = 0
  var loved = 0
  var waiting = 0
  /// Items with a day, and those of the last 365 days.
  var dated = 0
  var recent = 0
  var firstDay = Int.max
  var lastDay = Int.min
  /// A bit for each of the last stretches of 30 days that something is dated by, the newest lowest.
  var stretches: UInt32 = 0
  /// The items that have the genre itself, and the first year that one of these is dated by: 0 for one without a date.
  var own = 0
  var firstYear = Int.max

  var earlier: Int { dated - recent }

  init() {}

  /// An item with its own genres and those above.
  /// - Parameter today: counted from 1970-01-01.
  init(_ item: GenreScope.Member, today: Int) {
    addOpinion(of: item)
    waiting = item.isWaiting ? 1 : 0
    guard let day = item.day else { return }
    dated = 1
    let age = today - day
    recent = age <= GenreReport.recentDays ? 1 : 0
    (firstDay, lastDay) = (day, day)
    if (0..<32).contains(age / 30) { stretches = 1 << (age / 30) }
  }

  /// Counts an item, and how it was judged.
  mutating func addOpinion(of item: GenreScope.Member) {
    items += 1
    if let rating = item.rating {
      rated += 1
      ratings += Int(rating)
    }
    if item.isJudged { judged += 1 }
    if item.isLoved { loved += 1 }
  }

  /// An item with one of its own genres.
  init(ownIn year: Int) { (own, firstYear) = (1, year) }

  mutating func add(_ other: GenreCounts) {
    items += other.items
    rated += other.rated
    ratings += other.ratings
    judged += other.judged
    loved += other.loved
    waiting += other.waiting
    dated += other.dated
    recent += other.recent
    firstDay = min(firstDay, other.firstDay)
    lastDay = max(lastDay, other.lastDay)
    stretches |= other.stretches
    own += other.own
    firstYear = min(firstYear, other.firstYear)
  }
}

/// Counts items for a ``GenreReport``.
struct GenreTally {
  /// Counted from 1970-01-01.
  let today: Int
  private(set) var walk: GenreWalk
  /// By kind and number of own genres.
  private(set) var counts: GenreTable<GenreCounts>
  private(set) var facts = GenreFacts()
  /// The days of the items of each stratum of dates, by ``place(of:)``.
  private var days = Array(repeating: [Int](), count: Kind.shelved.count * (GenreStratum.mostGenres + 1))
  /// The number of items that have both of two genres themselves.
  private(set) var pairs: [GenrePair: Int] = [:]
  private(set) var profiles: [BranchProfile: Int] = [:]
  /// A list of each branch alone: most items have but one.
  private let ofOne: [[Int]]

  /// - Parameter today: counted from 1970-01-01.
  init(_ tree: GenreTree, today: Int) {
    self.today = today
    walk = GenreWalk(tree)
    ofOne = (0..<tree.count).map { [$0] }
    counts = GenreTable(tree)
  }

  /// Counts an item with its own genres, of which there is at least one.
  mutating func count(_ item: GenreScope.Member, _ genres: [Int]) {
    let kind = Int(item.kind)
    let stratum = GenreStratum(kind: kind, value: genres.count)
    walk.next(genres)
    let counted = GenreCounts(item, today: today)
    counts.add(counted, to: walk.line, in: stratum)
    counts.add(GenreCounts(ownIn: item.year), to: genres, in: stratum)
    if counted.dated > 0 { days[Self.place(of: stratum.ofDates)].append(counted.firstDay) }
    facts.add(item, genres, line: walk.line, of: walk.tree)
    for (place, genre) in genres.enumerated() {
      for other in genres[..<place] { pairs[GenrePair(genre, other), default: 0] += 1 }
    }
    profiles[BranchProfile(kind: kind, year: item.year, branches: branches), default: 0] += 1
  }

  /// The branches of the item that was walked last, as a profile has them.
  private var branches: [Int] {
    if let only = walk.lowest.first, walk.lowest.count == 1 { return ofOne[walk.tree.branches[only]] }
    let branches = walk.lowest.map { walk.tree.branches[$0] }.sorted()
    return branches.first == branches.last ? Array(branches.prefix(1)) : branches
  }

  /// The days of all items of a stratum of dates, in order.
  func days(of stratum: GenreStratum) -> [Int] { days[Self.place(of: stratum)].sorted() }

  private static func place(of dates: GenreStratum) -> Int { dates.kind * (GenreStratum.mostGenres + 1) + dates.value }
}

/// Items of one kind and year that give their weight to the same branches, ascending. A branch repeats if several
/// genres of an item are in it and others are not.
struct BranchProfile: Hashable {
  var kind: Int
  /// 0 without a date.
  var year: Int
  var branches: [Int]
}

/// Two genres, in the order of their numbers.
struct GenrePair: Hashable {
  let first: Int
  let second: Int

  init(_ a: Int, _ b: Int) { (first, second) = (min(a, b), max(a, b)) }
}
