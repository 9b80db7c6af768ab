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

  /// The kind that a person means by a word, which may also stand before a title: its name or its plural, `film`,
  /// `record`, `책`.
  public init?(word: some StringProtocol) {
    guard let kind = Self.code(word) ?? ValueWords.value(word, of: .kind).flatMap(Self.init(rawValue:)) else {
      return nil
    }
    self = kind
  }

  /// The kind of a code, which programs and options write, and which needs no words of any language.
  private static func code(_ word: some StringProtocol) -> Kind? { shelved.first { $0.rawValue == word } }

  /// The kind that a value means: also a word for a thing of it, such as `novel` or `앨범`.
  public init?(value: some StringProtocol) {
    func read(_ sort: ValueWords.Sort) -> Kind? { ValueWords.value(value, of: sort).flatMap(Self.init(rawValue:)) }
    guard let kind = Self.code(value) ?? read(.kind) ?? read(.thing) else { return nil }
    self = kind
  }

  /// Whether a value names things that the catalog does not keep: series, games.
  public static func isOther(_ value: some StringProtocol) -> Bool { ValueWords.value(value, of: .thing) == "other" }
}
