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
    var lines = LineScanner(ByteWindow(source(Array("a\r\n\nbcd\n한강\n".utf8), pieces: pieces)))
    var read: [String] = []
    var offsets: [Int] = []
    while let line = try lines.next() {
      read.append(line.text)
      offsets.append(lines.offset)
    }
    #expect(read == ["a", "", "bcd", "한강"])
    #expect(offsets == [3, 4, 8, 15])
    #expect(!lines.isCut)
  }

  @Test func `a last line without an end means that the file is cut off`() throws {
    var lines = LineScanner(ByteWindow(source(Array("a\nb".utf8), pieces: 10)))
    #expect(try lines.next()?.text == "a")
    #expect(try lines.next() == nil)
    #expect(lines.isCut)
    var forgiving = LineScanner(ByteWindow(source(Array("a\nb".utf8), pieces: 10)), endsLastLine: false)
    _ = try forgiving.next()
    #expect(try forgiving.next()?.text == "b")
    #expect(!forgiving.isCut)
  }

  @Test func `a line of 200 MB is left out in bounded memory, and counted`() throws {
    var left = 200
    var tail = ["\nnext\n"]
    let source = ByteSource(read: {
      left -= 1
      if left >= 0 { return [UInt8](repeating: 0x61, count: 1 << 20) }
      return tail.popLast().map { Array($0.utf8) } ?? []
    })
    let window = ByteWindow(source)
    var lines = LineScanner(window)
    #expect(try lines.next()?.text == "next")
    #expect(lines.tooLong == 1)
    #expect(try lines.next() == nil)
  }

  @Test func `a scanner goes on behind a place as if it had read all before it`() throws {
    let bytes = Array((0..<100).map { "line \($0)\n" }.joined().utf8)
    var lines = LineScanner(ByteWindow(source(bytes, pieces: 7)))
    for _ in 0..<40 { _ = try lines.next() }
    let offset = lines.offset
    var others = LineScanner(ByteWindow(source(bytes, pieces: 13)))
    #expect(try others.skip(to: offset))
    #expect(try others.next()?.text == "line 40")
    var short = LineScanner(ByteWindow(source(bytes, pieces: 13)))
    #expect(try !short.skip(to: bytes.count + 1))
  }

  // MARK: CSV

  @Test(arguments: [1, 3, 1_000])
  func `rows with quoted commas, line ends and doubled marks are read as they were written`(_ pieces: Int) throws {
    let rows = [["a", "b,c", "d\"e"], ["", "한\n강", "x"], ["\"", "\r\n", ","]]
    let text = rows.map { row in
      row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",") + "\r\n"
    }.joined()
    var scanner = CSVScanner(ByteWindow(source(Array((text + "\nplain,2,\n").utf8), pieces: pieces)))
    var read: [[String]] = []
    while try scanner.next() {
      read.append((0..<scanner.count).map { scanner[$0].text.replacing("\"\"", with: "\"") })
    }
    #expect(read == rows + [["plain", "2", ""]])
  }

  @Test func `a row with an open quotation mark is left out alone`() throws {
    let rest = String(repeating: "a,b\n", count: 400_000)
    var scanner = CSVScanner(ByteWindow(source(Array(("x,\"open\n" + rest).utf8), pieces: 65_536)))
    var count = 0
    while try scanner.next() { count += 1 }
    #expect(count == 400_000)
    #expect(scanner.damaged == 1)
  }

  // MARK: JSON

  @Test(
    .enabled(if: RecordedDumps.folder != nil, "set CATALOG_FIXTURES to the folder with recorded dumps"),
    arguments: [
      "dumps/ol_dump_works.tsv", "dumps/ol_dump_editions.tsv", "dumps/ol_dump_authors.tsv",
    ])
  func `members of recorded documents are read as Foundation reads them`(_ file: String) throws {
    for line in try RecordedDumps.bytes(file).split(separator: 0x0A) {
      let document = Array(line.split(separator: 0x09, maxSplits: 4)[4])
      let judged = try #require(try JSONSerialization.jsonObject(with: Data(document)) as? [String: Any])
      var keys: Set<String> = []
      let isWhole = document.withUnsafeBytes { bytes in
        JSONMembers.forEach(in: bytes) { key, value in
          keys.insert(key.text)
          switch JSONMembers.Value(value) {
          case .string:
            let text = String(
              decoding: TextCleaner.withoutEscapes(JSONMembers.text(value), isJSON: true), as: UTF8.self)
            let other = judged[key.text] as? String
            #expect(text.filter { !$0.isWhitespace } == other?.filter { !$0.isWhitespace })
          case .array:
            var count = 0
            JSONMembers.forEachElement(of: value) { _ in
              count += 1
              return true
            }
            #expect(count == (judged[key.text] as? [Any])?.count)
          case .object, .other: break
          }
        }
      }
      #expect(isWhole)
      #expect(keys == Set(judged.keys))
    }
  }

  @Test func `a document that is cut off at any byte, or damaged, is read or refused`() {
    let document = Array(#"{"a": [1, {"b": "c\"]"}], "d": "e\\", "f": {"g": null}, "h": -1.5e3}"#.utf8)
    func read(_ bytes: [UInt8]) -> Bool {
      bytes.withUnsafeBytes { bytes in
        JSONMembers.forEach(in: bytes) { _, value in JSONMembers.forEachElement(of: value) { _ in true } }
      }
    }
    #expect(read(document))
    for count in 0..<document.count { #expect(!read(Array(document[..<count])), "cut at byte \(count)") }
    var random = SplitMix(seed: 7)
    for _ in 0..<10_000 { _ = read(Mutation.of(document, &random)) }
  }

  // MARK: Texts

  @Test(arguments: [
    ("Kind of Blue", "Kind of Blue"), ("  a \t b\n", "a b"), ("A &amp; B", "A & B"), ("&#13;x&#x41;&#7;", "xA"),
    ("&unknown; & co", "&unknown; & co"), ("e\u{301}", "\u{E9}"), ("", ""), ("&#xFFFFFFFFF;", "&#xFFFFFFFFF;"),
  ])
  func `a text becomes one clean line`(_ raw: String, _ line: String) {
    let cleaner = TextCleaner()
    #expect(Array(raw.utf8).withUnsafeBytes { cleaner.line($0, .xml).text } == line)
  }

  @Test func `invalid bytes are replaced, and a long text ends between two characters`() {
    let cleaner = TextCleaner()
    #expect([0x61, 0xFF, 0x62].withUnsafeBytes { cleaner.line($0).text } == "a\u{FFFD}b")
    let long = Array(String(repeating: "한", count: 1_000).utf8)
    #expect(long.withUnsafeBytes { cleaner.line($0).text } == String(repeating: "한", count: 666))
  }

  // MARK: Archives

  @Test func `files of an archive are read one by one, with long names`() throws {
    let long = String(repeating: "n", count: 150)
    let content = Array(String(repeating: "0123456789", count: 200).utf8)
    let bytes =
      TarMember.bytes(name: "a", content: Array("first".utf8))
      + TarMember.bytes(name: "././@LongLink", content: Array((long + "\0").utf8), type: UInt8(ascii: "L"))
      + TarMember.bytes(name: String(long.prefix(100)), content: content) + TarMember.bytes(name: "empty", content: [])
      + [UInt8](repeating: 0, count: 1_024)
    for pieces in [100, 512, 5_000] {
      let tar = TarStream(source(bytes, pieces: pieces))
      var names: [String] = []
      var contents: [[UInt8]] = []
      while let member = try tar.next() {
        names.append(member.name)
        let offset = tar.offset
        var read: [UInt8] = []
        let content = tar.content()
        while case let piece = try content.next(), !piece.isEmpty { read += piece }
        #expect(Array(bytes[offset..<offset + read.count]) == read)
        contents.append(read)
      }
      #expect(names == ["a", long, "empty"])
      #expect(contents == [Array("first".utf8), content, []])
    }
    for count in stride(from: 0, to: bytes.count - 1_024, by: 37) {
      let tar = TarStream(source(Array(bytes[..<count]), pieces: 300))
      #expect(throws: DumpProblem.self) { while try tar.next() != nil {} }
    }
    var random = SplitMix(seed: 3)
    for _ in 0..<1_000 {
      let tar = TarStream(source(Mutation.of(bytes, &random), pieces: 300))
      do { while try tar.next() != nil {} } catch is DumpProblem {}
    }
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
    #expect(Array(text.utf8).withUnsafeBytes { CodeKey.barcode($0) } == key.map { UInt64($0) })
  }
}
