import TestSupport
import Testing

@testable import CommandLineKit

struct TableTests {
  let table = Table(
    columns: [
      .init("id", "ID", alignment: .right, importance: 9),
      .init("title", "Title", isFlexible: true, importance: 8),
      .init("year", "Year", importance: 2),
      .init("genres", "Genres", isFlexible: true, importance: 1),
      .init("source", isHidden: true),
    ],
    rows: [
      [.init(1), "Alien", .init(1979), .init(["Horror", "Sci-Fi"]), "tmdb"],
      [.init(42), .init("기생충\t\"a\"\u{1B}", style: .bold), .init(2019), .init(["Drama"]), "tmdb"],
      [.init(7), .init("A title, much longer\nthan others"), .init(nil as Int?)],
    ])

  private func written(_ format: TableFormat, _ terminal: Terminal = Terminal()) throws -> String {
    let output = Output.memory()
    try table.write(as: format, to: output, terminal: terminal)
    return output.text
  }

  @Test func `a table for a terminal is as wide as its content`() throws {
    #expect(
      try written(.fitted, Terminal(isOutputTerminal: true)) == """
        ID  Title                             Year  Genres
         1  Alien                             1979  Horror, Sci-Fi
        42  기생충 "a"␛                       2019  Drama
         7  A title, much longer than others

        """)
  }

  @Test func `section headings are shown on a terminal and not in a pipe`() throws {
    var table = Table(
      columns: [.init("title", "Title"), .init("year", "Year")], rows: [["Alien", .init(1979)], ["Heat"]])
    table.sections = [0: "Seventies", 1: "Nineties, which is much longer"]
    let output = Output.memory()
    try table.write(as: .fitted, to: output, terminal: Terminal(isOutputTerminal: true, width: 20))
    #expect(
      output.text == """
        Title  Year
        Seventies
        Alien  1979

        Nineties, which is …
        Heat

        """)
    let pipe = Output.memory()
    try table.write(as: .tsv, to: pipe, terminal: Terminal())
    #expect(pipe.text == "Alien\t1979\nHeat\t\n")
  }

  @Test func `long columns are cut and unimportant ones dropped in a narrow terminal`() throws {
    #expect(
      try written(.fitted, Terminal(isOutputTerminal: true, width: 40)) == """
        ID  Title                 Year  Genres
         1  Alien                 1979  Horror,…
        42  기생충 "a"␛           2019  Drama
         7  A title, much longe…

        """)
    #expect(
      try written(.fitted, Terminal(isOutputTerminal: true, width: 16)) == """
        ID  Title
         1  Alien
        42  기생충 "a"␛
         7  A title, mu…

        """)
  }

  @Test func `a table is coloured when the terminal has colour`() throws {
    let text = try written(.fitted, Terminal(isOutputTerminal: true, usesColor: true))
    #expect(text.contains("\u{1B}[1m기생충 \"a\"␛"))
    #expect(text.contains("\u{1B}[1;4mID\u{1B}[0m"))
  }

  @Test func `a column that distinguishes rows is kept as long as the title`() throws {
    var pressings = Table(columns: [
      .init("result", "", importance: 9, isReference: true),
      .init("title", "Title", isFlexible: true, minimumWidth: 10, importance: 8),
      .init("year", "Year", importance: 7), .init("genre", "Genre", isFlexible: true, importance: 5),
      .init("format", "Format", isFlexible: true, minimumWidth: 6, importance: 3),
    ])
    func row(_ number: String, _ format: String) -> [Table.Cell] {
      [.init(number), "The Köln Concert, live", .init(1975), "Jazz", .init(format)]
    }
    pressings.rows = [row("r1", "LP · ECM 1064"), row("r2", "LP · ECM 1064/65")]
    let output = Output.memory()
    for width in [52, 36] {
      try pressings.write(as: .fitted, to: output, terminal: Terminal(isOutputTerminal: true, width: width))
    }
    #expect(
      output.text == """
            Title              Year  Genre  Format
        r1  The Köln Concert…  1975  Jazz   LP · ECM 1064
        r2  The Köln Concert…  1975  Jazz   LP · ECM 1064/65
            Title           Format
        r1  The Köln Conc…  LP · ECM 1064
        r2  The Köln Conc…  LP · ECM 1064/65

        """)
  }

  @Test func `an empty heading has no underline`() throws {
    let output = Output.memory()
    let table = Table(columns: [.init("a", "", alignment: .right), .init("b", "B")], rows: [["long", "b"]])
    try table.write(as: .fitted, to: output, terminal: Terminal(isOutputTerminal: true, usesColor: true))
    #expect(output.text == "      \u{1B}[1;4mB\u{1B}[0m\nlong  b\n")
  }

  @Test func `right-to-left text does not shift columns`() throws {
    let output = Output.memory()
    let table = Table(
      columns: [.init("a", "A"), .init("n", "N")], rows: [["עמוס עוז", .init(1)], ["\u{202E}x", .init(2)]])
    try table.write(as: .fitted, to: output, terminal: Terminal(isOutputTerminal: true))
    #expect(output.text == "A         N\n\u{2068}עמוס עוז\u{2069}  1\n�x        2\n")
  }

  @Test func `a table in a pipe has tabs and no header`() throws {
    #expect(
      try written(.tsv)
        == "1\tAlien\t1979\tHorror; Sci-Fi\n42\t기생충 \"a\"␛\t2019\tDrama\n7\tA title, much longer than others\t\t\n"
    )
    #expect(try written(.tsv, Terminal(isOutputTerminal: true)).contains("␛"))
  }

  @Test func `CSV output follows RFC 4180`() throws {
    #expect(
      try written(.csv)
        == "id,title,year,genres,source\r\n1,Alien,1979,Horror; Sci-Fi,tmdb\r\n"
        + "42,\"기생충\t\"\"a\"\"␛\",2019,Drama,tmdb\r\n7,\"A title, much longer\nthan others\",,,\r\n")
  }

  private struct Album {
    var title: String
    var year: Int?
    var tracks: [(title: String, seconds: Int?)]?
    var label: String?
  }

  private let columns: [Column<Album>] = [
    .init("title", "Title", style: .bold, \.title), .hidden("label", \.label),
    .init("year", "Year", alignment: .right, \.year, shown: { $0.year.map { "(\($0))" } }),
    .list("tracks", \.tracks, [.init("title", \.title), .init("seconds", \.seconds).leftOutIfEmpty]),
    .object("first", { $0.tracks?.first?.title }, [.init("title", \.self)]),
  ]

  @Test func `declared columns make the table for people and nested JSON`() throws {
    let albums = [
      Album(title: "Giant Steps", year: 1960, tracks: [("Naima", 260), ("Countdown", nil)]),
      Album(title: "Kind of Blue"),
    ]
    let output = Output.memory()
    let forPeople = try Table(albums, Array(columns.prefix(3)))
    try forPeople.write(as: .fitted, to: output, terminal: Terminal(isOutputTerminal: true))
    #expect(
      output.text == """
        Title           Year
        Giant Steps   (1960)
        Kind of Blue

        """)
    let json = Output.memory()
    try Table(albums, columns).write(as: .jsonLines, to: json, terminal: Terminal())
    #expect(
      json.text == """
        {"title":"Giant Steps","label":null,"year":1960,"tracks":[{"title":"Naima","seconds":260},\
        {"title":"Countdown"}],"first":{"title":"Naima"}}
        {"title":"Kind of Blue","label":null,"year":null,"tracks":null,"first":null}

        """)
  }

  @Test func `the columns of a part are columns of the whole`() throws {
    let title: [Column<String>] = [.init("title", "Title", \.self)]
    let table = try Table([(1, "Alien")], [.init("id", "ID") { $0.0 }], title.lifted { $0.1 })
    #expect(table.columns.map(\.key) == ["id", "title"])
    #expect(table.rows.map { $0.map(\.text) } == [["1", "Alien"]])
  }

  @Test func `JSON output has all fields`() throws {
    #expect(
      try written(.jsonLines) == """
        {"id":1,"title":"Alien","year":1979,"genres":["Horror","Sci-Fi"],"source":"tmdb"}
        {"id":42,"title":"기생충\\t\\"a\\"\\u001b","year":2019,"genres":["Drama"],"source":"tmdb"}
        {"id":7,"title":"A title, much longer\\nthan others","year":null,"genres":null,"source":null}

        """)
    #expect(try written(.json).hasPrefix("[{\"id\":1,"))
    #expect(try written(.json).hasSuffix("}]\n"))
    #expect(try written(.json, Terminal(isOutputTerminal: true)).hasPrefix("[\n  {\n    \"id\": 1,\n"))
  }

  @Test func `output fields are chosen by their keys`() throws {
    let output = Output.memory()
    let options = try AddCommand.parse(["movie", "x", "--json=year,id"]).output
    try table.write(options, to: output, terminal: Terminal())
    #expect(output.text == #"[{"year":1979,"id":1},{"year":2019,"id":42},{"year":null,"id":7}]"# + "\n")
    let error = #expect(throws: UsageError.self) { try table.selecting(.only(["titel"])) }
    #expect(error?.message == "there is no field 'titel'; did you mean 'title'?")
  }

  @Test func `an empty table has only its headings`() throws {
    let output = Output.memory()
    try Table(columns: table.columns).write(as: .fitted, to: output, terminal: Terminal())
    #expect(output.text == "ID  Title  Year  Genres\n")
    try Table(columns: []).write(as: .fitted, to: output, terminal: Terminal())
    let json = Output.memory()
    try Table(columns: table.columns).write(as: .json, to: json, terminal: Terminal(isOutputTerminal: true))
    #expect(json.text == "[]\n")
  }

  @Test func `bars fill the rest of the line, and the least important column makes room for them`() throws {
    var table = Table(
      columns: [.init("name", "Name", importance: 3), .init("items", "Items", importance: 2), .init("note", "Note")],
      rows: [["Jazz", .init(4), "first"], ["Rock", .init(1)]])
    func text(_ width: Int) throws -> String {
      let output = Output.memory()
      try table.write(as: .fitted, to: output, terminal: Terminal(width: width, usesUnicode: false))
      return output.text
    }
    table.bars = .init(behind: "items", of: [4, 1])
    #expect(try text(30) == "Name  Items              Note\nJazz  4      ##########  first\nRock  1      ###\n")
    #expect(try text(24) == "Name  Items\nJazz  4      ###########\nRock  1      ###\n")
    table.bars = .init(behind: "items", of: [4, 1], least: 3)
    #expect(try text(24) == "Name  Items        Note\nJazz  4      ####  first\nRock  1      #\n")
  }

  @Test func `no table line is wider than the terminal`() throws {
    var random = SplitMix(seed: 3)
    for _ in 0..<2_000 {
      let columns = (0..<Int.random(in: 1...6, using: &random)).map { number in
        Table.Column(
          "c\(number)", Message(verbatim: random.text(upTo: 8)),
          alignment: [.left, .right, .center].randomElement(using: &random) ?? .left,
          isFlexible: Bool.random(using: &random), minimumWidth: Int.random(in: 0...9, using: &random),
          importance: Int.random(in: 0...3, using: &random))
      }
      let rows = (0..<4).map { _ in (0..<Int.random(in: 0...7, using: &random)).map { _ in Table.Cell(random.text()) } }
      let terminal = Terminal(isOutputTerminal: true, width: Int.random(in: 1...100, using: &random))
      let output = Output.memory()
      var table = Table(columns: columns, rows: rows)
      if Bool.random(using: &random) {
        table.bars = .init(behind: "c\(Int.random(in: 0...7, using: &random))", of: [1, .nan, -3], least: 5)
      }
      try table.write(as: .fitted, to: output, terminal: terminal)
      let lines = output.text.split(separator: "\n")
      for line in lines { #expect(line.cellWidth <= terminal.width) }
    }
  }
}
