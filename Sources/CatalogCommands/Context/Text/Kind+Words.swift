internal import CatalogModel
internal import CommandLineKit
internal import Lookup

extension Source {
  /// The name in a message. That of the built-in pack is translated; the others are proper names.
  var words: Message { isBuiltIn ? Message(words: name) : Message(verbatim: name) }
}

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

  /// The word to type, as a message says it: `book`.
  var singular: Message { Message(words: rawValue) }

  /// The plural of ``singular``: `vinyl`.
  var plurals: Message { Message(words: plural) }
}

extension [Kind] {
  /// The choices in a hint: `movies, vinyl`.
  var plurals: Message { map(\.plurals).joined(separator: ", ") }
}
