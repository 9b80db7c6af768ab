internal import CResources
internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

extension SpokenLanguage {
  /// The languages of the program besides English, with a file in Data/messages each.
  static let all = [
    // Korean has one form for all numbers.
    SpokenLanguage("ko") { catalog_messages_ko().bytes }
  ]
}

extension Translation? {
  /// The name of a genre in this language.
  func genreName(_ name: String) -> String { Store.genreName(name, in: language) }
}

extension Context {
  /// The language of the person, as pages declare it.
  var language: String { terminal.translation.language }

  /// The name of a genre in the person's language.
  func genreName(_ name: String) -> String { terminal.translation.genreName(name) }
}
