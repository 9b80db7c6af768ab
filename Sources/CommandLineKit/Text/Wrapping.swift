extension StringProtocol {
  /// The text in lines of at most `width` cells, broken at blanks, or next to any Chinese or Japanese character. Korean
  /// has blanks between its words, and is broken there.
  ///
  /// Runs of blanks count as one. A word longer than a line is cut where the line ends, an address never.
  public func wrapped(to width: Int) -> [String] {
    let text = String(self)
    if text.utf8.count <= width && text.isWordsOfASCII { return [text] }
    return text.wrapped(to: Double(Swift.max(2, width))) { Double($0.cellWidth) }
  }
}

extension String {
  /// The same for lines of any width, whatever measures it.
  func wrapped(to width: Double, measuring measure: @escaping (String) -> Double) -> [String] {
    var lines = LineFiller(width: width, measure: measure)
    for word in split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r\n" }) {
      var isFirst = true
      for piece in unbreakablePieces(of: word) {
        lines.add(piece, afterBlank: isFirst)
        isFirst = false
      }
    }
    return lines.finished()
  }
}

extension StringProtocol {
  /// The text with those of its lines that are wider broken at blanks, and nowhere else: paths, and words in single
  /// quotes, stay whole. A line keeps the blanks before it, in all its parts.
  /// - Parameter command: with the words behind it, up to a comma, a semicolon or the end of the line, it stays whole,
  ///   too: it is copied to a shell.
  public func wrappedLines(to width: Int, keeping command: String? = nil) -> String {
    split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.cellWidth > width else { return String(line) }
      let indent = String(line.prefix { $0 == " " })
      var parts: [String] = []
      for word in line.quotedWords(keeping: command) {
        if let last = parts.last, last.cellWidth + 1 + word.cellWidth <= width {
          parts[parts.count - 1] += " " + word
        } else {
          parts.append(indent + word)
        }
      }
      return parts.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// The words between blanks, those between two single quotes together, and those of a command.
  private func quotedWords(keeping command: String?) -> [String] {
    var words: [String] = []
    var (isOpen, isCommand) = (false, false)
    for word in split(separator: " ") {
      if isCommand, let last = words.indices.last {
        words[last] += " " + word
        isCommand = !(word.hasSuffix(",") || word.hasSuffix(";"))
        continue
      }
      isCommand = !isOpen && command.map { $0 == word } ?? false
      if isOpen, let last = words.indices.last { words[last] += " " + word } else { words.append(String(word)) }
      let quotes = word.utf8.count { $0 == UInt8(ascii: "'") }
      // Not those of "the program's".
      if !isOpen, word.drop(while: { $0 == "(" }).hasPrefix("'") {
        isOpen = quotes == 1
      } else if isOpen, quotes > 0 {
        isOpen = false
      }
    }
    return words
  }
}

extension String {
  /// Whether this is words of ASCII with one blank between them, as most lines of help are: nothing to do then.
  fileprivate var isWordsOfASCII: Bool {
    var last = UInt8(ascii: " ")
    for byte in utf8 {
      let isBlank = byte == UInt8(ascii: " ")
      guard isBlank ? last != byte : byte > 0x20 && byte < 0x7F else { return false }
      last = byte
    }
    return last != UInt8(ascii: " ")
  }
}

/// The parts of a word between which a line may end: every wide character but those of Korean is one, with the closing
/// marks behind it.
private func unbreakablePieces(of word: Substring) -> [String] {
  if word.utf8.allSatisfy({ $0 < 0x80 }) { return [String(word)] }
  var pieces: [String] = []
  var lastIsWide = false
  for character in word {
    let isWide = CellWidth.width(of: character) > 1 && !character.isHangul
    if let last = pieces.indices.last, staysBehind(character) || (!isWide && !lastIsWide) {
      pieces[last].append(character)
    } else {
      pieces.append(String(character))
    }
    lastIsWide = isWide
  }
  return pieces
}

extension Character {
  /// Whether it is a syllable or a letter of Korean.
  fileprivate var isHangul: Bool { unicodeScalars.first?.isHangul ?? false }
}

extension Unicode.Scalar {
  /// Whether it is a syllable or a letter of Korean.
  public var isHangul: Bool { [0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7A3].contains { $0.contains(value) } }
}

/// Whether a character never begins a line.
private func staysBehind(_ character: Character) -> Bool {
  switch character {
  case "、", "。", "，", "．", "！", "？", "：", "；", "）", "」", "』", "】", "〉", "》", "〕", "ー", "…", ",", ".", ")",
    "!", "?", ":", ";":
    true
  default: false
  }
}

/// Lines being filled with pieces of text.
private struct LineFiller {
  let width: Double
  let measure: (String) -> Double
  var lines: [String] = []
  var line = ""
  var used = 0.0

  init(width: Double, measure: @escaping (String) -> Double) { (self.width, self.measure) = (width, measure) }

  mutating func add(_ piece: String, afterBlank: Bool) {
    let size = measure(piece)
    let blank = afterBlank && !line.isEmpty ? measure(" ") : 0
    if used + blank + size <= width {
      line += (blank > 0 ? " " : "") + piece
      used += blank + size
      return
    }
    endLine()
    if size <= width || piece.contains("://") {
      (line, used) = (piece, size)
    } else {
      cut(piece)
    }
  }

  private mutating func cut(_ piece: String) {
    for character in piece {
      let size = measure(String(character))
      if used + size > width { endLine() }
      line.append(character)
      used += size
    }
  }

  private mutating func endLine() {
    if !line.isEmpty { lines.append(line) }
    (line, used) = ("", 0)
  }

  func finished() -> [String] { line.isEmpty ? lines : lines + [line] }
}
