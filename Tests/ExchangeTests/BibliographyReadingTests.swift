import CatalogModel
import TestSupport
import Testing

@testable import Exchange

/// Tests bibliographies: BibTeX and RIS.
struct BibliographyReadingTests {
  @Test(arguments: [
    (#"{An {Invented} Book: \"Uber den Flu{\ss}}"#, "An Invented Book: Über den Fluß"),
    (#"{{\'E}t\'{e} \c{c}a \v{s} \~n \H{o} \aa\ \o{} \l{}\'\i \"{\i}}"#, "Été ça š ñ ő å ø łíï"),
    (##"{50 \% of \{Nothing\} \& more\_ \$1 \#2}"##, "50 % of {Nothing} & more_ $1 #2"),
    (#"{\emph{One} and \textit{Two}~Three -- Four---Five}"#, "One and Two Three – Four—Five"),
    (#"{``A'' \textbackslash{}b \textasciitilde{} c}"#, "“A” \\b ~ c"), ("\"A {\"}B{\"}\"", "A \"B\""),
    ("one # { and } # two", "First & Last and 2nd"), ("{  A\n   B }", "A B"), ("{a\\}", "a\\}"), ("1984", "1984"),
  ]) func `a value of BibTeX is what TeX would set`(_ value: String, _ text: String) throws {
    let file =
      "@string{one = \"First \\& Last\"}\n@STRING(two={2nd})\nThis is a comment: a@b.c\n@book{k, title = \(value)}"
    guard value != "{a\\}" else {
      #expect(throws: ImportProblem.self) { try rows(file, format: nil) }
      return
    }
    #expect(try entries(file).map(\.record.title) == [text])
  }

  @Test(arguments: [
    ("Roe, Jane and Joe Bloggs", ["Jane Roe", "Joe Bloggs"]), ("{Barnes and Noble, Inc.}", ["Barnes and Noble, Inc."]),
    ("Roe, Jr., Jane and others", ["Jane Roe, Jr."]),
    (
      "van Beethoven, Ludwig AND {Some\n Society}",
      [
        "Ludwig van Beethoven", "Some Society",
      ]
    ), ("G{\\\"o}del, Kurt", ["Kurt Gödel"]), ("한강", ["한강"]), ("", []),
  ]) func `people of BibTeX stand between and`(_ names: String, _ people: [String]) throws {
    #expect(try entries("@book{k, author = {\(names)}, title = {A}}").first?.record.creators == people)
  }

  @Test func `entries that are no book, film or record are rejected by their name`() throws {
    let text = """
      @comment{@book{x, title = {No}}}
      @article{a, title = {No Book}, journal = {J}}
      @InBook(b, title = {Chapter One}, booktitle = {A Book}, pages = {1--10},)
      @movie{m, title = "A Film", director = {Roe, Jane}, date = 1999-02-03}
      @audio{v, title = "Songs", author = {Some Band}, year = 1985}
      """
    let rows = try rows(text)
    #expect(
      rows.map { $0.rejection ?? "" } == ["it is of a kind 'article' that the catalog does not keep", "", "", ""])
    #expect(
      rows.map(ContainerTests.line).dropFirst() == [
        "3 book A Book|||||chapter: Chapter One; pages: 1–10", "4 movie A Film|Jane Roe|1999|||",
        "5 vinyl Songs|Some Band|1985|||",
      ])
  }

  @Test func `fields of RIS are read with their people, days and codes`() throws {
    let text = """
      \u{FEFF}TY  - BOOK
      TI  - An Invented
      Book
      T2  - A Series
      VL  - 2
      AU  - Roe, Jane
      A1  - King, Martin Luther, Jr.
      A4  - Other, Ann
      PY  - 2020/05/03/Spring
      PB  - Some Press
      CY  - London
      SN  - 978-0-306-40615-7
      SP  - 320
      KW  - novel, short
      LA  - en
      N1  - fine
      ER  -
      TY  - JOUR
      TI  - No Book
      ER  - \u{20}
      TY  - MPCT
      AU  - Mann, Michael
      T1  - Heat
      Y1  - 1995//
      """
    let rows = try rows(text.replacing("\n", with: "\r\n"))
    #expect(rows.map(\.rejection) == [nil, "it is of a kind 'JOUR' that the catalog does not keep", nil])
    let book = try #require(rows.first?.entry)
    #expect(book.record.title == "An Invented Book" && book.record.creators == ["Jane Roe", "Martin Luther King, Jr."])
    #expect(book.record.book.series == "A Series #2" && book.record.book.published?.description == "2020-05-03")
    #expect(book.record.book.pages == 320 && book.record.book.language == "en" && book.tags == ["novel, short"])
    #expect(book.notes == ["address: London", "fine"])
    #expect(ContainerTests.line(try #require(rows.last)) == "21 movie Heat|Michael Mann|1995|||")
  }

  /// Books of random fields.
  private static func book(_ random: inout SplitMix) throws -> Outgoing {
    let words = [
      "An", "Invented", "Book", "{braces}", "50%", "C#", "R&D", "a_b", "~", "^", "\\", "--", "it's", "''", "``", "é",
      "채식주의자",
      "and", "$5", "@x", "\"q\"", "a,b", "ß", "-", "---", "{", "}", "ER  -", "TY",
    ]
    let names = [
      "Jane Roe", "Ludwig van Beethoven", "Ursula K. Le Guin", "한강", "Barnes and Noble, Inc.",
      "Martin Luther King, Jr.",
      "Ng", "José Peña", "O'Neil & Sons",
    ]
    func some(_ list: [String], _ range: ClosedRange<Int>) -> [String] {
      (0..<Int.random(in: range, using: &random)).map { _ in list.randomElement(using: &random) ?? "" }
    }
    var record = Record(kind: .book, title: "T " + some(words, 0...6).joined(separator: " "))
    record.credits =
      Set(some(names, 0...3)).sorted().map { Credit(name: $0, role: .author) }
      + some(names, 0...1).map { Credit(name: $0, role: .translator) }
    record.book.publisher = some(words, 0...2).joined(separator: " ").nonEmpty.map { "P " + $0 }
    record.book.series = Bool.random(using: &random) ? "S " + some(words, 0...2).joined(separator: " ") : nil
    record.book.pages = Bool.random(using: &random) ? Int.random(in: 1...900, using: &random) : nil
    record.book.isbn = Bool.random(using: &random) ? try ISBN("9780306406157") : nil
    record.book.language = some(["en", "ko", "de"], 0...1).first
    record.book.published = PartialDate(year: Int.random(in: 1900...2026, using: &random))
    record.url = some(["https://example.org/~a_b?c=%20&d=#e", "http://example.com/"], 0...1).first
    var entry = Entry(record)
    entry.tags = Set(some(["novel", "to-read", "50%"], 0...2)).sorted()
    return Outgoing(ItemID(rawValue: Int64.random(in: 1...9_999, using: &random)), entry)
  }

  @Test(arguments: ["bibtex", "ris"]) func `what is exported comes back`(_ id: String) throws {
    let format = try #require(OutgoingText.all.first { $0.id == id })
    var random = SplitMix(seed: 11)
    for _ in 0..<300 {
      let book = try Self.book(&random)
      let text = format.text(of: book, clean: { $0 })
      let rows = try rows(text)
      #expect(rows.count == 1, "\(text)")
      let entry = try #require(rows.first?.entry, "\(text)")
      let (record, kept) = (entry.record, book.record)
      #expect(record.title == kept.title.split(separator: " ").joined(separator: " "), "\(text)")
      func credits(_ record: Record) -> Set<String> { Set(record.credits.map { "\($0.role) \($0.name)" }) }
      #expect(credits(record) == credits(kept), "\(text)")
      func plain(_ name: String?) -> String? { name?.split(separator: " ").joined(separator: " ") }
      #expect(record.book.publisher == plain(kept.book.publisher) && record.book.pages == kept.book.pages, "\(text)")
      #expect(record.book.series == plain(kept.book.series.map { SeriesName($0).description }), "\(text)")
      #expect(record.book.isbn == kept.book.isbn && record.book.language == kept.book.language, "\(text)")
      #expect(record.book.published == kept.book.published && record.url == kept.url, "\(text)")
      #expect(entry.tags == book.entry.tags && entry.notes == [], "\(text)")
      #expect(rows.first?.key == book.citationKey)
    }
  }
}
