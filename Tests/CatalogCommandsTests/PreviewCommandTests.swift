import CatalogModel
import CommandLineKit
import Foundation
import Lookup
import Processes
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

  /// Makes a player that records its arguments.
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

  @Test(arguments: [[String](), ["--save", "-"]])
  func `a preview on a private network is not played or saved`(_ words: [String]) throws {
    var record = Record(kind: .music, title: "So What")
    let id = ExternalID(source: "itunes", value: "track/1")
    record.externalIDs = [id]
    record.previewURL = "https://192.168.1.1/reboot.m4a"
    catalog.results([Candidate(id: id, record: record)])
    catalog.pictures = .curl(identity: Identity(program: "x"), environment: [:])
    try catalog.configure("player", "true")
    let refused = catalog.run(["preview", "r1"] + words)
    #expect(
      refused.errors.hasPrefix(
        "catalog: the server of the preview is on this computer or a private network (192.168.1.1)"))
    #expect(refused.status == 3)
    try catalog.configure("sources.itunes.base_url", "https://10.0.0.7/itunes")
    if words.isEmpty { #expect(catalog.run("preview", "r1").status == 0) }
  }

  @Test func `a player that fails says so, and no other is tried`() throws {
    try catalog.configure("player", "false,true")
    #expect(
      catalog.run("preview", "r1")
        == .init(
          output: "", errors: "catalog: 'false' could not play the preview\nhint: --print prints its address\n",
          status: 1))
  }

  @Test func `without an installed player preview hints which to install`() throws {
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

  @Test func `preview --print prints the address, and --dry-run plays nothing`() throws {
    try catalog.configure("player", "false")
    #expect(catalog.run("preview", "r1", "--print") == .init(output: address + "\n", errors: "", status: 0))
    #expect(catalog.run("preview", "r1", "-n") == .init(output: "would play \(address)\n", errors: "", status: 0))
  }

  @Test func `preview --save writes the whole file or leaves it unchanged`() throws {
    let path = folder.path("so what.m4a")
    catalog.pictures = .recorded([address: Response(status: 200, body: [1, 2, 3])])
    #expect(catalog.run("preview", "r1", "--save", path).output == "wrote \(path) (3 B)\n")
    #expect(try Data(contentsOf: URL(filePath: path)) == Data([1, 2, 3]))
    catalog.pictures = .recorded([address: Response(status: 404)])
    #expect(catalog.run("preview", "r1", "--save", path, "--yes").status == 1)
    catalog.pictures = .offline
    #expect(catalog.run("preview", "r1", "--save", path, "--yes").status == 1)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data([1, 2, 3]))
  }

  @Test func `an item without a preview is reported, and an address without https is not played`() throws {
    try catalog.add(.vinyl, "Untitled")
    let run = catalog.run("preview", "1")
    #expect(run.errors.hasPrefix("catalog: no preview of 'Untitled' is known\nhint: "))
    #expect(run.status == 1)
    var record = Record(kind: .music, title: "Odd")
    record.previewURL = "file:///etc/passwd"
    catalog.results([Candidate(id: ExternalID(source: "pack", value: "music/odd"), record: record)])
    try catalog.configure("player", "true")
    #expect(catalog.run("preview", "r1").errors.contains("was not played: it is not an https address"))
  }

  @Test func `preview of an album plays its first track with a preview and asks only iTunes`() throws {
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

  @Test(arguments: [
    ("1-01", "1"), ("1-1", "1"), ("2-01", "3"), (" 2-1 ", "3"),
  ]) func `preview --track plays that track, and its preview address is not stored`(
    _ number: String, _ file: String
  ) throws {
    catalog.http = HTTPClient(each: { _ in .success(Response(status: 200, body: Array(Self.twoDiscs.utf8))) })
    let url = "https://audio.example/\(file).m4a"
    #expect(catalog.run("preview", "itunes:collection/7", "--track", number, "--print").output == url + "\n")
    try catalog.configure("player", "false")
    #expect(catalog.run("preview", "itunes:collection/7", "--track", number, "-n").output == "would play \(url)\n")
    #expect(catalog.run("add", "itunes:collection/7", "--as", "vinyl").status == 0)
    #expect(try catalog.store.item(ItemID(rawValue: 1)).record.tracks.map(\.previewURL) == [nil, nil, nil])
    let album = try #require(
      try? JSONDecoder().decode(
        Track.self,
        from: JSONEncoder().encode(
          Track(position: "1", title: "So What", seconds: 5, previewURL: url))))
    #expect(album == Track(position: "1", title: "So What", seconds: 5))
  }

  @Test func `a missing track or a track without a preview is reported`() throws {
    catalog.http = HTTPClient(each: { _ in .success(Response(status: 200, body: Array(Self.twoDiscs.utf8))) })
    #expect(
      catalog.run("preview", "itunes:collection/7", "--track", "3-01")
        == .init(
          output: "",
          errors: """
            catalog: 'Kind of Blue' has no track '3-01'
            hint: its tracks are 1-01 to 2-01: catalog show itunes:collection/7

            """, status: 1))
    #expect(
      catalog.run("preview", "itunes:collection/7", "--track", "1-02").errors
        == "catalog: no preview of track 1-02, 'Freddie Freeloader', is known\n")
    #expect(catalog.run("preview", "itunes:collection/7", "--track", "").status == 1)
    #expect(
      catalog.run("preview", "r1", "--track", "1").errors.hasPrefix(
        "catalog: no previews of the tracks of 'So What' are known\nhint: iTunes has some"))
    catalog.http = HTTPClient(each: { _ in
      .success(
        Response(
          status: 200,
          body: Array(
            #"{"results": [{"wrapperType": "track", "kind": "song", "trackId": 5, "trackName": "So What"}]}"#.utf8)))
    })
    #expect(
      catalog.run("preview", "itunes:track/5", "--track", "1").errors
        == "catalog: 'So What' has no tracks\nhint: without --track its own preview is played\n")
  }

  static let twoDiscs = """
    {"results": [
      {"wrapperType": "collection", "collectionId": 7, "collectionName": "Kind of Blue"},
      {"wrapperType": "track", "kind": "song", "collectionId": 7, "trackId": 3, "trackNumber": 1, "discNumber": 2,
       "discCount": 2, "trackName": "All Blues", "previewUrl": "https://audio.example/3.m4a"},
      {"wrapperType": "track", "kind": "song", "collectionId": 7, "trackId": 2, "trackNumber": 2, "discNumber": 1,
       "discCount": 2, "trackName": "Freddie Freeloader"},
      {"wrapperType": "track", "kind": "song", "collectionId": 7, "trackId": 1, "trackNumber": 1, "discNumber": 1,
       "discCount": 2, "trackName": "So What", "previewUrl": "https://audio.example/1.m4a"}]}
    """

  @Test func `well-known players get arguments to play once and quit`() {
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
