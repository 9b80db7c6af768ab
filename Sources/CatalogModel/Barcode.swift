/// The number under the bars of a record or book: EAN-13, UPC-A or EAN-8, digits only.
///
/// GS1 General Specifications 3.3: a shorter number is a longer one with zeros before it. A UPC and its EAN are equal.
public struct Barcode: Sendable, Hashable, CustomStringConvertible {
  /// The digits as they were typed.
  public let digits: String

  public struct Problem: MessageError, Equatable {
    public let message: Message
  }

  /// Reads 8, 12, 13 or 14 digits as ``TypedCode`` finds them, with any hyphens or blanks between them.
  ///
  /// - Throws: ``Problem`` for anything else, or when the check digit (GS1 General Specifications 7.9) is wrong.
  public init(_ text: String) throws(Problem) {
    let typed = Array(TypedCode(text).digits.utf8)
    let values = typed.map { Int($0) - 48 }
    guard values.allSatisfy({ (0...9).contains($0) }), Self.lengths.contains(values.count), let last = values.last
    else { throw Problem(message: "'\(text)' is not a barcode: a barcode has 8, 12, 13 or 14 digits") }
    guard Self.check(values.dropLast()) == last else {
      throw Problem(message: "'\(text)' has a wrong check digit: one of its digits was mistyped")
    }
    digits = String(decoding: typed, as: UTF8.self)
  }

  /// The GS1 check digit behind these digits, which count three times and once by turns, from the last back.
  static func check(_ digits: ArraySlice<Int>) -> Int {
    let sum = digits.reversed().enumerated().reduce(0) { $0 + $1.element * ($1.offset.isMultiple(of: 2) ? 3 : 1) }
    return (10 - sum % 10) % 10
  }

  public var description: String { digits }

  /// The number without the zeros before it, by which two barcodes are compared.
  public var canonical: String { Self.canonical(of: digits) }

  /// The number of a text without the zeros before it; empty for a text without a digit above 0.
  public static func canonical(of text: String) -> String {
    let digits = text.utf8.allSatisfy(\.isASCIIDigit) ? text : TypedCode(text).digits
    return String(decoding: digits.utf8.filter(\.isASCIIDigit).drop { $0 == UInt8(ascii: "0") }, as: UTF8.self)
  }

  /// The ways to write the same number, the text itself first.
  public static func forms(of text: String) -> [String] {
    let number = canonical(of: text)
    guard !number.isEmpty else { return [text] }
    return ([text, number] + lengths.compactMap { padded(number, to: $0) }).reduce(into: []) { forms, form in
      if !forms.contains(form) { forms.append(form) }
    }
  }

  /// The ways in which it is printed under bars, the typed one first: a UPC and its EAN.
  public var printed: [String] {
    guard digits.utf8.count > 8 else { return [digits] }
    let forms = [12, 13].compactMap(padded)
    return forms.isEmpty ? [digits] : digits.utf8.count == 13 ? forms.reversed() : forms
  }

  /// The same number with so many digits; nil when it has more.
  public func padded(to length: Int) -> String? { Self.padded(canonical, to: length) }

  private static let lengths = [8, 12, 13, 14]

  /// The number with zeros before it; nil when it is longer.
  private static func padded(_ number: String, to length: Int) -> String? {
    let missing = length - number.utf8.count
    return missing < 0 ? nil : String(repeating: "0", count: missing) + number
  }

  public static func == (one: Barcode, other: Barcode) -> Bool { one.canonical == other.canonical }

  public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}
