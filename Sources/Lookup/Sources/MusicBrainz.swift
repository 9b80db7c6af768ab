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
    policy: {
      RetryPolicy(
        throttled: [2], busy: [2],
        rests: [.contact: .seconds(86_400), .forbidden: .seconds(600), .hungUp: .seconds(600)],
        restsWithoutContact: true)
    },
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
    let found = try response.json(host: settings.host)
    let isGroup = found.object?["releases"] == nil
    let releases = try found[isGroup ? "release-groups" : "releases"].hits()
    var page = Page(releases, of: search, atMost: 100, total: found["count"].whole) { release in
      record(release, as: search.kind, isGroup: isGroup, settings)
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
      let release = try response.json(host: settings.host)
      guard let record = MusicBrainz.record(release, as: kind, isGroup: isGroup, settings) else {
        throw .unreadable("a record without a title")
      }
      return record
    }
    var record: Record
    if isGroup || !settings.wantsPictures {
      record = try http.ask(release)
    } else {
      let (found, pictures) = http.ask(release, Question(thing: pictures(of: number, settings), with: "images"))
      record = try found.get()
      // Without that list the address of the front is known all the same.
      record.artworkURL = (try? pictures.get()).flatMap { front(of: $0, settings) } ?? record.artworkURL
    }
    return Fetched(record, as: wanted)
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
    return try http.ask(
      Question(request) { response throws(SourceError) in try read(response, search, settings).candidates }
    ).recordsFirst
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

  /// A release, or the group of all its pressings. Nil without an id or a title.
  private static func record(
    _ release: JSON, as kind: Kind, isGroup: Bool, _ settings: SourceSettings
  ) -> Record? {
    guard let id = release["id"].identifier, isID(id), let title = release["title"].line else { return nil }
    let (group, media) = (release["release-group"], release["media"].list)
    var record = Record(kind: kind == .music ? .music : .vinyl, title: title)
    record.externalIDs = [ExternalID(source: self.id, value: isGroup ? "release-group/\(id)" : id)]
    record.credits = release["artist-credit"].elements.compactMap(artist)
    record.released =
      group["first-release-date"].day ?? release["first-release-date"].day ?? release["date"].day
    record.year = record.released?.year
    record.labels = genres(of: release)
    record.url = record.externalIDs.first?.page
    record.artworkURL = cover(of: release, id, isGroup: isGroup, imageBase(settings))
    if record.kind == .vinyl {
      let labels = release["label-info"].elements
      record.vinyl.catalogNumber = labels.lazy.compactMap { $0["catalog-number"].line }
        .first { $0.lowercased() != "[none]" }
      // XU stands for an unknown country.
      record.vinyl.country = release["country"].line.flatMap { $0 == "XU" ? nil : $0 }
      let formats = (media ?? []).compactMap { $0["format"].line }.withoutRepeats(by: \.self)
      record.vinyl.format = formats.isEmpty ? nil : formats.joined(separator: " + ")
      record.vinyl.discs = media.flatMap { $0.isEmpty ? nil : $0.count }
      record.vinyl.barcode = release["barcode"].line.map { (try? Barcode($0))?.digits ?? $0 }
      record.vinyl.tracks = tracks(of: media ?? [])
      record.set(labels: labels.compactMap { credit($0["label"]["name"].line, of: $0["label"], .label) })
    } else {
      var other = Other()
      let count = (media ?? []).compactMap { $0["track-count"].positive }.reduce(0, +)
      other.count = count > 0 ? count : nil
      other.tracks = tracks(of: media ?? [])
      record.details = .other(other)
    }
    return record
  }

  /// One of the names on the sleeve. `Simon & Garfunkel` is one; `Queen & David Bowie` are two. Nil if the artist is
  /// unknown or missing. `[traditional]` and `[dialogue]` are kept.
  private static func artist(_ credit: JSON) -> Credit? {
    self.credit(credit["name"].line ?? credit["artist"]["name"].line, of: credit["artist"], .artist)
  }

  private static func credit(_ name: String?, of json: JSON, _ role: Credit.Role) -> Credit? {
    guard let name, !isNobody(json["name"].line ?? name) else { return nil }
    let id = json["id"].identifier.map { ExternalID(source: self.id, value: "\(role.rawValue)/\($0)") }
    return Credit(name: name, role: role, externalID: id)
  }

  /// The tracks of all discs. If two discs share a number, the number of the disc is added: `2-03`.
  private static func tracks(of media: [JSON]) -> [Track] {
    let discs = media.map { disc in
      ([disc["pregap"]] + disc["tracks"].elements).compactMap { track in
        track["title"].line.map { title in
          let seconds = track["length"].positive.map { ($0 + 500) / 1000 }.flatMap { $0 > 0 ? $0 : nil }
          return Track(position: track["number"].line ?? "", title: title, seconds: seconds)
        }
      }
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
  private static func genres(of release: JSON) -> [String] {
    func all(_ key: String) -> [JSON] { release[key].elements + release["release-group"][key].elements }
    let genres = sum(all("genres"))
    guard genres.isEmpty else { return genres.map(\.name) }
    let tags = chief(all("tags"), atMost: 5)
    return tags.isEmpty
      ? chief(release["artist-credit"].elements.flatMap { $0["artist"]["genres"].elements }, atMost: 3) : tags
  }

  /// The names with their votes, most votes first. Names without a positive sum are left out.
  private static func sum(_ votes: [JSON]) -> [(name: String, votes: Int)] {
    var sums: [String: Int] = [:]
    for vote in votes {
      guard let name = vote["name"].line else { continue }
      sums[name, default: 0] += min(max(vote["count"].whole ?? 1, -1_000_000), 1_000_000)
    }
    return sums.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }

  /// The names with at least half of the first one's votes.
  private static func chief(_ votes: [JSON], atMost count: Int) -> [String] {
    let all = sum(votes)
    return all.filter { $0.votes * 2 >= all.first?.votes ?? 0 }.prefix(count).map(\.name)
  }

  /// The front cover of this pressing if there is one, else of any pressing of the album.
  private static func cover(of release: JSON, _ id: String, isGroup: Bool, _ base: String) -> String? {
    if isGroup { return "\(base)/release-group/\(id)/front-500" }
    if release["cover-art-archive"]["front"].flag == true { return "\(base)/release/\(id)/front-500" }
    return release["release-group"]["id"].identifier.map { "\(base)/release-group/\($0)/front-500" }
  }

  /// The address of the front cover, an approved one first. Unlike `/front-500`, it never changes when covers are
  /// uploaded. The size that is kept has 500 pixels, of which older answers say `large`.
  /// <https://musicbrainz.org/doc/Cover_Art_Archive/API>
  private static func front(of pictures: JSON, _ settings: SourceSettings) -> String? {
    let fronts = pictures["images"].elements.filter { $0["front"].flag ?? $0["types"].lines.contains("Front") }
    let front = fronts.first { $0["approved"].flag == true } ?? fronts.first ?? .null
    let address = ["500", "large", "1200"].lazy.compactMap { front["thumbnails"][$0].resource }.first
    return (address ?? front["image"].resource).map { address in
      address.hasPrefix(archive + "/") ? imageBase(settings) + address.dropFirst(archive.count) : address
    }
  }
}
