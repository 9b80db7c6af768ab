internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

extension Context {
  /// The pictures of earlier runs, up to the size set as `cache.pictures`.
  var pictureCache: PictureCache {
    let path = places.configuration
    return PictureCache(in: cache) {
      (try? Configuration(path: path))?["cache.pictures"].flatMap(ByteCount.parse) ?? PictureCache.usualLimit
    }
  }

  /// The request for a picture or preview at an address from an answer about a record.
  /// - Parameter name: the name for limits and messages; by default the host, since pictures have hosts of their own.
  func request(for url: String, of record: Record, from name: String? = nil) -> Request {
    let ids = Set(record.externalIDs.map(\.source))
    return Request(
      source: name ?? Source.pictures(at: url), url: url,
      namedBy: sources.filter { ids.contains($0.id) }.compactMap { try? keylessSettings(of: $0) })
  }

  // MARK: Covers

  /// The cover of the target of a reference. A source is asked when its address is not known here.
  /// - Throws: ``Failure`` when none is known.
  func cover(of target: ResolvedReference, in store: Store) throws -> PictureRequest {
    let record =
      switch target {
      case .item(let id): try store.item(id).record
      case .candidate(let candidate): candidate.record
      }
    if let known = try knownCover(of: target, record, in: store) { return known }
    if let url = try asked(\.artworkURL, of: target, record) {
      return PictureRequest(at: url, of: record, kept: try store.trendingCover(at: url), in: self)
    }
    throw Failure("no cover of \(record.title.quoted) is known")
  }

  /// The cover if its address is known here; no source is asked for that.
  func knownCover(of target: ResolvedReference, _ record: Record, in store: Store) throws -> PictureRequest? {
    if case .item(let id) = target, let cover = try store.cover(of: id) {
      return PictureRequest(cover, of: record, in: self)
    }
    return cover(of: record, in: store)
  }

  /// The cover of a record that is not on the shelf, if its address is known here; no source is asked for that.
  func cover(of record: Record, in store: Store?) -> PictureRequest? {
    if let url = record.artworkURL {
      return PictureRequest(at: url, of: record, kept: (try? store?.trendingCover(at: url)) ?? nil, in: self)
    }
    guard let store, record.kind == .movie else { return nil }
    let kept = record.externalIDs.lazy.compactMap { try? store.trendingCover(of: $0) }.first
    return kept.map { kept in
      kept.sourceURL.map { PictureRequest(at: $0, of: record, kept: kept, in: self) }
        ?? PictureRequest(kept, of: record, in: self)
    }
  }

  /// Stores a cover with its item, or replaces the older one that is kept for a popular movie. An error is only
  /// printed.
  func keep(_ cover: Cover, asked question: PictureRequest, of target: ResolvedReference?) {
    guard !globals.isDryRun, !question.isInFile else { return }
    do {
      if case .item(let id) = target {
        let store = try keeping()
        try store.write { try store.setCover(cover, of: id) }
      } else if question.isRenewed(by: cover) {
        let store = try keeping()
        try store.write { try store.renewTrendingCover(cover) }
      }
    } catch {
      warn("the cover was not saved: \(Failure(error).message)")
    }
  }

  func noteMissingCover(_ failure: Failure) {
    guard !globals.isOffline else { return }
    warn("\(failure.message); saved without the cover")
    state.hasPartialFailure = true
  }

  // MARK: What records lack

  /// A part that a record lacks, from the sources that know the item. The catalog does not store addresses that expire.
  /// - Parameter isAsked: whether a source may have the part.
  /// - Throws: the reason why a source failed, when none had the part.
  func asked<T>(
    _ part: (Record) -> T?, of target: ResolvedReference, _ record: Record,
    from isAsked: (Source) -> Bool = { _ in true }
  ) throws -> T? {
    var failure: Failure?
    let ids: [ExternalID] = if case .candidate(let candidate) = target { [candidate.id] } else { record.externalIDs }
    for id in ids where sources.contains(where: { $0.id == id.source && isAsked($0) }) {
      do {
        let full = try fullRecord(of: Candidate(id: id, record: record))
        if let found = part(full) { return found }
      } catch let error as Failure {
        failure = error
      }
    }
    if let failure { throw failure }
    return nil
  }
}
