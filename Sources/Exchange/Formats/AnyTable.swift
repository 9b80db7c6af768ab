internal import CatalogModel
internal import Lookup

/// Any table or JSON list whose columns can be guessed by name or are mapped by the user.
struct AnyTable: FileFormat {
  static let usualID = "table"
  let id = AnyTable.usualID
  let name = "table"
  /// The targets that the user set, by ``Cells/key(_:)``.
  private var mapping: [String: ColumnMapping] = [:]

  init() {}

  /// - Throws: ``ImportProblem`` for an unknown column or target.
  init(mapping: [String: String], for shape: Shape) throws(ImportProblem) {
    guard let names = shape.names else {
      throw ImportProblem(.misuse, "--map is for the columns of a table, and the file is not a table")
    }
    for (column, id) in mapping {
      guard let target = ColumnMapping.named(id) else {
        throw ImportProblem(
          .misuse, "'\(id)' is not a meaning of a column",
          hint: "one of: \(ColumnMapping.all.map(\.id).joined(separator: ", "))")
      }
      // JSON elements may differ, so all of them are checked later.
      if case .table = shape, !names.contains(Cells.key(column)) { throw Self.lacks(column, shape) }
      self.mapping[Cells.key(column)] = target
    }
  }

  private static func lacks(_ column: String, _ shape: Shape) -> ImportProblem {
    ImportProblem(.misuse, "the file has no column '\(column)'", hint: hint(shape))
  }

  private static func hint(_ shape: Shape) -> Message? {
    switch shape {
    case .table(let header, _, _): "it has: \(header.prefix(40).joined(separator: ", "))"
    case .json(let names, _): "it has: \(names.sorted().prefix(40).joined(separator: ", "))"
    default: nil
    }
  }

  func recognizes(_ shape: Shape) -> Bool {
    guard let names = shape.names else { return false }
    // Numbers stand below headings.
    if case .table(let header, _, _) = shape, header.contains(where: Self.isNumber) { return false }
    let meant = names.compactMap { Heading.named($0)?.meaning?.id }
    if names.count == 1, meant == ["barcode"] { return true }
    guard meant.contains(where: { ["title", "isbn", "imdb", "original-title"].contains($0) }) else { return false }
    // In JSON, people, lists and pictures have names, too.
    guard case .json = shape, names.isDisjoint(with: Self.titles) else { return true }
    return meant.contains { Self.marksOfThings.contains($0) }
  }

  static func isNumber(_ cell: String) -> Bool {
    !cell.trimmed.isEmpty && cell.trimmed.utf8.allSatisfy { (48...57).contains($0) }
  }

  /// Whether a line is the heading of a single column and not the first of a list of titles: a word for titles or
  /// codes, or the name of a field as this program writes it.
  static func isHeading(_ line: String) -> Bool {
    let key = Cells.key(line.trimmed)
    if let id = Heading.named(key)?.meaning?.id,
      ["title", "isbn", "imdb", "original-title", "barcode"].contains(id)
    {
      return true
    }
    return line.trimmed.allSatisfy { $0 == "_" || ("a"..."z").contains($0) }
      && TableFormat.catalogListing.columns[key] != nil
  }

  /// The names of columns that are certainly titles.
  private static let titles: Set<String> = [
    "title", "booktitle", "movietitle", "filmtitle", "albumtitle", "titel", "titre", "titulo", "titolo", "제목", "タイトル",
  ]
  /// Words in the names of files of wishes.
  private static let wishes = ["watchlist", "wishlist", "wish-list", "wish_list", "wantlist"]
  /// The targets that only records of a catalog have.
  private static let marksOfThings: Set<String> = [
    "isbn", "imdb", "year", "released", "published", "director", "author", "artist", "creator", "pages", "minutes",
    "rating", "barcode", "label", "publisher",
  ]

  func uses(in file: InputFile) throws -> [ColumnUse] { try fitted(to: file).uses(in: file) }

  func read(_ file: InputFile, each: (ImportRow) throws -> Bool) throws {
    try fitted(to: file).read(file, each: each)
  }

