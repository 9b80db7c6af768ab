import CatalogModel
import Foundation
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests the JSON of commands that write, and the output that `--quiet` suppresses.
struct TellingTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
    try catalog.forgetCopies()
  }

  private static let book = #""item":2,"kind":"book","title":"소년이 온다","creators":["한강"],"year":2014"#
  private static let other = #""item":4,"kind":"book","title":"토지","creators":["박경리"],"year":null"#
  private static let movie = #""item":1,"kind":"movie","title":"기생충","creators":["봉준호"],"year":2019"#
  private static let record = #""item":3,"kind":"vinyl","title":"Kind of Blue","creators":["Miles Davis"],"year":1959"#

  @Test(arguments: [
    (["favorite", "1"], #"{"changed":true,\#(movie),"favorite_at":"2026-11-21T09:30:05Z"}"#),
    (["unfavorite", "3"], #"{"changed":true,\#(record)}"#),
    (
      ["log", "2", "--on", "2026-11-20", "-c", "Good."],
      #"{"changed":true,\#(book),"entry":1,"outcome":"done","card":2}"#
    ),
    (["rate", "1", "4"], #"{"changed":true,\#(movie),"card":2,"rating":80}"#),
    (["card", "add", "1", "--comment", "words"], #"{"changed":true,\#(movie),"card":2,"rating":null}"#),
    (["card", "edit", "1", "--stars", "3"], #"{"changed":true,\#(book),"card":1,"rating":60}"#),
    (["wish", "1"], #"{"changed":true,\#(movie),"wish":"w1"}"#),
    (
      ["wish", "a demo tape"],
      #"{"changed":true,"item":null,"kind":null,"title":"a demo tape","creators":[],"year":null,"wish":"w1"}"#
    ),
    (["copy", "add", "2"], #"{"changed":true,\#(book),"copy":"c1"}"#),
    (["copy", "edit", "c1", "--place", "K1"], #"{"changed":true,\#(record),"copy":"c1"}"#),
    (["lend", "c1", "to", "Anna"], #"{"changed":true,\#(record),"copy":"c1","borrower":"Anna","due_on":null}"#),
    (["tag", "add", "winter", "1"], #"{"changed":true,\#(movie),"tag":"winter"}"#),
    (["pile", "add", "next", "1"], #"{"changed":true,\#(movie),"pile":"next","position":1}"#),
    (["edit", "1", "year=2018", "tag+=x"], #"{"changed":true,\#(movie),"fields":["year","tags"]}"#),
    (["remove", "1", "--yes"], #"{"changed":true,\#(movie)}"#),
    (["represent", "3"], #"{"changed":true,\#(record)}"#),
    (["tag", "rename", "old", "new"], #"{"changed":true,"tag":"new","before":"old","items":1}"#),
    (["shelf", "save", "mine", "kind:book"], #"{"changed":true,"name":"mine","query":"kind:book"}"#),
    (["shelf", "forget", "kept"], #"{"changed":true,"name":"kept","query":"kind:vinyl"}"#),
    (["merge", "2", "4", "--yes"], #"{"changed":true,\#(book),"merged":4}"#),
    (["edition", "add", "2", "4"], #"{"changed":true,\#(other),"edition_of":2}"#),
    (["edition", "remove", "4"], #"{"changed":false,\#(other)}"#),
    (
      ["add", "book", "--title", "토지", "--stars", "5"],
      #"{"changed":true,"item":4,"kind":"book","title":"토지","creators":[],"year":null,"copy":"c1","card":2,"new":true}"#
    ),
  ])
  func `a changing command with --json prints an object of the change`(_ words: [String], _ object: String) throws {
    if words.contains("c1") { catalog.run("copy", "add", "3") }
    if words.contains("4"), words[0] != "rate" { catalog.run("add", "book", "--title", "토지", "--creator", "박경리") }
    catalog.run("tag", "add", "old", "3")
    catalog.run("shelf", "save", "kept", "kind:vinyl")
    let run = catalog.run(words + ["--json"])
    let expected = words[0] == "edit" ? object.replacing("2019", with: "2018") : object
    #expect(run.output == expected + "\n", "\(run)")
    #expect(run.status == 0, "\(run)")
  }

  @Test func `a command without effect prints changed false as JSON`() {
    #expect(catalog.run("favorite", "3", "--json").output.hasPrefix(#"{"changed":false,"item":3,"#))
    #expect(catalog.run("favorite", "3", "--json").errors.hasPrefix("catalog: already a favorite: vinyl 3"))
    #expect(catalog.run("unfavorite", "1", "--json").output == #"{"changed":false,\#(Self.movie)}"# + "\n")
    #expect(catalog.run("edit", "1", "year=2019", "--json").output == #"{"changed":false,\#(Self.movie)}"# + "\n")
    #expect(catalog.run("tag", "remove", "x", "1", "--json").output.hasPrefix(#"{"changed":false,"item":1,"#))
    catalog.run("copy", "add", "3")
    #expect(catalog.run("copy", "edit", "c1", "--place", "none", "--json").output.hasPrefix(#"{"changed":false,"#))
    let back = catalog.run("return", "c1", "--json")
    #expect(back.errors == "catalog: the copy c1 is not lent\n")
    #expect(back.status == 0)
    #expect(back.output.hasSuffix(#""copy":"c1","borrower":null,"returned_on":null}"# + "\n"))
    catalog.run("lend", "c1", "to", "Anna")
    #expect(
      catalog.run("return", "c1", "--json").output.hasSuffix(#""borrower":"Anna","returned_on":"2026-11-21"}"# + "\n"))
    catalog.run("rate", "1", "4")
    #expect(catalog.run("rate", "1", "4", "--json").output.hasPrefix(#"{"changed":false,"item":1,"#))
    catalog.run("wish", "1")
    #expect(catalog.run("wish", "1", "--json").output == #"{"changed":false,\#(Self.movie),"wish":"w1"}"# + "\n")
  }

  @Test func `several items are printed as a JSON list, and a query or --all always as one`() throws {
    func count(_ words: String...) throws -> Int {
      let run = catalog.run(words + ["--json"])
      return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [Any], "\(run)").count
    }
    #expect(try count("favorite", "1", "2", "3") == 3)
    #expect(try count("tag", "add", "x", "--where", "id:1") == 1)
    #expect(try count("tag", "remove", "x", "--all", "--yes") == 1)
    #expect(try count("unfavorite", "--all", "--yes") == 3)
    #expect(try count("unfavorite", "--all", "--yes") == 0)
    catalog.input = ["1", "pack:nothing"]
    let run = catalog.run("add", "-", "--offline", "--json")
    #expect(run.status == 1)
    #expect(
      run.output == #"[{"changed":false,\#(Self.movie),"line":1,"text":"1"},"#
        + #"{"changed":false,"line":2,"text":"pack:nothing","error":"the pack has no 'nothing'"}]"# + "\n")
  }

  @Test func `a result added by another command is one JSON object with added true`() {
    catalog.addResult()
    let run = catalog.run("favorite", "r1", "--json")
    #expect(run.output.hasPrefix(#"{"changed":true,"item":4,"kind":"vinyl","title":"Blue Train""#))
    #expect(run.output.hasSuffix(#","new":true}"# + "\n"))
  }

  @Test func `a dry run with --json prints would_change`() throws {
    #expect(
      catalog.run("remove", "1", "-n", "--json").output
        == #"{"changed":false,"would_change":true,\#(Self.movie)}"# + "\n")
    catalog.addResult()
    #expect(
      catalog.run("card", "add", "r1", "-c", "x", "-n", "--json").output.contains(#""would_change":true,"item":null"#))
    #expect(try catalog.store.shelfCounts().total == 3)
  }

  @Test func `--json with members prints only these, and is checked before anything is changed`() throws {
    let run = catalog.run("edit", "1", "year=2018", "--json=year,item")
    #expect(run.output == #"{"year":2018,"item":1}"# + "\n", "\(run)")
    #expect(
      catalog.run("edit", "--where", "id:1,2", "year=2017", "-y", "--json=item").output == #"[{"item":2},{"item":1}]"#
        + "\n")
    let misspelt = catalog.run("edit", "1", "year=2016", "--json=itm")
    #expect(misspelt.status == 2)
    #expect(misspelt.errors.hasPrefix("catalog: there is no field 'itm'"))
    #expect(catalog.run("show", "1", "--json=year").output == #"{"year":2017}"# + "\n")
    #expect(catalog.run("show", "2", "--json=cards,title").output.hasPrefix(#"{"cards":[{"id":1,"card":1,"#))
    // A member that this change does not have is null.
    #expect(catalog.run("favorite", "1", "--json=item,card").output == #"{"item":1,"card":null}"# + "\n")
  }

  @Test func `import, undo, settings and genres print what they did as JSON`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("books.csv")
    try Data("title,author,shoe size\nEmma,Jane Austen,41\n,x,\nDune,Frank Herbert,\n소년이 온다,한강,\n".utf8)
      .write(to: URL(filePath: path))
    func numbers(_ more: String...) -> String {
      let run = catalog.run(
        ["import", path, "--kind", "book", "--json=changed,rows,added,joined,rejected,unchanged"] + more)
      return run.output
    }
    let planned = #"{"changed":false,"rows":4,"added":2,"joined":1,"rejected":1,"unchanged":0}"#
    #expect(numbers("-n") == planned + "\n")
    #expect(numbers("--yes") == planned.replacing("false", with: "true") + "\n")
    #expect(numbers("--yes") == #"{"changed":false,"rows":4,"added":0,"joined":0,"rejected":0,"unchanged":4}"# + "\n")
    catalog.run("favorite", "1")
    #expect(catalog.run("undo", "--json=changed,typed").output == #"{"changed":true,"typed":"favorite 1"}"# + "\n")
    #expect(catalog.run("redo", "1", "--json=changed").output == #"[{"changed":true}]"# + "\n")
    #expect(
      catalog.run("genre", "alias", "Krimi", "Thriller", "--yes", "--json").output
        == #"{"changed":true,"items":0,"changes":["Krimi: Detective → Thriller"]}"# + "\n")
    #expect(
      catalog.run("recent", "remove", "--all", "--json").output == "[]\n")
    #expect(catalog.run("export", "jsonl", "--json").status == 2)
  }

  @Test func `a failed command prints its error as JSON`() {
    let run = catalog.run("favorite", "99", "--json")
    #expect(run.output == #"{"changed":false,"error":"there is no item 99"}"# + "\n")
    #expect(run.errors.hasPrefix("catalog: there is no item 99\n"))
    #expect(run.status == 1)
  }

  @Test(arguments: [
    ["favorite", "1", "3"], ["tag", "add", "winter", "1", "2"], ["pile", "add", "next", "1"], ["log", "1"],
    ["rate", "1", "4"], ["remove", "1", "--yes"], ["edit", "1", "year=2018"], ["edit", "1", "year=2019"],
    ["add", "book", "--title", "토지"], ["wish", "1"], ["copy", "add", "2"], ["undo", "--yes"],
    ["genre", "rename", "Jazz", "My Jazz"], ["shelf", "save", "x", "kind:book"], ["unfavorite", "1"],
  ])
  func `a changing command with --quiet prints nothing on success`(_ words: [String]) {
    catalog.run("tag", "add", "y", "2")
    #expect(catalog.run(words + ["-q"]) == .init(output: "", errors: "", status: 0))
  }

  @Test func `--quiet does not silence listings, dry runs, errors and JSON`() {
    #expect(catalog.run("list", "-q").output == catalog.run("list").output)
    #expect(catalog.run("favorite", "1", "--quiet", "--dry-run").output.hasPrefix("would become a favorite"))
    #expect(catalog.run("favorite", "99", "-q").errors.hasPrefix("catalog: there is no item 99\n"))
    #expect(catalog.run("favorite", "1", "-q", "--json").output.hasPrefix(#"{"changed":true"#))
  }
}
