internal import CommandLineKit

/// The contact for a source that wants to reach its user: an e-mail address or a page. MusicBrainz requires one,
/// <https://musicbrainz.org/doc/MusicBrainz_API/Rate_Limiting>.
struct Contact: ArgumentValue, Hashable {
  var text: String

  init(argument word: String) throws {
    guard Self.isMail(word) || Self.isPage(word), word.utf8.count <= 200, word.utf8.allSatisfy(Self.isPlain) else {
      throw UsageError(
        "\(word.quoted) is neither an e-mail address nor a page",
        hint: "for example: catalog config set contact https://example.org/me")
    }
    text = word
  }

  private static func isMail(_ word: String) -> Bool {
    let parts = word.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !word.contains("/") else { return false }
    let names = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    return names.count > 1 && names.allSatisfy { !$0.isEmpty }
  }

  private static func isPage(_ word: String) -> Bool {
    ["https://", "http://"].contains { word.hasPrefix($0) && word.utf8.count > $0.utf8.count && !word.contains("@") }
  }

  /// Whether the byte is allowed in the comment of a header: visible ASCII, no parentheses, quotes or backslashes.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && ![0x22, 0x28, 0x29, 0x5C].contains(byte)
  }

  static var valueName: String? { "ADDRESS" }
}
