internal import CResources
internal import CatalogModel

/// The shipped genres and labels, read from the text files that are compiled in (Data/genres.txt, genre-labels.txt).
struct GenreSeed {
  struct Genre: Equatable {
    var name: String
    /// The name of the genre above it.
    var parent: String?
  }

  struct Label: Equatable {
    /// `any` holds for every source.
    var source: String
    var label: String
    /// The genres it stands for; none for noise.
    var genres: [String]
  }

  var genres: [Genre] = []
  var labels: [Label] = []
  /// Changes whenever the shipped files do.
  var fingerprint: String

  static var shipped: GenreSeed {
    GenreSeed(
      genres: UnsafeRawBufferPointer(resource: catalog_genres()),
      labels: UnsafeRawBufferPointer(resource: catalog_genre_labels()))
  }

  /// The fingerprint of the shipped files, without reading them further.
  static var shippedFingerprint: String {
    fingerprint(
      UnsafeRawBufferPointer(resource: catalog_genres()), UnsafeRawBufferPointer(resource: catalog_genre_labels()))
  }

  init(genres: UnsafeRawBufferPointer, labels: UnsafeRawBufferPointer) {
    fingerprint = Self.fingerprint(genres, labels)
    var path: [String] = []
    for line in Self.lines(genres) {
      let depth = line.prefix { $0 == " " }.count / 2
      let name = line.trimmingBlanks
      path = path.prefix(depth) + [name]
      self.genres.append(Genre(name: name, parent: path.dropLast().last))
    }
    var source = "any"
    for line in Self.lines(labels).map(\.trimmingBlanks) {
      if line.hasPrefix("["), line.hasSuffix("]") {
        source = String(line.dropFirst().dropLast())
      } else if let equals = line.firstRange(of: " = ") {
        let targets = line[equals.upperBound...].trimmingBlanks
        self.labels.append(
          Label(
            source: source, label: line[..<equals.lowerBound].trimmingBlanks,
            genres: targets == "-" ? [] : targets.split(separator: ";").map(\.trimmingBlanks)))
      }
    }
  }

  private static func lines(_ bytes: UnsafeRawBufferPointer) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.trimmingBlanks.isEmpty }
  }

  /// FNV-1a over both files (http://www.isthe.com/chongo/tech/comp/fnv/).
  private static func fingerprint(_ files: UnsafeRawBufferPointer...) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for file in files { for byte in file { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 } }
    return String(hash, radix: 16)
  }
}

extension UnsafeRawBufferPointer {
  fileprivate init(resource: catalog_resource) { self.init(start: resource.start, count: resource.count) }
}
