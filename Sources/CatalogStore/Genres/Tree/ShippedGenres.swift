internal import CResources
internal import CatalogModel

/// The canonical genres that every catalog starts with: Data/genres.txt, compiled in.
struct ShippedGenres {
  struct Genre: Equatable {
    var name: String
    /// The name of the genre above it.
    var parent: String?
    /// The Korean name.
    var korean: String?
  }

  /// Parents stand before their children.
  var genres: [Genre] = []

  static var all: ShippedGenres { ShippedGenres(catalog_genres().bytes) }

  /// Changes whenever the shipped tree does.
  static var fingerprint: String { catalog_genres().bytes.fingerprint }

  /// Reads an indented list: two spaces a level, `#` before comments, a bar before the Korean name.
  init(_ bytes: UnsafeRawBufferPointer) {
    var path: [String] = []
    for line in bytes.dataLines {
      let depth = line.prefix { $0 == " " }.count / 2
      let names = line.split(separator: "|", maxSplits: 1).map(\.trimmingBlanks)
      guard let name = names.first else { continue }
      path = path.prefix(depth) + [name]
      genres.append(Genre(name: name, parent: path.dropLast().last, korean: names.dropFirst().first))
    }
  }

  // MARK: In Korean

  /// Korean names by the canonical ones.
  static let korean = Dictionary(all.genres.compactMap { genre in genre.korean.map { (genre.name, $0) } }) { $1 }
  /// The canonical names by the keys of the Korean ones, which are words for them.
  static let byKoreanKey = Dictionary(korean.map { (Folding.nameKey($1), $0) }) { $1 }
}

extension Store {
  /// Returns the name of a genre in a language: `재즈` for Jazz in `ko`. Returns `name` itself if the shipped tree has no
  /// translation, as for a genre that a user made or renamed.
  /// - Parameter language: a code of two letters, as in a locale.
  public static func genreName(_ name: String, in language: String) -> String {
    language == "ko" ? ShippedGenres.korean[name] ?? name : name
  }
}
