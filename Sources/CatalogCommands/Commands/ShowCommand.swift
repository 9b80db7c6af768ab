internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog show REF`: everything known about one thing. It counts as viewed.
struct ShowCommand: Command {
  static let info = CommandInfo<Self>(
    "show", summary: "Show everything known about an item or a result.",
    discussion: "Showing counts as viewing: the last ten are listed by 'catalog recent'.",
    examples: [
      Example("catalog show 42", "Everything about item 42."),
      Example("catalog show r1", "The first result of the last search, asked of its source in full."),
      Example("catalog show kind of blue", "The item of that title."),
      Example("catalog show tmdb:496243 --full", "A movie with its whole cast and all of its pictures."),
      Example("catalog show https://www.imdb.com/title/tt6751668/", "The movie of a page at IMDb, by TMDB."),
      Example("catalog show discogs:master/5460", "An album with its pressings on vinyl."),
    ],
    arguments: [
      .positional("ref", \.words, completion: .dynamic("items"), help: "Which one: see 'catalog help references'."),
      .flag("back", \.showsBack, help: "Show the back of the newest card: its words."),
      .flag(
        "full", short: "f", \.isFull,
        help: """
          Show all of a movie's cast, pictures, videos and related movies, and of an album's pressings, not only the first \
          \(shownOfMany).
          """),
      .flag("json", \.isJSON, help: "Print a JSON object."),
    ])

  var words: [String] = []
  var showsBack = false
  var isFull = false
  var isJSON = false

  func run(in context: Context) throws {
    let store = try context.viewing()
    switch try context.target(words.joined(separator: " "), in: store) {
    case .item(let id):
      var detail = Detail(item: try store.item(id), cards: try store.cards(of: id), showsBack: showsBack)
      detail.isFull = isFull
      detail.parts = parts(of: detail.record, in: context)
      detail.pressings = try context.pressings(of: detail.record.externalIDs, isAll: isFull)
      try context.show(detail, asJSON: isJSON)
      keepView(store, in: context) { try $0.recordView(of: id, now: context.timestamp) }
    case .candidate(let candidate):
      var detail = try self.detail(of: candidate, in: context)
      detail.isFull = isFull
      detail.pressings = try context.pressings(of: [candidate.id], isAll: isFull)
      try context.show(detail, asJSON: isJSON)
      let record = detail.record
      keepView(store, in: context) { store in
        try store.recordView(of: record, id: candidate.id, now: context.timestamp)
      }
      try context.output.flush()
      context.rememberPicture(of: record)
    }
  }

  /// What the source of a movie on the shelf shows around it: the facts and, as far as it is there, the cast are in the file.
  private func parts(of record: Record, in context: Context) -> MovieParts? {
    guard record.kind == .movie, let question = MovieQuestion(of: record.externalIDs, in: context) else { return nil }
    var wanted: Set<MovieParts.Part> = [.gallery, .videos, .similar, .recommended]
    if !record.credits.contains(where: { $0.role == .cast }) { wanted.insert(.cast) }
    do {
      let parts = try question.parts(wanted, in: context)
      question.noteFailures(of: parts, in: context)
      return parts
    } catch {
      // Nobody who asks for what is on the shelf needs a key; a program that should give one and does not is named.
      if (try? context.keyOrigin(of: question.source)) ?? nil != nil {
        context.note("catalog: \(Failure(error).message); only what is in the file is shown")
      }
      return nil
    }
  }

  /// Everything about a thing that is not in the catalog. What the search said of it is still worth showing when its
  /// source fails.
  private func detail(of candidate: Candidate, in context: Context) throws -> Detail {
    var detail = Detail(candidate: candidate)
    do {
      guard let question = MovieQuestion(of: [candidate.id], in: context) else {
        detail.record = try context.fullRecord(of: candidate)
        detail.genres = detail.record.labels
        return detail
      }
      let parts = try question.parts(Set(MovieParts.Part.allCases), in: context)
      if let error = parts.failures[.facts], candidate.isBare { throw Failure(error, source: question.source) }
      question.noteFailures(of: parts, in: context)
      detail.record = parts.record(over: candidate.record)
      detail.genres = detail.record.labels
      detail.parts = parts
    } catch let failure as Failure {
      guard !candidate.isBare else { throw failure }
      context.note("catalog: \(failure.message); this is what the search said")
    }
    return detail
  }

  /// A view that cannot be kept is no reason not to show.
  private func keepView(_ store: Store, in context: Context, _ keep: (Store) throws -> Void) {
    do {
      // A catalog that is not there yet is in memory, and is made now.
      try keep(store.path != nil && store.isWritable ? store : try context.writing())
    } catch {
      context.note("catalog: the view was not kept: \(Failure(error).message)")
    }
  }
}
