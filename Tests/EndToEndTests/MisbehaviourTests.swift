import Foundation
import SQLite
import Synchronization
import TestSupport
import Testing

/// Tests sources that misbehave.
@Suite(.sandbox, .timeLimit(.minutes(Patience.minutes)))
struct MisbehaviourTests {
  let sandbox: Sandbox

  init() throws { sandbox = try Sandbox.current }

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var reply: LoopbackServer.Reply
    var message: String
    var hint: String?
    /// The number of requests to the source.
    var count: Int?
    var testDescription: String { name }

    init(_ name: String, _ reply: LoopbackServer.Reply, _ message: String, hint: String? = nil, count: Int? = 1) {
      (self.name, self.reply, self.message, self.hint, self.count) = (name, reply, message, hint, count)
    }
  }

  static let later = "try again later"
  static let network = "check the network, or use --offline"
  static let cases: [Case] = [
    Case(
      "HTML", .answer(headers: ["Content-Type": "text/html"], text: "<!DOCTYPE html><title>Sorry</title>"),
      "iTunes sent an HTML page instead of an answer", hint: later),
    Case("text", .answer(text: "Sorry"), "iTunes sent text that is not JSON", hint: later),
    Case("nothing", .answer(text: ""), "iTunes sent an empty answer", hint: later),
    Case(
      "JSON cut short", .answer(text: String(SourceServer.movies.dropLast(300))),
      "iTunes sent an answer that is cut short", hint: later),
    Case(
      "fewer bytes than claimed", .truncated(Array(SourceServer.movies.utf8), claiming: 100_000),
      "iTunes sent a damaged answer (HOST)", hint: later),
    Case("100 MB without a length", .chunked(count: 100 << 20), "iTunes sent more than allowed (HOST)"),
    Case(
      "a length of 100 MB", .truncated([], claiming: 100 << 20), "iTunes sent more than allowed (HOST)"),
    Case(
      "deeply nested", .answer(text: String(repeating: "[", count: 200_000)),
      "iTunes sent an answer nested too deeply", hint: later),
    Case(
      "deeply nested in a field",
      .answer(
        text: #"{"results": [{"trackName": "# + String(repeating: #"{"a":"#, count: 100_000)
          + String(repeating: "}", count: 100_000) + "}]}"), "iTunes sent an answer nested too deeply", hint: later),
    Case(
      "a list that is a number", .answer(text: #"{"resultCount": 1, "results": 5}"#),
      "iTunes sent an answer in an undocumented form", hint: later),
    Case(
      "invalid UTF-8",
      .answer(body: Array(#"{"results": [{"trackName": ""#.utf8) + [0xC3, 0x28] + Array(#""}]}"#.utf8)),
      "iTunes sent text that is not valid UTF-8", hint: later),
    Case("a status of 500", .answer(500, text: "{}"), "iTunes refused the request (500)", count: 2),
    Case("a status of 418", .answer(418, text: "{}"), "iTunes refused the request (418)"),
    Case("hangs up", .hangUp, "iTunes closed the connection without an answer (HOST)", hint: later),
    Case("hangs", .hang, "iTunes did not answer in time (HOST)"),
    Case(
      "hangs in the middle",
      .init { connection in
        connection.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"results\": [".utf8))
        connection.waitForEnd()
      }, "iTunes did not answer in time (HOST)"),
    Case(
      "redirects in a circle", .redirect(to: "/itunes/search?again"), "iTunes redirects in circles (HOST)", count: 6),
    Case(
      "downgrades to HTTP", .redirect(to: "http://192.0.2.1/search"),
      "iTunes does not use HTTPS (192.0.2.1); nothing was sent there"),
    Case(
      "leads to a file", .redirect(to: "file:///etc/passwd"),
      "iTunes does not use HTTPS (HOST); nothing was sent there"),
    Case(
      "an empty 403", .answer(403), "iTunes asks for a pause: too many requests", hint: "it is asked again in 5 min"),
    Case(
      "503 for a long time", .answer(503, headers: ["Retry-After": "90"], text: "{}"),
      "iTunes is busy", hint: "try again in 90 s"),
    Case(
      "503 again and again", .answer(503, headers: ["Retry-After": "0"], text: "{}"),
      "iTunes is busy", hint: "try again in 0 s", count: 2),
    Case(
      "503 without a time", .answer(503, text: "{}"), "iTunes is busy",
      hint: "try again in a minute", count: 2),
    Case(
      "no HTTP at all", .init { $0.send(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)) }, "iTunes cannot be reached (HOST)",
      hint: network),
    Case(
      "endless headers",
      .init { connection in
        connection.send(Array("HTTP/1.1 200 OK\r\n".utf8))
        let line = Array("X-Filler: \(String(repeating: "x", count: 60_000))\r\n".utf8)
        for _ in 0..<10_000 where connection.isOpen { connection.send(line) }
      }, "HOST)"),
  ]

  /// Tests podcasts, since no other source has them, and the pack neither: the failure is the whole answer.
  @Test(arguments: cases) func `a source that misbehaves is named in the error`(_ bad: Case) throws {
    let sources = try SourceServer(always: bad.reply)
    // Only where the time must run out is it short: on a busy computer a second is nothing.
    let deadline = bad.name.hasPrefix("hangs") && bad.name != "hangs up" ? "1" : "60"
    try sandbox.configure(sources.configuration.merging(["network.deadline": deadline]) { $1 })
    let found = try sandbox.run("search", "dune", "--kind", "podcast")
    let message = bad.message.replacingOccurrences(of: "HOST", with: "127.0.0.1:\(sources.server.port)")
    #expect(found.status == 3)
    #expect(found.output == "")
    #expect(found.errors.contains(bad.name == "endless headers" ? message : "catalog: \(message)\n"), "\(found.errors)")
    if let hint = bad.hint { #expect(found.errors.contains("hint: \(hint)\n"), "\(found.errors)") }
    if let count = bad.count { #expect(sources.paths.count == count) }
  }

  /// A refusal of a service, and the resulting error.
  struct Refusal: CustomTestStringConvertible, Sendable {
    var words: [String]
    var reply: LoopbackServer.Reply
    var message: String
    var hint: String?
    var status: Int32 = 3
    var testDescription: String { "\(words.joined(separator: " ")): \(message)" }
  }

  // Words that the pack does not know, which answers for a source that cannot be asked.
  static let tmdb = ["search", "zzqx", "--source", "tmdb"]
  static let kakao = ["search", "zzqx", "--source", "kakao"]
  static let discogs = ["search", "zzqx", "--source", "discogs"]
  static let google = ["search", "zzqx", "--source", "googlebooks"]
  static let refusals: [Refusal] = [
    Refusal(
      words: ["search", "zzqx", "--source", "itunes", "--kind", "music", "--country", "aq"],
      reply: SourceServer.refusal(400, SourceServer.noShop), message: "iTunes has no shop in 'AQ'",
      hint: "name another country with --country", status: 2),
    Refusal(
      words: ["search", "zzqx", "--attribute", "song"],
      reply: SourceServer.refusal(400, #"{"errorMessage": "Invalid value(s) for key(s): [attributeType]"}"#),
      message: "iTunes refused the request (400): Invalid value(s) for key(s): [attributeType]"),
    Refusal(
      words: ["seasons", "--country", "aq"], reply: SourceServer.refusal(400, SourceServer.noShop),
      message: "spring: iTunes has no shop in 'AQ'", status: 2),
    Refusal(
      words: tmdb, reply: SourceServer.refusal(401, SourceServer.invalidKey), message: "TMDB does not accept the key",
      hint: "it is what CATALOG_TMDB_TOKEN says", status: 4),
    Refusal(
      words: tmdb, reply: SourceServer.refusal(401, #"{"status_code": 10, "status_message": "Suspended API key"}"#),
      message: "TMDB does not accept the key", status: 4),
    Refusal(
      words: ["show", "tmdb:1"], reply: SourceServer.refusal(404, SourceServer.noSuchMovie),
      message: "TMDB has no such item", status: 1),
    Refusal(
      words: ["add", "tmdb:1"], reply: SourceServer.refusal(404, SourceServer.noSuchMovie),
      message: "TMDB has no such item", status: 1),
    Refusal(
      words: tmdb, reply: SourceServer.refusal(400, #"{"status_code": 22, "status_message": "Invalid page"}"#),
      message: "TMDB refused the request (400): Invalid page"),
    Refusal(
      words: tmdb,
      reply: SourceServer.refusal(
        429, #"{"status_code": 25, "status_message": "Your request count is over"}"#, headers: ["Retry-After": "80"]),
      message: "TMDB asks for a pause: too many requests", hint: "try again in 80 s"),
    Refusal(
      words: tmdb, reply: SourceServer.refusal(503, #"{"status_code": 9}"#, headers: ["Retry-After": "90"]),
      message: "TMDB is busy", hint: "try again in 90 s"),
    Refusal(
      words: tmdb, reply: SourceServer.refusal(504, #"{"status_code": 24}"#), message: "TMDB refused the request (504)"),
    Refusal(
      words: tmdb, reply: SourceServer.json(#"{"success": false, "status_code": 34}"#),
      message: "TMDB sent an answer in an undocumented form"),
    Refusal(
      words: ["trending"], reply: SourceServer.json(#"{"results": [], "total_pages": 1}"#),
      message: "TMDB sent a list without movies"),
    Refusal(
      words: kakao, reply: SourceServer.refusal(401, SourceServer.wrongAppKey),
      message: "Kakao does not accept the key", hint: "it is what CATALOG_KAKAO_KEY says", status: 4),
    Refusal(
      words: kakao,
      reply: SourceServer.refusal(401, #"{"errorType": "AccessDeniedError", "message": "ip mismatched!"}"#),
      message: "Kakao does not accept the key", status: 4),
    Refusal(
      words: kakao,
      reply: SourceServer.refusal(400, #"{"errorType": "InvalidArgument", "message": "page is more than max"}"#),
      message: "Kakao refused the request (400): page is more than max"),
    Refusal(
      words: kakao, reply: SourceServer.refusal(400, #"{"code": -2, "msg": "query parameter required"}"#),
      message: "Kakao refused the request (400): query parameter required"),
    Refusal(
      words: kakao,
      reply: SourceServer.refusal(
        429, #"{"errorType": "RequestThrottled", "message": "API limit has been exceeded."}"#,
        headers: ["Retry-After": "3600"]),
      message: "Kakao has no more answers for this key today", hint: "try again tomorrow"),
    Refusal(
      words: kakao, reply: SourceServer.json(#"{"errorType": "AccessDeniedError"}"#),
      message: "Kakao sent an answer in an undocumented form"),
    Refusal(
      words: discogs, reply: SourceServer.refusal(401, SourceServer.unauthenticated),
      message: "Discogs does not accept the key", hint: "it is what CATALOG_DISCOGS_TOKEN says", status: 4),
    Refusal(
      words: discogs,
      reply: SourceServer.refusal(
        429, #"{"message": "You are making requests too quickly."}"#,
        headers: [
          "X-Discogs-Ratelimit": "60", "X-Discogs-Ratelimit-Used": "60", "X-Discogs-Ratelimit-Remaining": "0",
          "Retry-After": "70",
        ]),
      message: "Discogs asks for a pause: too many requests", hint: "try again in 70 s"),
    Refusal(
      words: ["show", "discogs:1"], reply: SourceServer.refusal(404, #"{"message": "Release not found."}"#),
      message: "Discogs has no such item", status: 1),
    Refusal(
      words: discogs, reply: SourceServer.refusal(500, #"{"message": "An internal server error occurred."}"#),
      message: "Discogs refused the request (500): An internal server error occurred."),
    Refusal(
      words: discogs, reply: SourceServer.json(#"{"message": "The requested resource was not found."}"#),
      message: "Discogs sent an answer in an undocumented form"),
    Refusal(
      words: google, reply: SourceServer.refusal(400, SourceServer.badKey),
      message: "Google Books does not accept the key", hint: "it is what CATALOG_GOOGLEBOOKS_KEY says", status: 4),
    Refusal(
      words: google, reply: SourceServer.refusal(429, SourceServer.usedUp, headers: ["Retry-After": "3600"]),
      message: "Google Books has no more answers in this minute", hint: "try again in a minute"),
    Refusal(
      words: google,
      reply: SourceServer.refusal(403, #"{"error": {"code": 403, "errors": [{"reason": "dailyLimitExceeded"}]}}"#),
      message: "Google Books has no more answers for this key today"),
    Refusal(
      words: google,
      reply: SourceServer.refusal(403, #"{"error": {"code": 403, "message": "Cannot determine user location"}}"#),
      message: "Google Books refused the request (403): Cannot determine user location"),
    Refusal(
      words: google, reply: SourceServer.json(#"{"kind": "books#volumes"}"#),
      message: "Google Books sent an answer in an undocumented form"),
  ]

  @Test(arguments: refusals) func `each service's refusal gives its own message and hint`(_ bad: Refusal) throws {
    let sources = try SourceServer(always: bad.reply)
    try sandbox.configure(sources.configuration)
    let run = try sandbox.run(
      bad.words,
      changing: [
        "CATALOG_TMDB_TOKEN": "sesame-of-tmdb", "CATALOG_KAKAO_KEY": "sesame-of-kakao",
        "CATALOG_DISCOGS_TOKEN": "sesame-of-discogs", "CATALOG_GOOGLEBOOKS_KEY": "sesame-of-google",
      ])
    #expect(run.status == bad.status, "\(run.errors)")
    #expect(run.errors.contains("catalog: \(bad.message)"), "\(run.errors)")
    if let hint = bad.hint { #expect(run.errors.contains("hint: \(hint)"), "\(run.errors)") }
    #expect(!(run.output + run.errors).contains("sesame"))
    #expect(!sources.paths.isEmpty)
  }

  @Test func `a source on a closed port cannot be reached`() throws {
    let port = try LoopbackServer.closedPort()
    try sandbox.configure(SourceServer.configuration(leadingTo: "http://127.0.0.1:\(port)"))
    let found = try sandbox.run("search", "dune", "--kind", "podcast")
    #expect(found.status == 3)
    #expect(found.errors.contains("catalog: iTunes cannot be reached (127.0.0.1:\(port))\n"))
  }

  @Test func `a busy source is asked again after its Retry-After`() throws {
    let isFirst = Once()
    let sources = try SourceServer { _ in
      isFirst.take() ? .answer(503, headers: ["Retry-After": "0"], text: "{}") : nil
    }
    try sandbox.configure(sources.configuration)
    let found = try sandbox.run("search", "dune", "--kind", "movie")
    #expect(found.status == 0)
    #expect(found.errors == "")
    #expect(found.lines.count == 2)
    #expect(sources.paths.count == 2)
  }

  @Test func `a busy answer is not cached`() throws {
    let isFirst = Once()
    let sources = try SourceServer { _ in
      isFirst.take() ? .answer(503, headers: ["Retry-After": "90"], text: "{}") : nil
    }
    try sandbox.configure(sources.configuration)
    let busy = try sandbox.run("search", "dune", "--kind", "podcast")
    #expect(busy.status == 3)
    #expect(busy.errors.contains("catalog: iTunes is busy\n"), "\(busy.errors)")
    let stats = try sandbox.run("cache", "stats", "--json=what,entries")
    #expect(stats.output.contains(#"{"what":"answers","entries":0}"#), "\(stats)")
  }

  @Test func `a failed source does not affect the results of others`() throws {
    let sources = try SourceServer { $0.path.hasPrefix("/openlibrary") ? .answer(text: "<html>") : nil }
    try sandbox.configure(sources.configuration)
    let found = try sandbox.run("search", "dune")
    #expect(found.status == 0)
    #expect(
      found.lines.map { $0.split(separator: "\t")[1] } == [
        // iTunes has the same for books here.
        "Dune (2021)", "Dune (1984)", "Dune (2021)", "Dune (1984)", "Kind of Blue",
      ])
    #expect(
      found.errors.contains("catalog: Open Library sent an HTML page instead of an answer; iTunes answers instead\n"))
  }

  @Test func `the starter pack answers for sources that cannot be reached`() throws {
    let port = try LoopbackServer.closedPort()
    try sandbox.configure(SourceServer.configuration(leadingTo: "http://127.0.0.1:\(port)"))
    let found = try sandbox.run("search", "dune")
    #expect(found.status == 0)
    #expect(found.output.contains("\tDune\tFrank Herbert\t1965"))
    for (source, others) in [("iTunes", "Wikidata"), ("Open Library", "Inventaire, iTunes")] {
      #expect(
        found.errors.contains(
          """
          catalog: \(source) cannot be reached (127.0.0.1:\(port)); no answer from \(others) either; the built-in pack \
          answers instead

          """), "\(found.errors)")
    }
    let nothing = try sandbox.run("search", "qwxyzzy")
    #expect(nothing.status == 3)
    #expect(nothing.output == "")
  }

  @Test func `a failed season shows its error and the others their results`() throws {
    let sources = try SourceServer { question in question.path.contains("term=summer&") ? .hangUp : nil }
    try sandbox.configure(sources.configuration)
    let terminal = try PseudoTerminal(width: 80)
    let launch = try sandbox.launch(
      [Array("seasons".utf8), Array("movie".utf8)], changing: ["NO_COLOR": "1"], terminal: terminal)
    terminal.readToEnd()
    #expect(launch.wait() == 0)
    let host = "127.0.0.1:\(sources.server.port)"
    let lines = terminal.text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.filter { $0 != "\r" } }
    let summer = try #require(lines.firstIndex(of: "Summer · iTunes"))
    #expect(
      Array(lines[summer...].prefix(5)) == [
        "Summer · iTunes", "catalog: summer: iTunes closed the connection without an answer", "(\(host))", "",
        "Autumn · iTunes",
      ])
    #expect(lines.filter { $0.contains("Dune (2021)") }.count == 3)
    #expect(lines.first == "Spring · iTunes")
    #expect(lines.contains("Winter · iTunes"))
  }

  @Test func `empty answers of some sources and failures of others are no result`() throws {
    let sources = try SourceServer { question in
      question.path.hasPrefix("/itunes") ? SourceServer.json(#"{"resultCount": 0, "results": []}"#) : .answer(500)
    }
    try sandbox.configure(sources.configuration)
    let found = try sandbox.run("search", "qwxyzzy")
    // One has answered: nothing was found.
    #expect(found.status == 1)
    #expect(found.errors.contains("no result was found for 'qwxyzzy'"))
  }

  /// Tests each wrong value in each field of an element: its readable fields are shown, and the good element always.
  @Test(arguments: ["movie", "book", "vinyl"]) func `a wrong type in any field affects no other result`(
    _ kind: String
  ) throws {
    let (text, list) =
      switch kind {
      case "movie": (SourceServer.movies, "results")
      case "book": (SourceServer.books, "docs")
      default: (SourceServer.releases, "releases")
      }
    var answer = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let good = try #require((answer[list] as? [[String: Any]])?.first)
    var elements: [Any] = ["text", 5, [], NSNull(), true]
    let wrong: [Any] = [NSNull(), -1, 1e300, "", "x", true, [], [:], [[]], [["a": [5]]], [NSNull()]]
    for (offset, key) in good.keys.sorted().enumerated() {
      for (number, value) in wrong.enumerated() {
        var element = good
        switch kind {
        case "movie": element["trackId"] = 1000 + offset * 100 + number
        case "book":
          element["key"] = "/works/OL\(1000 + offset * 100 + number)W"
          // One of two with one ISBN would stay.
          element["isbn"] = nil
        default:
          element["id"] = "00000000-0000-4000-8000-" + String(format: "%012d", offset * 100 + number)
        }
        element[key] = value
        elements.append(element)
      }
    }
    elements = elements.suffix(180) + [good]
    answer[list] = elements
    let body = Array(try JSONSerialization.data(withJSONObject: answer))
    let sources = try SourceServer(always: .answer(body: body))
    try sandbox.configure(sources.configuration)
    // This server has one page only, and iTunes is asked for a hundred at once.
    let found = try sandbox.run("search", "dune", "--kind", kind, "--limit", kind == "movie" ? "100" : "200")
    #expect(found.status == 0, "\(found.errors)")
    let title = try #require((good["trackName"] ?? good["title"]) as? String)
    #expect(found.lines.contains { $0.contains("\t\(title)\t") })
    let unreadable = elements.count - found.lines.count
    #expect(unreadable > 0)
    #expect(unreadable < 60)
    #expect(found.errors.contains("\(unreadable) of \(elements.count) results could not be read"), "\(found.errors)")
  }

  @Test func `a record whose details are unreadable is added with the facts of the search`() throws {
    let sources = try SourceServer { question in
      question.path.hasPrefix("/musicbrainz/release/") ? .answer(text: "<html>") : nil
    }
    try sandbox.configure(sources.configuration)
    #expect(try sandbox.run("search", "kind of blue", "--kind", "vinyl").status == 0)
    let added = try sandbox.run("add", "r1")
    #expect(added.status == 3, "it lacks what the source would have told")
    #expect(added.output.hasPrefix("added vinyl 1: Kind of Blue — Miles Davis (1959)"))
    #expect(
      added.errors.contains("MusicBrainz sent an HTML page instead of an answer; the search result was saved\n"))
  }

  @Test(arguments: [
    SourceServer.Reply.answer(headers: ["Content-Type": "image/png"], text: "<html>no picture</html>"),
    .answer(500), .answer(body: Array(Picture.png(width: 90, height: 90).prefix(200))), .answer(text: ""),
  ])
  func `an unreadable cover does not prevent adding a record`(_ reply: SourceServer.Reply) throws {
    let sources = try SourceServer { $0.path.hasPrefix("/covers") ? reply : nil }
    try sandbox.configure(sources.configuration)
    #expect(try sandbox.run("search", "kind of blue", "--kind", "vinyl").status == 0)
    let added = try sandbox.run("add", "r1")
    #expect(added.status == 3)
    #expect(added.errors.contains("catalog: the server of the cover "), "\(added.errors)")
    #expect(added.errors.contains("; saved without the cover\n"), "\(added.errors)")
    #expect(try sandbox.database().value("SELECT count(*) FROM cover", as: Int.self) == 0)
  }

  // MARK: What must never reach the terminal

  static let nasty =
    "A\u{1B}[2J\u{1B}]0;gone\u{7}B\u{0}C\u{9B}31mD\u{202E}txt\u{2066}E\u{200F}\u{8}F\u{7F}\u{85}G\u{2028}"

  /// Checks that there are only visible characters and line ends of the terminal.
  private func expectHarmless(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
    let text = String(decoding: bytes, as: UTF8.self)
    let bad = text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x0A, 0x0D: false
      case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
    #expect(bad.isEmpty, "\(bad.map { String($0.value, radix: 16) }) in \(text)", sourceLocation: sourceLocation)
  }

  private func atTerminal(_ words: String...) throws -> (status: Int32, bytes: [UInt8]) {
    let terminal = try PseudoTerminal(width: 100)
    let launch = try sandbox.launch(
      words.map { Array($0.utf8) }, changing: ["NO_COLOR": "1", "PAGER": "cat"], terminal: terminal)
    terminal.readToEnd()
    return (launch.wait(), terminal.bytes)
  }

  @Test func `control and bidirectional characters of a source never reach the terminal`() throws {
    func answer(_ text: String, _ change: (inout [String: Any]) -> Void, in list: String) throws -> SourceServer.Reply {
      var answer = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      var elements = try #require(answer[list] as? [[String: Any]])
      change(&elements[0])
      answer[list] = elements
      return .answer(body: Array(try JSONSerialization.data(withJSONObject: answer)))
    }
    let movies = try answer(
      SourceServer.movies,
      {
        for key in [
          "trackName", "artistName", "primaryGenreName", "longDescription", "collectionName", "copyright",
          "contentAdvisoryRating",
        ] { $0[key] = Self.nasty }
      }, in: "results")
    let books = try answer(
      SourceServer.books,
      {
        $0["title"] = Self.nasty
        $0["author_name"] = [Self.nasty]
        $0["subject"] = [Self.nasty]
        $0["publisher"] = [Self.nasty]
      }, in: "docs")
    let sources = try SourceServer { question in
      if question.path.hasPrefix("/itunes") { return movies }
      return question.path.hasPrefix("/openlibrary/search.json") ? books : .answer(404, text: "{}")
    }
    try sandbox.configure(sources.configuration)
    for words in [
      ["seasons", "movie"], ["show", "r1"], ["search", "dune"], ["show", "r1"], ["show", "r3"], ["add", "r1"],
      ["add", "r3"], ["list"], ["show", "1"],
    ] {
      let terminal = try PseudoTerminal(width: 100)
      let launch = try sandbox.launch(
        words.map { Array($0.utf8) }, changing: ["NO_COLOR": "1", "PAGER": "cat"], terminal: terminal)
      terminal.readToEnd()
      let status = launch.wait()
      // Added and shown items lack the facts of the sources.
      #expect(status == 0 || ["add", "show"].contains(words[0]) && status == 3, "\(words): \(terminal.text)")
      #expect(terminal.bytes.count > 20)
      expectHarmless(terminal.bytes)
    }
  }

  @Test func `control characters typed by the user are printed harmlessly`() throws {
    // A NUL cannot be typed as an argument.
    let typed = Self.nasty.replacingOccurrences(of: "\u{0}", with: "")
    let added = try atTerminal("add", "book", "--title", typed, "--creator", typed, "--comment", typed)
    expectHarmless(added.bytes)
    if added.status == 0 {
      for words in [["list"], ["show", "1"], ["card", "list"], ["recent"], []] {
        let terminal = try PseudoTerminal(width: 100)
        let launch = try sandbox.launch(words.map { Array($0.utf8) }, changing: ["NO_COLOR": "1"], terminal: terminal)
        terminal.readToEnd()
        _ = launch.wait()
        expectHarmless(terminal.bytes)
      }
    }
    for words in [
      ["search", typed, "--offline"], [typed], ["list", typed], ["show", typed], ["add", "--isbn", typed],
    ] {
      let terminal = try PseudoTerminal(width: 100)
      let launch = try sandbox.launch(words.map { Array($0.utf8) }, changing: ["NO_COLOR": "1"], terminal: terminal)
      terminal.readToEnd()
      // Its own title names the item that was added.
      #expect(launch.wait() != 0 || words[0] == "show")
      expectHarmless(terminal.bytes)
    }
  }
}

/// Returns true at the first call only.
final class Once: Sendable {
  private let isTaken = Mutex(false)

  func take() -> Bool {
    isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }
}
