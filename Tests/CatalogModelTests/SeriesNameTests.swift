import CatalogModel
import Testing

struct SeriesNameTests {
  @Test(arguments: [
    ("The Locked Tomb #1", "The Locked Tomb", "1"), ("The Murderbot Diaries, #1", "The Murderbot Diaries", "1"),
    ("Discworld -- 13", "Discworld", "13"), ("Discworld – 13", "Discworld", "13"),
    ("Discworld — 13.", "Discworld", "13"),
    ("Discworld, Book 13", "Discworld", "13"), ("Discworld, book 13", "Discworld", "13"),
    ("Discworld: Book 13", "Discworld", "13"), ("Discworld (13)", "Discworld", "13"),
    ("Discworld (Book 13)", "Discworld", "13"), ("Discworld (#13)", "Discworld", "13"),
    ("Discworld; #13", "Discworld", "13"),
    ("Discworld ; v. 13", "Discworld", "13"), ("Discworld, vol.13", "Discworld", "13"),
    ("A Book Apart, No. 2", "A Book Apart", "2"), ("Pocket books, 254", "Pocket books", "254"),
    ("Infantil - 5", "Infantil", "5"), ("Young readers -- 2345", "Young readers", "2345"),
    ("Saga Vol. 3", "Saga", "3"), ("Das Rad der Zeit, Band 3", "Das Rad der Zeit", "3"),
    ("드래곤 라자, 3권", "드래곤 라자", "3"), ("드래곤 라자 (제3권)", "드래곤 라자", "3"),
    ("The Expanse #2.5", "The Expanse", "2.5"), ("The Expanse #1-3", "The Expanse", "1-3"), ("S #8.0", "S", "8"),
    ("S, Book 8.0", "S", "8"), ("Dune #0", "Dune", "0"), ("Alien, Predator #2", "Alien, Predator", "2"),
    ("Spider-Man -- 4", "Spider-Man", "4"), ("Serial #1 of 2", "Serial", "1"), ("Ring #04", "Ring", "4"),
  ])
  func `a number after a separator is the place in the series`(_ text: String, _ name: String, _ number: String) {
    let series = SeriesName(text)
    #expect(series.name == name)
    #expect(series.number == number)
    #expect(series.description == "\(name) #\(number)")
    #expect(SeriesName(series.description) == series)
  }

  @Test(arguments: [
    "Series name 3, and birds", "Series name #3, and birds", "Hainish Cycle", "Fahrenheit 451", "Warhammer 40,000",
    "The Jungle Book 2", "Beginner books -- B-16", "Star Wars (1977)", "Penguin, 1984", "Book 1", "#1", "13", "(13)",
    "C# 7", "Catch-22", "Area 51 (novels)", "Discworld, Book 13, Death", "Discworld (Book 13", "Part 2", "Apollo-13",
    "Mistborn: 3", "Vol. 3", "Area, Book Two", "-", "",
  ])
  func `a number without a separator is part of the series name`(text: String) {
    let series = SeriesName(text)
    #expect(series.name == text)
    #expect(series.number == nil)
  }

  @Test(arguments: [("A Black cat book,", "A Black cat book"), (" Ring of Fire ; ", "Ring of Fire")])
  func `separators at the end of a series name are removed`(_ text: String, _ name: String) {
    #expect(SeriesName(text).description == name)
  }

  @Test(
    arguments: [
      ("13", "13"), ("#13", "13"), ("04", "4"), ("13.0", "13"), ("2.5", "2.5"), ("2.50", "2.5"), ("0", "0"),
      ("1-3", "1-3"), ("01–03", "1-3"), ("Vol. 13", "13"), ("vol.13", "13"),
      ("Book 13", "13"), ("Band 13", "13"), ("t. 13", "13"),
      ("제13권", "13"), ("13권", "13"), ("제 13 권", "13"), ("第13巻", "13"), ("том 13", "13"), ("Vol. XIII", "13"),
      ("Band IV", "4"), ("5 of 7", "5"), ("5/7", "5"), ("3 von 5", "3"), ("(3)", "3"), ("상", "상"), ("下", "下"),
      ("상권", "상"),
      ("", nil), ("Saga", nil), ("XIII", nil), ("Catch-22", nil), ("B-16", nil), ("1.2.3", nil), ("13th", nil),
    ] as [(String, String?)])
  func `a number in a series has one spelling`(text: String, number: String?) {
    #expect(SeriesNumber(text)?.text == number)
    if let number { #expect(SeriesNumber(number)?.text == number) }
  }
}
