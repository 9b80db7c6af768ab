internal import CatalogModel
internal import Lookup
internal import Processes

/// The export of Letterboxd, as an archive or one of its files, and the table that Letterboxd imports.
///
/// The files overlap: a film in the diary is also among the watched films, and perhaps among the rated ones. All rows
/// of a film are merged, so they are held in memory.
struct Letterboxd: FileFormat {
  let id = "letterboxd"
  let name = "Letterboxd"
  /// The columns of all parts, in an order of days that a spreadsheet may have changed.
  private(set) var table = TableFormat(
    "letterboxd", "Letterboxd", .movie,
    own: [
      "directors": .makers(.director, .firstLast),
      "stars": ColumnMapping("rating", "rating", ColumnMapping.rating(.five).read),
      "tenths": ColumnMapping("rating", "rating", ColumnMapping.rating(.ten).read),
      "tmdb": ColumnMapping("tmdb", "id at tmdb", ColumnMapping.id("tmdb").read),
    ])
  var remarks: [Entry.Remark] { table.remarks }

  /// The content of a file in the export.
  enum Part: Hashable {
    case watched, ratings, diary, reviews, watchlist, likes
    case list
    /// The table that Letterboxd imports.
    case table
  }

  func recognizes(_ shape: Shape) -> Bool {
    switch shape {
    case .zip(let members):
      ["watched.csv", "diary.csv", "ratings.csv", "watchlist.csv"].count { members.contains($0) } >= 2
    case .table: Self.part(of: shape, path: "") != nil
    default: false
    }
  }

  /// The part in a single file. The files of watched, wanted and liked films have the same columns, so the file name
  /// decides.
  private static func part(of shape: Shape, path: String) -> Part? {
    guard case .table(let header, _, _) = shape, let names = shape.names else { return nil }
    if header.first?.hasPrefix("Letterboxd list export") == true || names == List.header { return .list }
    if names == watchlistToImport { return .watchlist }
    let isTable =
      ["watcheddate", "rating10", "rewatch", "tmdbid", "imdbid", "directors"].count { names.contains($0) } >= 2
    if names.contains("title"), names.contains("letterboxduri") || isTable, !names.contains("const"),
      !names.contains("name")
    {
      return names.contains("letterboxduri") || names.contains("watcheddate") || names.contains("rating10")
        ? .table : nil
    }
    guard names.isSuperset(of: ["name", "year", "letterboxduri"]) else { return nil }
    if names.contains("review") { return .reviews }
    if names.contains("watcheddate") { return .diary }
    if names.contains("rating") { return .ratings }
    let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
    if name.contains("watchlist") { return .watchlist }
    return name.contains("like") || name == "films.csv" ? .likes : .watched
  }

  /// The columns of a watchlist for Letterboxd, which say nothing of a viewing.
  private static let watchlistToImport = Set(OutgoingTable.letterboxdWatchlist.header.map(Cells.key))

  private static func part(ofMember name: String) -> Part? {
    switch name {
    case "watched.csv": .watched
    case "ratings.csv": .ratings
    case "diary.csv": .diary
    case "reviews.csv": .reviews
    case "watchlist.csv": .watchlist
    case "likes/films.csv": .likes
    case _ where name.hasPrefix("lists/") && name.hasSuffix(".csv"): .list
    default: nil
    }
  }

  func fitted(to file: InputFile) throws -> any FileFormat {
    guard case .table = file.shape, Self.part(of: file.shape, path: file.path) != .list else {
      return self
    }
    var format = self
    try format.table.fit(to: file)
    return format
  }

  func uses(in file: InputFile) throws -> [ColumnUse] {
    guard case .zip(let members) = file.shape else {
      guard case .table(let header, _, _) = file.shape, let part = Self.part(of: file.shape, path: file.path) else {
        return []
      }
      if part == .list {
        return ["Position", "Name", "Year", "URL", "Description"].map { ColumnUse($0, table.target($0).use) } + [
          Self.listUse
        ]
      }
      return header.map { ColumnUse($0, table(of: part).target($0).use) }
    }
    let hasLists = members.contains { Self.part(ofMember: $0) == .list }
    return members.filter { !$0.hasSuffix("/") }.map { ColumnUse($0, Self.use(ofMember: $0)) }
      + (hasLists ? [Self.listUse] : [])
  }

