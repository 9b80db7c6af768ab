import CatalogModel
import Foundation
import Testing

@testable import CatalogCommands
@testable import CommandLineKit

/// The words of pages, which options, queries and `edit` read alike.
struct ValueTests {
  let catalog: TestCatalog
  private static let korean = SpokenLanguage.all.first { $0.code == "ko" }?.translation()

  init() throws {
    catalog = try TestCatalog()
    catalog.now = Date(timeIntervalSince1970: 1_795_253_400)
    for kind in ["movie", "book", "vinyl"] { catalog.run("add", kind, "--title", "A \(kind)", "--offline") }
  }

  @Test func `names of countries and languages are read as they are printed`() {
    for translation in [nil, Self.korean] {
      for code in Country.all {
        let name = Message(words: Country.name(code)).text(in: translation)
        // Some states of the past have two codes.
        #expect(Country.code(named: name).map(Country.name) == Country.name(code), "\(name)")
      }
      for code in Language.all {
        let name = Message(words: Language.name(code)).text(in: translation)
        #expect(Language.code(named: name) == code, "\(name)")
      }
      for kind in Kind.allCases {
        for word in [kind.rawValue, kind.plural] {
          #expect(Kind(word: Message(words: word).text(in: translation)) == kind, "\(word)")
        }
      }
      for status in ["planned", "ongoing", "done", "dropped"] {
        let word = Message(words: status).text(in: translation)
        #expect(Status(word)?.rawValue == status, "\(word)")
      }
    }
  }

  @Test(arguments: ["KR", "South Korea", "대한민국", "한국", "Südkorea", "韓国"])
  func `a country is one value by every door`(country: String) {
    #expect(catalog.run("edit", "1", "country=\(country)").status == 0)
    for query in ["country:KR", "국가:대한민국", "country:\"South Korea\"", "country:=한국"] {
      #expect(catalog.run("list", query, "--json=countries").output.contains("KR"), "\(query)")
    }
  }

  @Test(arguments: ["ko", "Korean", "한국어", "Koreanisch", "ko-KR"])
  func `a language is one value by every door`(language: String) {
    #expect(catalog.run("edit", "2", "언어=\(language)").status == 0)
    for query in ["language:ko", "언어:한국어", "language:korean"] {
      #expect(catalog.run("list", query, "--json=language").output.contains("\"ko\""), "\(query)")
    }
  }

  @Test(arguments: [
    ["edit", "2", "language=Klingon"], ["edit", "1", "country=Narnia"], ["list", "없는칸:값"], ["edit", "1", "없는칸=값"],
    ["copy", "edit", "c1", "--price", "0.999 EUR"], ["copy", "edit", "c1", "--price", "20 kr"],
    ["copy", "edit", "c1", "--on", "2031-01-01"], ["log", "2", "--on", "2주"], ["log", "2", "--on", "지난주"],
    ["report", "year", "1990s"],
  ])
  func `a value that means nothing is refused`(line: [String]) {
    let run = catalog.run(line)
    #expect(run.status != 0 && !run.errors.isEmpty, "\(line)")
  }

  @Test(arguments: [
    ("2024년 5월 3일", "2024-05-03"), ("2024.05.03", "2024-05-03"), ("3. Mai 2024", "2024-05-03"), ("그저께", "2026-11-19"),
    ("2주 전", "2026-11-07"),
  ])
  func `a day is one value by every door`(text: String, day: String) {
    #expect(catalog.run("log", "2", "--on", text).status == 0)
    #expect(catalog.run("list", "seen:\(text)").output.contains("A book"))
    #expect(catalog.run("diary", text, "--json").output.contains("\"\(day)\""))
    #expect(catalog.run("copy", "edit", "c1", "--on", text).status == 0)
    #expect(catalog.run("list", "acquired:\(day)").status == 0)
    #expect(catalog.run("edit", "2", "published=\(text)").status == (day.hasPrefix("2024") ? 0 : 2))
  }

  @Test(arguments: ["2주", "2 weeks", "2026년 12월 5일", "2026-12-05"])
  func `a day to come is read where one may be`(text: String) {
    #expect(catalog.run("lend", "c1", "to", "Anna", "--due", text).status == 0)
    #expect(catalog.run("loans", "--json").output.contains("2026-12-05"))
  }

  @Test(arguments: ["12,000원", "₩12,000", "1만2천원", "12000 KRW"])
  func `an amount of money is one value by every door`(text: String) {
    #expect(catalog.run("copy", "edit", "c1", "--price", text).status == 0)
    for query in ["price:12000KRW", "구입가:12000원", "price:₩12,000", "구입가:1만2천원", "price:..2만원"] {
      #expect(catalog.run("list", query).output.contains("A "), "\(query)")
    }
  }
}
