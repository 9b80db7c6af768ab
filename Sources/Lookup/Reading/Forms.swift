import CatalogModel

/// An optional field of an answer, read with some forgiveness: one that is missing, null, empty or of the wrong type is
/// unknown, and takes nothing else with it.
///
///     @Lenient<Line> var artistName: String?
///     @Lenient<List<Line>> var genres: [String]?
@propertyWrapper
struct Lenient<Form: Reading>: Decodable, Sendable {
  var wrappedValue: Form.Value?

  init(wrappedValue: Form.Value? = nil) { self.wrappedValue = wrappedValue }
  init(from decoder: any Decoder) { wrappedValue = Form.read(decoder.json) }
}

extension KeyedDecodingContainer {
  /// Decodes a missing key as an unknown field: synthesized decoding prefers this to the general `decode`.
  func decode<Form>(_ type: Lenient<Form>.Type, forKey key: Key) throws -> Lenient<Form> {
    Lenient(from: try superDecoder(forKey: key))
  }
}

extension Decoder {
  /// The decoded value. Only our own decoder reads answers.
  fileprivate var json: JSON { (self as? JSONDecoding)?.json ?? .null }
}

/// The form that a value has in an answer.
protocol Reading {
  associatedtype Value: Sendable
  /// Nil when the value does not have this form, or is empty.
  static func read(_ json: JSON) -> Value?
}

/// A text of one line.
enum Line: Reading {
  static func read(_ json: JSON) -> String? { json.text.map(PlainText.line)?.orNilWhenEmpty }
}

/// A text with paragraphs.
enum Prose: Reading {
  static func read(_ json: JSON) -> String? { json.text.map(PlainText.prose)?.orNilWhenEmpty }
}

/// A text with paragraphs that may be HTML.
enum HTML: Reading {
  static func read(_ json: JSON) -> String? { json.text.map(PlainText.text(ofHTML:))?.orNilWhenEmpty }
}

extension String {
  fileprivate var orNilWhenEmpty: String? { isEmpty ? nil : self }
}

/// A text with paragraphs that is Markdown.
enum Markdown: Reading {
  static func read(_ json: JSON) -> String? { json.text.map(PlainText.text(ofMarkdown:))?.orNilWhenEmpty }
}

/// A line of text that may contain HTML: highlighting of search terms, character references.
enum HTMLLine: Reading {
  static func read(_ json: JSON) -> String? { HTML.read(json).map(PlainText.line)?.orNilWhenEmpty }
}

/// A whole number, sent as `12`, `12.0` or `"12"`. Its magnitude is at most 10¹², more than any count we read, so that
/// sums and products do not overflow.
enum Whole: Reading {
  static func read(_ json: JSON) -> Int? {
    guard let number = number(json), number.magnitude <= 1_000_000_000_000 else { return nil }
    return number
  }

  private static func number(_ json: JSON) -> Int? {
    switch json {
    case .integer(let number): Int(exactly: number)
    case .real(let number): Int(exactly: number)
    case .text(let digits): Int(digits)
    default: nil
    }
  }
}

/// A whole number above zero: a page count, a playing time.
enum Count: Reading {
  static func read(_ json: JSON) -> Int? { Whole.read(json).flatMap { $0 > 0 ? $0 : nil } }
}

/// A number, whether it was sent as `12.5` or `"12.5"`.
enum Amount: Reading {
  static func read(_ json: JSON) -> Double? { number(json).flatMap { $0.isFinite ? $0 : nil } }

  private static func number(_ json: JSON) -> Double? {
    switch json {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .text(let digits): Double(digits)
    default: nil
    }
  }
}

enum Flag: Reading {
  static func read(_ json: JSON) -> Bool? {
    guard case .flag(let flag) = json else { return nil }
    return flag
  }
}

