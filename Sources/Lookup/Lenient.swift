import CatalogModel
import FoundationEssentials

/// An optional field of an answer, read with some forgiveness: one that is missing, null, empty or of the wrong type is
/// unknown, and takes nothing else with it.
///
///     @Lenient<Line> var artistName: String?
///     @Lenient<List<Line>> var genres: [String]?
@propertyWrapper
struct Lenient<Form: Reading>: Decodable {
  var wrappedValue: Form.Value?

  init(wrappedValue: Form.Value? = nil) { self.wrappedValue = wrappedValue }
  init(from decoder: any Decoder) { wrappedValue = try? Form.read(from: decoder) }
}

extension KeyedDecodingContainer {
  /// What makes a missing key an unknown field: synthesised decoding prefers this to the general `decode`.
  func decode<Form>(_ type: Lenient<Form>.Type, forKey key: Key) -> Lenient<Form> {
    (try? decodeIfPresent(type, forKey: key)) ?? Lenient()
  }
}

/// The form that a value has in an answer.
protocol Reading {
  associatedtype Value
  /// Throws when the value does not have this form, or says nothing.
  static func read(from decoder: any Decoder) throws -> Value
}

/// There is something, and it says nothing.
private struct Nothing: Error {}

extension Reading {
  /// `value` when there is one.
  static func known(_ value: Value?) throws -> Value {
    guard let value else { throw Nothing() }
    return value
  }
}

/// A text of one line.
enum Line: Reading {
  static func read(from decoder: any Decoder) throws -> String {
    let line = PlainText.line(try String(from: decoder))
    return try known(line.isEmpty ? nil : line)
  }
}

/// A text with paragraphs.
enum Prose: Reading {
  static func read(from decoder: any Decoder) throws -> String {
    let prose = PlainText.prose(try String(from: decoder))
    return try known(prose.isEmpty ? nil : prose)
  }
}

/// A text with paragraphs that may be HTML.
enum HTML: Reading {
  static func read(from decoder: any Decoder) throws -> String {
    let text = PlainText.text(ofHTML: try String(from: decoder))
    return try known(text.isEmpty ? nil : text)
  }
}

/// A text of one line that may hold HTML: markup that stands out what was looked for, character references.
enum HTMLLine: Reading {
  static func read(from decoder: any Decoder) throws -> String {
    let line = PlainText.line(PlainText.text(ofHTML: try String(from: decoder)))
    return try known(line.isEmpty ? nil : line)
  }
}

/// A whole number, whether it was sent as `12`, `12.0` or `"12"`. One above a million millions counts nothing that we
/// read; without it nobody has to fear an overflow.
enum Whole: Reading {
  static func read(from decoder: any Decoder) throws -> Int {
    let number = try number(from: decoder)
    return try known(number.magnitude <= 1_000_000_000_000 ? number : nil)
  }

  private static func number(from decoder: any Decoder) throws -> Int {
    if let number = try? Int(from: decoder) { return number }
    if let number = try? Double(from: decoder) { return try known(Int(exactly: number)) }
    return try known(Int(try String(from: decoder)))
  }
}

/// A whole number above zero: a page count, a playing time.
enum Count: Reading {
  static func read(from decoder: any Decoder) throws -> Int {
    let number = try Whole.read(from: decoder)
    return try known(number > 0 ? number : nil)
  }
}

/// A number, whether it was sent as `12.5` or `"12.5"`.
enum Amount: Reading {
  static func read(from decoder: any Decoder) throws -> Double {
    let number = try (try? Double(from: decoder)) ?? known(Double(try String(from: decoder)))
    return try known(number.isFinite ? number : nil)
  }
}

enum Flag: Reading {
  static func read(from decoder: any Decoder) throws -> Bool { try Bool(from: decoder) }
}

/// An id, whether it was sent as a number or a text: digits, letters, `-` and `_`, so that it can stand in an address.
enum Identifier: Reading {
  static func read(from decoder: any Decoder) throws -> String {
    if let number = try? Int(from: decoder) { return try known(number > 0 ? String(number) : nil) }
    let text = try String(from: decoder)
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return try known(isPlain && !text.isEmpty && text.utf8.count <= 64 ? text : nil)
  }
}

/// The address of a page: HTTP or HTTPS, and nothing that would be anything else to a program that opens it.
enum Link: Reading {
  static func read(from decoder: any Decoder) throws -> String {
    try known(checked(try String(from: decoder)))
  }

  /// The text when it is such an address.
  static func checked(_ text: String) -> String? {
    let isAddress = text.hasPrefix("https://") || text.hasPrefix("http://")
    let isPlain = text.unicodeScalars.allSatisfy { $0 > " " && $0 != "\u{7F}" && $0 != "\"" && $0 != "<" && $0 != ">" }
    return isAddress && isPlain && text.utf8.count <= 4096 ? text : nil
  }
}

/// The address of something to fetch: old answers say `http:` where the host has long known better, and we ask no other
/// computer than this one without HTTPS.
enum Resource: Reading {
  static func read(from decoder: any Decoder) throws -> String {
    secured(try Link.read(from: decoder))
  }

  static func secured(_ link: String) -> String {
    Curl.isAllowed(link) ? link : "https://" + link.dropFirst("http://".count)
  }
}

/// A date of which perhaps only the year is known.
enum Day: Reading {
  static func read(from decoder: any Decoder) throws -> PartialDate {
    try known(PartialDate(lenient: try String(from: decoder)))
  }
}

/// A part with fields of its own.
enum Object<Value: Decodable>: Reading {
  static func read(from decoder: any Decoder) throws -> Value { try Value(from: decoder) }
}

/// A list; elements that do not have the form are left out.
enum List<Element: Reading>: Reading {
  static func read(from decoder: any Decoder) throws -> [Element.Value] {
    try [Lenient<Element>](from: decoder).compactMap(\.wrappedValue)
  }
}

/// The list that a page of results is: it must be there, and each element is read on its own.
struct Elements<Element: Decodable>: Decodable {
  /// Nil for an element that could not be read.
  let all: [Element?]

  init(from decoder: any Decoder) throws {
    all = try [Lenient<Object<Element>>](from: decoder).map(\.wrappedValue)
  }

  /// The page: what `candidate` makes of each element. One of which it makes nothing is counted as unreadable.
  func page(total: Int? = nil, hasMore: Bool, candidate: (Element) -> Candidate?) -> Page {
    let candidates = all.compactMap { $0.flatMap(candidate) }
    return Page(candidates: candidates, total: total, hasMore: hasMore, unreadable: all.count - candidates.count)
  }
}
