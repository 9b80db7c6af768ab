/// An amount of money as people write it, perhaps without its currency: `25000 KRW`, `₩25,000`, `1만2,500원`,
/// `12.50 EUR`, `12,– €`, `1.234,50 €`, `1'234.50 CHF`, `NT$ 300`, `12 dollars`.
///
/// One mark before three digits groups them, except behind a lone 0; else the last mark begins the decimals.
public struct MoneyText: Sendable {
  private let text: String
  /// The digits with their marks.
  private let number: [Character]
  /// ISO 4217; nil if the text does not say it.
  public let currency: String?

  /// - Throws: ``Price/Problem`` for a text with another sign or word.
  public init(_ text: String) throws(Price.Problem) {
    self.text = text
    // Between digits a blank groups; elsewhere it means nothing.
    var typed: [Character] = []
    var isBehindBlank = false
    for character in text {
      if !character.isWhitespace {
        if isBehindBlank, character.isASCIIDigit, typed.last?.isASCIIDigit ?? false { typed.append(" ") }
        typed.append(character)
      }
      isBehindBlank = character.isWhitespace
    }
    func isOfNumber(_ character: Character) -> Bool { character.isASCIIDigit || Self.multiple(character) != nil }
    guard let start = typed.firstIndex(where: isOfNumber), let end = typed.lastIndex(where: isOfNumber) else {
      throw Self.invalid(text)
    }
    number = Array(typed[start...end])
    var behind = String(typed[(end + 1)...])
    // `12,–`: no cents.
    for dash in [",–", ",-", ",—", ".–", ".-", ".—", ",−"] where behind.hasPrefix(dash) {
      behind.removeFirst(dash.count)
      break
    }
    var codes: Set<String> = []
    for name in [String(typed[..<start]), behind] where !name.isEmpty {
      codes.insert(try Self.currency(named: name, in: text))
    }
    guard codes.count < 2 else { throw Price.Problem("'\(text)' is in two currencies") }
    currency = codes.first
  }

  private static func invalid(_ text: String) -> Price.Problem {
    Price.Problem("'\(text)' is not a price: write 25000 KRW or 12.50 EUR")
  }

