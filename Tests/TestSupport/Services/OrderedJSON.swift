/// A JSON value whose objects keep the order of their fields.
///
///     let answer: OrderedJSON = ["numFound": 0, "docs": []]
///     answer.text  // {"numFound":0,"docs":[]}
enum OrderedJSON: Sendable {
  case null
  case bool(Bool)
  case whole(Int)
  case decimal(Double)
  case string(String)
  case list([OrderedJSON])
  case object([(name: String, value: OrderedJSON)])
  /// No value: the object lacks this field.
  case absent

  /// The text, or null.
  init(_ text: String?) { self = text.map(OrderedJSON.string) ?? .null }

  init(_ texts: [String]) { self = .list(texts.map(OrderedJSON.string)) }

  /// The value as JSON text.
  var text: String {
    switch self {
    case .null, .absent: "null"
    case .bool(let value): "\(value)"
    case .whole(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .string(let string): Self.quoted(string)
    case .list(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .object(let fields):
      "{"
        + fields.filter { !$0.value.isAbsent }.map { Self.quoted($0.name) + ":" + $0.value.text }
        .joined(separator: ",") + "}"
    }
  }

  /// The object with only these fields.
  func only(_ names: some Sequence<String>) -> OrderedJSON {
    guard case .object(let fields) = self else { return self }
    let names = Set(names)
    return .object(fields.filter { names.contains($0.name) })
  }

  /// The object with the fields of another appended.
  func with(_ other: OrderedJSON) -> OrderedJSON {
    guard case .object(let fields) = self, case .object(let others) = other else { return self }
    return .object(fields + others)
  }

  var isAbsent: Bool { if case .absent = self { true } else { false } }

  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      default: String(scalar)
      }
    }
    return "\"" + escaped.joined() + "\""
  }
}

extension OrderedJSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(integerLiteral value: Int) { self = .whole(value) }
  init(floatLiteral value: Double) { self = .decimal(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(nilLiteral: ()) { self = .null }
  init(arrayLiteral elements: OrderedJSON...) { self = .list(elements) }
  init(dictionaryLiteral elements: (String, OrderedJSON)...) { self = .object(elements.map { (name: $0, value: $1) }) }
}
