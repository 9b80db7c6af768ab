import CatalogModel
import CommandLineKit
import Foundation
import Lookup
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests the page of an item, on all outputs.
struct ShowCommandTests {
  private let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.store.add(record, now: catalog.clock)
  }

  private var record: Record {
    var record = Record(kind: .book, title: "소년이 온다")
    record.credits = [Credit(name: "한강", role: .author)]
    record.summary = "First.\n\n한국의 소설.\r\n\nLast."
    return record
  }

  @Test func `the paragraphs of a description and a card keep their blank lines`() throws {
    let output = catalog.run("show", "1").output
    #expect(output.hasSuffix("\n\nFirst.\n\n한국의 소설.\n\nLast.\n"), "\(output)")
    let words = "One.\n\nTwo."
    _ = try catalog.store.addCard(to: ItemID(rawValue: 1), rating: nil, comment: words, now: catalog.clock)
    #expect(catalog.run("show", "1", "--back").output.hasSuffix("\n  One.\n\n  Two.\n"))
    #expect(catalog.run("card", "show", "1", "--back").output == "One.\n\nTwo.\n")
  }

  @Test func `show with fields or a format prints the same as list for the item`() throws {
    #expect(
      catalog.run("show", "소년이 온다", "--json=id,title,creator")
        == .init(output: #"{"id":1,"title":"소년이 온다","creator":["한강"]}"# + "\n", errors: "", status: 0))
    for format in ["--csv", "--jsonl", "--tsv"] {
      #expect(catalog.run("show", "1", format).output == catalog.run("list", "id:1", "kind:book", format).output)
    }
    #expect(catalog.run("show", "1", "--json=nothing").status == 2)
    #expect(try catalog.store.recents().isEmpty, "looking by a program is no view")
    #expect(catalog.run("show", "1", "--json").output.hasPrefix(#"{"id":1,"#))
    #expect(catalog.run("show", "1", "--csv", "--covers").errors.contains("--covers are for the page"))
    catalog.addResult()
    let result = catalog.run("show", "r1", "--json=title")
    #expect(result.status == 1)
    #expect(result.errors.contains("'Blue Train' is not in the catalog"))
  }

  @Test func `browse and show draw the same page`() throws {
    catalog.atTerminal()
    let shown = catalog.run("show", "1").output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let screen = TestScreen([
      .press(.down, .enter), .see("Esc back"),
    ])
    catalog.screen = screen
    #expect(catalog.run("browse", "소년", "--kind", "book", "--source", "pack").status == 0)
    let drawn = screen.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(drawn.prefix(shown.count).map(String.init) == shown.map(String.init))
  }

  @Test(arguments: [["show", "1"], ["shelf", "book", "-p", "1"]])
  func `output taller than the screen goes through the pager`(words: [String]) throws {
    let folder = try TemporaryFolder()
    catalog.atTerminal()
    catalog.environment["PAGER"] = "cp /dev/stdin \(folder.path("paged"))"
    #expect(catalog.run(words).output.contains("소년이 온다"), "it fits on the screen")
    catalog.terminal.height = 5
    #expect(catalog.run(words).output == "")
    #expect(try String(contentsOfFile: folder.path("paged"), encoding: .utf8).contains("소년이 온다"))
    #expect(catalog.run(words + ["--no-pager"]).output.contains("소년이 온다"))
    #expect(catalog.run(words + ["--json"]).output.contains("\"소년이 온다\""))
  }

  @Test func `notices are held back while a command has the whole screen`() {
    let said = Said()
    let deferredWarnings = DeferredWarnings { said.lines.append($0.message.text(in: nil)) }
    deferredWarnings.note(Failure("before"))
    deferredWarnings.holding {
      deferredWarnings.note(Failure("one"))
      deferredWarnings.note(Failure("two"))
      #expect(deferredWarnings.taken().map(\.message) == ["one", "two"])
      #expect(deferredWarnings.taken() == [])
    }
    deferredWarnings.note(Failure("behind"))
    #expect(said.lines == ["before", "behind"])
  }

  private final class Said: @unchecked Sendable { var lines: [String] = [] }

  @Test func `the page of a movie names the authors of the work it is based on`() throws {
    var film = Record(kind: .movie, title: "Stalker")
    film.credits = [
      Credit(name: "Andrei Tarkovsky", role: .director), Credit(name: "Arkady Strugatsky", role: .author),
      Credit(name: "Boris Strugatsky", role: .author),
    ]
    let id = try catalog.store.add(film, genres: [], now: Timestamp(catalog.now)).id
    let page = catalog.run("show", "\(id)").output
    #expect(page.hasPrefix("Stalker"))
    #expect(page.contains("Andrei Tarkovsky"))
    #expect(page.contains("a work by Arkady Strugatsky, Boris Strugatsky"))
    #expect(catalog.run("list", "strugatsky").output.contains("Stalker"))
  }
}
