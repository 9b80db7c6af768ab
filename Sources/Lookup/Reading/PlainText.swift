/// Foreign text made fit to keep: no control characters, no markup, no stray blanks.
package enum PlainText {
  /// `text` as one line: control characters are removed, a run of blanks or line ends becomes one blank.
  package static func line(_ text: String) -> String {
    guard !isLine(text) else { return text }
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isBlank(scalar) {
        if let last = line.last, last != " " { line.append(" ") }
      } else if !isControl(scalar) {
        line.append(scalar)
      }
    }
    if line.last == " " { line.removeLast() }
    return String(line)
  }

  /// `text` with its paragraphs: line ends become `\n`, control characters other than the tab are removed, more than
  /// one empty line becomes one.
  package static func prose(_ text: String) -> String {
    guard !isLine(text) else { return text }
    var prose = String.UnicodeScalarView()
    var lineEnds = 0
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      switch scalar {
      case "\n" where previous == "\r": continue
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}":
        while let last = prose.last, last == " " || last == "\t" { prose.removeLast() }
        lineEnds += 1
        if lineEnds <= 2, !prose.isEmpty { prose.append("\n") }
      case _ where isControl(scalar) && scalar != "\t": continue
      case _ where prose.isEmpty && isBlank(scalar): continue
      default:
        if !isBlank(scalar) { lineEnds = 0 }
        prose.append(scalar)
      }
    }
    while let last = prose.last, isBlank(last) { prose.removeLast() }
    return String(prose)
  }

  /// The plain text of a piece of HTML, such as a description. Tags are removed, block tags become a single line break,
  /// and character references are decoded once. Text that only looks like HTML (`a < b`, `AT&T`) stays.
  package static func text(ofHTML html: String) -> String {
    var text = ""
    var rest = html[...]
    // Behind it no tag ends, and none must be looked for again and again.
    let lastEnd = html.utf8.lastIndex(of: UInt8(ascii: ">"))
    while let next = rest.utf8.firstIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) {
      let before = rest[..<next]
      rest = rest[next...]
      if let lastEnd, next < lastEnd, let (tag, behind) = tag(at: rest) {
        let isLayout = endsLine(tag)
        text += isLayout ? before.withoutBlanksAtEnd : before
        if isLayout { text += tag.lowercased() == "p" ? "\n\n" : "\n" }
        rest = isLayout ? behind.drop(while: \.isWhitespace) : behind
      } else if let (character, behind) = reference(at: rest) {
        text += before
        text.append(character)
        rest = behind
      } else {
        text += before
        text.append(rest.removeFirst())
      }
    }
    return prose(text + rest)
  }

  /// `text` with each reference as the character that it means, `&#233;` as `é`. What is no reference stays.
  package static func withoutReferences(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var (plain, rest) = ("", text[...])
    while let sign = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
      plain += rest[..<sign]
      let found = reference(at: rest[sign...])
      plain.append(found?.character ?? "&")
      rest = found?.behind ?? rest[rest.utf8.index(after: sign)...]
    }
    return plain + rest
  }

  // MARK: Markdown

  /// The text of a piece of Markdown, as Open Library's readers write descriptions: of links the words stay, and where
  /// they only name the source (`([source][1])`), nothing; definitions of links, rules and marks of headings,
  /// quotations and emphasis go.
  ///
  /// <https://daringfireball.net/projects/markdown/syntax>
  package static func text(ofMarkdown markdown: String) -> String {
    let lines = markdown.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return prose(lines.map { text(ofMarkdownLine: $0) }.joined(separator: "\n"))
  }

  private static func text(ofMarkdownLine line: Substring) -> String {
    var bytes = line.utf8.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    if isRule(bytes) || isDefinition(bytes) { return "" }
    while bytes.first == UInt8(ascii: ">") { bytes = bytes.dropFirst().drop { $0 == UInt8(ascii: " ") } }
    let marks = bytes.prefix { $0 == UInt8(ascii: "#") }.count
    if (1...6).contains(marks), bytes.dropFirst(marks).first == UInt8(ascii: " ") { bytes = bytes.dropFirst(marks + 1) }
    var text: [UInt8] = []
    let all = Array(bytes)
    var place = 0
    while place < all.count {
      switch all[place] {
      case UInt8(ascii: "\\") where place + 1 < all.count && isMark(all[place + 1]):
        text.append(all[place + 1])
        place += 2
      case UInt8(ascii: "("), UInt8(ascii: "["):
        let isInParentheses = all[place] == UInt8(ascii: "(")
        if let link = link(in: all, at: isInParentheses ? place + 1 : place) {
          let words = all[link.words]
          let isSource = String(decoding: words, as: UTF8.self).lowercased() == "source"
          let isClosed = link.end < all.count && all[link.end] == UInt8(ascii: ")")
          if isInParentheses, isSource, isClosed {
            place = link.end + 1
          } else {
            if isInParentheses { text.append(all[place]) }
            text += words
            place = link.end
          }
        } else {
          text.append(all[place])
          place += 1
        }
      case UInt8(ascii: "*"), UInt8(ascii: "_"):
        let mark = all[place]
        let end = all[place...].firstIndex { $0 != mark } ?? all.count
        // Between letters it is a letter, and between blanks a sign: snake_case, 2 * 3.
        let before = place > 0 ? all[place - 1] : UInt8(ascii: " ")
        let after = end < all.count ? all[end] : UInt8(ascii: " ")
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let isBullet = text.isEmpty && isBlank(after) && end == place + 1 && end < all.count
        if isBullet {
          text.append(contentsOf: "•".utf8)
        } else if isBlank(before) && isBlank(after) || isLetter(before) && isLetter(after) {
          text += all[place..<end]
        }
        place = end
      default:
        text.append(all[place])
        place += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The words of a link that begins at `start`, and the link's end: `[words](address)`, `[words][1]`.
  private static func link(in line: [UInt8], at start: Int) -> (words: Range<Int>, end: Int)? {
    // Anything longer is not a link, so that no line is scanned again and again.
    let longest = 1_000
    func end(of close: UInt8, from start: Int, not open: UInt8) -> Int? {
      for place in start..<min(line.count, start + longest) {
        if line[place] == close { return place }
        if line[place] == open { return nil }
      }
      return nil
    }
    guard start < line.count, line[start] == UInt8(ascii: "["),
      let close = end(of: UInt8(ascii: "]"), from: start + 1, not: UInt8(ascii: "[")), close + 1 < line.count
    else { return nil }
    let last: Int? =
      switch line[close + 1] {
      case UInt8(ascii: "("): end(of: UInt8(ascii: ")"), from: close + 2, not: UInt8(ascii: "("))
      case UInt8(ascii: "["): end(of: UInt8(ascii: "]"), from: close + 2, not: UInt8(ascii: "["))
      default: nil
      }
    return last.map { (start + 1..<close, $0 + 1) }
  }

  /// `[1]: https://…`
  private static func isDefinition(_ line: Substring.UTF8View) -> Bool {
    guard line.first == UInt8(ascii: "["), let close = line.firstIndex(of: UInt8(ascii: "]")) else { return false }
    let behind = line[close...].dropFirst()
    return behind.first == UInt8(ascii: ":") && behind.dropFirst().drop { $0 == 0x20 }.starts(with: "http".utf8)
  }

  /// `-----`, `* * *`
  private static func isRule(_ line: Substring.UTF8View) -> Bool {
    let marks = line.filter { $0 != UInt8(ascii: " ") }
    guard let mark = marks.first, "-*_=".utf8.contains(mark) else { return false }
    return marks.count >= 3 && marks.allSatisfy { $0 == mark }
  }

  private static func isMark(_ byte: UInt8) -> Bool { #"\`*_{}[]()#+-.!>"#.utf8.contains(byte) }

  /// Whether the byte is part of a letter or digit, of any script.
  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  // MARK: Parts

  /// Whether `text` is a single clean line, as most texts are. Judged by its bytes; in doubt, no.
  private static func isLine(_ text: String) -> Bool {
    let blank = UInt8(ascii: " ")
    var previous = blank
    for byte in text.utf8 {
      switch (previous, byte) {
      case (blank, blank), (_, 0..<blank), (_, 0x7F): return false
      // The first bytes of C1 controls and Unicode white space.
      case (0xC2, 0x80...0xA0), (0xE1, 0x9A), (0xE2, 0x80...0x81), (0xE3, 0x80): return false
      default: previous = byte
      }
    }
    return previous != blank
  }

  /// C0, DEL and C1: they move a terminal's cursor or end a text early.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
  }

  /// White space, of which Unicode has none above U+3000.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value <= 0x3000 && scalar.properties.isWhitespace
  }

  /// The name of the tag that `html` begins with, and the text after it.
  private static func tag(at html: Substring) -> (name: Substring, behind: Substring)? {
    guard html.first == "<" else { return nil }
    let inside = html.dropFirst()
    let closing = inside.first == "/"
    let name = inside.dropFirst(closing ? 1 : 0).prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    guard name.first?.isLetter == true || inside.hasPrefix("!--"), let end = html.firstIndex(of: ">") else {
      return nil
    }
    return (name, html[html.index(after: end)...])
  }

  private static func endsLine(_ tag: Substring) -> Bool {
    ["br", "p", "div", "li", "ul", "ol", "tr", "h1", "h2", "h3", "h4", "h5", "h6"].contains(tag.lowercased())
  }

  /// The character of the reference that `html` begins with, and the text after it.
  private static func reference(at html: Substring) -> (character: Character, behind: Substring)? {
    guard html.first == "&", let end = html.prefix(12).firstIndex(of: ";") else { return nil }
    let name = html[html.index(after: html.startIndex)..<end]
    guard let character = named[String(name)] ?? numbered(name) else { return nil }
    return (character, html[html.index(after: end)...])
  }

  /// `#233` and `#xE9` as `é`.
  private static func numbered(_ name: Substring) -> Character? {
    guard name.first == "#" else { return nil }
    let digits = name.dropFirst()
    let isHex = digits.first == "x" || digits.first == "X"
    guard let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits) else { return nil }
    return Unicode.Scalar(number).map(Character.init)
  }

  /// The references that shops' descriptions use: <https://html.spec.whatwg.org/multipage/named-characters.html>.
  private static let named: [String: Character] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "hellip": "…", "ndash": "–", "mdash": "—",
    "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«", "raquo": "»", "bull": "•", "middot": "·",
    "copy": "©", "reg": "®", "trade": "™", "deg": "°", "pound": "£", "euro": "€", "yen": "¥", "times": "×",
    "frac12": "½", "aacute": "á", "agrave": "à", "acirc": "â", "atilde": "ã", "auml": "ä", "aring": "å", "aelig": "æ",
    "ccedil": "ç", "eacute": "é", "egrave": "è", "ecirc": "ê", "euml": "ë", "iacute": "í", "igrave": "ì", "icirc": "î",
    "iuml": "ï", "ntilde": "ñ", "oacute": "ó", "ograve": "ò", "ocirc": "ô", "otilde": "õ", "ouml": "ö", "oslash": "ø",
    "uacute": "ú", "ugrave": "ù", "ucirc": "û", "uuml": "ü", "szlig": "ß", "Eacute": "É", "Ouml": "Ö", "Uuml": "Ü",
    "Auml": "Ä",
  ]
}

extension Substring {
  fileprivate var withoutBlanksAtEnd: Substring {
    guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return self[...last]
  }
}
