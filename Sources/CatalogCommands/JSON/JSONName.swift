internal import CResources
internal import CatalogModel
internal import CatalogStore

/// A name of a member in JSON and of a column in CSV: one name for one thing in all documents.
///
/// The fields of an item have theirs in ``Field``. Every other name is a line of Data/json-names.txt, and a document
/// that uses an unknown one fails its test.
struct JSONName: Sendable {
  let name: String
  let type: JSONType
  /// The definition, in a sentence.
  let sentence: String

  /// The name of this spelling.
  static func named(_ name: String) -> JSONName? { known[name] }

  private static let known = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

  /// All names but those of fields, in alphabetical order.
  static let others = catalog_json_names().lines.map { line in
    let words = line.split(separator: " ", maxSplits: 2)
    return JSONName(name: String(words[0]), type: JSONType(words[1]), sentence: String(words[2]))
  }

  private static let all =
    others + Field.all.map { JSONName(name: $0.name, type: JSONType(of: $0), sentence: $0.heading) }
}

/// The type of a value in JSON. Every single value may be null, which means unknown; a list is `[]` when it is empty.
indirect enum JSONType: Sendable {
  /// A text, a number or `true`.
  case text, integer, number, flag
  /// A date, perhaps without the day or the month; a moment in UTC.
  case day, time
  /// `{"amount":12.50,"currency":"EUR"}`
  case money
  case kind
  /// The number of a row: a whole number, or a text such as `c3`.
  case row
  /// An object of ``JSONDocument/parts``.
  case part(String)
  case list(JSONType)
  /// A list that is null when it was not asked for.
  case openList(JSONType)
  case anything

  init(_ word: some StringProtocol) {
    if word.hasPrefix("["), let end = word.lastIndex(of: "]") {
      let element = JSONType(word[..<end].dropFirst())
      self = word.hasSuffix("?") ? .openList(element) : .list(element)
      return
    }
    self =
      switch word {
      case "text": .text
      case "integer": .integer
      case "number": .number
      case "flag": .flag
      case "day": .day
      case "time": .time
      case "money": .money
      case "kind": .kind
      case "row": .row
      case "any": .anything
      default: .part(String(word))
      }
  }

  init(of field: Field) {
    func single(_ type: FieldType) -> JSONType {
      switch type {
      case .kind: .kind
      case .integer, .count, .year, .rating: .integer
      case .real: .number
      case .flag: .flag
      case .date: .day
      case .moment: .time
      case .price: .money
      default: .text
      }
    }
    self = field.form.isList ? .list(single(field.type.element)) : single(field.type)
  }

  /// The type in words, for the help.
  var words: String {
    switch self {
    case .text: "text"
    case .integer: "whole number"
    case .number: "number"
    case .flag: "true or false"
    case .day: "day"
    case .time: "time"
    case .money: "money"
    case .kind: "kind"
    case .row: "number or text"
    case .part: "object"
    case .anything: "any"
    case .list(.part), .openList(.part): "list of objects"
    case .list(let type), .openList(let type): "list: \(type.words)"
    }
  }
}
