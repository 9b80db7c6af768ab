import CatalogModel
import CommandLineKit
import Foundation
import Lookup
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct PreviewCommandTests {
  let catalog: TestCatalog
  let folder: TemporaryFolder
  let address = "https://audio.example/so-what.m4a"

  init() throws {
    catalog = try TestCatalog()
    folder = try TemporaryFolder()
    var record = Record(kind: .music, title: "So What")
    let id = ExternalID(source: "pack", value: "music/so-what")
    record.externalIDs = [id]
    record.previewURL = address
    catalog.results([Candidate(id: id, record: record)])
  }

  /// A player that writes down what it is asked to play.
  func player(_ script: String) throws -> String {
    let path = folder.path("player.sh")
    try Data(script.utf8).write(to: URL(filePath: path))
    return "sh \(path)"
  }

  @Test func `the first installed player of the list plays the address`() throws {
    let log = folder.path("log")
    try catalog.configure("player", "/nonexistent/player, \(try player("echo \"$@\" > \(log)")) --loud,false")
    #expect(catalog.run("preview", "r1") == .init(output: "", errors: "", status: 0))
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "--loud \(address)\n")
  }

  @Test func `a player that fails says so, and no other is tried`() throws {
    try catalog.configure("player", "false,true")
    #expect(
      catalog.run("preview", "r1")
        == .init(
          output: "", errors: "catalog: 'false' could not play the preview\nhint: --print prints its address\n",
          status: 1))
  }

  @Test func `without a player it says which can be installed`() throws {
    try catalog.configure("player", "/nonexistent/mpv,/nonexistent/vlc --quiet")
    #expect(
      catalog.run("preview", "r1")
        == .init(
          output: "",
          errors: """
            catalog: no player is installed: looked for /nonexistent/mpv, /nonexistent/vlc
            hint: apt-get install mpv; or name yours: catalog config set player NAME

            """, status: 1))
  }

  @Test func `--print prints the address, --dry-run plays nothing`() throws {
    try catalog.configure("player", "false")
    #expect(catalog.run("preview", "r1", "--print") == .init(output: address + "\n", errors: "", status: 0))
    #expect(catalog.run("preview", "r1", "-n") == .init(output: "would play \(address)\n", errors: "", status: 0))
  }

  @Test func `--save keeps it in a file, whole or not at all`() throws {
    let path = folder.path("so what.m4a")
    catalog.pictures = .recorded([address: Response(status: 200, body: [1, 2, 3])])
    #expect(catalog.run("preview", "r1", "--save", path).output == "wrote \(path) (3 B)\n")
    #expect(try Data(contentsOf: URL(filePath: path)) == Data([1, 2, 3]))
    catalog.pictures = .recorded([address: Response(status: 404)])
    #expect(catalog.run("preview", "r1", "--save", path, "--yes").status == 1)
    catalog.pictures = .offline
    #expect(catalog.run("preview", "r1", "--save", path, "--yes").status == 3)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data([1, 2, 3]))
  }

  @Test func `what has none says so, and what is not https is not played`() throws {
    try catalog.add(.vinyl, "Untitled")
    let run = catalog.run("preview", "1")
    #expect(run.errors.hasPrefix("catalog: no preview of 'Untitled' is known\nhint: "))
    #expect(run.status == 1)
    var record = Record(kind: .music, title: "Odd")
    record.previewURL = "file:///etc/passwd"
    catalog.results([Candidate(id: ExternalID(source: "pack", value: "music/odd"), record: record)])
    try catalog.configure("player", "true")
    #expect(catalog.run("preview", "r1").errors.contains("is not played: it is no https address"))
  }

  @Test func `an album of iTunes plays its first track with a preview, and only such sources are asked`() throws {
    try catalog.add(.vinyl, "Kind of Blue") {
      $0.externalIDs = [
        ExternalID(source: "musicbrainz", value: "x"), ExternalID(source: "itunes", value: "collection/7"),
      ]
    }
    catalog.http = HTTPClient(each: { request in
      guard request.source == "itunes" else {
        Issue.record("\(request.url)")
        return .failure(.offline(host: request.host))
      }
      return .success(
        Response(
          status: 200,
          body: Array(
            """
            {"results": [
              {"wrapperType": "collection", "collectionId": 7, "collectionName": "Kind of Blue"},
              {"wrapperType": "track", "kind": "song", "collectionId": 7, "trackId": 2, "trackNumber": 2,
               "trackName": "Freddie Freeloader", "previewUrl": "https://audio.example/2.m4a"},
              {"wrapperType": "track", "kind": "song", "collectionId": 7, "trackId": 1, "trackNumber": 1,
               "trackName": "So What", "previewUrl": "https://audio.example/1.m4a"}]}
            """.utf8)))
    })
    #expect(catalog.run("preview", "1", "--print").output == "https://audio.example/1.m4a\n")
  }

  @Test func `well-known players are told to play once and end`() {
    func command(_ word: String, isVideo: Bool = false) -> String {
      Player(words: Spawn.words(of: word)).command(playing: "URL", isVideo: isVideo).joined(separator: " ")
    }
    #expect(command("mpv") == "mpv --really-quiet --no-ytdl --no-video URL")
    #expect(command("/usr/bin/mpv", isVideo: true) == "/usr/bin/mpv --really-quiet --no-ytdl URL")
    #expect(command("ffplay") == "ffplay -autoexit -hide_banner -loglevel error -nodisp URL")
    #expect(command("cvlc", isVideo: true) == "cvlc --play-and-exit --quiet URL")
    #expect(command("mplayer") == "mplayer -really-quiet -vo null URL")
    #expect(command("other") == "other URL")
    // One's own arguments stand alone.
    #expect(command("mpv --volume=50") == "mpv --volume=50 URL")
  }
}
