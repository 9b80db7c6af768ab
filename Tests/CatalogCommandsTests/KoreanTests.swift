import CatalogModel
import CatalogStore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CommandLineKit

/// Tests the Korean translation and its file: Data/messages/ko.po.
struct KoreanTests {
  let catalog: TestCatalog
  private let missing = Missing()

  private final class Missing: Sendable {
    let messages = Mutex<Set<String>>([])
  }

  init() throws {
    catalog = try TestCatalog()
    catalog.now = Date(timeIntervalSince1970: 1_795_253_400)
  }

  /// Sets a terminal of a Korean person.
  private func atTerminal(width: Int = 80) throws {
    let korean = try #require(SpokenLanguage.all.first { $0.code == "ko" })
    catalog.atTerminal(width: width)
    catalog.environment["LC_MESSAGES"] = "ko_KR.UTF-8"
    catalog.terminal.translation = korean.translation { [missing] key in
      missing.messages.withLock { _ = $0.insert(key) }
    }
  }

  // MARK: The file

  private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test func `msgfmt finds no fault in a file of messages`() throws {
    let folder = Self.repository.appending(path: "Data/messages")
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try #require(FileManager.default.isExecutableFile(atPath: "/usr/bin/msgfmt"), "make test installs gettext")
      let msgfmt = Process()
      msgfmt.executableURL = URL(filePath: "/usr/bin/msgfmt")
      msgfmt.arguments = ["--check", "-o", "/dev/null", folder.appending(path: file).path]
      let pipe = Pipe()
      msgfmt.standardError = pipe
      try msgfmt.run()
      let faults = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      msgfmt.waitUntilExit()
      #expect(faults == "")
      #expect(msgfmt.terminationStatus == 0)
    }
  }

  @Test func `every language has a message file, and every message file a language`() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Self.repository.appending(path: "Data/messages").path)
    #expect(files.sorted() == SpokenLanguage.all.map { "\($0.code).po" }.sorted())
  }

  @Test func `every translated message occurs in the sources`() throws {
    let literals = try Set(
      Self.sources(below: "Sources").flatMap { SwiftLiterals.all(in: $0) }.map {
        $0.replacing(SwiftLiterals.word, with: "%@")
      }
    ).union(Self.names("languages")).union(Self.names("countries"))
    #expect(literals.count > 1000)
    // Literals that a declaration of String has filled in already.
    let patterns = literals.filter { $0.contains("%@") && $0.count > 12 }.map {
      (parts: $0.split(separator: "%@"), isOpen: $0.hasSuffix("%@"))
    }
    func isSaid(_ key: String) -> Bool {
      // A context stands before it.
      let words = String(key.split(separator: "\u{4}").last ?? "")
      if literals.contains(words) { return true }
      // 3.counted("item", "items")
      if words.hasPrefix("%@ "), literals.contains(String(words.dropFirst(3))) { return true }
      return patterns.contains { parts, isOpen in
        var rest = words[...]
        return parts.allSatisfy { part in
          guard let found = rest.range(of: part) else { return false }
          rest = rest[found.upperBound...]
          return true
        } && (isOpen ? !rest.contains(" ") : rest.isEmpty)
      }
    }
    for language in SpokenLanguage.all {
      let gone = language.translation().keys.filter { !isSaid($0) }
      #expect(gone.sorted() == [], "\(language.code)")
    }
  }

  /// The first names of a list in Data/.
  private static func names(_ list: String) throws -> [String] {
    try String(contentsOf: repository.appending(path: "Data/\(list).txt"), encoding: .utf8).split(separator: "\n")
      .compactMap {
        guard !$0.hasPrefix("#"), let blank = $0.firstIndex(of: " ") else { return nil }
        return $0[blank...].dropFirst().split(separator: ";").first.map(String.init)
      }
  }

  @Test func `messages of modules without translations of their own are translated`() throws {
    var keys: [String] = []
    for module in ["CatalogModel", "CatalogStore", "Exchange", "SourceCopies"] {
      for source in try Self.sources(below: "Sources/\(module)") {
        for call in source.matches(of: /(?:[Pp]roblem|Rejection|Entry\.Remark|\.damaged|\.tooMuch|\.left|\.kept)\(/) {
          keys += SwiftLiterals.all(inCallAt: source[call.range.upperBound...])
        }
      }
    }
    #expect(keys.count > 200)
    for language in SpokenLanguage.all {
      let known = language.translation().keys
      let missing = Set(keys).filter { key in
        guard key.replacing("%@", with: "").contains(where: \.isLetter), !known.contains(key) else { return false }
        // A word of ours in a sentence makes another sentence: `the note is longer than…`.
        let parts = key.split(separator: SwiftLiterals.word, omittingEmptySubsequences: false)
        return parts.count == 1 || !known.contains { $0.hasPrefix(parts[0]) && $0.hasSuffix(parts[1]) }
      }
      #expect(missing.sorted() == [], "\(language.code)")
    }
  }

  private static func sources(below path: String) throws -> [String] {
    let files = FileManager.default.enumerator(at: repository.appending(path: path), includingPropertiesForKeys: nil)
    var sources: [String] = []
    for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
      sources.append(try String(contentsOf: file, encoding: .utf8))
    }
    return sources
  }

  // MARK: What is said

  @Test func `the empty catalog greets in Korean`() throws {
    try atTerminal()
    #expect(
      catalog.run().output == """
        카탈로그가 비어 있습니다. 시작하는 세 가지 방법:

          catalog search 기생충 --offline  제목을 찾은 다음 catalog add r1
          catalog import FILE              Letterboxd, Goodreads, 표 가져오기
          catalog add book --title 토지    직접 입력하기

        'catalog help'는 처음에 쓸 명령 열두 가지를 보여 줍니다.

        """)
    #expect(
      catalog.run("list").errors == """
        catalog: 카탈로그가 비어 있습니다
        힌트: 무엇이든 찾아보세요: catalog search dune

        """)
    #expect(catalog.run("movies").errors.hasPrefix("catalog: 아직 영화가 없습니다\n"))
    #expect(catalog.run("vinyl").errors.hasPrefix("catalog: 아직 음반이 없습니다\n"))
    #expect(catalog.run("favorites").errors.hasPrefix("catalog: 아직 즐겨찾기가 없습니다\n"))
    #expect(catalog.run("recent").errors.hasPrefix("catalog: 아직 본 것이 없습니다\n"))
  }

  @Test func home() throws {
    try catalog.addThree()
    try atTerminal()
    catalog.run("show", "2")
    #expect(
      catalog.run().output == """
        영화 1편 · 책 1권 · 음반 1장
        레벨 1  닐페이스  ████████████████████ 1/1
        가장 많은 장르  재즈, 항목 1개

        최근 추가
          3      바이닐  Kind of Blue — Miles Davis (1959)
          2      책      소년이 온다 — 한강 (2014)
          1      영화    기생충 — 봉준호 (2019)

        최근 본 것
          @1     책      소년이 온다 — 한강 (2014)

        """)
  }

  @Test func `the level table is aligned in Korean`() throws {
    try catalog.addThree()
    try atTerminal()
    let run = catalog.run("level")
    #expect(
      run.output == """
           레벨  이름          음반
        ▶     1  닐페이스       0–1  ████████████████████ 1/1
              2  닐리즈         2–9
              3  닐스터       10–49
              4  닐암스트롱  50–499
              5  닐라대왕      500–

        """)
    #expect(catalog.run("level", "--json").output.contains("\"닐페이스 (Vinyl Face)\""))
  }

  @Test func `the page of an item and its dates are in Korean`() throws {
    try catalog.addThree()
    try atTerminal()
    #expect(
      catalog.run("show", "2").output == """
        소년이 온다  책 2
        한강

        연도    2014
        장르    순수문학
        소장본  c1
        평점    ★★★★½ (4.5)
        추가일  2026년 11월 21일

        ★★★★½  카드 1 · 2026년 11월 21일 · 뒷면에 한줄평: --back

        """)
  }

  @Test func `search results and the seasons are in Korean`() throws {
    try atTerminal()
    let search = catalog.run("search", "dune", "--offline", "--kind", "book", "--limit", "1")
    #expect(search.output.hasPrefix("'dune'의 결과\n\n책 · "))
    #expect(search.errors.contains("결과를 추가하려면 'catalog add r1', 자세히 보려면 'catalog show r1'."))
    #expect(catalog.run("search", "zzqx", "--offline").output.contains("'zzqx'에 맞는 영화를 찾지 못했습니다."))
    let store = ITunesStore()
    store.found.withLock { found in
      for season in Season.allCases {
        found[season.rawValue] = [ITunesStore.album(1, season.rawValue)]
      }
    }
    catalog.http = store.client
    let lines = catalog.run("seasons").output.split(separator: "\n")
    #expect(lines.filter { $0.contains(" · iTunes") }.map { $0.prefix { $0 != " " } } == ["봄", "여름", "가을", "겨울"])
  }

  @Test func help() throws {
    try atTerminal()
    let overview = catalog.run("help", "all").output
    #expect(overview.hasPrefix("영화, 책, 음반을 파일 하나에 모으는 카탈로그.\n\n사용법: catalog [OPTION…] COMMAND …\n\n찾기:\n"))
    #expect(overview.split(separator: "\n").allSatisfy { $0.cellWidth <= 80 })
    #expect(catalog.run("level", "--help").output.contains("음반 레벨과 내 레벨을 보여 줍니다."))
  }

  @Test func `all of the help is in Korean`() throws {
    try atTerminal()
    func help(_ node: CommandNode<Context>, _ path: [String]) {
      let run = catalog.run(["--no-pager"] + path + ["--help"])
      #expect(run.status == 0 && run.output.contains(/[가-힣]/), "\(path)")
      for child in node.children { help(child, path + [child.description.name]) }
    }
    help(CatalogProgram.program.root, [])
    let topics = CatalogProgram.program.topics.map(\.name)
    for word in topics + CatalogProgram.program.ownPages { catalog.run("--no-pager", "help", word) }
    #expect(missing.messages.withLock { $0.sorted() } == [])
  }

  @Test(arguments: CatalogProgram.program.topics.map(\.name))
  func `a topic of help in Korean fits a terminal of eighty columns`(_ name: String) throws {
    try atTerminal()
    let lines = catalog.run("--no-pager", "help", name).output.split(separator: "\n")
    #expect(lines.filter { $0.cellWidth > 80 } == [])
  }

  @Test func `the manual pages are in Korean, in a pipe too`() throws {
    try atTerminal()
    catalog.terminal.isOutputTerminal = false
    for page in CatalogProgram.program.manualPages {
      let lines = catalog.run("manual", page).output
      #expect(lines.contains(".SH \"\\[uC774]\\[uB984]\""), "\(page)")
    }
    #expect(missing.messages.withLock { $0.sorted() } == [])
  }

  @Test(arguments: [
    ["log", "2"], ["rate", "2", "4"], ["favorite", "2"], ["tag", "add", "겨울", "2"], ["own", "소년이 온다"],
    ["pick", "kind:book"], ["pick", "--because", "kind:book"], ["edit", "2", "year=2015"], ["remove", "2", "-n"],
    ["copy", "add", "2"], ["lend", "2", "to", "안나"], ["pile", "add", "다음", "2"], ["recent", "remove", "2"],
    ["card", "add", "2", "--stars", "4"], ["unfavorite", "2"], ["add", "book", "--title", "소년이 온다", "--creator", "한강"],
  ])
  func `a message names the kind of an item in Korean`(words: [String]) throws {
    try catalog.addThree()
    try atTerminal(width: 200)
    let run = catalog.run(words)
    #expect((run.output + run.errors).contains("책 2: 소년이 온다 — 한강"), "\(run.output)\(run.errors)")
  }

  @Test func `fields and genres of a change are in Korean`() throws {
    try catalog.addThree()
    try atTerminal()
    #expect(
      catalog.run("edit", "2", "year=2015", "genre=Thriller").output == """
        책 2: 소년이 온다 — 한강 (2014)
          연도: 2014 → 2015
          장르: 순수문학 → 스릴러
        수정함: 항목 1개

        """)
    try atTerminal(width: 200)
    #expect(catalog.run("history", "--limit", "1").output.contains("책 2: 소년이 온다 (연도: 2014 → 2015"))
    #expect(catalog.run("search", "dune", "--offline", "--kind", "book").output.contains("스페이스 오페라"))
    #expect(catalog.run("edit", "2", "country=KR").errors.hasPrefix("catalog: 책에는 country가 없고 영화, 바이닐에 있습니다"))
  }

  @Test func `a question accepts Korean answers`() throws {
    try catalog.addThree()
    try atTerminal()
    catalog.input = ["ㅇ"]
    let run = catalog.run("unfavorite", "--all")
    #expect(run.errors.contains("[y/N]"))
    catalog.input = ["글쎄", "ㅛ"]
    let removal = catalog.run("remove", "1")
    #expect(removal.errors.contains("지울까요? [y/N] y(예) 또는 n(아니요)으로 답하세요."))
    #expect(removal.output == "삭제함: 영화 1: 기생충 — 봉준호 (2019)\n")
  }

  @Test func `an error and its hint are in Korean`() throws {
    try atTerminal()
    #expect(
      catalog.run("show", "42").errors == """
        catalog: 42번 항목이 없습니다
        힌트: 번호를 찾으려면 'catalog list 단어'

        """)
    #expect(
      catalog.run("lst").errors == """
        catalog: 알 수 없는 명령 'lst'. 혹시 'list'를 찾으셨나요?
        힌트: 'catalog --help'를 보세요

        """)
  }

  @Test(arguments: [
    (["card", "add", "1", "--stars", "6"], "옵션 '--stars': '6'은 범위를 벗어났습니다. 별점은 0에서 5까지입니다"),
    (["list", "colour:red"], "'colour' 필드가 없습니다"),
    (
      ["list", "year:99999"], "'99999'는 year에 쓸 수 없는 값입니다\n  year:99999\n       ^^^^^\n힌트: 'catalog help query'를 보세요\n"
    ),
    (["list", "kind:book", "(blue"], "여기에 닫는 괄호가 없습니다\n  kind:book (blue\n            ^\n"),
    (["list", "favorite:maybe"], "'favorite:maybe'를 알 수 없습니다. 'favorite:yes'나 'favorite:no', 또는 날짜를 쓰세요\n"),
    (
      ["vinyl", "bleu"],
      """
      bleu에 맞는 음반이 없습니다. 혹시 'Kind of Blue'를 찾으셨나요?
      힌트: catalog list blue kind:vinyl; 또는 검색하기: catalog search bleu

      """
    ),
    (["add", "--isbn", "9788936434268"], "옵션 '--isbn': ISBN '9788936434268'의 체크기호가 맞지 않습니다. 숫자 하나를 잘못 입력했습니다"),
    (["show", "r0"], "'r0'은 결과가 아닙니다. 결과는 r1부터입니다"),
  ])
  func `errors about arguments are in Korean with the right particles`(words: [String], said: String) throws {
    try catalog.addThree()
    try atTerminal(width: 200)
    #expect(catalog.run(words).errors.hasPrefix("catalog: \(said)"))
  }

  @Test func `errors about import files are in Korean`() throws {
    let folder = try TemporaryFolder()
    try atTerminal(width: 400)
    // An apostrophe is no quotation mark.
    let path = folder.path("it's")
    func said(_ bytes: some Sequence<UInt8>, _ options: String...) throws -> String {
      try Data(bytes).write(to: URL(filePath: path))
      return catalog.run(["import", path] + options).errors.replacing(path, with: "it's")
    }
    #expect(try said("%PDF-1.7".utf8) == "catalog: 'it's'는 PDF입니다. 읽을 수 있는 목록이 들어 있지 않습니다\n")
    #expect(try said([0x1F, 0x8B]) == "catalog: 'it's'는 손상된 압축 파일입니다\n")
    #expect(
      try said(#"[{"title": "Heat"}, {"title": }]"#.utf8, "--kind", "movie", "-n")
        == "catalog: 파일의 2번째 부분은 읽을 수 있는 JSON이 아닙니다\n")
    #expect(
      try said("Title,Year\nHeat,1995\n".utf8, "--format", "goodreads")
        == "catalog: 'it's'는 Goodreads의 파일이 아니라 열이 Title, Year인 표입니다\n")
    for text in [
      "", "PK\u{3}\u{4}", "SQLite format 3\0", "<html></html>", "<a><b", "<catalog/>", "{\"a\": {", "\u{7F}ELF",
      "Heat\nAlien\n", "A,B\n1,2\n", "[1", "{\"a\": 1}", String(repeating: "\u{1}", count: 40),
    ] {
      for options in [
        [], ["--format", "goodreads"], ["--format", "list"], ["--map", "C=title"], ["--map", "A=odd"],
      ] {
        try Data(text.utf8).write(to: URL(filePath: path))
        catalog.run(["import", path, "-n"] + options)
      }
    }
    for path in ["/nowhere", folder.path, "/dev/null"] { catalog.run("import", path) }
    #expect(missing.messages.withLock { $0.sorted() } == [])
  }

  @Test func `progress lines are in Korean`() throws {
    try atTerminal()
    let errors = Output.memory()
    let uptime = Mutex(Duration.zero)
    var line = WorkLine(on: errors, catalog.terminal) { uptime.withLock { $0 } }
    for work in [Synchronizer.Work.comparing, .writing, .applying] {
      line.show(work, 0, of: 100)
      for seconds in [2, 100, 10_000] {
        uptime.withLock { $0 += .seconds(seconds) }
        line.show(work, 10, of: 100)
      }
    }
    line.finish()
    #expect(errors.text.contains("비교  ██                    10/100  약 19초 남음"))
    #expect(missing.messages.withLock { $0.sorted() } == [])
  }

  @Test(arguments: [
    ("연", ["연도:"]), ("장르:재", ["장르:재즈"]), ("장르:Jaz", ["장르:Jazz"]), ("종류:바", ["종류:바이닐"]),
    ("genre:재", ["genre:재즈"]),
  ])
  func `a query is completed in Korean`(typed: String, words: [String]) throws {
    try catalog.add(.vinyl, "Kind of Blue", by: "Miles Davis", genres: ["Jazz"])
    try atTerminal()
    let run = catalog.run("completion", "--candidates", "--", "list", typed)
    let found = run.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    #expect(Array(found.prefix(words.count)) == words, "\(found)")
  }

  @Test func `no line of a page is wider than a narrow terminal`() throws {
    try catalog.addThree()
    catalog.run("card", "add", "1", "--stars", "4", "좋은 책")
    for width in [40, 60] {
      try atTerminal(width: width)
      for line in catalog.run("show", "1").output.split(separator: "\n") {
        #expect(line.cellWidth <= width, "\(line)")
      }
    }
  }

  @Test func `an import speaks of its format and its columns in Korean`() throws {
    let folder = try TemporaryFolder()
    try Data("Foo\nBar\n".utf8).write(to: URL(filePath: folder.path("l.txt")))
    try Data("title,year,line\nFoo,2001,a\n".utf8).write(to: URL(filePath: folder.path("l.csv")))
    try atTerminal()
    let list = catalog.run("import", folder.path("l.txt"), "--kind", "book", "-n")
    let table = catalog.run("import", folder.path("l.csv"), "--kind", "book", "-n")
    #expect((list.output + list.errors).contains("l.txt: 제목이나 코드의 목록, "), "\(list)")
    #expect((list.output + list.errors).contains("  줄 → "))
    #expect((table.output + table.errors).contains("l.csv: 표, "), "\(table)")
    #expect((table.output + table.errors).contains("  title → 제목"))
    #expect((table.output + table.errors).contains("  line → 메모"))
  }

  @Test func `output into a pipe is English in a Korean locale`() throws {
    try catalog.addThree()
    let runs = [
      ["list"], ["list", "--json"], ["level", "--json"], ["genres", "--csv"], ["report", "years", "--json"],
    ]
    let english = runs.map { catalog.run($0).output }
    try atTerminal()
    catalog.terminal.isOutputTerminal = false
    #expect(runs.map { catalog.run($0).output } == english)
  }

  @Test(arguments: [30, 60, 80, 120]) func `no line is wider than the terminal`(width: Int) throws {
    try catalog.addThree()
    try atTerminal(width: width)
    for words in [["list"], ["level"], ["recent"], ["favorites"], ["card"]] {
      let lines = catalog.run(words).output.split(separator: "\n")
      #expect(lines.allSatisfy { $0.cellWidth <= width }, "\(words)")
    }
  }

  @Test func `the common commands print no untranslated message`() throws {
    try atTerminal()
    for words in Self.rooms { catalog.run(words) }
    try catalog.addThree()
    catalog.addResult()
    catalog.input = ["n"]
    for words in Self.rooms + [
      ["add", "r1"], ["remove", "1"], ["favorite", "2"], ["unfavorite", "2"], ["show", "99"],
      ["log", "1"], ["log", "1", "--on", "2020", "again"], ["log", "2", "--page", "120"], ["show", "2"],
      ["log", "2", "--dropped"], ["show", "2"], ["log", "3", "--undated"], ["log", "3", "--on", "2027"],
      ["log", "3", "--page", "1"], ["diary"], ["diary", "edit", "1", "--on", "2019"], ["diary", "remove", "1"],
      ["rate", "3", "4"], ["report", "year"], ["diary", "1999"],
    ] {
      catalog.run(words)
    }
    for number in 0..<12 {
      try catalog.add(.vinyl, "Record \(number)", by: "Somebody", year: 1950 + number, genres: ["Jazz"])
    }
    for words in Self.rooms { catalog.run(words) }
    try addForty()
    for words in Self.rooms { catalog.run(words) }
    for by in ["year", "kind", "creator", "rating"] { catalog.run("genres", "--by", by) }
    catalog.screen = TestScreen([
      .see("1/3쪽", "끝내기"), .press(.character("1")), .see("화살표 이동"), .press(.enter), .see("되돌리기"),
      .press(.enter, .character("q")),
    ])
    catalog.run("shelf", "vinyl")
    catalog.screen = TestScreen([
      .press(.down, .character("?")), .see("목록에서", "서재에 추가합니다"), .press(.escape, .character("q")),
    ])
    catalog.run("browse")
    #expect(missing.messages.withLock { $0.sorted() } == [])
  }

  /// Adds forty items of three years, enough for the analysis to report something.
  private func addForty() throws {
    let today = catalog.now
    let genres = [["Hard Bop"], ["Science Fiction"], ["Thriller", "Drama"], ["Rock"], ["Hard Bop", "Rock"]]
    for number in 0..<40 {
      catalog.now = today.addingTimeInterval(-86400 * 25 * Double(40 - number))
      let kind = [Kind.movie, .book, .vinyl][number % 3]
      let id = try catalog.add(
        kind, "Title \(number)", by: "Somebody \(number % 7)", year: 1950 + number, genres: genres[number / 8])
      guard number.isMultiple(of: 2) else { continue }
      _ = try catalog.store.addCard(
        to: id, rating: try Rating(number < 20 ? "2.5" : "4.5"), comment: nil, now: catalog.clock)
    }
    catalog.now = today
  }

  @Test func `genres have Korean names for people and English ones in JSON`() throws {
    try addForty()
    try atTerminal()
    func said(_ words: String...) -> String { catalog.run(["--no-pager"] + words).output }
    #expect(said("list", "genre:hard bop").contains("하드 밥"))
    #expect(said("genre", "list").contains("  하드 밥"))
    #expect(said("genres").contains("하드 밥"))
    #expect(said("genres", "--by", "decade").contains("하드 밥"))
    #expect(said("report", "year", "2025").contains("가장 많이 추가한 장르: 드라마, 스릴러"))
    #expect(said("genre", "list", "--json=genre").contains("Hard Bop"))
    #expect(said("list", "--json=genres").contains("Hard Bop"))
  }

  @Test func `HTML pages and SVG charts are in Korean`() throws {
    try atTerminal()
    let commands =
      [["genres", "--html=-"], ["report", "year", "--html=-"]]
      + GenreMatrix.Dimension.allCases.map { ["genres", "--svg=-", "--by", $0.rawValue] }
    func draw() throws -> [MarkupElement] {
      try commands.map { try MarkupElement(parsing: catalog.run($0).output) }
    }
    _ = try draw()
    try catalog.addThree()
    _ = try draw()
    try addForty()
    let pages = try draw()
    #expect(missing.messages.withLock { $0.sorted() } == [])
    for page in pages.prefix(2) {
      #expect(page.attributes["lang"] == "ko")
      let words = ["h1", "h2", "dt", "caption", "figcaption", "th"].flatMap { page.all($0) }
      for element in words where element.attributes["scope"] != "row" {
        #expect(element.text.firstMatch(of: /[A-Za-z]{2,}/) == nil, "\(element.text)")
      }
    }
    #expect(
      pages[0].all("h2").map(\.text) == ["함께 나타나는 장르", "분포", "연도별 변화", "종류 간 비교", "모든 장르"])
    #expect(pages[0].all("text").contains { $0.text == "하드 밥" } && pages[0].all("th").contains { $0.text == "하드 밥" })
    #expect(pages[0].all("code").contains { $0.text == "catalog help genres" })
    #expect(pages[0].all("text").contains { $0.text == "우연일 수 있음" })
    #expect(pages[1].all("h1")[0].text == "2026년, 지금까지" && pages[1].all("text").contains { $0.text == "11월" })
    #expect(pages.dropFirst(2).contains { $0.all("title")[0].text == "장르와 연대별 항목" })
    // English readers get English.
    catalog.terminal.translation = nil
    #expect(try MarkupElement(parsing: catalog.run("genres", "--html=-").output).attributes["lang"] == "en")
  }

  private static let rooms = [
    [], ["list"], ["list", "blue"], ["list", "nothing"], ["movies"], ["books"], ["vinyl"], ["level"], ["favorites"],
    ["recent"], ["card"], ["genres"], ["genres", "--by", "decade"], ["genre", "list"], ["report", "years"],
    ["report", "decades"], ["report", "creators"], ["report", "labels"], ["report", "publishers"],
    ["report", "ratings"], ["report", "shame"], ["report", "year", "2026"], ["report", "year"], ["show", "2"],
    ["show", "2", "--covers"], ["shelf", "vinyl"], ["shelf", "vinyl", "--page", "1"],
    ["search", "dune", "--offline"], ["search", "zzqx", "--offline"], ["genre", "labels", "--all"], ["cache"],
    ["diary"],
    ["source", "list"], ["config", "list"], ["undo", "--dry-run"], ["redo"], ["history"], ["--help"],
  ]
}

