import CatalogModel

extension Source {
  /// Discogs: pressings as collectors describe them, with styles, catalog numbers, barcodes and ratings. It needs a
  /// token, which is free.
  ///
  /// <https://www.discogs.com/developers>. A *release* is a pressing; a *master* is the album of all its pressings. The
  /// limit is 60 requests a minute; beyond it, the status is 429.
  public static let discogs = Source(
    id: Discogs.id, name: "Discogs", kinds: [.vinyl, .music],
    fields: { _ in [.title, .creator, .publisher, .catalogNumber] },
    paging: Paging(mostOnPage: 100),
    attribution: "This application uses Discogs' API but is not affiliated with, sponsored or endorsed by Discogs.",
    limit: RateLimit(requests: 60, per: 60),
    key: KeyRequirement(
      name: "personal access token", page: "https://www.discogs.com/settings/developers",
      variable: "CATALOG_DISCOGS_TOKEN", without: "records are looked up at MusicBrainz"),
    defaultBaseURL: "https://api.discogs.com", pictureHosts: ["discogs.com"], asksForContact: true,
    // The minute of the limit may have to pass.
    policy: RetryPolicy(throttled: [], busy: [1], unreadable: [0]),
    request: Discogs.request, read: Discogs.read, fetch: Discogs.fetch,
    lookUp: Discogs.lookUp, pressings: Discogs.pressings)
}

