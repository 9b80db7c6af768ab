import Testing

@testable import Messages

private func speaking(_ file: String, pluralForm: @escaping @Sendable (Int) -> Int = { _ in 0 }) -> Translation {
  var bytes = Array(file.utf8)
  return bytes.withUnsafeMutableBytes { bytes in
    // Read at once, and not kept.
    nonisolated(unsafe) let bytes = UnsafeRawBufferPointer(bytes)
    return SpokenLanguage("xx", pluralForm: pluralForm) { bytes }.translation()
  }
}

struct MessageTests {
  private let polite = speaking(
    #"""
    msgid ""
    msgstr "Language: xx\n"

    # A comment.
    #, objc-format
    msgid "there is no item %@"
    msgstr "sadly, there is no %@"

    #, objc-format
    msgid "%@ of %@"
    msgstr "of %2$@: %1$@"

    msgctxt "month"
    msgid "May"
    msgstr "fifth month"

    #, fuzzy
    msgid "guessed"
    msgstr "wrongly"

    #, objc-format
    msgid "'%@' is here"
    msgstr "look at '%@'"

    msgid "not yet"
    msgstr ""

    #, objc-format
    msgid "%@ item"
    msgid_plural "%@ items"
    msgstr[0] "one thing (%@)"
    msgstr[1] "things: %@"

    msgid ""
    "two\n"
    "lines, \"quoted\""
    msgstr "a\tb\\"

    #~ msgid "gone"
    #~ msgstr "lost"
    """#, pluralForm: { $0 == 1 ? 0 : 1 })

  @Test func `a message is split into words, values and code in each language`() {
    let message: Message = "\(code: "catalog list") of \("there is no item \("שלום")" as Message)"
    #expect(
      message.pieces(in: nil) == [
        .code("catalog list"), .words(" of "), .words("there is no item "), .foreign("שלום"),
      ])
    #expect(
      message.pieces(in: polite) == [
        .words("of "), .words("sadly, there is no "), .foreign("שלום"), .words(": "), .code("catalog list"),
      ])
    #expect([message, "!"].joined(separator: "/").pieces(in: polite).suffix(2) == [.words("/"), .words("!")])
    for (message, english, translated) in Self.cases {
      func text(_ translation: Translation?) -> String {
        message.pieces(in: translation).map {
          switch $0 {
          case .words(let text), .foreign(let text), .code(let text): text
          }
        }.joined()
      }
      #expect(text(nil) == english)
      #expect(text(polite) == translated)
    }
  }

  private static let cases: [(Message, String, String)] = [
    ("there is no item \(42)", "there is no item 42", "sadly, there is no 42"),
    ("\(1) of \(2)", "1 of 2", "of 2: 1"),
    ("May", "May", "May"),
    (Message("May", context: "month"), "May", "fifth month"),
    ("guessed", "guessed", "guessed"),
    ("not yet", "not yet", "not yet"),
    ("gone", "gone", "gone"),
    ("two\nlines, \"quoted\"", "two\nlines, \"quoted\"", "a\tb\\"),
    (Message(verbatim: "May"), "May", "May"),
    (Message(verbatim: "100 % %@"), "100 % %@", "100 % %@"),
    ("100 % of \("50 %")", "100 % of 50 %", "100 % of 50 %"),
    ("no: \("there is no item \(1)" as Message)", "no: there is no item 1", "no: sadly, there is no 1"),
    (
      "there is no item \(1)" + "; there is no item \(2)", "there is no item 1; there is no item 2",
      "sadly, there is no 1; there is no item 2"
    ),
    (["May", "there is no item \(1)"].joined(separator: ", "), "May, there is no item 1", "May, sadly, there is no 1"),
    (Message(counting: 1, one: "\(1) item", many: "\(1) items"), "1 item", "one thing (1)"),
    (Message(counting: 3, one: "\(3) item", many: "\(3) items"), "3 items", "things: 3"),
    (Message(counting: 3, one: "\(3) odd", many: "\(3) odds"), "3 odds", "3 odds"),
    ("", "", ""),
  ]

  @Test(arguments: cases)
  func `a message is printed in English or in its translation`(message: Message, english: String, translated: String) {
    #expect(message.text(in: nil) == english)
    #expect(message.text(in: polite) == translated)
    #expect(message == Message(verbatim: english))
  }

  @Test func `a value in a message is replaced wherever it is one`() {
    let file: Message = "the file '\("/tmp/x")' has no '\("x")'"
    let counted = Message(counting: 2, one: "one", many: "many of \("/tmp/x")")
    let nested = "\(file): '\("/tmp/x")' /tmp/x" + counted
    #expect(nested.replacing("/tmp/x", with: "y") == "the file 'y' has no 'x': 'y' /tmp/xmany of y")
    #expect(Message(verbatim: "/tmp/x").replacing("/tmp/x", with: "y") == "y")
  }

  @Test func `a word in a message belongs to its key and a value does not`() {
    let message: Message = "no \(words: "year") \(2)"
    #expect(message.pieces(in: nil) == [.words("no year "), .foreign("2")])
  }

  @Test(arguments: [
    "msgid", "msgstr \"a\"\nmsgid \"b", "msgid \"%@\"\nmsgstr \"%2$@ %9$@ %\"", "\"", "\\", "msgctxt \"a\"",
    "msgid \"a\"\nmsgstr \"\\", "msgstr[1] \"a\"\nmsgid_plural \"\"",
  ])
  func `a malformed PO file never crashes and leaves messages in English`(file: String) {
    let translation = speaking(file)
    #expect(("\(1) and \(2)" as Message).text(in: translation) == "1 and 2")
    _ = ("\(1)" as Message).text(in: translation)
  }

  @Test(arguments: [
    ("책", "책을 책이 책으로"), ("영화", "영화를 영화가 영화로"), ("앨범 '서울'", "앨범 '서울'을 앨범 '서울'이 앨범 '서울'로"),
    ("3", "3을 3이 3으로"), ("4", "4를 4가 4로"), ("7", "7을 7이 7로"), ("10", "10을 10이 10으로"),
    ("TMDB", "TMDB를 TMDB가 TMDB로"), ("URL", "URL을 URL이 URL로"), ("Discogs", "Discogs를 Discogs가 Discogs로"),
    ("Kind of Blue", "Kind of Blue를 Kind of Blue가 Kind of Blue로"), ("Google", "Google을 Google이 Google로"),
    ("Alien", "Alien을 Alien이 Alien으로"), ("노트북 (2004)", "노트북 (2004)을 노트북 (2004)이 노트북 (2004)으로"),
    ("\u{1B}[1m영화\u{1B}[0m", "\u{1B}[1m영화\u{1B}[0m를 \u{1B}[1m영화\u{1B}[0m가 \u{1B}[1m영화\u{1B}[0m로"),
    ("재즈.", "재즈.를 재즈.가 재즈.로"), ("東京", "東京을(를) 東京이(가) 東京으로(로)"), ("…", "…을(를) …이(가) …으로(로)"),
    ("", "을(를) 이(가) 으로(로)"),
  ])
  func `a Korean particle fits the word before it`(word: String, said: String) {
    let korean = speaking(
      #"""
      msgid "%@"
      msgstr "%@{을/를} %1$@{이/가} %1$@{으로/로}"

      msgid "no %@"
      msgstr "'%@'{은/는} 없음"
      """#)
    #expect(("\(word)" as Message).text(in: korean) == said)
    #expect(("no \("책")" as Message).text(in: korean) == "'책'은 없음")
  }
}
