import CatalogModel
import CommandLineKit
import Foundation
import Lookup
import Synchronization
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests the numbered pictures and videos that `show` prints and that `cover` and `open` accept.
struct GalleryCommandTests {
  let catalog: TestCatalog
  let folder: TemporaryFolder
  let asked = Asked()
  /// The requests for pictures.
  let fetched = Asked()

  init() throws {
    catalog = try TestCatalog()
    folder = try TemporaryFolder()
    catalog.environment["CATALOG_TMDB_TOKEN"] = "token"
    catalog.http = MoviePageTests.web(asked)
    catalog.pictures = HTTPClient(each: { [fetched] request in
      fetched.note(request)
      return .success(Response(status: 200, body: CoverCommandTests.png()))
    })
  }

  static let app = """
    {"wrapperType": "software", "kind": "software", "trackId": 310633997, "trackName": "Chat", "artistName": "Maker",
     "artworkUrl512": "https://is1.mzstatic.com/512x512bb.jpg", "trackViewUrl": "https://apps.apple.com/us/app/id310633997",
     "screenshotUrls": ["https://is1.mzstatic.com/one/392x696bb.png", "https://is1.mzstatic.com/two/392x696bb.png"],
     "ipadScreenshotUrls": ["https://is1.mzstatic.com/three/552x414bb.png"]}
    """

  /// Makes an app of iTunes the result r1.
  func searchApp() {
    let store = ITunesStore()
    store.found.withLock { $0 = ["chat": [Self.app]] }
    store.known.withLock { $0 = ["310633997": [Self.app]] }
    catalog.http = store.client
    #expect(catalog.run("search", "chat", "--kind", "app").status == 0)
  }

  // MARK: Screenshots

  @Test func `show lists the screenshots of an app`() throws {
    searchApp()
    let run = catalog.run("show", "r1")
    #expect(
      run.output.hasSuffix(
        """

        Screenshots
          1  iPhone  https://is1.mzstatic.com/one/392x696bb.png
          2  iPhone  https://is1.mzstatic.com/two/392x696bb.png
          3  iPad    https://is1.mzstatic.com/three/552x414bb.png

        """), "\(run.output)")
    let json = catalog.run("show", "r1", "--json").output
    #expect(
      json.contains(
        #""screenshots":[{"device":"iPhone","url":"https://is1.mzstatic.com/one/392x696bb.png"},"#), "\(json)")
  }

