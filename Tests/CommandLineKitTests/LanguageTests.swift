import Testing

@testable import CommandLineKit

struct LanguageTests {
  @Test(arguments: [
    ([:], nil), (["LANG": "ko_KR.UTF-8"], "ko"), (["LANG": "ko"], "ko"), (["LANG": "en_US.UTF-8"], nil),
    (["LANG": "C"], nil), (["LANG": "C.UTF-8"], nil), (["LANG": "ko_KR.UTF-8", "LC_ALL": "C"], nil),
    (["LANG": "ko_KR.UTF-8", "LC_ALL": ""], "ko"), (["LANG": "C", "LC_MESSAGES": "ko_KR.UTF-8"], nil),
    (["LANG": "en_US.UTF-8", "LC_MESSAGES": "ko_KR.UTF-8"], "ko"),
    (["LANG": "ko_KR.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"], nil), (["LANG": "de_DE.UTF-8"], nil),
    (["LANG": "de_DE.UTF-8", "LANGUAGE": "fr:ko_KR:en"], "ko"), (["LANG": "ko_KR.UTF-8", "LANGUAGE": "en:ko"], nil),
    (["LANG": "C", "LANGUAGE": "ko"], nil), (["LANG": "ko_KR.EUC-KR@x"], "ko"), (["LANG": "korean"], nil),
    (["LANG": "ko_KR.UTF-8", "LC_CTYPE": "C"], nil), (["LANG": "ko_KR.UTF-8", "LC_CTYPE": "POSIX"], nil),
  ])
  func `the language follows the locale if it can show Unicode`(environment: [String: String], language: String?) {
    let korean = SpokenLanguage("ko") { UnsafeRawBufferPointer(start: nil, count: 0) }
    let terminal = Terminal.detect(environment: environment, languages: [korean])
    #expect((terminal.translation != nil) == (language != nil))
    let setting = LocaleSetting(environment: environment)
    if terminal.usesUnicode { #expect(setting.spoken(of: [korean])?.code == language) }
  }

  @Test(arguments: [
    ("y", true), ("YES", true), (" ㅛ ", true), ("ㅇ", true), ("네", true), ("예", true), ("n", false), ("", false),
    ("ㅜ", false), ("아니오", false), ("아니요", false), ("maybe", nil), ("네네치킨", nil),
  ])
  func `a question is answered in English and in Korean`(answer: String, isYes: Bool?) throws {
    let terminal = Terminal(isInputTerminal: true, isErrorTerminal: true)
    var lines = [answer, "y"][...]
    let output = Output.memory()
    let said = try Prompt(error: output, terminal: terminal, readLine: { lines.popFirst() }).confirm("Remove it?")
    #expect(said == (isYes ?? true))
    #expect(output.text.contains("Please answer") == (isYes == nil))
  }
}
