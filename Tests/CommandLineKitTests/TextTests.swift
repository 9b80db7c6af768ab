import TestSupport
import Testing

@testable import CommandLineKit

struct TextTests {
  @Test(arguments: [
    ("★", 1, 2), ("½", 1, 2), ("·", 1, 2), ("▶", 1, 2), ("█", 1, 2), ("▒", 1, 2), ("─", 1, 2), ("…", 1, 2), ("“", 1, 2),
    ("а", 1, 2), ("a", 1, 1), ("é", 1, 2), ("ñ", 1, 1), ("가", 2, 2), ("\u{301}", 0, 0), ("░", 1, 1), ("⚡", 2, 2),
  ])
  func `a sign of ambiguous width is as wide as the terminal draws it`(sign: String, narrow: Int, wide: Int) throws {
    let scalar = try #require(sign.unicodeScalars.first)
    #expect(CellWidth.width(of: scalar, isAmbiguousWide: false) == narrow)
    #expect(CellWidth.width(of: scalar, isAmbiguousWide: true) == wide)
  }

  @Test(arguments: [
    ("", 0), ("Alien", 5), ("기생충", 6), ("千と千尋の神隠し", 16), ("Amélie", 6), ("Ame\u{301}lie", 6), ("ｱｲｳ", 3), ("ＡＢ", 4),
    ("👩‍👩‍👧", 2), ("🇰🇷", 2), ("❤️", 2), ("❤", 1), ("1️⃣", 2), ("👍🏽", 2), ("😀", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
    ("★★★★½", 5), ("a\u{200B}b", 2), ("…", 1), ("█▏", 2), ("ไทย", 3), ("𠮷", 2), ("\u{1F6DC}", 2), ("—", 1), ("々〆ー", 6),
    ("½", 1), ("café\u{FE0F}", 4), ("\u{AD}", 1), ("\u{FEFF}", 0), ("👨🏻‍🚀x", 3), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2),
  ])
  func `text has a width in cells`(text: String, width: Int) {
    #expect(text.cellWidth == width)
  }

  @Test(arguments: [
    ("Parasite", 8, "Parasite"), ("Parasite", 7, "Parasi…"), ("기생충", 6, "기생충"), ("기생충", 5, "기생…"),
    ("기생충", 4, "기…"), ("기생충", 1, "…"), ("a", 0, ""), ("Ame\u{301}lie", 4, "Ame\u{301}…"),
  ])
  func `text is cut with an ellipsis`(text: String, width: Int, cut: String) {
    #expect(text.truncated(to: width) == cut)
  }

  @Test func `text is padded on either side`() {
    #expect("기생".padded(to: 6) == "기생  ")
    #expect("기생".padded(to: 6, .right) == "  기생")
    #expect("기생".padded(to: 7, .center) == " 기생  ")
    #expect("long".padded(to: 2) == "long")
  }

  @Test(arguments: [
    ("a bb  ccc\ndddd", 4, ["a bb", "ccc", "dddd"]), ("", 10, []), ("abcdefgh", 3, ["abc", "def", "gh"]),
    ("기생충은 좋은 영화", 7, ["기생충", "은 좋은", "영화"]), ("この映画。すごい", 8, ["この映", "画。すご", "い"]),
    ("그때까지 쉰여섯 개", 13, ["그때까지", "쉰여섯 개"]), ("기생충은", 5, ["기생", "충은"]),
  ])
  func `text is wrapped at blanks and between wide characters`(text: String, width: Int, lines: [String]) {
    #expect(text.wrapped(to: width) == lines)
  }

  @Test(arguments: [
    ("Alien", "Alien"), ("a\tb\nc\rd", "a b c d"), ("\u{1B}[31mred\u{7}", "␛[31mred␇"), ("\u{7F}\u{0}", "␡␀"),
    ("\u{9B}2J\u{85}", "�2J�"), ("\u{202E}gnp.exe\u{2066}\u{200F}\u{61C}", "�gnp.exe���"), ("a\u{2028}b", "a�b"),
    ("기생충 ©—“” é", "기생충 ©—“” é"), ("a\r\nb", "a  b"),
  ])
  func `sanitized text contains no control characters`(text: String, safe: String) {
    #expect(text.sanitized == safe)
  }

  @Test func `sanitized lines keep their line breaks`() {
    #expect("one\n\u{1B}two\n\nthree".sanitizedLines == "one\n␛two\n\nthree")
  }

  @Test func `random text is safe after sanitizing and keeps the requested width`() {
    var random = SplitMix(seed: 11)
    for _ in 0..<10_000 {
      let text = random.text()
      let safe = text.sanitized
      #expect(safe.unicodeScalars.allSatisfy { $0.onTerminal == $0 })
      #expect(safe.sanitized == safe)
      let width = Int.random(in: 0...20, using: &random)
      #expect(safe.truncated(to: width).cellWidth <= width)
      #expect(safe.padded(to: width, .center).cellWidth == max(width, safe.cellWidth))
      // A heap of marks and old jamo can be wider than two cells, and one character is never torn apart.
      for line in safe.wrapped(to: width) { #expect(line.cellWidth <= max(2, width) || line.count == 1) }
    }
  }

  @Test func `long lines are wrapped at blanks but not inside quoted paths`() {
    let text = "catalog: the file '/a path/of some length' is\n  there already, and stays\nas it is"
    #expect(
      text.wrappedLines(to: 20)
        == "catalog: the file\n'/a path/of some length'\nis\n  there already, and\n  stays\nas it is")
    #expect(text.wrappedLines(to: 80) == text)
    #expect("the program's own and 'others'".wrappedLines(to: 14) == "the program's\nown and\n'others'")
  }
}
