internal import CatalogModel

/// The facts that tell a row from the others of its file. They are computed on the reading thread and take a few bytes,
/// since a file may have two hundred thousand rows.
struct RowIdentity: Sendable {
  fileprivate let kind: Kind
  /// Hashes of the ids that name an edition.
  fileprivate let codes: [UInt64]
  /// Hashes of the ids that name a work, and of printed numbers.
  fileprivate let works: [UInt64]
  /// A hash of kind, title, year, makers and volume.
  fileprivate let name: UInt64
  /// A hash of kind, title, volume and the first maker; nil without a maker, and for movies, which have no editions.
  fileprivate let work: UInt64?
  /// Whether several works of its maker may be called so.
  fileprivate let isSelfTitled: Bool
  fileprivate let marks: [Mark]

  /// - Parameter notes: the other values of its row.
  init(_ record: Record, _ keys: WorkIdentity, notes: [String] = []) {
    kind = keys.kind
    let title = String(keys.titleKey)
    func hash(_ texts: String...) -> UInt64 {
      var hash = FNV1a(keys.kind.rawValue)
      for text in texts {
        hash.add(text)
        hash.add(0x1F)
      }
      return hash.value
    }
    let volume = record.place ?? ""
    let makers = keys.makers.map(\.key)
    // Many books and records without a maker share a title, so all their values must be equal.
    let isNobodys = makers.isEmpty && keys.kind != .movie
    let others =
      isNobodys
      ? notes + [record.book.pages.map(String.init), record.book.publisher, record.summary].map { $0 ?? "" } : []
    name = hash("name", title, keys.year.map(String.init) ?? "", volume, (makers + others).joined(separator: "\u{1E}"))
    work = keys.kind == .movie ? nil : makers.first.map { hash("title", title, volume, $0) }
    isSelfTitled = keys.isSelfTitled
    var marks: [Mark] = []
    var (codes, works): ([UInt64], [UInt64]) = ([], [])
    for code in keys.codes {
      // Shops and labels reuse numbers, but hardly for the same title.
      if code.isPrinted {
        works.append(hash(code.place, code.value, title, makers.first ?? ""))
      } else {
        codes.append(hash(code.place, code.value))
      }
      marks.append(Mark(Mark.place(code.place), code.value))
    }
    for id in keys.externalIDs where id.namesWork { works.append(hash("work", id.description)) }
    if !volume.isEmpty { marks.append(Mark(Self.volumes, volume)) }
    if !codes.isEmpty || !works.isEmpty {
      if let year = keys.year { marks.append(Mark(Self.years, String(year))) }
      marks += TitleWords(record.title).hashes.map { Mark(Self.words, value: $0) }
    }
    (self.codes, self.works, self.marks) = (codes, works, marks)
  }

  private static let volumes = Mark.place("volume")
  private static let years = Mark.place("year")
  private static let words = Mark.place("word")

  /// A property of a row: its year, a word of its title, its ISBN. Twelve bits are the type, and twenty the value.
  struct Mark: Sendable, Hashable {
    let bits: UInt32
    var place: UInt32 { bits >> 20 }

    init(_ place: UInt32, _ value: String) { self.init(place, value: UInt32(truncatingIfNeeded: FNV1a(value).value)) }

    init(_ place: UInt32, value: UInt32) { bits = place << 20 | value & (1 << 20 - 1) }

    static func place(_ name: String) -> UInt32 { UInt32(truncatingIfNeeded: FNV1a(name).value) & (1 << 12 - 1) }
  }

  /// Compares a row with the marks of another.
  fileprivate func comparison(
    with others: ArraySlice<Mark>, code: WorkIdentity.Comparison.Code
  ) -> WorkIdentity.Comparison {
    func values(_ marks: some Sequence<Mark>, _ place: UInt32) -> Set<UInt32> {
      Set(marks.lazy.filter { $0.place == place }.map { $0.bits & (1 << 20 - 1) })
    }
    func differ(_ place: UInt32) -> Bool {
      let (own, other) = (values(marks, place), values(others, place))
      return !own.isEmpty && !other.isEmpty && own.isDisjoint(with: other)
    }
    let said: Set = [Self.words, Self.volumes, Self.years]
    let places = Set(marks.map(\.place)).subtracting(said).intersection(others.map(\.place))
    let words = (values(marks, Self.words), values(others, Self.words))
    let isOther = TitleWords.arePlainlyOthers(words.0, words.1)
    let isToldApart = places.contains(where: differ)
    let isOtherVolume = differ(Self.volumes)
    let outcome: WorkIdentity.Outcome =
      switch code {
      case .edition: isOtherVolume || isOther && (kind != .movie || differ(Self.years)) ? .perhaps : .same
      case .work where isOtherVolume: .other
      // Editions of one work, except films, differ by codes, year or language.
      case .work: isToldApart || isOther || differ(Self.years) ? .edition : .same
      case .none: .other
      }
    return WorkIdentity.Comparison(
      outcome: outcome, code: code, title: isOther ? .none : .equal,
      years: differ(Self.years) ? 1 : values(marks, Self.years).isEmpty ? nil : 0, makers: .unknown,
      isToldApart: isToldApart, isOtherVolume: isOtherVolume)
  }
}

