import CatalogModel
import Lookup
import SQLite
import Testing

@testable import SourceCopies

struct DiscogsDumpTests {
  static let masters = """
    <?xml version="1.0" encoding="UTF-8"?>
    <masters><master id="5460"><main_release>1</main_release><images><image type="primary" uri=""/></images><artists>\
    <artist><id>23755</id><name>Miles Davis</name><anv/><join/><role/><tracks/></artist></artists><genres>\
    <genre>Jazz</genre></genres><styles><style>Modal</style></styles><year>1959</year><title>Kind Of Blue</title>\
    <data_quality>Correct</data_quality><videos><video src="https://example.com/?a=1&amp;b=2" duration="5">\
    <title>Another title</title><description>a > b</description></video></videos></master>
    <master id="9"><artists><artist><id>194</id><name>Various</name></artist></artists><genres>\
    <genre>Folk, World, &amp; Country</genre></genres><year>0</year><title>Björk &amp; Co</title></master>
    <master id="10"><artists><artist><id>23755</id><name>Miles Davis</name></artist><artist><id>77</id>\
    <name>Jensen (2)</name></artist></artists><year>1970</year><title>Duo<![CDATA[ </master> & more]]></title>\
    <!-- </master> --></master>
    </masters>
    """
  static let releases = """
    <releases><release id="249504" status="Accepted"><artists><artist><id>23755</id><name>Miles Davis</name></artist>\
    </artists><title>Kind Of Blue</title><labels><label name="Columbia" catno="CL 1355" id="1866"/></labels>\
    <formats><format name="Vinyl" qty="1" text="180 g"><descriptions><description>LP</description>\
    <description>33 ⅓ RPM</description></descriptions></format></formats><genres><genre>Jazz</genre></genres>\
    <country>US</country><released>1959-08-17</released><master_id is_main_release="true">5460</master_id>\
    <tracklist><track><position>A1</position><title>So What</title><artists><artist><id>1</id><name>Other</name>\
    </artist></artists></track></tracklist><identifiers><identifier type="Barcode" value="0 7464-40579-1 1"/>\
    <identifier type="Matrix / Runout" value="XLP 47324"/></identifiers></release>
    <release id="300" status="Accepted"><artists><artist><id>23755</id><name>Miles Davis</name></artist></artists>\
    <title>Kind Of Blue</title><formats><format name="CD" qty="1" text=""/></formats>\
    <master_id is_main_release="false">5460</master_id></release>
    <release id="301" status="Accepted"><artists><artist><id>77</id><name>Jensen (2)</name></artist></artists>\
    <title>White Label</title><labels><label name="Not On Label" catno="none" id="1818"/></labels>\
    <formats><format name="Vinyl" qty="1" text=""/></formats><country>Germany</country><released>1999</released>\
    <master_id>0</master_id><identifiers><identifier type="Barcode" value="4006381333931"/></identifiers></release>
    </releases>
    """

  @Test func `albums with their pressings are found by words, code and catalog number`() throws {
    let copy = try MadeDump(.discogs, ["masters.xml": Self.masters, "releases.xml": Self.releases]).copy()
    #expect(copy.about.titles == 4)
    #expect(copy.about.editions == 1)
    let found = try copy.search(Search(words: "miles blue", kind: .vinyl)).candidates
    #expect(found.map(\.id) == [ExternalID(source: "discogs", value: "master/5460")])
    let record = try #require(found.first?.record)
    #expect(record.creators == ["Miles Davis"])
    #expect(record.labels == ["Jazz", "Modal"])
    #expect(record.year == 1959)

    let barcode = try Barcode("074644057911")
    let pressing = try #require(try copy.lookUp(.barcode(barcode), as: .vinyl).first)
    #expect(pressing.id == ExternalID(source: "discogs", value: "249504"))
    #expect(pressing.record.vinyl.catalogNumber == "CL 1355")
    #expect(pressing.record.vinyl.label == "Columbia")
    #expect(pressing.record.vinyl.format == "Vinyl, LP")
    #expect(pressing.record.vinyl.country == "US")
    #expect(pressing.record.vinyl.barcode == "074644057911")
    #expect(pressing.record.url == "https://www.discogs.com/release/249504")

    let search = Search(words: "cl-1355", kind: .vinyl, scope: .field(.catalogNumber))
    #expect(try copy.search(search).candidates.map(\.id.value) == ["249504"])
    #expect(try copy.record(ExternalID(source: "discogs", value: "301"))?.title == "White Label")
    #expect(try copy.record(ExternalID(source: "discogs", value: "300")) == nil)
  }

