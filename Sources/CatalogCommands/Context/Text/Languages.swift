internal import CResources
internal import CatalogStore
internal import CommandLineKit

extension SpokenLanguage {
  /// The languages of the program besides English, with a file in Data/messages each.
  static let all = [
    // Korean has one form for all numbers.
    SpokenLanguage("ko") { bytes(catalog_messages_ko()) }
  ]

  private static func bytes(_ resource: catalog_resource) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: resource.start, count: resource.count)
  }
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
