internal import CatalogModel
internal import Lookup

/// Reads the entries of BibTeX. <https://ctan.org/pkg/bibtex>, <https://ctan.org/pkg/biblatex>
struct BibTeX {
  private let bytes: [UInt8]
  private var place = 0
  private var line = 1
  /// The texts of `@string`, by name.
  private var macros: [String: String] = [:]

  /// - Throws: ``ImportProblem`` for an entry that is not closed or is none.
  static func records(in bytes: [UInt8]) throws -> [Cells] {
    var reader = BibTeX(bytes: bytes)
    var records: [Cells] = []
    while let record = try reader.next() {
      records.append(record)
      try RowKeys.check(records.count)
    }
    return records
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func next() throws -> Cells? {
    while let byte = peek() {
      step()
      guard byte == UInt8(ascii: "@") else { continue }
      let start = line
      let type = word()
      guard let open = token(), !type.isEmpty, open == UInt8(ascii: "{") || open == UInt8(ascii: "(") else { continue }
      let close = open == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: ")")
      switch type {
      case "comment", "preamble": _ = try text(until: close, from: start)
      case "string":
        step()
        let field = try field(from: start)
        macros[field.name] = field.value
        try end(close, from: start)
      default:
        step()
        return try entry(type, close, from: start)
      }
    }
    return nil
  }

  private mutating func entry(_ type: String, _ close: UInt8, from start: Int) throws -> Cells {
    var cells = Cells(line: start, list: [("type", type)])
    var key: [UInt8] = []
    while let byte = peek(), byte != UInt8(ascii: ","), byte != close {
      key.append(byte)
      step()
    }
    if case let key = String(forgiving: key).trimmed, !key.isEmpty { cells.list.append(("key", key)) }
    while let byte = token(), byte != close {
      if byte == UInt8(ascii: ",") {
        step()
        continue
      }
      let (name, value) = try field(from: start)
      switch name {
      case "author", "editor", "translator", "director":
        for person in Self.people(value) { cells.list.append((name, person)) }
      // Addresses have signs of TeX as they are.
      case "url", "doi", "file":
        cells.list.append((name, value.filter { !"{}\\".contains($0) && !$0.isWhitespace }))
      default: cells.list.append((name, Self.plain(value)))
      }
      guard cells.list.count < 10_000 else { throw ImportProblem.tooMuch("the entry of line \(start) is too long") }
    }
    try end(close, from: start)
    // A part of a book is read as the book.
    if type == "inbook", cells.first("booktitle") != nil {
      let names = ["title": "chapter", "booktitle": "title"]
      cells.list = cells.list.map { (names[$0.name] ?? $0.name, $0.value) }
    }
    return cells
  }

  // MARK: Fields

  /// `name = value # value`
  private mutating func field(from start: Int) throws -> (name: String, value: String) {
    let name = word()
    guard !name.isEmpty, token() == UInt8(ascii: "=") else { throw Self.broken(start) }
    step()
    var value = ""
    repeat {
      if token() == UInt8(ascii: "#") { step() }
      switch token() {
      case UInt8(ascii: "{")?: value += try text(until: UInt8(ascii: "}"), from: start)
      case UInt8(ascii: "\"")?: value += try text(until: UInt8(ascii: "\""), from: start)
      default:
        let word = word()
        guard !word.isEmpty else { throw Self.broken(start) }
        value += macros[word] ?? word
      }
      guard value.utf8.count <= DelimitedReader.longestCell else {
        throw ImportProblem.tooMuch("the entry of line \(start) is too long")
      }
    } while token() == UInt8(ascii: "#")
    return (name, value)
  }

  /// The text between the next sign and one that closes it, with the braces in it.
  private mutating func text(until close: UInt8, from start: Int) throws -> String {
    step()
    let begin = place
    var depth = 0
    while let byte = peek() {
      if depth == 0, byte == close {
        let text = String(forgiving: Array(bytes[begin..<place]))
        step()
        return text
      }
      switch byte {
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth -= 1
      // An escaped brace opens nothing.
      case UInt8(ascii: "\\"): step()
      default: break
      }
      step()
    }
    throw Self.broken(start)
  }

  private mutating func end(_ close: UInt8, from start: Int) throws {
    guard token() == close else { throw Self.broken(start) }
    step()
  }

  private static func broken(_ line: Int) -> ImportProblem {
    .damaged("the entry of line \(line) is not closed, or is no BibTeX")
  }

  /// A name or a number in lower case.
  private mutating func word() -> String {
    _ = token()
    let begin = place
    while let byte = peek(), byte > 0x20, !"{}()\",=#%@".utf8.contains(byte) { step() }
    return String(forgiving: Array(bytes[begin..<place])).lowercased()
  }

  private mutating func token() -> UInt8? {
    while let byte = peek(), byte <= 0x20 { step() }
    return peek()
  }

  private func peek() -> UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func step() {
    if place < bytes.count, bytes[place] == 0x0A { line += 1 }
    place = min(place + 1, bytes.count)
  }
}