/// The rows above in the file, by what tells them apart. The place of a row is its number in the file, from 0. Rows
/// that are written again get the same results.
final class RowsAbove {
  /// A row above and its relation to the current row.
  struct Found {
    var place: Int
    var line: Int
    var comparison: WorkIdentity.Comparison
    var verdict: WorkIdentity.Outcome
  }

  /// The first row with each key, in parts: a single dictionary would take twice its space whenever it grows.
  private var first: [[UInt64: UInt32]] = Array(repeating: [:], count: 64)
  /// The marks of all rows in sequence, and the end of each row's marks.
  private var marks: [RowIdentity.Mark] = []
  private var ends: [UInt32] = []
  private var lines: [UInt32] = []

  /// Finds the relation of a row to those above: the same as one, another edition of one, or possibly the same. Nil if
  /// no row above shares a key.
  func find(_ row: RowIdentity, at place: Int) -> Found? {
    var best: Found?
    func look(for names: [UInt64], _ code: WorkIdentity.Comparison.Code) -> Found? {
      for name in names {
        guard let found = compare(row, at: place, by: name, code) else { continue }
        if found.verdict == .same { return found }
        if found.verdict == .edition || found.verdict == .perhaps && best == nil { best = found }
      }
      return nil
    }
    if let same = look(for: row.codes, .edition) { return same }
    // All names are equal, so only codes can tell the rows apart.
    if var found = compare(row, at: place, by: row.name, .none) {
      found.comparison.years = 0
      if !found.comparison.isToldApart {
        found.verdict = .same
        return found
      }
      if row.work != nil {
        found.verdict = .edition
        return found
      }
    }
    if let same = look(for: row.works, .work) { return same }
    guard best?.verdict != .edition, !row.isSelfTitled, let work = row.work,
      var found = compare(row, at: place, by: work, .none)
    else { return best }
    // Editions come out in any year.
    found.verdict = .edition
    return found
  }

  /// Finds the row above with the same entry of the pack, and the relation to it.
  func find(_ row: RowIdentity, at place: Int, claiming entry: ExternalID) -> Found? {
    guard var found = compare(row, at: place, by: Self.name(of: entry), .none) else { return nil }
    if found.comparison.isOtherVolume || found.comparison.isToldApart && row.kind == .movie {
      found.verdict = .other
    } else {
      found.verdict = found.comparison.isToldApart ? .edition : .same
    }
    return found
  }

  private func compare(_ row: RowIdentity, at place: Int, by name: UInt64, _ code: WorkIdentity.Comparison.Code)
    -> Found?
  {
    guard let known = first[Self.part(of: name)][name], known < place, Int(known) < ends.count else { return nil }
    let number = Int(known)
    let start = number == 0 ? 0 : Int(ends[number - 1])
    let comparison = row.comparison(with: marks[start..<Int(ends[number])], code: code)
    return Found(
      place: number, line: Int(lines[number]), comparison: comparison,
      verdict: comparison.outcome)
  }

  /// Remembers a row that matches or becomes an item.
  /// - Parameter entry: its entry in the pack.
  func remember(_ row: RowIdentity, at place: Int, line: Int, claiming entry: ExternalID?) {
    guard place >= ends.count, let number = UInt32(exactly: place) else { return }
    // The rows between were left out.
    while ends.count < place {
      ends.append(UInt32(clamping: marks.count))
      lines.append(0)
    }
    marks += row.marks
    ends.append(UInt32(clamping: marks.count))
    lines.append(UInt32(clamping: line))
    let names = row.codes + row.works + [row.name] + [row.work, entry.map(Self.name)].compactMap(\.self)
    for name in names where first[Self.part(of: name)][name] == nil { first[Self.part(of: name)][name] = number }
  }

  private static func part(of name: UInt64) -> Int { Int(truncatingIfNeeded: name >> 58) }

  private static func name(of entry: ExternalID) -> UInt64 { FNV1a("entry \(entry)").value }
}

extension Record {
  fileprivate var place: String? { book.series.flatMap { SeriesName($0).number } }
}