  private static func use(ofMember name: String) -> ColumnUse.Role {
    switch part(ofMember: name) {
    case .watched: .kept("watched movies")
    case .ratings: .kept("rating")
    case .diary: .kept("diary")
    case .reviews: .kept("review")
    case .watchlist: .kept("wish")
    case .likes: .kept("favorites")
    case .list: .kept("lists")
    case .table: .kept("movies")
    case nil where name.hasPrefix("deleted/"): .left("you deleted it there")
    case nil where name.hasPrefix("orphaned/"): .left("the item it belongs to was deleted there")
    case nil where name == "profile.csv": .left("it is about you, not about movies")
    case nil: .left("it is about others' words and lists")
    }
  }

  private static let listUse = ColumnUse(
    "Date, Tags, URL and Description of the list", .left("a list has a name and an order, and nothing else"))

  /// The columns of a part. In the diary and in reviews, the address is that of the entry.
  private func table(of part: Part) -> TableFormat {
    var table = table
    if part == .diary || part == .reviews {
      table.columns["letterboxduri"] = .left("it names the entry, not the movie")
    }
    return table
  }

  // MARK: - Reading

  func read(_ file: InputFile, each: (ImportRow) throws -> Bool) throws {
    var films = Films()
    var rejected: [ImportRow] = []
    var delimiter = UInt8(ascii: ",")
    if case .table(_, let other, _) = file.shape { delimiter = other }
    func read(_ source: ByteSource, _ part: Part, of member: String?) throws {
      let name = member ?? "the file"
      func reject(line: Int, _ why: ImportRow.Rejection) throws {
        guard rejected.count < 10_000 else { throw HeldRows.tooMuch }
        rejected.append(
          ImportRow(
            line: line, key: "\(name) \(line)", words: "\(name), line \(line)", content: .failure(why)))
      }
      // A program that was interrupted while writing leaves zero bytes.
      guard try source.beginning(64).contains(where: { $0 != 0 }) || source.beginning(1).isEmpty else {
        return try reject(line: 1, ImportRow.Rejection("the file is damaged: it holds no text"))
      }
      let table = table(of: part)
      var targets = ColumnMappings(of: table, with: file.choices)
      try Self.records(of: source, part, name, delimiter) { cells, list in
        let row = table.facts(of: cells, &targets).0
        if let why = try films.add(row, cells, part, of: member, list: list) { try reject(line: cells.line, why) }
      }
    }
    if case .zip(let members) = file.shape {
      let archive = try ZipArchive(path: file.path)
      // The watched films come first, followed by what refers to them.
      let order: [Part] = [.watched, .diary, .reviews, .ratings, .watchlist, .likes, .list]
      for part in order {
        for member in members where Self.part(ofMember: member) == part {
          try read(try archive.read(member).decoded(path: nil), part, of: member)
        }
      }
    } else if let part = Self.part(of: file.shape, path: file.path) {
      try read(try file.text(), part, of: nil)
    }
    var keys = RowKeys()
    for film in films.all {
      let row = ImportRow(
        line: film.line, member: film.member, key: try keys.unique(film.key, film.facts), words: film.facts.words,
        content: film.content(until: file.choices.latestDay))
      guard try each(row) else { return }
    }
    for row in rejected {
      guard try each(row) else { return }
    }
  }

  /// The current list, with the data above its films.
  struct List {
    var name: String
    var isRanked = true

    /// The header of the data above a list.
    static let header: Set<String> = ["date", "name", "tags", "url", "description"]
  }

  private static func records(
    of source: ByteSource, _ part: Part, _ file: String, _ delimiter: UInt8, _ each: (Cells, List?) throws -> Void
  ) throws {
    var reader = DelimitedReader(source, delimiter: delimiter)
    guard var header = try reader.next() else { return }
    var list: List?
    if part == .list {
      // `Letterboxd list export v7` (missing in some files), the data of the list with its own header, then its films.
      let fallback = file.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? "Letterboxd"
      list = List(name: fallback)
      while !header.cells.map(Cells.key).contains("position") {
        guard let next = try reader.next() else { return }
        if Set(header.cells.map(Cells.key)) == List.header {
          list?.name = Cells(next, header: header.cells, keys: header.cells.map(Cells.key)).first("Name") ?? fallback
        }
        header = next
      }
    }
    let keys = header.cells.map(Cells.key)
    while let row = try reader.next() {
      if row.isNothing(below: header.cells) { continue }
      try each(Cells(row, header: header.cells, keys: keys), list)
    }
  }

  // MARK: - Films

  /// A viewing of a film.
  fileprivate struct Visit {
    /// The name of the entry in the export, which matches the diary with the reviews.
    var name: String
    var date: PartialDate?
    var isRewatch = false
    var rating: Rating?
    var review: String?
    /// The day of the log entry and its opinion.
    var loggedOn: PartialDate?
    /// Whether ``name`` is the entry's name at Letterboxd.
    var isNamed = false
  }

