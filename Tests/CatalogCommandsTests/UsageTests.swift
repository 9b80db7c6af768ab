import Foundation
import Testing

@testable import CatalogCommands
@testable import CommandLineKit

/// Tests the command lines that usage lines describe.
struct UsageTests {
  /// A command line, made of a usage line.
  struct Form: CustomTestStringConvertible, Sendable {
    var words: [String]
    /// Whether the line includes the optional words; without them a required option may be missing.
    var isWhole: Bool
    var testDescription: String { words.joined(separator: " ") }
  }

  /// Values for the names in usage lines.
  private static let samples = [
    "REF": ["1"], "COPY": ["c1"], "CARD": ["1"], "ENTRY": ["1"], "WISH": ["w1"], "QUERY": ["kind:vinyl"],
    "WORDS": ["blue"],
    "WHAT": ["1"], "TAG": ["old"], "NAME": ["x"], "GENRE": ["Jazz"], "LABEL": ["My Label"], "PARENT": ["Rock"],
    "FROM": ["Jazz"], "INTO": ["Rock"], "YEAR": ["2025"], "KIND": ["vinyl"], "RATING": ["4"], "STAYS GOES": ["1", "4"],
    "COPY to NAME": ["c1", "to", "Anna"], "REF|FIELD=VALUE": ["1", "year=1999"], "KIND|QUERY": ["vinyl"],
    "REF|WORDS": ["1"], "N": ["1"], "PLACE": ["1"], "FILE": ["x"], "FORMAT": ["jsonl"], "SHELL": ["bash"],
    "VALUE": ["KR"], "SOURCE": ["tmdb"], "REMOTE": ["/nowhere"], "WORD": ["list"], "BASE": ["x"], "OURS": ["x"],
    "THEIRS": ["x"],
  ]
  /// Values for names with another meaning in some commands.
  private static let others = [
    "config get": ["NAME": ["locale.country"]], "config set": ["NAME": ["locale.country"]],
    "config unset": ["NAME": ["locale.country"]], "cache clear": ["WHAT": ["answers"]],
    "card edit": ["WORDS": ["Good."]], "edition add": ["REF": ["1", "4"]], "represent": ["REF": ["3"]],
    "genre labels": ["WORDS": ["jazz"]], "add": ["WHAT": ["1"]],
    "shelf forget": ["NAME": ["kept"]], "card add": ["WORDS": ["Good."]], "diary edit": ["WORDS": ["Good."]],
    "seasons": ["KIND": ["movie"]], "edit": ["REF|FIELD=VALUE": ["1", "year=1999"]],
    "rate": ["REF|RATING": ["1", "4"]],
  ]
  /// Options that a form needs in addition.
  private static let options = [
    "card add": ["--stars", "4"], "card edit": ["--stars", "4"], "diary edit": ["--on", "2025"],
    "copy edit": ["--place", "K1"],
  ]

  /// The forms of every command that asks no question and starts no program: with the fewest words, and with all.
  static let forms: [Form] = CatalogProgram.program.commandPaths().flatMap { path, node -> [Form] in
    guard case .command = node, !elsewhere.contains(path[0]) else { return [] }
    let name = path.joined(separator: " ")
    let parts = node.usage.filter { $0 != "[OPTION…]" }
    func words(_ parts: some Sequence<String>) -> [String]? {
      var words: [String] = []
      for part in parts {
        let bare = part.filter { !"[]…".contains($0) }
        guard let sample = others[name]?[bare] ?? samples[bare] else { return bare.hasPrefix("--") ? words : nil }
        words += sample
      }
      return words
    }
    let least = words(parts.filter { !$0.hasPrefix("[") })
    let all = words(parts)
    return [least, all].enumerated().map { place, words in
      // An option without a sample fails by its name.
      Form(words: path + (words ?? ["no sample for", name]) + (options[name] ?? []), isWhole: place == 1)
    }
  }

  /// Commands that use the network, take the terminal or do not end.
  private static let elsewhere: Set = [
    "serve", "sync", "browse", "search", "trending", "seasons", "source", "open", "preview", "cover", "refresh",
    "import",
    "restore", "backup", "profile", "completion", "help", "manual",
  ]

  @Test(arguments: forms) func `every form in a usage line is accepted`(_ form: Form) throws {
    let catalog = try TestCatalog()
    try catalog.addThree()
    catalog.run("add", "movie", "--title", "Another")
    for line in [
      ["tag", "add", "old", "3"], ["shelf", "save", "kept", "kind:vinyl"], ["wish", "2"], ["pile", "add", "x", "1"],
      ["log", "1"], ["copy", "add", "3"], ["show", "1"],
    ] { catalog.run(line) }
    let run = catalog.run(form.words + ["--dry-run"])
    let saysWhatIsMissing = run.errors.contains("missing") || run.errors.contains("was named")
    #expect(run.status != 2 || !form.isWhole && saysWhatIsMissing, "\(run.errors)")
  }
}
