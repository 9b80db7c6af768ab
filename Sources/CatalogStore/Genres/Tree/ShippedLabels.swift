internal import CResources
internal import CatalogModel

/// The meanings of the sources' labels: Data/genre-labels.txt, compiled in. The file describes its own format.
///
/// There are thousands, and a catalog meets some of them. A label's meaning is written to the catalog when an item
/// first has it; from then on the user can change it.
struct ShippedLabels: Sendable {
  /// A source, perhaps with a kind, where a label may occur: `[itunes: book]`.
  struct Place: Hashable {
    var source: String
    /// The only kind that it holds for; nil for all.
    var kind: Kind?
  }

  private struct Section {
    /// By key: genres with `;` between them, `-` for noise. They are read apart when they are asked for, because one
    /// run of the program asks for few of the thousands.
    var meanings: [String: Substring] = [:]
    /// The meanings of labels by their start (`nyt:*`) or their end (`*, fiction`).
    var patterns: [Pattern] = []
  }

  private var sections: [Section] = []
  /// The places of each section among them.
  private var numbers: [Place: [Int]] = [:]
  /// The meanings of labels beside certain genres, by the labels' keys, in the order of the file.
  private(set) var besides: [String: [Beside]] = [:]
  /// The replacements of genres, in the order of the file.
  private(set) var turns: [Turn] = []

  private struct Pattern {
    var key: String
    var isStart: Bool
    /// Whether a word must begin or end where the pattern does.
    var isWhole: Bool
    var targets: Substring

    /// - Parameter label: `law-*` or `*, history`.
    init(_ label: Substring, targets: Substring) {
      key = Folding.nameKey(String(label))
      isStart = label.last == "*"
      isWhole = !((isStart ? label.dropLast().last : label.dropFirst().first).map(LabelWords.isPart) ?? true)
      self.targets = targets
    }

    func matches(_ label: LabelWords) -> Bool {
      switch (isStart, isWhole) {
      case (true, true): label.starts.contains(key)
      case (false, true): label.ends.contains(key)
      case (true, false): label.key.hasPrefix(key)
      case (false, false): label.key.hasSuffix(key)
      }
    }
  }

  static let all = ShippedLabels(catalog_genre_labels().bytes)

  /// Changes whenever the shipped labels or the shipped tree do, whose names are labels too.
  static var fingerprint: String {
    catalog_genre_labels().bytes.fingerprint + ShippedGenres.fingerprint
  }

  /// Reads sections of `label = Genre; Genre`, `label = -`, `start* = …` and `*end = …` lines.
  init(_ bytes: UnsafeRawBufferPointer) {
    var header = Header(places: [])
    Self.read(bytes) { next in
      header = next
      if case .labels(nil) = next.holds {
        for place in next.places { numbers[place, default: []].append(sections.count) }
        sections.append(Section())
      }
    } line: { label, targets in
      switch header.holds {
      case .labels(let condition?):
        besides[Folding.nameKey(String(label)), default: []].append(
          Beside(places: header.places, condition: condition, genres: Self.genres(targets)))
      case .genres(let condition):
        turns.append(
          Turn(
            kinds: header.places.compactMap(\.kind), genre: NamedBranch(label), condition: condition,
            genres: Self.genres(targets)))
      case .labels(nil):
        if label.utf8.last == UInt8(ascii: "*") || label.utf8.first == UInt8(ascii: "*") {
          sections[sections.count - 1].patterns.append(Pattern(label, targets: targets))
        } else {
          sections[sections.count - 1].meanings[Folding.nameKey(String(label))] = targets
        }
      }
    }
  }

  private static func read(
    _ bytes: UnsafeRawBufferPointer, section: (Header) -> Void,
    line read: (_ label: Substring, _ targets: Substring) -> Void
  ) {
    for line in bytes.dataLines {
      if line.hasPrefix("[") {
        section(Header(line.dropFirst().prefix { $0 != "]" }))
      } else if let equals = line.separator {
        read(line[..<equals], line[equals...].dropFirst(3))
      }
    }
  }

  /// A line of the file, as it is written: `*` stands for any end or start.
  struct Entry {
    var place: Place
    var label: String
    var genres: [String]
  }

  /// The lines one by one that say what labels mean, but for those that hold only beside a genre.
  static var entries: [Entry] {
    var (entries, header) = ([Entry](), Header(places: []))
    read(catalog_genre_labels().bytes) {
      header = $0
    } line: { label, targets in
      guard case .labels(nil) = header.holds else { return }
      entries += header.places.map { Entry(place: $0, label: String(label), genres: genres(targets)) }
    }
    return entries
  }

  private static func genres(_ targets: Substring) -> [String] {
    targets == "-" ? [] : targets.split(separator: ";").map(\.trimmingBlanks)
  }

  /// The genres that `key` stands for in the words of `source`, for things of this kind: none for noise, nil when it is
  /// unknown.
  func genres(for key: String, from source: String, of kind: Kind? = nil) -> [String]? {
    sections(of: source, kind).lazy.compactMap { $0.meanings[key] }.first.map(Self.genres)
  }

