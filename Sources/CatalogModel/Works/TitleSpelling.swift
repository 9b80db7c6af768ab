/// A title prepared for fuzzy comparison: by letters and, for Korean, also by syllables, which people swap like
/// letters.
public struct TitleSpelling: Sendable {
  private let letters: Summary
  private let syllables: Summary?

  public init(_ title: String) {
    let title = Folding.nameKey(title)
    let letters = Folding.letters(title)
    self.letters = Summary(letters)
    syllables = letters.utf8.count == title.utf8.count ? nil : Summary(title)
  }

  public func isNear(_ other: TitleSpelling) -> Bool {
    if letters.areNear(other.letters) { return true }
    guard let syllables, let others = other.syllables else { return false }
    return syllables.areNear(others)
  }

  /// A text with a summary that rules out most others before the texts are compared.
  private struct Summary: Sendable {
    private let text: String
    private let count: Int
    /// The characters in it, several for each bit.
    private let bits: UInt32

    init(_ text: String) {
      self.text = text
      (count, bits) = text.unicodeScalars.reduce((0, 0)) { ($0.0 + 1, $0.1 | 1 << ($1.value & 31)) }
    }

    /// Whether the texts differ by one edit, or by two if they are long.
    func areNear(_ other: Summary) -> Bool {
      guard count >= 4 else { return false }
      let most = count >= 8 ? 2 : 1
      // An edit removes one character and adds one.
      guard abs(count - other.count) <= most, (bits ^ other.bits).nonzeroBitCount <= 2 * most else { return false }
      return text.isWithin(most, editsOf: other.text)
    }
  }
}
