import Glibc
import Testing

@testable import CommandLineKit

struct GraphicsTests {
  struct Case: CustomTestStringConvertible {
    var environment: [String: String]
    var graphics: Graphics
    var testDescription: String { "\(environment.sorted { $0.key < $1.key })" }
  }

  @Test(arguments: [
    Case(environment: [:], graphics: .blocks),
    Case(environment: ["TERM": "xterm-256color", "COLORTERM": "truecolor"], graphics: .blocks),
    Case(environment: ["TERM": "xterm-kitty"], graphics: .kitty),
    Case(environment: ["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], graphics: .kitty),
    Case(environment: ["TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"], graphics: .kitty),
    Case(environment: ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], graphics: .iterm),
    Case(environment: ["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], graphics: .iterm),
    Case(environment: ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], graphics: .iterm),
    Case(environment: ["TERM": "foot"], graphics: .sixels),
    Case(environment: ["TERM": "xterm-256color", "KONSOLE_VERSION": "220401"], graphics: .sixels),
    Case(environment: ["TERM": "xterm-256color", "KONSOLE_VERSION": "210800"], graphics: .blocks),
    Case(environment: ["TERM": "xterm-256color", "TERM_PROGRAM": "vscode"], graphics: .blocks),
    // A multiplexer shows none of what the terminal around it could.
    Case(environment: ["TERM": "screen-256color", "KITTY_WINDOW_ID": "1"], graphics: .blocks),
    Case(environment: ["TERM": "xterm-kitty", "TMUX": "/tmp/tmux-0/default,1,0"], graphics: .blocks),
    Case(environment: ["TERM": "dumb", "TERM_PROGRAM": "iTerm.app"], graphics: .blocks),
  ])
  func `terminal graphics are detected from the environment`(_ example: Case) {
    #expect(Graphics.detect(example.environment) == example.graphics)
  }

  @Test func `the colour depth of the terminal is detected`() {
    let terminal = Terminal(isOutputTerminal: true, usesColor: true)
    #expect(ColorDepth.detect(["TERM": "xterm"], terminal: terminal) == .basic)
    #expect(ColorDepth.detect(["TERM": "xterm-256color"], terminal: terminal) == .palette)
    #expect(ColorDepth.detect(["TERM": "xterm-256color", "COLORTERM": "truecolor"], terminal: terminal) == .full)
    #expect(ColorDepth.detect(["TERM": "xterm-direct"], terminal: terminal) == .full)
    #expect(ColorDepth.detect(["COLORTERM": "truecolor"], terminal: Terminal(isOutputTerminal: true)) == .none)
  }

  @Test func `a drawing in text keeps only characters and colours`() {
    let bytes = Array("\u{1B}[?25l\u{1B}[0m\u{1B}[38;2;1;2;3m▄\u{1B}[0m\r\n\u{1B}]0;title\u{7}\u{1B}[2J█\u{1B}[".utf8)
    #expect(
      String(decoding: Chafa.text(bytes), as: UTF8.self) == "\u{1B}[0m\u{1B}[38;2;1;2;3m▄\u{1B}[0m\n]0;title█")
    #expect(Chafa.text([0x1B]) == [])
  }

  @Test func `a missing and a failing drawing program are different errors`() {
    var chafa = Chafa(.blocks, colors: .none, usesUnicode: true)
    chafa.program = "/nonexistent/chafa"
    #expect(throws: Chafa.Failure.isMissing) { try chafa.draw([1], width: 10, height: 5) }
    chafa.program = "false"
    #expect(throws: Chafa.Failure.hasFailed) { try chafa.draw([1], width: 10, height: 5) }
    // It says nothing.
    chafa.program = "true"
    #expect(throws: Chafa.Failure.hasFailed) { try chafa.draw([1], width: 10, height: 5) }
  }
}
