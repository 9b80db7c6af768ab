import CatalogModel
import Testing

struct WordingTests {
  @Test func `a wording keeps its words and values apart`() {
    let kind: Wording = "a table of \(2) columns"
    let wording: Wording = "'\("it's")' is \(kind), no \(words: "year")"
    #expect(wording.description == "'it's' is a table of 2 columns, no year")
    #expect(
      wording.parts.map { part in
        switch part {
        case .words(let words): "words: \(words)"
        case .value(let value): "value: \(value)"
        case .wording(let wording): "wording: \(wording)"
        }
      } == [
        "words: '", "value: it's", "words: ' is ", "wording: a table of 2 columns", "words: , no ", "words: year",
      ])
    #expect(wording == "'it's' is a table of 2 columns, no year")
    #expect(Wording(verbatim: "no such file").description == "no such file")
  }
}
