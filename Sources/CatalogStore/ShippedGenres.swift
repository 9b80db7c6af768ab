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
  /// By source, then by key: genres with `;` between them, `-` for noise. They are read apart when they are asked for,
  /// because one run of the program asks for few of the thousands.
  private var meanings: [String: [String: Substring]] = [:]
  /// Noise by its start (`nyt:*`), by source.
  private var starts: [String: [String]] = [:]

  static let all = ShippedLabels(UnsafeRawBufferPointer(resource: catalog_genre_labels()))

  /// Reads `[source]` sections of `label = Genre; Genre`, `label = -` and `start* = -` lines.
  init(_ bytes: UnsafeRawBufferPointer) {
    var source = "any"
    for line in bytes.dataLines {
      if line.hasPrefix("[") {
        source = String(line.dropFirst().prefix { $0 != "]" })
      } else if let equals = line.separator {
        let label = line[..<equals]
        if label.utf8.last == UInt8(ascii: "*") {
          starts[source, default: []].append(Folding.labelKey(String(label.dropLast())))
        } else {
          meanings[source, default: [:]][Folding.labelKey(String(label))] = line[equals...].dropFirst(3)
        }
      }
    }
  }

  /// The genres that `key` stands for in the words of `source`: none for noise, nil when it is unknown.
  func genres(for key: String, from source: String) -> [String]? {
    guard let targets = meanings[source]?[key] ?? meanings["any"]?[key] else { return nil }
    return targets == "-" ? [] : targets.split(separator: ";").map(\.trimmingBlanks)
  }

  /// Whether the label is noise by its start.
  func isNoise(_ key: String, from source: String) -> Bool {
    [source, "any"].contains { starts[$0]?.contains { key.hasPrefix($0) } ?? false }
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
