import CatalogModel
import Lookup
import Processes
import TestSupport
import Testing

@testable import Exchange

/// Tests the forms of files: encodings, archives, XML, JSON.
struct ReadingTests {
  @Test func `the encoding of a file is detected from its bytes`() throws {
    let text = "제목,감독\n헤어질 결심,박찬욱\n"
    let utf16 = Array(text.utf16)
    let little = utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    // 제목,감독 / 헤어질 결심,박찬욱 as Windows writes it in Korea.
    let korean: [UInt8] =
      [0xC1, 0xA6, 0xB8, 0xF1, 0x2C, 0xB0, 0xA8, 0xB5, 0xB6, 0x0A]
      + [0xC7, 0xEC, 0xBE, 0xEE, 0xC1, 0xFA, 0x20, 0xB0, 0xE1, 0xBD, 0xC9, 0x2C]
      + [0xB9, 0xDA, 0xC2, 0xF9, 0xBF, 0xED, 0x0A]
    for bytes in [
      Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), [0xFF, 0xFE] + little, [0xFE, 0xFF] + big, korean,
    ] {
      let file = try SmallFile(bytes)
      let rows = try Import(path: file.path).all()
      #expect(rows.map(\.entry?.record.title) == ["헤어질 결심"])
      #expect(rows.first?.entry?.record.creators == ["박찬욱"])
      #expect(rows.first?.entry?.record.kind == .movie)
    }
  }

  @Test func `Latin-1 text and stray bytes lose no characters`() throws {
    let latin = try SmallFile(
      Array("Titel;Autor\nDie Verwandlung;K".utf8) + [0xE4] + Array("fka ".utf8) + [0x80] + [0x0A])
    #expect(try Import(path: latin.path).all().first?.entry?.record.creators == ["Käfka €"])
    #expect(String(forgiving: Array("é".utf8) + [0xE9]) == "éé")
  }

  @Test func `the delimiter of a table is detected`() throws {
    for delimiter in [",", ";", "\t", "|"] {
      let text =
        ["Title", "Director", "Year"].joined(separator: delimiter) + "\n"
        + ["Heat", "Michael Mann", "1995"].joined(separator: delimiter) + "\n"
      let rows = try rows(text)
      #expect(rows.map(\.words) == ["Heat (1995)"], "\(delimiter)")
    }
    #expect(try rows("sep=;\nTitle;Director\nHeat, again;Michael Mann\n").map(\.words) == ["Heat, again"])
  }

  @Test func `XML is read within limits, and entity declarations are rejected`() throws {
    func names(_ text: String) throws -> [String] {
      var names: [String] = []
      try XMLElements(source: ByteSource(bytes: Array(text.utf8))).forEach(named: ["movie"]) {
        names.append($0.children.first?.text ?? "")
        return true
      }
      return names
    }
    #expect(try names("<a><movie><t>1 &amp; 2</t></movie><movie><t>3</t></movie></a>") == ["1 & 2", "3"])
    let bomb = """
      <!DOCTYPE a [<!ENTITY x "xxxxxxxxxx"><!ENTITY y "&x;&x;&x;&x;">]><a><movie><t>&y;</t></movie></a>
      """
    #expect(throws: ImportProblem(.tooMuch, "the XML declares entities, which are not read")) { try names(bomb) }
    #expect(throws: ImportProblem.self) { try names(String(repeating: "<a>", count: 100)) }
    #expect(throws: ImportProblem.self) { try names("<a><movie>") }
    let endless = "<movie><t>" + String(repeating: "x", count: 5 << 20)
    #expect(throws: ImportProblem.self) { try names(endless) }
  }

  @Test func `JSON items are read one by one in every layout`() throws {
    let heat = #"{"title":"Heat","year":1995,"director":"Michael Mann"}"#
    let alien = #"{"title":"Alien","year":1979,"director":"Ridley Scott"}"#
    for text in [
      "[\(heat),\n\(alien)]", "\(heat)\n\(alien)\n", #"{"1":\#(heat),"2":\#(alien)}"#,
      #"{"page":1,"movies":[\#(heat),\#(alien)]}"#,
    ] {
      #expect(try rows(text).map(\.words) == ["Heat (1995)", "Alien (1979)"])
    }
    #expect(try rows(heat).map(\.words) == ["Heat (1995)"])
    for text in ["[\(heat),", "[\(heat),{\"title\":", "[\(heat),nonsense}"] {
      #expect(throws: ImportProblem.self) { try rows(text) }
    }
  }

  @Test func `files of unknown or damaged formats are rejected with a reason`() throws {
    func problem(_ bytes: [UInt8]) throws -> ImportProblem? {
      let file = try SmallFile(bytes)
      do throws(ImportProblem) {
        _ = try Import(path: file.path)
        return nil
      } catch { return error }
    }
    #expect(try problem([])?.reason == .unknown)
    #expect(try problem(Array("%PDF-1.7".utf8))?.description.contains("a PDF") == true)
    #expect(try problem([0x50, 0x4B, 3, 4, 0, 0, 0, 0])?.reason == .damaged)
    #expect(try problem(Array("SQLite format 3\0rubbish".utf8))?.reason == .damaged)
    #expect(try problem(Array("<html><body>".utf8))?.reason == .unknown)
    #expect(try problem(Array("A,B,C\n1,2,3\n".utf8))?.description.contains("A, B, C") == true)
    #expect(throws: ImportProblem.self) { try Import(path: "/nowhere/file.csv") }
    #expect(throws: ImportProblem.self) { try Import(path: SmallFile("text").folder.path) }
    #expect(throws: ImportProblem.self) { try rows("Title,Year\nHeat,1995\n", format: "goodreads") }
    #expect(throws: ImportProblem.self) { try rows("Title,Year\nHeat,1995\n", format: "nothing") }
  }

  @Test func `an archive is read in memory within a size limit`() throws {
    let file = try SmallFile(zip: ["a.txt": "one", "folder/[b]*.txt": "two"])
    let archive = try ZipArchive(path: file.path)
    #expect(archive.members == ["a.txt", "folder/[b]*.txt"])
    #expect(try archive.read("folder/[b]*.txt").all(limit: 10) == Array("two".utf8))
    #expect(throws: ImportProblem.self) { try archive.read("a.txt").all(limit: 2) }
  }
}
