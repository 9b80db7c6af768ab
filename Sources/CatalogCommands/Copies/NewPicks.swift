internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import SourceCopies

/// Works that are not in the catalog, by the creators and of the genres that a person rates above the mean. They come
/// from the copies of sources on this computer; for kinds without one, from the built-in pack.
struct NewPicks {
  /// A work, and why it is proposed.
  struct Pick {
    var candidate: Candidate
    var reasons: [Message]
    /// The chance to be drawn, in relation to that of others.
    fileprivate var weight: Int
  }

  private let store: Store
  private let context: Context
  /// The mean of all ratings that count, 0 … 100.
  private let mean: Double
  private var picks: [Pick] = []
  /// Items that are rated above the mean, the highest first.
  private var loved: [Item] = []
  /// The works of one genre that are proposed, the best known.
  private let mostOfGenre: Int
  /// The places of works among the picks, by kind, title and year: several copies may have one.
  private var places: [String: Int] = [:]

  /// Ratings below which nothing is proposed: a mean of fewer says little.
  private static let leastRated = 5
  /// Ratings of a creator, and of a genre, that count.
  private static let (leastOfCreator, leastOfGenre) = (2, 3)
  /// The creators and genres that are looked for, those rated highest.
  private static let (mostCreators, mostGenres) = (25, 8)
  /// The works of one creator, and of one genre, that are proposed, the best known.
  private static let (mostByCreator, mostOfGenre) = (20, 60)
  /// The items that are named as those that a work is like.
  private static let mostLoved = 200
  /// The same where a query chooses among them.
  private static let mostToChooseFrom = 600
  /// The best known titles of a copy among which those of a genre are looked for.
  private static let bestKnown = 5_000

  /// A creator or genre that is rated above the mean.
  private struct Liking {
    var name: String
    /// The mean of its ratings, drawn towards the mean of all by their number, 0 … 100.
    var shrunk: Double
    var reason: Message
  }

  /// - Parameters:
  ///   - wanted: what is proposed.
  ///   - query: the items whose ratings count.
  /// - Throws: ``Failure`` where too little is rated, or nothing is found.
  init(of wanted: Query, by query: Query, in store: Store, _ context: Context) throws {
    let ratings = try store.ratingReport(query).whole
    guard let mean = ratings.meanRating, ratings.rated >= Self.leastRated else {
      throw Failure(
        "\(ratings.rated.counted("item is", "items are")) rated, and a proposal needs \(Self.leastRated)",
        hint: "rate what you know: catalog rate 42 4.5")
    }
    (self.store, self.context, self.mean) = (store, context, mean)
    mostOfGenre = wanted.isEverything ? Self.mostOfGenre : Self.mostToChooseFrom
    loved = try store.ids(query, order: [ListingOrder(.rating, isDescending: true)], limit: Self.mostLoved)
      .map(store.item).filter { Double($0.rating?.value ?? 0) > mean }
    let creators = try store.tallyCreators(query).rows.compactMap { row -> Liking? in
      let tally = row.tally
      guard tally.rated >= Self.leastOfCreator, let own = tally.meanRating,
        let shrunk = tally.shrunkRating(towards: mean)
      else { return nil }
      return Liking(
        name: row.heading, shrunk: shrunk,
        reason: """
          You gave \(tally.rated) by \(context.safe(row.heading)) \(own.stars()) stars on average, \
          and \(mean.stars()) to all.
          """)
    }
    let genres = try store.genreReport(query, now: context.now()).genres.compactMap { genre -> Liking? in
      guard !genre.isHeading, genre.rated >= Self.leastOfGenre, let own = genre.meanRating,
        let shrunk = genre.shrunkRating
      else { return nil }
      return Liking(
        name: genre.name, shrunk: shrunk,
        reason: """
          You gave \(genre.rated) of \(context.genreName(genre.name)) \(own.stars()) stars on average, \
          and \(mean.stars()) to all.
          """)
    }
    let (makers, kinds) = (best(creators, Self.mostCreators), best(genres, Self.mostGenres))
    let copies = CopiesAtHand(in: context)
    for (kind, items) in [(Kind.movie, ratings.movies), (.book, ratings.books), (.vinyl, ratings.records)]
    where items > 0 {
      let asked = try copies.ask(for: kind) { _, copy in
        try propose(by: makers) { try copy.works(by: $0, as: kind, most: Self.mostByCreator).candidates }
        try propose(of: kinds) { try copy.forEachBestKnown(as: kind, $0) }
        return true
      }
      guard asked.isEmpty else { continue }
      let pack = StarterPack.candidates.filter { $0.record.kind == kind }
      try propose(by: makers) { name in
        let key = Folding.nameKey(name)
        return pack.filter { $0.record.creators.contains { Folding.nameKey($0) == key } }
      }
      try propose(of: kinds) { each in _ = try pack.first { try !each($0) } }
    }
    if !wanted.isEverything {
      picks = try zip(picks, Store.matches(of: wanted, among: picks.map(\.candidate.record))).filter(\.1).map(\.0)
    }
    guard !picks.isEmpty else {
      throw Failure(
        "nothing new was found by the creators and of the genres that you rate above your mean",
        hint: "a copy of a source knows far more than the built-in pack: catalog source build imdb")
    }
  }

