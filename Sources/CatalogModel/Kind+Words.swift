extension Kind {
  /// The noun for one item of this kind in a sentence. The raw value is the word to type.
  public var thing: Message {
    switch self {
    case .movie: "movie"
    case .book: "book"
    case .vinyl: "record"
    case .music: "music"
    case .podcast: "podcast"
    case .app: "app"
    }
  }

  /// The plural of ``thing``.
  public var things: Message {
    switch self {
    case .movie: "movies"
    case .book: "books"
    case .vinyl: "records"
    case .music: "music"
    case .podcast: "podcasts"
    case .app: "apps"
    }
  }

  /// The word to type, as a message says it: `book`.
  public var singular: Message { Message(words: rawValue) }

  /// The plural of ``singular``: `vinyl`.
  public var plurals: Message { Message(words: plural) }
}

extension [Kind] {
  /// The choices in a hint: `movies, vinyl`.
  public var plurals: Message { map(\.plurals).joined(separator: ", ") }
}
