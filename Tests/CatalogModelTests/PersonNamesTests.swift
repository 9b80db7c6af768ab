import Testing

@testable import CatalogModel

/// The names of people in several scripts.
struct PersonNamesTests {
  @Test(
    arguments: [
      ("봉준호", "Bong Joon-ho", true), ("봉준호", "Bong Joon Ho", true), ("봉 준호", "Joon-ho Bong", true),
      ("ポン・ジュノ", "봉준호", true), ("한강", "Han Kang", true), ("王家卫", "왕가위", true),
      ("Фёдор Достоевский", "표도르 도스토옙스키", true), ("히가시노 게이고", "Keigo Higashino", true),
      ("비틀즈", "Beatles, The", true), ("비틀즈", "The Beatles (2)", true),
      ("봉준호", "Park Chan-wook", false), ("홍길동", "Hong Gil-dong", false), ("한강", "한경", false),
    ])
  func `a person is one in all scripts`(one: String, other: String, isOne: Bool) {
    #expect((Maker(one).key == Maker(other).key) == isOne)
    #expect(Maker(one).agrees(with: Maker(other)) == isOne)
  }

  @Test func `a known name is compared with an unknown one of its script`() {
    #expect(Maker.agreement([Maker("정유정")], [Maker("정유미")]) == .none)
    #expect(Maker.agreement([Maker("정유정")], [Maker("Jane Roe")]) == .none)
    #expect(Maker.agreement([Maker("정유미")], [Maker("Jane Roe")]) == .unreadable)
    let known = Maker.Filter([Maker("정유정")])
    #expect(!known.areSurelyOthers(than: Maker.Filter([Maker("Jeong Yu-jeong")])))
  }

  @Test func `every name of a person leads to all, and no name to two people`() {
    let all = PersonNames.all("봉준호")
    #expect(all.first == "Bong Joon-ho" && all.contains("奉俊昊"))
    for name in all { #expect(PersonNames.all(name) == all, "\(name)") }
    #expect(PersonNames.all("홍길동") == ["홍길동"])
    for (key, lines) in Dictionary(
      grouping: PersonNames.lines.flatMap { line in line.map { ($0, line[0]) } }, by: { Folding.nameKey($0.0) })
    {
      #expect(Set(lines.map(\.1)).count == 1, "\(key): \(lines)")
    }
    for line in PersonNames.lines {
      #expect(line.count > 1 && line[0].unicodeScalars.allSatisfy { $0.value < 0x370 }, "\(line)")
    }
  }
}
