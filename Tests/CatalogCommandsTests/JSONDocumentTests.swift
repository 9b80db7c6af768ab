import CatalogModel
import Foundation
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore
@testable import CommandLineKit

/// Tests that what `--json` prints has the names of ``JSONDocument``, and that docs/json describes it.
struct JSONDocumentTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  // MARK: Names

  @Test func `every name of a document is known, and every known name is in a document`() {
    let members = JSONDocument.all.flatMap(\.members) + JSONDocument.parts.values.flatMap(\.self)
    for member in members { #expect(JSONName.named(member.name) != nil, "\(member.name)") }
    let used = Set(members.map(\.name))
    for name in JSONName.others { #expect(used.contains(name.name), "\(name.name)") }
    for part in members.compactMap(\.type.part) { #expect(JSONDocument.parts[part] != nil, "\(part)") }
    let names = JSONName.others.map(\.name)
    #expect(names == names.sorted())
  }

  @Test(arguments: JSONName.others + Field.all.map { JSONName(name: $0.name, type: JSONType(of: $0), sentence: "") })
  func `a name says its type: _on is a day, _at a time, has_ a flag`(_ name: JSONName) {
    let words = name.type.words.split(separator: " ").last ?? ""
    #expect(name.name.hasSuffix("_on") == (words == "day") || name.name == "before_until", "\(name.name)")
    #expect(name.name.hasSuffix("_at") == (words == "time") || name.name == "rests_until", "\(name.name)")
    if name.name.hasPrefix("has_") { #expect(name.type.words == "true or false") }
  }

  @Test func `each command with --json has a document, and each document its commands`() {
    func below(_ path: [String], _ node: CommandNode<Context>) -> [(path: [String], node: CommandNode<Context>)] {
      let path = path + [node.description.name]
      return [(path, node)] + node.children.flatMap { below(path, $0) }
    }
    let commands = CatalogProgram.program.root.children.flatMap { below([], $0) }
    let having = Set(
      commands.filter { $0.node.arguments.contains { $0.name == "json" } }.map { $0.path.joined(separator: " ") })
    for command in having { #expect(!JSONDocument.of(command).isEmpty, "\(command)") }
    for command in JSONDocument.all.flatMap(\.commands) {
      // The command alone, without the options and arguments that choose a document.
      let words = command.split(separator: " ").filter { !$0.hasPrefix("-") && $0 != "NAME" && $0 != "json" }
      #expect(having.contains(words.joined(separator: " ")), "\(command)")
    }
  }

  // MARK: Schemas

  @Test func `docs/json has the schema of each document`() throws {
    let folder = Self.root.appending(path: "docs/json")
    var names: Set<String> = []
    for document in JSONDocument.all {
      let (schema, name) = (JSONSchema(document).text, "\(document.name).schema.json")
      names.insert(name)
      if ProcessInfo.processInfo.environment["UPDATE_DOCS"] != nil {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(schema.utf8).write(to: folder.appending(path: name))
      }
      let kept = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
      #expect(kept == schema, "\(name): run UPDATE_DOCS=1 swift test --filter JSONDocumentTests")
    }
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)) == names)
  }

  // MARK: Documents

  /// The documents that need a source, another device or a browser, which these tests have not.
  private static let elsewhere: Set = [
    "trending", "versions", "browsers", "source-tests", "source-copies", "picks",
    "report-year-figures",
  ]

  /// Command lines, with the name of the document if the command has several.
  private static let lines: [(document: String, words: String)] = [
    ("items", "list"), ("items", "vinyl"), ("items", "favorites"), ("items", "shelf"), ("items", "pick"),
    ("items", "report shame"), ("items", "export json"), ("item", "show 1"), ("item", "show 2"), ("item", "show 3"),
    ("item", "show r1"), ("item-fields", "show 2 --fields"), ("cards", "card list"),
    ("cards", "card deck"), ("card", "card show 1"), ("copies", "copies"), ("loans", "loans --all"),
    ("holdings", "own kind of blue"), ("holdings", "own dune"), ("wishes", "wishes --all"), ("tags", "tag list"),
    ("piles", "pile list"), ("pile", "pile list next"), ("recents", "recent"), ("entries", "diary"),
    ("results", "search giant steps --kind vinyl"), ("complete", "complete miles davis"),
    ("saved-queries", "shelf saved"), ("history", "history"), ("imports", "import list"),
    ("imported-rows", "import show 1"), ("conflicts", "sync conflicts"), ("genre-list", "genre list"),
    ("genre-labels", "genre labels --all"), ("genres", "genres"), ("genre-matrix", "genres --by decade"),
    ("genre-matrix", "genres --by creator"), ("genre-matrix", "genres --by kind"),
    ("genre-matrix", "genres --by year-added"), ("genre-matrix", "genres --by rating"),
    ("genre-comparison", "genres --compare EXPORT"), ("report", "report years"), ("report", "report decades"),
    ("report", "report creators"), ("report", "report labels"), ("report", "report publishers"),
    ("report-ratings", "report ratings"), ("report-year", "report year"), ("level", "level"), ("checks", "doctor"),
    ("profiles", "profile list"), ("sources", "source list"), ("settings", "config list"), ("cache", "cache stats"),
    ("cached-pictures", "cache gc --explain"), ("import", "import TABLE --kind book"),
    ("import", "import TABLE --kind book -n"), ("change", "undo"), ("change", "redo"), ("change", "undo 2"),
    ("change", "redo 2"), ("change", "backup BACKUP"), ("change", "export jsonl -o FILE"),
    ("change", "genre rename Jazz Jazzy"), ("change", "genre alias Krimi Thriller"),
    ("change", "recent remove @1"), ("change", "recent remove --all"), ("change", "cover remove 1"),
    ("change", "edit 1 year=2018"), ("change", "add book --title 토지 --stars 5"), ("change", "add -"),
    ("change", "log 1 --on 2026-01-02"), ("change", "rate 1 4"), ("change", "card add 1 --comment x"),
    ("change", "card edit 1 --stars 3"), ("change", "diary edit 1 --on 2026-01-03"), ("change", "diary remove 1"),
    ("change", "card remove 1"), ("change", "copy add 2 --format hardcover"), ("change", "copy edit c1 --place K1"),
    ("change", "return c1"), ("change", "lend c1 to Kim"), ("change", "wish 3"), ("change", "wishes tie w2 2"),
    ("change", "wishes remove w1"), ("change", "copy remove c2"), ("change", "tag add x 1 2"),
    ("change", "tag rename x y"), ("change", "tag remove y --all"), ("change", "pile move next 3 1"),
    ("change", "pile add next 1"), ("change", "pile remove next --all"), ("change", "shelf save mine kind:book"),
    ("change", "shelf forget mine"), ("change", "favorite 1"), ("change", "unfavorite --all"),
    ("change", "represent 3"), ("change", "represent none"), ("change", "edition add 1 1"), ("change", "remove 1"),
    ("change", "remove 2 -n"), ("change", "cache clear"), ("change", "cache gc"),
  ]

  /// A catalog with something of everything.
  private static func catalog(_ folder: TemporaryFolder) throws -> TestCatalog {
    let catalog = try TestCatalog()
    try catalog.addThree()
    catalog.addResult()
    try Data("title,author,shoe size\nEmma,Jane Austen,41\n,x,1\nDune,Frank Herbert,\n".utf8)
      .write(to: URL(filePath: folder.path("table.csv")))
    for words in [
      "edit 3 label=Columbia tag+=night country=US", "copy add 3 --price 12.50EUR --media VG+ --sleeve VG",
      "copy add 3 --price 14000KRW --on 2026-01", "lend c1 to Anna --due 2027-01-02", "log 2 --on 2026-11-20 -c Good.",
      "log 2 --started 2026-11-20", "wish 1 --up-to 9EUR", "wish blue-train", "pile add next 3", "pile add next 1",
      "tag add old 2", "shelf save kept kind:vinyl", "show 3", "show 1",
      "import \(folder.path("table.csv")) -k book -y",
      "log 1 --dropped",
    ] {
      catalog.run(words.split(separator: " ").map(String.init) + ["--offline"])
    }
    return catalog
  }

  @Test(.enabled(if: Validator.isThere, "jsonschema is missing: make test installs it"))
  func `what commands print fits the schemas`() throws {
    let folder = try TemporaryFolder()
    var catalog = try Self.catalog(folder)
    try Data(catalog.run("export", "jsonl").output.utf8).write(to: URL(filePath: folder.path("export.jsonl")))
    var cases: [[String: String]] = []
    for (number, (document, words)) in Self.lines.enumerated() {
      // Changes begin with the same catalog.
      if document == "change" || document == "import" {
        catalog = try Self.catalog(folder)
        catalog.input = ["1", "dune nowhere"]
      }
      let typed = words.split(separator: " ").map { word -> String in
        switch word {
        case "EXPORT": folder.path("export.jsonl")
        case "TABLE": folder.path("table.csv")
        case "BACKUP": folder.path("backup\(number).db")
        case "FILE": folder.path("file\(number)")
        default: String(word)
        }
      }
      let isExport = typed.prefix(2) == ["export", "json"]
      let run = catalog.run(typed + (isExport ? [] : ["--json"]) + ["--offline", "--yes"])
      guard !run.output.isEmpty else {
        // A command that fails at once prints nothing.
        #expect(run.status != 0, "\(words): \(run)")
        continue
      }
      let found = JSONDocument.of(typed.prefix(2).joined(separator: " ")) + JSONDocument.of(typed[0])
      #expect(isExport || found.contains { $0.name == document } || typed[0] == "copies", "\(words)")
      let path = folder.path("\(number).json")
      try Data(run.output.utf8).write(to: URL(filePath: path))
      cases.append(["schema": "\(document).schema.json", "file": path, "line": words])
    }
    let seen = Set(cases.compactMap { $0["schema"]?.dropLast(".schema.json".count) }.map(String.init))
    #expect(Set(JSONDocument.all.map(\.name)).subtracting(seen).subtracting(Self.elsewhere) == [])
    let list = folder.path("cases.json")
    try JSONEncoder().encode(cases).write(to: URL(filePath: list))
    let problems = try Validator.problems(list, schemas: Self.root.appending(path: "docs/json").path)
    #expect(problems == "", "\(problems)")
  }
}

/// The validator of the package jsonschema.
private enum Validator {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../.build/python").standardizedFileURL.path

  /// Whether it is installed. In CI, where a skipped test fails, the test runs in any case.
  static let isThere =
    FileManager.default.fileExists(atPath: "\(folder)/jsonschema") || ProcessInfo.processInfo.environment["CI"] != nil

  /// Validates documents, and returns what is wrong with them, a line each.
  static func problems(_ cases: String, schemas: String) throws -> String {
    let python = Process()
    python.executableURL = URL(filePath: "/usr/bin/env")
    let script = """
      import json, sys
      from jsonschema import Draft202012Validator
      for case in json.load(open(sys.argv[1])):
          schema = json.load(open(sys.argv[2] + "/" + case["schema"]))
          Draft202012Validator.check_schema(schema)
          for error in Draft202012Validator(schema).iter_errors(json.load(open(case["file"]))):
              while error.context: error = error.context[0]
              print(case["line"], "|", error.json_path, "|", error.message[-200:])
      """
    python.arguments = ["python3", "-c", script, cases, schemas]
    python.environment = ProcessInfo.processInfo.environment.merging(["PYTHONPATH": folder]) { $1 }
    let output = Pipe()
    python.standardOutput = output
    python.standardError = output
    try python.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    python.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The schema of a document: https://json-schema.org/draft/2020-12.
private struct JSONSchema {
  private let document: JSONDocument

  init(_ document: JSONDocument) { self.document = document }

  var text: String {
    var json = JSONWriter(isPretty: true)
    json.object { json in
      json.member("$schema", "https://json-schema.org/draft/2020-12/schema")
      json.member("title", document.name)
      json.member("description", "Printed by: catalog \(document.commands.joined(separator: ", catalog ")).")
      switch document.shape {
      case .object: Self.write(object: document.members, to: &json)
      case .rows: Self.write(listOf: document.members, to: &json)
      case .objectOrRows:
        json.key("anyOf")
        json.array { json in
          json.object { Self.write(object: document.members, to: &$0) }
          json.object { Self.write(listOf: document.members, to: &$0) }
        }
      }
      json.key("$defs")
      json.object { json in
        Self.writeMoney(to: &json)
        for part in parts {
          json.key(part)
          json.object { Self.write(object: JSONDocument.parts[part] ?? [], to: &$0) }
        }
      }
    }
    json.endLine()
    return String(decoding: json.take(), as: UTF8.self)
  }

  /// The objects in the document, in alphabetical order.
  private var parts: [String] {
    var (found, rest) = (Set<String>(), document.members)
    while let member = rest.popLast() {
      guard let part = member.type.part, found.insert(part).inserted else { continue }
      rest += JSONDocument.parts[part] ?? []
    }
    return found.sorted()
  }

  private static func write(listOf members: [JSONDocument.Member], to json: inout JSONWriter) {
    json.member("type", "array")
    json.key("items")
    json.object { write(object: members, to: &$0) }
  }

  private static func write(object members: [JSONDocument.Member], to json: inout JSONWriter) {
    json.member("type", "object")
    json.member("additionalProperties", false)
    json.key("properties")
    json.object { json in
      for member in members {
        json.key(member.name)
        json.object { json in
          write(member.type, canBeNull: true, to: &json)
          if let sentence = member.sentence, !sentence.isEmpty {
            json.member("description", sentence)
          }
        }
      }
    }
  }

  private static func write(_ type: JSONType, canBeNull: Bool, to json: inout JSONWriter) {
    func single(_ type: String, _ pattern: String? = nil) {
      json.key("type")
      if canBeNull { json.value([type, "null"]) } else { json.value(type) }
      if let pattern { json.member("pattern", pattern) }
    }
    func reference(_ part: String) {
      guard canBeNull else { return json.member("$ref", "#/$defs/\(part)") }
      json.key("anyOf")
      json.array { json in
        json.object { $0.member("$ref", "#/$defs/\(part)") }
        json.object { $0.member("type", "null") }
      }
    }
    switch type {
    case .text: single("string")
    case .integer: single("integer")
    case .number: single("number")
    case .flag: single("boolean")
    case .day: single("string", "^-?[0-9]{1,4}(-[0-9]{2}(-[0-9]{2})?)?$")
    case .time: single("string", "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")
    case .kind: single("string", "^(movie|book|vinyl|music|podcast|app)$")
    case .row:
      json.key("type")
      json.value(["integer", "string", "null"])
    case .anything: break
    case .money: reference("money")
    case .part(let part): reference(part)
    case .list(let element), .openList(let element):
      json.key("type")
      if case .openList = type { json.value(["array", "null"]) } else { json.value("array") }
      json.key("items")
      json.object { write(element, canBeNull: false, to: &$0) }
    }
  }

  private static func writeMoney(to json: inout JSONWriter) {
    json.key("money")
    json.object { json in
      json.member("type", "object")
      json.member("additionalProperties", false)
      json.member("required", ["amount", "currency"])
      json.key("properties")
      json.object { json in
        json.key("amount")
        json.object { $0.member("type", "number") }
        json.key("currency")
        json.object { json in
          json.member("type", "string")
          json.member("pattern", "^[A-Z]{3}$")
        }
      }
    }
  }
}

extension JSONType {
  /// The name of the object, or of the objects in the list.
  fileprivate var part: String? {
    switch self {
    case .part(let part): part
    case .list(let type), .openList(let type): type.part
    default: nil
    }
  }
}
