internal import CatalogModel

// Prints a query in the syntax in which it is typed. Parsing the result gives an equal query.

extension Query: CustomStringConvertible {
  /// The query in one line, as `--where` takes it.
  public var description: String { arguments.joined(separator: " ") }

  /// The query as arguments of a command line.
  public var arguments: [String] { condition.arguments(in: nil) }
}

extension Query.Condition {
  /// - Parameter outer: the enclosing condition. A nested group needs parentheses.
  fileprivate func arguments(in outer: Self?) -> [String] {
    func grouped(_ parts: [Self], with word: String?) -> [String] {
      var all: [String] = []
      for (place, part) in parts.enumerated() {
        if place > 0, let word { all.append(word) }
        all += part.arguments(in: self)
      }
      return outer == nil ? all : ["("] + all + [")"]
    }
    switch self {
    case .all(let parts) where parts.isEmpty: return outer == nil ? [] : ["\"\""]
    case .all(let parts): return grouped(parts, with: nil)
    case .any(let parts): return grouped(parts, with: "or")
    case .not(let part):
      let inner = part.arguments(in: self)
      guard let first = inner.first else { return [] }
      return ["^" + first] + inner.dropFirst()
    case .word(let word): return [Self.plain(word)]
    case .saved(let name, _): return ["@" + Self.name(name)]
    case .field(let field, let comparisons):
      return ["\(field.word):" + comparisons.map { $0.text(for: field) }.joined(separator: ",")]
    }
  }

  /// A literal text, in quotes unless it consists of letters and digits.
  fileprivate static func plain(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || ("0"..."9").contains($0) }
    let isWord = ["and", "or", "not", "none", "any", "no", "yes", "true", "false", "1"].contains(text.lowercased())
    return isPlain && !isWord && !text.isEmpty ? text : quoted(text)
  }

  /// The name of a saved query, in quotes if it needs them.
  private static func name(_ name: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_".unicodeScalars.contains($0)
    }
    return isPlain && Int(name) == nil ? name : quoted(name)
  }

  static func quoted(_ text: String) -> String {
    // Scalars, because a combining mark may follow a quote.
    var quoted: String.UnicodeScalarView = "\"".unicodeScalars
    for scalar in text.unicodeScalars { quoted.append(contentsOf: scalar == "\"" ? [scalar, scalar] : [scalar]) }
    return String(quoted) + "\""
  }
}

extension Query.Comparison {
  fileprivate func text(for field: Field) -> String {
    switch self {
    case .present: return "any"
    case .missing: return "none"
    case .equals(let kind) where field.type == .kind: return kind
    case .equals(let text): return "=" + Query.Condition.quoted(text)
    // In prose a comma is literal only within quotes.
    case .contains(let text):
      return field.type.element == .prose ? Query.Condition.quoted(text) : Query.Condition.plain(text)
    case .grades(let grades):
      guard let first = grades.first, let last = grades.last, first != last else {
        return grades.first.map { $0.isOfMedia ? $0.rawValue : Query.Condition.quoted($0.rawValue) } ?? ""
      }
      return "\(first.rawValue)..\(last.rawValue)"
    case .numbers(let range): return Self.text(range) { field.type.element == .rating ? "\($0)%" : "\($0)" }
    case .reals(let range):
      let (least, most) = (-Double.greatestFiniteMagnitude, Double.greatestFiniteMagnitude)
      return Self.text(range) { $0 == least || $0 == most ? "" : "\($0)" }
    case .dates(let from?, let to) where from == to: return from.description
    case .dates(let from, let to): return "\(from?.description ?? "")..\(to?.description ?? "")"
    case .amounts(let range, let currency):
      return Self.text(range) { amount in
        // Four digits never group: 20.0010 is just above 20.00.
        let rest = String(10_000 + amount % 1_000 * 10).dropFirst()
        return "\(amount / 1_000).\(rest.hasSuffix("00") ? rest.prefix(2) : rest)" + (currency ?? "")
      }
    }
  }

  private static func text<Bound>(_ range: ClosedRange<Bound>, _ text: (Bound) -> String) -> String {
    let (lower, upper) = (text(range.lowerBound), text(range.upperBound))
    return range.lowerBound == range.upperBound && !lower.isEmpty ? lower : "\(lower)..\(upper)"
  }
}
