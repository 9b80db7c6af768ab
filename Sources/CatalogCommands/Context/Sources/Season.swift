internal import CatalogModel
internal import CommandLineKit
internal import Lookup

/// A season of the year, for `seasons`.
enum Season: String, CaseIterable, Sendable {
  case spring, summer, autumn, winter

  /// The languages for the names of the seasons.
  enum Language {
    case english, korean

    /// The language of titles in the shop of this country.
    init(country: String) { self = country == "KR" ? .korean : .english }
  }

  /// The word to search.
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

  /// The heading of its section: the searched word, in English or in the language of the shop.
  func words(lookedFor: String) -> Message {
    lookedFor == name(in: .english) ? Message(words: lookedFor) : Message(verbatim: lookedFor)
  }

  /// The number of results. Spring is at the top and has fewer than the others.
  var limit: Int { self == .spring ? 5 : 15 }

  /// The source that is searched.
  static let source = Source.itunes

  func search(_ kind: Kind, scope: Search.Scope?, in language: Language) -> Search {
    Search(words: name(in: language), kind: kind, pageSize: limit, scope: scope)
  }
}
