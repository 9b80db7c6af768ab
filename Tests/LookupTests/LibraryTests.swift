import CatalogModel
import Foundation
import Lookup
import Testing

/// The catalogs of libraries: what is asked, and what is read of records in MARC 21 and UNIMARC.
struct LibraryTests {
  static let isbn = "9783161484100"

  /// An answer of the DNB.
  static func dnb(_ records: String..., total: Int? = nil) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <searchRetrieveResponse xmlns="http://www.loc.gov/zing/srw/"><version>1.1</version>
    <numberOfRecords>\(total ?? records.count)</numberOfRecords><records>
    \(records.map { "<record><recordSchema>MARC21-xml</recordSchema><recordData>\($0)</recordData></record>" }.joined())
    </records></searchRetrieveResponse>
    """
  }

  /// An answer of the BnF.
  static func bnf(_ records: String...) -> String {
    """
    <srw:searchRetrieveResponse xmlns:srw="http://www.loc.gov/zing/srw/"><srw:version>1.2</srw:version>
    <srw:numberOfRecords>\(records.count)</srw:numberOfRecords><srw:records>
    \(records.map { "<srw:record><srw:recordData>\($0)</srw:recordData></srw:record>" }.joined())
    </srw:records></srw:searchRetrieveResponse>
    """
  }

  /// A record of these fields: `245a The title|b and more`.
  static func record(_ id: String, _ fields: String..., isUnimarc: Bool = false) -> String {
    let parts = fields.map { field in
      let tag = field.prefix(3)
      let subfields = field.dropFirst(3).split(separator: "|").map {
        "<subfield code=\"\($0.prefix(1))\">\($0.dropFirst().drop { $0 == " " })</subfield>"
      }
      return "<datafield tag=\"\(tag)\" ind1=\" \" ind2=\"1\">\(subfields.joined())</datafield>"
    }
    let number = isUnimarc ? "" : "<controlfield tag=\"001\">\(id)</controlfield>"
    let name = isUnimarc ? " format=\"UNIMARC\" id=\"ark:/12148/\(id)\"" : ""
    let inside = number + parts.joined()
    return "<record xmlns=\"http://www.loc.gov/MARC21/slim\"\(name)><leader>x</leader>\(inside)</record>"
  }

  static let lamp = record(
    "104", "020a \(isbn)|c kart. : EUR 9.99", "041a ger|h eng", "100a Le Guin, Ursula K.|e Verfasser|4 aut",
    "240a The Lamp", "245a \u{98}Die\u{9C} grüne Lampe :|b ein Roman /|c Ursula K. Le Guin",
    "264a Berlin :|b Muster Verlag,|c [2019]",
    "300a XII, 345 Seiten ;|c 21 cm", "490a Reihe Muster|v Bd. 7", "700a Muster, Erika|e Übersetzer|4 trl",
    "700a Maler, Max|e Illustrator|4 ill", "520a Von einer Lampe &amp; mehr.")
  static let lampe = record(
    "cb1", "010a 978-2-07-036002-4|b br.", "101a fre|c kor", "200a \u{88}La \u{89}lampe|b Texte imprimé|e roman|f Kim",
    "210a Paris|c Maison Exemple|d DL 2015", "215a 1 vol. (186 p.)|d 21 cm", "225a Poche|v 12", "330a D'une lampe.",
    "454t Deungjan", "700a Saint-Exemple|b Antoine de|f 1900-1944|4 070", "702a Durand|b Anne|4 730",
    isUnimarc: true)

  static let facts: [(source: Source, answer: String, facts: [String])] = [
    (
      .dnb, dnb(lamp),
      [
        "dnb:104", "Die grüne Lampe", "Die grüne Lampe: ein Roman", "The Lamp", "Ursula K. Le Guin author",
        "Erika Muster translator", "Muster Verlag", "2019", "345", "de", "Reihe Muster #7", isbn,
        "Von einer Lampe & mehr.", "https://d-nb.info/104",
      ]
    ),
    (
      .bnf, bnf(lampe),
      [
        "bnf:cb1", "La lampe", "La lampe: roman", "Deungjan", "Antoine de Saint-Exemple author",
        "Anne Durand translator", "Maison Exemple", "2015", "186", "fr", "Poche #12", "9782070360024", "D'une lampe.",
        "https://catalogue.bnf.fr/ark:/12148/cb1",
      ]
    ),
  ]

  static func told(_ record: Record) -> [String] {
    var told: [String?] = [record.externalIDs.first?.description, record.title]
    told += record.otherTitles
    told.append(record.originalTitle)
    told += record.credits.map { "\($0.name) \($0.role)" }
    let book = record.book ?? Book()
    told += [book.publisher, book.published?.description, book.pages.map { "\($0)" }, book.language, book.series]
    told += [book.isbn?.digits13, record.summary, record.url]
    return told.compactMap(\.self)
  }

  @Test(arguments: facts) func `a record is read with all its facts`(
    source: Source, answer: String, facts: [String]
  ) throws {
    let page = try source.page(answer, .book)
    #expect(page.candidates.map { Self.told($0.record) } == [facts])
    #expect(page.total == 1)
    let isbn = try #require(page.candidates.first?.record.book?.isbn)
    let web = FakeWeb(["operation=searchRetrieve": answer])
    #expect(try source.candidates(.isbn(isbn), from: web).map(\.record.title) == page.candidates.map(\.record.title))
    #expect(try source.candidates(.isbn(ISBN("9780441172719")), from: web) == [], "a record with another number")
    #expect(try source.candidates(.barcode(Barcode("036000291452")), from: web) == [])
    let id = try #require(page.candidates.first?.id)
    #expect(try source.record(id, as: .book, from: web).title == page.candidates.first?.record.title)
    #expect(try ExternalID(page: #require(id.page)) == id)
  }

  /// The fields of a record of the DNB, and their values.
  static let cases: [(fields: [String], told: String)] = [
    // Letters with marks of their own.
    (["245a Gru\u{308}n"], "Grün"), (["245a ¬Der¬ Wald"], "Der Wald"), (["245a Wald :"], "Wald"),
    // Volumes.
    (["245a Der Kreis|n 2|p Die Türme"], "Die Türme, Der Kreis #2"),
    (["245a Der Kreis|n Bd. 3"], "Der Kreis Bd. 3, Der Kreis #3"),
    // Languages: only what was translated has another title.
    (["245a Wald", "240a Forest", "041a ger"], "Wald, de"),
    (["245a Wald", "240a Forest", "041a ger|h eng"], "Wald, Forest, de"),
    (["245a Wald", "240a wald", "041a ger|h eng"], "Wald, de"), (["245a Wald", "041a zxx"], "Wald"),
    // People.
    (["245a Wald", "100a Homer"], "Wald, Homer author"),
    (["245a Wald", "100a Muster, Erika|e Übersetzerin"], "Wald, Erika Muster translator"),
    (["245a Wald", "700a Muster, Erika|4 edt", "700a Maler, Max|4 ill"], "Wald, Erika Muster author"),
    (["245a Wald", "100a King, Martin Luther, Jr.|4 aut"], "Wald, Martin Luther King, Jr. author"),
    (
      [
        "245a Wald", "100a Muster, Erika|4 aut|4 http://id.loc.gov/vocabulary/relators/aut", "700a Muster, Erika|4 aut",
      ],
      "Wald, Erika Muster author"
    ),
    // Days and pages.
    (["245a Wald", "260b Alt|c c 1987."], "Wald, Alt, 1987"), (["245a Wald", "264c Mai 2014"], "Wald, 2014"),
    (["245a Wald", "264c [o. J.]"], "Wald"), (["245a Wald", "264c 99999"], "Wald"),
    (["245a Wald", "300a 1 Online-Ressource (240 Seiten)"], "Wald, 240"), (["245a Wald", "300a 2 CDs"], "Wald"),
    (["245a Wald", "300a 12 S."], "Wald, 12"), (["245a Wald", "300a 0 Seiten"], "Wald"),
    (["245a Wald", "300a 99999999999999999999 S."], "Wald"),
    // Numbers.
    (["245a Wald", "020a 3-16-148410-X (Pp.)"], "Wald, 9783161484100"),
    (["245a Wald", "020a falsch", "020z 9783161484100"], "Wald"),
    (["245a Wald", "490a Reihe"], "Wald, Reihe"), (["245a Wald", "490v 7"], "Wald"),
    (["24"], ""), (["300a 12 S."], ""), (["245a  / "], ""),
  ]

  @Test(arguments: cases) func `each field is read with what it may hold`(fields: [String], told: String) throws {
    let record = Self.record("1", fields[0], fields.count > 1 ? fields[1] : "000", fields.count > 2 ? fields[2] : "000")
    let page = try Source.dnb.page(Self.dnb(record), .book)
    let facts = page.candidates.first.map { Self.told($0.record).dropFirst().dropLast() } ?? []
    #expect(facts.joined(separator: ", ") == told)
    #expect(page.unreadable == (told.isEmpty ? 1 : 0))
  }

  @Test func `an ISBN is asked for in both its forms, words all together, and nothing typed ends the question`() {
    func query(_ source: Source, _ words: String, _ field: Search.Field? = nil) -> String? {
      let search = Search(words: words, kind: .book, page: 2, pageSize: 10, scope: field.map(Search.Scope.field))
      let url = source.request(search, source.settings()).url
      #expect(url.contains("startRecord=11&maximumRecords=10"))
      return url.split(separator: "&").first { $0.hasPrefix("query=") }?.dropFirst(6).replacing("+", with: " ")
        .removingPercentEncoding
    }
    #expect(query(.dnb, "978-3-16-148410-0") == #"NUM="9783161484100" or NUM="316148410X""#)
    #expect(query(.dnb, "9791164790005", .isbn)?.contains(" or ") == false, "a number without a shorter form")
    #expect(query(.dnb, "grüne  lampe") == #"WOE="grüne" and WOE="lampe" and mat=books"#)
    #expect(query(.dnb, #"a" or b\"#, .title) == #"TIT="a\"" and TIT="or" and TIT="b\\" and mat=books"#)
    #expect(query(.bnf, "lampe", .creator) == #"bib.author all "lampe" and bib.doctype any "a""#)
    #expect(query(.bnf, "9782070360024") == #"bib.isbn any "9782070360024" or bib.isbn any "2070360024""#)
  }

  static let refusals: [(status: Int, body: String, error: SourceError)] = [
    (200, "", .unreadable("an empty answer")), (200, " \n", .unreadable("an empty answer")),
    (200, "<!DOCTYPE html><html></html>", .unreadable("an HTML page instead of an answer")),
    (200, "<HTML><p>", .unreadable("an HTML page instead of an answer")),
    (200, String(dnb(lamp).dropLast(40)), .unreadable("an answer that is cut short")),
    (200, "{}", .unreadable("an answer that is cut short")),
    (200, "<a></b>", .unreadable("an answer in an undocumented form")),
    (200, "<a/>", .unreadable("an answer in an undocumented form")),
    (
      200, "<!DOCTYPE a [<!ENTITY x \"y\">]><numberOfRecords>&x;</numberOfRecords>",
      .unreadable("an answer that is too large to read")
    ),
    (
      200,
      """
      <r><diagnostics><diagnostic><uri>info:srw/diagnostic/1/16</uri><message>Unsupported index</message></diagnostic>\
      </diagnostics></r>
      """, .refused(status: 400, words: "Unsupported index")
    ),
    (
      200, "<r><diagnostic><uri>info:srw/diagnostic/1/2</uri></diagnostic></r>",
      .network(.busy(host: "services.dnb.de", retryAfter: nil))
    ),
    (404, "", .refused(status: 404)), (403, "<html>", .refused(status: 403)),
    (429, "", .network(.throttled(host: "services.dnb.de", retryAfter: nil))),
    (503, "", .network(.busy(host: "services.dnb.de", retryAfter: nil))),
  ]

  @Test(arguments: refusals) func `what cannot be read is refused with its reason`(
    status: Int, body: String, error: SourceError
  ) {
    let search = Search(words: "x", kind: .book)
    #expect(throws: error) { try Source.dnb.read(Response(status, body), search, Source.dnb.settings()) }
  }

  @Test func `an answer without records is none, and a damaged record takes no other with it`() throws {
    #expect(try Source.dnb.page(Self.dnb(), .book).candidates == [])
    #expect(try Source.bnf.candidates(.isbn(ISBN(Self.isbn)), from: FakeWeb(["/SRU": Self.bnf()])) == [])
    #expect(throws: SourceError.notFound) {
      try Source.bnf.record(ExternalID(source: "bnf", value: "cb2"), as: .book, from: FakeWeb(["/SRU": Self.bnf()]))
    }
    #expect(throws: SourceError.notFound) {
      let web = FakeWeb(["/SRU": Self.bnf(Self.lampe)])
      return try Source.bnf.record(ExternalID(source: "bnf", value: "\" or 1"), as: .book, from: web)
    }
    let page = try Source.dnb.page(Self.dnb("<diagnostic/>", Self.lamp, total: 90), .book)
    #expect(page.candidates.count == 1)
    #expect(page.unreadable == 1)
    #expect(page.hasMore)
  }
}
