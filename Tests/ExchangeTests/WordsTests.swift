import CatalogModel
import Lookup
import Testing

@testable import Exchange

/// Dates, numbers and names as other programs write them.
struct WordsTests {
  @Test(
    arguments: [
      ("2021-04-25", "2021-04-25"), ("2021/04/25", "2021-04-25"), ("2021. 4. 25.", "2021-04-25"),
      ("2021년 4월 25일", "2021-04-25"), ("20210425", "2021-04-25"), ("25.04.2021", "2021-04-25"),
      ("25 April 2021", "2021-04-25"), ("Apr 25, 2021", "2021-04-25"), ("2021-04-25T12:00:00Z", "2021-04-25"),
      ("2021-04-25 22:50:40", "2021-04-25"), ("2021/04", "2021-04"), ("2021", "2021"), ("1999-00-00", "1999"),
      ("4/25/2021", "2021-04-25"), ("25/4/2021", "2021-04-25"), ("03/04/2012", nil), ("12:30", nil), ("soon", nil),
      ("2021-13-40", nil), ("", nil), ("2021-02-30", nil), ("3/3/2012", "2012-03-03"), ("avril 2021", "2021-04"),
    ] as [(String, String?)])
  func `dates are read without adding missing parts`(text: String, date: String?) {
    #expect(Dates.read(text)?.description == date)
  }

  @Test func `the date order decides an ambiguous date`() {
    #expect(Dates.read("03/04/2012", order: .day)?.description == "2012-04-03")
    #expect(Dates.read("03/04/2012", order: .month)?.description == "2012-03-04")
    #expect(Dates.read("17-08-1998", order: .day)?.description == "1998-08-17")
  }

  @Test func `years, minutes and counts are read from text`() {
    #expect(Numbers.year("-50") == -50)
    #expect(Numbers.year("1925.0") == 1925)
    #expect(Numbers.year("50 BC") == -50)
    #expect(Numbers.year("0") == nil)
    #expect(Numbers.minutes("97 mins") == 97)
    #expect(Numbers.minutes("2h 5m") == 125)
    #expect(Numbers.minutes("1:37") == 97)
    #expect(Numbers.count("1,044 pages") == 1_044)
    #expect(Numbers.count("pages") == nil)
  }

  @Test func `names lose Discogs marks, change order and split off a series`() {
    #expect(Names.plain("Human Records (2)") == "Human Records")
    #expect(Names.plain("Prince*") == "Prince")
    #expect(Names.plain("Sunn O)))") == "Sunn O)))")
    #expect(Names.firstLast("Eclov, Lee") == "Lee Eclov")
    #expect(Names.firstLast("Madonna") == "Madonna")
    let parts = Names.series(in: "The Two Towers (The Lord of the Rings, #2)")
    #expect(parts?.title == "The Two Towers")
    #expect(parts?.series == "The Lord of the Rings")
    #expect(parts?.number == "2")
    #expect(Names.series(in: "Gideon the Ninth (The Locked Tomb #1)")?.series == "The Locked Tomb")
    #expect(Names.series(in: "Heat (1995)") == nil)
  }

  @Test func `markup is removed and its words are kept`() {
    #expect(Markup.prose("<b>bold</b><br/>plain") == "bold\nplain")
    #expect(Markup.prose("[b]bold[/b] [url=http://x.y]here[/url] [Artist577519] [sic]") == "bold here [sic]")
    #expect(Markup.withoutRTF(#"{\rtf1\mac{\fonttbl\f0 Times;}\f0\fs24 \cf0 One.\#nTwo\i  three}"#) == "One.Two three")
    #expect(Markup.withoutRTF("plain") == "plain")
  }

  @Test func `ids of column targets and formats are unique`() {
    let ids = Import.targets.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(ids.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "-" || $0.isNumber } })
    #expect(Set(Import.formats.map(\.id)).count == Import.formats.count)
  }
}
