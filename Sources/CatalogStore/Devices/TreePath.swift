internal import CatalogModel

/// A file of the tree (docs/devices.md).
public enum TreePath: Sendable, Hashable {
  /// The format version, and the values of the catalog as a whole.
  case catalog
  case genres
  case tags
  case queries
  /// Wishes without an item.
  case wishes
  /// By its uid.
  case item(String)
  /// By its file name: ``pile(key:)``.
  case pile(String)
  /// By the SHA-256 of its bytes, with the file ending of its type.
  case cover(String, ending: String)

  /// The path within the tree.
  public var text: String {
    switch self {
    case .catalog: "catalog.json"
    case .genres: "genres.json"
    case .tags: "tags.json"
    case .queries: "queries.json"
    case .wishes: "wishes.json"
    // The last digits are random, the first are the time.
    case .item(let uid): "items/\(uid.suffix(2))/\(uid).json"
    case .pile(let name): "piles/\(name).json"
    case .cover(let digest, let ending): "covers/\(digest.prefix(2))/\(digest).\(ending)"
    }
  }

  /// Nil for a file of another program.
  public init?(_ text: String) {
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    func name(_ ending: String) -> String? {
      guard let name = words.last, name.hasSuffix(ending) else { return nil }
      return String(name.dropLast(ending.count))
    }
    let found: TreePath?
    switch (words.first, words.count) {
    case ("catalog.json", 1): found = .catalog
    case ("genres.json", 1): found = .genres
    case ("tags.json", 1): found = .tags
    case ("queries.json", 1): found = .queries
    case ("wishes.json", 1): found = .wishes
    case ("items", 3): found = name(".json").flatMap { UUIDv7.isOne($0) ? .item($0) : nil }
    case ("piles", 2):
      // A pile has one file for all Unicode forms of its name.
      found = name(".json").flatMap { name in
        name.isEmpty || !Folding.composed(name).utf8.elementsEqual(name.utf8) ? nil : .pile(name)
      }
    case ("covers", 3):
      let parts = words[2].split(separator: ".", omittingEmptySubsequences: false)
      found = parts.count == 2 && Self.isDigest(parts[0]) ? .cover(String(parts[0]), ending: String(parts[1])) : nil
    default: found = nil
    }
    // In another folder it would be a second file of the same item.
    guard let found, found.text == text else { return nil }
    self = found
  }

  /// The uid of its item; empty for other files.
  var itemUID: String { if case .item(let uid) = self { uid } else { "" } }

  var isItem: Bool { if case .item = self { true } else { false } }

  /// Whether it is a document, not a cover.
  public var isDocument: Bool { if case .cover = self { false } else { true } }

  private static func isDigest(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// The file of a pile, named by its key. Letters and digits of any script stay; everything else is percent-encoded
  /// (RFC 3986). The rest of a name that is too long becomes 64 bits.
  static func pile(key: String) -> TreePath {
    var name = ""
    for scalar in key.unicodeScalars {
      if scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal || scalar == "-" || scalar == "_" {
        name.unicodeScalars.append(scalar)
      } else {
        for byte in String(scalar).utf8 {
          name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
      }
    }
    return .pile(name.utf8.count > 200 ? "~" + String(FNV1a(key).value, radix: 16) : name)
  }
}
