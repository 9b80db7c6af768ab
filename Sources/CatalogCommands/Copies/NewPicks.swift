internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import SourceCopies

/// Works that are not in the catalog, by the creators and of the genres that a person rates above the mean. They come from
/// the copies of sources on this computer; for kinds without one, from the built-in pack.
struct NewPicks {
  /// A work, and why it is proposed.
  struct Pick {
    var candidate: Candidate
    var reasons: [Message]
    /// The chance to be drawn, in relation to that of others.
    fileprivate var weight: Int
  }

  private var picks: [Pick] = []

  /// Ratings below which nothing is proposed: a mean of fewer says little.
  private static let leastRated = 5
  /// Ratings of a creator, and of a genre, that count.
  private static let (leastOfCreator, leastOfGenre) = (2, 3)
  /// The creators and genres that are looked for, those rated highest.
  private static let (mostCreators, mostGenres) = (25, 8)
  /// The works of one creator, and of one genre, that are proposed, the best known.
  private static let (mostByCreator, mostOfGenre) = (20, 60)
  /// The best known titles of a copy among which those of a genre are looked for.
  private static let bestKnown = 5_000

  /// A creator or genre that is rated above the mean.
  private struct Liking {
    var name: String
    /// The mean of its ratings, and that drawn towards the mean of all by their number; 0 … 100.
    var mean, shrunk: Double
    var rated: Int
  }

  /// - Parameter query: the items whose ratings count.
  /// - Throws: ``Failure`` where too little is rated, or nothing is found.
  init(by query: Query, in store: Store, _ context: Context) throws {
    let ratings = try store.ratingReport(query)
    guard let mean = ratings.whole.meanRating, ratings.whole.rated >= Self.leastRated else {
      throw Failure(
        "\(ratings.whole.rated.counted("item is", "items are")) rated, and a proposal needs \(Self.leastRated)",
        hint: "rate what you know: catalog rate 42 4.5")
    }
    let creators = try store.tallyCreators(query).rows.compactMap { row -> Liking? in
      guard row.tally.rated >= Self.leastOfCreator, let own = row.tally.meanRating,
        let shrunk = row.tally.shrunkRating(towards: mean)
      else { return nil }
      return Liking(name: row.heading, mean: own, shrunk: shrunk, rated: row.tally.rated)
    }
    let genres = try store.genreReport(query, now: context.now()).genres.compactMap { genre -> Liking? in
      guard !genre.isHeading, genre.rated >= Self.leastOfGenre, let own = genre.meanRating,
        let shrunk = genre.shrunkRating
      else { return nil }
      return Liking(name: genre.name, mean: own, shrunk: shrunk, rated: genre.rated)
    }
    func best(_ likings: [Liking], _ most: Int) -> [Liking] {
      Array(likings.filter { $0.shrunk > mean }.sorted { ($0.shrunk, $1.name) > ($1.shrunk, $0.name) }.prefix(most))
    }
    let (makers, kinds) = (best(creators, Self.mostCreators), best(genres, Self.mostGenres))
    let copies = CopiesAtHand(in: context)
    var places: [String: Int] = [:]
    let counts: [(kind: Kind, items: Int)] = [
      (.movie, ratings.whole.movies), (.book, ratings.whole.books), (.vinyl, ratings.whole.records),
    ]
    for (kind, items) in counts where items > 0 {
      let sources = try copies.copies(for: kind).map(\.copy)
      func propose(_ candidate: Candidate, _ liking: Liking, _ reason: Message) throws {
        let record = candidate.record
        let key = "\(kind.rawValue) \(Folding.labelKey(record.title)) \(record.year ?? 0)"
        let weight = max(1, Int((liking.shrunk - mean) * 10))
        if let place = places[key] {
          if picks[place].candidate.id == candidate.id { picks[place].reasons.append(reason) }
          picks[place].weight += weight
          return
        }
        guard try store.likeness(of: record) == nil, try store.wishes(fitting: record).isEmpty else { return }
        places[key] = picks.count
        picks.append(Pick(candidate: candidate, reasons: [reason], weight: weight))
      }
      for maker in makers {
        let reason: Message = """
          You gave \(maker.rated) by \(context.safe(maker.name)) \(maker.mean.stars()) stars on average, \
          and \(mean.stars()) to all.
          """
        let key = Folding.labelKey(maker.name)
        let works =
          sources.isEmpty
          ? Self.pack(kind).filter { $0.record.creators.contains { Folding.labelKey($0) == key } }
          : try sources.flatMap { try $0.works(by: maker.name, as: kind, most: Self.mostByCreator).candidates }
        for candidate in works.prefix(Self.mostByCreator) { try propose(candidate, maker, reason) }
      }
      var found: [String: Int] = [:]
      func consider(_ candidate: Candidate) throws {
        let meant = try store.genres(meantBy: candidate.record)
        for genre in kinds where meant.contains(genre.name) && found[genre.name, default: 0] < Self.mostOfGenre {
          found[genre.name, default: 0] += 1
          let reason: Message = """
            You gave \(genre.rated) of \(context.genreName(genre.name)) \(genre.mean.stars()) stars on average, \
            and \(mean.stars()) to all.
            """
          try propose(candidate, genre, reason)
        }
      }
      guard !kinds.isEmpty else { continue }
      for copy in sources {
        var looked = 0
        try copy.forEachBestKnown(as: kind) { candidate in
          try consider(candidate)
          looked += 1
          return looked < Self.bestKnown && kinds.contains { found[$0.name, default: 0] < Self.mostOfGenre }
        }
        found = [:]
      }
      if sources.isEmpty { for candidate in Self.pack(kind) { try consider(candidate) } }
    }
    guard !picks.isEmpty else {
      throw Failure(
        "nothing new was found by the creators and of the genres that you rate above your mean",
        hint: "a copy of a source knows far more than the built-in pack: catalog source build imdb")
    }
  }

  private static func pack(_ kind: Kind) -> [Candidate] { StarterPack.candidates.filter { $0.record.kind == kind } }

  /// Some of the works at random, those with more and better reasons more often.
  func draw(_ count: Int, seed: Int) -> [Pick] {
    Store.draw(count, by: picks.map(\.weight), seed: seed).map { picks[$0] }
  }

  /// The works for programs.
  static func table(_ picks: [Pick], in context: Context) -> Table {
    Table(
      columns: ["kind", "title", "creator", "year", "genres", "reference", "reasons"].map { .init($0) },
      rows: picks.map { pick in
        let record = pick.candidate.record
        return [
          .init(record.kind.rawValue), .init(record.title), .init(value: .list(record.creators)), .init(record.year),
          .init(value: .list(record.labels)), .init(pick.candidate.id.description),
          .init(value: .list(pick.reasons.map { context.text($0) })),
        ]
      })
  }
}
