import CatalogModel
import Testing

struct ISBNTests {
  @Test(arguments: [
    ("9788936434120", "9788936434120", "8936434128"),
    ("978-89-364-3412-0", "9788936434120", "8936434128"),
    ("ISBN 0-306-40615-2", "9780306406157", "0306406152"),
    ("isbn: 080442957x", "9780804429573", "080442957X"),
    ("979-10-90636-07-1", "9791090636071", nil),
  ])
  func `an ISBN is its 13 digits however it is written`(_ text: String, _ digits13: String, _ digits10: String?) throws
  {
    let isbn = try ISBN(text)
    #expect(isbn.digits13 == digits13)
    #expect(isbn.digits10 == digits10)
    #expect(isbn.description == digits13)
    if let digits10 { #expect(try ISBN(digits10) == isbn) }
  }

  @Test(arguments: [
    ("9788936434121", "has a wrong check digit"), ("0306406153", "has a wrong check digit"),
    ("4006381333931", "13 digits start with 978 or 979"), ("97889364341", "10 or 13 digits"), ("", "10 or 13 digits"),
    ("X306406152", "10 or 13 digits"), ("978893643412X", "10 or 13 digits"), ("九七八", "10 or 13 digits"),
    ("-", "10 or 13 digits"), ("978893643412٠", "10 or 13 digits"),
  ])
  func `what is no ISBN is explained`(_ text: String, _ words: String) {
    let problem = #expect(throws: ISBN.Problem.self) { try ISBN(text) }
    #expect(problem?.description.contains(words) ?? false)
    #expect(problem?.description.contains("'\(text)'") ?? false)
  }

  @Test func `one mistyped digit is always found`() throws {
    let right = Array("9788936434120")
    for place in right.indices.dropFirst(3) {
      for digit in "0123456789" where digit != right[place] {
        var wrong = right
        wrong[place] = digit
        #expect(throws: ISBN.Problem.self) { try ISBN(String(wrong)) }
      }
    }
  }
}
