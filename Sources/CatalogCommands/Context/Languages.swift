internal import CResources
internal import CatalogStore
internal import CommandLineKit

extension SpokenLanguage {
  /// What the program speaks beside English: a file in Data/messages each.
  static let all = [
    // Korean has one form for all numbers.
    SpokenLanguage("ko") { bytes(catalog_messages_ko()) }
  ]

  private static func bytes(_ resource: catalog_resource) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: resource.start, count: resource.count)
  }
}

extension Translation? {
  /// What a genre is called in the language.
  func genreName(_ name: String) -> String { Store.genreName(name, in: language) }
}

extension Context {
  /// The language that a person reads, as pages name it.
  var language: String { terminal.translation.language }

  /// What a genre is called in the person's language.
  func genreName(_ name: String) -> String { terminal.translation.genreName(name) }
}
