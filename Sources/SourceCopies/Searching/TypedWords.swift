internal import CatalogModel

/// The words of a search that is being typed: those that are finished, and the one that is begun.
struct TypedWords {
  private static let mostWords = 32

  /// The expression of FTS5 for the finished words; nil where there is none.
  let finished: String?
  /// The begun word, folded: Latin letters, initial consonants or one syllable. Two syllables are found as they are, so
  /// they count as finished.
  let begun: String?
  /// The expression for all words, of which the last may be begun; nil where there is nothing to search for.
  let all: String?
  /// The same with every word begun.
  let everyBegun: String?

  init(_ typed: String) {
    var words: [String] = []
    // A word that stands twice would be looked up twice. More words than these are in no title.
    for word in SearchText.words(typed).reversed() where !words.contains(word) { words.insert(word, at: 0) }
    words = Array(words.suffix(Self.mostWords))
    all = SearchText.expression(for: words, begun: .last)
    everyBegun = SearchText.expression(for: words)
    guard let last = words.last, typed.hasSuffix(last) else {
      finished = SearchText.expression(for: words, begun: .none)
      begun = nil
      return
    }
    let scalars = Array(last.unicodeScalars)
    let isJoined = scalars.last?.isJoined ?? false
    let run = scalars.reversed().prefix { $0.isJoined == isJoined }.count
    guard !isJoined || run == 1 else {
      finished = SearchText.expression(for: words, begun: .none)
      begun = nil
      return
    }
    let before = String(scalars: scalars.dropLast(run))
    finished = SearchText.expression(for: words.dropLast() + (before.isEmpty ? [] : [before]), begun: .none)
    begun = Folding.fold(String(scalars: scalars.suffix(run)))
  }

  /// Whether the begun word may become very many words.
  var isShort: Bool { (begun?.unicodeScalars.count ?? 0) <= (begun?.unicodeScalars.first?.isJoined == true ? 1 : 2) }
}

/// A begun word, looked for at the starts of words in the texts of rows.
struct BegunWord {
  private let text: String
  private let bytes: [UInt8]
  /// Whether the word is of initial consonants.
  private let isInitials: Bool

  init(_ folded: String) {
    (text, bytes) = (folded, Array(folded.utf8))
    isInitials = folded.unicodeScalars.allSatisfy { (0x3131...0x314E).contains($0.value) }
  }

  func isIn(_ row: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first else { return true }
    var isPlain = true
    for byte in row { isPlain = isPlain && byte < 0x80 }
    guard isPlain else {
      let words = String(decoding: row, as: UTF8.self)
      if isInitials { return hasInitials(words) }
      return SearchText.hasWords(Folding.fold(words), text)
    }
    guard first < 0x80 else { return false }
    var place = 0
    while place + bytes.count <= row.count {
      if row[place] | 0x20 == first | 0x20, Self.startsWord(row, at: place), matches(row, at: place) { return true }
      place += 1
    }
    return false
  }

  private static func startsWord(_ row: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    place == 0 || !isLetter(row[place - 1])
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  private func matches(_ row: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    for offset in bytes.indices {
      let byte = row[place + offset]
      guard ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == bytes[offset] else { return false }
    }
    return true
  }

  private func hasInitials(_ words: String) -> Bool {
    SearchText.initials(words[...]).split(separator: " ").contains { $0.hasPrefix(text) }
      || SearchText.hasWords(words, text)
  }
}
