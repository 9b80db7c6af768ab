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
    policy: { RetryPolicy(throttled: [], busy: [1], unreadable: [0]) },
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
    let found = try response.json(host: settings.host)
    // The pressings of a master are another list.
    let all = try found[found.object?["versions"] == nil ? "results" : "versions"].hits()
    let pages = found["pagination"]
    let hasMore = !all.isEmpty && search.number < pages["pages"].whole ?? 0
    // A search without a type also finds artists and labels.
    let records = all.filter { !["artist", "label"].contains($0["type"].line) }
    return Page(records, total: pages["items"].whole, hasMore: hasMore) { candidate($0, as: search.kind) }
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
    return Fetched(record, as: wanted, partialFailures: partialFailures)
  }

  /// The request for a release or master: the record, the number of its master, and its own date.
  private static func thing(
    _ number: UInt32, as kind: Kind, isMaster: Bool, _ settings: SourceSettings
  ) -> Question<(record: Record, album: UInt32?, date: PartialDate?)> {
    Question(thing: ask("/\(isMaster ? "masters" : "releases")/\(number)", settings)) { response throws(SourceError) in
      let release = try response.json(host: settings.host)
      guard let record = candidate(release, as: kind, isMaster: isMaster)?.record else {
        throw .unreadable("a record without a title")
      }
      // 0 is a release without a master.
      return (record, release["master_id"].identifier.flatMap { UInt32($0) }, record.released)
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
      if !found.isEmpty { return found.recordsFirst }
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

  /// A pressing or an album: a search result, one of an album's pressings, a complete release, or an entry of a
  /// collection (`basic_information`). Nil without an id or a title.
  static func candidate(_ release: JSON, as kind: Kind, isMaster: Bool? = nil) -> Candidate? {
    guard let number = release["id"].identifier, UInt32(number) != nil, let whole = release["title"].line else {
      return nil
    }
    let type = release["type"].line
    let id = ExternalID(source: self.id, value: isMaster ?? (type == "master") ? "master/\(number)" : number)
    // Only a search result has a type, and only its title begins with the artist.
    let artists = release["artists"].list?.compactMap { credit($0, .artist) }
    let (artist, title) = artists == nil && type != nil ? parts(of: whole) : (nil, whole)
    var record = Record(kind: kind == .music ? .music : .vinyl, title: title)
    record.externalIDs = [id]
    record.credits = artists ?? artist.map { [Credit(name: displayNames($0), role: .artist)] } ?? []
    // The year 0 means unknown.
    record.released = release["released"].day ?? release["year"].positive.flatMap { PartialDate(year: $0) }
    record.year = record.released?.year
    record.summary = release["notes"].prose
    record.labels =
      ((words(release["genres"]) ?? words(release["genre"]) ?? [])
      + (words(release["styles"]) ?? words(release["style"]) ?? [])).withoutRepeats(by: \.self)
    record.url = id.page
    let images = release["images"].elements
    let front = images.first { $0["type"].line == "primary" } ?? images.first ?? .null
    record.artworkURL =
      [front["uri"], release["cover_image"], front["uri150"], release["thumb"]].lazy
      .compactMap(cover).first
    let rating = release["community"]["rating"]
    record.publicRating = rating["count"].positive.flatMap {
      PublicRating(average: rating["average"].amount, of: 5, votes: $0)
    }
    let songs = release["tracklist"].elements.map(Song.init)
    let tracks = songs.flatMap(\.tracks)
    if record.kind == .vinyl {
      record.vinyl = vinyl(release)
      record.vinyl.tracks = tracks
    } else {
      var other = Other()
      other.tracks = tracks
      let count = songs.map(\.count).reduce(0, +)
      other.count = count > 0 ? count : nil
      record.details = .other(other)
    }
    // Those of a hit are followed by the firms that pressed it.
    let labels = release["labels"].list?.compactMap { credit($0, .label) }
    record.set(
      labels: labels
        ?? Array((words(release["label"]) ?? []).compactMap { credit($0, .label) }.prefix(1)))
    return Candidate(id: id, record: record)
  }

  private static func vinyl(_ release: JSON) -> Vinyl {
    var vinyl = Vinyl()
    let numbers = release["labels"].list?.compactMap { $0["catno"].line } ?? [release["catno"].line].compactMap(\.self)
    vinyl.catalogNumber = numbers.first { $0.lowercased() != "none" }
    vinyl.country = release["country"].line.map { Country.code(named: $0) ?? $0 }
    // A list in a search result. In a list of pressings it is a single line, and the media are in another field.
    let line =
      (words(release["major_formats"]) ?? [])
      + (words(release["format"]) ?? []).flatMap { $0.split(separator: ", ").map(String.init) }
    let formats = release["formats"].list?.map { format in
      [format["name"].line].compactMap(\.self) + (words(format["descriptions"]) ?? [])
        // Free text, such as the color of the vinyl.
        + [format["text"].line].compactMap(\.self)
    }
    let all = formats ?? [line.withoutRepeats(by: \.self)]
    /// `33 ⅓ RPM`
    func isSpeed(_ word: String) -> Bool { word.hasSuffix(" RPM") }
    let plain = all.map { $0.filter { !isSpeed($0) }.joined(separator: ", ") }
      .filter { !$0.isEmpty }.withoutRepeats(by: \.self)
    vinyl.format = plain.isEmpty ? nil : plain.joined(separator: " + ")
    vinyl.speed = all.joined().first(where: isSpeed)
    // A box is no disc, and neither is a file.
    let discs = release["formats"].elements.filter {
      !["Box Set", "All Media", "File"].contains($0["name"].line)
    }.compactMap { $0["qty"].positive }.reduce(0) { min($0 + min($1, 10_000), 10_000) }
    vinyl.discs = discs > 0 ? discs : nil
    let codes = release["identifiers"].list?.filter { $0["type"].line == "Barcode" }.compactMap { $0["value"].line }
    // Matrix numbers and rights societies are among the codes.
    vinyl.barcode = (codes ?? words(release["barcode"]) ?? []).lazy.compactMap { try? Barcode($0) }.first?.digits
    return vinyl
  }

  /// An artist or label; nil without a name, and for a release without a label.
  private static func credit(_ json: JSON, _ role: Credit.Role) -> Credit? {
    json["name"].line.flatMap { credit($0, id: json["id"].identifier, role) }
  }

  private static func credit(_ name: String, id: String? = nil, _ role: Credit.Role) -> Credit? {
    let name = displayName(name)
    guard role == .artist || !name.hasPrefix("Not On Label") else { return nil }
    return Credit(
      name: name, role: role, externalID: id.map { ExternalID(source: self.id, value: "\(role.rawValue)/\($0)") })
  }

  /// Several words, which older answers give as one when there is only one.
  private static func words(_ json: JSON) -> [String]? { json.list == nil ? json.line.map { [$0] } : json.lines }

  /// The address of a picture. Without a token it is missing; without a picture it may be empty.
  private static func cover(_ json: JSON) -> String? {
    json.resource.flatMap { $0.hasSuffix("/spacer.gif") ? nil : $0 }
  }

  /// A track, the heading of several, or a work with its movements (`index`).
  private struct Song {
    private let isHeading: Bool
    private let position: String?
    private let whole: Track?
    private let movements: [Movement]

    private struct Movement {
      var position: String?
      var title: String
      var seconds: Int?
    }

    init(_ json: JSON) {
      isHeading = json["type_"].line == "heading"
      let position = json["position"].line
      self.position = position
      whole = json["title"].line.map {
        Track(position: position ?? "", title: $0, seconds: Discogs.seconds(json["duration"]))
      }
      movements = json["sub_tracks"].elements.compactMap { part in
        part["title"].line.map {
          Movement(position: part["position"].line, title: $0, seconds: Discogs.seconds(part["duration"]))
        }
      }
    }

    /// The tracks of this entry. Movements that are tracks of their own follow the title of their work. Movements that
    /// only divide one track, without positions or as `2.1` and `2.2`, follow a line for the work.
    var tracks: [Track] {
      if isHeading { return parts() }
      guard let whole else { return parts() }
      guard !movements.isEmpty else { return [whole] }
      let isTimed = movements.allSatisfy { $0.seconds != nil }
      if let divided, !isTimed, whole.seconds != nil || !divided.isEmpty {
        let hasTimes = movements.contains { $0.seconds != nil }
        return [Track(position: divided, title: whole.title, seconds: whole.seconds)]
          + parts(at: hasTimes ? divided : "")
      }
      var parts = parts(at: whole.position)
      for place in parts.indices where !Folding.fold(parts[place].title).hasPrefix(Folding.fold(whole.title)) {
        parts[place].title = "\(whole.title): \(parts[place].title)"
      }
      // The duration of the work is the sum of its movements, if all are known.
      return isTimed || whole.seconds == nil ? parts : [whole] + parts
    }

    /// The number of tracks, with movements counted as the release counts them.
    var count: Int { movements.isEmpty ? tracks.count : divided == nil || isHeading ? movements.count : 1 }

    /// The movements as tracks.
    /// - Parameter place: the position of one that has none of its own.
    private func parts(at place: String = "") -> [Track] {
      movements.map { Track(position: $0.position ?? place, title: $0.title, seconds: $0.seconds) }
    }

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

  /// `4:45` or `1:02:03`, in seconds.
  private static func seconds(_ json: JSON) -> Int? {
    let parts = json.text?.split(separator: ":", omittingEmptySubsequences: false) ?? []
    let numbers = parts.compactMap { $0.utf8.count <= 4 && $0.allSatisfy(\.isASCIIDigit) ? Int($0) : nil }
    guard (2...3).contains(parts.count), numbers.count == parts.count else { return nil }
    let seconds = numbers.reduce(0) { $0 * 60 + $1 }
    return seconds > 0 ? seconds : nil
  }
}