  /// Returns a table format for this file's columns.
  func fitted(to file: InputFile) throws -> any FileFormat {
    let names = try Self.names(in: file)
    let keys = Set(names.map(Cells.key))
    for key in mapping.keys where !keys.contains(key) { throw Self.lacks(key, file.shape) }
    let cells = try FirstCells(of: file)
    var guesses: [Guess] = []
    for name in names {
      let key = Cells.key(name)
      if mapping[key] == nil, !guesses.contains(where: { $0.key == key }), let guess = Guess(name, key, cells) {
        guesses.append(guess)
      }
    }
    var columns = mapping
    columns.merge(Self.columns(of: guesses, told: Set(mapping.values.map(\.id)), cells)) { told, _ in told }
    // Two columns with one name may have different values.
    for key in keys where names.count(where: { Cells.key($0) == key }) > 1 {
      if let target = columns[key], !Self.areMany(target.id) { columns[key] = target.once(isLast: false) }
    }
    if case .table = file.shape, !columns.values.contains(where: { ["title", "original-title"].contains($0.id) }),
      let column = cells.likelyTitle(of: names.filter { columns[Cells.key($0)] == nil })
    {
      throw ImportProblem(
        .unknown, "no column of '\(file.path)' is known to hold the title",
        hint: "say which one does: --map '\(PlainText.line(column))=title'")
    }
    let guess = file.kind ?? Self.kind(of: guesses.filter { columns[$0.key] != nil }, mapping.values.map(\.id), cells)
    // In a list of records, labels are record labels, not tags.
    if guess == .vinyl, mapping["labels"] == nil, columns["labels"] != nil { columns["labels"] = .label }
    let kinds = columns.filter { $0.value.id == "kind" }.map(\.key)
    let fileName = file.path.split(separator: "/").last?.lowercased() ?? ""
    let isOfWishes =
      Self.wishes.contains { fileName.contains($0) }
      && !columns.values.contains { ["rating", "status", "done", "finished", "wished", "count"].contains($0.id) }
    let hasSeries = columns.values.contains { $0.id == "series" }
    // The kind is known before a cell is read, unless a column gives it.
    var format = TableFormat(id, name, kinds.isEmpty ? guess : nil, isOurs: { _ in true }, columns: [:])
    format.columns = columns
    try format.fit(to: file) { mapping[$0] != nil }
    if isOfWishes { format.remarks.append(Entry.Remark("the rows become wishes, as the name of the file says")) }
    format.finish = { facts, cells throws(ImportRow.Rejection) in
      for kind in kinds {
        if let text = cells.first(kind), Kind.isOther(text) {
          throw ImportRow.Rejection.otherKind(text)
        }
      }
      // Lists of one JSON file, by their names.
      if let name = cells.first("(member)"), cells.first("(file)") == nil {
        if let kind = Kinds.read(name) {
          facts.kind = kind
        } else if Kind.isOther(name) || Kind(value: name) != nil {
          throw ImportRow.Rejection.otherKind(name)
        }
      }
      if facts.isUnfinished {
        facts.started = facts.started ?? facts.finished.first
        facts.finished = []
      }
      if isOfWishes { facts.wish = facts.wish ?? Wish.Terms() }
      if facts.isEpisode { throw ImportRow.Rejection("it is an episode of a series, which the catalog does not keep") }
      if facts.title != nil, facts.year == nil { facts.takeYearFromTitle() }
      facts.kind = facts.kind ?? guess
      if facts.kind == .book { facts.takeSeriesFromTitle() }
      // Without a column for the series, a volume number refers to the title.
      if !hasSeries, facts.kind == .book, facts.seriesNumber != nil {
        facts.book.series = facts.book.series ?? facts.title
      }
      // A rating implies that it was watched or read, unless a status contradicts.
      if facts.rating != nil, facts.status == nil, facts.kind != .vinyl { facts.status = .done }
    }
    return format
  }

  /// The names of columns; for JSON, also those that only later elements have.
  private static func names(in file: InputFile) throws -> [String] {
    guard case .json(let first, _) = file.shape else { return file.columnNames }
    var (names, count) = (first, 0)
    try Records.rows.forEach(in: file) { cells in
      for cell in cells.list where names.count < 1_000 { names.insert(cell.name) }
      count += 1
      return count < 20_000
    }
    return names.sorted { ($0.count, $0) < ($1.count, $1) }
  }

  /// Whether several columns of a meaning are all kept.
  private static func areMany(_ id: String) -> Bool {
    [
      "creator", "author", "director", "artist", "translator", "cast", "tags", "list", "genre", "finished", "label",
      "other-title", "review", "ignore", "note", "episode",
    ].contains(id)
  }

