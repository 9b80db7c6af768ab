import CatalogModel

extension Source {
  /// MusicBrainz: every pressing of every record, with covers from the Cover Art Archive. No key.
  ///
  /// <https://musicbrainz.org/doc/MusicBrainz_API>. A *release* is a pressing; a *release group* is the album that all
  /// its pressings are of. One question a second; above that everything is refused with 503.
  public static let musicBrainz = Source(
    id: MusicBrainz.id, name: "MusicBrainz", kinds: [.vinyl, .music],
    fields: { $0 == .vinyl ? [.title, .creator, .publisher, .catalogNumber] : [.title, .creator] },
    paging: Paging(mostOnPage: 100),
    attribution: "Data from MusicBrainz (core data CC0, genres CC BY-NC-SA 3.0); covers from the Cover Art Archive",
    limit: RateLimit(requests: 1, per: 1), defaultBaseURL: "https://musicbrainz.org/ws/2",
    defaultImageBaseURL: MusicBrainz.archive, asksForContact: true,
    policy: RetryPolicy(
      throttled: [2], busy: [2],
      rests: [.contact: .seconds(86_400), .forbidden: .seconds(600), .hungUp: .seconds(600)],
      restsWithoutContact: true),
    request: MusicBrainz.request, read: MusicBrainz.read,
    rephrased: MusicBrainz.rephrased, fetch: MusicBrainz.fetch, lookUp: MusicBrainz.lookUp)
}

private enum MusicBrainz {
  static let id = "musicbrainz"

  // MARK: Asking

  static func request(_ search: Search, _ settings: SourceSettings) -> Request {
    let (entity, query) =
      search.kind == .music
      ? ("release-group", words(of: search, title: "releasegroup"))
      : ("release", words(of: search, title: "release") + (search.isForgiving ? "" : " AND " + vinyl))
    return ask(
      "/\(entity)", settings,
      query: [
        ("query", query), ("limit", "\(search.size(atMost: 100))"), ("offset", "\(search.offset(atMost: 100))"),
      ])
  }

  /// The index keeps a format as one word in lower case, `12" vinyl`: a bare `vinyl` would find only the few releases
  /// of which the size is unknown. <https://github.com/metabrainz/mbsssss>, `release/conf/schema.xml`.
  private static let vinyl = "format:*vinyl"

  /// The same with some of the words, in any format: what is found must be called so, or be of this artist.
  static func rephrased(_ search: Search) -> Search? {
    guard search.kind == .vinyl, search.scope == nil, !search.isForgiving else { return nil }
    var search = search
    search.isForgiving = true
    return search
  }

  private static func ask(_ path: String, _ settings: SourceSettings, query: [(String, String)]) -> Request {
    Request(source: id, url: Request.url(settings.baseURL, path, query: query + [("fmt", "json")]))
  }

