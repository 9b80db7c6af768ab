import CatalogModel
import TestSupport
import Testing

@testable import Lookup

struct PlainTextTests {
  @Test(arguments: [
    ("a<br>b<br/>c<BR />d", "a\nb\nc\nd"), ("<p>One</p><p>Two</p>", "One\n\nTwo"), ("<i>x</i> <b>y</b>", "x y"),
    ("AT&T &amp; a < b > c", "AT&T & a < b > c"), ("&amp;lt;", "&lt;"), ("&#233;&#xE9;&eacute;", "ééé"),
    ("&#0;&#27;x&#xD800;&#99999999;", "x&#xD800;&#99999999;"), ("1 <2 and 3> 2", "1 <2 and 3> 2"), ("a<b", "a<b"),
    ("<!-- note -->text", "text"), ("&unknown; &;", "&unknown; &;"), ("it&rsquo;s&nbsp;&hellip;", "it’s …"),
    ("a\n<br />b<br>\nc", "a\nb\nc"), ("a\n<br />\n<br />\nb", "a\n\nb"), ("a<p>b\n<p>c", "a\n\nb\n\nc"),
    ("One.\n\nTwo <i>x</i>\n<b>y</b>", "One.\n\nTwo x\ny"), ("<ul><li>a</li><li>b</li></ul>", "a\n\nb"), ("", ""),
    ("<<<>>>&&&", "<<<>>>&&&"),
  ])
  func `HTML becomes plain text`(html: String, text: String) {
    #expect(PlainText.text(ofHTML: html) == text)
  }

  @Test(arguments: [
    ("He **wins** a *prize*, _at last_.", "He wins a prize, at last."),
    ("snake_case and 2 * 3 * 4", "snake_case and 2 * 3 * 4"),
    ("See [the page](https://a.example/b).", "See the page."),
    ("First [link][1].\n\n  [1]: https://a.example", "First link."),
    ("It begins.\r\n([source][1])\r\n\r\n\r\n  [1]: https://a.example/", "It begins."),
    ("One.\n([Source](https://a.example))", "One."),
    ("Also in:\n\n----------\n- [Works](/works/OL1W)", "Also in:\n\n- Works"),
    ("## Part\n> said", "Part\nsaid"), ("* a\n* b", "• a\n• b"), ("Harry Potter #1", "Harry Potter #1"),
    ("[1] and (2) and [a] (b)", "[1] and (2) and [a] (b)"), (#"5\* and \_x\_"#, "5* and _x_"), ("[", "["),
    ("([a", "([a"), ("", ""),
    ("**해리** 포터", "해리 포터"), ("A\n\n\n\nB", "A\n\nB"),
  ])
  func `Markdown becomes plain text`(markdown: String, text: String) {
    #expect(PlainText.text(ofMarkdown: markdown) == text)
  }

  @Test(.timeLimit(.minutes(Patience.minutes)), arguments: ["[", "[a](", "(", "*", "_a", "([a][", "\\"])
  func `unclosed Markdown is converted in linear time`(piece: String) {
    #expect(!PlainText.text(ofMarkdown: String(repeating: piece, count: 200_000) + "z").isEmpty)
  }

  /// Tests for quadratic time: a search to the end for each tag would take more than a minute.
  @Test(.timeLimit(.minutes(Patience.minutes)), arguments: ["<a", "<!--", "&", "&#", "<a>", "<"])
  func `unclosed HTML is converted in linear time`(piece: String) {
    let html = String(repeating: piece, count: 300_000)
    #expect(PlainText.text(ofHTML: html) == (piece == "<a>" ? "" : html))
  }

  @Test(arguments: [
    ("a\r\nb\rc\nd", "a\nb\nc\nd"), ("\n\n a\n\n\n\n b \n", "a\n\n b"), ("a \t\nb", "a\nb"),
    ("a\u{0}\u{1B}\u{7F}\u{9B}b\tc", "ab\tc"),
    (" \n\t", ""), ("가\u{2029}나", "가\n나"),
  ])
  func `paragraphs are kept and line ends are normalized`(text: String, prose: String) {
    #expect(PlainText.prose(text) == prose)
  }

  @Test(arguments: [
    ("  a  b\n\tc ", "a b c"), ("\u{0}", ""), ("a\u{0}b", "ab"), ("a\u{A0}\u{3000}b", "a b"), ("e\u{301}", "é"),
  ])
  func `text becomes one line with single blanks`(text: String, line: String) {
    #expect(PlainText.line(text) == line)
  }

  @Test func `a line of an answer has characters for references`() {
    #expect(JSON.text("Tom &amp; Jerry &#39;40 &nothing; A&B &#27;[2J").line == "Tom & Jerry '40 &nothing; A&B [2J")
  }

  @Test func `every character in a line is treated by its Unicode properties`() {
    for scalar in (UInt32(0)...0x10FFFF).lazy.compactMap(Unicode.Scalar.init) {
      let text = "a\(scalar)b"
      let expected =
        scalar.properties.isWhitespace ? "a b" : scalar.properties.generalCategory == .control ? "ab" : text
      if Array(PlainText.line(text).utf8) != Array(expected.utf8) {
        Issue.record("U+\(String(scalar.value, radix: 16))")
      }
    }
  }
}