  /// The meanings of columns, of which several may mean the same.
  /// - Parameter told: the meanings that the user gave to columns.
  private static func columns(
    of guesses: [Guess], told: Set<String>, _ cells: FirstCells
  ) -> [String: ColumnMapping] {
    var columns: [String: ColumnMapping] = [:]
    for (id, same) in Dictionary(grouping: guesses, by: \.id) {
      if areMany(id) {
        for guess in same { columns[guess.key] = guess.target }
        continue
      }
      // A meaning that the user set is not guessed.
      guard !told.contains(id) else { continue }
      if id == "rating" {
        // Whole steps are a person's, tenths the mean of many people.
        let isMean = same.map { cells.haveTenths($0.key) }
        let places = same.indices.filter { same.count == 1 || !isMean[$0] || isMean.allSatisfy(\.self) }
        let own = places.first { !same[$0].isWeak } ?? places.first
        for (place, guess) in same.enumerated() where place == own || isMean[place] {
          columns[guess.key] = place == own ? guess.target : .others
        }
        continue
      }
      guard same.count > 1, let first = same.firstIndex(where: { !$0.isWeak }) ?? same.indices.first else {
        for guess in same { columns[guess.key] = guess.target }
        continue
      }
      for (place, guess) in same.enumerated() { columns[guess.key] = guess.target.once(isLast: place != first) }
    }
    return columns
  }

  /// The kind that the columns and the addresses in them suggest.
  private static func kind(of guesses: [Guess], _ told: [String], _ cells: FirstCells) -> Kind? {
    var votes: [Kind: Int] = [:]
    func vote(_ kind: Kind?, _ weight: Int) {
      if let kind { votes[kind, default: 0] += weight }
    }
    func vote(_ id: String) -> (Kind, Int)? {
      switch id {
      case "isbn", "author", "pages", "series", "series-number", "page", "translator", "published": (.book, 2)
      case "director", "imdb", "tmdb", "minutes": (.movie, 2)
      case "publisher": (.book, 1)
      case "cast": (.movie, 2)
      case "artist", "catalog-number", "discogs": (.vinyl, 2)
      // A shop's tags and grades are of any thing.
      case "label", "media", "sleeve": (.vinyl, 1)
      default: nil
      }
    }
    for guess in guesses {
      if let (kind, weight) = vote(guess.target.id) {
        vote(kind, weight)
      } else {
        vote(guess.kind, guess.id == "title" ? 3 : 2)
      }
    }
    for id in told {
      if let (kind, weight) = vote(id) { vote(kind, weight) }
    }
    vote(cells.kindOfAddresses, 3)
    guard let best = votes.max(by: { $0.value < $1.value }), best.value > 1,
      votes.values.count(where: { $0 == best.value }) == 1
    else { return nil }
    return best.key
  }
}

/// A column whose heading is known.
private struct Guess {
  let key: String
  let target: ColumnMapping
  let isWeak: Bool
  let kind: Kind?

  /// Its meaning, whatever the scale of a rating.
  var id: String { target.id.hasPrefix("rating") ? "rating" : target.id }

  init?(_ name: String, _ key: String, _ cells: FirstCells) {
    let heading = Heading.named(key) ?? Self.member(of: name)
    guard let target = heading.flatMap({ cells.meaning(of: $0, in: key) }) ?? AnyTable.target(name) else { return nil }
    (self.key, self.target) = (key, target)
    (isWeak, kind) = (heading?.isWeak ?? false, heading?.kind)
  }

  /// The heading of a member of an object in JSON: its own name, or that of the object for the name of a person.
  private static func member(of path: String) -> Heading? {
    let parts = path.split(separator: ".").map { Cells.key(String($0)) }
    guard parts.count > 1, let last = parts.last else { return nil }
    let object = Heading.named(parts[parts.count - 2])
    if let object, let id = object.meaning?.id, ["name", "fullname", "displayname"].contains(last),
      ["creator", "author", "director", "artist", "translator", "cast", "genre", "publisher", "label"].contains(id)
    {
      return object
    }
    return Heading.named(last)
  }
}

/// The first cells of a table or list, by the keys of their columns.
private struct FirstCells {
  private static let rows = 200
  private var cells: [String: [String]] = [:]

  init(of file: InputFile) throws {
    var (found, count): ([String: [String]], Int) = ([:], 0)
    try Records.rows.forEach(in: file) { row in
      for (place, cell) in row.list.enumerated() where !cell.value.isEmpty {
        let key = place < row.keys.count ? row.keys[place] : Cells.key(cell.name)
        if found.count < 1_000 || found[key] != nil { found[key, default: []].append(cell.value) }
      }
      count += 1
      return count < Self.rows
    }
    cells = found
  }

