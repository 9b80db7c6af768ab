internal import CResources
internal import CatalogModel

/// The canonical genres that every catalog starts with: Data/genres.txt, compiled in.
struct ShippedGenres {
  struct Genre: Equatable {
    var name: String
    /// The name of the genre above it.
    var parent: String?
  }

  /// Parents stand before their children.
  var genres: [Genre] = []

  static var all: ShippedGenres { ShippedGenres(UnsafeRawBufferPointer(resource: catalog_genres())) }

  /// Changes whenever the shipped tree does: FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/).
  static var fingerprint: String {
    let hash = UnsafeRawBufferPointer(resource: catalog_genres()).reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
  }

  /// Reads an indented list: two spaces a level, `#` before comments.
  init(_ bytes: UnsafeRawBufferPointer) {
    var path: [String] = []
    for line in bytes.dataLines {
      let depth = line.prefix { $0 == " " }.count / 2
      let name = line.trimmingBlanks
      path = path.prefix(depth) + [name]
      genres.append(Genre(name: name, parent: path.dropLast().last))
    }
  }
}

/// What the sources' labels mean: Data/genre-labels.txt, compiled in.
///
/// The file holds thousands, of which a catalog meets some; a label's meaning goes into the catalog when an item first
/// comes with it, and is a person's to change from then on.
struct ShippedLabels: Sendable {
  private struct Section {
    /// By key: genres with `;` between them, `-` for noise. They are read apart when they are asked for, because one run
    /// of the program asks for few of the thousands.
    var meanings: [String: Substring] = [:]
    /// What labels mean by their start (`nyt:*`) or their end (`*, fiction`).
    var patterns: [Pattern] = []
  }

  private var sections: [Section] = []
  /// The places of each source's sections.
  private var places: [String: [Int]] = [:]

  private struct Pattern {
    var key: String
    var isStart: Bool
    /// Whether a word must begin or end where the pattern does.
    var isWhole: Bool
    var targets: Substring

    /// - Parameter label: `law-*` or `*, history`.
    init(_ label: Substring, targets: Substring) {
      key = Folding.labelKey(String(label))
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

  static let all = ShippedLabels(UnsafeRawBufferPointer(resource: catalog_genre_labels()))

  /// Reads `[source]` sections of `label = Genre; Genre`, `label = -`, `start* = …` and `*end = …` lines. A section may
  /// be for several sources: `[goodreads, librarything]`.
  init(_ bytes: UnsafeRawBufferPointer) {
    Self.read(bytes) { sources in
      for source in sources { places[source, default: []].append(sections.count) }
      sections.append(Section())
    } line: { label, targets in
      if label.utf8.last == UInt8(ascii: "*") || label.utf8.first == UInt8(ascii: "*") {
        sections[sections.count - 1].patterns.append(Pattern(label, targets: targets))
      } else {
        sections[sections.count - 1].meanings[Folding.labelKey(String(label))] = targets
      }
    }
  }

  private static func read(
    _ bytes: UnsafeRawBufferPointer, section: (_ sources: [String]) -> Void,
    line read: (_ label: Substring, _ targets: Substring) -> Void
  ) {
    for line in bytes.dataLines {
      if line.hasPrefix("[") {
        section(line.dropFirst().prefix { $0 != "]" }.split(separator: ",").map(\.trimmingBlanks))
      } else if let equals = line.separator {
        read(line[..<equals], line[equals...].dropFirst(3))
      }
    }
  }

  /// The lines one by one, as they are written: `*` stands for any end or start.
  static var entries: [(source: String, label: String, genres: [String])] {
    var (entries, sources) = ([(String, String, [String])](), [String]())
    read(UnsafeRawBufferPointer(resource: catalog_genre_labels())) {
      sources = $0
    } line: { label, targets in
      for source in sources { entries.append((source, String(label), genres(targets))) }
    }
    return entries
  }

  private static func genres(_ targets: Substring) -> [String] {
    targets == "-" ? [] : targets.split(separator: ";").map(\.trimmingBlanks)
  }

  /// The genres that `key` stands for in the words of `source`: none for noise, nil when it is unknown.
  func genres(for key: String, from source: String) -> [String]? {
    sections(of: source).lazy.compactMap { $0.meanings[key] }.first.map(Self.genres)
  }

  /// The same by how the label starts or ends. The longest such line decides.
  func genres(forPatternOf label: String, from source: String) -> [String]? {
    let candidates = sections(of: source).flatMap(\.patterns)
    guard !candidates.isEmpty else { return nil }
    let words = LabelWords(label)
    return candidates.filter { $0.matches(words) }.max { $0.key.utf8.count < $1.key.utf8.count }
      .map { Self.genres($0.targets) }
  }

  /// Those of the source itself, then that of all.
  private func sections(of source: String) -> [Section] {
    ((places[source] ?? []) + (source == "any" ? [] : places["any"] ?? [])).map { sections[$0] }
  }

  var sources: Set<String> { Set(places.keys) }
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
    key = Folding.labelKey(label)
    let words = label.split { !Self.isPart($0) }
    (starts, ends) = ([], [])
    for count in 1...Self.mostWords where count <= words.count {
      starts.insert(words.prefix(count).map { Folding.labelKey(String($0)) }.joined())
      ends.insert(words.suffix(count).map { Folding.labelKey(String($0)) }.joined())
    }
  }

  /// Whether it belongs to a word.
  static func isPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "&" || character == "+"
  }
}

extension UnsafeRawBufferPointer {
  init(resource: catalog_resource) { self.init(start: resource.start, count: resource.count) }

  /// The lines that are not empty and not comments.
  fileprivate var dataLines: [Substring] {
    let text = String(decoding: self, as: UTF8.self)
    return text.utf8.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }.map(Substring.init)
  }
}

extension Substring {
  /// Where the first ` = ` stands. On bytes: the lines are thousands.
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
