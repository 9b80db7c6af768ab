import TestSupport
import Testing

@testable import CommandLineKit

/// docs/output.md, row by row.
struct SanitizingTests {
  static let terminal = Sanitizing(isForTerminal: true)
  static let pipe = Sanitizing()
  static let raw = Sanitizing(choice: .raw)
  static let spreadsheet = Sanitizing(choice: .forSpreadsheets)

  struct Case: CustomTestStringConvertible, Sendable {
    var text: String
    var terminal: String
    var pipe: String
    /// The CSV cell, if it differs from a line in a pipe.
    var csv: String?
    var rawCell: String?
    var testDescription: String { text.debugDescription }
  }

  @Test(arguments: [
    ("a\nb\n", "a\nb\n", "a\nb\n"), ("TI  - a\u{1B}[2J\r\n\r\n", "TI  - a␛[2J\r\n\r\n", "TI  - a␛[2J\r\n\r\n"),
    ("\u{202E}a\r\nb", "\u{202E}a\u{202C}\r\nb", "�a\r\nb"), ("a\tb\u{9B}\u{7}", "a\tb�␇", "a b�␇"),
    ("a\rb\u{85}c\u{2028}d\u{B}", "a\rb�c�d␋", "a b�c�d␋"), ("", "", ""),
  ])
  func `the lines of a text stay, and what one leaves open ends with it`(text: String, pipe: String, terminal: String) {
    #expect(Self.pipe.lines(text) == pipe)
    #expect(Self.terminal.lines(text) == terminal)
    #expect(Self.raw.lines(text) == text)
  }

  static let cases: [Case] = [
    Case(text: "기생충 ©—“…” é שלום", terminal: "기생충 ©—“…” é שלום", pipe: "기생충 ©—“…” é שלום"),
    Case(text: "a\tb", terminal: "a b", pipe: "a b", csv: "a\tb", rawCell: "a b"),
    Case(text: "a\r\nb\n", terminal: "a  b ", pipe: "a  b ", csv: "\"a\r\nb\n\"", rawCell: "a  b "),
    Case(text: "\u{0}\u{7}\u{1B}[2J\u{7F}", terminal: "␀␇␛[2J␡", pipe: "␀␇␛[2J␡"),
    Case(text: "\u{80}a\u{9B}2J\u{9F}\u{A0}", terminal: "�a�2J�\u{A0}", pipe: "�a�2J�\u{A0}"),
    Case(text: "a\u{2028}b\u{2029}", terminal: "a�b�", pipe: "a�b�"),
    // Marks open nothing.
    Case(text: "\u{61C}a\u{200E}b\u{200F}", terminal: "�a�b�", pipe: "\u{61C}a\u{200E}b\u{200F}"),
    // Closed directions are not changed.
    Case(
      text: "\u{2067}שלום\u{2069} \u{202B}x\u{202C}", terminal: "�שלום� �x�",
      pipe: "\u{2067}שלום\u{2069} \u{202B}x\u{202C}"),
    Case(text: "\u{202E}gnp.exe", terminal: "�gnp.exe", pipe: "\u{202E}gnp.exe\u{202C}"),
    Case(
      text: "\u{2066}\u{202A}\u{2068}\u{202D}x", terminal: "����x",
      pipe: "\u{2066}\u{202A}\u{2068}\u{202D}x\u{202C}\u{2069}\u{202C}\u{2069}"),
    // The end of an isolate closes what was opened in it; an end of nothing closes nothing.
    Case(
      text: "\u{202A}\u{2067}\u{202E}x\u{2069}y", terminal: "���x�y",
      pipe: "\u{202A}\u{2067}\u{202E}x\u{2069}y\u{202C}"),
    Case(
      text: "\u{2069}\u{202C}\u{2066}\u{202C}x", terminal: "����x", pipe: "\u{2069}\u{202C}\u{2066}\u{202C}x\u{2069}"),
  ]

