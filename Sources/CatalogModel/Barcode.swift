/// The number under the bars of a record or book: EAN-13, UPC-A or EAN-8, digits only.
public struct Barcode: Sendable, Hashable, CustomStringConvertible {
  public let digits: String

  public struct Problem: WordedError, Equatable {
    public let words: Wording
  }

  /// Reads 8, 12, 13 or 14 digits, with hyphens or blanks between them.
  ///
  /// - Throws: ``Problem`` for anything else, or when the check digit (GS1 General Specifications 7.9) is wrong.
  public init(_ text: String) throws(Problem) {
    let typed = text.utf8.filter { $0 != 0x20 && $0 != 0x2D }
    let values = typed.map { Int($0) - 48 }
    guard values.allSatisfy({ (0...9).contains($0) }), [8, 12, 13, 14].contains(values.count), let last = values.last
    else { throw Problem(words: "'\(text)' is no barcode: it has 8, 12, 13 or 14 digits") }
    let sum = values.dropLast().reversed().enumerated().reduce(0) {
      $0 + $1.element * ($1.offset.isMultiple(of: 2) ? 3 : 1)
    }
    guard (10 - sum % 10) % 10 == last else {
      throw Problem(words: "'\(text)' has a wrong check digit: one of its digits was mistyped")
    }
    digits = String(decoding: typed, as: UTF8.self)
  }

  public var description: String { digits }

  /// The ways to write the same number: a UPC is an EAN without its leading zero.
  public static func forms(of digits: String) -> [String] {
    [digits, digits.hasPrefix("0") ? String(digits.dropFirst()) : "0" + digits]
  }
}