  @Test func `a search for vinyl finds only albums that are on vinyl`() throws {
    let copy = try MadeDump(.discogs, ["masters.xml": Self.masters, "releases.xml": Self.releases]).copy()
    #expect(try copy.search(Search(words: "duo", kind: .vinyl)).titles == [])
    #expect(try copy.search(Search(words: "duo", kind: .music)).titles == ["Duo </master> & more"])
    #expect(try copy.suggest(Search(words: "white", kind: .vinyl)).titles == ["White Label"])
  }

  @Test func `masters alone make a copy of albums`() throws {
    let made = try MadeDump(.discogs, ["masters.xml": Self.masters])
    #expect(try made.build().missing.map(\.name) == ["releases.xml.gz"])
    let copy = try made.copy()
    #expect(copy.about.titles == 3)
    // The artist of two albums comes first; Various is no artist.
    #expect(
      try copy.db.values("SELECT title FROM title ORDER BY id") == [
        "Duo </master> & more", "Kind Of Blue", "Björk & Co",
      ])
    let record = try #require(try copy.record(ExternalID(source: "discogs", value: "master/10"), as: .vinyl))
    #expect(record.creators == ["Miles Davis", "Jensen"])
    #expect(
      try copy.search(Search(words: "bjork", kind: .vinyl)).candidates.first?.record.labels == [
        "Folk, World, & Country"
      ])
  }

  @Test func `a pressing whose album is in no file is counted as left out`() throws {
    let lost = Self.releases.replacing(
      "</releases>",
      with: """
        <release id="310"><title>Lost</title><formats><format name="Vinyl" qty="1"/></formats><master_id>999</master_id>\
        </release></releases>
        """)
    let whole = try MadeDump(.discogs, ["masters.xml": Self.masters, "releases.xml": Self.releases])
    let made = try MadeDump(.discogs, ["masters.xml": Self.masters, "releases.xml": lost])
    let (before, summary) = (try whole.build().run(), try made.build().run())
    #expect(summary.orphans == before.orphans + 1)
    #expect(summary.titles == before.titles)
  }

  @Test func `releases alone are titles of their own`() throws {
    let copy = try MadeDump(.discogs, ["releases.xml": Self.releases]).copy()
    #expect(copy.about.titles == 2)
    #expect(copy.about.leftOut[.otherKind] == 1)
    let found = try copy.lookUp(.barcode(try Barcode("4006381333931")), as: .vinyl)
    #expect(found.map(\.id.value) == ["301"])
    #expect(found.first?.record.vinyl.country == "DE")
  }

  @Test func `a release without its end is left out, and the next one is read`() throws {
    let broken = Self.releases.replacing(
      "<identifier type=\"Matrix / Runout\" value=\"XLP 47324\"/></identifiers></release>", with: "")
    let copy = try MadeDump(.discogs, ["releases.xml": broken]).copy()
    #expect(try copy.db.values("SELECT title FROM title") == ["White Label"])
    #expect(copy.about.leftOut[.damaged] == 1)
  }

  @Test func `a file without the end of its root is cut off`() throws {
    let cut = String(Self.masters.dropLast(12))
    #expect(throws: DumpProblem.self) { try MadeDump(.discogs, ["masters.xml": cut]).copy() }
  }
}
