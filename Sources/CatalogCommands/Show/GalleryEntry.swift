internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// A picture or video by the number that `show` prints: `--picture 3`. A program that fetches any given address would
/// be a way into its own network.
struct GalleryEntry: Hashable {
  enum Kind: String {
    case picture, portrait, screenshot, video
  }

  var kind: Kind
  /// The number, from 1.
  var number: Int
}

/// The options that name an ``GalleryEntry``.
struct GalleryOptions: OptionGroup {
  private var named: [GalleryEntry] = []

  var picture: Count? {
    get { number(of: .picture) }
    set { name(.picture, newValue) }
  }
  var portrait: Count? {
    get { number(of: .portrait) }
    set { name(.portrait, newValue) }
  }
  var screenshot: Count? {
    get { number(of: .screenshot) }
    set { name(.screenshot, newValue) }
  }
  var video: Count? {
    get { number(of: .video) }
    set { name(.video, newValue) }
  }

  private func number(of kind: GalleryEntry.Kind) -> Count? {
    named.last { $0.kind == kind }.map { Count($0.number) }
  }

  private mutating func name(_ kind: GalleryEntry.Kind, _ number: Count?) {
    named.removeAll { $0.kind == kind }
    if let number { named.append(GalleryEntry(kind: kind, number: number.number)) }
  }

  static var pictures: [Argument<GalleryOptions>] {
    [
      .option("picture", \.picture, help: "This picture of the movie's gallery, by the number that 'show' prints."),
      .option("portrait", \.portrait, help: "The portrait of this one of the movie's cast."),
      .option("screenshot", \.screenshot, help: "This screenshot of the app."),
    ]
  }

  static var arguments: [Argument<GalleryOptions>] {
    pictures + [.option("video", \.video, help: "This video of the movie.")]
  }

  /// The named exhibit; nil when none is named.
  func galleryEntry() throws(UsageError) -> GalleryEntry? {
    guard named.count < 2 else {
      throw UsageError("--\(named[0].kind.rawValue) and --\(named[1].kind.rawValue) do not go together")
    }
    return named.first
  }
}

extension TypedReferences {
  /// The address of a picture or video that `show` printed; nil for any other words. The page of a movie at IMDb means
  /// the movie.
  var address: String? {
    if case .page(let address)? = try? Reference(self) { address } else { nil }
  }

  /// Rejects an address together with a numbered picture or video.
  func check(_ gallery: GalleryOptions) throws(UsageError) {
    if let galleryEntry = try gallery.galleryEntry(), address != nil {
      throw UsageError("an address has no --\(galleryEntry.kind.rawValue)", hint: "leave one of the two out")
    }
  }
}

extension Context {
  /// The request for a numbered picture of a target.
  func picture(_ galleryEntry: GalleryEntry, of target: ResolvedReference, in store: Store) throws -> PictureRequest {
    let (url, record) = try url(of: galleryEntry, of: target, in: store)
    return PictureRequest(
      at: url, of: record, named: galleryEntry.kind.rawValue, kept: try store.trendingCover(at: url),
      in: self)
  }

  /// The address of a numbered picture or video. Its source is asked; the cache answers as long as the source allows.
  /// - Throws: ``Failure`` that says how many there are.
  func url(of galleryEntry: GalleryEntry, of target: ResolvedReference, in store: Store) throws -> (url: String, Record)
  {
    let record =
      switch target {
      case .item(let id): try store.item(id).record
      case .candidate(let candidate): candidate.record
      }
    let title = record.title.quoted
    func one<Element>(of all: [Element], url: (Element) -> String?, _ name: (Element) -> Message) throws -> String {
      let word = Message(words: galleryEntry.kind.rawValue)
      guard !all.isEmpty else { throw Failure("no \(word) of \(title) is known") }
      guard all.indices.contains(galleryEntry.number - 1) else {
        let count = all.count.counted(galleryEntry.kind.rawValue, galleryEntry.kind.rawValue + "s")
        throw Failure(
          all.count == 1
            ? "\(title) has no \(word) \(galleryEntry.number): there is \(count)"
            : "\(title) has no \(word) \(galleryEntry.number): there are \(count)",
          hint: "'catalog show \(self.word(for: target)) --full' lists them")
      }
      let element = all[galleryEntry.number - 1]
      guard let url = url(element) else { throw Failure("no address of \(name(element)) is known") }
      return url
    }
    switch galleryEntry.kind {
    case .screenshot:
      let known = record.screenshots
      let all = try known.isEmpty ? asked(\.screenshots, of: target, record) ?? [] : known
      return (try one(of: all, url: \.url) { _ in "it" }, record)
    case .picture:
      let all = try parts([.gallery], of: target, record).gallery ?? []
      return (try one(of: all, url: \.url) { _ in "it" }, record)
    case .portrait:
      let all = try parts([.cast], of: target, record).portraits ?? []
      return (try one(of: all, url: \.url) { "a portrait of \($0.name.quoted)" }, record)
    case .video:
      let all = try parts([.videos], of: target, record).videos ?? []
      return (try one(of: all, url: \.url) { "\($0.name.quoted), which \($0.site) shows" }, record)
    }
  }

  /// The shortest reference to the target.
  private func word(for target: ResolvedReference) -> String {
    switch target {
    case .item(let id): "\(id)"
    case .candidate(let candidate): candidate.id.description.shellWord
    }
  }

  /// Parts of a movie, from the source that knows it.
  private func parts(_ wanted: Set<MovieParts.Part>, of target: ResolvedReference, _ record: Record) throws
    -> MovieParts
  {
    let ids: [ExternalID] = if case .candidate(let candidate) = target { [candidate.id] } else { record.externalIDs }
    guard let question = MovieQuestion(of: ids, in: self) else {
      throw Failure(
        "only movies that TMDB knows have pictures, portraits and videos",
        hint: "look it up there: catalog search WORDS --source tmdb")
    }
    let parts = try question.fetching(wanted, in: self)()
    if let error = wanted.lazy.compactMap({ parts.failures[$0] }).first { throw failure(error, of: question.source) }
    return parts
  }

  // MARK: Addresses

  /// The request for a picture at an address that `show` printed. Only hosts of the sources' pictures are allowed.
  func picture(at url: String, in store: Store) throws -> PictureRequest {
    let homes = try pictureHomes(of: url)
    guard !homes.isEmpty else {
      throw Failure(
        "\(url.quoted) is not the address of a source's picture",
        hint: VideoSite.hasVideo(at: url)
          ? "it is a video: catalog open \(url.shellWord)"
          : "give a reference, or an address that 'catalog show' printed")
    }
    return PictureRequest(at: url, kept: try store.trendingCover(at: url), of: homes, in: self)
  }

  /// Checks that an address leads to a picture of a source, or to a video.
  func shown(_ url: String) throws -> String {
    guard try VideoSite.hasVideo(at: url) || !pictureHomes(of: url).isEmpty else {
      throw Failure(
        "\(url.quoted) is neither a picture nor a video of a source",
        hint: "give a reference, or an address that 'catalog show' printed")
    }
    return url
  }

  /// The sources that keep their pictures at this address.
  private func pictureHomes(of url: String) throws -> [SourceSettings] {
    try sources.compactMap { source in
      let settings = try keylessSettings(of: source)
      return source.hasPictures(at: url, settings) ? settings : nil
    }
  }
}
