internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// The display of an item or result: first the stored details, then those from its source, and the record of the view.
struct ItemDisplay {
  let target: ResolvedReference
  var detail: Detail

  /// Reads the stored details.
  init(of target: ResolvedReference, in store: Store) throws {
    self.target = target
    switch target {
    case .item(let id):
      detail = Detail(item: try store.item(id), cards: try store.cards(of: id), showsBack: false)
      detail.copies = try store.copies(of: id)
      (detail.diary, detail.status) = (try store.diary(of: id), try store.status(of: id))
      detail.editions = try store.editions(of: id).map(store.item)
    case .candidate(let candidate):
      detail = Detail(candidate: candidate)
      detail.likeness = try store.likeness(of: candidate)
      if let id = detail.likeness?.id { detail.editions = try ([id] + store.editions(of: id)).map(store.item) }
    }
    detail.localTime = store.localTime
  }

  /// The answers of the sources.
  struct News: Sendable {
    var fetched: Fetched?
    /// The cast, pictures, videos and related movies.
    var parts: MovieParts?
    /// The pressings of an album.
    var pressings: Result<Page?, Failure>?
  }

  /// Asks the sources for the missing details, on any thread; nil when there is nothing to ask.
  ///
  /// For an item, only details that the catalog does not store are requested: those around a movie, with the portraits
  /// of its cast, and the pressings of an album.
  /// - Parameter wantsPictures: whether pictures are drawn or kept.
  func fetching(in context: Context, wantsPictures: Bool = true) throws -> (@Sendable () throws -> News)? {
    let facts = try fetchingFacts(in: context, wantsPictures)
    let pressings = try pressingsQuestion(in: context)
    if facts == nil && pressings == nil { return nil }
    return {
      var news = try facts?() ?? News()
      news.pressings = try pressings?.answer()
      return news
    }
  }

  private func fetchingFacts(in context: Context, _ wantsPictures: Bool) throws -> (@Sendable () throws -> News)? {
    switch target {
    case .item:
      guard let question = question(in: context) else { return nil }
      let fetch = try question.fetching([.cast, .gallery, .videos, .similar, .recommended], in: context)
      return { News(parts: try fetch()) }
    case .candidate(let candidate):
      guard let question = question(in: context) else {
        let fetch = try context.fetchingRecord(of: candidate, wantsPictures: wantsPictures)
        return { News(fetched: try fetch()) }
      }
      let fetch = try question.fetching(Set(MovieParts.Part.allCases), in: context)
      return { News(parts: try fetch()) }
    }
  }

  /// The sources that ``fetching(in:)`` would ask.
  func sources(in context: Context) -> [Source] {
    if let question = question(in: context) { return [question.source] }
    if let pressings = try? pressingsQuestion(in: context) { return [pressings.source] }
    guard case .candidate(let candidate) = target else { return [] }
    return [context.source(of: candidate.id)].compactMap(\.self)
  }

  private func pressingsQuestion(in context: Context) throws -> PressingsQuestion? {
    let ids =
      switch target {
      case .item: detail.record.externalIDs
      case .candidate(let candidate): [candidate.id]
      }
    return try PressingsQuestion(of: ids, isAll: detail.isFull, in: context)
  }

  func question(in context: Context) -> MovieQuestion? {
    switch target {
    case .item: detail.record.kind == .movie ? MovieQuestion(of: detail.record.externalIDs, in: context) : nil
    case .candidate(let candidate): MovieQuestion(of: [candidate.id], in: context)
    }
  }

  /// Adds the answers of the sources. When a source fails, the stored details are shown, and the failure is printed.
  /// - Throws: ``Failure`` when there is nothing to show.
  mutating func take(in context: Context, _ news: () throws -> News?) throws {
    do {
      guard let news = try news() else { return }
      if let fetched = news.fetched {
        detail.record = context.noting(fetched)
        detail.genres = detail.record.labels
      }
      if let parts = news.parts { try take(parts, in: context) }
      switch news.pressings {
      case .success(let page): detail.pressings = page
      case .failure(let failure):
        context.noteMissing([("pressings", failure)])
      case nil: break
      }
    } catch {
      switch target {
      case .item:
        // An item needs no key to be shown, so only a key that was configured and does not work is reported.
        guard let question = question(in: context), (try? context.keyOrigin(of: question.source)) ?? nil != nil else {
          return
        }
        context.warn("\(Failure(error).message); only what is in the file is shown")
      case .candidate(let candidate):
        guard let failure = error as? Failure, !candidate.isBare else { throw error }
        context.warn("\(failure.message); the search result is shown")
        if let hint = failure.hint { context.hint(hint) }
        context.isIncomplete(because: failure)
      }
    }
  }

  private mutating func take(_ parts: MovieParts, in context: Context) throws {
    guard let question = question(in: context) else { return }
    if case .candidate(let candidate) = target {
      // An unknown movie is no failure of a part.
      if let error = parts.failures[.facts], candidate.isBare, error == .notFound || !parts.isAnything {
        throw context.failure(error, of: question.source)
      }
      detail.record = parts.record(over: candidate.record)
      detail.genres = detail.record.labels
    }
    let hasCast = detail.record.credits.contains { $0.role == .cast }
    question.noteFailures(of: parts, in: context) { part in
      part == .cast && hasCast ? "portraits" : Message(words: part.rawValue)
    }
    detail.parts = parts
  }

  // MARK: That it was viewed

  /// Records the view. An error is only printed.
  func keep(in store: Store, _ context: Context) {
    do {
      // A missing catalog is in memory so far, and is created now.
      let store = store.path != nil && store.isWritable ? store : try context.keeping()
      switch target {
      case .item(let id): try store.recordView(of: id, now: context.timestamp)
      case .candidate(let candidate):
        try store.recordView(of: detail.record, id: candidate.id, now: context.timestamp)
      }
    } catch {
      context.warn("the view was not recorded: \(Failure(error).message)")
    }
  }

  /// Fetches the cover of a result on any thread, so that it is cached when the result is added.
  ///
  /// It takes 5 s at most and reports no error. Nil when there is nothing to fetch.
  func rememberingPicture(in store: Store, _ context: Context) -> (@Sendable () -> Void)? {
    guard case .candidate = target, !context.globals.isOffline, !context.globals.isDryRun,
      let question = context.cover(of: detail.record, in: store)
    else { return nil }
    return { _ = PictureRequest.answers(to: [question], within: 5) }
  }

  // MARK: Pictures

  /// The pictures to draw below the page, in rows: the cover with the first numbered pictures, then portraits.
  func firstPictures(in store: Store, _ context: Context) -> [FirstPictures] {
    let cover = (try? context.knownCover(of: target, detail.record, in: store)) ?? nil
    return [
      FirstPictures(cover: cover, of: detail.record, in: context) { [gallery = detail.gallery] in gallery },
      FirstPictures(of: detail.record, in: context) { [portraits = detail.portraits] in portraits },
    ]
  }
}