// MARK: - TeX

extension BibTeX {
  /// The names of people between `and`, each with the first name first.
  static func people(_ text: String) -> [String] {
    var (people, words, depth): ([String], [Substring], Int) = ([], [], 0)
    for word in text.split(whereSeparator: \.isWhitespace) {
      if depth == 0, word.lowercased() == "and" {
        people.append(words.joined(separator: " "))
        words = []
      } else {
        words.append(word)
        depth += word.count { $0 == "{" } - word.count { $0 == "}" }
      }
    }
    people.append(words.joined(separator: " "))
    return people.map(person).filter { !$0.isEmpty && $0 != "others" }
  }

  private static func person(_ text: String) -> String {
    var (parts, part, depth): ([String], String, Int) = ([], "", 0)
    for character in text {
      if character == "{" { depth += 1 }
      if character == "}" { depth -= 1 }
      if depth == 0, character == "," {
        parts.append(part)
        part = ""
      } else {
        part.append(character)
      }
    }
    parts = (parts + [part]).map { plain($0) }.filter { !$0.isEmpty }
    return firstNameFirst(parts.count == 3 ? [parts[0], parts[2], parts[1]] : parts)
  }

  /// The name of a person of whom the last name, the first name and the suffix are known.
  static func firstNameFirst(_ parts: [String]) -> String {
    switch parts.count {
    case 2 where !NamedPerson.isSuffix(parts[1]): "\(parts[1]) \(parts[0])"
    case 3: "\(parts[1]) \(parts[0]), \(parts[2])"
    default: parts.joined(separator: ", ")
    }
  }

  /// The text that TeX would set: without braces and commands, with accents.
  static func plain(_ tex: String) -> String {
    let signs = Array(tex.unicodeScalars)
    var text = String.UnicodeScalarView()
    var place = 0
    while place < signs.count {
      let sign = signs[place]
      place += 1
      func isRepeated() -> Bool { place < signs.count && signs[place] == sign }
      switch sign {
      case "{", "}", "$": break
      case "~": text.append(" ")
      case "\\": command(signs, &place, &text)
      case "-" where isRepeated():
        place += 1
        text.append(isRepeated() ? "—" : "–")
        if isRepeated() { place += 1 }
      case "`" where isRepeated(), "'" where isRepeated():
        place += 1
        text.append(sign == "`" ? "“" : "”")
      default: text.append(sign)
      }
    }
    return Folding.composed(PlainText.line(String(text)).trimmed)
  }

  private static func command(
    _ signs: [Unicode.Scalar], _ place: inout Int, _ text: inout String.UnicodeScalarView
  ) {
    guard place < signs.count else { return }
    let letters = signs[place...].prefix(30).prefix { $0.isASCII && $0.properties.isAlphabetic }
    let name = letters.isEmpty ? String(signs[place]) : String(String.UnicodeScalarView(letters))
    place += max(1, letters.count)
    if let mark = accents[name] {
      // The letter, in braces or not.
      while place < signs.count, signs[place] == " " { place += 1 }
      guard place < signs.count else { return }
      let isGroup = signs[place] == "{"
      let length = isGroup ? signs[place...].prefix(12).firstIndex(of: "}").map { $0 + 1 - place } : nil
      let isCommand = signs[place] == "\\" && place + 1 < signs.count
      let group = signs[place..<place + (length ?? (isCommand ? 2 : 1))]
      place = group.endIndex
      if isCommand { while place < signs.count, signs[place] == " " { place += 1 } }
      let dotless: [Character: String] = ["ı": "i", "ȷ": "j"]
      var base = plain(String(String.UnicodeScalarView(group)))
      if let first = base.first { base = (dotless[first] ?? String(first)) + base.dropFirst() }
      var scalars = base.unicodeScalars
      if let first = scalars.first {
        text.append(first)
        text.append(mark)
        scalars.removeFirst()
        text.append(contentsOf: scalars)
      }
    } else if let letter = Self.letters[name] {
      text.append(contentsOf: letter.unicodeScalars)
      if !letters.isEmpty { while place < signs.count, signs[place] == " " { place += 1 } }
    } else if letters.isEmpty {
      text.append(contentsOf: name.unicodeScalars)
    }
  }

  private static let accents: [String: Unicode.Scalar] = [
    "\"": "\u{308}", "'": "\u{301}", "`": "\u{300}", "^": "\u{302}", "~": "\u{303}", "=": "\u{304}", ".": "\u{307}",
    "u": "\u{306}", "v": "\u{30C}", "H": "\u{30B}", "c": "\u{327}", "k": "\u{328}", "r": "\u{30A}", "d": "\u{323}",
    "b": "\u{331}",
  ]
  private static let letters = [
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "aa": "å",
    "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ",
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textquoteright": "’", "textendash": "–",
    "textemdash": "—", "ldots": "…", "dots": "…", "copyright": "©", "pounds": "£", "euro": "€", "S": "§",
    " ": " ", ",": " ", "\\": " ", "-": "", "/": "", "\n": " ",
  ]
}
