internal import CatalogModel
internal import CommandLineKit
internal import Lookup

/// A season of the year: what `seasons` looks for.
enum Season: String, CaseIterable, Sendable {
  case spring, summer, autumn, winter

  /// The languages that the seasons are named in.
  enum Language {
    case english, korean

    /// The one that titles in the shop of this country are in.
    init(country: String) { self = country == "KR" ? .korean : .english }
  }

  /// The word that is looked for.
  func name(in language: Language) -> String {
    switch (self, language) {
    case (.spring, .english): "spring"
    case (.summer, .english): "summer"
    case (.autumn, .english): "autumn"
    case (.winter, .english): "winter"
    case (.spring, .korean): "봄"
    case (.summer, .korean): "여름"
    case (.autumn, .korean): "가을"
    case (.winter, .korean): "겨울"
    }
  }

  /// What its section is called: what was looked for, in English and in the language of the shop.
  func words(lookedFor: String) -> Message {
    lookedFor == name(in: .english) ? Message(words: lookedFor) : Message(verbatim: lookedFor)
  }

  /// How many results it gets: spring is the shelf at the top, shorter than the others.
  var limit: Int { self == .spring ? 5 : 15 }

  /// The source that is asked.
  static let source = Source.itunes

  /// What it is asked for.
  func search(_ kind: Kind, scope: Search.Scope?, in language: Language) -> Search {
    Search(words: name(in: language), kind: kind, pageSize: limit, scope: scope)
  }
}
