import Foundation
import SQLite
import TestSupport
import Testing

/// Tests covers and previews, with stand-ins for the programs that draw and play.
@Suite(.sandbox, .timeLimit(.minutes(Patience.minutes)))
struct PictureTests {
  let sandbox: Sandbox
  /// The folder with the only programs that the program finds: those of the test, and curl.
  let programs: String

  init() throws {
    sandbox = try Sandbox.current
    programs = sandbox.path("programs")
    try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    for name in ["curl", "sh", "stty", "cat", "sleep"] {
      let found = path.split(separator: ":").map { "\($0)/\(name)" }.first {
        FileManager.default.isExecutableFile(atPath: $0)
      }
      if let found { try link(name, to: found) }
    }
  }

  func link(_ name: String, to path: String) throws {
    try FileManager.default.createSymbolicLink(atPath: "\(programs)/\(name)", withDestinationPath: path)
  }

  /// A catalog with one record and its cover.
  func makeCatalog() throws {
    let outcome = try sandbox.run("add", "vinyl", "--title", "Kind of Blue")
    try #require(outcome.status == 0, "\(outcome.errors)")
    try sandbox.database().run(
      """
      INSERT INTO cover (item_id, bytes, media_type, source_url)
      VALUES (1, \(Picture.png(width: 30, height: 20)), 'image/png', 'https://pictures.example/1.png')
      """)
  }

  func atTerminal(_ words: String..., changing: [String: String?] = [:]) throws -> (text: String, status: Int32) {
    try atTerminal(words, changing: changing)
  }

  func atTerminal(_ words: [String], changing: [String: String?]) throws -> (text: String, status: Int32) {
    let terminal = try PseudoTerminal(width: 80)
    var environment = changing
    environment["PATH"] = programs
    let launch = try sandbox.launch(words.map { Array($0.utf8) }, changing: environment, terminal: terminal)
    terminal.readToEnd()
    return (terminal.text, launch.wait())
  }

  @Test(arguments: [
    (["TERM": "xterm-kitty"], "--format kitty"), (["TERM_PROGRAM": "iTerm.app"], "--format iterm"),
    (["TERM": "foot"], "--format sixels"),
    (["COLORTERM": "truecolor"], "--format symbols --colors full --symbols vhalf"),
    (["TERM": "screen-256color"], "--format symbols --colors 256 --symbols vhalf"),
    (["NO_COLOR": "1", "TERM": "xterm-kitty"], "--format symbols --colors none"),
    (["LANG": "C", "TERM": "xterm"], "--format symbols --colors 16 --symbols ascii"),
  ])
  func `chafa gets the best format that the environment supports`(
    _ environment: [String: String], _ arguments: String
  ) throws {
    try makeCatalog()
    try link("chafa", to: StandIn.path)
    // The picture is on its standard input, whole.
    var changing = environment.mapValues { Optional($0) }
    changing["STAND_IN"] = "echo \"$*\"; cat > '\(sandbox.path("seen"))'"
    let (text, status) = try atTerminal("cover", "1", changing: changing)
    #expect(text == "--size 80x22 --animate off --duration 0 \(arguments) -\n")
    #expect(status == 0)
    #expect(try sandbox.bytes(of: sandbox.path("seen")) == Picture.png(width: 30, height: 20))
  }