  fileprivate struct Film {
    var key: String
    /// The ids of the film, as far as the export has them.
    var ids: [ExternalID]
    /// The member with the first row of the film.
    var member: String?
    var line: Int
    var facts: RowFacts
    var visits: [Visit] = []
    var isWatched = false
    /// The days of the rating, the like and the wish.
    var ratedOn: PartialDate?
    var likedOn: PartialDate?
    var wishedOn: PartialDate?
    /// The opinions without a viewing.
    var others: [Entry.Opinion] = []
  }

  /// All films of an export.
  private struct Films {
    /// The films by name and year. Ids distinguish films with equal names.
    private var places: [String: [Int]] = [:]
    private var films: [Film] = []
    private var held = HeldRows()

    /// Adds a row.
    /// - Returns: the reason if it is rejected.
    mutating func add(
      _ row: RowFacts, _ cells: Cells, _ part: Part, of member: String?, list: List?
    ) throws -> ImportRow.Rejection? {
      guard let title = row.title else { return ImportRow.Rejection("the title is missing") }
      let year = cells.first("Year") ?? ""
      let key = "\(Folding.fold(title))|\(year)"
      let ids = Self.ids(of: row, cells, in: part)
      let namesakes = places[key] ?? []
      let place: Int
      if let known = film(of: ids, among: namesakes, rated: row.rating) {
        place = known
      } else {
        place = films.count
        places[key, default: []].append(place)
        var facts = RowFacts()
        (facts.kind, facts.title) = (.movie, title)
        films.append(Film(key: key, ids: [], member: member, line: cells.line, facts: facts))
      }
      // A row of the diary does not identify one of them.
      if ids.isEmpty, namesakes.count > 1 { films[place].facts.remark(.severalOfOneName) }
      films[place].ids += ids.filter { !films[place].ids.contains($0) }
      try held.add(cells, things: films.count)
      films[place].add(row, cells, part, list)
      return nil
    }

    /// The ids of a row's film. In the diary and in reviews, the address is that of the entry.
    private static func ids(of row: RowFacts, _ cells: Cells, in part: Part) -> [ExternalID] {
      let own: ExternalID? =
        switch part {
        case .diary, .reviews, .table: nil
        case .watched, .ratings, .watchlist, .likes, .list:
          ExternalID(letterboxd: cells.first("Letterboxd URI") ?? cells.first("URL") ?? "")
        }
      return [own].compactMap(\.self) + row.externalIDs
    }

    /// Finds the film of a row among those with its name and year: by an id, or one without contradicting ids. If
    /// several fit a row without ids, the rating decides.
    private func film(of ids: [ExternalID], among namesakes: [Int], rated rating: Rating?) -> Int? {
      if let same = namesakes.first(where: { !Set(films[$0].ids).isDisjoint(with: ids) }) { return same }
      let possible = namesakes.filter { place in
        !ids.contains { id in films[place].ids.contains { $0.source == id.source } }
      }
      guard possible.count > 1, let rating else { return possible.first }
      return possible.first { films[$0].facts.rating == rating } ?? possible.first
    }

    /// The films, in the order of their first rows. Films with equal names have an id in the key.
    var all: [Film] {
      films.map { film in
        guard places[film.key]?.count ?? 0 > 1, let id = film.ids.first else { return film }
        var film = film
        film.key += "|\(id.value)"
        return film
      }
    }
  }
}

extension Entry.Remark {
  fileprivate static let severalOfOneName = Entry.Remark(
    "the file has several films with this name and year, and does not say which one was watched")
}

