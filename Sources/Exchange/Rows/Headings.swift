internal import CResources
internal import CatalogModel

/// The heading of a column in files, in any language: Data/headings.tsv.
struct Heading: Sendable {
  /// The ids of its meanings, the first that its cells allow.
  private let fields: [String]
  /// Whether another column of the same meaning is preferred.
  let isWeak: Bool
  /// The kind of things that it shows.
  let kind: Kind?
  private let language: String

  /// - Parameter key: the heading as ``Cells/key(_:)`` gives it.
  static func named(_ key: String) -> Heading? { all[key] }

  /// The meanings of its column. The first with which half of the cells can be read is right.
  var meanings: [ColumnMapping] { fields.compactMap { Self.meaning($0, language) } }
  var meaning: ColumnMapping? { meanings.first }

  /// A line without its headings.
  private init?(_ line: [Substring]) {
    guard line.count == 4, let field = line.first else { return nil }
    isWeak = field.hasSuffix("?")
    fields = (isWeak ? field.dropLast() : field).split(separator: "/").map(String.init)
    (kind, language) = (Kind(rawValue: String(line[1])), String(line[2]))
  }

  private static let all: [String: Heading] = {
    var all: [String: Heading] = [:]
    for parts in catalog_headings().rows {
      guard let heading = Heading(parts), let names = parts.last else { continue }
      for name in names.split(separator: ";") { all[Cells.key(String(name.trimmed))] = heading }
    }
    return all
  }()

  /// All of its file with their keys.
  static var everyKey: [String] { all.keys.sorted() }

  private static func meaning(_ field: String, _ language: String) -> ColumnMapping? {
    switch field {
    case "genre": .genres(of: ",;/|·")
    case "writer": .writer
    case "first-name": .firstName
    case "last-name": .lastName
    case "review-title": .reviewTitle
    case "shelf": .shelf
    case "episode": .episode
    case "progress": .progress
    // Schools give grades, too.
    case "grade": .media.only(.vinyl)
    case "others": .others
    case "ignore": .inside
    case "price": .price(in: currency(of: language))
    case "cover-price": .coverPrice(in: language == "zh-Hans" ? "CNY" : currency(of: language))
    default: ColumnMapping.named(field)
    }
  }

  /// The currency of the only country of a language.
  private static func currency(of language: String) -> String? {
    switch language {
    case "ko": "KRW"
    case "ja": "JPY"
    default: nil
    }
  }

  /// The order of days where the language is spoken; nil for English.
  var order: DateOrder? {
    language == "en" ? nil : DateOrder(language: String(language.prefix { $0 != "-" }), territory: nil)
  }
}

extension DateOrder {
  /// The order in the language of a column's heading; nil where the heading does not show it.
  init?(heading: String) {
    for scalar in heading.unicodeScalars {
      switch scalar.value {
      case 0x1100...0x11FF, 0xAC00...0xD7A3, 0x3040...0x30FF, 0x4E00...0x9FFF: self = .ymd
      case 0x400...0x4FF: self = .dmy
      default: continue
      }
      return
    }
    guard let order = Heading.named(Cells.key(heading))?.order else { return nil }
    self = order
  }
}
