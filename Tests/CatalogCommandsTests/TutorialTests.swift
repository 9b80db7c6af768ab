import CatalogStore
import Foundation
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CommandLineKit

/// Tests the tutorials: each command in them is run, and prints what they say.
struct TutorialTests {
  private let folder: TemporaryFolder
  private let catalog: TestCatalog

  init() throws {
    folder = try TemporaryFolder()
    catalog = try TestCatalog(path: folder.path("try.db"))
    catalog.places = Places(environment: ["HOME": folder.path("home"), "CATALOG_DB": folder.path("try.db")])
    catalog.atTerminal()
  }

  /// A command of a tutorial, with the lines below it.
  private struct Step {
    var line: String
    var printed: [String] = []
  }

  private static func steps(of page: String) throws -> [Step] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    var steps: [Step] = []
    var isCode = false
    for line in try String(contentsOf: root.appending(path: page), encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("```") {
        isCode.toggle()
      } else if isCode, line.hasPrefix("$ ") {
        steps.append(Step(line: String(line.dropFirst(2))))
      } else if isCode, !steps.isEmpty {
        steps[steps.count - 1].printed.append(String(line))
      }
    }
    return steps
  }

  /// The words of a command line, and the text between each pair of quotes as one.
  private func words(of line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      switch (character, quote) {
      case ("'", nil), ("\"", nil): (quote, word) = (character, word ?? "")
      case (let end, let begun?) where end == begun: quote = nil
      case (" ", nil):
        words += word.map { [$0] } ?? []
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    // Files are written to the folder of the test.
    return (words + (word.map { [$0] } ?? [])).map { ["books.csv", "mine.jsonl"].contains($0) ? folder.path($0) : $0 }
  }

  /// Whether a printed line is the one of the tutorial, which may end in `…` where it is cut.
  private func fits(_ printed: String, _ line: String) -> Bool {
    let printed = printed.reversed().drop { $0 == " " }.reversed()
    return String(printed) == line || line.hasSuffix(" …") && String(printed).hasPrefix(line.dropLast(2))
  }

  @Test(arguments: [("docs/tutorial.md", nil), ("docs/ko/tutorial.md", "ko")])
  func `each command of a tutorial prints what it says`(_ page: String, _ language: String?) throws {
    catalog.terminal.translation = SpokenLanguage.all.first { $0.code == language }?.translation()
    if language == "ko" { catalog.environment["LC_ALL"] = "ko_KR.UTF-8" }
    let steps = try Self.steps(of: page)
    #expect(steps.count > 25)
    for step in steps {
      let words = words(of: step.line)
      if words.first == "printf", let text = words.dropFirst().first, let file = words.last {
        try Data(text.replacing("\\n", with: "\n").utf8).write(to: URL(filePath: file))
      }
      guard words.first == "catalog" else { continue }
      let run = catalog.run(Array(words.dropFirst()))
      #expect(run.status == 0, "\(step.line): \(run.errors)")
      var rest = (run.output + run.errors).split(separator: "\n").map(String.init)[...]
      for line in step.printed where line != "…" {
        let place = rest.firstIndex { fits($0, line) }
        #expect(place != nil, "\(step.line): \(line)\n\(run.output)\(run.errors)")
        if let place { rest = rest[(place + 1)...] }
      }
    }
  }
}
