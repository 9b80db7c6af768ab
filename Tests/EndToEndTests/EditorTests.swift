import Foundation
import TestSupport
import Testing

/// Tests the editor, whatever keys the person presses.
@Suite(.sandbox, .timeLimit(.minutes(Patience.minutes)))
struct EditorTests {
  let sandbox: Sandbox
  /// The folder of the editor's files.
  let folder: String

  init() throws {
    sandbox = try Sandbox.current
    folder = sandbox.path("texts")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }

  /// Opens the book in an editor that does this to its file `$1`.
  private func edit(_ script: String, in terminal: PseudoTerminal) throws -> Launch {
    try sandbox.makeCatalog()
    let editor = sandbox.path("editor")
    try sandbox.write(Array("#!/bin/sh\n\(script)\n".utf8), to: editor)
    chmod(editor, 0o700)
    return try sandbox.launch("edit", "1", changing: ["EDITOR": editor, "TMPDIR": folder], terminal: terminal)
  }

  @Test func `Ctrl-C in the editor does not end the edit command`() throws {
    let terminal = try PseudoTerminal(width: 200)
    // Both get it, as from the keyboard; who has vi open presses it often.
    let launch = try edit(
      #"trap '' INT; for time in 1 2 3 4 5 6; do kill -INT $PPID; cat "$1" >/dev/null; done; sed -i 's/^year:.*/year: 1970/' "$1""#,
      in: terminal)
    terminal.readToEnd()
    #expect(launch.wait() == 0, "\(terminal.text)")
    #expect(terminal.text.contains("year: 1969 → 1970"))
  }

  @Test func `Ctrl-C at a question of edit prints where the text is kept`() throws {
    let terminal = try PseudoTerminal(width: 200)
    let launch = try edit(
      #"'\#(Launch.program)' edit 1 year=1970 >/dev/null; sed -i 's/^year:.*/year: 1975/' "$1""#, in: terminal)
    #expect(terminal.waitFor("Overwrite it with your change? [y/N] "))
    terminal.type("\u{3}")
    terminal.readToEnd()
    #expect(launch.wait() == 130)
    #expect(terminal.text.contains("your text is kept: catalog edit --resume \(folder)/catalog-item-1-"))
  }
}
