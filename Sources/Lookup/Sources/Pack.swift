import CResources
public import CatalogModel
internal import Glibc

/// The starter pack: well-known movies, books and records as bare facts, compiled into the program. It needs no network.
///
///     let blue = StarterPack.candidates.first { $0.record.title == "Kind of Blue" }
///
/// `Tools/make-pack` makes its text from the readable lists in Data/pack; nothing reads those at run time.
public struct StarterPack: Sendable {
  /// What the pack is called among the sources.
  public static let id = "pack"

  /// The pack that is compiled in.
  public static let shipped = StarterPack(
    text: String(
      decoding: UnsafeRawBufferPointer(start: catalog_pack().start, count: catalog_pack().count), as: UTF8.self))

  /// A line an entry, ten cells a line: see ``columns``. Lines that begin with `#` are comments.
  public let text: String

  /// What the cells of a line are. Several values in one cell stand with `; ` between them.
  public static let columns = [
    "id", "title", "original_title", "year", "creators", "genres", "minutes", "countries", "language", "label",
  ]

  public init(text: String) { self.text = text }

  /// The entries of the pack that is compiled in.
  public static var candidates: some Sequence<Candidate> { shipped.candidates }

  /// The entries in the order of their ids, each read when it is reached.
  public var candidates: some Sequence<Candidate> {
    text.utf8.split(separator: UInt8(ascii: "\n")).lazy.compactMap(Self.candidate)
  }

  /// The entry with this id.
  public func record(_ id: ExternalID) -> Record? {
    guard id.source == Self.id, let line = line(of: id.value), let found = Self.candidate(line), found.id == id else {
      return nil
    }
    return found.record
  }

  /// The entry that is the same work: of the kind, the title and one of the creators. What stands in brackets behind a title is
  /// the edition.
  public func entry(like record: Record) -> Record? {
    func key(_ title: String) -> String {
      Folding.labelKey(title.split(separator: "(").first.map(String.init) ?? title)
    }
    let title = key(record.title)
    let people = Set(record.creators.map(Folding.labelKey))
    guard !title.isEmpty, !people.isEmpty else { return nil }
    let start = Array("\(record.kind.rawValue)/".utf8)
    return text.utf8.split(separator: UInt8(ascii: "\n")).lazy.filter { $0.starts(with: start) }
      .compactMap(Self.candidate).map(\.record).first { entry in
        [entry.title, entry.originalTitle].compactMap(\.self).contains { key($0) == title }
          && entry.creators.contains { people.contains(Folding.labelKey($0)) }
      }
  }

  /// The line that begins with an id. No other is read: who adds hundreds of entries looks for each.
  private func line(of id: String) -> Substring.UTF8View? {
    var text = text
    let start = text.withUTF8 { bytes -> Int? in
      let key = Array("\(id)\t".utf8)
      guard let base = UnsafeRawPointer(bytes.baseAddress) else { return nil }
      var place = 0
      while bytes.count - place >= key.count {
        if memcmp(base + place, key, key.count) == 0 { return place }
        guard let end = memchr(base + place, Int32(UInt8(ascii: "\n")), bytes.count - place) else { return nil }
        place = UnsafeRawPointer(end) - base + 1
      }
      return nil
    }
    guard let start else { return nil }
    return self.text.utf8[self.text.utf8.index(self.text.startIndex, offsetBy: start)...].prefix {
      $0 != UInt8(ascii: "\n")
    }
  }

  /// Nil for a comment, and for what is no entry. Cells are told apart by bytes, which is many times faster than by
  /// characters.
  private static func candidate(_ line: Substring.UTF8View) -> Candidate? {
    guard line.first != UInt8(ascii: "#") else { return nil }
    let cells = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map(text)
    guard cells.count == columns.count,
      let kind = Kind(rawValue: text(cells[0].utf8.prefix { $0 != UInt8(ascii: "/") }))
    else { return nil }
    func values(_ cell: String) -> [String] {
      cell.utf8.split(separator: UInt8(ascii: ";")).map { text($0.first == UInt8(ascii: " ") ? $0.dropFirst() : $0) }
    }

    var record = Record(kind: kind, title: cells[1])
    let id = ExternalID(source: Self.id, value: cells[0])
    record.externalIDs = [id]
    record.originalTitle = cells[2].isEmpty ? nil : cells[2]
    record.year = ReleaseYear.parse(cells[3])
    record.released = record.year.flatMap { PartialDate(year: $0) }
    record.credits = values(cells[4]).map { Credit(name: $0, role: Credit.Role(main: kind)) }
    record.labels = values(cells[5])
    switch kind {
    case .movie:
      var movie = Movie()
      movie.minutes = Int(cells[6])
      movie.countries = values(cells[7])
      record.details = .movie(movie)
    case .book:
      var book = Book()
      book.language = cells[8].isEmpty ? nil : cells[8]
      record.details = .book(book)
    case .vinyl:
      var vinyl = Vinyl()
      vinyl.country = values(cells[7]).first
      vinyl.label = cells[9].isEmpty ? nil : cells[9]
      record.details = .vinyl(vinyl)
    case .music, .podcast, .app: return nil
    }
    return Candidate(id: id, record: record)
  }

  private static func text(_ bytes: Substring.UTF8View) -> String { String(Substring(bytes)) }
}

extension Source {
  /// The starter pack as a source.
  /// - Parameter search: searches it; the index of a shelf is not known here.
  public static func pack(searching search: @escaping @Sendable (Search) throws(SourceError) -> Page) -> Source {
    Source(
      id: StarterPack.id, name: "Built-in pack", kinds: Kind.shelved,
      builtIn: BuiltIn(search: search) { StarterPack.shipped.record($0) })
  }
}
