/// The kind of an item.
///
/// Movies, books and records live on shelves. Music, podcasts and apps can be looked up, shown and opened, and appear
/// among the recents, but are not kept.
public enum Kind: String, CaseIterable, Sendable, Hashable, Codable {
  case movie, book, vinyl
  case music, podcast, app

  /// The kinds with a shelf, in the order of printed sections.
  public static let shelved: [Kind] = [.movie, .book, .vinyl]

  /// Whether an item of this kind can be kept.
  public var isShelved: Bool { Self.shelved.contains(self) }

  /// The word for several: `movies`, `books`, `vinyl`, …
  public var plural: String {
    switch self {
    case .movie: "movies"
    case .book: "books"
    case .vinyl: "vinyl"
    case .music: "music"
    case .podcast: "podcasts"
    case .app: "apps"
    }
  }

  /// The kind that a person means by `word`: its name or its plural, in any case; `record`, `film` and the Korean words are
  /// understood.
  public init?(word: String) {
    let word = KoreanWords.value(word.lowercased())
    switch word {
    case "film", "films": self = .movie
    case "record", "records", "vinyls", "lp": self = .vinyl
    default:
      guard let kind = Self.allCases.first(where: { $0.rawValue == word || $0.plural == word }) else { return nil }
      self = kind
    }
  }
}
