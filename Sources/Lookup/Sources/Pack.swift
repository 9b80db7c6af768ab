import CResources
public import CatalogModel
internal import Glibc

/// The starter pack: well-known movies, books and records as bare facts, compiled into the program. It needs no
/// network. It is searched as text: building an index would cost each search 150 ms, reading all of it costs about one.
///
///     let blue = StarterPack.candidates.first { $0.record.title == "Kind of Blue" }
///
/// `Tools/make-pack` makes its text from the readable lists in Data/pack; nothing reads those at run time.
public struct StarterPack: Sendable {
  public static let id = "pack"

  public static let shipped = StarterPack(text: String(decoding: catalog_pack().bytes, as: UTF8.self))

  /// One entry per line, with a cell for each of ``columns``. Lines that begin with `#` are comments.
  public let text: String

  /// The columns of a line. Several values in one cell are separated by `; `; ``keys(titles:creators:genres:)`` makes
  /// the last cell.
  public static let columns = [
    "id", "title", "original_title", "year", "creators", "genres", "minutes", "countries", "language", "label", "keys",
  ]

  /// The text in which a search looks for words, besides the genres: titles, creators, and genres that are not ASCII.
  public static func keys(titles: [String], creators: [String], genres: [String]) -> String {
    SearchKeys.text(titles: titles, names: creators + genres.filter { !$0.utf8.allSatisfy { $0 < 0x80 } })
  }

  public init(text: String) { self.text = text }

  /// The entries of the pack that is compiled in.
  public static var candidates: some Sequence<Candidate> { shipped.candidates }

  /// The entries in the order of their ids, each read when it is reached.
  public var candidates: some Sequence<Candidate> {
    text.utf8.split(separator: UInt8(ascii: "\n")).lazy.compactMap(Self.candidate)
  }

  public var titles: [String] {
    text.utf8.split(separator: UInt8(ascii: "\n")).lazy.filter { $0.first != UInt8(ascii: "#") }
      .compactMap { line in line.split(separator: UInt8(ascii: "\t"), maxSplits: 2).dropFirst().first.map(Self.text) }
  }

  public func record(_ id: ExternalID) -> Record? {
    guard id.source == Self.id, let line = lines(startingWith: "\(id.value)\t").first,
      let found = Self.candidate(self.line(line)), found.id == id
    else { return nil }
    return found.record
  }

  /// The entry of the same work: with the same kind and title and one of the creators. Text in brackets after a title
  /// names the edition.
  public func entry(like record: Record) -> Record? {
    func bare(_ title: String) -> String { title.split(separator: "(").first.map(String.init) ?? title }
    func key(_ title: String) -> String { Folding.nameKey(bare(title)) }
    let title = key(record.title)
    let people = Set(record.creators.map(Folding.nameKey))
    guard !title.isEmpty, !people.isEmpty else { return nil }
    let (bytes, letters) = (text.utf8.span, SearchKeys.letters(ofTitle: bare(record.title)))
    for line in lines(startingWith: "\(record.kind.rawValue)/") {
      guard let cells = KeyCells(of: line, in: bytes),
        SearchKeys.hasTitle(startingWith: letters, in: bytes.extracting(cells.keys)),
        let entry = Self.candidate(self.line(line))?.record
      else { continue }
      if [entry.title, entry.originalTitle].compactMap(\.self).contains(where: { key($0) == title }),
        entry.creators.contains(where: { people.contains(Folding.nameKey($0)) })
      {
        return entry
      }
    }
    return nil
  }

  /// Nil for a comment or an invalid line. Cells are split by bytes, which is many times faster than by characters.
  private static func candidate(_ line: Substring.UTF8View) -> Candidate? {
    guard line.first != UInt8(ascii: "#") else { return nil }
    let cells = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map(text)
    guard cells.count == columns.count,
      let kind = Kind(rawValue: text(cells[0].utf8.prefix { $0 != UInt8(ascii: "/") }))
    else { return nil }
    func values(_ cell: String, omittingEmpty: Bool = true) -> [String] {
      cell.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: omittingEmpty)
        .map { text($0.first == UInt8(ascii: " ") ? $0.dropFirst() : $0) }
    }

    var record = Record(kind: kind, title: cells[1])
    let id = ExternalID(source: Self.id, value: cells[0])
    record.externalIDs = [id]
    // Behind the original title are others by which it is known: "; 1984".
    let titles = values(cells[2], omittingEmpty: false)
    record.originalTitle = titles.first.flatMap { $0.isEmpty ? nil : $0 }
    record.otherTitles = Array(titles.dropFirst())
    record.year = ReleaseYear.parse(cells[3])
    record.released = record.year.flatMap { PartialDate(year: $0) }
    record.credits = values(cells[4]).map { Credit(name: $0, role: Credit.Role(main: kind)) }
    record.labels = values(cells[5])
    switch kind {
    case .movie:
      record.movie.minutes = Int(cells[6])
      record.movie.countries = values(cells[7])
    case .book: record.book.language = cells[8].isEmpty ? nil : cells[8]
    case .vinyl:
      record.vinyl.country = values(cells[7]).first
      record.vinyl.label = cells[9].isEmpty ? nil : cells[9]
    case .music, .podcast, .app: return nil
    }
    return Candidate(id: id, record: record)
  }

  private static func text(_ bytes: Substring.UTF8View) -> String { String(Substring(bytes)) }
}

