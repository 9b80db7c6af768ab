import CatalogModel
import CommandLineKit
import Foundation
import Lookup
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests that typed words mean the same in every command: docs/words.md is the table of the rule.
///
/// `UPDATE_DOCS=1 swift test --filter WordsTests` writes what the lines mean now; read the difference.
struct WordsTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "docs/words.md")

  /// The catalog of the table, in which each line is tried.
  private static func catalog() throws -> TestCatalog {
    let catalog = try TestCatalog()
    catalog.http = .offline
    let items: [[String]] = [
      ["movie", "It", "2017", "Andy Muschietti"], ["movie", "It Follows", "2014", "David Robert Mitchell"],
      ["movie", "Heat", "1995", "Michael Mann"], ["movie", "3-Iron", "2004", "Kim Ki-duk"],
      ["movie", "Dune", "1984", "David Lynch"], ["movie", "Dune", "2021", "Denis Villeneuve"],
      ["book", "Dune", "1965", "Frank Herbert"], ["vinyl", "A Hard Day's Night", "1964", "The Beatles"],
      ["movie", "The Seventh Seal", "1957", "Ingmar Bergman"], ["movie", "1917", "2019", "Sam Mendes"],
      ["vinyl", "Kind of Blue", "1959", "Miles Davis"], ["movie", "Parasite", "2019", "Bong Joon-ho"],
      ["book", "소년이 온다", "2014", "한강"], ["movie", "Seven Samurai", "1954", "Akira Kurosawa"],
      ["movie", "Blade Runner", "1982", "Ridley Scott"], ["movie", "Blade Runner 2049", "2017", "Denis Villeneuve"],
      ["movie", "Yesterday", "2019", "Danny Boyle"],
    ]
    for item in items {
      let copy = item[0] == "vinyl" ? "--copy" : "--no-copy"
      catalog.run("add", item[0], "--title", item[1], "--year", item[2], "--creator", item[3], copy)
    }
    catalog.run("edit", "12", "original_title=기생충")
    catalog.run("edit", "3", "url=https://www.imdb.com/title/tt0113277/")
    catalog.run("wish", "--words", "an early demo")
    catalog.run("wish", "4", "--up-to", "9 EUR")
    return catalog
  }

  /// The words of a line of the table, parted as a shell parts them.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    var (word, isQuoted, isAny) = ("", false, false)
    for character in line {
      switch character {
      case "\"": (isQuoted, isAny) = (!isQuoted, true)
      case " " where !isQuoted:
        if isAny { words.append(word) }
        (word, isAny) = ("", false)
      default:
        word.append(character)
        isAny = true
      }
    }
    return isAny ? words + [word] : words
  }

  /// The meaning of a line: the change or page, or the refusal with the references that are listed and the
  /// line to type instead.
  private static func meaning(_ line: String, in catalog: TestCatalog, asks: Bool) -> String {
    catalog.terminal = asks ? Terminal(isInputTerminal: true, isErrorTerminal: true) : Terminal()
    catalog.input = []
    // Lines that look up or show leave other results and another item viewed.
    if line.contains("@") { catalog.run("show", "9") }
    if line.contains(" r") { catalog.run("search", "abbey road", "--source", "pack") }
    let words = words(line)
    let isReading = ["own", "show", "list", "search", "complete"].contains(words[0])
    let run = catalog.run(words + (isReading ? [] : ["--dry-run"]))
    if asks {
      let question = run.errors.split(separator: "\n").last { $0.contains("] ") }
      return question.map { String($0[..<($0.firstIndex(of: "]") ?? $0.endIndex)]) + "]" } ?? ""
    }
    func plain(_ line: Substring) -> String {
      let isPlan = line.hasPrefix("would") && line.contains(": ")
      return String(isPlan ? line.drop { $0 != ":" }.dropFirst(2) : line)
    }
    if run.status == 0, !isReading {
      return (run.output + run.errors).split(separator: "\n").map(plain).joined(separator: " / ")
    }
    if isReading, words[0] == "own" {
      let rows = run.output.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
      let named = rows.filter { $0.last != "true" }.map { "\($0[1]) \($0[3]): \($0[0] == "true" ? "yes" : "no")" }
      return (run.status == 0 ? "yes" : "no") + (named.isEmpty ? "" : " (\(named.joined(separator: ", ")))")
    }
    if run.status == 0 { return String(run.output.prefix { $0 != "\n" }).replacing("\t", with: " ") }
    let errors = run.errors.split(separator: "\n")
    let problem = errors.first { $0.hasPrefix("catalog: ") }?.dropFirst(9) ?? ""
    var choices: [String] = []
    for line in errors where line.hasPrefix("  ") {
      let text = String(line.dropFirst(2))
      choices.append(text.firstRange(of: "  ").map { String(text[..<$0.lowerBound]) } ?? text)
    }
    let hint = errors.last { $0.hasPrefix("hint: ") }?.dropFirst(6) ?? ""
    let instead = hint.firstRange(of: ": catalog ").map { " > " + String(hint[$0.upperBound...]) } ?? ""
    return "!\(run.status) \(problem)" + (choices.isEmpty ? "" : " " + choices.joined(separator: ", "))
      + instead.replacing(" --dry-run", with: "")
  }

  @Test func `each typed line means what docs/words.md says`() throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let catalog = try Self.catalog()
    var found: [String] = []
    var lines = 0
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      let cells = line.split(separator: " | ", omittingEmptySubsequences: false)
      guard line.hasPrefix("| `"), let typed = cells.first?.dropFirst(3).dropLast() else {
        found.append(String(line))
        continue
      }
      lines += 1
      let (pipe, asked) = (
        Self.meaning(String(typed), in: catalog, asks: false), Self.meaning(String(typed), in: catalog, asks: true)
      )
      let row = "| `\(typed)` | \(pipe.replacing("|", with: "\\|")) | \(asked) |"
      #expect(row == line, "of \(typed)")
      found.append(row)
    }
    #expect(lines >= 300)
    if ProcessInfo.processInfo.environment["UPDATE_DOCS"] != nil {
      try Data(found.joined(separator: "\n").utf8).write(to: Self.page)
    }
  }
}
