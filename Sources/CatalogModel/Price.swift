/// An amount of money in the currency's smallest unit: 1250 USD is $12.50, 1250 KRW is ₩1,250.
public struct Price: Sendable, Hashable, Codable {
  public var minorUnits: Int
  /// ISO 4217 code.
  public var currency: String

  public init(minorUnits: Int, currency: String) {
    (self.minorUnits, self.currency) = (minorUnits, currency)
  }

  /// The currencies without a smaller unit (ISO 4217).
  public static let wholeCurrencies = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF",
    "XPF",
  ]
  /// The currencies with three decimals (ISO 4217).
  public static let fineCurrencies = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]

  /// The number of digits behind the point in this currency: 0 for won and yen, 3 for some dinars, else 2.
  public static func decimals(of currency: String) -> Int {
    wholeCurrencies.contains(currency) ? 0 : fineCurrencies.contains(currency) ? 3 : 2
  }

  /// The number of smallest units in one of this currency: 1, 100 or 1000.
  static func scale(of currency: String) -> Int { [1, 10, 100, 1000][decimals(of: currency)] }

  /// The amount in thousandths of what the currency counts in, by which amounts are compared.
  public var thousandths: Int {
    let (product, overflows) = minorUnits.multipliedReportingOverflow(by: 1_000 / Self.scale(of: currency))
    return overflows ? (minorUnits < 0 ? .min : .max) : product
  }

  /// An amount as sources send it, in whole units with decimals. Nil when it is negative (not sold) or out of range.
  public init?(amount: Double, currency: String) {
    guard amount.isFinite, amount >= 0, amount < 1e12, currency.utf8.count == 3 else { return nil }
    let code = currency.uppercased()
    self.init(minorUnits: Int(clamping: (amount * Double(Self.scale(of: code))).rounded()), currency: code)
  }
}

extension Price {
  /// The amount without its currency: `12.50`.
  public var amount: String { String(description.dropLast(currency.count + 1)) }
}

extension Price: CustomStringConvertible {
  /// `12.50 USD`, `14800 KRW`.
  public var description: String {
    let (decimals, scale) = (Self.decimals(of: currency), Self.scale(of: currency))
    guard decimals > 0 else { return "\(minorUnits) \(currency)" }
    let rest = String(minorUnits % scale)
    return "\(minorUnits / scale).\(String(repeating: "0", count: max(0, decimals - rest.count)))\(rest) \(currency)"
  }
}

// MARK: As people write it

