/// An amount of money in the currency's smallest unit: 1250 USD is $12.50, 1250 KRW is ₩1,250.
public struct Price: Sendable, Hashable, Codable {
  public var minorUnits: Int
  /// ISO 4217 code.
  public var currency: String

  public init(minorUnits: Int, currency: String) {
    (self.minorUnits, self.currency) = (minorUnits, currency)
  }

  /// The currencies without a smaller unit (ISO 4217).
  public static let wholeCurrencies = ["KRW", "JPY", "VND", "CLP", "ISK", "XAF", "XOF", "PYG", "UGX"]

  /// How many digits stand behind the point in this currency: 0 for won and yen, else 2.
  public static func decimals(of currency: String) -> Int { wholeCurrencies.contains(currency) ? 0 : 2 }

  /// An amount as sources send it, in whole units with decimals. Nil when it is negative (not sold) or out of range.
  public init?(amount: Double, currency: String) {
    guard amount.isFinite, amount >= 0, amount < 1e12, currency.utf8.count == 3 else { return nil }
    let scale = Self.decimals(of: currency) == 0 ? 1.0 : 100.0
    self.init(minorUnits: Int((amount * scale).rounded()), currency: currency.uppercased())
  }
}

extension Price: CustomStringConvertible {
  /// `12.50 USD`, `14800 KRW`.
  public var description: String {
    guard Self.decimals(of: currency) > 0 else { return "\(minorUnits) \(currency)" }
    let cents = minorUnits % 100
    return "\(minorUnits / 100).\(cents < 10 ? "0" : "")\(cents) \(currency)"
  }
}

// MARK: As people write it

extension Price {
  /// The amount as people write it whose language this is: `₩14,000`, `$12.50`, `CHF 12.50`; in German `12,50 €`.
  /// - Parameter language: ISO 639-1. One that is not known here is written as English.
  public func text(in language: String) -> String {
    let habits = Habits(language: language)
    let sign = minorUnits < 0 ? "-" : ""
    let decimals = Self.decimals(of: currency)
    let scale: UInt = decimals == 0 ? 1 : 100
    var number = habits.grouped(minorUnits.magnitude / scale)
    if decimals > 0 {
      let rest = String(minorUnits.magnitude % scale)
      number += habits.point + String(repeating: "0", count: decimals - rest.count) + rest
    }
    let symbol = Self.symbols.first { $0.currency == currency }?.symbol
    if habits.isBehind { return "\(sign)\(number)\(Self.blank)\(symbol ?? currency)" }
    // Letters keep their distance.
    return sign + (symbol ?? currency) + (symbol == nil || habits.isApart ? Self.blank : "") + number
  }

  /// No line breaks there.
  private static let blank = "\u{A0}"

  private static let symbols: [(currency: String, symbol: String)] = [
    ("KRW", "₩"), ("USD", "$"), ("EUR", "€"), ("GBP", "£"), ("JPY", "¥"),
  ]

  /// How amounts are written in a language, by <https://cldr.unicode.org>.
  private struct Habits {
    var point = "."
    var separator = ","
    /// How many digits a number has at least before they are grouped.
    var leastGrouped = 4
    /// Whether the currency stands behind the number.
    var isBehind = false
    /// Whether a blank parts a symbol from the number behind it.
    var isApart = false

    init(language: String) {
      switch language {
      case "de", "it": (point, separator, isBehind) = (",", ".", true)
      case "es": (point, separator, isBehind, leastGrouped) = (",", ".", true, 5)
      case "fr": (point, separator, isBehind) = (",", "\u{202F}", true)
      case "nl": (point, separator, isApart) = (",", ".", true)
      default: break
      }
    }

    func grouped(_ number: UInt) -> String {
      let digits = Array(String(number))
      guard digits.count >= leastGrouped else { return String(digits) }
      return digits.enumerated().reduce(into: "") { text, digit in
        if digit.offset > 0, (digits.count - digit.offset).isMultiple(of: 3) { text += separator }
        text.append(digit.element)
      }
    }
  }
}

// MARK: As people type it

extension Price {
  /// What a text that is no price got wrong, in the user's words.
  public struct Problem: WordedError, Equatable {
    public let words: Wording
    /// Whether nothing but the currency is missing.
    public let lacksCurrency: Bool
  }

  /// Reads `25000 KRW`, `KRW 25000`, `25000krw`, `₩25,000`, `12.50 EUR`, `12,50 €` or `1.234,50 €`.
  ///
  /// The last point or comma with one or two digits behind it parts the cents; all others group the digits by three.
  /// - Parameter currency: what an amount without one is in, ISO 4217.
  /// - Throws: ``Problem`` for what is no amount, has no currency, or has decimals that its currency does not know.
  public init(typed text: String, currency fallback: String? = nil) throws(Problem) {
    func problem(_ words: Wording) -> Problem { Problem(words: words, lacksCurrency: false) }
    let typed = text.filter { !$0.isWhitespace }
    let letters = typed.filter { character in
      character.isLetter || Self.symbols.contains { $0.symbol == String(character) }
    }
    let number = typed.drop { !Self.isAmount($0) }.prefix(while: Self.isAmount)
    guard !number.isEmpty, typed.count == letters.count + number.count, let (units, cents) = Self.amount(number) else {
      throw problem("'\(text)' is no price: write 25000 KRW or 12.50 EUR")
    }
    let code =
      letters.isEmpty ? fallback : Self.symbols.first { $0.symbol == letters }?.currency ?? letters.uppercased()
    guard let code else {
      throw Problem(words: "'\(text)' has no currency: write 25000 KRW or 12.50 EUR", lacksCurrency: true)
    }
    guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else {
      throw problem("'\(letters)' is no currency: write its three letters, KRW or EUR")
    }
    guard Self.decimals(of: code) > 0 else {
      guard cents == 0 else { throw problem("'\(text)' is too fine: \(code) has no smaller unit") }
      self.init(minorUnits: units, currency: code)
      return
    }
    self.init(minorUnits: units * 100 + cents, currency: code)
  }

  private static func isAmount(_ character: Character) -> Bool {
    character == "." || character == "," || character.isASCII && character.isNumber
  }

  /// `1,234.50` as 1234 and 50.
  private static func amount(_ text: Substring) -> (units: Int, cents: Int)? {
    var (whole, cents) = (text, 0)
    if let mark = text.lastIndex(where: { $0 == "." || $0 == "," }) {
      let rest = text[text.index(after: mark)...]
      if rest.count <= 2 {
        guard let number = Int(rest) else { return nil }
        (whole, cents) = (text[..<mark], rest.count == 1 ? number * 10 : number)
      }
    }
    let groups = whole.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard let first = groups.first, !first.isEmpty, groups.dropFirst().allSatisfy({ $0.count == 3 }),
      groups.count == 1 || first.count <= 3, Set(whole.filter { !$0.isNumber }).count <= 1
    else { return nil }
    let digits = groups.joined()
    guard digits.utf8.count <= 12, let units = Int(digits) else { return nil }
    return (units, cents)
  }
}