  @Test(arguments: cases) func `text is sanitized for each kind of reader`(_ text: Case) throws {
    #expect(Self.terminal.line(text.text) == text.terminal)
    #expect(Self.terminal.cell(text.text) == text.terminal)
    #expect(Self.terminal.commaSeparated([text.text]) == text.terminal)
    #expect(Self.pipe.line(text.text) == text.pipe)
    #expect(Self.pipe.cell(text.text) == text.pipe)
    #expect(Self.pipe.commaSeparated([text.text]) == text.csv ?? text.pipe)
    #expect(Self.raw.line(text.text) == text.text)
    #expect(Self.raw.cell(text.text) == text.rawCell ?? text.text)
    // Raw text is the same for a terminal.
    #expect(Sanitizing(isForTerminal: true, choice: .raw).line(text.text) == text.terminal)
    #expect(Sanitizing(isForTerminal: true, choice: .raw).cell(text.text) == text.terminal)
    // Bytes become the same as text.
    for sanitizing in [Self.terminal, Self.pipe, Self.raw, Self.spreadsheet] {
      var line: [UInt8] = []
      Array(text.text.utf8).withUnsafeBytes { sanitizing.append(cell: $0, to: &line) }
      #expect(String(decoding: line, as: UTF8.self) == sanitizing.cell(text.text))
    }
  }

  @Test func `exactly the harmless characters are copied unchanged`() {
    for scalar in (0...0xFFFF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init) {
      let isHarmless = Array("a\(Character(scalar))".utf8).withUnsafeBytes { Sanitizing.isHarmless($0) }
      if isHarmless != (scalar.onTerminal == scalar) {
        Issue.record("U+\(String(scalar.value, radix: 16)) is taken for \(isHarmless ? "harmless" : "suspect")")
      }
    }
    // Cut in the middle of a character.
    for bytes in [[0xC2], [0xE2], [0xE2, 0x80], [0xD8]] as [[UInt8]] {
      _ = bytes.withUnsafeBytes { Sanitizing.isHarmless($0) }
    }
  }

  @Test func `text in a pipe has no control characters and no open bidirectional marks`() {
    var random = SplitMix(seed: 3)
    for _ in 0..<10_000 {
      let text = random.text()
      let piped = Self.pipe.line(text)
      #expect(Self.pipe.line(piped) == piped, "a second time changes nothing")
      #expect(piped.unicodeScalars.allSatisfy { $0.onTerminal == $0 || Self.isBidirectional($0) })
      // Beside another text it is as it is alone.
      #expect(Self.pipe.line(piped + "x") == piped + "x")
    }
  }

  private static func isBidirectional(_ scalar: Unicode.Scalar) -> Bool {
    [0x61C, 0x200E, 0x200F].contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
      || (0x2066...0x2069).contains(scalar.value)
  }

  @Test(arguments: [
    ("=1+1", "'=1+1"), ("+CMD|'/C calc'!A0", "'+CMD|'/C calc'!A0"), ("-2+3", "'-2+3"), ("@SUM(A1)", "'@SUM(A1)"),
    ("＝1", "'＝1"), ("-", "'-"), ("+-+", "'+-+"), ("--1", "'--1"), ("-1e", "'-1e"), ("-inf", "'-inf"),
    ("-0x10", "'-0x10"),
    // Numbers and other texts stay.
    ("-700", "-700"), ("+1.5", "+1.5"), ("-1e-05", "-1e-05"), ("1+1", "1+1"), ("", ""), ("a=b", "a=b"), ("'=1", "'=1"),
    ("토지", "토지"),
  ])
  func `spreadsheet output contains no formula`(_ text: String, _ cell: String) {
    #expect(Self.spreadsheet.cell(text) == cell)
    #expect(Self.spreadsheet.commaSeparated([text]) == cell)
    #expect(Sanitizing(isForTerminal: true, choice: .forSpreadsheets).cell(text) == cell)
    #expect(Self.pipe.cell(text) == text)
    #expect(Self.pipe.commaSeparated([text]) == text)
  }

  @Test func `quotes and blanks hide no formula in spreadsheet output`() {
    #expect(Self.spreadsheet.cell("\"=1+1\"") == "'\"=1+1\"")
    #expect(Self.spreadsheet.commaSeparated(["\"=1+1\""]) == "\"\"\"=1+1\"\"\"")
    #expect(Self.spreadsheet.commaSeparated(["\t=1", "\r=1", "\n=1"]) == "'\t=1,\"'\r=1\",\"'\n=1\"")
    #expect(Self.spreadsheet.commaSeparated(["=HYPERLINK(\"http://x\",1)"]) == #""'=HYPERLINK(""http://x"",1)""#)
  }
}
