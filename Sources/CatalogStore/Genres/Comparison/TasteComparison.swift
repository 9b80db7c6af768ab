public import CatalogModel
public import FoundationEssentials
internal import SQLite

/// Two catalogs side by side: what both love, what one has that the other would love, and which genres one has more of.
/// docs/genres.md says what each number means.
public struct TasteComparison: Sendable, Hashable {
  /// A work of one or of both.
  public struct Work: Sendable, Hashable {
    public var kind: Kind
    public var title: String
    public var creators: [String]
    public var year: Int?
    /// The ratings of the two people, 0 … 100.
    public var mine: Int?
    public var theirs: Int?
  }

  /// A genre, its share of the items of either, and the chance of so great a difference.
  public struct Genre: Sendable, Hashable {
    public var name: String
    public var mine: Double
    public var theirs: Double
    public var items: Int
    public var theirItems: Int
    public var p: Double
    /// Whether it is more than chance, of all genres.
    public var isSignificant = false
  }

  /// A work that one loves and the other does not have, and the genres of it that the other loves.
  public struct Loan: Sendable, Hashable {
    public var work: Work
    public var genres: [String]
  }

  public internal(set) var items = 0
  public internal(set) var theirItems = 0
  /// The works that both have.
  public internal(set) var shared = 0
  /// The works that both rated, and the correlation of the ratings (Pearson); nil below ``leastForCorrelation``.
  public internal(set) var bothRated = 0
  public internal(set) var correlation: Double?
  /// The works that both love: favorites, and those rated 80 or more.
  public internal(set) var bothLove: [Work] = []
  public internal(set) var borrow: [Loan] = []
  public internal(set) var lend: [Loan] = []
  /// The genres with the surest difference first.
  public internal(set) var genres: [Genre] = []

  public static let leastForCorrelation = 10
  public static let mostLoans = 10
  /// A genre needs so many items of both together.
  static let leastOfGenre = 5
}

/// The part of one catalog that is compared.
public struct Taste {
  fileprivate let shelf: TasteShelf
  fileprivate let loved: [String: Double]
  fileprivate let genres: GenreMatrix
}

extension Store {
  /// Reads what is compared.
  /// - Parameter query: selects items.
  public func taste(
    _ query: Query = Query(), of population: GenrePopulation? = nil, now: Date
  ) throws -> Taste {
    Taste(
      shelf: try TasteShelf(self, query, population),
      loved: try genreReport(query, of: population, now: now).lovedGenres,
      genres: try genreMatrix(query, of: population, by: .kind))
  }
}

extension TasteComparison {
  /// Compares the taste of one catalog with that of another one.
  public init(_ own: Taste, with other: Taste) {
    let (mine, theirs) = (own.shelf, other.shelf)
    (items, theirItems) = (mine.works.count, theirs.works.count)
    let both = mine.works.keys.filter { theirs.works[$0] != nil }
    shared = both.count
    readRatings(both.compactMap { key in mine.works[key].flatMap { a in theirs.works[key].map { (a, $0) } } })
    bothLove = both.compactMap { key -> TasteComparison.Work? in
      guard let a = mine.works[key], let b = theirs.works[key], a.isLoved, b.isLoved else { return nil }
      var work = a.work
      work.theirs = b.work.mine
      return work
    }.sorted {
      ($1.mine ?? 0) + ($1.theirs ?? 0) == ($0.mine ?? 0) + ($0.theirs ?? 0)
        ? SortKey.of($0.title) < SortKey.of($1.title)
        : ($0.mine ?? 0) + ($0.theirs ?? 0) > ($1.mine ?? 0) + ($1.theirs ?? 0)
    }
    borrow = TasteShelf.loans(of: theirs, to: mine, loved: own.loved)
    lend = TasteShelf.loans(of: mine, to: theirs, loved: other.loved)
    compareGenres(own.genres, other.genres)
  }

  fileprivate mutating func readRatings(_ works: [(TasteShelf.Item, TasteShelf.Item)]) {
    let pairs = works.compactMap { a, b in a.work.mine.flatMap { x in b.work.mine.map { (Double(x), Double($0)) } } }
    bothRated = pairs.count
    guard pairs.count >= Self.leastForCorrelation else { return }
    correlation = Statistics.correlation(pairs)
  }

  /// Compares the shares of the genres within each kind, as if the items of both had been dealt out to the two.
  fileprivate mutating func compareGenres(_ mine: GenreMatrix, _ theirs: GenreMatrix) {
    let others = Dictionary(theirs.rows.map { ($0.genre, $0) }) { first, _ in first }
    let own = Dictionary(mine.rows.map { ($0.genre, $0) }) { first, _ in first }
    func share(_ items: Int, _ matrix: GenreMatrix) -> Double {
      matrix.itemsWithGenre > 0 ? Double(items) / Double(matrix.itemsWithGenre) : 0
    }
    // Only the kinds that both have are compared.
    let both = mine.withGenreByKind.indices.filter { min(mine.withGenreByKind[$0], theirs.withGenreByKind[$0]) > 0 }
    for name in Set(own.keys).union(others.keys).sorted() {
      let (a, b) = (own[name], others[name])
      guard a?.isHeading != true, b?.isHeading != true, (a?.items ?? 0) + (b?.items ?? 0) >= Self.leastOfGenre else {
        continue
      }
      let draws = both.compactMap { kind -> Statistics.Draw? in
        let (n, m) = (mine.withGenreByKind[kind], theirs.withGenreByKind[kind])
        let marked = (a?.byKind[kind] ?? 0) + (b?.byKind[kind] ?? 0)
        return marked > 0 ? Statistics.Draw(items: n + m, first: n, second: marked) : nil
      }
      guard !draws.isEmpty, Statistics.leastChance(draws) <= FalseAlarms.leastReachable else { continue }
      let count = both.reduce(0) { $0 + (a?.byKind[$1] ?? 0) }
      genres.append(
        Genre(
          name: name, mine: share(a?.items ?? 0, mine), theirs: share(b?.items ?? 0, theirs), items: a?.items ?? 0,
          theirItems: b?.items ?? 0, p: Statistics.bothTails(count, draws)))
    }
    let marks = FalseAlarms.significant(FalseAlarms.Family(genres.map(\.p)), rate: FalseAlarms.page)
    for (place, isIn) in marks.enumerated() { genres[place].isSignificant = isIn }
    genres.sort { ($0.p, $0.name) < ($1.p, $1.name) }
  }
}