  /// The same by how the label starts or ends. The longest such line decides.
  func genres(forPatternOf label: String, from source: String, of kind: Kind? = nil) -> [String]? {
    let candidates = sections(of: source, kind).flatMap(\.patterns)
    guard !candidates.isEmpty else { return nil }
    let words = LabelWords(label)
    return candidates.filter { $0.matches(words) }.max { $0.key.utf8.count < $1.key.utf8.count }
      .map { Self.genres($0.targets) }
  }

  /// Those of the source for the kind, those of the source, then those of all.
  private func sections(of source: String, _ kind: Kind?) -> [Section] {
    (source == "any" ? [source] : [source, "any"]).flatMap { source in
      (kind.map { numbers[Place(source: source, kind: $0)] ?? [] } ?? [])
        + (numbers[Place(source: source, kind: nil)] ?? [])
    }.map { sections[$0] }
  }

  var sources: Set<String> { Set(numbers.keys.map(\.source)) }
}

// MARK: - What is said of several labels together

extension ShippedLabels {
  /// The meaning of a label if the item's other labels stand for certain genres.
  struct Beside: Sendable {
    var places: [Place]
    var condition: Condition
    var genres: [String]

    func holds(for source: String, _ kind: Kind) -> Bool {
      places.contains { ($0.source == source || $0.source == "any") && ($0.kind == nil || $0.kind == kind) }
    }
  }

  /// The replacement of a genre that comes from the labels of an item of these kinds.
  struct Turn: Sendable {
    var kinds: [Kind]
    var genre: NamedBranch
    var condition: Condition
    var genres: [String]
  }

  /// A genre, perhaps with all below it: `Rock`, `Rock…`.
  struct NamedBranch: Sendable, Hashable {
    var name: String
    var takesAllBelow: Bool

    init(_ text: some StringProtocol) {
      let text = text.trimmingBlanks
      takesAllBelow = text.hasSuffix("…")
      name = takesAllBelow ? String(text.dropLast()) : text
    }
  }

  /// Which genres an item must have, any of them, and which it must not have.
  struct Condition: Sendable {
    var with: [NamedBranch] = []
    var without: [NamedBranch] = []
  }

  /// The text in brackets above a section.
  private struct Header {
    enum Content {
      /// Meanings of labels, perhaps only beside certain genres.
      case labels(Condition?)
      /// Replacements of genres.
      case genres(Condition)
    }

    var places: [Place]
    var holds = Content.labels(nil)

    init(places: [Place]) { self.places = places }

    /// `discogs, itunes`, `any: movie`, `discogs beside Rock…`, `genres: book beside Fiction without Nonfiction`
    init(_ text: Substring) {
      let words = text.split(separator: " ")
      func list(behind word: String) -> [NamedBranch] {
        words.drop { $0 != word }.dropFirst().prefix { $0 != "beside" && $0 != "without" }.joined(separator: " ")
          .split(separator: ",").map { NamedBranch($0) }
      }
      let condition = Condition(with: list(behind: "beside"), without: list(behind: "without"))
      let names = words.prefix { $0 != "beside" && $0 != "without" }.joined(separator: " ")
        .split(separator: ":").map { $0.split(separator: ",").map(\.trimmingBlanks) }
      let kinds: [Kind?] = names.count > 1 ? names[1].map { Kind(rawValue: $0) } : [nil]
      places = (names.first ?? []).flatMap { source in kinds.map { Place(source: source, kind: $0) } }
      if names.first == ["genres"] {
        holds = .genres(condition)
      } else if !condition.with.isEmpty || !condition.without.isEmpty {
        holds = .labels(condition)
      }
    }
  }
}

/// A label as patterns see it.
private struct LabelWords {
  var key: String
  /// The keys of its first word, of its first two, …
  var starts: Set<String>
  /// The keys of its last word, of its last two, …
  var ends: Set<String>

  /// No pattern has more.
  private static let mostWords = 8

  init(_ label: String) {
    key = Folding.nameKey(label)
    let words = label.split { !Self.isPart($0) }
    (starts, ends) = ([], [])
    for count in 1...Self.mostWords where count <= words.count {
      starts.insert(words.prefix(count).map { Folding.nameKey(String($0)) }.joined())
      ends.insert(words.suffix(count).map { Folding.nameKey(String($0)) }.joined())
    }
  }

  /// Whether it belongs to a word.
  static func isPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "&" || character == "+"
  }
}

extension UnsafeRawBufferPointer {
  /// Another one for other bytes: FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), eight bytes at a time, since it
  /// is made at every opening for writing.
  var fingerprint: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ value: UInt64) { hash = (hash ^ value) &* 0x100_0000_01b3 }
    let whole = count / 8 * 8
    for place in stride(from: 0, to: whole, by: 8) { add(loadUnaligned(fromByteOffset: place, as: UInt64.self)) }
    for byte in self[whole...] { add(UInt64(byte)) }
    return String(hash, radix: 16)
  }
}

extension Substring {
  /// The index of the first ` = `. Searches the bytes, because there are thousands of lines.
  fileprivate var separator: Index? {
    var rest = utf8
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      if equals > startIndex, utf8[equals...].dropFirst().first == 0x20, utf8[utf8.index(before: equals)] == 0x20 {
        return utf8.index(before: equals)
      }
      rest = rest[utf8.index(after: equals)...]
    }
    return nil
  }
}
