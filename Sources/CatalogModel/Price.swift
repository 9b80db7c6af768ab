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
    let symbol = Self.symbols[currency]
    if habits.isBehind { return "\(sign)\(number)\(Self.blank)\(symbol ?? currency)" }
    // Letters keep their distance.
    return sign + (symbol ?? currency) + (symbol == nil || habits.isApart ? Self.blank : "") + number
  }

  /// No line breaks there.
  private static let blank = "\u{A0}"

  private static let symbols = ["KRW": "₩", "USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"]

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