extension GenreReport {
  /// The genres that are loved more often than the rest, with how much more often.
  fileprivate var lovedGenres: [String: Double] {
    Dictionary(genres.compactMap { genre in genre.affinity.map { (genre.name, $0) } }.filter { $0.1 > 1 }) { a, _ in a }
  }
}

/// The works of one catalog, by what two catalogs call the same.
private struct TasteShelf {
  struct Item {
    var work: TasteComparison.Work
    var isLoved: Bool
    var genres: [String]
  }

  /// A kind, a title without case and accents, and the first creator or else the year.
  struct Key: Hashable {
    var kind: Kind
    var title: String
    var creator: String
  }

  var works: [Key: Item] = [:]

  init(_ store: Store, _ query: Query, _ population: GenrePopulation?) throws {
    let (_, scope) = try store.genreScope(population, query)
    let loved = Set(try store.ids(Query(Query.Condition.isFavorite)))
    var genres: [Int64: [String]] = [:]
    try store.forEachGenre { genres[$0, default: []].append($1) }
    for line in try store.shelfLines() {
      guard let place = scope.members.place(of: line.id), scope.members[place].isIn else { continue }
      let first = line.creators.first ?? ""
      let key = Key(
        kind: line.kind, title: Folding.nameKey(line.title),
        creator: first.isEmpty ? line.year.map { "\($0)" } ?? "" : Folding.nameKey(first))
      let item = Item(
        work: .init(kind: line.kind, title: line.title, creators: line.creators, year: line.year, mine: line.rating),
        isLoved: loved.contains(ItemID(rawValue: line.id)) || (line.rating ?? 0) >= GenreReport.lovedFrom,
        genres: genres[line.id] ?? [])
      // The loved copy of a work counts.
      if let known = works[key], known.isLoved || !item.isLoved { continue }
      works[key] = item
    }
  }

  /// Returns the works that one loves and the other lacks, those with genres that the other loves most first.
  static func loans(of lender: TasteShelf, to other: TasteShelf, loved: [String: Double]) -> [TasteComparison.Loan] {
    let titles = Set(other.works.keys.map { "\($0.kind.rawValue) \($0.title)" })
    let loans = lender.works.compactMap { key, item -> (loan: TasteComparison.Loan, worth: Double)? in
      guard item.isLoved, other.works[key] == nil, !titles.contains("\(key.kind.rawValue) \(key.title)") else {
        return nil
      }
      let genres = item.genres.filter { loved[$0] != nil }.sorted { ((loved[$1] ?? 0), $0) < ((loved[$0] ?? 0), $1) }
      guard let best = genres.first.flatMap({ loved[$0] }) else { return nil }
      return (.init(work: item.work, genres: genres), best * Double(item.work.mine ?? GenreReport.lovedFrom))
    }
    return loans.sorted { ($1.worth, $0.loan.work.title) < ($0.worth, $1.loan.work.title) }
      .prefix(TasteComparison.mostLoans).map(\.loan)
  }
}

extension Store {
  /// Calls `body` with each own genre of each item.
  fileprivate func forEachGenre(_ body: (Int64, String) -> Void) throws {
    try db.forEach(
      "SELECT item_id, name FROM item_genre JOIN genre ON genre.id = genre_id ORDER BY item_id, position"
    ) {
      body($0.integer(0), $0.text(1))
      return true
    }
  }

  /// A line of each item: its kind, title, creators, year and rating.
  fileprivate struct ShelfLine {
    var id: Int64
    var kind: Kind
    var title: String
    var creators: [String]
    var year: Int?
    var rating: Int?
  }

  fileprivate func shelfLines() throws -> [ShelfLine] {
    var lines: [ShelfLine] = []
    try db.forEach(
      """
      SELECT item.id, item.kind, item.title, \(Field.creator.listed), item.year, rated.rating FROM item
        LEFT JOIN card AS rated ON rated.id = \(Self.ratedCard(of: "item.id"))
      ORDER BY item.id
      """
    ) { row in
      lines.append(
        ShelfLine(
          id: row.integer(0), kind: Kind(rawValue: row.text(1)) ?? .movie, title: row.text(2),
          creators: row.text(3).split(separator: "\u{1F}").map(String.init),
          year: row.isNull(4) ? nil : Int(clamping: row.integer(4)), rating: row.integer(5, in: Rating.range)))
      return true
    }
    return lines
  }
}