  @Test func `cover --screenshot uses the screenshots of the search result without a request`() {
    searchApp()
    catalog.http = .offline
    #expect(
      catalog.run("cover", "r1", "--screenshot", "2", "--print").output
        == "https://is1.mzstatic.com/two/392x696bb.png\n")
    #expect(catalog.run("cover", "r1", "--screenshot", "3", "--save", folder.path("x.png")).status == 0)
    #expect(fetched.requests.map(\.url) == ["https://is1.mzstatic.com/three/552x414bb.png"])
    #expect(
      catalog.run("open", "r1", "--screenshot", "1", "-p").output == "https://is1.mzstatic.com/one/392x696bb.png\n")
  }

  @Test func `cover --screenshot requests an app of which only the id is known`() {
    searchApp()
    catalog.results([])
    #expect(
      catalog.run("cover", "itunes:software/310633997", "--screenshot", "1", "-p").output
        == "https://is1.mzstatic.com/one/392x696bb.png\n")
  }

  // MARK: Movies

  @Test(arguments: [
    (["--picture", "3"], "https://image.tmdb.org/t/p/w1280/3.jpg"),
    (["--portrait", "1"], "https://image.tmdb.org/t/p/h632/p1.jpg"),
    (["--portrait", "12"], "https://image.tmdb.org/t/p/h632/p12.jpg"),
  ])
  func `cover and open find a picture of a movie by the number that show prints`(
    _ words: [String], _ address: String
  ) throws {
    let shown = catalog.run("show", "tmdb:496243", "--full").output
    #expect(shown.contains("\(words[1])  "))
    #expect(shown.contains(address))
    for command in ["cover", "open"] {
      #expect(
        catalog.run([command, "tmdb:496243"] + words + ["--print"])
          == .init(output: address + "\n", errors: "", status: 0))
    }
    let path = folder.path("picture.png")
    #expect(catalog.run(["cover", "tmdb:496243", "--save", path] + words).output == "wrote \(path) (58 B)\n")
    #expect(try Array(Data(contentsOf: URL(filePath: path))) == CoverCommandTests.png())
    #expect(fetched.requests.last?.url == address)
  }

  @Test func `cover --picture requests only the pictures of a movie`() {
    _ = catalog.run("cover", "tmdb:496243", "--picture", "1", "-p")
    #expect(asked.requests.map { $0.url.contains("/images") } == [true])
  }

  @Test func `pictures and videos of a movie on the shelf are found, and its cover is kept`() throws {
    #expect(catalog.run("add", "tmdb:496243", "--no-cover").status == 0)
    #expect(catalog.run("cover", "1", "--picture", "2", "--save", folder.path("x.png")).status == 0)
    #expect(try catalog.store.cover(of: ItemID(rawValue: 1)) == nil, "it is no cover")
    #expect(catalog.run("open", "parasite", "--video", "1", "-p").output == "https://www.youtube.com/watch?v=abc\n")
  }

  @Test func `open --video opens the address of the video`() {
    #expect(
      catalog.run("open", "tmdb:496243", "--video", "1", "--print").output == "https://www.youtube.com/watch?v=abc\n")
    catalog.environment["BROWSER"] = "test %s != and-nothing-behind-it"
    #expect(catalog.run("open", "tmdb:496243", "--video", "1") == .init(output: "", errors: "", status: 0))
  }

  @Test(arguments: [
    BadInput(
      "cover", "tmdb:496243", "--picture", "12", errors: "'tmdb:496243' has no picture 12: there are 11 pictures",
      status: 1),
    BadInput("cover", "tmdb:496243", "--portrait", "13", errors: "there are 12 portraits", status: 1),
    BadInput(
      "cover", "tmdb:496243", "--portrait", "2", errors: "no address of a portrait of 'Actor 2' is known", status: 1),
    BadInput(
      "open", "tmdb:496243", "--video", "2", errors: "there is 1 video\nhint: 'catalog show tmdb:496243 --full'",
      status: 1),
    BadInput("cover", "tmdb:496243", "--screenshot", "1", errors: "no screenshot of 'tmdb:496243' is known", status: 1),
    BadInput("cover", "1", "--picture", "1", errors: "only movies that TMDB knows have", status: 1),
    BadInput("cover", "tmdb:496243", "--picture", "0", errors: "it starts at 1"),
    BadInput("cover", "tmdb:496243", "--picture", "x", errors: "'x'"),
    BadInput("cover", "tmdb:496243", "--video", "1", errors: "unknown option '--video'"),
    BadInput("cover", "r1", "--picture", "1", "--portrait", "1", errors: "--picture and --portrait do not go together"),
    BadInput("cover", "https://image.tmdb.org/t/p/w500/1.jpg", "--picture", "1", errors: "an address has no --picture"),
    BadInput("cover", "https://pictures.example/1.jpg", errors: "is not the address of a source's picture", status: 1),
    BadInput("cover", "https://127.0.0.1/1.jpg", errors: "is not the address of a source's picture", status: 1),
    BadInput("cover", "https://youtu.be/1", errors: "hint: it is a video: catalog open", status: 1),
    BadInput(
      "open", "https://pictures.example/1.jpg", errors: "is neither a picture nor a video of a source", status: 1),
    BadInput("open", "http://image.tmdb.org/1.jpg", errors: "is neither a picture nor a video of a source", status: 1),
  ])
  func `bad input is explained`(_ bad: BadInput) throws {
    try catalog.add(.vinyl, "Kind of Blue")
    catalog.environment["BROWSER"] = "false"
    let run = catalog.run(bad.words + (bad.words[0] == "cover" && bad.status == 1 ? ["--save", folder.path("x")] : []))
    #expect(run.errors.contains(bad.errors), "\(run.errors)")
    #expect(run.status == bad.status)
    #expect(run.output.isEmpty)
    #expect(fetched.requests.isEmpty)
  }

  @Test func `a failed source is named when a picture or video is requested`() {
    catalog.http = MoviePageTests.web(asked, failing: ["/images": .timedOut(host: "h")])
    let run = catalog.run("cover", "tmdb:496243", "--picture", "1", "-p")
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("catalog: TMDB did not answer in time (h)\nhint: where it is blocked, "))
    #expect(run.status == 3)
    catalog.environment = [:]
    #expect(catalog.run("open", "tmdb:496243", "--video", "1").status == 4)
  }

  // MARK: Addresses

  @Test func `an address printed by show is accepted by cover and open without a lookup`() {
    let address = "https://image.tmdb.org/t/p/w1280/1.jpg"
    #expect(catalog.run("cover", address, "--print").output == address + "\n")
    #expect(catalog.run("cover", address, "--save", folder.path("x.png")).status == 0)
    #expect(fetched.requests.map(\.url) == [address])
    #expect(asked.requests.isEmpty, "no source is asked what it is")
    #expect(catalog.run("open", address, "--print").output == address + "\n")
    let video = "https://www.youtube.com/watch?v=abc"
    catalog.environment["BROWSER"] = "test %s != and-nothing-behind-it"
    #expect(catalog.run("open", video, "-p").output == video + "\n")
    #expect(catalog.run("open", video) == .init(output: "", errors: "", status: 0))
  }

  @Test func `a picture on a loopback address is fetched only for a source configured there`() throws {
    let server = try LoopbackServer { _ in .answer(body: CoverCommandTests.png()) }
    catalog.pictures = .curl(identity: Identity(program: "x"), environment: [:])
    let words = ["cover", server.url + "/w500/1.png", "--save", folder.path("x.png")]
    #expect(catalog.run(words).errors.contains("is not the address of a source's picture"))
    #expect(server.connections == 0)
    try catalog.configure("sources.tmdb.image_base_url", server.url)
    #expect(catalog.run(words).status == 0)
    #expect(server.connections == 1)
  }

  // MARK: Drawing

  @Test func `show --covers into a pipe draws nothing and says so`() {
    let run = catalog.run("show", "tmdb:496243", "--covers")
    #expect(run.output == catalog.run("show", "tmdb:496243").output)
    #expect(run.errors == "catalog: covers are drawn on a terminal only, not into a pipe or file\n")
    #expect(run.status == 0)
    #expect(catalog.run("show", "tmdb:496243", "--covers", "--json").status == 2)
  }

  @Test func `pictures stand side by side as far as the width allows`() throws {
    func piece(_ caption: String, _ aspect: Double, _ drawing: CoverRenderer.Drawing? = .lines(["▀▀", "▀"]))
      -> PictureStrip.Piece
    {
      PictureStrip.Piece(caption: caption, aspect: aspect) { width, height in
        #expect(height == 2)
        #expect(width >= 6)
        return drawing
      }
    }
    let terminal = Terminal(isOutputTerminal: true, width: 23)
    let strip = try PictureStrip(
      [piece("cover", 1), piece("none", 1, nil), piece("1", 2), piece("2 A long name", 1.5), piece("3", 1)],
      on: terminal,
      height: 2)
    #expect(
      strip.lines == [
        "  ▀▀       ▀▀   ",
        "  ▀        ▀    ",
        "cover   1       ",
      ])
    #expect(strip.pixels.isEmpty)
    let pixels = try PictureStrip([piece("1", 1, .pixels([1])), piece("2", 1, .pixels([2]))], on: terminal, height: 2)
    #expect(pixels.pixels.map(\.column) == [0, 8])
    #expect(pixels.lines == ["              ", "              ", "1       2     "])
    #expect(try PictureStrip([], on: terminal, height: 2).lines.isEmpty)
  }

  @Test func `the first pictures begin with the cover and leave out failed ones`() throws {
    var record = Record(kind: .app, title: "Chat")
    record.artworkURL = "https://pictures.example/cover.png"
    let web = HTTPClient(each: { request in
      request.url.hasSuffix("2.png")
        ? .success(Response(status: 404)) : .success(Response(status: 200, body: CoverCommandTests.png()))
    })
    var context = Context(
      terminal: Terminal(), output: .memory(), errors: .memory(), places: Places(environment: [:]),
      now: { Date(timeIntervalSince1970: 0) }, openStore: { [catalog] _ in catalog.store }, http: web,
      results: LastResults(load: { [] }, save: { _ in true }))
    context.pictures = web
    let urls = (1...5).map { FirstPictures.Numbered(caption: "\($0)", url: "https://pictures.example/\($0).png") }
    let first = FirstPictures(
      cover: context.cover(of: record, in: catalog.store), of: record, in: context, numbered: { urls })
    #expect(first.fetch(atMost: 3).map(\.caption) == ["cover", "1", "3"])
  }
}
