internal import CommandLineKit
internal import Processes

/// A program that plays a preview, and its command line.
struct Player: Equatable {
  var words: [String]

  /// The players to try when none is set.
  static let usual = "mpv,ffplay,cvlc,vlc,mplayer"

  /// The players of a list such as `mpv --no-video, vlc`: programs, with optional arguments, separated by commas.
  static func list(_ setting: String) -> [Player] {
    setting.split(separator: ",").map { Player(words: Spawn.words(of: String($0))) }.filter { !$0.words.isEmpty }
  }

  /// The command line that plays an address once and then ends. Well-known players get our options, unless the person
  /// has set arguments.
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