  /// The words of a search in the index's query language: each must be there, in the title, the artist or the label.
  ///
  /// <https://lucene.apache.org/core/9_0_0/queryparser/org/apache/lucene/queryparser/classic/package-summary.html>:
  /// signs that mean something are escaped, `AND`, `OR` and `NOT` are words in lower case. A word without a letter or
  /// digit (the `&` of Simon & Garfunkel) is in no index, so it is not asked for.
  private static func words(of search: Search, title: String) -> String {
    let words = search.words.split(whereSeparator: \.isWhitespace)
    let spoken = words.filter { $0.contains { $0.isLetter || $0.isNumber } }
    let escaped = (spoken.isEmpty ? words : spoken).map { word in
      ["AND", "OR", "NOT", "TO"].contains(word)
        ? word.lowercased()
        : String(word.flatMap { #"+-&|!(){}[]^"~*?:\/"#.contains($0) ? ["\\", $0] : [$0] })
    }
    let all = escaped.joined(separator: search.isForgiving ? " OR " : " AND ")
    switch search.field {
    case nil, .isbn: return all
    case .publisher: return "label:(\(all))"
    case .catalogNumber: return "catno:(\(all))"
    case .title: return "\(title):(\(all))"
    case .creator: return "artist:(\(all))"
    }
  }

  // MARK: Reading

  static func read(_ response: Response, _ search: Search, _ settings: SourceSettings) throws(SourceError) -> Page {
    let found = try response.decoded(as: Found.self, host: settings.host)
    guard let elements = found.releases ?? found.releaseGroups else {
      throw .anotherShape
    }
    let seen = search.offset(atMost: 100) + elements.all.count
    let hasMore = !elements.all.isEmpty && seen < (found.count ?? 0)
    let isGroup = found.releases == nil
    var page = elements.page(total: found.count, hasMore: hasMore) { release in
      release.record(as: search.kind, isGroup: isGroup, settings)
        .flatMap { record in record.externalIDs.first.map { Candidate(id: $0, record: record) } }
    }
    guard search.isForgiving else { return page }
    let typed = Set(SearchText.words(search.words))
    page.candidates.removeAll { candidate in
      ([candidate.record.title] + candidate.record.creators).allSatisfy {
        !typed.isSuperset(of: SearchText.words($0))
      }
    }
    (page.total, page.hasMore) = (nil, false)
    return page
  }

  static func fetch(
    _ wanted: ExternalID, _ kind: Kind, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Fetched {
    let isGroup = wanted.value.hasPrefix("release-group/")
    let number = isGroup ? wanted.value.dropFirst("release-group/".count) : wanted.value[...]
    guard isID(number) else { throw .notFound }
    let parts =
      isGroup
      ? "artist-credits genres tags"
      : "artist-credits recordings labels release-groups media genres tags"
    let request = ask("/\(isGroup ? "release-group" : "release")/\(number)", settings, query: [("inc", parts)])
    let release = Question(thing: request) { response throws(SourceError) in
      let release = try response.decoded(as: Release.self, host: settings.host)
      guard let record = release.record(as: kind, isGroup: isGroup, settings) else {
        throw .unreadable("a record without a title")
      }
      return record
    }
    var record: Record
    if isGroup || !settings.wantsPictures {
      record = try http.ask(release)
    } else {
      let (found, pictures) = http.ask(release, Question(thing: pictures(of: number, settings), as: Pictures.self))
      record = try found.get()
      // Without that list the address of the front is known all the same.
      record.artworkURL = (try? pictures.get())?.front(from: imageBase(settings)) ?? record.artworkURL
    }
    // A release that was merged into another answers under its new id.
    record.externalIDs = ([wanted] + record.externalIDs).withoutRepeats(by: \.self)
    return Fetched(record)
  }

  /// The list of a pressing's pictures. That archive has another host, with a limit of its own.
  private static func pictures(of release: Substring, _ settings: SourceSettings) -> Request {
    Request(source: Source.archive, url: Request.url(imageBase(settings), "/release/\(release)"))
  }

  static let archive = "https://coverartarchive.org"

  private static func imageBase(_ settings: SourceSettings) -> String { settings.imageBaseURL ?? archive }

  /// The index drops the zeros before a barcode, so that one question finds UPC and EAN. Records come before discs.
  static func lookUp(_ code: Code, _ settings: SourceSettings, _ http: HTTPClient) throws(SourceError) -> [Candidate] {
    guard case .barcode(let barcode) = code else { return [] }
    let request = ask("/release", settings, query: [("query", "barcode:\(barcode)"), ("limit", "25"), ("offset", "0")])
    let search = Search(words: barcode.digits, kind: .vinyl, pageSize: 25)
    let found = try http.ask(
      Question(request) { response throws(SourceError) in try read(response, search, settings).candidates })
    return found.filter(\.record.isVinyl) + found.filter { !$0.record.isVinyl }
  }

  /// Whether `text` is a MusicBrainz id: a UUID, <https://musicbrainz.org/doc/MusicBrainz_Identifier>.
  private static func isID(_ text: some StringProtocol) -> Bool {
    UUIDv7.isOne(text.lowercased())
  }

  /// Whether a name is a placeholder: <https://musicbrainz.org/doc/Style/Unknown_and_untitled/Special_purpose_artist>,
  /// <https://musicbrainz.org/doc/Special_purpose_label>.
  private static func isNobody(_ name: String) -> Bool {
    ["[no label]", "[no artist]", "[unknown]", "[none]"].contains(name.lowercased())
  }

  // MARK: The answers

  private struct Found: Decodable {
    @Lenient<Whole> var count: Int?
    var releases: Elements<Release>?
    var releaseGroups: Elements<Release>?
  }

  /// A release, or the group of all its pressings.
  private struct Release: Decodable {
    @Lenient<Identifier> var id: String?
    @Lenient<Line> var title: String?
    @Lenient<List<Object<ArtistCredit>>> var artistCredit: [ArtistCredit]?
    @Lenient<Day> var date: PartialDate?
    @Lenient<Day> var firstReleaseDate: PartialDate?
    @Lenient<Line> var country: String?
    @Lenient<Line> var barcode: String?
    @Lenient<List<Object<LabelInfo>>> var labelInfo: [LabelInfo]?
    @Lenient<List<Object<Medium>>> var media: [Medium]?
    @Lenient<List<Object<Vote>>> var genres: [Vote]?
    @Lenient<List<Object<Vote>>> var tags: [Vote]?
    @Lenient<Object<Group>> var releaseGroup: Group?
    @Lenient<Object<CoverArt>> var coverArtArchive: CoverArt?

    /// Nil without an id or a title.
    func record(as kind: Kind, isGroup: Bool, _ settings: SourceSettings) -> Record? {
      guard let id, MusicBrainz.isID(id), let title else { return nil }
      var record = Record(kind: kind == .music ? .music : .vinyl, title: title)
      record.externalIDs = [ExternalID(source: MusicBrainz.id, value: isGroup ? "release-group/\(id)" : id)]
      record.credits = (artistCredit ?? []).compactMap(\.credit)
      record.released = releaseGroup?.firstReleaseDate ?? firstReleaseDate ?? date
      record.year = record.released?.year
      record.labels = labels
      record.url = record.externalIDs.first?.page
      record.artworkURL = cover(of: id, isGroup: isGroup, MusicBrainz.imageBase(settings))
      record.details = record.kind == .vinyl ? .vinyl(vinyl) : .other(other)
      record.set(labels: (labelInfo ?? []).compactMap { $0.label?.credit })
      return record
    }

    private var vinyl: Vinyl {
      var vinyl = Vinyl()
      vinyl.catalogNumber = labelInfo?.lazy.compactMap(\.catalogNumber).first { $0.lowercased() != "[none]" }
      // XU is an unknown country.
      vinyl.country = country == "XU" ? nil : country
      let formats = (media ?? []).compactMap(\.format).withoutRepeats(by: \.self)
      vinyl.format = formats.isEmpty ? nil : formats.joined(separator: " + ")
      vinyl.discs = media.flatMap { $0.isEmpty ? nil : $0.count }
      vinyl.barcode = barcode.map { (try? Barcode($0))?.digits ?? $0 }
      vinyl.tracks = tracks
      return vinyl
    }

    private var other: Other {
      var other = Other()
      other.count = media.map { $0.compactMap(\.trackCount).reduce(0, +) }.flatMap { $0 > 0 ? $0 : nil }
      other.tracks = tracks
      return other
    }

    /// The tracks of all discs. If two discs share a number, the number of the disc is added: `2-03`.
    private var tracks: [Track] {
      let discs = (media ?? []).map { disc in
        ([disc.pregap].compactMap(\.self) + (disc.tracks ?? [])).compactMap(\.track)
      }
      let positions = discs.joined().map(\.position)
      guard discs.count > 1, Set(positions).count < positions.count else { return Array(discs.joined()) }
      return zip(1..., discs).flatMap { number, tracks in
        tracks.map { track in
          var track = track
          let isShort = track.position.utf8.count == 1 && track.position.allSatisfy(\.isASCIIDigit)
          track.position = "\(number)-\(isShort ? "0" : "")\(track.position)"
          return track
        }
      }
    }

    /// The genres that users voted for, of this pressing and of its album, most votes first. Without genres, the tags
    /// with at least half of the first one's votes, because the others are mostly moods and shelves. Without tags, the
    /// same share of the artists' genres.
    private var labels: [String] {
      let genres = Vote.sum((genres ?? []) + (releaseGroup?.genres ?? []))
      guard genres.isEmpty else { return genres.map(\.name) }
      let tags = Vote.chief((tags ?? []) + (releaseGroup?.tags ?? []), atMost: 5)
      return tags.isEmpty ? Vote.chief((artistCredit ?? []).flatMap { $0.artist?.genres ?? [] }, atMost: 3) : tags
    }

    /// The front cover of this pressing if there is one, else of any pressing of the album.
    private func cover(of id: String, isGroup: Bool, _ base: String) -> String? {
      if isGroup { return "\(base)/release-group/\(id)/front-500" }
      if coverArtArchive?.front == true { return "\(base)/release/\(id)/front-500" }
      return releaseGroup?.id.map { "\(base)/release-group/\($0)/front-500" }
    }
  }

  private struct Group: Decodable {
    @Lenient<Identifier> var id: String?
    @Lenient<Day> var firstReleaseDate: PartialDate?
    @Lenient<List<Object<Vote>>> var genres: [Vote]?
    @Lenient<List<Object<Vote>>> var tags: [Vote]?
  }

  /// One of the names on the sleeve. `Simon & Garfunkel` is one; `Queen & David Bowie` are two.
  private struct ArtistCredit: Decodable {
    @Lenient<Line> var name: String?
    @Lenient<Object<Artist>> var artist: Artist?

    /// Nil if the artist is unknown or missing. `[traditional]` and `[dialogue]` are kept.
    var credit: Credit? {
      guard let name = name ?? artist?.name, !MusicBrainz.isNobody(artist?.name ?? name) else { return nil }
      let artist = artist?.id.map { ExternalID(source: MusicBrainz.id, value: "artist/\($0)") }
      return Credit(name: name, role: .artist, externalID: artist)
    }
  }

  private struct Artist: Decodable {
    @Lenient<Identifier> var id: String?
    @Lenient<Line> var name: String?
    @Lenient<List<Object<Vote>>> var genres: [Vote]?
  }

  private struct LabelInfo: Decodable {
    @Lenient<Line> var catalogNumber: String?
    @Lenient<Object<Label>> var label: Label?
  }

  private struct Label: Decodable {
    @Lenient<Identifier> var id: String?
    @Lenient<Line> var name: String?

    /// Nil where there is no label, or it is not known.
    var credit: Credit? {
      name.flatMap { name in
        MusicBrainz.isNobody(name)
          ? nil
          : Credit(
            name: name, role: .label, externalID: id.map { ExternalID(source: MusicBrainz.id, value: "label/\($0)") })
      }
    }
  }

  private struct Medium: Decodable {
    @Lenient<Line> var format: String?
    @Lenient<Count> var trackCount: Int?
    @Lenient<Object<Song>> var pregap: Song?
    @Lenient<List<Object<Song>>> var tracks: [Song]?
  }

  private struct Song: Decodable {
    @Lenient<Line> var number: String?
    @Lenient<Line> var title: String?
    @Lenient<Count> var length: Int?

    var track: Track? {
      title.map { title in
        let seconds = length.map { ($0 + 500) / 1000 }.flatMap { $0 > 0 ? $0 : nil }
        return Track(position: number ?? "", title: title, seconds: seconds)
      }
    }
  }

  private struct Vote: Decodable {
    @Lenient<Line> var name: String?
    @Lenient<Whole> var count: Int?

    /// The names with their votes, most votes first. Names without a positive sum are left out.
    static func sum(_ votes: [Vote]) -> [(name: String, votes: Int)] {
      var sums: [String: Int] = [:]
      for vote in votes {
        guard let name = vote.name else { continue }
        sums[name, default: 0] += min(max(vote.count ?? 1, -1_000_000), 1_000_000)
      }
      return sums.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }

    /// The names with at least half of the first one's votes.
    static func chief(_ votes: [Vote], atMost count: Int) -> [String] {
      let all = sum(votes)
      return all.filter { $0.votes * 2 >= all.first?.votes ?? 0 }.prefix(count).map(\.name)
    }
  }

  private struct CoverArt: Decodable {
    @Lenient<Flag> var front: Bool?
  }

  /// The pictures of a pressing: <https://musicbrainz.org/doc/Cover_Art_Archive/API>.
  private struct Pictures: Decodable {
    var images: Elements<Picture>

    /// The address of the front cover, an approved one first. Unlike `/front-500`, it never changes when covers are
    /// uploaded.
    func front(from base: String) -> String? {
      let fronts = images.all.compactMap(\.self).filter { $0.front ?? $0.types?.contains("Front") ?? false }
      let front = fronts.first { $0.approved == true } ?? fronts.first
      return (front?.thumbnails ?? front?.image).map { address in
        address.hasPrefix(archive + "/") ? base + address.dropFirst(archive.count) : address
      }
    }
  }

  private struct Picture: Decodable {
    @Lenient<Flag> var front: Bool?
    @Lenient<Flag> var approved: Bool?
    @Lenient<List<Line>> var types: [String]?
    @Lenient<Resource> var image: String?
    @Lenient<Thumbnail> var thumbnails: String?
  }

  /// The address of the size that is kept: 500 pixels, of which older answers say `large`.
  private enum Thumbnail: Reading {
    static func read(_ json: JSON) -> String? {
      Resource.read(json["500"]) ?? Resource.read(json["large"]) ?? Resource.read(json["1200"])
    }
  }
}
