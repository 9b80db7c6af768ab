internal import CatalogModel
internal import CommandLineKit
internal import Lookup
internal import Processes

extension Context {
  /// Plays an address with the person's player, which has the terminal until it ends.
  /// - Throws: ``Failure`` when no player can play it, ``Interrupted`` after Ctrl-C.
  func play(_ url: String, of record: Record) throws {
    guard url.lowercased().hasPrefix("https://") else {
      throw Failure("\(url.quoted) was not played: it is not an https address", hint: "--print prints it")
    }
    if let error = request(for: url, of: record, from: "previews").refusal(of: url) {
      throw Failure(SourceError.network(error), named: "the server of the preview")
    }
    let players = Player.list(try configuration()["player"] ?? Player.usual)
    if globals.isDryRun { return try print("would play \(safe(url))") }
    output.flushIgnoringErrors()
    for player in players {
      guard let status = try? Foreground.run(player.command(playing: url, isVideo: record.kind == .movie), on: terminal)
      else {
        try Interrupt.check()
        continue
      }
      guard status.isSuccess else {
        throw Failure(
          "\((player.words.first ?? "").quoted) could not play the preview", hint: "--print prints its address")
      }
      return
    }
    let names = players.compactMap(\.words.first)
    throw Failure(
      "no player is installed: looked for \(names.joined(separator: ", "))",
      hint: "apt-get install mpv; or name yours: catalog config set player NAME")
  }
}