  private static func currency(named name: String, in text: String) throws(Price.Problem) -> String {
    switch ValueWords.value(name, of: .currency) {
    case "?"?:
      throw Price.Problem("'\(name)' is the currency of several countries: write three letters such as SEK or NOK")
    case let code?: return code
    case nil:
      let code = name.uppercased()
      if code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) { return code }
      guard !name.isEmpty, name.allSatisfy(\.isLetter) else { throw invalid(text) }
      throw Price.Problem("'\(name)' is not a currency: write three letters such as KRW or EUR")
    }
  }

  private static func multiple(_ character: Character) -> Int? {
    character.isASCII ? nil : ValueWords.value(String(character), of: .multiple).flatMap { Int($0) }
  }

  /// The price in its currency, or in the given one.
  /// - Throws: ``Price/Problem`` for an invalid amount, a missing currency, or more decimals than the currency has.
  public func price(in fallback: String? = nil) throws(Price.Problem) -> Price {
    let code = currency ?? fallback
    guard let amount = amount(in: code), amount.units < 1_000_000_000_000 else { throw Self.invalid(text) }
    guard let code else {
      throw Price.Problem("'\(text)' has no currency: write 25000 KRW or 12.50 EUR", lacksCurrency: true)
    }
    let decimals = Price.decimals(of: code)
    guard let cents = amount.decimals(decimals) else {
      throw Price.Problem("'\(text)' has too many decimals for \(code)")
    }
    return Price(minorUnits: amount.units * Price.scale(of: code) + cents, currency: code)
  }

  /// The amount in thousandths, also without a currency. A fourth decimal is 0: it groups nothing.
  public var thousandths: Int? {
    guard let amount = amount(in: currency), amount.fraction.utf8.count != 3 || decimals == 3,
      let rest = amount.decimals(4), rest.isMultiple(of: 10)
    else { return nil }
    return amount.units * 1_000 + rest / 10
  }

  private var decimals: Int? { currency.map(Price.decimals(of:)) }

  // MARK: Numbers

  private struct Amount {
    var units: Int
    var fraction = ""

    /// The fraction as a number of so many digits; nil if it has more.
    func decimals(_ count: Int) -> Int? {
      let digits = fraction.utf8.count
      guard digits > count else { return Int(fraction + String(repeating: "0", count: count - digits)) ?? 0 }
      return fraction.allSatisfy { $0 == "0" } ? 0 : nil
    }
  }

  /// The number, with its multiples: `1만2,500`, `1.5만`.
  private func amount(in currency: String?) -> Amount? {
    var (sum, last, digits): (Int, Int, [Character]) = (0, .max, [])
    for character in number {
      guard let multiple = Self.multiple(character) else {
        digits.append(character)
        continue
      }
      guard multiple < last, digits.count <= 8, let part = digits.isEmpty ? Amount(units: 1) : plain(digits, nil),
        let scale = [1, 10, 100].dropFirst(part.fraction.utf8.count).first, multiple.isMultiple(of: scale)
      else { return nil }
      sum += part.units * multiple + (part.decimals(part.fraction.utf8.count) ?? 0) * (multiple / scale)
      (last, digits) = (multiple, [])
    }
    if last == .max { return plain(digits, currency) }
    guard !digits.isEmpty else { return Amount(units: sum) }
    guard let rest = plain(digits, nil), rest.fraction.isEmpty, rest.units < last else { return nil }
    return Amount(units: sum + rest.units)
  }

  private func plain(_ text: [Character], _ currency: String?) -> Amount? {
    var text = text[...]
    var fraction = ""
    if let mark = text.lastIndex(where: { $0 == "." || $0 == "," }) {
      let (rest, before) = (text[(mark + 1)...], text[..<mark])
      let isOneOfKind = !before.contains(text[mark])
      // Three digits are decimals where the currency has them, behind a lone 0, and behind groups of another mark.
      let isDecimal =
        rest.count != 3 || currency.map { Price.decimals(of: $0) == 3 } ?? false || before.allSatisfy { $0 == "0" }
        || before.contains { !$0.isASCIIDigit }
      if isOneOfKind, isDecimal {
        guard !rest.isEmpty, rest.allSatisfy(\.isASCIIDigit) else { return nil }
        (text, fraction) = (before, String(rest))
      }
    }
    let groups = text.split(omittingEmptySubsequences: false) { !$0.isASCIIDigit }
    guard let first = groups.first, !first.isEmpty, groups.dropFirst().allSatisfy({ $0.count == 3 }),
      groups.count == 1 || first.count <= 3, Set(text.filter { !$0.isASCIIDigit }).count <= 1,
      text.allSatisfy({ $0.isASCIIDigit || ".,'’ ".contains($0) }), fraction.utf8.count <= 9
    else { return nil }
    let digits = String(groups.joined())
    guard digits.utf8.count <= 13, let units = Int(digits) else { return nil }
    return Amount(units: units, fraction: fraction)
  }
}

extension Price {
  /// The problem with a text that is not a price, in the user's words.
  public struct Problem: MessageError, Equatable {
    public let message: Message
    public let lacksCurrency: Bool

    init(_ message: Message, lacksCurrency: Bool = false) {
      (self.message, self.lacksCurrency) = (message, lacksCurrency)
    }
  }

  /// Parses an amount as ``MoneyText`` does.
  /// - Parameter currency: the currency of an amount without one, ISO 4217.
  /// - Throws: ``Problem`` for an invalid amount, a missing currency, or more decimals than the currency has.
  public init(typed text: String, currency fallback: String? = nil) throws(Problem) {
    self = try MoneyText(text).price(in: fallback)
  }
}