extension Price {
  /// The amount in the format of a language: `₩14,000`, `$12.50`, `CHF 12.50`; in German `12,50 €`.
  /// - Parameter language: ISO 639-1. An unknown language is treated as English.
  public func text(in language: String) -> String {
    let habits = Habits(language: language)
    let sign = minorUnits < 0 ? "-" : ""
    let decimals = Self.decimals(of: currency)
    let scale = UInt(Self.scale(of: currency))
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

  /// The format of amounts in a language, from <https://cldr.unicode.org>.
  private struct Habits {
    var point = "."
    var separator = ","
    /// The minimum number of digits for grouping.
    var leastGrouped = 4
    /// Whether the currency comes after the number.
    var isBehind = false
    /// Whether a space separates a symbol from the number after it.
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
  /// The problem with a text that is not a price, in the user's words.
  public struct Problem: MessageError, Equatable {
    public let message: Message
    /// Whether only the currency is missing.
    public let lacksCurrency: Bool
  }

  /// Parses `25000 KRW`, `KRW 25000`, `25000krw`, `₩25,000`, `25,000원`, `2만5천원`, `12.50 EUR`, `12,50 €` or
  /// `1.234,50 €`.
  ///
  /// The last point or comma separates the decimals, if no more digits follow than the currency has; all others group
  /// the digits by three.
  /// - Parameter currency: the currency of an amount without one, ISO 4217.
  /// - Throws: ``Problem`` for an invalid amount, a missing currency, or more decimals than the currency has.
  public init(typed text: String, currency fallback: String? = nil) throws(Problem) {
    func problem(_ message: Message) -> Problem { Problem(message: message, lacksCurrency: false) }
    let typed = text.filter { !$0.isWhitespace }
    let name = typed.filter { !Self.isAmount($0) && !Self.multiples.keys.contains($0) }
    let number = typed.drop { name.contains($0) }.prefix { !name.contains($0) }
    guard !number.isEmpty, typed.count == name.count + number.count,
      name.allSatisfy({ $0.isLetter || Self.currency(named: String($0)) != nil })
    else { throw problem("'\(text)' is not a price: write 25000 KRW or 12.50 EUR") }
    let code = name.isEmpty ? fallback : Self.currency(named: name) ?? name.uppercased()
    guard let amount = Self.amount(number, in: code) else {
      throw problem("'\(text)' is not a price: write 25000 KRW or 12.50 EUR")
    }
    guard let code else {
      throw Problem(message: "'\(text)' has no currency: write 25000 KRW or 12.50 EUR", lacksCurrency: true)
    }
    guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else {
      throw problem("'\(name)' is not a currency: write three letters such as KRW or EUR")
    }
    guard Self.decimals(of: code) > 0 || amount.fraction == 0 else {
      throw problem("'\(text)' has too many decimals for \(code)")
    }
    self.init(minorUnits: amount.units * Self.scale(of: code) + amount.fraction, currency: code)
  }

  private static func isAmount(_ character: Character) -> Bool {
    character == "." || character == "," || character.isASCII && character.isNumber
  }

  /// The currency that a sign or a word means; nil for a code of three letters and anything else.
  private static func currency(named name: String) -> String? {
    symbols.first { $0.symbol == name }?.currency ?? words[name]
  }

  private static let words = ["원": "KRW", "￦": "KRW", "円": "JPY", "엔": "JPY", "￥": "JPY", "유로": "EUR", "달러": "USD"]

  /// The Korean and Japanese multipliers of the number before them.
  private static let multiples: [Character: Int] = ["만": 10_000, "万": 10_000, "천": 1_000, "千": 1_000, "백": 100]

  /// Parses `1,234.50` as 1234 and 50, the fraction in the smallest unit of the currency; `2만5천` as 25000.
  private static func amount(_ text: Substring, in currency: String?) -> (units: Int, fraction: Int)? {
    if text.contains(where: { multiples.keys.contains($0) }) { return spoken(text).map { ($0, 0) } }
    // Two decimals are read for any currency, so that the error can name them.
    let decimals = max(2, currency.map(decimals(of:)) ?? 2)
    var (whole, fraction) = (text, 0)
    if let mark = text.lastIndex(where: { $0 == "." || $0 == "," }) {
      let rest = text[text.index(after: mark)...]
      let isGroup = decimals == 3 && text[..<mark].contains(text[mark])
      if rest.count <= decimals, !isGroup {
        guard let number = Int(rest) else { return nil }
        (whole, fraction) = (text[..<mark], number * [1, 10, 100, 1000][decimals - rest.count])
      }
    }
    let groups = whole.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard let first = groups.first, !first.isEmpty, groups.dropFirst().allSatisfy({ $0.count == 3 }),
      groups.count == 1 || first.count <= 3, Set(whole.filter { !$0.isNumber }).count <= 1
    else { return nil }
    let digits = groups.joined()
    guard digits.utf8.count <= 12, let units = Int(digits) else { return nil }
    return (units, fraction)
  }

  /// `1만2천` as 12000: numbers before ever smaller multiples, and one behind the last.
  private static func spoken(_ text: Substring) -> Int? {
    var (sum, last, digits) = (0, Int.max, "")
    for character in text {
      guard let multiple = multiples[character] else {
        digits.append(character)
        continue
      }
      guard multiple < last, digits.utf8.count <= 8, let number = digits.isEmpty ? 1 : Int(digits) else { return nil }
      (sum, last, digits) = (sum + number * multiple, multiple, "")
    }
    guard digits.isEmpty || digits.utf8.count <= 4 else { return nil }
    return digits.isEmpty ? sum : Int(digits).map { sum + $0 }
  }
}
