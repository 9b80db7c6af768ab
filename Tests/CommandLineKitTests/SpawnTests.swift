import Foundation
import Testing

@testable import CommandLineKit

struct SpawnTests {
  @Test func `a program runs with words as they are`() throws {
    let (status, text) = try run(["printf", "%s|", "a b", "$HOME", "*"])
    #expect(status == .exited(0))
    #expect(text == "a b|$HOME|*|")
  }

  @Test func `the end of a program is known`() throws {
    #expect(try Spawn.run(["sh", "-c", "exit 3"]) == .exited(3))
    #expect(try Spawn.run(["sh", "-c", "kill -9 $$"]) == .killed(9))
    #expect(try Spawn.run(["true"]).isSuccess)
  }

  @Test(arguments: [["no-such-program-here"], ["/"], [], ["a\0b"]])
  func `what cannot be started is an error`(_ words: [String]) {
    #expect(throws: SystemError.self) { try Spawn.run(words) }
  }

  @Test(arguments: [
    ("pass show tmdb", ["pass", "show", "tmdb"]), ("  a\tb\n", ["a", "b"]), ("", []), (" ", []),
    (#"pass show "my keys/tmdb""#, ["pass", "show", "my keys/tmdb"]), (#"a 'b "c" \d' e"#, ["a", #"b "c" \d"#, "e"]),
    (#"a\ b "c\"d" e\\"#, ["a b", "c\"d", #"e\"#]), (#"x="1 2"3"#, ["x=1 23"]), ("a '' \"\"", ["a", "", ""]),
    ("'open end", ["open end"]), ("$HOME *; rm", ["$HOME", "*;", "rm"]), ("코드 '한 글'", ["코드", "한 글"]),
  ])
  func `a setting is split into words, and nothing in it is expanded`(_ setting: String, _ words: [String]) {
    #expect(Spawn.words(of: setting) == words)
  }

  @Test func `what a program prints is read, as much as is asked for`() throws {
    let whole = try Spawn.output(of: ["sh", "-c", "printf abc; exit 3"])
    #expect(whole.bytes == Array("abc".utf8) && whole.status == .exited(3))
    #expect(try Spawn.output(of: ["cat"]).bytes == [], "it reads nothing of ours")
    #expect(try Spawn.output(of: ["yes"], limit: 5).bytes == Array("y\ny\ny".utf8))
    #expect(throws: SystemError.self) { try Spawn.output(of: ["no-such-program"]) }
  }

  @Test func `the environment is ours with changes`() throws {
    let (_, text) = try run(
      ["sh", "-c", "echo $CLK_TEST; test -n \"$PATH\" && echo path"], environment: ["CLK_TEST": "기"])
    #expect(text == "기\npath\n")
  }

  @Test func `pipes lead to us`() throws {
    let child = try Spawn.start(["sh", "-c", "echo out; echo err >&2"], input: .null, output: .pipe, error: .pipe)
    for (descriptor, expected) in [(child.output, "out\n"), (child.error, "err\n")] {
      let file = FileHandle(fileDescriptor: try #require(descriptor), closeOnDealloc: true)
      #expect(try file.readToEnd() == Data(expected.utf8))
    }
    #expect(child.wait() == .exited(0))
  }

  @Test(
    arguments: [
      ([:], ["vi"]), (["EDITOR": "nano"], ["nano"]),
      (["EDITOR": "nano", "VISUAL": "code --wait"], ["code", "--wait"]),
      (["VISUAL": " "], ["vi"]),
    ] as [([String: String], [String])])
  func `the editor is the user's`(environment: [String: String], words: [String]) {
    #expect(Editor.words(environment) == words)
  }

  @Test func `the editor gets the file`() throws {
    let folder = try TemporaryFolder()
    let editor = try folder.write("#!/bin/sh\necho \"$1\" >\"$2\"\n", to: "editor", isExecutable: true)
    #expect(try Editor.edit(folder.path("a b"), ["EDITOR": "\(editor) hello"]))
    #expect(try String(contentsOfFile: folder.path("a b"), encoding: .utf8) == "hello\n")
  }

  static let person = Terminal(isInputTerminal: true, isOutputTerminal: true, height: 3)

  @Test(
    arguments: [
      ([:], ["less"], ["LESS": "FRX"]), (["PAGER": "more -s"], ["more", "-s"], ["LESS": "FRX"]),
      (["LESS": "S"], ["less"], [:]), (["PAGER": "cat"], nil, [:]), (["PAGER": ""], nil, [:]),
    ] as [([String: String], [String]?, [String: String])])
  func `the pager is the user's`(environment: [String: String], words: [String]?, changes: [String: String]) {
    let pager = Pager(terminal: Self.person, environment: environment)
    #expect(pager?.words == words)
    if let pager { #expect(pager.environment == changes) }
    #expect(Pager(terminal: Self.person, environment: environment, isEnabled: false) == nil)
    #expect(Pager(terminal: Terminal(), environment: environment) == nil)
  }

  @Test func `only what is longer than the terminal is paged`() throws {
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

  @Test func `a pager that is missing or leaves early does no harm`() throws {
    let long = Array(String(repeating: "line\n", count: 100_000).utf8)
    let output = Output.memory()
    let missing = try #require(Pager(terminal: Self.person, environment: ["PAGER": "no-such-pager"]))
    try Pager.write(long, to: output, terminal: Self.person, pager: missing)
    #expect(output.bytes == long)
    let leaving = try #require(Pager(terminal: Self.person, environment: ["PAGER": "true"]))
    try Pager.write(long, to: output, terminal: Self.person, pager: leaving)
  }
}