// MARK: - Searching

extension StarterPack {
  /// A page of the entries that match all words, each at the start of a word of a title, a creator or a genre, sorted
  /// by the match of the title. Words before the last must match whole words; they match as prefixes only if no entry
  /// has all of them as whole words, or a title starts with them.
  ///
  /// The words are compared with the cells `keys` and `genres`; only the entries of the page are parsed.
  public func search(_ search: Search) -> Page {
    let words = SearchWords(search.words)
    guard !words.isEmpty else { return Page(total: 0) }
    let hits = hits(words, search.kind)
    let start = min((search.page - 1) * search.pageSize, hits.count)
    let shown = hits[start...].prefix(search.pageSize)
    return Page(
      candidates: shown.compactMap { Self.candidate(line($0.line)) }, total: hits.count,
      hasMore: start + shown.count < hits.count)
  }

  /// An entry in which words were found.
  private struct Hit {
    var fit: SearchWords.Fit
    var isWhole: Bool
    var year: Int
    var line: Range<Int>

    /// Better titles first, of those that fit alike the shorter, then the newer.
    func isBefore(_ other: Hit) -> Bool {
      fit == other.fit ? (year, line.lowerBound) > (other.year, other.line.lowerBound) : fit < other.fit
    }
  }

  /// The entries of a kind in which words are found, best first.
  private func hits(_ words: SearchWords, _ kind: Kind) -> [Hit] {
    let bytes = text.utf8.span
    var hits: [Hit] = []
    for line in lines(startingWith: "\(kind.rawValue)/") {
      guard let cells = KeyCells(of: line, in: bytes) else { continue }
      let keys = bytes.extracting(cells.keys)
      let match = words.match(in: keys, or: bytes.extracting(cells.genres))
      guard match != .none else { continue }
      let year = ReleaseYear.parse(Self.text(self.line(cells.year))) ?? 0
      hits.append(Hit(fit: words.fit(to: keys), isWhole: match == .whole, year: year, line: line))
    }
    if hits.contains(where: \.isWhole) { hits.removeAll { !$0.isWhole && $0.fit.rank > .begunStart } }
    return hits.sorted { $0.isBefore($1) }
  }

  /// The byte ranges of the cells that a search looks at.
  private struct KeyCells {
    private(set) var (year, genres, keys) = (0..<0, 0..<0, 0..<0)

    /// Nil when the line has fewer cells than an entry.
    init?(of line: Range<Int>, in bytes: Span<UInt8>) {
      var (number, start) = (0, line.lowerBound)
      for place in line where bytes[place] == UInt8(ascii: "\t") {
        switch number {
        case 3: year = start..<place
        case 5: genres = start..<place
        default: break
        }
        (number, start) = (number + 1, place + 1)
      }
      guard number == StarterPack.columns.count - 1 else { return nil }
      keys = start..<line.upperBound
    }
  }

  /// The byte ranges of the lines that begin so. Other lines are not parsed, since an import may look up hundreds of
  /// entries.
  private func lines(startingWith start: String) -> [Range<Int>] {
    text.utf8.span.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return [] }
      let start = Array(start.utf8)
      var lines: [Range<Int>] = []
      var place = 0
      while place < bytes.count {
        let end = memchr(base + place, 10, bytes.count - place).map {
          UnsafeRawPointer($0) - base
        }
        let line = place..<(end ?? bytes.count)
        if line.count > start.count, memcmp(base + place, start, start.count) == 0 { lines.append(line) }
        place = line.upperBound + 1
      }
      return lines
    }
  }

  /// The bytes of a line, or of a part of one.
  private func line(_ places: Range<Int>) -> Substring.UTF8View {
    let all = text.utf8
    return Substring(text).utf8[
      all.index(all.startIndex, offsetBy: places.lowerBound)..<all.index(all.startIndex, offsetBy: places.upperBound)]
  }
}

extension Source {
  /// The starter pack. It replaces sources that cannot be reached, and can be named as a source.
  public static let pack = Source(
    id: StarterPack.id, name: "Built-in pack", kinds: Kind.shelved,
    builtIn: BuiltIn(
      search: { search throws(SourceError) in StarterPack.shipped.search(search) },
      record: { StarterPack.shipped.record($0) }))
}
