import Foundation
import Processes
import TestSupport
import Testing

@testable import CommandLineKit

/// Tests the completion script of each shell, in the shell itself if it is installed.
struct CompletionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(atPath: folder.path("catalog"), withDestinationPath: StandIn.path)
  }

  /// The shell commands of the stand-in: they save the question, and print the answer if there is one.
  private var standIn: String {
    "printf '%s\\n' \"$@\" > '\(folder.path("question"))'; cat '\(folder.path("answer"))' 2>/dev/null"
  }

  /// The output of a script that runs in a shell, with the program's answer to its question.
  private func answered(_ words: [String], environment: [String: String] = [:]) throws -> (
    Processes.ExitStatus, String
  ) {
    let environment = environment.merging(["STAND_IN": standIn]) { one, _ in one }
    _ = try run(words, environment: environment)
    let question = try String(contentsOfFile: folder.path("question"), encoding: .utf8)
    let asked = question.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    _ = try folder.write(try answer(to: asked), to: "answer")
    return try run(words, environment: environment)
  }

  /// The program's answer to a script, with a title that a shell must not run.
  private func answer(to words: [String]) throws -> String {
    guard case .complete(let completion) = try program.parse(words).action else { throw UsageError("no question") }
    guard let wanted = completion.wanted else { return completion.text() }
    return completion.text(adding: [
      .init("Drama", "A genre"), .init("Dark $(touch \(folder.path("pwned")))"), .init("isbn:978"), .init(wanted),
    ])
  }

  /// The completions that bash offers for the last word of a line; `|` separates the words as bash does.
  private func bash(_ line: String) throws -> [String] {
    let words = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    let script = """
      \(program.completionScript(for: .bash))
      COMP_WORDS=(\(words.map(quoted).joined(separator: " ")))
      COMP_CWORD=\(words.count - 1)
      _catalog \(quoted(folder.path("catalog")))
      ((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}"
      exit 0

      """
    let (status, text) = try answered(["bash", "--norc", try folder.write(script, to: "complete.bash")])
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
    ("catalog|list|isbn|:|9", ["978"]), ("catalog|list|isbn|:|978", ["978"]), ("catalog|list|isbn|:", ["978"]),
    ("catalog|add|--genre|\"Dr", ["Drama"]), ("catalog|add|--genre|'Dr", ["Drama"]),
    ("catalog|add|--genre|D\\r", ["Drama"]),
    ("catalog|list|isbn|:|\"9", ["978"]), ("catalog|list|\"isbn:9", ["isbn:978"]),
    ("catalog|list|'a b'|\"Dr", ["Drama"]), ("catalog|completion|z", ["zsh"]), ("catalog|add|--year|", []),
  ])
  func `bash completes the words that can follow`(line: String, offers: [String]) throws {
    guard isInstalled("bash") else { return }
    #expect(try bash(line) == offers)
  }

  @Test func `bash completion never runs a title`() throws {
    guard isInstalled("bash") else { return }
    let offers = try bash("catalog|add|-g|Dark")
    #expect(offers.count == 1)
    #expect(offers.first?.hasPrefix("Dark\\ \\$\\(touch") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.path("pwned")))
  }

  @Test func `bash completion inside quotes offers the text for that kind of quote`() throws {
    guard isInstalled("bash") else { return }
    #expect(try bash("catalog|add|-g|\"Dark $").isEmpty == false)
    #expect(try bash("catalog|add|-g|\"Dark $").first?.hasPrefix("Dark \\$(touch /") == true)
    #expect(try bash("catalog|add|-g|'Dark $").first?.hasPrefix("Dark $(touch /") == true)
    #expect(try bash("catalog|add|-g|Dark\\ $").first?.hasPrefix("Dark\\ \\$\\(touch") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.path("pwned")))
  }

  @Test func `bash completes file names`() throws {
    guard isInstalled("bash") else { return }
    _ = try folder.write("", to: "cover 1.jpg")
    #expect(try bash("catalog|add|--cover|\(folder.path("cov"))") == [folder.path("cover 1.jpg")])
    #expect(try bash("catalog|list|--db|=|\(folder.path("cov"))") == [folder.path("cover 1.jpg")])
  }

  @Test(arguments: Shell.allCases)
  func `each shell accepts its completion script`(_ shell: Shell) throws {
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
  func `fish completes the words that can follow`(line: String, offers: [String]) throws {
    guard isInstalled("fish") else { return }
    let script = """
      set -gx PATH \(folder.path("")) $PATH
      \(program.completionScript(for: .fish))
      complete -C \(quoted(line))

      """
    let path = try folder.write(script, to: "complete.fish")
    let (_, text) = try answered(["fish", "--no-config", path], environment: ["HOME": folder.path("")])
    #expect(Set(text.split(separator: "\n").map(String.init)) == Set(offers))
  }

  @Test(arguments: [
    ("catalog|", ["card:Comment cards.", "help:Explain a command or a topic."]),
    ("catalog|ca", ["card:Comment cards."]), ("catalog|add|v", ["vinyl"]),
    ("catalog|put|-y|3|", ["movie", "book", "vinyl"]), ("catalog|add|--color|", ["auto", "always", "never"]),
    ("catalog|add|--color=al", ["--color=always"]), ("catalog|list|x|Dr", ["Drama:A genre", "isbn\\:978"]),
    ("catalog|add|--ye", ["--year:Year of release."]), ("catalog|add|--cover|", ["files"]),
    ("catalog|add|--cover=x", ["compset -P 1 *=", "files"]),
  ])
  func `zsh completes the words that can follow`(line: String, offers: [String]) throws {
    guard isInstalled("zsh") else { return }
    // Stand-ins for the completion system, which runs only in an interactive shell.
    let words = line.split(separator: "|", omittingEmptySubsequences: false).map { quoted(String($0)) }
    let script = """
      compdef() { : }
      compset() { print -r -- compset "$@" }
      _files() { print files }
      _describe() { local name=$2; print -rl -- ${(P)name} }
      \(program.completionScript(for: .zsh))
      words=(\(words.joined(separator: " ")))
      words[1]=\(quoted(folder.path("catalog")))
      CURRENT=$#words PREFIX=$words[-1]
      _catalog

      """
    let path = try folder.write(script, to: "complete.zsh")
    let (status, text) = try answered(["zsh", "-f", path])
    #expect(status == .exited(0), "\(text)")
    let lines = text.split(separator: "\n").map(String.init)
    for offer in offers { #expect(lines.contains(offer), "\(text)") }
  }

  @Test(arguments: [
    ([], "list\tShow the items.\nadd\tAdd an item to the catalog.\ncard\tComment cards.\n"),
    (["card", "l"], "list\tShow the items.\nlend\tLend copies to someone.\n"),
    // Complete and wrong lines offer as much as can be known.
    (["add", "--nonsense", "-ay", "3", "b"], "book\n"), (["card", "unheard-of", ""], ""), (["add", "--all=b"], ""),
    (["--db"], "--db\tThe catalog to use.\n"), (["--db", ""], "\tfiles\n"), (["add", "--cover=a"], "\tfiles\n"),
    (["add", "-c", ""], "\tfiles\n"), (["add", "-cfile", "b"], "book\n"), (["add", "--kinds="], "--kinds=movie\n"),
    (["add", "--sec"], ""), (["lend", "1", "2", "3"], ""),
    (["help", "ex"], "exit-status\tWhat the exit status says.\n"),
    (["completion", ""], "bash\nzsh\nfish\n"), (["man"], ""), (["--vers"], "--version\tPrint the version.\n"),
    (["list", "--vers"], ""), (["--", "l"], ""),
  ])
  func `the program prints the words that can follow`(words: [String], start: String) throws {
    let text = try answer(to: ["completion", "--candidates", "--"] + (words.isEmpty ? [""] : words))
    if start.isEmpty { #expect(text == "") } else { #expect(text.hasPrefix(start), "\(text)") }
  }

  @Test(arguments: [
    (["--db", "x", "list", "기"], "items", "기", "x"), (["add", "--db=x", "--genre=Dr"], "genres", "Dr", "x"),
    (["list", "a", "--db", "x", "--", "-기"], "items", "-기", "x"), (["add", "-g", ""], "genres", "", nil),
    (["--db", "x", "--db", "y", "card", "add", "--stars", "3", "h"], "items", "h", "y"),
  ])
  func `completions from the catalog use the catalog named on the line`(
    words: [String], wanted: String, prefix: String, database: String?
  ) throws {
    let invocation = try program.parse(["completion", "--candidates", "--"] + words)
    guard case .complete(let completion) = invocation.action else { throw UsageError("no completion") }
    #expect(completion.wanted == wanted)
    #expect(completion.prefix == prefix)
    #expect(invocation.globals.database == database)
  }

  @Test func `a completion is one line without control characters`() {
    let completion = Completion(candidates: [.init("a\tb\n\u{1B}c", "d\te"), .init("", "nothing")])
    #expect(completion.text(adding: [.init("기")]) == "a b ␛c\td e\n기\n")
  }

  @Test(arguments: Shell.allCases)
  func `completion scripts do not grow with the commands`(_ shell: Shell) {
    let script = program.completionScript(for: shell)
    #expect(script.utf8.count < 2_500)
    for word in ["lend", "--year", "vinyl"] { #expect(!script.contains(word)) }
  }

  @Test func `there is a manual page for the program and one for each command`() throws {
    #expect(
      program.manualPages == [
        "catalog", "catalog-list", "catalog-add", "catalog-card", "catalog-lend",
        "catalog-completion", "catalog-help",
      ])
    let pages = try program.manualPages.map { try program.manualPage($0, date: "2026-11-22") }
    for (name, page) in zip(program.manualPages, pages) {
      #expect(
        page.hasPrefix(
          ".TH \"\(name.uppercased().split(separator: "-").joined(separator: "\\-"))\" \"1\" \"2026\\-11\\-22\" \"catalog 1.0\" \"User Commands\"\n"
        ))
      #expect(page.utf8.allSatisfy { $0 < 0x80 })
    }
    for part in [
      "catalog\\-card(1)", ".SH \"EXIT STATUS\"", "\\&.dangerous \\(aqtext\\(aq \\ebegins", "\\[uAE30]",
      ".SH \"EXAMPLES\"",
    ] {
      #expect(pages[0].contains(part), "\(part)")
    }
    #expect(pages[2].contains(".B \"\\-y, \\-\\-year NUMBER\""))
    #expect(pages[3].contains(".SS \"catalog card add\"\n"))
    #expect(pages[3].contains("catalog card add \\-\\-stars NUMBER REF"))
  }

  @Test func `a manual page is printed by the name of its command`() throws {
    #expect(try program.manualPage("lend") == program.manualPage("catalog-lend"))
    #expect(try program.manualPage() == program.manualPage("catalog"))
    #expect(throws: UsageError("there is no page 'lnd'; did you mean 'lend'?")) {
      try program.manualPage("lnd")
    }
  }

  @Test func `groff reports no fault in the manual pages`() throws {
    guard isInstalled("groff") else { return }
    for name in program.manualPages {
      let path = try folder.write(program.manualPage(name), to: "\(name).1")
      let (status, text) = try run(["groff", "-man", "-ww", "-z", "-Tutf8", path])
      #expect(status == .exited(0))
      #expect(text == "", "\(name)")
    }
  }
}

/// A word in single quotes, for a shell.
private func quoted(_ word: String) -> String {
  "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
