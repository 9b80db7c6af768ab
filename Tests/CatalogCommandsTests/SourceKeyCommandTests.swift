import CatalogModel
import CommandLineKit
import Foundation
import Lookup
import TestSupport
import Testing

@testable import CatalogCommands

struct SourceKeyCommandTests {
  let catalog: TestCatalog
  let folder: TemporaryFolder
  let path: String

  init() throws {
    catalog = try TestCatalog()
    folder = try TemporaryFolder()
    path = folder.path("catalog/config.json")
    catalog.places = Places(environment: ["HOME": folder.path, "XDG_CONFIG_HOME": folder.path])
    catalog.readsConfiguration = true
  }

  private func settings() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test func `a key is kept in a file that only its owner can read`() throws {
    try FileManager.default.createDirectory(atPath: folder.path("catalog"), withIntermediateDirectories: true)
    try Data(#"{"locale.country": "KR"}"#.utf8).write(to: URL(filePath: path))
    catalog.input = ["  sesame-of-mine ", "url: https://x.org"]
    let run = catalog.run("source", "key", "tmdb")
    #expect(
      run
        == .init(
          output: "",
          errors: "catalog: the key of TMDB is kept in '\(path)'; try it: catalog source test tmdb\n", status: 0))
    #expect(
      try settings() == "{\n  \"locale.country\" : \"KR\",\n  \"sources.tmdb.key\" : \"sesame-of-mine\"\n}\n")
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("catalog")) == ["config.json"])

    for words in [
      ["config", "list"], ["config", "list", "--json"], ["config", "get", "sources.tmdb.key"], ["source", "list"],
      ["source", "list", "--json"], ["doctor"], ["config", "set", "sources.tmdb.key", "other"],
    ] {
      let run = catalog.run(words)
      #expect(!(run.output + run.errors).contains("sesame"), "\(words)")
    }
    #expect(catalog.run("source", "key", "tmdb", "--remove").errors == "catalog: the key of TMDB was removed\n")
    #expect(try settings() == "{\n  \"locale.country\" : \"KR\"\n}\n")
    #expect(catalog.run("source", "key", "tmdb", "--remove").status == 0)
  }

  @Test(arguments: [
    ["source", "key", "tmdb", "sesame-of-mine"], ["source", "key", "tmdb", "--", "sesame-of-mine"],
    ["config", "set", "sources.tmdb.key", "sesame-of-mine"],
  ])
  func `a key is not taken from an argument`(words: [String]) throws {
    let run = catalog.run(words)
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(!run.errors.contains("sesame"))
    #expect(run.errors.contains("argument"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: ["two words", "키", "a\u{1B}[31m"]) func `an invalid key is rejected and not printed`(_ typed: String)
  {
    catalog.input = [typed]
    let run = catalog.run("source", "key", "kakao")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("catalog: that is not a key; nothing was changed\n"))
    #expect(!run.errors.contains(typed))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `an empty key changes nothing`() {
    for input in [[], ["   "]] {
      catalog.input = input
      let run = catalog.run("source", "key", "kakao")
      #expect(run.status == 1)
      #expect(run.errors.contains("no key was given; nothing was changed"))
    }
    catalog.input = ["k"]
    #expect(catalog.run("source", "key", "kakao", "--dry-run").errors == "would write '\(path)'\n")
    #expect(catalog.run("source", "key", "itunes").errors == "catalog: iTunes needs no key\n")
    #expect(catalog.run("source", "key", "nobody").status == 2)
    #expect(catalog.run("source", "key", "tmdb", "--remove", "--command", "x").status == 2)
    #expect(catalog.run("source", "key", "tmdb", "--command", " ").status == 2)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// The key of the request to the source.
  private func keyAsked(_ source: String = "tmdb") -> Secret? {
    let asked = Asked()
    catalog.http = HTTPClient(each: { request in
      asked.note(request)
      return .failure(.timedOut(host: request.host))
    })
    catalog.run("search", "x", "--source", source)
    return asked.requests.first?.secret
  }

  @Test func `a key in the environment comes before a stored key, and storing one replaces a key program`() throws {
    #expect(catalog.run("source", "key", "tmdb", "--command", "printf '%s\\n' \"by program\" of-mine").status == 4)
    #expect(keyAsked() == nil, "its first line is no key")
    #expect(catalog.run("source", "key", "tmdb", "--command", "printf '%s\\n' program other").status == 0)
    #expect(keyAsked() == .header("authorization", "Bearer program"))
    catalog.input = ["kept"]
    catalog.run("source", "key", "tmdb")
    #expect(keyAsked() == .header("authorization", "Bearer kept"))
    #expect(try !settings().contains("printf"), "one or the other is kept")
    catalog.environment["CATALOG_TMDB_TOKEN"] = "environment"
    #expect(keyAsked() == .header("authorization", "Bearer environment"))
    catalog.environment["CATALOG_KAKAO_KEY"] = "kakao"
    #expect(keyAsked("kakao") == .header("authorization", "KakaoAK kakao"))
    catalog.input = ["kept"]
    #expect(catalog.run("source", "key", "tmdb").errors.contains("CATALOG_TMDB_TOKEN is set, and takes precedence"))
  }

  @Test(arguments: [
    ("no-such-program-of-mine", "could not be asked for"), ("false", "'false', which prints the key of TMDB, failed"),
    ("true", "'true' printed no key of TMDB"), ("printf 'two words'", "'printf' printed no key of TMDB"),
  ])
  func `a key program that prints no key is reported and not stored`(_ program: String, _ message: String) throws {
    let run = catalog.run("source", "key", "tmdb", "--command", program)
    #expect(run.status == 4)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(run.errors.contains("hint: try it yourself: \(program)\n"), "\(run.errors)")
    #expect(!run.errors.contains("two words'\n") || program.contains("two words"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a key program runs once per command, and other sources work without it`() throws {
    let count = folder.path("count")
    try FileManager.default.createDirectory(atPath: folder.path("catalog"), withIntermediateDirectories: true)
    try Data("{\"sources.tmdb.key_command\": \"sh -c 'echo >>\(count); echo sesame'\"}".utf8)
      .write(to: URL(filePath: path))
    catalog.http = HTTPClient(each: { _ in
      .success(Response(status: 200, body: Array(#"{"results": [{"id": 1, "title": "T"}], "total_pages": 9}"#.utf8)))
    })
    catalog.run("search", "x", "--kind", "movie", "--all")
    #expect(try String(contentsOfFile: count, encoding: .utf8) == "\n")
    catalog.run("source", "list")
    #expect(try String(contentsOfFile: count, encoding: .utf8) == "\n", "a list asks nobody")

    try Data(#"{"sources.tmdb.key_command": "false"}"#.utf8).write(to: URL(filePath: path))
    let found = catalog.run("search", "x", "--kind", "movie,music", "--json=title")
    #expect(found.status == 0)
    #expect(
      found.errors.contains(
        """
        catalog: 'false', which prints the key of TMDB, failed; no answer from Wikidata either; the built-in pack \
        answers instead

        """), "\(found.errors)")
    catalog.http = .offline
    #expect(catalog.run("search", "zzqx", "--kind", "movie").status == 4, "nobody answers instead")
  }

  @Test func `a missing key is explained, with the source that answers without it`() {
    for words in [["search", "x", "--source", "tmdb"], ["show", "tmdb:550"], ["add", "tmdb:550"]] {
      let run = catalog.run(words)
      #expect(run.status == 4, "\(words)")
      #expect(
        run.errors == """
          catalog: TMDB needs a key
          hint: get one at https://www.themoviedb.org/settings/api, then: catalog source key tmdb. Without it movies are \
          looked up at iTunes

          """, "\(words)")
    }
    #expect(catalog.run("search", "x", "--source", "kakao").status == 4)
  }

  @Test func `a rejected key is reported and not printed`() {
    catalog.environment["CATALOG_TMDB_TOKEN"] = "sesame-of-mine"
    catalog.http = HTTPClient(each: { _ in
      .success(Response(status: 401, body: Array(#"{"status_code": 7, "success": false}"#.utf8)))
    })
    let run = catalog.run("search", "zzqx", "--kind", "movie")
    #expect(run.status == 4)
    #expect(run.errors.hasPrefix("catalog: TMDB does not accept the key; no answer from iTunes, Wikidata either\n"))
    #expect(run.errors.contains("\nhint: it is what CATALOG_TMDB_TOKEN says;"))
    #expect(!run.errors.contains("sesame"))
    catalog.environment["CATALOG_TMDB_TOKEN"] = "two words"
    #expect(
      catalog.run("search", "x", "--kind", "movie").errors.hasPrefix(
        "catalog: CATALOG_TMDB_TOKEN does not hold a key\n"))
  }

  @Test func `the manual names every variable that holds a key`() {
    let help = catalog.run("help", "environment").output
    for source in Source.all {
      guard let need = source.key else { continue }
      #expect(help.contains("  \(need.variable) "))
      #expect(help.contains("the key of \(source.name);"))
    }
  }

  @Test func `source list shows where each key comes from, or where to get it`() throws {
    func keys() -> [String: String] {
      let lines = catalog.run("source", "list").output.split(separator: "\n")
      return Dictionary(
        uniqueKeysWithValues: lines.map { line in
          let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
          return (String(cells[0]), String(cells[3]))
        })
    }
    #expect(keys()["itunes"] == "not needed")
    #expect(keys()["tmdb"] == "missing")
    #expect(keys()["kakao"] == "missing")
    #expect(keys()["googlebooks"] == "optional", "nobody misses it")
    catalog.environment["CATALOG_TMDB_TOKEN"] = "t"
    catalog.input = ["k"]
    catalog.run("source", "key", "kakao")
    #expect(keys()["tmdb"] == "from CATALOG_TMDB_TOKEN")
    #expect(keys()["kakao"] == "kept")
    catalog.run("source", "key", "kakao", "--command", "echo k")
    #expect(keys()["kakao"] == "from a program")
    catalog.run("source", "key", "kakao", "--remove")
    catalog.atTerminal(width: 80)
    let list = catalog.run("source", "list", "--all").output.split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
    #expect(
      list.contains(
        "Kakao needs a key, its REST API key: get one at https://developers.kakao.com/console/app, then type 'catalog "
          + "source key kakao'. Without it Korean books are looked up at Open Library, which has fewer."))
    #expect(!list.contains("TMDB needs a key"))
    #expect(list.contains("Google Books answers better with a key, its API key: get one at"))
    #expect(list.contains("This product uses the TMDB API but is not endorsed or certified by TMDB."))
  }
}

extension SourceKeyCommandTests {
  @Test func `the explanation before the key prompt fits the terminal`() {
    for width in [40, 80] {
      catalog.atTerminal(width: width)
      let lines = catalog.run("source", "key", "tmdb").errors.split(separator: "\n").prefix { !$0.hasPrefix("Key ") }
      #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
      #expect(lines.prefix(2).joined(separator: " ").hasPrefix("TMDB is asked with its API Read Access Token:"))
    }
  }

  @Test func `source list shows the number of requests of each source today`() throws {
    catalog.cache = CacheDatabase(path: folder.path("cache.db"))
    let source = HTTPClient(each: { _ in .success(Response(status: 200)) }).limited(
      by: Source.all.limits(hasContact: true), in: catalog.cache,
      now: { [now = catalog.now] in now }, pause: Pause(sleep: { _ in }))
    _ = source.send(["itunes", "googlebooks", "googlebooks"].map { Request(source: $0, url: "https://x.example/") })
    let json = catalog.run("source", "list", "--json=source,today,daily_limit").output
    #expect(json.contains(#"{"source":"itunes","today":1,"daily_limit":null}"#), "\(json)")
    #expect(json.contains(#"{"source":"googlebooks","today":2,"daily_limit":1000}"#))
    #expect(json.contains(#"{"source":"kakao","today":0,"daily_limit":30000}"#))
    #expect(json.contains(#"{"source":"pack","today":null,"daily_limit":null}"#))
    catalog.atTerminal(width: 80)
    let list = catalog.run("source", "list").output
    #expect(!list.contains("…"), "all of it fits")
    #expect(list.contains(/googlebooks .* 2 of 1000/) && list.contains(/kakao .* 0 of 30000/), "\(list)")
    catalog.terminal = Terminal()
    #expect(catalog.run("source", "test", "itunes", "--json=source,today").output.contains(#""today":1"#))
    catalog.now.addTimeInterval(86_400)
    #expect(catalog.run("source", "list", "--json=source,today").output.contains(#"{"source":"itunes","today":0}"#))
  }
}

struct SourceTestCommandTests {
  let catalog: TestCatalog

  init() throws { catalog = try TestCatalog() }

  @Test func `source test prints reachability, key and remaining requests of each source`() {
    catalog.environment["CATALOG_TMDB_TOKEN"] = "sesame"
    let asked = Asked()
    catalog.http = HTTPClient { requests in
      requests.map { request in
        asked.note(request)
        switch request.source {
        case "tmdb":
          return .success(
            Response(
              status: 200,
              headers: [Header("x-ratelimit-limit", "40"), Header("x-ratelimit-remaining", "39")],
              body: Array(#"{"results": []}"#.utf8)))
        case "itunes": return .success(Response(status: 403))
        case "openlibrary": return .success(Response(status: 200, body: Array("<html>".utf8)))
        default: return .failure(.unreachable(host: request.host))
        }
      }
    }
    let run = catalog.run("source", "test")
    #expect(
      run.output
        == """
        itunes\ttrue\tnot needed\t\t\tPLAIN\tthrottled\tiTunes asks for a pause: too many requests
        tmdb\ttrue\taccepted\t39\t\tPLAIN\tfine\t
        openlibrary\ttrue\tnot needed\t\t\tNAMED\tpage instead of an answer\tOpen Library sent an HTML page instead of \
        an answer
        kakao\t\tmissing\t\t\t\tno key\tKakao needs a key
        googlebooks\t\toptional\t\t\t\t\t
        discogs\t\tmissing\t\t\t\tno key\tDiscogs needs a key
        musicbrainz\tfalse\tnot needed\t\t\tNAMED\tunreachable\tMusicBrainz cannot be reached (musicbrainz.org)
        wikidata\tfalse\tnot needed\t\t\tNAMED\tunreachable\tWikidata cannot be reached (www.wikidata.org)
        inventaire\tfalse\tnot needed\t\t\tNAMED\tunreachable\tInventaire cannot be reached (inventaire.io)
        aladin\t\tmissing\t\t\t\tno key\tAladin needs a key
        dnb\tfalse\tnot needed\t\t\tPLAIN\tunreachable\tDNB cannot be reached (services.dnb.de)
        bnf\tfalse\tnot needed\t\t\tPLAIN\tunreachable\tBnF cannot be reached (catalogue.bnf.fr)

        """.replacingOccurrences(of: "PLAIN", with: "catalog/\(Release.version)")
        .replacingOccurrences(of: "NAMED", with: "catalog/\(Release.version) (me@example.org)"))
    #expect(run.status == 3)
    #expect(asked.requests.count == 8)
    #expect(asked.requests.allSatisfy { $0.bypassesCache }, "past the cache")
    #expect(run.errors.contains("hint: get one at https://developers.kakao.com/console/app"))
    #expect(!(run.output + run.errors).contains("sesame"))
    #expect(
      catalog.run("source", "test", "tmdb", "--json").output
        == #"[{"source":"tmdb","reachable":true,"key":"accepted","left":39,"limit":40,"today":null,"#
        + #""sent_as":"catalog/\#(Release.version)","verdict":"fine","problem":null}]"# + "\n")
    catalog.atTerminal(width: 80)
    #expect(catalog.run("source", "test").output.contains("39 of 40"))
  }

  @Test func `a missing key is a failure only of a source that was named`() {
    catalog.http = HTTPClient(each: { request in
      let body =
        switch request.source {
        case "itunes": #"{"results": []}"#
        case "openlibrary": #"{"docs": []}"#
        case "wikidata": #"{"query": {"search": []}}"#
        case "inventaire": #"{"results": []}"#
        case "dnb", "bnf": "<r><numberOfRecords>0</numberOfRecords></r>"
        default: #"{"releases": []}"#
        }
      return .success(Response(status: 200, body: Array(body.utf8)))
    })
    #expect(catalog.run("source", "test").status == 0)
    #expect(catalog.run("source", "test", "itunes").status == 0)
    #expect(catalog.run("source", "test", "tmdb").status == 4)
    catalog.environment["CATALOG_TMDB_TOKEN"] = "t"
    catalog.http = HTTPClient(each: { _ in .success(Response(status: 401, body: Array("{}".utf8))) })
    let refused = catalog.run("source", "test", "tmdb")
    #expect(refused.status == 4)
    #expect(refused.output.hasPrefix("tmdb\ttrue\trefused\t"))
    #expect(catalog.run("source", "test", "nobody").status == 2)
    #expect(catalog.run("source", "test", "--offline").status == 2)
  }
}