  /// Those rated above the mean, the highest first.
  private func best(_ likings: [Liking], _ most: Int) -> [Liking] {
    Array(likings.filter { $0.shrunk > mean }.sorted { ($0.shrunk, $1.name) > ($1.shrunk, $0.name) }.prefix(most))
  }

  private mutating func propose(by makers: [Liking], _ works: (_ name: String) throws -> [Candidate]) throws {
    for maker in makers {
      for work in try works(maker.name).prefix(Self.mostByCreator) { try propose(work, for: maker) }
    }
  }

  /// - Parameter forEachBestKnown: calls its argument for the best known works until it returns false.
  private mutating func propose(
    of genres: [Liking], _ forEachBestKnown: ((Candidate) throws -> Bool) throws -> Void
  ) throws {
    var looked = 0
    var found: [String: Int] = [:]
    try forEachBestKnown { work in
      let meant = try store.genres(meantBy: work.record)
      for genre in genres where meant.contains(genre.name) && found[genre.name, default: 0] < mostOfGenre {
        found[genre.name, default: 0] += 1
        try propose(work, for: genre)
      }
      looked += 1
      return looked < Self.bestKnown && genres.contains { found[$0.name, default: 0] < mostOfGenre }
    }
  }

  /// Adds a work that is neither in the catalog nor wished for, or a reason for one that is proposed already.
  private mutating func propose(_ work: Candidate, for liking: Liking) throws {
    let record = work.record
    let key = "\(record.kind.rawValue) \(Folding.nameKey(record.title)) \(record.year ?? 0)"
    let weight = max(1, Int((liking.shrunk - mean) * 10))
    if let place = places[key] {
      if !picks[place].reasons.contains(liking.reason) { picks[place].reasons.append(liking.reason) }
      picks[place].weight += weight
      return
    }
    guard try store.likeness(of: record) == nil, try store.wishes(fitting: record).isEmpty else { return }
    places[key] = picks.count
    picks.append(Pick(candidate: work, reasons: [liking.reason], weight: weight))
  }

  /// Some of the works at random, those with more and better reasons more often. Each has the item
  /// that it is most like, and only the reasons that none before it has.
  func draw(_ count: Int, seed: Int) throws -> [Pick] {
    var told: Set<Message> = []
    var named: Set<ItemID> = []
    return try Store.draw(count, by: picks.map(\.weight), seed: seed).map { place in
      var pick = picks[place]
      let reasons = pick.reasons.filter { told.insert($0).inserted }
      let like = try mostLike(pick.candidate.record, except: named)
      if let like { named.insert(like.item.id) }
      if like != nil || !reasons.isEmpty { pick.reasons = (like.map { [$0.reason] } ?? []) + reasons }
      return pick
    }
  }

  /// The loved item of the same kind that has most genres of a work.
  private func mostLike(_ record: Record, except named: Set<ItemID>) throws -> (item: Item, reason: Message)? {
    let genres = try store.genres(meantBy: record)
    let others = loved.filter { $0.record.kind == record.kind && !named.contains($0.id) }
    let shared = others.map { item in genres.filter(item.genres.contains) }
    // The one with the higher rating, if several have most; it comes first.
    guard let place = shared.indices.max(by: { (shared[$0].count, $1) < (shared[$1].count, $0) }),
      !shared[place].isEmpty, let rating = others[place].rating
    else { return nil }
    let names = shared[place].map(context.genreName).joined(separator: ", ")
    return (
      others[place], "Like \(context.safe(others[place].record.title)), which you gave \(rating.stars): \(names)."
    )
  }

  /// The works for programs.
  static func table(_ picks: [Pick], in context: Context) throws -> Table {
    try Table(
      picks,
      Column.work { $0.candidate.record },
      [
        .init("source_genres", \.candidate.record.labels), .init("reference", \.candidate.id),
        .init("reasons") { $0.reasons.map { context.text($0) } },
      ])
  }
}
