import Foundation
import Lookup
import Processes
import Synchronization
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CommandLineKit

struct ConfigCommandTests {
  let catalog: TestCatalog
  let folder: TemporaryFolder
  let path: String

  init() throws {
    catalog = try TestCatalog()
    folder = try TemporaryFolder()
    path = folder.path("config/catalog/config.json")
    catalog.places = Places(environment: ["HOME": folder.path, "XDG_CONFIG_HOME": folder.path("config")])
    catalog.readsConfiguration = true
  }

  @Test func `a setting is kept in a file that only its owner can read`() throws {
    #expect(catalog.run("config", "set", "locale.country", "KR") == .init(output: "", errors: "", status: 0))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "{\n  \"locale.country\" : \"KR\"\n}\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(catalog.run("config", "get", "locale.country").output == "KR\n")
    #expect(catalog.run("config", "list").output.contains("locale.country\tKR\t"))
    #expect(catalog.run("config", "path").output == path + "\n")
    #expect(catalog.run("config", "unset", "locale.country").status == 0)
    #expect(catalog.run("config", "get", "locale.country").status == 1)
    #expect(catalog.run("config", "unset", "locale.country").status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("config/catalog")) == ["config.json"])
  }

  @Test func `an invalid setting is explained and not written`() throws {
    let unknown = catalog.run("config", "set", "locale.contry", "KR")
    #expect(unknown.status == 2)
    #expect(unknown.errors.contains("there is no setting 'locale.contry'; did you mean 'locale.country'?"))
    #expect(catalog.run("config", "get", "nothing").status == 2)
    #expect(catalog.run("config", "set", "locale.country", "Korea").status == 2)
    #expect(catalog.run("config", "set", "search.kinds", "movie,game").status == 2)
    for address in ["http://example.org", "http://127.0.0.1.example.org", "http://localhost.example.org", "https://"] {
      #expect(catalog.run("config", "set", "sources.itunes.base_url", address).status == 2, "\(address)")
    }
    #expect(catalog.run("config", "set", "locale.country", "KR", "--dry-run").errors.hasPrefix("would write"))
    #expect(!FileManager.default.fileExists(atPath: path))
    try FileManager.default.createDirectory(atPath: folder.path("config/catalog"), withIntermediateDirectories: true)
    try Data("{]".utf8).write(to: URL(filePath: path))
    let broken = catalog.run("config", "set", "locale.country", "KR")
    #expect(broken.status == 1)
    #expect(broken.errors.contains("is not a JSON object of strings"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "{]")
  }

  @Test func `settings written by several processes at once are all stored`() throws {
    let names = Source.all.map(\.id)
    let path = path
    let problems = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: names.count) { place in
      for round in 1...10 {
        do {
          try Configuration.change(at: path) {
            try $0.set("sources.\(names[place]).base_url", to: "https://example.org/\(round)")
          }
        } catch {
          problems.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(problems.withLock { $0 } == [])
    let configuration = try Configuration(path: path)
    for name in names { #expect(configuration["sources.\(name).base_url"] == "https://example.org/10") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("config/catalog")) == ["config.json"])
  }

  @Test func `a lock file left behind blocks no change, a lock in use does`() throws {
    try FileManager.default.createDirectory(atPath: folder.path("config/catalog"), withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: path + ".lock"))
    #expect(catalog.run("config", "set", "locale.country", "KR").status == 0)
    #expect(throws: SystemError.self) {
      try FileLock.holding(path + ".lock") { try FileLock.holding(path + ".lock", patience: .zero) {} }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("config/catalog")) == ["config.json"])
  }

  @Test func `an unfinished settings file is deleted on reading unless the lock is in use`() throws {
    try Configuration.change(at: path) { try $0.set("locale.country", to: "KR") }
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: path)
    try Data("{\"sources.tmdb.key\": \"sesame\"}".utf8).write(to: URL(filePath: path + ".new"))
    try FileLock.holding(path + ".lock") { _ = try Configuration(path: folder.path("link")) }
    #expect(FileManager.default.fileExists(atPath: path + ".new"))
    #expect(try Configuration(path: folder.path("link"))["locale.country"] == "KR")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("config/catalog")) == ["config.json"])
  }

  @Test func `unreadable settings are an error and not treated as empty`() throws {
    try FileManager.default.createDirectory(atPath: folder.path("config/catalog"), withIntermediateDirectories: true)
    // Even root cannot follow a link to itself.
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
    let run = catalog.run("config", "set", "locale.country", "KR")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("catalog: the configuration '\(path)' cannot be read: "))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == path)
  }

  @Test func `without HOME config fails and names HOME`() throws {
    catalog.places = Places(environment: [:])
    catalog.readsConfiguration = false
    for words in [["config", "path"], ["config", "set", "locale.country", "KR"]] {
      let run = catalog.run(words)
      #expect(run.status == 1)
      #expect(run.errors.contains("HOME is not set"))
    }
  }
}

