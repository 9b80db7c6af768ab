/// The number of a book in its series, however it is written: `#13`, `04`, `13.0`, `Vol. 13`, `제13권`, `第13巻`,
/// `Band XIII`, `5 of 7`, `2.5`, `1-3`, `상`.
public struct SeriesNumber: Sendable, Hashable {
  /// One spelling for all: `13`, `2.5`, `1-3`, `상`.
  public let text: String

  /// Nil for a text without a number, or with other words.
  public init?(_ text: some StringProtocol) {
    var rest = text.trimmingBlanks[...]
    guard rest.utf8.count <= 40 else { return nil }
    while let first = rest.first, "([#".contains(first) { rest = rest.dropFirst() }
    while let last = rest.last, ")].".contains(last) { rest = rest.dropLast() }
    if ValueWords.value(rest, of: .third) != nil {
      self.text = String(rest.prefix(1))
      return
    }
    let word = rest.prefix { !$0.isASCIIDigit }
    let isNamed = !Self.isEmpty(word)
    if isNamed, ValueWords.value(word.drop { $0 == "#" }, of: .volume) == nil {
      // `Band XIII`.
      guard let last = rest.split(whereSeparator: \.isWhitespace).last, last.startIndex > rest.startIndex,
        ValueWords.value(rest[..<last.startIndex], of: .volume) != nil, let number = Self.roman(last)
      else { return nil }
      self.text = String(number)
      return
    }
    let number = rest[word.endIndex...].prefix { $0.isASCIIDigit || ".-–,".contains($0) }
    guard let plain = Self.plain(number), Self.isEnd(rest[number.endIndex...]) else { return nil }
    self.text = plain
  }

  /// The number without zeros around it: `13` for `013.0`.
  private static func plain(_ text: Substring) -> String? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "–" }
    guard (1...2).contains(parts.count) else { return nil }
    let numbers = parts.map { part -> String? in
      let halves = part.split(separator: ".", omittingEmptySubsequences: false)
      guard (1...2).contains(halves.count),
        halves.allSatisfy({ (1...6).contains($0.count) && $0.allSatisfy(\.isASCIIDigit) })
      else { return nil }
      let whole = halves[0].drop { $0 == "0" }
      var fraction = halves.count == 2 ? halves[1] : ""
      while fraction.last == "0" { fraction = fraction.dropLast() }
      return (whole.isEmpty ? "0" : String(whole)) + (fraction.isEmpty ? "" : ".\(fraction)")
    }
    let known = numbers.compactMap(\.self)
    return known.count == numbers.count ? known.joined(separator: "-") : nil
  }

  /// Whether nothing but a word for a volume follows, or the number of all: `of 7`, `/7`.
  private static func isEnd(_ text: Substring) -> Bool {
    if isEmpty(text) || ValueWords.value(text, of: .volume) != nil { return true }
    let word = text.prefix { !$0.isASCIIDigit }
    let isOf = word.trimmingBlanks == "/" || ValueWords.value(word, of: .stars) == "of"
    let count = text[word.endIndex...]
    return isOf && !count.isEmpty && count.allSatisfy(\.isASCIIDigit)
  }

  private static func isEmpty(_ text: Substring) -> Bool { text.allSatisfy { $0.isWhitespace || $0 == "#" } }

  /// `XIII` as 13.
  private static func roman(_ text: Substring) -> Int? {
    let values: [Character: Int] = ["I": 1, "V": 5, "X": 10, "L": 50, "C": 100]
    let numbers = text.uppercased().map { values[$0] ?? 0 }
    guard !numbers.isEmpty, numbers.count <= 8, !numbers.contains(0) else { return nil }
    return zip(numbers, numbers.dropFirst() + [0]).reduce(0) { $0 + ($1.0 < $1.1 ? -$1.0 : $1.0) }
  }
}
