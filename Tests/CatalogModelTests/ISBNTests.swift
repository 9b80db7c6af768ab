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
  func `an ISBN has 13 digits however it is written`(_ text: String, _ digits13: String, _ digits10: String?) throws {
    let isbn = try ISBN(text)
    #expect(isbn.digits13 == digits13)
    #expect(isbn.digits10 == digits10)
    #expect(isbn.description == digits13)
    if let digits10 { #expect(try ISBN(digits10) == isbn) }
  }

  @Test(arguments: [
    "978\u{2010}0\u{2010}8264\u{2010}9752\u{2010}9", "978\u{2011}0\u{2011}8264\u{2011}9752\u{2011}9",
    "978‒0‒8264‒9752‒9",
    "978–0–8264–9752–9", "978—0—8264—9752—9", "978\u{2015}0\u{2015}8264\u{2015}9752\u{2015}9",
    "978\u{2212}0\u{2212}8264\u{2212}9752\u{2212}9", "978\u{AD}0\u{AD}8264\u{AD}9752\u{AD}9",
    "978\u{A0}0\u{A0}8264\u{A0}9752\u{A0}9", "\u{200E}978\u{202F}0 8264\u{2009}9752 9\u{200B}", "978\t0826497529",
    "ISBN-13: 978-0-8264-9752-9", "ISBN-13 978-0-8264-9752-9", "ISBN 13: 9780826497529", "ISBN13:9780826497529",
    "isbn–13\u{A0}: 978\u{2010}0826497529", "ISBN-10: 0-8264-9752-7", "ISBN10 0826497527", "ISBN 0-8264-9752-7",
    "ISBN 10 0826497527", "ISBN-13 0826497527", "ISBN\u{A0}9780826497529", "e-ISBN: 9780826497529",
    "eISBN 9780826497529",
    "urn:isbn:9780826497529", "0-8264-9752-7 (pbk)", "0-8264-9752-7 (pbk.)", "0826497527 (pbk. : alk. paper) :",
    "978-0-8264-9752-9 (hardcover)", "ISBN-13: 978-0-8264-9752-9 (box set (2nd ed.)).",
    "ISBN (print): 978-0-8264-9752-9",
    "ISBN-13 (pbk.): 978-0-8264-9752-9", "９７８０８２６４９７５２９", "ＩＳＢＮ：９７８－０－８２６４－９７５２－９", "9780826497529.",
    "978-0-8264-9752-9 05999", "978082649752905999",
  ])
  func `an ISBN pasted from a page is read`(text: String) throws {
    #expect(try ISBN(text).digits13 == "9780826497529")
  }

  @Test(arguments: ["ISBN 1-0844-4295-7", "ISBN: 1084442957", "ISBN 10-84442-95-7"])
  func `an ISBN that begins with 10 is not shortened`(text: String) throws {
    #expect(try ISBN(text).digits10 == "1084442957")
  }

  @Test(arguments: ["ISBN 13-13-13131-8", "ISBN 1313131318", "ISBN-10: 1-313-13131-8"])
  func `an ISBN that begins with 13 is not shortened`(text: String) throws {
    #expect(try ISBN(text).digits10 == "1313131318")
  }

  @Test(arguments: [
    ("ISBN-13: 978‐0‐8264‐9752‐8 (pbk.)", "has a wrong check digit"),
    ("0-8264-9752-1 (pbk)", "has a wrong check digit"),
    ("９７８０８２６４９７５２８", "has a wrong check digit"), ("978082649752805999", "has a wrong check digit"),
    ("ISBN-13: 978-0-8264-9752", "10 or 13 digits"), ("ISBN-10:", "10 or 13 digits"),
    ("(978-0-8264-9752-9", "10 or 13 digits"), ("978-0-8264 (pbk) 9752-9", "10 or 13 digits"),
    ("978/0826497529", "10 or 13 digits"), ("Dune 9780826497529", "10 or 13 digits"),
    ("9780826497529 paperback", "10 or 13 digits"), ("9780826497529 9780826497529", "10 or 13 digits"),
  ])
  func `a pasted text that is no ISBN is explained`(_ text: String, _ words: String) {
    let problem = #expect(throws: ISBN.Problem.self) { try ISBN(text) }
    #expect(problem?.description.contains(words) == true)
    #expect(problem?.description.contains("'\(text)'") == true)
  }

  @Test(arguments: [
    ("9788936434121", true), ("978‐0‐8264‐9752‐8", true), ("ISBN 978 0 8264 9752 8", true), ("12345678", true),
    ("ISBN-13: 978‐0‐8264‐9752‐8 (pbk)", true), ("0-8264-9752-1 (pbk)", true), ("0-8264-9752", true),
    ("EAN 727361379705", true), ("UPC-A: 7 27361 37970 5", true), ("EAN-13: 0727361379705", true),
    ("1967-1970", false), ("1967–1970", false), ("1967-1970 (Remastered)", false), ("2001 2010 2061", false),
    ("1984", false),
    ("ISBN", false), ("ISBN Blues 12345678", false), ("isbn 2", false), ("채식주의자", false), ("", false),
  ])
  func `a mistyped code is distinguished from a title`(_ text: String, isMeant: Bool) {
    #expect(TypedCode(text).isMeant == isMeant)
  }

  @Test(arguments: [
    ("9788936434121", "has a wrong check digit"), ("0306406153", "has a wrong check digit"),
    ("4006381333931", "an ISBN of 13 digits starts with 978 or 979"), ("97889364341", "10 or 13 digits"),
    ("", "10 or 13 digits"),
    ("X306406152", "10 or 13 digits"), ("978893643412X", "10 or 13 digits"), ("九七八", "10 or 13 digits"),
    ("-", "10 or 13 digits"), ("978893643412٠", "10 or 13 digits"),
  ])
  func `an invalid ISBN is explained`(_ text: String, _ words: String) {
    let problem = #expect(throws: ISBN.Problem.self) { try ISBN(text) }
    #expect(problem?.description.contains(words) ?? false)
    #expect(problem?.description.contains("'\(text)'") ?? false)
  }

  @Test func `one mistyped digit of an ISBN is always detected`() throws {
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
