import CatalogModel
import TestSupport
import Testing

@testable import Exchange

/// Tests lists in structured texts: YAML, and tables of Markdown.
struct TextFormTests {
  private func lines(_ text: String, kind: Kind? = nil, name: String = "file") throws -> [String] {
    try rows(text, kind: kind, name: name).map { String(ContainerTests.line($0).drop { $0 != " " }.dropFirst()) }
  }

  @Test(arguments: [
    "- title: An Invented Book\n  author: [Jane Roe, Joe Bloggs]\n  isbn: 0306406152\n- {title: Two, author: no}\n",
    "# mine\nreading:\n- title: An Invented Book\n  author:\n  - Jane Roe\n  - Joe Bloggs\n  isbn: 0306406152\n- title: Two\n  author: no\n",
    "---\ntitle: An Invented Book\nauthor: [Jane Roe, Joe Bloggs]\nisbn: '0306406152'\n---\ntitle: Two\nauthor: \"no\"\n...\n",
    "An Invented Book:\n  author: [Jane Roe, Joe Bloggs]\n  isbn: 0306406152\nTwo:\n  author: no\n  isbn:\n",
    "- An Invented Book:\n    author: [Jane Roe, Joe Bloggs]\n    isbn: 0306406152\n- Two:\n    author: no\n",
    "%YAML 1.1\n---\nlists:\n  reading:\n    - &a\n      title: An Invented Book\n      author: [Jane Roe, Joe Bloggs]\n      isbn: 0306406152\n    - {<<: {author: no}, title: Two}\n",
    "one: &x [Jane Roe, Joe Bloggs]\nbooks:\n  - title: An Invented Book\n    author: *x\n    isbn: 0306406152\n  - title: Two\n    author: no\n",
  ]) func `records of YAML stand in lists and maps, and every scalar is a text`(_ text: String) throws {
    #expect(
      try lines(text, kind: .book)
        == ["book An Invented Book|Jane Roe & Joe Bloggs|||9780306406157|", "book Two|no||||"], "\(text)")
  }

  @Test func `lists of YAML by year, and a note with its properties`() throws {
    let years = "2023:\n- title: Heat\n  year: 1995\n2024:\n- title: Alien\n  year: 1979\n"
    let films = try entries(years, kind: .movie)
    #expect(
      films.map(\.record.title) == ["Heat", "Alien"] && films.map { $0.piles.map(\.pile) } == [["2023"], ["2024"]])
    let note = try rows("---\nyear: 1995\nrating: 4\n---\n# Notes\nFine: *really*.\n", kind: .movie, name: "Heat.md")
    #expect(note.map { $0.entry?.record.title } == ["Heat"])
  }

  @Test(arguments: [
    ("- title: Dune: Messiah\n  author: F H\n", "the YAML is broken at line 1"),
    ("- title: A\n\tauthor: B\n- title: C\n  author: D\n", "the YAML is broken at line 2"),
    ("a: &a\n  title: x\n  b: *a\n  c: [" + String(repeating: "[", count: 30), "nested too deeply"),
    (
      "a: &a [" + String(repeating: "x,", count: 900) + "]\nbooks:\n"
        + String(repeating: "- title: x\n  author: *a\n", count: 20), "repeat too much"
    ),
  ]) func `YAML that cannot be read is refused with its line`(_ text: String, _ words: String) throws {
    let problem = #expect(throws: ImportProblem.self) { try rows(text, kind: .book) }
    #expect(problem?.description.contains(words) == true, "\(problem?.description ?? "")")
  }

  @Test(arguments: [
    "# Films\n\n| Film | Director | Rating |\n|:-----|:---:|--|\n| [Heat](https://www.imdb.com/title/tt0113277/) | M M | 4 |\n| **A** \\| B | J R |\n\nThe end | of it.\n",
    "Film | Director | Rating\n--- | --- | ---\n[Heat](https://www.imdb.com/title/tt0113277/) | M M | 4\nA \\| B | J R |\n",
    "| Film | Director | Rating |\n|-|-|-|\n| [Heat](https://www.imdb.com/title/tt0113277/) | M M | 4 |\n\n## 2024\n\n| Film | Director | Rating |\n|-|-|-|\n| A \\| B | J R | |\n",
  ]) func `tables of Markdown are read with their links`(_ text: String) throws {
    #expect(try lines(text) == ["movie Heat|M M||80||", "movie A | B|J R||||"])
    #expect(try entries(text).first?.record.externalIDs.map(\.value) == ["tt0113277"])
  }
}