/// Requests to Discogs, and the reading of its answers.
package enum Discogs {
  package static let id = "discogs"

  // MARK: Asking

  static func request(_ search: Search, _ settings: SourceSettings) -> Request {
    let field =
      switch search.field {
      case nil, .isbn: "q"
      case .title: "release_title"
      case .creator: "artist"
      case .publisher: "label"
      case .catalogNumber: "catno"
      }
    let what = search.kind == .music ? [("type", "master")] : [("type", "release"), ("format", "Vinyl")]
    return ask(
      "/database/search", settings,
      query: [(field, search.words)] + what + [
        ("page", "\(search.number)"), ("per_page", "\(search.size(atMost: 100))"),
      ])
  }

  /// The pressings of a master on vinyl, the oldest first.
  static func pressings(_ album: ExternalID, _ page: Int, _ settings: SourceSettings) -> Request? {
    master(album).map { number in
      ask(
        "/masters/\(number)/versions", settings,
        query: [
          ("format", "Vinyl"), ("sort", "released"), ("sort_order", "asc"), ("page", "\(page)"), ("per_page", "100"),
        ])
    }
  }

  /// The number of a master. It has a prefix, because releases are numbered separately. Nil for a release.
  private static func master(_ id: ExternalID) -> UInt32? {
    id.value.hasPrefix("master/") ? UInt32(id.value.dropFirst("master/".count)) : nil
  }

  /// Notes come as plain text when they are asked for so, else in Discogs' own markup.
  static func ask(_ path: String, _ settings: SourceSettings, query: [(String, String)] = []) -> Request {
    Request(
      source: id, url: Request.url(settings.baseURL, path, query: query),
      headers: [Header("accept", "application/vnd.discogs.v2.plaintext+json")],
      secret: settings.key.map { .header("authorization", "Discogs token=\($0)") })
  }

  // MARK: Reading

  static func read(_ response: Response, _ search: Search, _ settings: SourceSettings) throws(SourceError) -> Page {
    let found = try response.decoded(as: Found.self, host: settings.host)
    let hasMore = !found.results.all.isEmpty && search.number < found.pagination?.pages ?? 0
    // A search without a type also finds artists and labels.
    let records = found.results.filter { !["artist", "label"].contains($0.type) }
    return records.page(total: found.pagination?.items, hasMore: hasMore) { $0.candidate(as: search.kind) }
  }

  static func fetch(
    _ wanted: ExternalID, _ kind: Kind, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Fetched {
    let master = master(wanted)
    let isMaster = master != nil
    guard let number = master ?? UInt32(wanted.value), number > 0 else { throw .notFound }
    var partialFailures: [PartialFailure] = []
    var (record, album, _) = try http.ask(thing(number, as: kind, isMaster: isMaster, settings))
    // Only the master knows when the album first came out.
    if !isMaster, let album {
      let answer = http.ask([thing(album, as: kind, isMaster: true, settings)])[0]
      if let first = PartialFailure.value(of: answer, as: "first year", noting: &partialFailures)?.date,
        first.year < record.year ?? .max
      {
        (record.released, record.year) = (first, first.year)
      }
    }
    // A release that was merged into another answers under its new id.
    record.externalIDs = ([wanted] + record.externalIDs).withoutRepeats(by: \.self)
    return Fetched(record, partialFailures: partialFailures)
  }

  /// The request for a release or master: the record, the number of its master, and its own date.
  private static func thing(
    _ number: UInt32, as kind: Kind, isMaster: Bool, _ settings: SourceSettings
  ) -> Question<(record: Record, album: UInt32?, date: PartialDate?)> {
    Question(thing: ask("/\(isMaster ? "masters" : "releases")/\(number)", settings)) { response throws(SourceError) in
      let release = try response.decoded(as: Release.self, host: settings.host)
      guard let record = release.candidate(as: kind, isMaster: isMaster)?.record else {
        throw .unreadable("a record without a title")
      }
      return (record, release.masterId.flatMap { UInt32($0) }, release.date)
    }
  }

  /// Discogs has barcodes as members typed them: as UPC, or as EAN with a leading zero. Records come before discs.
  static func lookUp(_ code: Code, _ settings: SourceSettings, _ http: HTTPClient) throws(SourceError) -> [Candidate] {
    guard case .barcode(let barcode) = code else { return [] }
    for form in barcode.printed {
      let request = ask(
        "/database/search", settings,
        query: [("barcode", form), ("type", "release"), ("page", "1"), ("per_page", "25")])
      let search = Search(words: form, kind: .vinyl, pageSize: 25)
      let found = try http.ask(
        Question(request) { response throws(SourceError) in try read(response, search, settings).candidates })
      if !found.isEmpty { return found.filter(\.record.isVinyl) + found.filter { !$0.record.isVinyl } }
    }
    return []
  }

  // MARK: Names

  /// The display form of a name: `Jensen (2)` is the second person of that name, `Persuader, The` is filed under P, and
  /// an asterisk marks a variant spelling.
  package static func displayName(_ text: String) -> String {
    var name = text[...]
    if name.last == "*", name.count > 1 { name.removeLast() }
    if name.last == ")", let open = name.lastIndex(of: "("), open > name.startIndex {
      let number = name[name.index(after: open)...].dropLast()
      let before = name[..<open]
      if !number.isEmpty, number.allSatisfy(\.isASCIIDigit), before.last == " ", before.count > 1 {
        name = before.dropLast()
      }
    }
    let article = ", The"
    return name.hasSuffix(article) && name != article ? "The " + name.dropLast(article.count) : String(name)
  }

  /// The same for all names of a line: `Persuader, The & Jensen (2)`.
  static func displayNames(_ line: String) -> String {
    line.split(separator: " / ", omittingEmptySubsequences: false).map { names in
      names.split(separator: " & ", omittingEmptySubsequences: false).map { displayName(String($0)) }
        .joined(separator: " & ")
    }.joined(separator: " / ")
  }

  /// The artist and the title of a hit, which come as one: `A-ha - Hunting High And Low`. The first dash between blanks
  /// parts them; without one there is no artist.
  static func parts(of title: String) -> (artist: String?, title: String) {
    guard let dash = title.firstRange(of: " - ") else { return (nil, title) }
    let (artist, rest) = (title[..<dash.lowerBound].trimmingBlanks, title[dash.upperBound...].trimmingBlanks)
    return artist.isEmpty || rest.isEmpty ? (nil, title) : (artist, rest)
  }

  // MARK: The answers

  /// The hits of a search, or the pressings of a master.
  private struct Found: Decodable {
    var pagination: Pagination?
    var results: Elements<Release>

    init(from decoder: any Decoder) throws {
      let answer = try decoder.container(keyedBy: Key.self)
      pagination = try answer.decode(Lenient<Object<Pagination>>.self, forKey: .pagination).wrappedValue
      results = try answer.decode(Elements<Release>.self, forKey: answer.contains(.versions) ? .versions : .results)
    }

    private enum Key: CodingKey { case pagination, results, versions }
  }

  struct Pagination: Decodable {
    @Lenient<Whole> var pages: Int?
    @Lenient<Whole> var items: Int?
  }

  /// A pressing or an album: a search result, one of an album's pressings, a complete release, or an entry of a
  /// collection (`basic_information`).
  struct Release: Decodable {
    @Lenient<Identifier> var id: String?
    @Lenient<Line> var type: String?
    @Lenient<Line> var title: String?
    @Lenient<Whole> var year: Int?
    @Lenient<Line> var country: String?
    @Lenient<Line> var catno: String?
    @Lenient<List<Object<Format>>> var formats: [Format]?
    // A list in a search result. In a list of pressings it is a single line, and the media are in another field.
    @Lenient<Lines> var format: [String]?
    @Lenient<Lines> var majorFormats: [String]?
    @Lenient<Lines> var label: [String]?
    @Lenient<Lines> var barcode: [String]?
    @Lenient<Lines> var genre: [String]?
    @Lenient<Lines> var style: [String]?
    @Lenient<Cover> var coverImage: String?
    @Lenient<Cover> var thumb: String?
    // Fields of a full record.
    @Lenient<List<Object<Artist>>> var artists: [Artist]?
    @Lenient<List<Object<Label>>> var labels: [Label]?
    @Lenient<Lines> var genres: [String]?
    @Lenient<Lines> var styles: [String]?
    @Lenient<Day> var released: PartialDate?
    @Lenient<Prose> var notes: String?
    @Lenient<List<Object<Image>>> var images: [Image]?
    @Lenient<List<Object<Mark>>> var identifiers: [Mark]?
    @Lenient<List<Object<Song>>> var tracklist: [Song]?
    @Lenient<Object<Community>> var community: Community?
    /// 0 is a release without a master.
    @Lenient<Identifier> var masterId: String?

    /// The release date. The year 0 means unknown.
    var date: PartialDate? { released ?? year.flatMap { $0 > 0 ? PartialDate(year: $0) : nil } }

    /// Nil without an id or a title.
    func candidate(as kind: Kind, isMaster: Bool? = nil) -> Candidate? {
      guard let id, UInt32(id) != nil, let whole = title else { return nil }
      let isMaster = isMaster ?? (type == "master")
      let externalID = ExternalID(source: Discogs.id, value: isMaster ? "master/\(id)" : id)
      // Only a search result has a type, and only its title begins with the artist.
      let (artist, title) = artists == nil && type != nil ? Discogs.parts(of: whole) : (nil, whole)
      var record = Record(kind: kind == .music ? .music : .vinyl, title: title)
      record.externalIDs = [externalID]
      record.credits =
        artists?.compactMap(\.credit)
        ?? artist.map { [Credit(name: Discogs.displayNames($0), role: .artist)] } ?? []
      record.released = date
      record.year = date?.year
      record.summary = notes
      record.labels = ((genres ?? genre ?? []) + (styles ?? style ?? [])).withoutRepeats(by: \.self)
      record.url = externalID.page
      let front = images?.first { $0.type == "primary" } ?? images?.first
      record.artworkURL = front?.uri ?? coverImage ?? front?.uri150 ?? thumb
      let rating = community?.rating
      record.publicRating = rating?.count.flatMap { PublicRating(average: rating?.average, of: 5, votes: $0) }
      record.details = record.kind == .vinyl ? .vinyl(vinyl) : .other(other)
      // Those of a hit are followed by the firms that pressed it.
      let labels = labels?.compactMap(\.credit) ?? Array((label ?? []).compactMap { Label.credit($0) }.prefix(1))
      record.set(labels: labels)
      return Candidate(id: externalID, record: record)
    }

    private var vinyl: Vinyl {
      var vinyl = Vinyl()
      vinyl.catalogNumber = (labels?.compactMap(\.catno) ?? [catno].compactMap(\.self)).first {
        $0.lowercased() != "none"
      }
      vinyl.country = country.map { Country.code(named: $0) ?? $0 }
      let line = (majorFormats ?? []) + (format ?? []).flatMap { $0.split(separator: ", ").map(String.init) }
      let words = formats.map { $0.map(\.words) } ?? [line.withoutRepeats(by: \.self)]
      let plain = words.map { $0.filter { !Self.isSpeed($0) }.joined(separator: ", ") }
        .filter { !$0.isEmpty }.withoutRepeats(by: \.self)
      vinyl.format = plain.isEmpty ? nil : plain.joined(separator: " + ")
      vinyl.speed = words.joined().first(where: Self.isSpeed)
      vinyl.discs = discs
      let codes = identifiers?.filter { $0.type == "Barcode" }.compactMap(\.value) ?? barcode ?? []
      // Matrix numbers and rights societies are among the codes.
      vinyl.barcode = codes.lazy.compactMap { try? Barcode($0) }.first?.digits
      vinyl.tracks = tracks
      return vinyl
    }

    private var other: Other {
      var other = Other()
      other.tracks = tracks
      let count = (tracklist ?? []).map(\.count).reduce(0, +)
      other.count = count > 0 ? count : nil
      return other
    }

    private var tracks: [Track] { (tracklist ?? []).flatMap(\.tracks) }

    /// A box is no disc, and neither is a file.
    private var discs: Int? {
      let quantities = (formats ?? []).filter { !["Box Set", "All Media", "File"].contains($0.name) }.compactMap(\.qty)
      let sum = quantities.reduce(0) { min($0 + min($1, 10_000), 10_000) }
      return sum > 0 ? sum : nil
    }

    /// `33 ⅓ RPM`
    private static func isSpeed(_ word: String) -> Bool { word.hasSuffix(" RPM") }
  }

  struct Artist: Decodable {
    @Lenient<Identifier> var id: String?
    @Lenient<Line> var name: String?

    var credit: Credit? {
      name.map { name in
        Credit(
          name: Discogs.displayName(name), role: .artist,
          externalID: id.map { ExternalID(source: Discogs.id, value: "artist/\($0)") })
      }
    }
  }

  struct Label: Decodable {
    @Lenient<Identifier> var id: String?
    @Lenient<Line> var name: String?
    @Lenient<Line> var catno: String?

    var credit: Credit? { name.flatMap { Self.credit($0, id: id) } }

    /// Nil for a release without a label.
    static func credit(_ name: String, id: String? = nil) -> Credit? {
      let name = Discogs.displayName(name)
      guard !name.hasPrefix("Not On Label") else { return nil }
      let id = id.map { ExternalID(source: Discogs.id, value: "label/\($0)") }
      return Credit(name: name, role: .label, externalID: id)
    }
  }

  struct Format: Decodable {
    @Lenient<Line> var name: String?
    @Lenient<Count> var qty: Int?
    @Lenient<Lines> var descriptions: [String]?
    /// Free text, such as the color of the vinyl.
    @Lenient<Line> var text: String?

    var words: [String] { [name].compactMap(\.self) + (descriptions ?? []) + [text].compactMap(\.self) }
  }

  /// An identifier printed or scratched on the disc: a barcode, a matrix number.
  struct Mark: Decodable {
    @Lenient<Line> var type: String?
    @Lenient<Line> var value: String?
  }

  struct Image: Decodable {
    @Lenient<Line> var type: String?
    @Lenient<Cover> var uri: String?
    @Lenient<Cover> var uri150: String?
  }

  struct Community: Decodable {
    @Lenient<Object<Votes>> var rating: Votes?
  }

  struct Votes: Decodable {
    @Lenient<Count> var count: Int?
    @Lenient<Amount> var average: Double?
  }

  /// A track, the heading of several, or a work with its movements (`index`).
  struct Song: Decodable {
    @Lenient<Line> var type: String?
    @Lenient<Line> var position: String?
    @Lenient<Line> var title: String?
    @Lenient<Duration> var duration: Int?
    @Lenient<List<Object<Movement>>> var subTracks: [Movement]?

    /// The tracks of this entry. Movements that are tracks of their own follow the title of their work. Movements that
    /// only divide one track, without positions or as `2.1` and `2.2`, follow a line for the work.
    var tracks: [Track] {
      if type == "heading" { return movements.map(\.track) }
      guard !movements.isEmpty else { return [whole].compactMap(\.self) }
      guard let whole else { return movements.map(\.track) }
      let isTimed = movements.allSatisfy { $0.duration != nil }
      if let divided, !isTimed, whole.seconds != nil || !divided.isEmpty {
        let hasTimes = movements.contains { $0.duration != nil }
        let work = Track(position: divided, title: whole.title, seconds: whole.seconds)
        return [work] + movements.map { $0.track(at: hasTimes ? divided : "") }
      }
      let parts = movements.map { $0.track(of: whole.title, at: whole.position) }
      // The duration of the work is the sum of its movements, if all are known.
      return isTimed || whole.seconds == nil ? parts : [whole] + parts
    }

    /// The number of tracks, with movements counted as the release counts them.
    var count: Int { movements.isEmpty ? tracks.count : divided == nil || type == "heading" ? movements.count : 1 }

    private var movements: [Movement] { (subTracks ?? []).filter { $0.title != nil } }

    private var whole: Track? { title.map { Track(position: position ?? "", title: $0, seconds: duration) } }

    /// The position of the single track that the movements divide, possibly empty; nil for movements that are tracks.
    private var divided: String? {
      let positions = movements.compactMap(\.position)
      if positions.isEmpty { return position ?? "" }
      let tracks = Set(positions.map(Discogs.dividedTrack))
      guard positions.count == movements.count, let track = tracks.first, tracks.count == 1, let track else {
        return nil
      }
      return position ?? track
    }
  }

  /// The track of which a position names a part: `2` of `2.1`, `A1` of `A1b`. Nil for a track of its own.
  private static func dividedTrack(_ position: String) -> String? {
    let letters = position.reversed().prefix { $0.isASCII && $0.isLetter }.count
    let stem = position.dropLast(letters)
    if letters > 0, stem.last?.isASCIIDigit == true { return String(stem) }
    guard let dot = position.lastIndex(of: "."), dot > position.startIndex else { return nil }
    let part = position[position.index(after: dot)...]
    return !part.isEmpty && part.allSatisfy { $0.isASCIIDigit || $0.isLetter } ? String(position[..<dot]) : nil
  }

  struct Movement: Decodable {
    @Lenient<Line> var position: String?
    @Lenient<Line> var title: String?
    @Lenient<Duration> var duration: Int?

    var track: Track { track(at: "") }

    /// - Parameter place: its position where it has none of its own.
    func track(at place: String) -> Track {
      Track(position: position ?? place, title: title ?? "", seconds: duration)
    }

    /// The movement behind the title of its work, unless it has that already.
    func track(of work: String, at place: String) -> Track {
      var track = track(at: place)
      if !Folding.fold(track.title).hasPrefix(Folding.fold(work)) { track.title = "\(work): \(track.title)" }
      return track
    }
  }

  /// `4:45` or `1:02:03`, in seconds.
  enum Duration: Reading {
    static func read(_ json: JSON) -> Int? {
      let parts = json.text?.split(separator: ":", omittingEmptySubsequences: false) ?? []
      let numbers = parts.compactMap { $0.utf8.count <= 4 && $0.allSatisfy(\.isASCIIDigit) ? Int($0) : nil }
      guard (2...3).contains(parts.count), numbers.count == parts.count else { return nil }
      let seconds = numbers.reduce(0) { $0 * 60 + $1 }
      return seconds > 0 ? seconds : nil
    }
  }

  /// Several words, which older answers give as one when there is only one.
  enum Lines: Reading {
    static func read(_ json: JSON) -> [String]? { List<Line>.read(json) ?? Line.read(json).map { [$0] } }
  }

  /// The address of a picture. Without a token it is missing; without a picture it may be empty.
  enum Cover: Reading {
    static func read(_ json: JSON) -> String? {
      Resource.read(json).flatMap { $0.hasSuffix("/spacer.gif") ? nil : $0 }
    }
  }
}
