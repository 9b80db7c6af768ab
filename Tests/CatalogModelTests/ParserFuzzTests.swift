import CatalogModel
import TestSupport
import Testing

/// Parses thousands of texts made of known and unexpected pieces with every parser. None may crash, and every accepted
/// value must satisfy the guarantees of its type.
struct ParserFuzzTests {
  private static let pieces = [
    "0", "1", "9", "10", "99", "978", "9788936434120", "9223372036854775807", "-9223372036854775808", "4.5", ".", "..",
    "-", "+", "/",
    ":", ",", "%", "½", "¾", "★", "☆", "r", "@", "x", "X", "isbn", "ISBN", "barcode:", "tmdb:", "kind:", "vinyl",
    "year:", "rating:",
    "added:", "id:", "genre:", "none", "no", "favorite:", "has:", "cover", ">", "<", ">=", "<=", "≥", "^", "2026",
    "-11", "-21", "d",
    "w", "y", " ", "\t", "\n", "\u{0}", "\u{1B}[31m", "\u{202E}", "\u{FEFF}", "\u{300}", "\u{1160}", "가", "ㅎ", "日", "🧑‍🚀",
    "🇰🇷", "٣",
    "e\u{301}", "\"", "'", "\\", "The ", "A", "ß", "İ", "ﬁ", "ǅ", "\u{10FFFF}", "1e400", "nan", "inf", "T00:00:00Z",
  ]

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func `random text never crashes a parser`(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? ""
      }.joined()
      if let rating = try? Rating(text) {
        #expect((0...100).contains(rating.value), "\(text)")
        #expect((try? Rating(rating.description)) == rating, "\(text)")
      }
      if let date = PartialDate(text) { #expect(date.description == text) }
      if let date = PartialDate(lenient: text) { #expect(PartialDate(date.description) == date, "\(text)") }
      if let isbn = try? ISBN(text) {
        #expect(isbn.digits13.utf8.count == 13, "\(text)")
        #expect((try? ISBN(isbn.digits13)) == isbn, "\(text)")
      }
      if let barcode = try? Barcode(text) { #expect((try? Barcode(barcode.digits)) == barcode, "\(text)") }
      if case .item(let id)? = try? Reference(text, sources: ["tmdb"]) { #expect(id.rawValue > 0) }
      if let year = ReleaseYear.parse(text) { #expect(ReleaseYear.range.contains(year)) }
      let folded = Folding.fold(text)
      #expect(Folding.fold(folded) == folded, "\(text.debugDescription)")
      _ = Folding.nameKey(text)
      _ = Articles.sortTitle(of: text)
      _ = Kind(word: text)
    }
  }
}
