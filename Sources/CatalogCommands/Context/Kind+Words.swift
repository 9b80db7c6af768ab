internal import CatalogModel
internal import CommandLineKit

extension Kind {
  /// One of them, in a sentence. The word that is typed for it is the raw value.
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

  /// Several of them.
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

  /// Several of them, by the word that is typed for it: `vinyl`.
  var plurals: Message { Message(words: plural) }
}
