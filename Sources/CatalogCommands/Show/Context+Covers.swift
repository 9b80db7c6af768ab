internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

extension Context {
  /// The pictures of earlier runs, up to what `cache.pictures` allows.
  var pictureCache: PictureCache {
    let path = places.configuration
    return PictureCache(in: cache) {
      (try? Configuration(path: path))?["cache.pictures"].flatMap(ByteCount.parse) ?? PictureCache.usualLimit
    }
  }

  /// The question for the picture or preview at an address that an answer about a record has named.
  /// - Parameter name: whose it is, for limits and messages: no source, since these have hosts of their own.
  func request(for url: String, of record: Record, from name: String = "covers") -> Request {
    let ids = Set(record.externalIDs.map(\.source))
    return Request(
      source: name, url: url,
      namedBy: sources.filter { ids.contains($0.id) }.compactMap { try? keylessSettings(of: $0) })
  }

  /// The picture of a record, to be kept as its cover; to be asked on any thread. Without one, or when it cannot be fetched,
  /// there is only why: a missing picture never fails what a command is about. One that was seen before is there without a
  /// network too.
  func fetchingCover(of record: Record, in store: Store?) -> @Sendable () -> (cover: Cover?, failure: Failure?) {
    if let store, let kept = trendingCover(of: record, in: store) { return { (kept, nil) } }
    guard let url = record.artworkURL else { return { (nil, nil) } }
    return { [pictures, request = request(for: url, of: record)] in
      do {
        return (try pictures.picture(request), nil)
      } catch {
        return (nil, error is Interrupted ? nil : Failure(error))
      }
    }
  }

  func noteMissingCover(_ failure: Failure) {
    if !globals.isOffline { warn("\(failure.message); the rest is kept") }
  }

  /// The picture that is kept because the movie is popular, when it is still the one of the record.
  private func trendingCover(of record: Record, in store: Store) -> Cover? {
    guard record.kind == .movie, let url = record.artworkURL else { return nil }
    let covers = record.externalIDs.lazy.compactMap { try? store.trendingCover(of: $0) }
    return covers.first { $0.sourceURL == url }
  }

  /// Fetches the picture of what is looked at into the cache, so that it is there when the thing is added later, also
  /// without a network; to be done on any thread, nil when nothing is. Nobody waits long for it, and nobody misses it.
  func rememberingPicture(of record: Record) -> (@Sendable () -> Void)? {
    guard let url = record.artworkURL, !globals.isOffline, !globals.isDryRun else { return nil }
    var request = request(for: url, of: record)
    request.deadline = 5
    return { [pictures, request] in _ = try? pictures.send(request) }
  }

  /// The cover of what a reference means: kept with the item, or fetched now. An item that had none keeps it.
  /// - Throws: ``Failure`` when there is none.
  func cover(of target: Target, in store: Store) throws -> Cover {
    if case .item(let id) = target, let cover = try store.cover(of: id) { return cover }
    let (url, record) = try artwork(of: target, in: store)
    guard let cover = try pictures.picture(request(for: url, of: record)) else {
      throw Failure("no cover of \(record.title.quoted) is at its address")
    }
    if case .item(let id) = target, !globals.isDryRun {
      do {
        let writable = try writing()
        try writable.write { try writable.setCover(cover, of: id) }
      } catch {
        warn("the cover was not kept: \(Failure(error).message)")
      }
    }
    return cover
  }

  /// The address of the cover of what a reference means.
  /// - Throws: ``Failure`` when none is known.
  func coverURL(of target: Target, in store: Store) throws -> String {
    if case .item(let id) = target, let cover = try store.cover(of: id) {
      if let url = cover.sourceURL { return url }
      throw Failure(
        "the cover is kept in the catalog, and where it came from is not known", hint: "--save FILE keeps it")
    }
    return try artwork(of: target, in: store).url
  }

  private func artwork(of target: Target, in store: Store) throws -> (url: String, Record) {
    let record: Record
    switch target {
    case .item(let id): record = try store.item(id).record
    case .candidate(let candidate): record = candidate.record
    }
    if let url = try record.artworkURL ?? asked(\.artworkURL, of: target, record) { return (url, record) }
    throw Failure("no cover of \(record.title.quoted) is known")
  }

  /// What a record lacks, from the sources that know the thing. The catalog keeps no addresses that go out of date.
  /// - Parameter isAsked: whether a source is worth asking.
  /// - Throws: why a source said nothing, when none said anything.
  func asked<T>(
    _ part: (Record) -> T?, of target: Target, _ record: Record, from isAsked: (Source) -> Bool = { _ in true }
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

extension HTTPClient {
  /// A picture. Nil when there is none at its address.
  /// - Throws: ``Failure`` when it cannot be fetched, or is no picture.
  fileprivate func picture(_ request: Request) throws -> Cover? {
    let response: Response
    do {
      response = try send(request)
    } catch {
      try Interrupt.check()
      throw Failure(SourceError.network(error), named: "the server of the cover")
    }
    if response.status == 404 || response.status == 410 { return nil }
    guard response.status == 200 else {
      throw Failure(SourceError.refused(status: response.status), named: "the server of the cover")
    }
    guard let cover = Cover(image: response.body, sourceURL: request.url, etag: response.header("etag")) else {
      throw Failure("the server of the cover sent something that is no picture", status: .sourceFailed)
    }
    return cover
  }
}