/// Finds the string literals of Swift source in the form of ``Message``: `%@` for each interpolation.
private struct SwiftLiterals {
  private var rest: Substring
  private var found: Set<String> = []

  /// The placeholder for `\(words: …)`.
  static let word = "\u{FFFC}"

  static func all(in source: String) -> Set<String> {
    var scanner = SwiftLiterals(rest: source[...])
    scanner.scan(until: nil)
    return scanner.found
  }

  /// The literals of a call, from after its opening bracket.
  static func all(inCallAt source: Substring) -> Set<String> {
    var scanner = SwiftLiterals(rest: source)
    scanner.scan(until: ")")
    return scanner.found
  }

  private init(rest: Substring) { self.rest = rest }

  /// Scans code up to a closing bracket, or to the end.
  private mutating func scan(until end: Character?) {
    var depth = 0
    while let character = rest.first {
      if rest.hasPrefix("//") {
        rest = rest.drop { $0 != "\n" }
      } else if rest.hasPrefix("#\"") {
        rest = rest.dropFirst(2)
        if let close = rest.range(of: "\"#") {
          found.insert(String(rest[..<close.lowerBound]))
          rest = rest[close.upperBound...]
        }
      } else if rest.hasPrefix("\"\"\"") {
        rest = rest.dropFirst(3)
        found.insert(literal(until: "\"\"\""))
      } else if character == "\"" {
        rest = rest.dropFirst()
        found.insert(literal(until: "\""))
      } else {
        rest = rest.dropFirst()
        if character == "(" { depth += 1 }
        if character == ")" {
          if depth == 0, end == ")" { return }
          depth -= 1
        }
      }
    }
  }

