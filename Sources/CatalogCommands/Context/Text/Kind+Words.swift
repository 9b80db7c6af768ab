internal import CatalogModel
internal import CommandLineKit

extension Kind {
  /// The noun for one item of this kind in a sentence. The raw value is the word to type.
  var thing: Message {
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
  var things: Message {
    switch self {
    case .movie: "movies"
    case .book: "books"
    case .vinyl: "records"
    case .music: "music"
    case .podcast: "podcasts"
    case .app: "apps"
    }
  }

  /// The plural of the word to type: `vinyl`.
  var plurals: Message { Message(words: plural) }
}
