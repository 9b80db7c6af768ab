/// An International Standard Book Number, kept as its 13 digits.
///
/// <https://www.isbn-international.org/content/isbn-users-manual>: the last digit is a check; a 10-digit number is the
/// 13-digit one that starts with 978, with a check of its own.
public struct ISBN: Sendable, Hashable, Codable, CustomStringConvertible {
  /// 13 digits that start with 978 or 979.
  public let digits13: String

  /// The problem with a text that is not an ISBN, in the user's words.
  public struct Problem: MessageError, Equatable {
    public let message: Message
  }

  /// Parses 10 or 13 digits as ``TypedCode`` finds them: with any hyphens or spaces between them, and optionally with
  /// `ISBN-13:` before or `(pbk.)` after them. The five digits of a second bar code are left out.
  ///
  /// - Throws: ``Problem`` for another number of digits or a wrong check digit.
  public init(_ text: String) throws(Problem) {
    var characters = Array(TypedCode(text).digits.utf8)
    if characters.count == 18, characters.starts(with: "97".utf8) { characters.removeLast(5) }
    let values = characters.map { $0 == UInt8(ascii: "X") ? 10 : Int($0) - 48 }
    let isShape =
      values.dropLast().allSatisfy { (0...9).contains($0) } && values.last.map { (0...10).contains($0) } ?? false
    guard isShape, values.count == 10 || values.count == 13 && values.last != 10 else {
      throw Problem(message: "'\(text)' is not an ISBN: an ISBN has 10 or 13 digits")
    }
    if values.count == 13 {
      guard values.starts(with: [9, 7, 8]) || values.starts(with: [9, 7, 9]) else {
        throw Problem(message: "'\(text)' is not an ISBN: an ISBN of 13 digits starts with 978 or 979")
      }
      guard Barcode.check(values.dropLast()) == values[12] else {
        throw Problem(message: "ISBN '\(text)' has a wrong check digit: one of its digits was mistyped")
      }
      digits13 = String(decoding: characters, as: UTF8.self)
    } else {
      guard Self.check10(values.dropLast()) == values[9] else {
        throw Problem(message: "ISBN '\(text)' has a wrong check digit: one of its digits was mistyped")
      }
      let body = [9, 7, 8] + values.dropLast()
      digits13 = (body + [Barcode.check(body[...])]).map(String.init).joined()
    }
  }

  /// The first of some texts that is one.
  public static func first(of texts: [String]) -> ISBN? { texts.lazy.compactMap { try? ISBN($0) }.first }

  /// The 10-digit form, which numbers that start with 979 do not have.
  public var digits10: String? {
    guard digits13.hasPrefix("978") else { return nil }
    let body = digits13.dropFirst(3).dropLast()
    let check = Self.check10(body.utf8.map { Int($0) - 48 }[...])
    return body + (check == 10 ? "X" : String(check))
  }

  public var description: String { digits13 }

  private static func check10(_ digits: ArraySlice<Int>) -> Int {
    let sum = digits.enumerated().reduce(0) { $0 + $1.element * (10 - $1.offset) }
    return (11 - sum % 11) % 11
  }
}
