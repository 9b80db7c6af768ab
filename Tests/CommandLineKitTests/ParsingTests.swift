import CommandLineKit
import Testing

struct ParsingTests {
  struct Case: CustomTestStringConvertible {
    var words: [String]
    var message: String
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test func `words land in the properties they are declared for`() throws {
    let add = try AddCommand.parse(["book", "Pachinko", "--year", "2017", "-g", "Family", "--genre=Saga", "-ab"].dropLast() + ["-a"])
    #expect(add.kind == .book)
    #expect(add.title == "Pachinko")
    #expect(add.year == 2017)
    #expect(add.genres == ["Family", "Saga"])
    #expect(add.all)
  }
}
