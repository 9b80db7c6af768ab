import CatalogModel
import Foundation
import Lookup
import Processes
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore
@testable import CommandLineKit

/// Tests what a script relies on: the exit status, silence, and what may be written where.
struct ScriptTests {
  private let folder: TemporaryFolder
  private let catalog: TestCatalog

  init() throws {
    folder = try TemporaryFolder()
    catalog = try TestCatalog(path: folder.path("catalog.db"))
    catalog.places = Places(environment: ["HOME": folder.path], option: folder.path("catalog.db"))
    catalog.readsConfiguration = true
    try catalog.addThree()
    for line in [
      ["lend", "c1", "to", "Anna"], ["tag", "add", "t", "1"], ["pile", "add", "p", "1"],
      ["shelf", "save", "q", "blue"],
      ["tag", "add", "gone", "1"], ["pile", "add", "gone", "1"],
    ] { catalog.run(line) }
  }

  // MARK: Statuses

  @Test func `docs and help have the table of statuses`() throws {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/output.md"),
      encoding: .utf8)
    let help = catalog.run("help", "exit-status").output.split(separator: "\n").joined(separator: " ")
    let words = help.split(separator: " ").joined(separator: " ")
    for status in ExitStatus.allCases {
      let meaning = status.meaning.text(in: nil).split { $0.isWhitespace }.joined(separator: " ")
      #expect(page.contains("| \(status.rawValue) | \(meaning) |"))
      #expect(words.contains("\(status.rawValue) \(meaning)"), "\(words)")
    }
  }

  @Test(arguments: [
    ["list", "zzz"], ["movies", "zzz"], ["books", "zzz"], ["vinyl", "zzz"], ["card", "list"], ["copies"], ["wishes"],
    ["diary"], ["favorites"], ["pile", "list"], ["tag", "list"], ["import", "list"], ["loans"], ["loans", "--all"],
    ["recent"], ["history"], ["shelf", "saved"], ["genre", "list"], ["pick"], ["search", "zzzqq", "--offline"],
    ["own", "zzz"], ["sync", "conflicts"], ["source", "copy", "list"], ["seasons", "--offline"],
    ["trending", "--offline"],
  ])
  func `a listing without a row ends with 1, and is a document`(words: [String]) throws {
    let empty = try TestCatalog()
    let run = empty.run(words + ["--json"])
    #expect(run.output == "[]\n", "\(run)")
    #expect(run.status == 1)
    #expect(empty.run(words).status == 1)
  }

  @Test func `where all is rated the list of the unrated is empty`() throws {
    let rated = try TestCatalog()
    try rated.add(.movie, "Heat", year: 1995)
    rated.run("rate", "1", "4")
    #expect(rated.run("report", "shame", "--json") == .init(output: "[]\n", errors: "", status: 1))
    rated.atTerminal()
    let run = rated.run("report", "shame")
    #expect(run.output.contains("Nothing to be ashamed of"))
    #expect(run.status == 1)
    rated.terminal = Terminal()
    #expect(rated.run("represent", "--json").output == #"{"changed":false,"item":null}"# + "\n")
  }

  @Test(arguments: [
    ["lend", "c1", "to", "Anna"], ["lend", "c1", "to", "ANNA"], ["tag", "add", "t", "1"],
    ["tag", "remove", "none", "1"],
    ["tag", "remove", "none", "--all"], ["pile", "add", "p", "1"], ["pile", "remove", "none", "1"],
    ["pile", "remove", "none", "--all"], ["pile", "remove", "p", "2"], ["shelf", "save", "q", "blue"],
    ["shelf", "forget", "none"], ["cover", "remove", "1"], ["cover", "remove", "1", "2"], ["favorite", "3"],
    ["unfavorite", "1"], ["return", "c2"], ["config", "unset", "locale.country"],
    ["source", "key", "tmdb", "--remove"],
    ["source", "copy", "remove", "imdb"], ["represent", "--none"], ["recent", "remove", "2"],
    ["add", "movie", "--title", "기생충", "--creator", "봉준호", "--year", "2019"],
    ["add", "book", "--title", "소년이 온다", "--creator", "한강"], ["genre", "rename", "Jazz", "Jazz"],
  ])
  func `what is so already is no failure`(words: [String]) throws {
    let before = try catalog.store.operations().count
    for words in [words, words + ["-n"], words + ["--yes"]] {
      let run = catalog.run(words)
      #expect(run.status == 0, "\(run)")
      #expect(!(run.errors + run.output).isEmpty)
    }
    #expect(catalog.run(words + ["-q"]) == .init(output: "", errors: "", status: 0))
    #expect(try catalog.store.operations().count == before)
  }

  @Test(arguments: [
    ["lend", "c1", "to", "Ben"], ["lend", "c1", "to", "Anna", "--due", "2w"], ["lend", "c1", "c2", "to", "Ben"],
    ["tag", "rename", "none", "x"], ["pile", "move", "none", "1", "1"], ["copy", "remove", "c9", "--yes"],
  ])
  func `what is otherwise is one`(words: [String]) throws {
    #expect(catalog.run(words).status == 1)
    #expect(catalog.run(words + ["-n"]).status == 1)
    #expect(try catalog.store.loans().map(\.person) == ["Anna"])
  }

  @Test func `lending lends what is not lent yet`() throws {
    #expect(catalog.run("lend", "c1", "c2", "to", "Anna").status == 0)
    #expect(try catalog.store.loans().map(\.person) == ["Anna", "Anna"])
  }

  @Test(arguments: [
    ("title,author\n,y\n,x\n", 1, "all 2 rows were rejected"), ("title,author\n,x\n", 1, "the only row was rejected"),
    ("title,author\n", 1, "there are no rows"), ("title,author\nEmma,Jane Austen\n,x\n", 5, "1 of 2 rows was left out"),
    ("title,author\nEmma,Jane Austen\n,x\n,y\n", 5, "2 of 3 rows were left out"),
    ("title,author\nEmma,Jane Austen\n", 0, ""),
  ])
  func `an import ends as its rows did, each time`(text: String, status: Int, words: String) throws {
    let path = try folder.write(text, to: "rows.csv")
    for more in [["-n"], ["--yes"], ["--yes"], ["-n", "--yes"]] {
      let run = catalog.run(["import", path, "--kind", "book"] + more)
      #expect(run.status == status, "\(run)")
      if !words.isEmpty { #expect(run.errors.contains(words)) }
    }
    #expect(catalog.run("import", path, "--kind", "book", "--review", folder.path("rows.tsv")).status == 0)
    let none = try TestCatalog()
    none.places = Places(environment: ["HOME": folder.path], option: folder.path("none.db"))
    none.openStore = { purpose in
      purpose == .writing ? try Store.open(at: folder.path("none.db"), for: .writing) : try Store.inMemory()
    }
    none.hasCatalog = { FileKind(of: folder.path("none.db")) != .missing }
    #expect(none.run("import", path, "--kind", "book", "--yes").status == status)
    #expect((FileKind(of: folder.path("none.db")) == .missing) == (status == 1))
  }

  @Test func `several files of an import end as one`() throws {
    let bad = try folder.write("title,author\n,x\n", to: "bad.csv")
    let good = try folder.write("title,author\nEmma,Jane Austen\n", to: "good.csv")
    #expect(catalog.run("import", bad, good, "--kind", "book", "--yes").status == 5)
    #expect(catalog.run("import", good, good, "--kind", "book", "--yes").status == 0)
  }

  @Test(arguments: [
    ["add", "zanzibar quimby"], ["search", "zanzibar quimby"], ["seasons"], ["trending"], ["add", "9788936434120"],
    ["add", "tt9999999"], ["show", "tmdb:12"], ["add", "discogs:master/113"], ["search", "x", "--source", "discogs"],
    ["search", "x", "--source", "tmdb"], ["search", "x", "--source", "kakao", "--kind", "book"], ["refresh", "1"],
    ["cover", "2"], ["preview", "3"], ["wish", "discogs:release/5"], ["import", "discogs:someone", "--yes"],
  ])
  func `offline nothing is blamed on a network or a key`(words: [String]) throws {
    let run = catalog.run(words + ["--offline"])
    #expect(![3, 4].contains(run.status), "\(run)")
    for word in ["reached", "network,", "a key"] { #expect(!run.errors.contains(word), "\(run.errors)") }
  }

  // MARK: Silence

  @Test(arguments: UsageTests.forms) func `a quiet command that changes something and succeeds prints nothing`(
    _ form: UsageTests.Form
  ) throws {
    guard form.isWhole, case .run(let command) = try CatalogProgram.program.parse(form.words).action,
      command is any WritingCommand,
      // Its result is the output.
      form.words[0] != "export"
    else { return }
    try check(quiet: form.words)
  }

  @Test(arguments: [
    ["import", "FOLDER/rows.csv", "--kind", "book"], ["import", "FOLDER/bad.csv", "--kind", "book"],
    ["export", "jsonl", "-o", "FOLDER/x"], ["export", "sqlite", "-o", "FOLDER/x"], ["backup", "FOLDER/x"], ["undo"],
    ["redo"], ["config", "set", "locale.country", "KR"], ["genre", "rename", "Jazz", "Bop"], ["cache", "clear"],
    ["cache", "gc"], ["profile", "use", "default"], ["add", "zanzibar", "--offline"], ["add", "1"],
    ["source", "build", "imdb", "FOLDER/none"], ["restore", "--at", "today", "FOLDER/x"], ["sync"],
  ])
  func `so are those that files are needed for`(words: [String]) throws {
    _ = try folder.write("title,author,shoe size\nEmma,Jane Austen,41\n", to: "rows.csv")
    _ = try folder.write("title,author\n,x\n", to: "bad.csv")
    try check(quiet: words.map { $0.replacing("FOLDER", with: folder.path) })
  }

  private func check(quiet words: [String]) throws {
    let run = catalog.run(words + ["-q", "--yes"])
    if run.status == 0 {
      #expect(run == .init(output: "", errors: "", status: 0))
    } else {
      #expect(!run.errors.isEmpty, "\(run.status)")
      #expect(run.output.isEmpty)
    }
  }

  @Test func `what is held back comes before a question`() throws {
    catalog.atTerminal()
    catalog.input = ["n"]
    let run = catalog.run("copy", "remove", "c2", "-q")
    #expect(run.errors.contains("Remove this copy?"))
    #expect(run.errors.contains("nothing was changed"))
    #expect(run.status == 1)
  }

  // MARK: Streams

  static let outputs = [
    ["export", "jsonl", "-o"], ["export", "csv", "-o"], ["export", "sqlite", "-o"], ["backup"], ["genres", "--html"],
    ["genres", "--svg"], ["genres", "--poster"], ["report", "year", "2026", "--html"], ["cover", "1", "--save"],
  ]

  @Test(arguments: outputs) func `output goes to anything that opens, and '-' is no file`(words: [String]) throws {
    try catalog.store.setCover(
      Cover(bytes: Picture.png(width: 2, height: 2), mediaType: "image/png"), of: ItemID(rawValue: 1))
    let whole = catalog.run(words + ["-"])
    #expect(whole.status == 0, "\(whole.errors)")
    #expect(!whole.output.isEmpty)
    #expect(catalog.run(words + ["/dev/stdout"]).output.utf8.count == whole.output.utf8.count)
    let run = catalog.run(words + ["/dev/null"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("wrote /dev/null ("))
    let pipe = folder.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let reader = try BackgroundWork { FileHandle(forReadingAtPath: pipe)?.readDataToEndOfFile().count ?? 0 }
    #expect(catalog.run(words + [pipe]).status == 0)
    reader.wait(atMost: .seconds(60))
    let count = try reader.result?.get() ?? 0
    #expect(count > 0)
    if words != ["backup"], words[1] != "sqlite", words[0] != "cover" { #expect(count == whole.output.utf8.count) }
    #expect(FileKind(of: "-") == .missing)
    #expect(catalog.run(words + ["/dev/full"]).status == 1)
  }

  @Test func `a stream may not be the program's own file`() throws {
    #expect(StreamTarget("/dev/stdout") == .standardOutput)
    #expect(StreamTarget("/dev/stderr") == .descriptor(2))
    #expect(StreamTarget(folder.path("catalog.db")) == nil)
    let descriptor = open(folder.path("catalog.db"), O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(StreamTarget("/dev/fd/\(descriptor)") == nil)
    _ = fcntl(descriptor, F_SETFD, 0)
    #expect(StreamTarget("/dev/fd/\(descriptor)") == .descriptor(descriptor))
    #expect(catalog.run("export", "csv", "-o", "/dev/fd/\(descriptor)").errors.contains("catalog itself"))
  }

  @Test(arguments: [
    (["--db", "-", "list"], "a catalog is a file"), (["genres", "--compare", "-"], "no stream"),
    (["source", "build", "imdb", "-"], "read several times"), (["sync", "init", "-"], "a remote is no stream"),
    (["import", "-", "--apply", "-"], "standard input is the file already"),
  ])
  func `where a dash can be neither it is refused`(words: [String], errors: String) throws {
    if words.first == "--db" {
      #expect(Places(environment: [:], option: "-").problem?.message.text(in: nil).contains(errors) == true)
      #expect(Places(environment: ["CATALOG_DB": "-"]).catalog == nil)
      return
    }
    let run = catalog.run(words)
    #expect(run.status == 2)
    #expect(run.errors.contains(errors), "\(run.errors)")
  }

  @Test func `decisions come from standard input`() throws {
    let path = try folder.write("title,year\nHeat,1994\n", to: "rows.csv")
    let review = catalog.run("import", path, "--kind", "movie", "--review", "-")
    catalog.bytes = Array(review.output.replacing("\t?\t", with: "\tskip\t").utf8)
    catalog.run("import", path, "--kind", "movie", "--apply", "-", "--yes")
    #expect(catalog.run("list", "heat").status == 1)
  }

  // MARK: The rest

  @Test(arguments: [
    ("CATALOG_BUSY_TIMEOUT", "abc", 2), ("CATALOG_BUSY_TIMEOUT", "-1", 2), ("CATALOG_BUSY_TIMEOUT", "nan", 2),
    ("CATALOG_BUSY_TIMEOUT", "5 s", 2), ("CATALOG_BUSY_TIMEOUT", "3601", 2), ("CATALOG_BUSY_TIMEOUT", "", 0),
    ("CATALOG_BUSY_TIMEOUT", "0.5", 0), ("CATALOG_TMDB_TOKEN", "a b", 0), ("CATALOG_KAKAO_KEY", "\u{1}", 0),
    ("CATALOG_DISCOGS_TOKEN", "abc", 0),
  ])
  func `an unreadable variable is reported`(name: String, value: String, status: Int32) throws {
    catalog.environment = [name: value]
    let run = catalog.run("list")
    #expect(run.status == status)
    let isTold = status != 0 || value.contains(" ") || value == "\u{1}"
    #expect(run.errors.contains(name) == isTold, "\(run.errors)")
  }

  @Test func `fields are named once`() throws {
    for words in [["--json=id", "--columns", "title"], ["--columns", "title", "--json=id"]] {
      #expect(catalog.run(["list"] + words).status == 2)
    }
    #expect(catalog.run("list", "--json=id", "--json=kind", "id:3").output == #"[{"id":3,"kind":"vinyl"}]"# + "\n")
    #expect(catalog.run("list", "--columns", "id", "--columns", "kind", "id:3").output == "3\tvinyl\n")
  }

  @Test(arguments: [
    ["list"], ["list", "--tsv"], ["show", "3"], ["genres"], ["report", "years"], ["report", "creators"],
    ["report", "ratings"], ["report", "shame"], ["card", "list"], ["copies"], ["tag", "list"], ["own", "blue"],
    ["favorites"], ["loans"], ["shelf", "saved"], [],
  ])
  func `colour is forced everywhere but where a program reads`(words: [String]) throws {
    let plain = catalog.run(words)
    catalog.terminal.usesColor = true
    let colored = catalog.run(words)
    #expect(colored.output.contains("\u{1B}["), "\(colored)")
    #expect(colored.output.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain.output)
    guard !words.isEmpty, words.last != "--tsv", words != ["show", "3"] else { return }
    for format in ["--json", "--csv"] { #expect(!catalog.run(words + [format]).output.contains("\u{1B}")) }
  }

  @Test func `each column of a listing is read back as itself or refused`() throws {
    try catalog.add(.book, "Ccc, \"Ddd\"", by: "Zz", year: 1999) { $0.book.isbn = try? ISBN("9780306406157") }
    let titles = catalog.run("books", "--json=title", "--sort", "title").output
    for field in Field.listed(of: .book).map(\.name) {
      for columns in [field, "title,\(field)"] where columns != "title,title" {
        let other = try TestCatalog()
        other.bytes = Array(catalog.run("books", "--csv", "--columns", columns).output.utf8)
        let run = other.run("import", "-", "--kind", "book", "--yes", "--no-lookup")
        let found = other.run("list", "--json=title", "--sort", "title").output
        if columns == "title" || columns.hasPrefix("title,") {
          #expect(found == titles, "\(columns): \(run)")
        } else {
          #expect(!found.contains("\"\(field)\""), "\(columns): \(run) \(found)")
        }
      }
    }
  }

  @Test(
    arguments: [
      ("title\nEmma\nGoodbye, Mr. Chips\n", ["Emma", "Goodbye, Mr. Chips"]), ("제목\n흰 책\n", ["흰 책"]),
      ("\u{FEFF}title\r\n\"A \"\"B\"\"\"\r\n", ["A \"B\""]), ("Emma\nHeat\n", ["Emma", "Heat"]),
      ("Year One\nCast Away\n", ["Cast Away", "Year One"]), ("ISBN\n9780306406157\n", nil),
    ] as [(String, [String]?)])
  func `a heading alone is no title`(text: String, titles: [String]?) throws {
    let other = try TestCatalog()
    other.bytes = Array(text.utf8)
    let run = other.run("import", "-", "--kind", "book", "--yes", "--no-lookup")
    #expect(run.status == 0, "\(run)")
    let found = try other.store.ids(Query()).map { try other.store.item($0).record.title }.sorted()
    if let titles { #expect(found == titles) } else { #expect(found.count == 1 && found != ["ISBN"]) }
  }

  @Test func `no hint after an import from a pipe names a file that is gone`() throws {
    catalog.bytes = Array("title,author\nEmma Abcdef,Nobody Known\n".utf8)
    let run = catalog.run("import", "-", "--kind", "book", "--yes")
    #expect(!run.errors.contains("catalog-import"), "\(run.errors)")
    #expect(run.errors.contains("catalog refresh --where import:1"), "\(run.errors)")
    #expect(catalog.run("list", "import:1", "--columns", "title").output == "Emma Abcdef\n")
  }
}