/// An id, sent as a number or a text: digits, letters, `-` and `_`, so that it is safe in an address.
enum Identifier: Reading {
  static func read(_ json: JSON) -> String? {
    switch json {
    case .integer(let number): return number > 0 ? String(number) : nil
    case .real(let number): return Int64(exactly: number).flatMap { read(.integer($0)) }
    case .text(let text):
      return text != "0" && (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(isPlain) ? text : nil
    default: return nil
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

/// The address of a page: HTTP or HTTPS, and nothing that would be anything else to a program that opens it.
enum Link: Reading {
  static func read(_ json: JSON) -> String? { json.text.flatMap(checked) }

  /// The text when it is such an address.
  static func checked(_ text: String) -> String? {
    guard text.hasPrefix("https://") || text.hasPrefix("http://"), text.utf8.count <= 4096,
      text.utf8.allSatisfy(isPlain)
    else { return nil }
    return text
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): false
    default: true
    }
  }
}

/// The address of something to fetch: old answers say `http:` where the host has long known better, and we ask no other
/// computer than this one without HTTPS.
enum Resource: Reading {
  static func read(_ json: JSON) -> String? { Link.read(json).map(secured) }

  static func secured(_ link: String) -> String {
    link.hasPrefix("https://") || Request.isAllowed(link) ? link : "https://" + link.dropFirst("http://".count)
  }
}

/// A date, possibly only a year. An impossible year of publication (`9999-12-31`) is rejected.
enum Day: Reading {
  static func read(_ json: JSON) -> PartialDate? {
    json.text.flatMap { PartialDate(lenient: $0) }.flatMap { ReleaseYear.range.contains($0.year) ? $0 : nil }
  }
}

/// A part with fields of its own.
enum Object<Value: Decodable & Sendable>: Reading {
  static func read(_ json: JSON) -> Value? { try? Value(from: JSONDecoding(json: json)) }
}

/// More fields of the same object, which only some of its kind have: they are read when they are asked for.
struct Further<Value: Decodable & Sendable>: Decodable, Sendable {
  private let json: JSON

  init(from decoder: any Decoder) { json = decoder.json }

  var value: Value? { Object<Value>.read(json) }
}

extension KeyedDecodingContainer {
  /// Decodes the fields of the enclosing object rather than of a member.
  func decode<Value>(_ type: Further<Value>.Type, forKey key: Key) throws -> Further<Value> {
    Further(from: try superDecoder())
  }
}

/// A list; elements that do not have the form are left out.
enum List<Element: Reading>: Reading {
  static func read(_ json: JSON) -> [Element.Value]? {
    guard case .list(let elements) = json else { return nil }
    return elements.compactMap { Element.read($0) }
  }
}

/// An object with arbitrary keys. Values that do not have the form are left out. Keys with `-` or `_` are in camel
/// case: `zh-hans` is `zhHans`.
enum Map<Element: Reading>: Reading {
  static func read(_ json: JSON) -> [String: Element.Value]? {
    guard case .object(let object) = json else { return nil }
    return object.members.reduce(into: [:]) { $0[$1.key] = Element.read($1.value) }
  }
}

/// The list that a page of results is: it must be there, and each element is read on its own.
struct Elements<Element: Decodable & Sendable>: Decodable, Sendable {
  /// Nil for an element that could not be read.
  let all: [Element?]

  /// Ten times as many as anyone asks for, since each takes a kilobyte as soon as it is read.
  private static var most: Int { 2_000 }

  init(from decoder: any Decoder) throws {
    guard case .list(let elements) = decoder.json, elements.count <= Self.most else { throw SourceError.anotherShape }
    all = elements.map { Object<Element>.read($0) }
  }

  private init(all: [Element?]) { self.all = all }

  /// Those behind the first `count`.
  func dropFirst(_ count: Int) -> Elements { Elements(all: Array(all.dropFirst(count))) }

  /// Those that could not be read, and those of the others that are looked for.
  func filter(_ isWanted: (Element) -> Bool) -> Elements {
    Elements(all: all.filter { $0.map(isWanted) ?? true })
  }

  /// The page of candidates made from the elements. An element without a candidate counts as unreadable.
  func page(total: Int? = nil, hasMore: Bool, candidate: (Element) -> Candidate?) -> Page {
    let candidates = all.compactMap { $0.flatMap(candidate) }
    // A negative total is ignored.
    let total = total.flatMap { $0 < 0 ? nil : $0 }
    return Page(candidates: candidates, total: total, hasMore: hasMore, unreadable: all.count - candidates.count)
  }
}
