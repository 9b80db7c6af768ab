import Foundation
import TestSupport
import Testing

@testable import CommandLineKit

/// The programs of the person's choice: editor and pager.
struct EditorTests {
  @Test(
    arguments: [
      ([:], ["vi"]), (["EDITOR": "nano"], ["nano"]),
      (["EDITOR": "nano", "VISUAL": "code --wait"], ["code", "--wait"]),
      (["VISUAL": " "], ["vi"]),
    ] as [([String: String], [String])])
  func `the editor comes from VISUAL or EDITOR, or is vi`(environment: [String: String], words: [String]) {
    #expect(Editor.words(environment) == words)
  }

  @Test func `the editor gets the file`() throws {
    let folder = try TemporaryFolder()
    let editor = try folder.write("echo \"$1\" >\"$2\"\n", to: "editor.sh")
    #expect(try Editor.edit(folder.path("a b"), ["EDITOR": "sh \(editor) hello"]))
    #expect(try String(contentsOfFile: folder.path("a b"), encoding: .utf8) == "hello\n")
  }

  static let person = Terminal(isInputTerminal: true, isOutputTerminal: true, height: 3)

  @Test(
    arguments: [
      ([:], ["less"], ["LESS": "FRX"]), (["PAGER": "more -s"], ["more", "-s"], ["LESS": "FRX"]),
      (["LESS": "S"], ["less"], [:]), (["PAGER": "cat"], nil, [:]), (["PAGER": ""], nil, [:]),
    ] as [([String: String], [String]?, [String: String])])
  func `the pager comes from PAGER, or is less`(
    environment: [String: String], words: [String]?, changes: [String: String]
  ) {
    let pager = Pager(terminal: Self.person, environment: environment)
    #expect(pager?.words == words)
    if let pager { #expect(pager.environment == changes) }
    #expect(Pager(terminal: Self.person, environment: environment, isEnabled: false) == nil)
    #expect(Pager(terminal: Terminal(), environment: environment) == nil)
  }

  @Test func `only output longer than the terminal is paged`() throws {
    let folder = try TemporaryFolder()
    let page = folder.path("page")
    let pager = try #require(Pager(terminal: Self.person, environment: ["PAGER": "dd status=none of=\(page)"]))
    let output = Output.memory()
    try Pager.write(Array("1\n2\n".utf8), to: output, terminal: Self.person, pager: pager)
    #expect(output.text == "1\n2\n")
    try Pager.write(Array("1\n2\n3\n".utf8), to: output, terminal: Self.person, pager: pager)
    #expect(output.text == "1\n2\n")
    #expect(try String(contentsOfFile: page, encoding: .utf8) == "1\n2\n3\n")
  }

  @Test func `a pager that is missing or quits early causes no error`() throws {
    let long = Array(String(repeating: "line\n", count: 100_000).utf8)
    let output = Output.memory()
    let missing = try #require(Pager(terminal: Self.person, environment: ["PAGER": "no-such-pager"]))
    try Pager.write(long, to: output, terminal: Self.person, pager: missing)
    #expect(output.bytes == long)
    let leaving = try #require(Pager(terminal: Self.person, environment: ["PAGER": "true"]))
    try Pager.write(long, to: output, terminal: Self.person, pager: leaving)
  }

  @Test(arguments: [4, 100_000])
  func `a listing is written directly if the pager fails`(lines: Int) throws {
    let listing = Array(String(repeating: "line\n", count: lines).utf8)
    let output = Output.memory()
    let failing = try #require(Pager(terminal: Self.person, environment: ["PAGER": "false"]))
    try Pager.write(listing, to: output, terminal: Self.person, pager: failing)
    #expect(output.bytes == listing)
  }
}
