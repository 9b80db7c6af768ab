/// A rating as a person gave it: a value of 0 … 100 with the scale on which it was typed.
///
/// Every scale's steps are whole hundredths, so nothing is rounded on the way in or out: `4.5` stars are 90, and print
/// as `4.5` stars again; `9/10` is also 90, and prints as `9/10`.
public struct Rating: Sendable, Hashable, CustomStringConvertible {
  /// The scale of a rating, as typed and printed.
  public enum Scale: String, CaseIterable, Sendable {
    /// 0.5 … 5 stars in halves.
    case half
    /// 0.25 … 5 stars in quarters.
    case quarter
    /// 0 … 10, with at most one decimal.
    case ten
    /// 0 … 100 percent.
    case percent
  }

  /// From the worst to the best.
  public static let range = 0...100

  /// 0 (worst) … 100 (best).
  public let value: Int
  public let scale: Scale

  /// Nil unless `value` is a step of `scale` between 0 and 100.
  public init?(value: Int, scale: Scale) {
    guard (0...100).contains(value) else { return nil }
    switch scale {
    case .half where !value.isMultiple(of: 10): return nil
    case .quarter where !value.isMultiple(of: 5): return nil
    default: (self.value, self.scale) = (value, scale)
    }
  }

  /// A rating as the file keeps it. One that another program wrote may lie between the steps of its scale, or have none
  /// that is known: it is per cent. Nil outside 0 … 100.
  public init?(kept value: Int, scale: some StringProtocol) {
    let scale = Scale(rawValue: String(scale)) ?? .percent
    guard let rating = Rating(value: value, scale: scale) ?? Rating(value: value, scale: .percent) else { return nil }
    self = rating
  }

  /// The problem with a text that is not a rating, in the user's words.
  public struct Problem: MessageError, Equatable {
    public let message: Message
  }

  /// Reads `4.5` and `4,5`; nil for other texts.
  public static func number(_ text: String) -> Double? {
    // A number ends in a digit or a point, unlike most other texts.
    guard text.utf8.count <= 20, let last = text.utf8.last, (0x30...0x39).contains(last) || last == UInt8(ascii: ".")
    else { return nil }
    let number = Double(text.utf8.contains(UInt8(ascii: ",")) ? text.replacing(",", with: ".") : text)
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Parses `4`, `4.5`, `4.25`, `4½`, `★★★★½`, `9/10`, `8.5/10`, `4.5/5`, `87%`, `87/100`, `4점`, `8 von 10`,
  /// `4 étoiles`.
  ///
  /// - Parameter usual: the best rating on the scale of a plain number: 5, 10 or 100.
  /// - Throws: ``Problem`` for anything else: outside the scale, or between its steps.
  public init(_ text: String, outOf usual: Int = 5) throws(Problem) {
    if text.utf8.first.map({ $0 >= 0x80 }) ?? false,
      let word = ValueWords.value(text, of: .rating).flatMap({ Int($0) }),
      let rating = Rating(value: word, scale: .half)
    {
      self = rating
      return
    }
    var typed = Self.withoutWords(text)
    // A comma parts decimals in most of Europe.
    if typed.split(separator: ",", omittingEmptySubsequences: false).count == 2, !typed.contains(".") {
      typed = typed.replacing(",", with: ".")
    }
    if typed.lowercased() == "none" {
      throw Problem(message: "'\(text)' is not a rating: to remove one, remove its card with 'catalog card remove'")
    }
    if typed.hasSuffix("%") {
      self = try Self.read(typed.dropLast(), of: 100, typed: text)
      return
    }
    let parts = typed.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let most = Int(parts[1]), [5, 10, 100].contains(most) else {
        throw Problem(message: "'\(text)' is not a rating: ratings are out of 5, 10 or 100")
      }
      self = try Self.read(parts[0], of: most, typed: text)
    } else {
      self = try Self.read(typed[...], of: usual, typed: text)
    }
  }

