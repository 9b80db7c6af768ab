import CatalogModel
import Foundation
import TestSupport
import Testing

@testable import Exchange
@testable import fuzz_answers

/// Tests files whose table or list stands in a form of its own.
struct ContainerTests {
  // MARK: Workbooks

  /// The members of a workbook with these sheets: a name, attributes, and rows in XML.
  static func workbook(
    _ sheets: [(name: String, attributes: String, rows: String)], strings: [String] = [], is1904: Bool = false
  ) -> [(name: String, bytes: [UInt8])] {
    let list = sheets.enumerated().map {
      #"<x:sheet name="\#($1.name)" sheetId="9\#($0)" \#($1.attributes) r:id="rId\#($0)"/>"#
    }
    let links = sheets.indices.map {
      #"<Relationship Id="rId\#($0)" Target="\#($0 % 2 == 0 ? "" : "/xl/")worksheets/s\#($0).xml"/>"#
    }
    var members = [
      ("[Content_Types].xml", "<Types/>"),
      (
        "xl/workbook.xml",
        #"<x:workbook xmlns:x="m" xmlns:r="r"><x:workbookPr date1904="\#(is1904 ? 1 : 0)"/><x:sheets>\#(list.joined())</x:sheets></x:workbook>"#
      ),
      ("xl/_rels/workbook.xml.rels", "<Relationships>\(links.joined())</Relationships>"),
      (
        "xl/styles.xml",
        #"""
        <styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;년&quot;\ m&quot;d&quot;"/>
        <numFmt numFmtId="165" formatCode="[Red]0&quot; days&quot;"/></numFmts>
        <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
        <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/>
        <xf numFmtId="9"/></cellXfs></styleSheet>
        """#
      ),
    ]
    if !strings.isEmpty { members.append(("xl/sharedStrings.xml", "<sst>\(strings.joined())</sst>")) }
    for (number, sheet) in sheets.enumerated() {
      members.append(("xl/worksheets/s\(number).xml", "<worksheet><sheetData>\(sheet.rows)</sheetData></worksheet>"))
    }
    return members.map { ($0.0, Array($0.1.utf8)) }
  }

  /// A row of texts.
  static func row(_ number: Int, _ cells: String...) -> String {
    let cells = cells.map { "<c t=\"inlineStr\"><is><t>\($0)</t></is></c>" }
    return "<row r=\"\(number)\">\(cells.joined())</row>"
  }

  private func rows(
    zip members: [(name: String, bytes: [UInt8])], choices: ImportChoices = ImportChoices(), remarks: [String] = []
  ) throws -> [String] {
    let file = try SmallFile([])
    try ZipFile.write(members, to: file.path)
    return try withExtendedLifetime(file) {
      let opened = try Import(path: file.path, choices: choices)
      #expect(opened.remarks.map { $0.message.text(in: nil) } == remarks)
      return try opened.all().map(Self.line)
    }
  }

  private func rows(_ bytes: [UInt8], choices: ImportChoices = ImportChoices(), name: String = "file") throws
    -> [String]
  {
    let file = try SmallFile(bytes, name: name)
    return try withExtendedLifetime(file) { try Import(path: file.path, choices: choices).all().map(Self.line) }
  }

  /// A row as a line: `3 book Title|Maker|1999|90 2024-05-03|ISBN|note`.
  static func line(_ row: ImportRow) -> String {
    guard let entry = row.entry else { return "\(row.line) \(row.rejection ?? "")" }
    let record = entry.record
    let opinions = entry.opinions + entry.times.compactMap(\.opinion)
    let diary =
      opinions.compactMap { $0.rating.map { "\($0.value)" } } + entry.times.compactMap { $0.endedOn?.description }
    let parts = [
      record.title, record.creators.joined(separator: " & "), record.year.map(String.init) ?? "",
      diary.joined(separator: " "), record.book.isbn?.digits13 ?? "", entry.notes.joined(separator: "; "),
    ]
    return "\(row.line) \(record.kind.rawValue) \(parts.joined(separator: "|"))"
  }

  @Test func `cells of a workbook are read by their types and styles`() throws {
    let strings = ["Title", "Author", "Read on", "ISBN", "Pages", "Note", "Progress"].map { "<si><t>\($0)</t></si>" }
    let titles = [
      "<si><r><t>An Invented </t></r><r><rPr><b/></rPr><t>Book</t></r><rPh sb=\"0\" eb=\"1\"><t>decoy</t></rPh></si>"
    ]
    let rows = """
      <row r="1"><c r="A1" t="str"><v>My books</v></c></row>
      <row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>3</v></c>
      <c t="s"><v>4</v></c><c t="s"><v>5</v></c></row>
      <row r="4"><c r="A4" t="s"><v>7</v></c><c r="C4" s="1"><f>TODAY()</f><v>45415.25</v></c>
      <c r="D4"><v>9.780306406157E+12</v></c><c r="E4" s="3"><v>320</v></c><c r="F4" t="e"><v>#REF!</v></c></row>
      <row r="6"><c r="A6" t="inlineStr"><is><t>Two, "2"&#10;B</t></is></c><c r="B6" t="str"><v>Jane Roe</v></c>
      <c r="C6" t="d"><v>2024-05-04T00:00:00</v></c><c r="F6" t="b"><v>1</v></c></row>
      <row r="7"><c r="A7" t="inlineStr"><is><t>Three</t></is></c><c r="C7" s="2"><v>45415</v></c></row>
      """
    let members = Self.workbook(
      [("Decoy", "state=\"hidden\"", Self.row(1, "Title", "Author") + Self.row(2, "A", "B")), ("책", "", rows)],
      strings: strings + titles)
    #expect(
      try self.rows(zip: members) == [
        "4 book An Invented Book|||2024-05-03|9780306406157|", "6 book Two, \"2\" B|Jane Roe||2024-05-04||Note: true",
        "7 book Three|||2024-05-03||",
      ])
    let later = Self.workbook([("a", "", rows)], strings: strings + titles, is1904: true)
    #expect(try self.rows(zip: later).last == "7 book Three|||2028-05-04||")
  }

  @Test func `of several sheets one is read, and the others are told`() throws {
    let sheets = [
      ("Notes", "", Self.row(1, "to", "do")),
      ("Films", "", Self.row(1, "Film", "Director") + Self.row(2, "Heat", "M M")),
      ("Books", "", Self.row(1, "Book", "Author") + Self.row(2, "Dune", "F H")), ("Empty", "", ""),
    ]
    let told = "of its sheets only 'Films' is read; --sheet NAME chooses another: Notes, Books"
    #expect(try rows(zip: Self.workbook(sheets), remarks: [told]) == ["2 movie Heat|M M||||"])
    #expect(
      try rows(zip: Self.workbook(sheets), choices: ImportChoices(sheet: "books")) == ["2 book Dune|F H||||"])
    #expect(throws: ImportProblem.self) { try rows(zip: Self.workbook(sheets), choices: ImportChoices(sheet: "x")) }
    #expect(throws: ImportProblem.self) { try rows(zip: Self.workbook([("Empty", "", "")])) }
    #expect(throws: ImportProblem.self) {
      try rows(Array("Title,Author\nA,B\n".utf8), choices: ImportChoices(sheet: "x"))
    }
    // A single column of titles is a list.
    let list = [("a", "", Self.row(1, "Heat, again (1995)") + Self.row(3, "\"Heroes\""))]
    #expect(
      try rows(zip: Self.workbook(list), choices: ImportChoices(kind: .movie))
        == ["1 movie Heat, again||1995|||", "3 movie \"Heroes\"|||||"])
  }

  @Test func `a sheet of LibreOffice is read with its repeated cells and blanks`() throws {
    func cell(_ text: String, _ attributes: String = "") -> String {
      "<t:table-cell \(attributes)><text:p>\(text)</text:p></t:table-cell>"
    }
    let xml = """
      <o:document-content xmlns:o="o" xmlns:t="t" xmlns:text="x"><t:table t:name="A"><t:table-row t:number-rows-repeated="2">
      <t:table-cell t:number-columns-repeated="16384"/></t:table-row><t:table-row>\(cell("Album"))\(cell("Artist"))
      \(cell("Price"))\(cell("Bought"))\(cell("Rating"))</t:table-row><t:table-row>
      \(cell("An <text:span>In</text:span>vented<text:s text:c=\"1\"/>One", "o:value-type=\"string\""))
      \(cell("Some Band"))\(cell("12,50 €", "o:value-type=\"currency\" o:currency=\"EUR\" o:value=\"12.5\""))
      \(cell("03.05.24", "o:value-type=\"date\" o:date-value=\"2024-05-03T10:00:00\""))
      \(cell("4,5", "o:value-type=\"float\" o:value=\"4.5\""))</t:table-row>
      <t:table-row t:number-rows-repeated="99999999999"><t:table-cell/></t:table-row></t:table>
      <t:table t:name="B"><t:table-row>\(cell("Film"))\(cell("Year"))</t:table-row>
      <t:table-row>\(cell("Heat"))\(cell("1995"))</t:table-row></t:table></o:document-content>
      """
    let members = [
      ("mimetype", Array("application/vnd.oasis.opendocument.spreadsheet".utf8)), ("content.xml", Array(xml.utf8)),
    ]
    let file = try SmallFile([])
    try ZipFile.write(members, to: file.path)
    let album = try #require(try Import(path: file.path).all().first)
    #expect(Self.line(album) == "4 vinyl An Invented One|Some Band||90||")
    let copy = try #require(album.entry?.copies.first?.facts)
    #expect(copy.price?.description == "12.50 EUR" && copy.acquiredOn?.description == "2024-05-03")
    #expect(try rows(zip: members, choices: ImportChoices(sheet: "B")) == ["2 movie Heat||1995|||"])
  }

  @Test func `the XML of Excel 2003 is read`() throws {
    let xml = """
      <?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
      <Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
      <Worksheet ss:Name="A"><Table><Row><Cell><Data ss:Type="String">Title</Data></Cell>
      <Cell><Data ss:Type="String">Author</Data></Cell><Cell><Data ss:Type="String">Date Read</Data></Cell></Row>
      <Row ss:Index="5"><Cell><Data ss:Type="String">Dune</Data></Cell>
      <Cell ss:Index="3"><Data ss:Type="DateTime">2024-05-03T00:00:00.000</Data></Cell></Row></Table></Worksheet></Workbook>
      """
    #expect(try rows(Array(xml.utf8)) == ["5 book Dune|||2024-05-03||"])
  }

  @Test(arguments: [
    "<html><table border=1><tr><td>Film<td>Year<tr><td>Heat &amp; <b>Co</b><td>1995</table>",
    "<!DOCTYPE HTML>\n<TABLE><TR><TH>Film</TH><TH>Year</TH></TR><TR><TD>Heat<br>&amp;<!-- <td> --> Co</TD><TD>1995</TD></TR></TABLE>",
    "<table><tr><td><table><tr><td>Film</td><td>Year</td></tr><tr><td>Heat &#38; Co</td><td>1995</td></tr></table></td></tr></table>",
    "<html><head><script>'<table><tr><td>'</script></head><table><tr><td colspan=2>Mine</tr><tr><td>Film<td>Year</tr><tr><td>Heat & Co<td>1995</tr></table>",
    "<?xml version=\"1.0\"?><html xmlns=\"x\"><body><table><tr><td>Film</td><td>Year</td></tr><tr><td>Heat &amp; Co</td><td>1995</td></tr></table></body></html>",
  ]) func `a table of a page is read`(_ page: String) throws {
    let rows = try rows(Array(page.utf8)).map { $0.drop { $0 != " " } }
    #expect(rows == [" movie Heat & Co||1995|||"])
  }

  @Test func `a page is read in the encoding that it declares, and one without a table is none`() throws {
    // Фильм / Год / Сталкер in the Cyrillic of Windows.
    let head = "<html><meta http-equiv=\"Content-Type\" content=\"text/html; charset=windows-1251\"><table><tr><td>"
    let cells: [[UInt8]] = [
      [0xD4, 0xE8, 0xEB, 0xFC, 0xEC], [0xC3, 0xEE, 0xE4], [0xD1, 0xF2, 0xE0, 0xEB, 0xEA, 0xE5, 0xF0],
    ]
    let page =
      Array(head.utf8) + cells[0] + Array("<td>".utf8) + cells[1] + Array("<tr><td>".utf8) + cells[2]
      + Array("<td>1979</table>".utf8)
    #expect(try rows(page) == ["2 movie Сталкер||1979|||"])
    for page in ["<html><body>Hello</body></html>", "<!doctype html><table><tr><td>one</table>"] {
      #expect(throws: ImportProblem(.unknown, "this is a page of the web, not an export")) {
        try rows(Array(page.utf8))
      }
    }
  }

  @Test(arguments: [
    ("[reading]\n    [[reading.items]]\n        title = \"A\"\n        stars = 4\n", "TOML"),
    ("# Films\n[[films]]\ntitle = \"A\"\nyear = 1999\n", "TOML"),
    ("#+TITLE: Books\n* DONE A by B C\n* TODO D by E F\n", "org text"),
  ])
  func `a text that is recognized and not read is called by its name`(_ text: String, _ name: String) {
    #expect(performing: { try rows(Array(text.utf8)) }, throws: { "\($0)".contains("is \(name), and holds no list") })
  }

  @Test func `sheets of too much are rejected`() throws {
    let wide = "<row r=\"1\"><c r=\"XFD1\" t=\"str\"><v>x</v></c></row>"
    let far = "<row r=\"99999999999\"><c t=\"str\"><v>Title</v></c></row>" + Self.row(1, "A", "B")
    #expect(throws: ImportProblem.self) { try rows(zip: Self.workbook([("a", "", wide)])) }
    #expect(throws: Never.self) { try? rows(zip: Self.workbook([("a", "", far)])) }
    let deep = String(repeating: "<table><tr><td>", count: 10_000)
    #expect(throws: ImportProblem.self) { try rows(Array(deep.utf8)) }
    let big = (1...40).map { Self.row($0, "Title", String(repeating: "x", count: 900_000)) }.joined()
    #expect(throws: ImportProblem.self) { try rows(zip: Self.workbook([("a", "", big)])) }
  }
}
