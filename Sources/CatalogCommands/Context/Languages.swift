internal import CResources
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
