import CatalogModel
import CommandLineKit
import Foundation
import Lookup
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct CoverCommandTests {
  let catalog: TestCatalog
  let folder: TemporaryFolder
  let address = "https://pictures.example/blue.png"

  init() throws {
    catalog = try TestCatalog()
    folder = try TemporaryFolder()
  }

  /// A PNG with the parts that ``ImageInfo`` reads.
  static func png(width: UInt8 = 30, height: UInt8 = 20, high: UInt8 = 0) -> [UInt8] {
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      [0, 0, 0, UInt8(data.count)] + Array(name.utf8) + data + [0, 0, 0, 0]
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", [0, high, 0, width, 0, high, 0, height, 8, 0, 0, 0, 0]) + chunk("IDAT", [1]) + chunk("IEND", [])
  }

  func addWithCover() throws -> ItemID {
    let id = try catalog.add(.vinyl, "Kind of Blue")
    let cover = try Cover(image: Self.png(), sourceURL: address)
    try catalog.store.setCover(cover, of: id)
    return id
  }

  /// A result whose picture is at ``address``.
  func addResult() {
    var record = Record(kind: .movie, title: "Dune")
    let id = ExternalID(source: "pack", value: "movie/dune")
    record.externalIDs = [id]
    record.artworkURL = address
    catalog.results([Candidate(id: id, record: record)])
  }

  func serve(_ picture: Result<Response, HTTPError>) {
    catalog.pictures = HTTPClient(each: { [address] in $0.url == address ? picture : .failure(.offline(host: "?")) })
  }

  @Test func `a cover on a loopback address is fetched only for a source configured there`() throws {
    let server = try LoopbackServer { _ in .answer(body: Self.png()) }
    var record = Record(kind: .movie, title: "Dune")
    let id = ExternalID(source: "tmdb", value: "438631")
    record.externalIDs = [id]
    record.artworkURL = server.url + "/dune.png"
    catalog.results([Candidate(id: id, record: record)])
    catalog.pictures = .curl(identity: Identity(program: "x"), environment: [:])
    #expect(
      catalog.run("cover", "r1", "--save", folder.path("dune.png"))
        == .init(
          output: "",
          errors: """
            catalog: the server of the cover is on this computer or a private network (127.0.0.1:\(server.port)); nothing was sent there
            hint: an answer points there; only sources whose base_url is there may do that

            """, status: 3))
    #expect(server.connections == 0)
    try catalog.configure("sources.itunes.base_url", server.url)
    #expect(catalog.run("cover", "r1", "--save", folder.path("dune.png")).status == 3, "that is another source")
    #expect(server.connections == 0)
    try catalog.configure("sources.tmdb.image_base_url", server.url)
    #expect(catalog.run("cover", "r1", "--save", folder.path("dune.png")).status == 0)
    #expect(server.connections == 1)
  }

  @Test func `cover draws nothing into a pipe or on a dumb terminal`() throws {
    _ = try addWithCover()
    catalog.environment["TERM"] = "xterm-kitty"
    #expect(
      catalog.run("cover", "1")
        == .init(
          output: "",
          errors: """
            catalog: covers are drawn on a terminal only, not into a pipe or file
            hint: --save FILE keeps the picture, --print prints its address

            """, status: 1))
    catalog.atTerminal()
    catalog.environment["TERM"] = "dumb"
    #expect(catalog.run("cover", "1").errors.hasPrefix("catalog: this terminal shows no pictures: TERM says so\n"))
  }

  @Test func `cover --print prints the address of the cover`() throws {
    _ = try addWithCover()
    #expect(catalog.run("cover", "1", "--print") == .init(output: address + "\n", errors: "", status: 0))
    addResult()
    #expect(catalog.run("cover", "r1", "-p").output == address + "\n")
  }

  @Test func `cover --save writes the bytes, and replaces a file only with --yes`() throws {
    _ = try addWithCover()
    let path = folder.path("blue.png")
    #expect(catalog.run("cover", "1", "--save", path) == .init(output: "wrote \(path) (58 B)\n", errors: "", status: 0))
    #expect(try Array(Data(contentsOf: URL(filePath: path))) == Self.png())
    try Data([1]).write(to: URL(filePath: path))
    #expect(catalog.run("cover", "1", "--save", path).status == 2)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data([1]))
    #expect(catalog.run("cover", "1", "--save", path, "--dry-run").output == "would write '\(path)'\n")
    #expect(try Data(contentsOf: URL(filePath: path)) == Data([1]))
    #expect(catalog.run("cover", "1", "--save", path, "--yes").status == 0)
    #expect(try Array(Data(contentsOf: URL(filePath: path))) == Self.png())
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["blue.png"])
    #expect(catalog.run("cover", "1", "--save", "-").output.contains("IHDR\0\0\0\u{1E}\0\0\0\u{14}\u{8}\0\0\0\0"))
  }

  @Test(arguments: [
    BadInput("cover", errors: "missing REF"),
    BadInput("cover", "9", errors: "there is no item 9", status: 1),
    BadInput("cover", "1", "--save", "", errors: "the name of the file is empty"),
    BadInput("cover", "1", "--save", "/nonexistent/x", errors: "the folder '/nonexistent' does not exist", status: 1),
    BadInput(
      "cover", "1", "--save", "/tmp",
      errors: "'/tmp' is a folder\nhint: name a file in it: catalog cover 1 --save /tmp/cover.png", status: 1),
    BadInput("cover", "1", "--width", "0", errors: "1 to 500 columns wide, not 0"),
    BadInput("cover", "1", "--as", "png", errors: "'png'"),
    BadInput("cover", "1", "--print", "--save", "x", errors: "do not go together"),
    BadInput("cover", "2", "--print", errors: "no cover of 'Untitled' is known", status: 1),
    BadInput("cover", "3", "--print", errors: "where it came from is not known", status: 1),
  ])
  func `bad input is explained`(_ bad: BadInput) throws {
    _ = try addWithCover()
    try catalog.add(.vinyl, "Untitled")
    let third = try catalog.add(.vinyl, "Drawn by hand")
    try catalog.store.setCover(try Cover(image: Self.png()), of: third)
    let run = catalog.run(bad.words)
    #expect(run.errors.contains(bad.errors), "\(run.errors)")
    #expect(run.status == bad.status)
    #expect(run.output.isEmpty)
  }

  @Test(arguments: [
    (Result<Response, HTTPError>.failure(.unreachable(host: "p")), "cannot be reached (p)", Int32(3)),
    (.success(Response(status: 404)), "the cover of 'Dune' is not at its address", 1),
    (.success(Response(status: 500)), "refused the request (500)", 3),
    (.success(Response(status: 200, body: Array("<html>".utf8))), "something that is not a picture", 3),
    (.failure(.tooLarge(host: "p")), "sent more than allowed", 3),
  ])
  func `a cover that cannot be fetched is reported, and no file is written`(
    _ answer: Result<Response, HTTPError>, _ errors: String, _ status: Int32
  ) throws {
    addResult()
    serve(answer)
    let run = catalog.run("cover", "r1", "--save", folder.path("x"))
    #expect(run.errors.contains(errors), "\(run.errors)")
    #expect(run.status == status)
    #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
  }

  @Test func `an item without a cover gets it from its source`() throws {
    try catalog.add(.movie, "Dune") { $0.externalIDs = [ExternalID(source: "itunes", value: "track/1")] }
    let address = "https://pictures.example/600x600bb.jpg"
    catalog.http = HTTPClient(each: { request in
      guard request.url.contains("/lookup?id=1&") else { return .failure(.offline(host: request.host)) }
      return .success(
        Response(
          status: 200,
          body: Array(
            """
            {"results": [{"wrapperType": "track", "kind": "feature-movie", "trackId": 1, "trackName": "Dune",
              "artworkUrl100": "https://pictures.example/100x100bb.jpg"}]}
            """.utf8)))
    })
    catalog.pictures = .recorded([address: Response(status: 200, body: Self.png())])
    #expect(catalog.run("cover", "1", "--print").output == address + "\n")
    #expect(try catalog.store.cover(of: ItemID(rawValue: 1)) == nil)
    #expect(catalog.run("cover", "1", "--save", folder.path("x")).status == 0)
    let cover = try #require(try catalog.store.cover(of: ItemID(rawValue: 1)))
    #expect(cover.bytes == Self.png())
    #expect(cover.sourceURL == address)
  }

  @Test func `a picture that would unfold to gigabytes is not drawn`() throws {
    let id = try catalog.add(.vinyl, "Large")
    // Earlier versions kept it.
    try catalog.store.setCover(Cover(bytes: Self.png(width: 3, height: 2, high: 1), mediaType: "image/png"), of: id)
    catalog.atTerminal()
    catalog.environment["TERM"] = "xterm"
    #expect(
      catalog.run("cover", "1").errors == """
        catalog: the picture is too large to draw: 65539 × 65538 pixels
        hint: --save FILE keeps the picture

        """)
    #expect(catalog.run("cover", "1", "--save", folder.path("x")).status == 0)
  }

  @Test(arguments: [["card", "add", "r1", "--stars", "4"], ["add", "r1"], ["favorite", "r1"]])
  func `a cover cached by show is stored when the item is added offline`(_ words: [String]) throws {
    addResult()
    let cache = PictureCache(in: CacheDatabase(path: folder.path("cache.db")))
    catalog.pictures = HTTPClient.recorded([address: Response(status: 200, body: Self.png())])
      .keepingPictures(in: cache, now: { Date() })
    // A page in a pipe asks for no picture.
    catalog.atTerminal()
    #expect(catalog.run("show", "r1").status == 0)
    catalog.terminal = Terminal()
    catalog.pictures = HTTPClient.offline.keepingPictures(in: cache, now: { Date() })
    let run = catalog.run(["--offline"] + words)
    #expect(run.status == 0)
    #expect(run.errors == "")
    let cover = try #require(try catalog.store.cover(of: ItemID(rawValue: 1)))
    #expect(cover.bytes == Self.png())
    #expect(cover.mediaType == "image/png")
    #expect(cover.sourceURL == address)
  }

  @Test func `shelf --covers into a pipe warns and prints the plain list`() throws {
    _ = try addWithCover()
    let run = catalog.run("shelf", "vinyl", "--covers")
    #expect(run.output == "1\tKind of Blue\t\t\t\t\n")
    #expect(run.errors == "catalog: covers are drawn on a terminal only, not into a pipe or file\n")
    #expect(run.status == 0)
  }

  @Test func `a cover drawing is aligned within its frame`() {
    let terminal = Terminal(width: 30)
    let art = Frame.Art(lines: ["\u{1B}[31m▄▄\u{1B}[32m▄", "▀▀"], width: 4, height: 3)
    var frame = Frame(heading: "1", lines: [.init("기생충"), .init("2019", right: "★")], art: art)
    #expect(
      frame.drawn(width: 22, on: terminal) == [
        "╭─ 1 ────────────────╮",
        "│ \u{1B}[31m▄▄\u{1B}[32m▄\u{1B}[0m   기생충       │",
        "│  ▀▀   2019       ★ │",
        "│                    │",
        "╰────────────────────╯",
      ])
    frame.art?.isAbove = true
    #expect(
      frame.drawn(width: 22, on: terminal) == [
        "╭─ 1 ────────────────╮",
        "│        \u{1B}[31m▄▄\u{1B}[32m▄\u{1B}[0m         │",
        "│         ▀▀         │",
        "│                    │",
        "│ 기생충             │",
        "│ 2019             ★ │",
        "╰────────────────────╯",
      ])
    // The frame is too narrow.
    #expect(frame.drawn(width: 7, on: terminal).count == 4)
  }

  @Test func `a card shows the cover of its item on its front`() throws {
    let id = try addWithCover()
    _ = try catalog.store.addCard(to: id, rating: try Rating("4"), comment: "once more", now: catalog.clock)
    let faces = try catalog.store.cards().map { try CardFace($0, in: catalog.store) }
    var deck = Deck(faces, on: Terminal(width: 64, height: 8)) { item, width, height in
      #expect(item == id)
      #expect(width == 8)
      #expect(height == 4)
      return .lines(["▄▄▄▄▄▄▄▄"])
    }
    #expect(deck.lines[1] == "│ ▄▄▄▄▄▄▄▄  Kind of Blue                                       │")
    #expect(deck.lines[2] == "│                                                              │")
    #expect(deck.lines[3] == "│           ★★★★                                               │")
    #expect(deck.pixels == [])
    _ = deck.press(.character(" "))
    #expect(deck.lines[1].hasPrefix("│ once more "))
    let pixels = Deck(faces, on: Terminal(width: 64, height: 8)) { _, _, _ in .pixels([1, 2]) }
    #expect(pixels.lines[1] == "│           Kind of Blue                                       │")
    #expect(pixels.pixels == [Screen.Pixels([1, 2], at: .init(column: 2, line: 1), height: 4)])
    // No room beside the words, or below the screen.
    #expect(Deck(faces, on: Terminal(width: 30, height: 8)) { _, _, _ in .pixels([1]) }.pixels == [])
    #expect(Deck(faces, on: Terminal(width: 64, height: 4)) { _, _, _ in .pixels([1]) }.pixels == [])
  }
}

extension HTTPClient {
  /// A client that answers from recorded responses, by address, and is offline for any other.
  static func recorded(_ answers: [String: Response]) -> HTTPClient {
    HTTPClient(each: { request in answers[request.url].map { .success($0) } ?? .failure(.offline(host: request.host)) })
  }
}