extension Letterboxd.Film {
  /// Adds what a row of the film says.
  fileprivate mutating func add(
    _ row: RowFacts, _ cells: Cells, _ part: Letterboxd.Part, _ list: Letterboxd.List?
  ) {
    for remark in row.remarks { facts.remark(remark) }
    let review = facts.cut(row.review, "review")
    if let year = row.year { facts.year = facts.year ?? year }
    facts.url = facts.url ?? row.url
    if facts.creators.isEmpty { facts.creators = row.creators }
    facts.externalIDs += row.externalIDs.filter { !facts.externalIDs.contains($0) }
    facts.tags += row.tags
    facts.notes += row.notes.filter { !facts.notes.contains($0) }
    if part != .list, let added = row.addedOn, facts.addedOn.map({ added.description < $0.description }) ?? true {
      facts.addedOn = added
    }
    let date = row.finished.first
    let hasViewings = cells.keys.contains("watcheddate")
    switch part {
    case .watched: isWatched = true
    case .ratings:
      (facts.rating, ratedOn) = (row.rating, row.addedOn)
      isWatched = true
    case .likes: (facts.isFavorite, likedOn) = (true, row.addedOn)
    case .watchlist: (facts.status, wishedOn) = (.planned, row.addedOn)
    case .list:
      if let list {
        facts.piles.append(Entry.PilePlace(list.name, position: cells.first("Position").flatMap { Int($0) }))
      }
    case .diary, .reviews, .table:
      let uri = part == .table ? nil : cells.first("Letterboxd URI")
      if part != .diary, date == nil {
        // A rating or review without a viewing. In the table that Letterboxd imports, each line of a table of viewings
        // counts as one.
        if part == .table {
          isWatched = isWatched || row.rating != nil || review != nil || row.isAgain || hasViewings
        }
        guard let opinion = Entry.Opinion(rating: row.rating, comment: review, day: row.addedOn) else { return }
        if facts.rating == nil, facts.review == nil, part == .table {
          (facts.rating, facts.review) = (row.rating, review)
        } else if !others.contains(opinion) {
          others.append(opinion)
        }
        return
      }
      isWatched = true
      let name = uri ?? "\(cells.line)"
      let place = visits.firstIndex { $0.name == name } ?? visits.firstIndex { part == .reviews && $0.date == date }
      if let place {
        visits[place].rating = visits[place].rating ?? row.rating
        visits[place].review = visits[place].review ?? review
        visits[place].date = visits[place].date ?? date
      } else {
        visits.append(
          Letterboxd.Visit(
            name: name, date: date, isRewatch: row.isAgain, rating: row.rating, review: review, loggedOn: row.addedOn,
            isNamed: uri != nil))
      }
    }
  }
}

extension ExternalID {
  /// Reads the id of a film from the address of its page: `https://boxd.it/1skk`,
  /// `https://letterboxd.com/film/heat-1995/`.
  fileprivate init?(letterboxd address: String) {
    let parts = address.split { "/?#".contains($0) }.drop { ["https:", "http:"].contains($0.lowercased()) }
    guard let host = parts.first?.lowercased(), ["boxd.it", "letterboxd.com", "www.letterboxd.com"].contains(host)
    else {
      return nil
    }
    let value = parts.dropFirst().joined(separator: "/")
    guard (1...100).contains(value.utf8.count), value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return nil
    }
    self.init(source: "letterboxd", value: value)
  }
}

extension Letterboxd.Film {
  /// Combines all rows of the film.
  fileprivate func content(until latest: PartialDate?) -> Result<Entry, ImportRow.Rejection> {
    var facts = facts
    let (rating, review) = (facts.rating, facts.review)
    (facts.rating, facts.review) = (nil, nil)
    var visits = visits
    for place in visits.indices {
      guard let latest, let day = visits[place].date, day.description > latest.description else { continue }
      facts.notes.append("Watched: \(day)")
      facts.remark(.yetToCome)
      visits[place].date = nil
    }
    do throws(ImportRow.Rejection) {
      var entry = try facts.entry(until: latest)
      let dated = visits.sorted { left, right in
        guard let left = left.date?.description, let right = right.date?.description else { return false }
        return left < right
      }
      entry.times = dated.map {
        Entry.Time(
          endedOn: $0.date, opinion: Entry.Opinion(rating: $0.rating, comment: $0.review, day: $0.loggedOn),
          name: $0.isNamed ? $0.name : nil)
      }
      (entry.favoriteOn, entry.wishedOn) = (likedOn, wishedOn)
      entry.record.externalIDs += ids.filter { !entry.record.externalIDs.contains($0) }
      // A rewatch implies an earlier viewing.
      if dated.first?.isRewatch == true || dated.isEmpty && isWatched { entry.times.insert(Entry.Time(), at: 0) }
      // The rating of a film is that of its last viewing, unless it was given later.
      let rated = entry.times.compactMap(\.opinion).filter { $0.rating != nil }
      let last = rated.max { ($0.day?.description ?? "") < ($1.day?.description ?? "") }
      let isTold = last?.rating == rating || ratedOn == nil && rated.contains { $0.rating == rating }
      if let opinion = Entry.Opinion(rating: isTold ? nil : rating, comment: review, day: ratedOn) {
        if let last = entry.times.indices.last, entry.times[last].opinion == nil {
          entry.times[last].opinion = opinion
        } else {
          entry.opinions.append(opinion)
        }
      }
      entry.opinions += others
      return .success(entry)
    } catch {
      return .failure(error)
    }
  }
}