  /// The first meaning of a heading with which half of the cells can be read; the note if they are no grades.
  func meaning(of heading: Heading, in key: String) -> ColumnMapping? {
    let meanings = heading.meanings
    guard meanings.count > 1 || meanings.first?.id == "media" || meanings.first?.id == "sleeve" else {
      return meanings.first
    }
    if cells[key] == nil { return meanings.last }
    return meanings.first { allow($0, key) } ?? .note
  }

  private func allow(_ target: ColumnMapping, _ key: String) -> Bool {
    guard let values = cells[key] else { return true }
    let readable = values.count { value in
      var facts = RowFacts()
      if target.id == ColumnMapping.kind.id, Kind.isOther(value) { return true }
      return target.read(value, &facts)
    }
    return readable * 2 >= values.count
  }

  /// Whether its numbers have tenths, as means of many people have.
  func haveTenths(_ key: String) -> Bool {
    (cells[key] ?? []).contains { cell in
      guard let number = Rating.number(cell) else { return false }
      return abs((number * 4).rounded() - number * 4) > 1e-9
    }
  }

  /// The column with most different texts among columns of unknown meaning; nil if none has texts.
  func likelyTitle(of names: [String]) -> String? {
    func texts(_ name: String) -> Int {
      let values = cells[Cells.key(name)] ?? []
      let texts = values.filter { value in
        !value.contains("://") && value.unicodeScalars.count { $0.properties.isAlphabetic } > 1
          && DayText(value)?.date(in: DayContext()) == nil
      }
      return texts.count * 2 > values.count ? Set(texts).count : 0
    }
    let counts = names.map { ($0, texts($0)) }.filter { name, count in
      count * 2 > cells[Cells.key(name)]?.count ?? 0
    }
    return counts.max { $0.1 < $1.1 }?.0
  }

  /// The kind of things at the addresses of most cells of a column.
  var kindOfAddresses: Kind? {
    let hosts: [(String, Kind)] = [
      ("letterboxd.com/", .movie), ("boxd.it/", .movie), ("imdb.com/title/", .movie), ("movie.douban.com/", .movie),
      ("themoviedb.org/movie/", .movie), ("criticker.com/film/", .movie), ("goodreads.com/book/", .book),
      ("book.douban.com/", .book), ("openlibrary.org/books/", .book), ("discogs.com/", .vinyl),
      ("rateyourmusic.com/release/", .vinyl),
    ]
    let columns = cells.values.filter { $0.first?.contains("://") ?? false }
    return hosts.first { host, _ in
      columns.contains { values in values.count { $0.contains(host) } * 2 > values.count }
    }?.1
  }
}

// MARK: - Names of columns

extension AnyTable {
  /// The target for a heading that describes the notation of its cells: `My rating (1-10)`, `Date (dd/mm/yyyy)`.
  static func target(_ name: String) -> ColumnMapping? {
    guard let (heading, detail) = parted(name), let target = Heading.named(Cells.key(heading))?.meaning else {
      return nil
    }
    if target.isOfAnyScale { return scale(in: detail).map { .rating($0) } ?? target }
    if let inOrder = target.inOrder { return order(in: detail).map { inOrder($0).asTold } ?? target }
    return ["minutes", "pages", "price", "discs", "cover-price"].contains(target.id) ? target : nil
  }

  /// Splits a heading before its final brackets or its first number.
  private static func parted(_ name: String) -> (heading: String, detail: String)? {
    let name = name.trimmed
    if let last = name.last, last == ")" || last == "]", let open = name.lastIndex(of: last == ")" ? "(" : "[") {
      return (String(name[..<open].trimmed), String(name[name.index(after: open)...].dropLast()))
    }
    guard let digit = name.firstIndex(where: { $0.isASCII && $0.isNumber }), digit > name.startIndex else { return nil }
    var heading = name[..<digit].trimmed
    for word in ["out of", "of", "sur", "von", "/", "-"] where heading.hasSuffix(word) {
      heading = heading.dropLast(word.count).trimmed
    }
    return (String(heading), String(name[digit...]))
  }

  private static func scale(in detail: String) -> ColumnMapping.Scale? {
    if detail.contains("%") { return .hundred }
    return switch detail.split(whereSeparator: { !($0.isASCII && $0.isNumber) }).last {
    case "5": .five
    case "10": .ten
    case "100": .hundred
    default: nil
    }
  }

  private static func order(in detail: String) -> Dates.Order? {
    let words = detail.lowercased().split { !$0.isLetter }
    guard words.count == 3 else { return nil }
    return switch words.first?.first {
    case "d", "t", "j": .day
    case "m": .month
    case "y", "a": .year
    default: nil
    }
  }
}