struct SourceCommandTests {
  let catalog: TestCatalog

  init() throws { catalog = try TestCatalog() }

  @Test func `source list shows every source and the pack`() throws {
    let names = catalog.run("source", "list").output.split(separator: "\n").compactMap {
      $0.split(separator: "\t").first
    }
    #expect(names.map(String.init) == Source.all.map(\.id) + ["pack"])
    catalog.atTerminal(width: 100)
    let run = catalog.run("source", "--all")
    #expect(catalog.run("source").output.split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
    for source in Source.all {
      guard let attribution = source.attribution else { continue }
      // It may be wrapped.
      let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("\(source.name): \(attribution)"))
    }
    #expect(run.output.split(separator: "\n").allSatisfy { $0.cellWidth <= 100 })
  }

  @Test func `source list shows the address of a source when it is changed`() throws {
    catalog.atTerminal(width: 120)
    #expect(!catalog.run("source", "list").output.contains("Address"))
    try catalog.configure("sources.itunes.base_url", "https://mirror.example")
    #expect(catalog.run("source", "list").output.contains("https://mirror.example"))
    #expect(
      catalog.run("source", "list", "--json=source,base_url").output.contains(
        "\"base_url\": \"https://mirror.example\""))
  }
}

struct HelpTopicTests {
  let catalog: TestCatalog

  init() throws { catalog = try TestCatalog() }

  @Test(arguments: HelpTopic.all) func `each help topic fits a page of 80 cells`(_ topic: HelpTopic) throws {
    let run = catalog.run("help", topic.name)
    #expect(run.status == 0)
    for line in run.output.split(separator: "\n") where !line.contains("Databases") {
      #expect(line.cellWidth <= 100, "\(line)")
    }
    #expect(catalog.run("help", "all").output.contains(topic.name))
    #expect(catalog.run("manual").output.contains(topic.name.uppercased().split(separator: "-")[0]))
  }

  @Test(arguments: [["help"], ["--help"]]) func `the first page of help fits a screen`(_ words: [String]) {
    catalog.atTerminal(width: 80)
    let lines = catalog.run(words).output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 24 && lines.allSatisfy { $0.cellWidth <= 80 }, "\(lines)")
    for name in ["search", "add", "import", "list", "show", "own", "genres", "log", "rate", "wish", "edit", "undo"] {
      #expect(lines.contains { $0.hasPrefix("  \(name) ") && $0.contains("catalog \(name)") })
    }
    let all = catalog.run("help", "all").output
    for node in CatalogProgram.program.root.children where !node.description.isHidden {
      #expect(all.contains("\n  \(node.description.name) "))
    }
    #expect(catalog.run("help", "options").output.contains("--safe-for-spreadsheets"))
  }

  @Test func `the help topics named in the sources exist`() throws {
    let known = Set(HelpTopic.all.map(\.name) + CatalogProgram.program.root.children.map(\.description.name) + ["all"])
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardized
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    var named: Set<String> = []
    for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
      let source = try String(contentsOf: file, encoding: .utf8)
      named.formUnion(source.matches(of: /'catalog help ([a-z-]+)/).map { String($0.output.1) })
    }
    #expect(named.count > 10, "\(named)")
    #expect(named.subtracting(known) == [])
  }

  @Test(arguments: ["me@example.org", "https://example.org/me", "http://example.org"])
  func `a valid contact is sent in the user agent`(contact: String) throws {
    #expect(try Contact(argument: contact).text == contact)
    #expect(Release.identity(contact: contact).full == "catalog/\(Release.version) (\(contact))")
  }

  @Test(arguments: [
    "", "me", "@", "me@", "me@host", "me@a..b", "a b@c.de", "x@y.z\r\nCookie: a", "https://", "(x)@y.z", "ftp://a.b",
  ])
  func `an invalid contact is rejected and not sent`(contact: String) {
    #expect(throws: UsageError.self) { try Contact(argument: contact) }
    #expect(Release.identity(contact: contact).full == "catalog/\(Release.version)")
    #expect(Release.identity(contact: nil).full == "catalog/\(Release.version)")
  }
}
