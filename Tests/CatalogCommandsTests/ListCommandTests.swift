import CatalogModel
import SQLite
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct ListCommandTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
  }

  @Test func `list into a pipe prints tab-separated lines, the newest item first`() throws {
    #expect(
      catalog.run("list")
        == .init(
          output: """
            3\tvinyl\tKind of Blue\tMiles Davis\t1959\tJazz\t
            2\tbook\t소년이 온다\t한강\t2014\tLiterary Fiction\t90
            1\tmovie\t기생충\t봉준호\t2019\tThriller; Drama\t

            """, errors: "", status: 0))
  }

  @Test func `list on a terminal prints an aligned table with stars`() throws {
    catalog.atTerminal()
    #expect(
      catalog.run("list").output == """
           Kind   Title         By           Year  Genres            Rating
        3  vinyl  Kind of Blue  Miles Davis  1959  Jazz
        2  book   소년이 온다   한강         2014  Literary Fiction  ★★★★½
        1  movie  기생충        봉준호       2019  Thriller, Drama
        3 items

        """)
    #expect(
      catalog.run("ls", "--limit", "1", "-c", "title,added").output == """
        Title         Added
        Kind of Blue  2026-11-21

        """)
  }

  @Test func `the listing of one kind has no kind column`() throws {
    #expect(catalog.run("movies").output == "1\t기생충\t봉준호\t2019\tThriller; Drama\t\n")
    #expect(catalog.run("list", "kind:book").output == catalog.run("books").output)
    #expect(catalog.run("vinyl", "jazz").output == "3\tKind of Blue\tMiles Davis\t1959\tJazz\t\n")
  }

  @Test(arguments: [
    (["ㄱㅅㅊ"], "1"), (["소년"], "2"), (["genre:jazz"], "3"), (["year:2014..2019"], "2 1"), (["rating:>=4"], "2"),
    (["rating:4.."], "2"), (["rating:..3"], ""),
    (["genre:jazz,drama"], "3 1"), (["kind:movie,book"], "2 1"), (["-genre:jazz,drama"], "2"), (["favorite:no"], "2 1"),
    (["has:rating"], "2"), (["label:none", "kind:vinyl"], "3"),
    (["rating:none"], "3 1"), (["creator:한강"], "2"), (["favorite:yes"], "3"), (["^favorite:yes"], "2 1"),
    (["-kind:vinyl", "-kind:book"], "1"), (["--", "-kind:vinyl", "-kind:book"], "1"), (["added:2026-11-21"], "3 2 1"),
    (["added:..2025"], ""),
    (["--sort", "year"], "3 2 1"), (["--sort", "year-"], "1 2 3"), (["--sort", "rating-,title"], "2 3 1"),
    (["--limit", "2", "--sort", "id"], "1 2"),
  ])
  func `list filters by query terms and sorts and limits by options`(words: [String], ids: String) throws {
    let run = catalog.run(["list", "--columns", "id"] + words)
    #expect(run.output.split(separator: "\n").joined(separator: " ") == ids)
    #expect(run.status == (ids.isEmpty ? 1 : 0))
  }

  @Test func `list --json has the fields of the listed kinds only`() throws {
    #expect(
      catalog.run("books", "--json").output == """
        [{"id":2,"item":2,"kind":"book","title":"소년이 온다","original_title":null,"other_titles":[],"creators":["한강"],"year":2014,\
        "released_on":null,"genres":["Literary Fiction"],"isbn":null,"publisher":null,"published_on":null,"pages":null,\
        "countries":[],"language":null,"series":null,"list_price":null,"sale_price":null,"copies":1,"public_rating":null,\
        "public_votes":null,"rating":90,"rating_scale":"half","cards":1,"favorite_at":null,\
        "added_at":"2026-11-21T09:30:02Z","updated_at":"2026-11-21T09:30:02Z","has_cover":false,"url":null,"note":null,\
        "description":null}]

        """)
    #expect(
      catalog.run("list", "--jsonl", "--columns", "id,creator,rating,rating_scale").output == """
        {"id":3,"creators":["Miles Davis"],"rating":null,"rating_scale":null}
        {"id":2,"creators":["한강"],"rating":90,"rating_scale":"half"}
        {"id":1,"creators":["봉준호"],"rating":null,"rating_scale":null}

        """)
    #expect(
      catalog.run("movies", "--json=title,genres").output == #"[{"title":"기생충","genres":["Thriller","Drama"]}]"# + "\n")
    #expect(catalog.run("list", "nothing", "--json").output == "[]\n")
  }

  @Test func `list --csv has a header and quotes cells where needed`() throws {
    try catalog.add(.book, "Say \"hi\", then\tgo", by: "A", "B", year: 1999)
    #expect(
      catalog.run("list", "--csv", "--columns", "id,title,creator,year,rating,rating_scale", "^kind:vinyl").output
        == "id,title,creators,year,rating,rating_scale\r\n4,\"Say \"\"hi\"\", then go\",A; B,1999,,\r\n"
        + "2,소년이 온다,한강,2014,90,half\r\n1,기생충,봉준호,2019,,\r\n")
  }

  @Test func `a dash before a sort field means the same as a dash after it`() {
    let sorted = catalog.run("list", "--sort", "year-,title", "--json=id").output
    #expect(catalog.run("list", "--sort", "-year,title", "--json=id").output == sorted)
    #expect(catalog.run("list", "--sort=-year,title", "--json=id").output == sorted)
    #expect(catalog.run("list", "-s", "-year,title", "--json=id").output == sorted)
    #expect(catalog.run("list", "--sort", "-yaer").errors.contains("there is no order 'yaer'; did you mean 'year'?"))
    #expect(catalog.run("list", "--sort", "--json").errors.contains("option '--sort' needs a value"))
  }

  @Test func `a list template knows tabs and line ends, and excludes other formats`() throws {
    #expect(
      catalog.run("list", "--template", #"$title\t$year\n\\t\x"#, "kind:vinyl").output
        == "Kind of Blue\t1959\n\\t\\x\n")
    for option in ["--json", "--csv", "--columns=id"] {
      let run = catalog.run("books", "--template", "$title", option)
      #expect(run.status == 2, "\(run)")
      #expect(run.errors.contains("--template cannot be combined"), "\(run)")
    }
  }

  @Test func `a list template prints fields in a custom line`() throws {
    #expect(
      catalog.run("list", "--template", "${creator}: $title ($year) $rating $$1", "kind:book").output
        == "한강: 소년이 온다 (2014) ★★★★½ $1\n")
    #expect(catalog.run("list", "-t", "no field", "--limit", "2").output == "no field\nno field\n")
  }

  @Test func `control characters in titles are not printed by list`() throws {
    try catalog.store.db.run("UPDATE item SET title = 'a' || char(27) || '[2J' || char(9) || 'b' WHERE id = 1")
    #expect(catalog.run("movies", "-c", "title").output == "a␛[2J b\n")
    catalog.atTerminal()
    #expect(catalog.run("movies", "-c", "title").output == "Title\na␛[2J b\n")
    #expect(catalog.run("movies", "-c", "title", "--tsv").output == "a␛[2J b\n")
    #expect(catalog.run("movies", "-c", "title", "--csv").output == "title\r\na␛[2J b\r\n")
    #expect(catalog.run("movies", "-t", "$title").output == "a␛[2J b\n")
  }

  @Test(arguments: [
    BadInput("list", "zzz", errors: "catalog: no item matches zzz\nhint: look it up: catalog search zzz\n", status: 1),
    BadInput(
      "list", "genre:jazz", "year:1800",
      errors: "catalog: no item matches genre:jazz year:1800\nhint: see what there is",
      status: 1),
    BadInput(
      "list", "gnre:jazz",
      errors: "catalog: there is no field 'gnre'; did you mean 'genre'?\n  gnre:jazz\n  ^^^^\nhint: 'catalog help"),
    BadInput(
      "list", "한강", "(kind:book", "or", "year:19x9)",
      errors: """
        catalog: invalid year '19x9'
          한강 (kind:book or year:19x9)
                                  ^^^^
        hint: see 'catalog help query'

        """),
    BadInput(
      "list", "genre:\u{1B}[2J", "(",
      errors: "there is nothing after this parenthesis\n  genre:␛[2J (\n             ^\n"),
    BadInput(
      "list", "year:" + String(repeating: "x", count: 200), String(repeating: "y", count: 200),
      errors: "\n  year:xxxxxxxxxx"),
    BadInput(
      "list", String(repeating: "y", count: 200), "year:x",
      errors: "\n  …\(String(repeating: "y", count: 30)) year:x\n\(String(repeating: " ", count: 39))^\nhint"),
    BadInput("vinyl", "year:1800", errors: "catalog: no record matches year:1800\n", status: 1),
    BadInput(
      "list", "year:19x9",
      errors: "catalog: invalid year '19x9'\n  year:19x9\n       ^^^^\nhint: see 'catalog help query'\n"),
    BadInput("list", "year:99999", errors: "invalid year '99999'"),
    BadInput("list", "rating:6", errors: "invalid rating '6'"),
    BadInput("list", "kind:podcast", errors: "there is no kind 'podcast'"),
    BadInput("list", "--limit", "0", errors: "option '--limit': '0' is out of range: it starts at 1"),
    BadInput("list", "--limit", "ten", errors: "option '--limit': 'ten' is not a whole number"),
    BadInput("list", "--sort", "yaer", errors: "there is no order 'yaer'; did you mean 'year'?"),
    BadInput("list", "--columns", "titel", errors: "there is no field 'titel'; did you mean 'title'?"),
    BadInput("list", "--json=titel", errors: "there is no field 'titel'; did you mean 'title'?"),
    BadInput("list", "--template", "$titel", errors: "there is no field 'titel'; did you mean 'title'?"),
    BadInput("list", "--template", "${title", errors: "lacks a closing brace"),
  ])
  func `bad input is explained`(_ bad: BadInput) throws {
    let run = catalog.run(bad.words)
    #expect(run.errors.contains(bad.errors))
    #expect(run.status == bad.status)
    #expect(run.output.isEmpty)
  }

  @Test(arguments: [
    (
      ["bleu"],
      "no item matches bleu; did you mean 'Kind of Blue'?\nhint: catalog list blue; or look it up: catalog search bleu"
    ),
    (["kind", "fo", "blue"], "did you mean 'Kind of Blue'?\nhint: catalog list kind of blue; or"),
    (
      ["milse", "year:1950s"],
      "no item matches milse year:1950s; did you mean 'miles'?\nhint: catalog list miles year:1950..1959; or"
    ),
    (["소년이", "운다"], "did you mean '소년이 온다'?\nhint: catalog list 소년이 온다"),
    (["never", "gts"], "did you mean 'never gets'?"),
    // Not where nothing would be found either.
    (["bleu", "year:1800"], "no item matches bleu year:1800\nhint: look it up: catalog search bleu\n"),
    (["qqqqqqqq"], "no item matches qqqqqqqq\nhint: look it up"),
    (
      ["do", "not", "disturb"],
      "no item matches do not disturb\nhint: and, or and not between words are operators; as words, put them in double quotes: catalog list '\"do not disturb\"'\n"
    ),
  ])
  func `a misspelt query term gets a suggestion`(_ words: [String], _ errors: String) throws {
    _ = try catalog.store.addCard(
      to: ItemID(rawValue: 2), rating: nil, comment: "It never gets old, for long", now: catalog.clock)
    let run = catalog.run(["list"] + words)
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.contains(errors), "\(run.errors)")
  }

  @Test func `a misspelt query gets a suggestion in genres, show, edit and report`() {
    #expect(
      catalog.run("genres", "bleu").errors.contains(
        "no item matches bleu; did you mean 'Kind of Blue'?\nhint: catalog list blue\n"))
    #expect(
      catalog.run("show", "bleu").errors.hasPrefix("'bleu' taken for vinyl 3: Kind of Blue — Miles Davis (1959)"))
    #expect(catalog.run("edit", "--where", "bleu", "year=1960").errors.contains("did you mean 'Kind of Blue'?"))
    #expect(catalog.run("report", "years", "bleu").errors.contains("did you mean 'Kind of Blue'?"))
  }

  @Test func `list combines terms with and, or, not and parentheses`() {
    #expect(
      catalog.run("list", "kind:movie", "or", "(", "kind:book", "not", "blue", ")", "-c", "kind").output
        == "book\nmovie\n")
    #expect(catalog.run("list", "kind:movie or kind:book", "-c", "kind").output == "book\nmovie\n")
    #expect(catalog.run("movies", "blue", "or", "kind:movie", "-c", "kind").output == "movie\n")
    #expect(catalog.run("favorites", "kind:movie", "or", "kind:book").status == 1)
  }

  @Test func `list on an empty catalog hints at search`() throws {
    let empty = try TestCatalog()
    #expect(
      empty.run("list")
        == .init(
          output: "", errors: "catalog: the catalog is empty\nhint: look something up: catalog search dune\n", status: 1
        ))
    #expect(empty.run("vinyl").errors.hasPrefix("catalog: there are no records yet\n"))
  }
}