  private mutating func literal(until quote: String) -> String {
    var text = ""
    while !rest.isEmpty, !rest.hasPrefix(quote) {
      let character = rest.removeFirst()
      guard character == "\\" else {
        text.append(character == "%" ? "%%" : String(character))
        continue
      }
      switch rest.popFirst() {
      case "(":
        text += rest.hasPrefix("words: ") ? Self.word : "%@"
        scan(until: ")")
      case "n": text += "\n"
      case "t": text += "\t"
      case "u":
        let digits = rest.dropFirst().prefix { $0 != "}" }
        rest = rest[digits.endIndex...].dropFirst()
        text += UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
      case "\n": rest = rest.drop { $0 == " " }
      case let escaped?: text.append(escaped)
      case nil: break
      }
    }
    rest = rest.dropFirst(quote.count)
    return quote.count == 3 ? Self.unindented(text) : text
  }

  /// A literal of several lines, without the indentation of its last line.
  private static func unindented(_ text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count > 1, let margin = lines.popLast()?.count else { return text }
    return lines.dropFirst().map { $0.prefix { $0 == " " }.count >= margin ? $0.dropFirst(margin) : $0 }
      .joined(separator: "\n")
  }
}

/// Tests that what a sync says is in Korean.
struct KoreanSyncTests: TestOfTwoDevices {
  let devices: TestDevices

  init() throws { devices = try Self.makeDevices() }

  @Test func `conflicts and the history of devices name fields and sides in Korean`() throws {
    try begin()
    laptop.run("edit", "1", "year=1961")
    desktop.run("edit", "1", "year=1962")
    desktop.run("card", "add", "1", "--stars", "5")
    desktop.run("add", "book", "--title", "Solaris")
    desktop.run("sync")
    let korean = try #require(SpokenLanguage.all.first { $0.code == "ko" })
    laptop.atTerminal(width: 120)
    laptop.terminal.translation = korean.translation()
    let run = laptop.run("sync")
    #expect(run.errors.contains("의 연도: 이 기기에서 1961"), "\(run)")
    #expect(run.output.contains("새로 1개"), "\(run)")
    let conflicts = laptop.run("sync", "conflicts").output
    #expect(conflicts.contains("연도"))
    #expect(!conflicts.contains("year"))
    #expect(conflicts.contains("값"), "\(conflicts)")
    let history = laptop.run("history", "1", "--device").output
    #expect(history.contains("연도: "), "\(history)")
    #expect(history.contains("카드: – → "), "\(history)")
    #expect(laptop.run("sync", "status").output.contains(", device0에서"))
  }
}