  @Test func `--as, --width and the graphics setting decide the format for chafa`() throws {
    try makeCatalog()
    try link("chafa", to: StandIn.path)
    let script = ["STAND_IN": Optional("echo \"$*\"")]
    #expect(
      try atTerminal("cover", "1", "--as", "sixels", "-w", "20", changing: script).text
        == "--size 20x22 --animate off --duration 0 --format sixels -\n")
    try sandbox.configure(["graphics": "kitty"])
    #expect(try atTerminal("cover", "1", changing: script).text.contains("--format kitty -\n"))
    #expect(try atTerminal("cover", "1", "--as", "blocks", changing: script).text.contains("--format symbols"))
  }

  @Test func `without chafa cover explains how to install it, and the shelf has no covers`() throws {
    try makeCatalog()
    let (text, status) = try atTerminal("cover", "1")
    #expect(
      text == """
        catalog: covers are drawn by the program chafa, which is not installed
        hint: apt-get install chafa; 'catalog cover --save FILE' keeps a picture without
        it

        """)
    #expect(status == 1)
    let shelf = try atTerminal("shelf", "vinyl", "-p", "1", "--covers", changing: ["NO_COLOR": "1"])
    #expect(shelf.text.contains("which is not installed\n"))
    #expect(shelf.text.contains("│ Kind of Blue           │\n"))
    #expect(shelf.status == 0)
  }

  @Test func `a chafa that fails is explained`() throws {
    try makeCatalog()
    try link("chafa", to: StandIn.path)
    let (text, status) = try atTerminal("cover", "1", changing: ["STAND_IN": "echo half; exit 2"])
    #expect(text == "catalog: chafa could not draw the cover\nhint: 'catalog cover --save FILE' keeps the picture\n")
    #expect(status == 1)
  }

  @Test func `a pixel terminal gets covers inside the frames of the shelf`() throws {
    try makeCatalog()
    try link("chafa", to: StandIn.path)
    let (text, status) = try atTerminal(
      "shelf", "vinyl", "-c", "-p", "1", changing: ["TERM": "xterm-kitty", "STAND_IN": "echo PIXELS"])
    #expect(status == 0)
    // Up to the second line of the frame, into its third column, and back.
    #expect(text.contains("╯\n\u{1B}7\u{1B}[16A\r\u{1B}[2CPIXELS\u{1B}8"), "\(text)")
  }

  @Test func `show draws the first pictures of a movie below its page`() throws {
    let sources = try SourceServer { question in
      question.path.hasPrefix("/covers/") ? .answer(body: Picture.png(width: 40, height: 20)) : nil
    }
    try sandbox.configure(sources.configuration)
    try link("chafa", to: StandIn.path)
    let words = ["show", "tmdb:438631", "--covers", "--no-pager"]
    let changing = ["CATALOG_TMDB_TOKEN": Optional("token"), "STAND_IN": "echo \"$2\"", "NO_COLOR": "1"]
    let drawn = try atTerminal(words, changing: changing)
    #expect(drawn.status == 0)
    // A poster and a backdrop, both twice as wide as high, which is four cells to a line; and their captions.
    let row = drawn.text.split(separator: "\n").filter { $0.contains("32x8") }
    #expect(row.map { $0.split(separator: " ").count } == [2], "\(drawn.text)")
    #expect(drawn.text.contains("\ncover                             1 "))
    #expect(drawn.text.contains("Gallery\n  1  backdrop"))
    #expect(sources.paths.contains { $0.hasSuffix("/w1280/sand.jpg") })

    var kitty = changing
    (kitty["NO_COLOR"], kitty["TERM"], kitty["STAND_IN"]) = (.some(nil), "xterm-kitty", "echo PIXELS")
    let pixels = try atTerminal(words, changing: kitty)
    #expect(pixels.text.contains("\u{1B}7\u{1B}[9A\rPIXELS\u{1B}8\u{1B}7\u{1B}[9A\r\u{1B}[34CPIXELS\u{1B}8"))
  }

  @Test func `the real chafa draws a picture`() throws {
    let found = ["/usr/bin/chafa", "/usr/local/bin/chafa"].first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let found else { return print("skipped: chafa is not installed") }
    try makeCatalog()
    try link("chafa", to: found)
    let (text, status) = try atTerminal("cover", "1", "-w", "6", changing: ["COLORTERM": "truecolor"])
    #expect(status == 0)
    #expect(text.contains("\u{1B}[38;2;128;128;128"))
    #expect(text.contains("▄"))
  }

  // MARK: Posters

  /// A picture of one pixel that every program can read.
  private static let dot =
    Data(base64Encoded: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7").map(Array.init) ?? []

  @Test func `poster covers are scaled and the poster drawn by programs with piped input`() throws {
    try makeCatalog()
    try sandbox.database().run("UPDATE cover SET bytes = \(Self.dot)")
    for name in ["vipsthumbnail", "rsvg-convert"] { try link(name, to: StandIn.path) }
    let (seen, arguments) = (sandbox.path("seen"), sandbox.path("arguments"))
    let jpeg = #"\377\330\377\300\000\013\010\000\005\000\004\001\001\021\000"#
    let script = """
      echo "${0##*/} $* $VIPS_CONCURRENCY" >> '\(arguments)'
      cat > '\(seen)'-"${0##*/}"
      case $0 in *vips*) printf '\(jpeg)';; *) printf '\\211PNG drawn';; esac
      """
    let target = sandbox.path("poster.png")
    let run = try sandbox.run(
      "genres", "--poster", target, changing: ["PATH": programs, "STAND_IN": script])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors == "", "\(run.errors)")
    #expect(
      String(decoding: try sandbox.bytes(of: arguments), as: UTF8.self) == """
        vipsthumbnail stdin --size 480x640> -o .jpg[Q=82,strip,background=255] 1
        rsvg-convert --format png \n
        """)
    #expect(try sandbox.bytes(of: seen + "-vipsthumbnail") == Self.dot)
    let svg = String(decoding: try sandbox.bytes(of: seen + "-rsvg-convert"), as: UTF8.self)
    #expect(svg.hasPrefix("<?xml"))
    #expect(svg.contains("data:image/jpeg;base64,/9j/wAALCAAFAAQBAREA"))
    #expect(try sandbox.bytes(of: target).starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test(arguments: ["vipsthumbnail", "convert"]) func `the real programs scale a cover and draw the poster`(
    _ name: String
  ) throws {
    func find(_ name: String) -> String? {
      ["/usr/bin", "/usr/local/bin"].map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
    }
    guard let scaler = find(name), let drawer = find("rsvg-convert") else {
      return print("skipped: \(name) or rsvg-convert is not installed")
    }
    try makeCatalog()
    try sandbox.database().run("UPDATE cover SET bytes = \(Self.dot)")
    try link(name, to: scaler)
    try link("rsvg-convert", to: drawer)
    for file in ["poster.svg", "poster.png"] {
      let run = try sandbox.run("genres", "--poster", sandbox.path(file), changing: ["PATH": programs])
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.errors == "", "\(run.errors)")
    }
    let svg = String(decoding: try sandbox.bytes(of: sandbox.path("poster.svg")), as: UTF8.self)
    #expect(svg.contains("data:image/jpeg;base64,/9j/"))
    // The header of a PNG of 1080 × 1440 pixels.
    let png = try sandbox.bytes(of: sandbox.path("poster.png"))
    #expect(png.dropFirst(16).prefix(8).elementsEqual([0, 0, 4, 0x38, 0, 0, 5, 0xA0]))
  }

  @Test func `a card made offline keeps the cover of the viewed result`() throws {
    let sources = try SourceServer()
    try sandbox.configure(sources.configuration)
    #expect(try sandbox.run("search", "kind of blue", "--kind", "vinyl").status == 0)
    let terminal = try PseudoTerminal(width: 100)
    let show = try sandbox.launch("show", "r1", "--no-pager", changing: ["PATH": programs], terminal: terminal)
    terminal.readToEnd()
    #expect(show.wait() == 0)
    #expect(sources.paths.last?.hasPrefix("/covers/") == true)
    let count = sources.paths.count
    let card = try sandbox.run("--offline", "card", "add", "r1", "--stars", "4.5")
    #expect(card.status == 0, "\(card.errors)")
    #expect(sources.paths.count == count)
    let cover = try sandbox.database().value("SELECT bytes FROM cover WHERE item_id = 1", as: [UInt8].self)
    #expect(cover == Picture.png(width: 30, height: 20))
    let stats = try sandbox.run("cache", "stats", "--json=what,entries")
    #expect(stats.output.hasPrefix(#"[{"what":"pictures","entries":1}"#))
  }

  // MARK: Previews

  /// A result with a preview at the server, and the player's script.
  func makePreview() throws -> (sources: SourceServer, address: String) {
    let sources = try SourceServer { question in
      if question.path == "/preview.m4v" { return .answer(body: [1, 2, 3]) }
      guard question.path.hasPrefix("/itunes/") else { return nil }
      return SourceServer.json(
        """
        {"results": [{"wrapperType": "track", "kind": "feature-movie", "trackId": 1, "trackName": "Dune",
          "previewUrl": "https://video.example/dune.m4v"}]}
        """)
    }
    try sandbox.configure(sources.configuration)
    #expect(try sandbox.run("search", "dune", "--kind", "movie").status == 0)
    return (sources, "https://video.example/dune.m4v")
  }

  @Test func `preview runs the first installed player and ends with it`() throws {
    let (_, address) = try makePreview()
    try link("ffplay", to: StandIn.path)
    try link("vlc", to: StandIn.path)
    let (text, status) = try atTerminal("preview", "r1", changing: ["STAND_IN": "echo \"${0##*/} $*\""])
    #expect(text == "ffplay -autoexit -hide_banner -loglevel error \(address)\n")
    #expect(status == 0)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends the player and restores the terminal`(_ signal: Int32) throws {
    _ = try makePreview()
    try link("mpv", to: StandIn.path)
    let terminal = try PseudoTerminal(width: 80)
    let before = terminal.mode
    let launch = try sandbox.launch(
      "preview", "r1",
      changing: ["PATH": programs, "STAND_IN": "stty raw -echo; echo \"playing $$ \"; exec sleep 1000"],
      terminal: terminal)
    #expect(terminal.waitFor("playing "))
    #expect(terminal.mode != before)
    launch.send(signal)
    #expect(launch.wait() == 128 + signal)
    #expect(terminal.mode == before)
    terminal.readToEnd()
    #expect(terminal.text.contains("catalog: stopped"))
    let player = terminal.text.split(separator: " ").dropFirst().first.flatMap { Int32($0) }
    #expect(try kill(#require(player), 0) != 0)
  }

  @Test func `Ctrl-C ends a player that leaves the keys to the terminal`() throws {
    _ = try makePreview()
    try link("mpv", to: StandIn.path)
    let terminal = try PseudoTerminal(width: 80)
    let launch = try sandbox.launch(
      "preview", "r1", changing: ["PATH": programs, "STAND_IN": "echo playing; exec sleep 1000"], terminal: terminal)
    #expect(terminal.waitFor("playing"))
    terminal.type("\u{3}")
    #expect(launch.wait() == 130)
  }
}
