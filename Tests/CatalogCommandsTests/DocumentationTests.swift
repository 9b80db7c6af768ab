import CatalogModel
import Foundation
import SQLite
import Testing

@testable import CatalogCommands
@testable import CatalogStore
@testable import CommandLineKit

/// Tests that the manual in docs/ describes the program.
struct DocumentationTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  /// Every command, with those below it.
  private static var commands: [(path: [String], node: CommandNode<Context>)] {
    func below(_ path: [String], _ node: CommandNode<Context>) -> [(path: [String], node: CommandNode<Context>)] {
      let path = path + [node.description.name]
      return [(path, node)] + node.children.flatMap { below(path, $0) }
    }
    return CatalogProgram.program.root.children.flatMap { below([], $0) }.filter { !$0.node.description.isHidden }
  }

  @Test func `commands.md matches the help of the commands`() throws {
    var page = """
      # Commands

      Made from the program's own help: `UPDATE_DOCS=1 swift test --filter DocumentationTests` writes it anew.

      """
    for section in CatalogProgram.program.sections {
      page += "\n## \(section.heading)\n"
      for (path, _) in Self.commands where section.commands.contains(where: { $0.description.name == path[0] }) {
        page += "\n### catalog \(path.joined(separator: " "))\n\n```\n"
        page += CatalogProgram.program.help(at: path)(Terminal(width: 96)).trimmingCharacters(in: .newlines) + "\n```\n"
      }
    }
    for topic in CatalogProgram.program.topics {
      page += "\n## \(topic.name)\n\n```\n"
      page +=
        try CatalogProgram.program.help(for: [topic.name])(Terminal(width: 96)).trimmingCharacters(in: .newlines)
        + "\n```\n"
    }
    let path = "docs/commands.md"
    if ProcessInfo.processInfo.environment["UPDATE_DOCS"] != nil {
      try Data(page.utf8).write(to: Self.root.appending(path: path))
    }
    #expect(try text(path) == page, "run UPDATE_DOCS=1 swift test --filter DocumentationTests")
  }

  @Test func `every command has a summary and a worked example`() {
    for (path, node) in Self.commands {
      let name = path.joined(separator: " ")
      #expect(!node.description.summary.isEmpty, "\(name)")
      guard case .command = node else { continue }
      #expect(node.description.examples.contains { $0.line.hasPrefix("catalog") }, "\(name) has no example")
      for argument in node.arguments { #expect(!argument.help.isEmpty, "\(name): \(argument.name)") }
    }
  }

  @Test func `a command group accepts the arguments of its default command`() throws {
    let catalog = try TestCatalog()
    try catalog.addThree()
    catalog.run("pile", "add", "next", "1")
    let samples = ["QUERY": "kind:book", "REF": "2", "NAME": "next", "KIND|QUERY": "book"]
    var count = 0
    for (path, node) in Self.commands {
      guard case .group(let group) = node, let usual = group.defaultCommand,
        let name = usual.arguments.first(where: { $0.kind == .positional })?.valueName, let sample = samples[name]
      else { continue }
      count += 1
      let run = catalog.run(path + [sample])
      #expect(run.status < 2, "\(path): \(run.errors)")
      guard group.children.contains(where: { $0.description.name == usual.description.name }) else { continue }
      #expect(run == catalog.run(path + [usual.description.name, sample]), "\(path)")
    }
    #expect(count >= 5)
  }

  @Test func `each help topic names existing commands`() {
    let names = Set(Self.commands.map { $0.path[0] })
    for topic in CatalogProgram.program.topics { #expect(names.isSuperset(of: topic.commands), "\(topic.name)") }
  }

  @Test func `every QUERY argument accepts terms with a dash`() {
    let queries = Self.commands.flatMap(\.node.arguments).filter { $0.valueName == "QUERY" }
    #expect(queries.count > 5)
    #expect(queries.allSatisfy { $0.termNames?() == Query.names })
  }

  @Test(arguments: ["docs", "docs/decisions"])
  func `the index of a folder links every page and nothing else`(_ folder: String) throws {
    let pages = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: folder).path)
    let links = try text("\(folder)/README.md").matches(of: #/\]\(([\w-]+\.md)\)/#).map { String($0.1) }
    #expect(Set(links) == Set(pages.filter { $0.hasSuffix(".md") && $0 != "README.md" }))
  }

  @Test func `docs/schema.md names the version of the schema`() throws {
    let version = try TestCatalog().store.db.value("PRAGMA user_version", as: Int.self) ?? 0
    #expect(try text("docs/schema.md").contains("is the version of the schema: \(version). "))
  }

  @Test func `docs/schema.md names every table, view and column of the file, and nothing else`() throws {
    let db = try Store.empty().db
    let page = try text("docs/schema.md")
    var columns: [String: [String]] = [:]
    var section = ""
    for line in page.split(separator: "\n") {
      let names = line.split(separator: "`", omittingEmptySubsequences: false)
      if line.hasPrefix("### `") {
        section = String(names[1])
        columns[section] = []
      } else if line.hasPrefix("| `"), section.isEmpty {
        // A view: its name, then its columns.
        columns[String(names[1])] = stride(from: 3, to: names.count, by: 2).map { String(names[$0]) }
      } else if line.hasPrefix("| `") {
        columns[section]?.append(String(names[1]))
      }
    }
    var real: [String: [String]] = [:]
    for name in try db.values(
      """
      SELECT name FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND name NOT LIKE 'item\\_search%' ESCAPE '\\'
      """, as: String.self)
    {
      real[name] = try db.values("SELECT name FROM pragma_table_info(\(name))")
    }
    #expect(Set(columns.keys) == Set(real.keys))
    for (name, expected) in real { #expect(columns[name] == expected, "\(name)") }
  }
}
