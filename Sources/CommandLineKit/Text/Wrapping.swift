extension StringProtocol {
  /// The text in lines of at most `width` cells, broken at blanks, or next to any Chinese, Japanese or Korean character.
  ///
  /// Runs of blanks count as one. A word longer than a line is cut where the line ends.
  public func wrapped(to width: Int) -> [String] {
    if utf8.count <= width && isWordsOfASCII { return [String(self)] }
    var lines = LineFiller(width: Swift.max(2, width))
    for word in split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r\n" }) {
      var isFirst = true
      for piece in unbreakablePieces(of: word) {
        lines.add(piece, afterBlank: isFirst)
        isFirst = false
      }
    }
    return lines.finished()
  }

  /// Whether this is words of ASCII with one blank between them, as most lines of help are: nothing to do then.
  private var isWordsOfASCII: Bool {
    var last = UInt8(ascii: " ")
    for byte in utf8 {
      let isBlank = byte == UInt8(ascii: " ")
      guard isBlank ? last != byte : byte > 0x20 && byte < 0x7F else { return false }
      last = byte
    }
    return last != UInt8(ascii: " ")
  }
}

/// The parts of a word between which a line may end: every wide character is one, with the closing marks behind it.
private func unbreakablePieces(of word: some StringProtocol) -> [String] {
  if word.utf8.allSatisfy({ $0 < 0x80 }) { return [String(word)] }
  var pieces: [String] = []
  var lastIsWide = false
  for character in word {
    let isWide = CellWidth.width(of: character) > 1
    if let last = pieces.indices.last, staysBehind(character) || (!isWide && !lastIsWide) {
      pieces[last].append(character)
    } else {
      pieces.append(String(character))
    }
    lastIsWide = isWide
  }
  return pieces
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
  let width: Int
  var lines: [String] = []
  var line = ""
  var used = 0

  init(width: Int) { self.width = width }

  mutating func add(_ piece: String, afterBlank: Bool) {
    let size = piece.cellWidth
    let blank = afterBlank && !line.isEmpty ? 1 : 0
    if used + blank + size <= width {
      line += (blank == 1 ? " " : "") + piece
      used += blank + size
      return
    }
    endLine()
    if size <= width {
      (line, used) = (piece, size)
    } else {
      cut(piece)
    }
  }

  private mutating func cut(_ piece: String) {
    for character in piece {
      let size = CellWidth.width(of: character)
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
