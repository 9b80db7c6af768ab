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

  static let symbols: [(currency: String, symbol: String)] = [
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
