/// The words of a title, to tell a different title from a different spelling.
public struct TitleWords {
  /// A 20-bit hash of each word, or of each character in scripts without blanks.
  public let hashes: Set<UInt32>

  private static let common: Set<String> = ["the", "and", "a", "an", "of", "or"]

  /// The bit set in hashes of words in Latin letters.
  private static let latin: UInt32 = 1 << 19

  private static func hash(_ word: String, isLatin: Bool) -> UInt32 {
    UInt32(truncatingIfNeeded: FNV1a(word).value) & (latin - 1) | (isLatin ? latin : 0)
  }

  public init(_ title: String) {
    var hashes: Set<UInt32> = []
    let words = Folding.fold(title).unicodeScalars.split { !$0.isLetterOrDigit }.map { String($0) }
    let telling = words.filter { !Self.common.contains($0) }
    for word in telling.isEmpty ? words : telling {
      if word.utf8.allSatisfy({ $0 < 0x80 }) {
        let isNumber = word.utf8.allSatisfy { (0x30...0x39).contains($0) }
        hashes.insert(Self.hash(word, isLatin: !isNumber))
      } else {
        for sign in word.unicodeScalars { hashes.insert(Self.hash(String(sign), isLatin: false)) }
      }
    }
    self.hashes = hashes
  }

  /// Whether two titles share at most half of the words of the shorter one. False for titles in different scripts.
  public static func arePlainlyOthers(_ some: Set<UInt32>, _ others: Set<UInt32>) -> Bool {
    func isLatin(_ words: Set<UInt32>) -> Bool { words.contains { $0 & latin != 0 } }
    guard !some.isEmpty, !others.isEmpty, isLatin(some) == isLatin(others) else { return false }
    return 2 * some.intersection(others).count <= min(some.count, others.count)
  }

  /// Whether all titles of one item plainly differ from all titles of another.
  public static func arePlainlyOthers(_ titles: [String], _ others: [String]) -> Bool {
    let (words, otherWords) = (titles.map { TitleWords($0).hashes }, others.map { TitleWords($0).hashes })
    return words.allSatisfy { one in otherWords.allSatisfy { arePlainlyOthers(one, $0) } }
  }
}
