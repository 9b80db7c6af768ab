internal import CatalogModel
internal import CommandLineKit

/// The two letters of a country (ISO 3166-1 alpha-2), as a person types them.
struct CountryCode: ArgumentValue, Hashable {
  /// In upper case.
  var letters: String

  init(argument word: String) throws {
    letters = (Country.code(named: word) ?? word).uppercased()
    try Self.check(Country.code(named: word) ?? word)
  }

  static func check(_ word: String) throws(UsageError) {
    let isLetter = { (byte: UInt8) in (97...122).contains(byte | 0x20) }
    guard word.utf8.count == 2, word.utf8.allSatisfy(isLetter), Country.shortName(word.uppercased()) != nil else {
      throw UsageError("invalid country \(word.quoted): give two letters such as KR")
    }
  }

  static var valueName: String? { "COUNTRY" }
}
