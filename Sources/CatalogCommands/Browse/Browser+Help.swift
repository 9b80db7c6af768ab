internal import CommandLineKit

extension Browser {
  /// A line of the page that explains the keys.
  enum HelpLine: Equatable {
    case heading(String)
    /// Keys on a line of their own, in a column of this width.
    case keys(String, Int)
    /// A line of the meaning of keys. The first line has the keys beside it, further lines an empty string.
    case meaning(String, keys: String, Int)
  }

  private static let keys: [(heading: Message, keys: [(String, Message)])] = [
    (
      "While you type",
      [
        ("Enter", "ask at once, and go to the results"),
        ("↓", "go to the list"),
        ("Tab, Shift-Tab", "the next kind, the one before"),
        ("Ctrl-T", "the next category of iTunes: actor, artist, …"),
        ("Ctrl-S", "the four seasons, and back"),
        ("Ctrl-U, Ctrl-W", "delete all before the cursor, or a word"),
        ("Esc", "clear; with nothing typed, quit"),
      ]
    ),
    (
      "In the list",
      [
        ("↑ ↓ Home End", "move; also k j g G"),
        ("Page Up, Page Down", "move by a screen; also the space bar"),
        ("← → Tab", "other kinds"),
        ("t T", "the next category, the one before"),
        ("s", "the four seasons, and back"),
        ("Enter", "show everything; it counts as viewed"),
        ("a", "add to your shelf"),
        ("f", "make a favorite"),
        ("c", "write a card: stars and words"),
        ("l", "watched, read or played today"),
        ("w", "put on the wish list"),
        ("p", "play the preview"),
        ("o", "open the page"),
        ("/ Esc", "back to the words"),
        ("q", "quit; Ctrl-C quits from anywhere"),
      ]
    ),
  ]

  /// The page that explains the keys, for the size of this screen.
  var help: [HelpLine] {
    let column = min(20, size.columns / 3)
    let room = max(2, size.columns - column - 4)
    return Self.keys.flatMap { section in
      [.heading(section.heading.text(in: translation))]
        + section.keys.flatMap { keys, meaning -> [HelpLine] in
          let isApart = keys.cellWidth > column
          let lines = meaning.text(in: translation).wrapped(to: room).enumerated().map { index, text in
            HelpLine.meaning(text, keys: index == 0 && !isApart ? keys : "", column)
          }
          return (isApart ? [.keys(keys, column)] : []) + lines
        }
    }
  }

  /// Handles a key while the help page is shown; returns nil when it is not.
  mutating func pressInHelp(_ key: Key) -> [Effect]? {
    guard let scroll = helpScroll else { return nil }
    let last = max(0, help.count - sheetHeight)
    switch key {
    case .up, .character("k"): helpScroll = max(0, scroll - 1)
    case .down, .character("j"): helpScroll = min(last, scroll + 1)
    case .pageUp: helpScroll = max(0, scroll - sheetHeight + 1)
    case .pageDown, .character(" "): helpScroll = min(last, scroll + sheetHeight - 1)
    default: helpScroll = nil
    }
    return []
  }
}
