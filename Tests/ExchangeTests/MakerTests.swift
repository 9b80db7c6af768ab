import CatalogModel
import Lookup
import Testing

@testable import Exchange

/// The names of people and bands, as files write them.
struct MakerTests {
  @Test(
    arguments: [
      ("Jane Roe", ["Jane Roe"]), ("Jane Roe, Joe Bloggs", ["Jane Roe", "Joe Bloggs"]), ("Roe, Jane", ["Jane Roe"]),
      ("Roe, Jane & Bloggs, Joe", ["Jane Roe", "Joe Bloggs"]), ("Kubrick, Stanley", ["Stanley Kubrick"]),
      ("Le Guin, Ursula K.", ["Ursula K. Le Guin"]), ("García Márquez, Gabriel", ["Gabriel García Márquez"]),
      ("Pratchett, Terry; Gaiman, Neil", ["Terry Pratchett", "Neil Gaiman"]),
      ("Terry Pratchett and Neil Gaiman", ["Terry Pratchett", "Neil Gaiman"]),
      ("Terry Pratchett & Neil Gaiman", ["Terry Pratchett", "Neil Gaiman"]),
      ("A. Roe, B. Doe, and C. Poe", ["A. Roe", "B. Doe", "C. Poe"]),
      ("Joel Coen/Ethan Coen", ["Joel Coen", "Ethan Coen"]),
      ("Roe, Jane, Le Guin, Ursula K.", ["Jane Roe", "Ursula K. Le Guin"]),
      ("King, Martin Luther, Jr.", ["Martin Luther King, Jr."]),
      ("Martin Luther King, Jr.", ["Martin Luther King, Jr."]),
      ("Martin Luther King, Jr., Jane Roe", ["Martin Luther King, Jr.", "Jane Roe"]),
      ("Roe & Sons", ["Roe & Sons"]), ("Simon and Schuster", ["Simon and Schuster"]),
      ("Asia Monique", ["Asia Monique"]), ("Madonna", ["Madonna"]), ("한강", ["한강"]),
      ("홍길동, 김철수", ["홍길동", "김철수"]), ("한강 외 3명", ["한강"]), ("한강 외", ["한강"]), ("홍길동·김철수", ["홍길동", "김철수"]),
      ("가브리엘 가르시아·마르케스", ["가브리엘 가르시아·마르케스"]), ("ジョン・スミス", ["ジョン・スミス"]), ("병정^무기", ["병정", "무기"]),
      ("Jane Roe et al.", ["Jane Roe"]), ("Jane Roe y Joe Bloggs", ["Jane Roe", "Joe Bloggs"]),
      ("José Ortega y Gasset", ["José Ortega y Gasset"]), ("Roe, Jane, 1952-", ["Jane Roe"]),
      ("Roe, Jane (1952-)", ["Jane Roe"]),
      ("山田,太郎,1952-", ["山田太郎"]), ("Roe,Jane,1971- 佐藤,花子,1964-", ["Jane Roe", "佐藤花子"]),
      ("Roe, Jane, 1952-2010 Bloggs, Joe, 1940-", ["Jane Roe", "Joe Bloggs"]),
      ("Bloggs, Joe:Other, Ann", ["Joe Bloggs", "Ann Other"]),
      ("['Jane Roe', 'Joe Bloggs']", ["Jane Roe", "Joe Bloggs"]),
      ("[\"Jane Roe\", \"Joe O'Neil\"]", ["Jane Roe", "Joe O'Neil"]),
      ("甲野、乙川", ["甲野", "乙川"]), ("조지 오웰", ["조지 오웰"]), ("", []), (" ; ", []),
    ] as [(String, [String])])
  func `names in a cell are separated and put in first-last order`(text: String, names: [String]) {
    #expect(NamedPerson.all(in: text).map(\.name) == names)
    #expect(NamedPerson.all(in: text).allSatisfy { $0.role == nil })
  }

  @Test(
    arguments: [
      ("홍길동 지음,김철수 옮김", ["홍길동|지음", "김철수|옮김"]), ("홍길동 (지은이), 김철수 (옮긴이)", ["홍길동|지은이", "김철수|옮긴이"]),
      ("홍길동, 이영희 지음; 김철수 옮김", ["홍길동|지음", "이영희|지음", "김철수|옮김"]),
      ("글 : 홍길동", ["홍길동|글"]), ("글: 홍길동, 그림: 김철수", ["홍길동|글", "김철수|그림"]),
      ("山田太郎／監修 佐藤花子／編著 鈴木一／訳", ["山田太郎|監修", "佐藤花子|編著", "鈴木一|訳"]), ("山田太郎 著", ["山田太郎|著"]),
      ("[美] 乔 著，王五 译", ["乔|著", "王五|译"]), ("par Jeanne Dupont", ["Jeanne Dupont|author"]),
      ("홍길동, 김철수 옮김", ["홍길동|", "김철수|옮김"]), ("홍길동 글 · 그림", ["홍길동 글 ·|그림"]),
      ("Jane Roe, Joe Bloggs (Translator)", ["Jane Roe|", "Joe Bloggs|Translator"]),
      ("Translated by Joe Bloggs", ["Joe Bloggs|translator"]), ("Jane Roe (the Elder)", ["Jane Roe (the Elder)|"]),
    ] as [(String, [String])])
  func `roles in a cell are assigned to their names`(text: String, makers: [String]) {
    #expect(NamedPerson.all(in: text).map { "\($0.name)|\($0.role ?? "")" } == makers)
  }

  @Test func `the name order of the column decides the meaning of a comma`() {
    #expect(NamedPerson.all(in: "Homer, Robert Fagles", .firstLast).map(\.name) == ["Homer", "Robert Fagles"])
    #expect(NamedPerson.all(in: "Lee Smith, Mary Ann", .lastFirst).map(\.name) == ["Mary Ann Lee Smith"])
  }

  @Test(
    arguments: [
      ("Chic (3), Sister Sledge (2)", "Chic, Sister Sledge"),
      ("Prince (2) & The Revolution (3)", "Prince & The Revolution"), ("Prince*, Someone*", "Prince, Someone"),
      ("Sunn O)))", "Sunn O)))"), ("*NSYNC", "*NSYNC"), ("M*A*S*H", "M*A*S*H"),
      ("Apollo (1969) Band", "Apollo (1969) Band"),
      ("The Who (2)", "The Who"), ("(2)", "(2)"),
    ])
  func `Discogs numbers are removed wherever they stand in a name`(text: String, name: String) {
    #expect(Names.plain(text) == name)
  }

  @Test func `first and last names in two columns become one name`() throws {
    let books = try entries(
      "Titre,Nom auteur,Prénom Auteur,Pages\nL'ange,DOHERTY,Paul,1\nL'ange,HIGGINS,Jack,2\n")
    #expect(books.map(\.record.creators) == [["Paul DOHERTY"], ["Jack HIGGINS"]])
  }

  @Test func `a creator column for several kinds gets the main role of each kind`() throws {
    let things = try entries("Type,Title,Author\nMovie,M,Ann Other\nAlbum,A,Some Band\nBook,B,Jane Roe\n")
    #expect(things.map { $0.record.credits.map(\.role) } == [[.director], [.artist], [.author]])
    let film = try rows("Title,Director,Writer,Year\nM,Ann Other,Jane Roe,1999\n")[0]
    #expect(film.entry?.notes == ["Writer: Jane Roe"])
    #expect(film.remarks == ["'Writer' goes into the note instead"])
  }
}
