internal import CatalogModel
internal import CommandLineKit
internal import Lookup

/// A program that plays a preview, and the words that it is started with.
struct Player: Equatable {
  var words: [String]

  /// What is tried when nothing is set.
  static let usual = "mpv,ffplay,cvlc,vlc,mplayer"

  /// The players of a list such as `mpv --no-video, vlc`: programs, with arguments perhaps, with commas between them.
  static func list(_ setting: String) -> [Player] {
    setting.split(separator: ",").map { Player(words: Spawn.words(of: String($0))) }.filter { !$0.words.isEmpty }
  }

  /// How it is started to play an address once and end. Those that are well known are told how; a person's own
  /// arguments stand in the place of ours.
  func command(playing url: String, isVideo: Bool) -> [String] {
    guard let program = words.first, words.count == 1 else { return words + [url] }
    let name = program.split(separator: "/").last ?? ""
    let options: [String] =
      switch name {
      case "mpv": ["--really-quiet", "--no-ytdl"] + (isVideo ? [] : ["--no-video"])
      case "ffplay": ["-autoexit", "-hide_banner", "-loglevel", "error"] + (isVideo ? [] : ["-nodisp"])
      case "vlc", "cvlc": ["--play-and-exit", "--quiet"] + (isVideo ? [] : ["--no-video"])
      case "mplayer": ["-really-quiet"] + (isVideo ? [] : ["-vo", "null"])
      default: []
      }
    return [program] + options + [url]
  }
}

extension Context {
  /// Plays an address with the person's player, which has the terminal until it ends.
  /// - Throws: ``Failure`` when none can, ``Interrupted`` when it was stopped.
  func play(_ url: String, of record: Record) throws {
    guard url.lowercased().hasPrefix("https://") else {
      throw Failure("\(url.quoted) is not played: it is no https address", hint: "--print prints it")
    }
    if let error = request(for: url, of: record, from: "previews").refusal(of: url) {
      throw Failure(SourceError.network(error), named: "the server of the preview")
    }
    let players = Player.list(try configuration()["player"] ?? Player.usual)
    if globals.isDryRun { return try print("would play \(safe(url))") }
    output.passOn()
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
