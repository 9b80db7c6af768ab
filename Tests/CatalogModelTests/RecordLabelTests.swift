import CatalogModel
import Testing

struct RecordLabelTests {
  static func label(_ name: String) -> Credit { Credit(name: name, role: .label) }

  @Test func `the first label is the record's label and the others are credits`() {
    var record = Record(kind: .vinyl, title: "T")
    record.credits = [Credit(name: "A", role: .artist)]
    record.set(labels: ["EMI", "Capitol Records", "emi"].map(Self.label))
    #expect(record.vinyl.label == "EMI")
    #expect(record.credits.map(\.name) == ["A", "Capitol Records"])
    #expect(record.recordLabels == ["EMI", "Capitol Records"])
    record.set(labels: [])
    #expect(record.recordLabels.isEmpty)
    #expect(record.creators == ["A"])
  }

  @Test func `a credit that repeats the label is not listed twice`() {
    var record = Record(kind: .vinyl, title: "T")
    record.vinyl.label = "EMI"
    record.credits = ["EMI", "Harvest"].map(Self.label)
    #expect(record.recordLabels == ["EMI", "Harvest"])
  }

  @Test func `a book has no label`() {
    var book = Record(kind: .book, title: "T")
    book.set(labels: [Self.label("EMI")])
    #expect(book.credits.isEmpty)
    #expect(book.recordLabels.isEmpty)
  }
}
