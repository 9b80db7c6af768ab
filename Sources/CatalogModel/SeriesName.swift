/// A series with the place of a book in it, however a source or a file writes the two: `Discworld, Book 13`,
/// `Discworld (13)`, `Discworld -- 13`, `Discworld #13`.
///
/// A number without a sign before it is part of the name: `Fahrenheit 451`, `Warhammer 40,000`.
public struct SeriesName: Sendable, Hashable, CustomStringConvertible {
  public var name: String
  /// `13`, `2.5`, `1-3`; nil where the text has none.
  public var number: String?

  public init(name: String, number: String? = nil) { (self.name, self.number) = (name, number) }

  /// Parses a series from one line. Text without a recognizable number is a name.
  public init(_ text: String) {
    let line = text.trimmingBlanks
    self =
      Self.bracketed(line) ?? Self.hashed(line) ?? Self.separated(line) ?? Self.abbreviated(line)
      ?? SeriesName(name: Self.withoutMarks(line))
  }

  /// One spelling for all: `Discworld #13`.
  public var description: String { number.map { "\(name) #\($0)" } ?? name }

  // MARK: Reading

  /// `Discworld (13)`, `Discworld (Book 13)`, `Discworld (#13)`.
  private static func bracketed(_ line: String) -> SeriesName? {
    guard line.hasSuffix(")"), let open = line.lastIndex(of: "(") else { return nil }
    let inside = line[line.index(after: open)...].dropLast()
    let number = inside.hasPrefix("#") ? anyNumber(inside.dropFirst()) : place(inside, mostDigits: 3)
    return named(line[..<open], number)
  }

  /// Parses `The Locked Tomb #1` and `The Murderbot Diaries, #1`. More may follow the number: `#1-3`, `#1 of 2`.
  private static func hashed(_ line: String) -> SeriesName? {
    guard let sign = line.lastIndex(of: "#") else { return nil }
    let before = line[..<sign]
    guard let last = before.last, last.isWhitespace || marks.contains(last) else { return nil }
    return named(before, anyNumber(line[line.index(after: sign)...]))
  }

  /// `Discworld, Book 13`, `Discworld -- 13`, `Discworld ; v. 13`.
  private static func separated(_ line: String) -> SeriesName? {
    let ends = line.indices.filter { marks.contains(line[$0]) }
    for mark in ends.reversed() {
      let tail = line[line.index(after: mark)...]
      // A comma within a number parts nothing.
      guard tail.first?.isWhitespace == true else { continue }
      let before = line[..<mark]
      let isDash = !",;:".contains(line[mark])
      guard !isDash || before.last?.isWhitespace == true || before.last == line[mark] else { return nil }
      // Text after a colon is usually the name of a part.
      let mostDigits = line[mark] == ":" ? 0 : isDash && (line[mark] != "-" || before.last == "-") ? 5 : 3
      return named(before, place(tail, mostDigits: mostDigits))
    }
    return nil
  }

  /// `Saga Vol. 3`: of words without a mark before them only those that are cut short. `The Jungle Book 2` is a name.
  private static func abbreviated(_ line: String) -> SeriesName? {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count > 2, let number = words.last, case let word = words[words.count - 2],
      word.hasSuffix("."), word.count > 2, isWordForPlace(word)
    else { return nil }
    return named(line[..<word.startIndex], plainNumber(number, mostDigits: 5))
  }

  private static func named(_ name: Substring, _ number: String?) -> SeriesName? {
    let name = withoutMarks(name)
    guard let number, name.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
    return SeriesName(name: name, number: SeriesNumber(number)?.text ?? number)
  }

  /// The name without separators before a number.
  private static func withoutMarks(_ text: some StringProtocol) -> String {
    var name = String(text)[...]
    while let last = name.last, last.isWhitespace || marks.contains(last) { name.removeLast() }
    return name.isEmpty ? text.trimmingBlanks : name.trimmingBlanks
  }

  private static let marks: Set<Character> = [",", ";", ":", "-", "–", "—"]

  /// `Book 13`, `v. 13`, `vol.13`, `13`, `13권`.
  private static func place(_ text: Substring, mostDigits: Int) -> String? {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard let first = words.first else { return nil }
    switch words.count {
    case 1:
      if let dot = first.firstIndex(of: "."), isWordForPlace(first[...dot]) {
        return plainNumber(first[first.index(after: dot)...], mostDigits: 5)
      }
      if first.hasSuffix("권") {
        return plainNumber((first.hasPrefix("제") ? first.dropFirst() : first).dropLast(), mostDigits: 5)
      }
      return plainNumber(first, mostDigits: mostDigits)
    case 2: return isWordForPlace(first) ? plainNumber(words[1], mostDigits: 5) : nil
    default: return nil
    }
  }

  private static func isWordForPlace(_ word: Substring) -> Bool {
    ValueWords.value(word, of: .volume) != nil
  }

  /// `13`, `2.5`, `1-3`.
  private static func plainNumber(_ text: Substring, mostDigits: Int) -> String? {
    let text = text.hasSuffix(".") ? text.dropLast() : text
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "-" || $0 == "–" }
    guard (1...2).contains(parts.count),
      parts.allSatisfy({ (1...max(mostDigits, 1)).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isASCIIDigit) }),
      mostDigits > 0
    else { return nil }
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : String(text)
  }

  /// The number after `#`.
  private static func anyNumber(_ text: Substring) -> String? {
    let number = text.trimmingBlanks
    guard let first = number.utf8.first, first.isASCIIDigit, number.count <= 20, !number.contains("("),
      !number.contains(")")
    else { return nil }
    // Words after a comma belong to the name.
    guard
      number.split(separator: ",").dropFirst().allSatisfy({ $0.trimmingBlanks.utf8.first.map(\.isASCIIDigit) ?? true })
    else { return nil }
    return number.hasSuffix(".0") ? String(number.dropLast(2)) : number
  }
}
