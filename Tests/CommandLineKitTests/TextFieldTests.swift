import CommandLineKit
import Testing

struct TextFieldTests {
  @Test func `a text field edits by whole characters`() {
    var field = TextField()
    for character in "한강 👩‍👩‍👧é" { _ = field.press(.character(character)) }
    #expect(field.text == "한강 👩‍👩‍👧é")
    _ = field.press(.backspace)
    _ = field.press(.backspace)
    #expect(field.text == "한강 ")
    _ = field.press(.left)
    _ = field.press(.left)
    _ = field.press(.character("가"))
    #expect(field.text == "한가강 ")
    _ = field.press(.end)
    _ = field.press(.control("w"))
    #expect(field.text == "")
  }

  @Test func `a character pasted in pieces is deleted as one`() {
    var field = TextField("a")
    for scalar in "e\u{301}\u{1112}\u{1161}\u{11AB}".unicodeScalars { _ = field.press(.pasted(Character(scalar))) }
    _ = field.press(.backspace)
    #expect(field.text == "ae\u{301}")
    _ = field.press(.backspace)
    #expect(field.text == "a")
  }

  @Test func `a field takes some hundred characters, and what more is pasted is left out`() {
    var field = TextField()
    for _ in 0..<5_000 { _ = field.press(.pasted("a")) }
    #expect(field.text == String(repeating: "a", count: 500))
    _ = field.press(.backspace)
    _ = field.press(.character("b"))
    #expect(field.text.hasSuffix("ab"))
    field = TextField("e")
    for _ in 0..<5_000 { _ = field.press(.pasted("\u{301}")) }
    #expect(field.text.utf8.count <= 501)
  }

  @Test func `the cursor of a text field stays visible`() {
    var field = TextField("소년이 온다")
    func shown(in width: Int) -> String {
      let (text, cursor) = field.visible(in: width)
      return "\(text)|\(cursor)"
    }
    #expect(shown(in: 20) == "소년이 온다|11")
    #expect(shown(in: 6) == " 온다|5")
    _ = field.press(.home)
    #expect(shown(in: 6) == "소년이|0")
    #expect(TextField("a\u{1B}[2J").visible(in: 20).text == "a␛[2J")
  }
}
