import Foundation
import Processes
import TestSupport
import Testing

@testable import SourceCopies

struct ScannerTests {
  private func source(_ bytes: [UInt8], pieces: Int) -> ByteSource {
    var place = 0
    return ByteSource(read: {
      defer { place = min(bytes.count, place + pieces) }
      return Array(bytes[place..<min(bytes.count, place + pieces)])
    })
  }

  // MARK: Lines

  @Test(arguments: [1, 2, 5, 1_000])
  func `lines are read with either end, in pieces of any size`(_ pieces: Int) throws {
    var lines = LineScanner(source(Array("a\r\n\nbcd\n한강\n".utf8), pieces: pieces))
    var read: [String] = []
    while let line = try lines.next() { read.append(line.text) }
    #expect(read == ["a", "", "bcd", "한강"])
    #expect(!lines.isCut)
  }

  @Test func `a last line without an end means that the file is cut off`() throws {
    var lines = LineScanner(source(Array("a\nb".utf8), pieces: 10))
    #expect(try lines.next()?.text == "a")
    #expect(try lines.next() == nil)
    #expect(lines.isCut)
    var rows = LineScanner(source(Array("a\nb".utf8), pieces: 10), isCSV: true)
    _ = try rows.next()
    #expect(try rows.next()?.text == "b")
    #expect(!rows.isCut)
    var open = LineScanner(source(Array("a\n\"b,c\n".utf8), pieces: 10), isCSV: true)
    #expect(try open.next()?.text == "a")
    #expect(try open.next() == nil)
    #expect(open.isCut)
  }

  @Test func `a line of 200 MB is left out in bounded memory, and counted`() throws {
    var left = 200
    var tail = ["\nnext\n"]
    let source = ByteSource(read: {
      left -= 1
      if left >= 0 { return [UInt8](repeating: 0x61, count: 1 << 20) }
      return tail.popLast().map { Array($0.utf8) } ?? []
    })
    var lines = LineScanner(source)
    #expect(try lines.next()?.text == "next")
    #expect(lines.leftOut == 1)
    #expect(try lines.next() == nil)
  }

  // MARK: CSV

  @Test(arguments: [1, 3, 1_000])
  func `rows with quoted commas, line ends and doubled marks are read as they were written`(_ pieces: Int) throws {
    let rows = [["a", "b,c", "d\"e"], ["", "한\n강", "x"], ["\"", "\r\n", ","]]
    let text = rows.map { row in
      row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",") + "\r\n"
    }.joined()
    var scanner = LineScanner(source(Array((text + "\nplain,2,\n").utf8), pieces: pieces), isCSV: true)
    var read: [[String]] = []
    while let row = try scanner.next() {
      let cells = Cells(row, isCSV: true)
      read.append((0..<cells.count).map { cells[$0].text.replacing("\"\"", with: "\"") })
    }
    #expect(read == rows + [["plain", "2", ""]])
  }

  @Test func `a row with an open quotation mark is left out alone`() throws {
    let rest = String(repeating: "a,b\n", count: 400_000)
    var scanner = LineScanner(source(Array(("x,\"open\n" + rest).utf8), pieces: 65_536), isCSV: true)
    var count = 0
    while try scanner.next() != nil { count += 1 }
    #expect(count == 400_000)
    #expect(scanner.leftOut == 1)
  }

  // MARK: Texts

  @Test(arguments: [
    ("Kind of Blue", "Kind of Blue"), ("  a \t b\n", "a b"), ("A &amp; B", "A & B"), ("&#13;x&#x41;&#7;", "xA"),
    ("&unknown; & co", "&unknown; & co"), ("e\u{301}", "\u{E9}"), ("", ""), ("&#xFFFFFFFFF;", "&#xFFFFFFFFF;"),
  ])
  func `a text becomes one clean line`(_ raw: String, _ line: String) {
    #expect(Array(raw.utf8).withUnsafeBytes { DumpText.xml($0) } == line)
  }

  @Test func `invalid bytes are replaced, and a long text ends between two characters`() {
    #expect([UInt8]([0x61, 0xFF, 0x62]).withUnsafeBytes { DumpText.xml($0) } == "a\u{FFFD}b")
    #expect(DumpText.line(String(repeating: "한", count: 1_000)) == String(repeating: "한", count: 666))
  }

  @Test(arguments: [
    ("Kind of Blue", "Kind of Blue"), (#"a\tb\nc"#, "a b c"), (#"a \\ b"#, #"a \ b"#), (#"cut\"#, "cut"),
    (#"\\n"#, #"\n"#),
  ])
  func `the escapes of PostgreSQL are read`(_ raw: String, _ line: String) {
    #expect(Array(raw.utf8).withUnsafeBytes { DumpText.copy($0) } == line)
  }

  // MARK: Keys

  @Test(arguments: [
    ("OK Computer", "okcomputer"), ("The Wall", "wall"), ("Dune (Deluxe Edition)", "Dune"), ("R&B", "r and b"),
    ("Björk", "bjork"), ("Kind of Blue [Remastered]", "KIND OF BLUE"),
  ])
  func `titles that differ in signs, articles or brackets have one key`(_ title: String, _ other: String) {
    #expect(TitleKey.of(title) == TitleKey.of(other))
  }

  @Test(arguments: [
    ("0 7464-40579-1 1", 7_464_405_791), ("4006381333931", 400_638_133_393), ("4006381333932", nil), ("none", nil),
    ("B 0 074644057911", nil), ("", nil), ("00000000", nil), ("074644057911", 7_464_405_791),
  ])
  func `a barcode of a dump has a key if its check digit is right`(_ text: String, _ key: Int?) {
    #expect(CodeKey.barcode(text) == key.map { UInt64($0) })
  }
}
