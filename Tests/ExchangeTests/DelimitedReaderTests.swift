import Processes
import Testing

@testable import Exchange

struct DelimitedReaderTests {
  private func rows(_ text: String, _ delimiter: Character = ",", piece: Int = 3) throws -> [DelimitedReader.Row] {
    var rest = Array(text.utf8)[...]
    let source = ByteSource(read: {
      let bytes = rest.prefix(piece)
      rest = rest.dropFirst(piece)
      return Array(bytes)
    })
    var reader = DelimitedReader(source, delimiter: delimiter.asciiValue ?? 0)
    var rows: [DelimitedReader.Row] = []
    while let row = try reader.next() { rows.append(row) }
    return rows
  }

  @Test(arguments: [1, 2, 3, 7, 1_000])
  func `rows end with any line break and know their line`(piece: Int) throws {
    let text = "a,b\r\n1,2\n\n\"x\r\ny\",4\r5,6"
    let expected = [(1, ["a", "b"]), (2, ["1", "2"]), (4, ["x\r\ny", "4"]), (6, ["5", "6"])]
    let found = try rows(text, piece: piece)
    #expect(found.map(\.line) == expected.map(\.0))
    #expect(found.map(\.cells) == expected.map(\.1))
  }

  @Test func `quotation marks inside and around cells are read`() throws {
    #expect(try rows(#""7"", EP",b"#)[0].cells == ["7\", EP", "b"])
    #expect(try rows(#""Heroes" live,b"#)[0].cells == ["\"Heroes\" live", "b"])
    #expect(try rows(#"12" single,b"#)[0].cells == ["12\" single", "b"])
    #expect(try rows("\",\"")[0].cells == [","])
    #expect(try rows("\"\",\"\"")[0].cells == ["", ""])
    #expect(try rows("a;\"b;c\"", ";")[0].cells == ["a", "b;c"])
  }

  @Test func `endless cells and rows are rejected without reading the whole input`() throws {
    var count = 0
    let endless = ByteSource(read: {
      count += 1
      return Array(repeating: UInt8(ascii: "x"), count: 64 << 10)
    })
    var reader = DelimitedReader(endless, delimiter: UInt8(ascii: ","))
    #expect(throws: ImportProblem.self) { try reader.next() }
    #expect(count < 100)
    var cells = DelimitedReader(
      ByteSource(read: { Array(repeating: UInt8(ascii: ","), count: 64 << 10) }), delimiter: UInt8(ascii: ","))
    #expect(throws: ImportProblem.self) { try cells.next() }
    var quote = DelimitedReader(
      ByteSource(bytes: Array("a\n\"b".utf8) + Array(repeating: 0x0A, count: 2 << 20)), delimiter: 0x2C)
    _ = try quote.next()
    #expect(throws: ImportProblem.self) { try quote.next() }
  }
}
