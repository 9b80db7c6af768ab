import Testing

@testable import CommandLineKit

struct TerminalTests {
  private func detect(
    _ environment: [String: String], color: ColorOption = .auto, terminals: Set<Int32> = [0, 1, 2],
    size: (Int, Int)? = (132, 50)
  ) -> Terminal {
    Terminal.detect(
      environment: environment, colorOption: color, isTerminal: { terminals.contains($0) }, size: { size })
  }

  @Test func `a terminal has its size and colour detected`() {
    let expected = Terminal(
      isInputTerminal: true, isOutputTerminal: true, isErrorTerminal: true, width: 132, height: 50, usesColor: true)
    #expect(detect(["TERM": "xterm"]) == expected)
  }

  @Test(
    arguments: [
      (["TERM": "vt100"], ColorOption.auto, true), (["TERM": "vt100", "NO_COLOR": "1"], .auto, false),
      (["TERM": "vt100", "NO_COLOR": ""], .auto, true), (["NO_COLOR": "1"], .always, true),
      (["TERM": "vt100"], .never, false), (["TERM": "dumb"], .auto, false), ([:], .auto, false),
      (["TERM": ""], .auto, false), (["TERM": "unknown"], .auto, false), ([:], .always, true),
    ] as [([String: String], ColorOption, Bool)])
  func `colour follows the option and the environment`(environment: [String: String], option: ColorOption, isOn: Bool) {
    #expect(detect(environment, color: option).usesColor == isOn)
    #expect(detect(environment, color: option, terminals: []).usesColor == (option == .always))
  }

  @Test func `COLUMNS sets the width when it is valid`() {
    #expect(detect(["COLUMNS": "40"]).width == 40)
    #expect(detect(["COLUMNS": "0"]).width == 132)
    #expect(detect(["COLUMNS": "many"], size: nil).width == 80)
    #expect(detect([:], terminals: []).width == 80)
  }

  @Test(
    arguments: [
      ([:], true), (["LANG": "C"], false), (["LANG": "ko_KR.UTF-8"], true),
      (["LC_ALL": "POSIX", "LANG": "C.UTF-8"], false),
      (["LC_ALL": "", "LANG": "C.UTF-8"], true),
    ] as [([String: String], Bool)])
  func `the locale decides the use of Unicode`(environment: [String: String], isOn: Bool) {
    #expect(detect(environment).usesUnicode == isOn)
  }

  @Test func `a style is applied only with colour`() {
    #expect(Style(.green, isBold: true)("done", on: Terminal(usesColor: true)) == "\u{1B}[1;32mdone\u{1B}[0m")
    #expect(Style.red("done", on: Terminal()) == "done")
    #expect(Style.plain("done", on: Terminal(usesColor: true)) == "done")
    #expect(Style.red("", on: Terminal(usesColor: true)) == "")
  }

  @Test func `progress is drawn ten times a second and removed`() throws {
    var time = Duration.zero
    let output = Output.memory()
    var progress = Progress(
      "Importing", total: 1000, on: output, terminal: Terminal(isErrorTerminal: true), now: { time })
    for _ in 0..<500 {
      time += .milliseconds(10)
      try progress.advance()
    }
    try progress.finish()
    let drawn = output.text.split(separator: "\r")
    #expect(drawn.count == 51)
    #expect(drawn[49] == "Importing  ██████████            500/1000  about 6 s left\u{1B}[K")
    #expect(drawn[50] == "\u{1B}[K")
  }

  @Test func `progress is not drawn without a terminal or for short work`() throws {
    var time = Duration.zero
    let output = Output.memory()
    for terminal in [Terminal(), Terminal(isErrorTerminal: true)] {
      var progress = Progress("Importing", total: nil, on: output, terminal: terminal, now: { time })
      try progress.advance()
      if !terminal.isErrorTerminal { time += .seconds(9) }
      try progress.advance()
      try progress.finish()
    }
    #expect(output.text == "")
  }

  @Test(arguments: [(5, "5/10  about 11 s left"), (1, "1/10  about 2 min left")])
  func `progress estimates the remaining time`(done: Int, end: String) throws {
    var progress = Progress("x", total: 10, on: Output.memory(), terminal: Terminal(), now: { .zero })
    try progress.update(done: done)
    #expect(progress.line(after: .seconds(10)).hasSuffix(end))
  }

  private func prompt(_ answers: [String?], _ output: Output, terminal: Terminal? = nil) -> Prompt {
    var rest = answers
    return Prompt(
      error: output, terminal: terminal ?? Terminal(isInputTerminal: true, isErrorTerminal: true),
      readLine: { rest.isEmpty ? nil : rest.removeFirst() })
  }

  @Test(arguments: [
    (["y"], true), ([" YES "], true), (["n"], false), ([""], false), ([], false), (["what", "y"], true),
  ])
  func `a question is confirmed only by yes`(answers: [String], isYes: Bool) throws {
    #expect(try prompt(answers, Output.memory()).confirm("Remove?") == isYes)
  }

  @Test func `one of several choices is chosen by number`() throws {
    let output = Output.memory()
    let choices = ["Alien\u{1B}", "Aliens"]
    #expect(try prompt(["3", "2"], output).choose("Which?", from: choices, option: "--first") == 1)
    #expect(
      output.text == """
          1  Alien␛
          2  Aliens
        Which? [1-2] Please type a number between 1 and 2, or nothing.
        Which? [1-2]\(" ")
        """)
    #expect(try prompt([""], output).choose("Which?", from: choices, option: "--first") == nil)
    #expect(try prompt([nil], output).choose("Which?", from: [], option: "--first") == nil)
  }

  @Test func `a question without a terminal is an error`() {
    let output = Output.memory()
    let prompt = prompt(["y"], output, terminal: Terminal(isOutputTerminal: true))
    let error = #expect(throws: NeedsAnswer.self) { try prompt.confirm("Remove 3 items?") }
    #expect(error?.option == "--yes")
    #expect(error?.description == "cannot ask 'Remove 3 items?' without a terminal")
    #expect(throws: NeedsAnswer.self) { try prompt.readSecret("Key:", option: "--command") }
    #expect(output.text == "")
  }
}
