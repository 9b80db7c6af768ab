import Foundation
import Testing

@testable import CommandLineKit

struct CompletionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // What answers the script's questions: it shows what it was asked, and a title that a shell must not run.
    let answer = """
      #!/bin/sh
      [ "$1 $2" = "completion --candidates" ] || exit 1
      printf 'Drama\\tA genre\\nDark $(touch %s)\\nisbn:978\\n%s\\n' "$PWNED" "$3"

      """
    _ = try folder.write(answer, to: "catalog", isExecutable: true)
  }

  /// What bash offers after a line whose last word is being typed; `|` parts the words as bash does.
  private func bash(_ line: String) throws -> [String] {
    let words = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    let script = """
      \(program.completionScript(for: .bash))
      COMP_WORDS=(\(words.map(CompletionTable.quoted).joined(separator: " ")))
      COMP_CWORD=\(words.count - 1)
      _catalog \(CompletionTable.quoted(folder.path("catalog")))
      ((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}"
      exit 0

      """
    let path = try folder.write(script, to: "complete.bash")
    let (status, text) = try run(["bash", "--norc", path], environment: ["PWNED": folder.path("pwned")])
    #expect(status == .exited(0), "\(text)")
    return text.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [
    ("catalog|", ["list", "add", "card", "lend", "completion", "help"]), ("catalog|l", ["list", "lend"]),
    ("catalog|card|", ["add", "list", "lend"]), ("catalog|--db|x|card|l", ["list", "lend"]),
    ("catalog|add|", ["movie", "book", "vinyl"]), ("catalog|put|v", ["vinyl"]), ("catalog|add|movie|", []),
    ("catalog|add|--year|3|b", ["book"]), ("catalog|add|-a|b", ["book"]), ("catalog|add|--json|b", ["book"]),
    ("catalog|add|--ye", ["--year"]), ("catalog|add|--se", []), ("catalog|add|--co", ["--cover", "--color"]),
    ("catalog|--color|", ["auto", "always", "never"]), ("catalog|add|--color|=|al", ["always"]),
    ("catalog|add|--color|=", ["auto", "always", "never"]), ("catalog|add|--genre|Dr", ["Drama"]),
    ("catalog|list|it", ["items"]), ("catalog|list|a|b|Dr", ["Drama"]), ("catalog|list|--|Dr", ["Drama"]),
    ("catalog|list|isbn|:|9", ["978"]), ("catalog|completion|z", ["zsh"]), ("catalog|add|--year|", []),
  ])
  func `bash offers what can follow`(line: String, offers: [String]) throws {
    guard isInstalled("bash") else { return }
    #expect(try bash(line) == offers)
  }

  @Test func `bash never runs a title`() throws {
    guard isInstalled("bash") else { return }
    let offers = try bash("catalog|add|-g|Dark")
    #expect(offers.count == 1)
    #expect(offers.first?.hasPrefix("Dark\\ \\$\\(touch") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.path("pwned")))
  }

  @Test func `bash offers files`() throws {
    guard isInstalled("bash") else { return }
    _ = try folder.write("", to: "cover 1.jpg")
    #expect(try bash("catalog|add|--cover|\(folder.path("cov"))") == [folder.path("cover 1.jpg")])
    #expect(try bash("catalog|list|--db|=|\(folder.path("cov"))") == [folder.path("cover 1.jpg")])
  }

  @Test(arguments: Shell.allCases)
  func `the script is understood by its shell`(_ shell: Shell) throws {
    guard isInstalled(shell.rawValue) else { return }
    let path = try folder.write(program.completionScript(for: shell), to: "script")
    let (status, text) = try run([shell.rawValue, "-n", path])
    #expect(status == .exited(0))
    #expect(text == "")
  }

  @Test(arguments: [
    ("catalog ca", ["card\tComment cards."]),
    ("catalog card l", ["list\tShow the items.", "lend\tLend copies to someone."]),
    ("catalog add v", ["vinyl"]), ("catalog --db x add -y 3 b", ["book"]),
    ("catalog add --ye", ["--year\tYear of release."]),
    ("catalog add --color=al", ["--color=always"]), ("catalog list a it", ["items"]),
    ("catalog add -g Dr", ["Drama\tA genre"]), ("catalog list -- Dr", ["Drama\tA genre"]),
  ])
  func `fish offers what can follow`(line: String, offers: [String]) throws {
    guard isInstalled("fish") else { return }
    let script = """
      set -gx PATH \(folder.path("")) $PATH
      \(program.completionScript(for: .fish))
      complete -C \(CompletionTable.quoted(line))

      """
    let path = try folder.write(script, to: "complete.fish")
    let (_, text) = try run(["fish", "--no-config", path], environment: ["HOME": folder.path("")])
    #expect(Set(text.split(separator: "\n").map(String.init)) == Set(offers))
  }

  @Test(arguments: [
    ("catalog|ca", ["commands: card:Comment cards."]), ("catalog|add|v", ["movie book vinyl"]),
    ("catalog|put|-y|3|", ["movie book vinyl"]), ("catalog|add|--color|", ["auto always never"]),
    ("catalog|list|x|Dr", ["candidates: Drama:A genre"]), ("catalog|add|--cover|", ["files"]),
  ])
  func `zsh offers what can follow`(line: String, offers: [String]) throws {
    guard isInstalled("zsh") else { return }
    // Stand-ins for the completion system, which runs only in an interactive shell.
    let words = line.split(separator: "|", omittingEmptySubsequences: false).map { CompletionTable.quoted(String($0)) }
    let script = """
      compdef() { : }
      compadd() { shift; print -r -- "$*" }
      _files() { print files }
      _describe() { local name=${@[-1]}; print -rl -- "$name: "${^${(P)name}} }
      \(program.completionScript(for: .zsh))
      words=(\(words.joined(separator: " ")))
      words[1]=\(CompletionTable.quoted(folder.path("catalog")))
      CURRENT=$#words PREFIX=$words[-1]
      _catalog

      """
    let path = try folder.write(script, to: "complete.zsh")
    let (status, text) = try run(["zsh", "-f", path])
    #expect(status == .exited(0), "\(text)")
    let lines = text.split(separator: "\n").map(String.init)
    for offer in offers { #expect(lines.contains(offer), "\(text)") }
  }

  @Test func `the manual page has every command, option and topic`() {
    let page = program.manualPage()
    for part in [
      ".TH \"CATALOG\" \"1\"", "catalog card add \\-\\-stars NUMBER REF", ".B \"\\-y, \\-\\-year NUMBER\"",
      ".SH \"EXIT STATUS\"", "\\&.dangerous \\(aqtext\\(aq \\ebegins", "\\[uAE30]", ".SH \"EXAMPLES\"",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(page.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func `the manual page has no fault that groff knows of`() throws {
    guard isInstalled("groff") else { return }
    let path = try folder.write(program.manualPage(), to: "catalog.1")
    let (status, text) = try run(["groff", "-man", "-ww", "-z", "-Tutf8", path])
    #expect(status == .exited(0))
    #expect(text == "")
  }
}