  /// The text without blanks and words for stars, and with `/` for `of`.
  private static func withoutWords(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x21...0x39).contains($0) }) { return text }
    var (typed, word) = ("", "")
    func meaning(of word: String) -> String {
      switch ValueWords.value(word, of: .stars) {
      case "of": "/"
      case _?: ""
      case nil: word
      }
    }
    for character in text {
      if character.isLetter {
        word.append(character)
        continue
      }
      if !word.isEmpty { typed += meaning(of: word) }
      word = ""
      if character == "⭐" || character == "⭐️" {
        typed += "★"
      } else if !character.isWhitespace {
        typed.append(character)
      }
    }
    return word.isEmpty ? typed : typed + meaning(of: word)
  }

  private static func read(_ text: Substring, of most: Int, typed: String) throws(Problem) -> Rating {
    guard let hundredths = hundredths(text) else {
      throw Problem(message: "'\(typed)' is not a rating: give stars (4.5), 9/10 or 87%")
    }
    guard (0...most * 100).contains(hundredths) else {
      throw Problem(
        message: most == 5
          ? hundredths > 500 && hundredths <= 1000
            ? "'\(typed)' is out of range: stars go from 0 to 5; \(String(text)) of 10 is '\(String(text))/10'"
            : "'\(typed)' is out of range: stars go from 0 to 5"
          : "'\(typed)' is out of range: it goes from 0 to \(most)")
    }
    let scaled = hundredths * (100 / most)
    let value = scaled / 100
    let scale: Scale =
      switch most {
      case 5: value.isMultiple(of: 10) ? .half : .quarter
      case 10: .ten
      default: .percent
      }
    guard scaled.isMultiple(of: 100), let rating = Rating(value: value, scale: scale) else {
      throw Problem(
        message: most == 5
          ? "'\(typed)' is not a valid rating: stars go in halves or quarters"
          : most == 10
            ? "'\(typed)' has too many decimals: give at most one" : "'\(typed)' is not a whole number")
    }
    return rating
  }

  /// `4.25` as 425; `4½` and `★★★★½` as 450.
  private static func hundredths(_ text: Substring) -> Int? {
    if text.contains("★") || text.contains("☆") {
      let full = text.prefix { $0 == "★" }
      let rest = text.dropFirst(full.count)
      let (fraction, empty) = fraction(rest)
      guard empty.allSatisfy({ $0 == "☆" }), full.count + empty.count <= 5 else { return nil }
      return full.count * 100 + fraction
    }
    let (fraction, rest) = fraction(text.drop { $0.isASCII })
    if fraction > 0 {
      let whole = text.prefix { $0.isASCII }
      guard rest.isEmpty, whole.allSatisfy(\.isNumber), let stars = whole.isEmpty ? 0 : Int(whole), stars < 1000 else {
        return nil
      }
      return stars * 100 + fraction
    }
    let negative = text.hasPrefix("-")
    let parts = text.dropFirst(negative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count),
      parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let whole = Int(parts[0]), whole < 1_000_000
    else { return nil }
    guard parts.count == 2 else { return (negative ? -1 : 1) * whole * 100 }
    let decimals = parts[1]
    // More than two decimals are between the steps of every scale: say so, by a value that is.
    guard decimals.count <= 2, let digits = Int(decimals) else {
      return decimals.contains { $0 != "0" } ? 1 : whole * 100
    }
    return (negative ? -1 : 1) * (whole * 100 + (decimals.count == 1 ? digits * 10 : digits))
  }

  private static func fraction(_ text: Substring) -> (hundredths: Int, rest: Substring) {
    switch text.first {
    case "½": (50, text.dropFirst())
    case "¼": (25, text.dropFirst())
    case "¾": (75, text.dropFirst())
    default: (0, text)
    }
  }

  /// The rating in its own scale: `4.5`, `4.25`, `9/10`, `8.5/10`, `87%`.
  public var description: String {
    switch scale {
    case .half, .quarter: Self.decimal(value * 5)
    case .ten: Self.decimal(value * 10) + "/10"
    case .percent: "\(value)%"
    }
  }

  /// As stars: `★★★★½`; ratings on other scales print as ``description``.
  public var stars: String {
    switch scale {
    case .half, .quarter:
      let fraction = ["", "¼", "½", "¾"][value % 20 / 5]
      return value == 0 ? "☆" : String(repeating: "★", count: value / 20) + fraction
    case .ten, .percent: return description
    }
  }

  private static func decimal(_ hundredths: Int) -> String {
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)" }
    return rest.isMultiple(of: 10) ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}
