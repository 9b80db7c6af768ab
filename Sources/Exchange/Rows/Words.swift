internal import CatalogModel
internal import Lookup

/// Reads numbers in the notations of other programs.
enum Numbers {
  /// Reads the number at the beginning: `349`, `349 `, `1,044`, `288.0`, `192 pages`.
  static func count(_ text: String) -> Int? {
    var digits = ""
    for character in text.trimmed {
      if character.isASCII, character.isNumber {
        digits.append(character)
      } else if character != "," || digits.isEmpty {
        break
      }
      if digits.utf8.count > 9 { return nil }
    }
    return Int(digits)
  }

  /// Reads a number at the beginning, if it is one of these.
  static func count(_ text: String, in range: some RangeExpression<Int>) -> Int? {
    count(text).flatMap { range.contains($0) ? $0 : nil }
  }

  /// Reads `1979`, `-50`, `1925.0`, `1920's`, `50 BC`. Nil for 0 and other texts.
  static func year(_ text: String) -> Int? {
    var text = text.trimmed
    if text.hasSuffix(".0") { text.removeLast(2) }
    if let year = ReleaseYear.parse(text) { return year }
    let upper = text.uppercased()
    for end in ["BCE", "BC"] where upper.hasSuffix(end) {
      return ReleaseYear.parse("-" + String(text.dropLast(end.count)).trimmed)
    }
    // A day before Christ, such as `-0044-03-15`, keeps its year.
    if text.hasPrefix("-") { return ReleaseYear.parse(text.prefix { $0 == "-" || $0.isNumber }.prefix(5)) }
    return Dates.read(text).flatMap { ReleaseYear.range.contains($0.year) ? $0.year : nil }
  }

  /// Reads an ISBN, including one that a spreadsheet turned into a number, without leading zeros or with a final `.0`.
  /// The check digit confirms it.
  static func isbn(_ text: String, _ facts: inout RowFacts) -> ISBN? {
    if let isbn = try? ISBN(text) { return isbn }
    // Bookshops give both forms: `8936434128 9788936434120`.
    let forms = text.split { $0.isWhitespace || ",;/|".contains($0) }
    if forms.count > 1 {
      let codes = forms.compactMap { form in (try? ISBN(String(form))).map { (form, $0) } }
      return (codes.first { $0.0.count >= 13 } ?? codes.first)?.1
    }
    return padded(text, to: [10], atLeast: 7, &facts) { try? ISBN($0) }
  }

  /// Reads a barcode, including one that a spreadsheet turned into a number.
  static func barcode(_ text: String, _ facts: inout RowFacts) -> Barcode? {
    if let code = try? Barcode(text) { return code }
    return padded(text, to: [12, 13], atLeast: 9, &facts) { try? Barcode($0) }
  }

  private static func padded<Code>(
    _ text: String, to lengths: [Int], atLeast least: Int, _ facts: inout RowFacts, _ read: (String) -> Code?
  ) -> Code? {
    let digits = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    guard digits.utf8.count >= least, digits.utf8.allSatisfy({ (48...57).contains($0) || $0 | 0x20 == 0x78 }) else {
      return nil
    }
    if digits != text, let code = read(digits) { return code }
    for length in lengths where digits.utf8.count < length {
      if let code = read(String(repeating: "0", count: length - digits.utf8.count) + digits) {
        facts.remark(Entry.Remark("zeros that a spreadsheet removed from a code are restored"))
        return code
      }
    }
    return nil
  }

  /// Reads `136`, `97 mins`, `1:37`, `2h 5m`.
  static func minutes(_ text: String) -> Int? {
    let numbers = text.split { !($0.isASCII && $0.isNumber) }.compactMap { Int($0) }
    let hasHours = text.contains(":") || text.lowercased().contains("h") || text.contains("시간")
    let minutes: Int? =
      switch (numbers.count, hasHours) {
      case (1..., false): numbers[0]
      case (2..., true): numbers[0] < 1_000 && numbers[1] < 60 ? numbers[0] * 60 + numbers[1] : nil
      case (1, true): numbers[0] < 1_000 ? numbers[0] * 60 : nil
      default: nil
      }
    return minutes.flatMap { (1...100_000).contains($0) ? $0 : nil }
  }
}

/// Reads kinds in the words of other programs.
enum Kinds {
  static func read(_ text: String) -> Kind? {
    guard let kind = Kind(value: text) else { return nil }
    return kind.isShelved ? kind : kind == .music ? .vinyl : nil
  }

  /// The kind of item on a medium: a film for a DVD or tape, a record for vinyl or a music CD. Nil if the medium is
  /// ambiguous, and for paper.
  static func read(media text: String) -> Kind? {
    let key = Cells.key(text)
    if ["dvd", "bluray", "vhs", "videotape", "laserdisc", "videocassette", "uhd", "film", "movie", "video"]
      .contains(where: key.contains)
    {
      return .movie
    }
    let isSpoken = ["audiobook", "spoken", "book"].contains(where: key.contains)
    guard !isSpoken else { return nil }
    return ["vinyl", "musiccd", "audiocd", "lprecord", "phonograph", "soundrecording", "musicrecording", "78rpm"]
      .contains(where: key.contains) || ["lp", "cd", "sacd", "record"].contains(key) ? .vinyl : nil
  }
}
