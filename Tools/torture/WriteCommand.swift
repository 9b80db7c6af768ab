import FoundationEssentials
import SQLite
import TestSupport

/// A command that writes, and its starting state.
struct WriteCommand: Sendable {
  /// The contents of the home folder before the command.
  enum Start: Sendable {
    /// An empty folder.
    case nothing
    /// A few items, cards, favorites, settings and a key.
    case shelf
    /// The same, after a change that only another program makes.
    case changed(@Sendable (Connection) throws -> Void)
    /// The same, after other commands.
    case after([[String]])
    /// A saved catalog of an earlier version: `v1.db`.
    case saved(String)
  }

  var name: String
  var words: [String]
  var input = ""
  var start = Start.shelf
  /// The editor, as a shell command that writes ``typed`` to its file `$1`. The command then runs in a terminal.
  var editor: String?
  /// Additional arguments or lines of input, each of which is a separate change.
  var parts: [String] = []
  /// Whether the parts are lines of input.
  var areLines = false
  /// Another command that leaves the home as this one may when it is interrupted.
  var halfway: [String]?
  /// Whether a second run has the same result, whatever an interrupted first run has left.
  var isRepeatable = false
  /// Whether the output says nothing about writing: the command shows something, and writes only if possible.
  var onlyShows = false
  /// Whether the output is the same after a failure, so that only the status tells.
  var tellsByStatus = false

  /// The text that the editor writes, and the file that it creates afterwards.
  static let (typed, edited) = ("Typed by hand", "edited")

  /// A secret that only its owner may see.
  static let key = "sesame-1f0c9a"

  /// Another profile with data, which is not in use.
  private static let club = [
    ["profile", "use", "--new", "club"], ["add", "book", "--title", "Solaris"], ["profile", "use", "default"],
  ]

  /// Adds a copy of each item.
  @Sendable private static func copies(_ db: Connection) throws {
    try db.run("INSERT OR IGNORE INTO copy (id, item_id, created_at) SELECT id, id, created_at FROM item")
  }

  /// All commands that write and need no network.
  static let all: [WriteCommand] = [
    WriteCommand(
      name: "add by hand",
      words: [
        "add", "book", "--title", "Solaris", "--creator", "Stanisław Lem", "--year", "1961", "--genre",
        "Science Fiction", "--genre", "A Genre of My Own", "--comment", "An ocean thinks.", "--stars", "4.5",
        "--favorite", "--yes",
      ]),
    WriteCommand(name: "add of the pack", words: ["add", "pack:book/1q84-2009"]),
    WriteCommand(
      name: "add of lines", words: ["add", "-"],
      parts: ["pack:book/2001-a-space-odyssey-1968", "pack:book/2666-2004", "pack:book/1q84-2009"], areLines: true),
    WriteCommand(
      name: "add as the first", words: ["add", "movie", "--title", "Stalker", "--year", "1979", "--genre", "Drama"],
      start: .nothing),
    WriteCommand(
      name: "edit of fields",
      words: ["edit", "1", "title=Changed", "year=1970", "creator+=Someone Else", "genre+=Jazz", "genre-=Drama"]),
    WriteCommand(
      name: "edit of many",
      words: ["edit", "--where", "kind:book", "genre+=Classics", "publisher=All of Them", "--yes"]),
    WriteCommand(
      name: "edit in the editor", words: ["edit", "1"], editor: #"sed -i 's/^title:.*/title: \#(typed)/' "$1""#),
    WriteCommand(
      name: "card add", words: ["card", "add", "2", "--stars", "4.5", "--seen", "2026-11", "again and again"]),
    WriteCommand(name: "card edit", words: ["card", "edit", "1", "--stars", "2", "--seen", "2025", "other words"]),
    WriteCommand(name: "card edit in the editor", words: ["card", "edit", "1"], editor: #"echo "\#(typed)" >> "$1""#),
    WriteCommand(name: "card remove", words: ["card", "remove", "1", "2", "--yes"]),
    WriteCommand(name: "card remove of all", words: ["card", "remove", "--all", "--yes"]),
    WriteCommand(
      name: "copy add",
      words: [
        "copy", "add", "2", "--media", "VG+", "--sleeve", "VG", "--place", "K2/3", "--price", "25000 KRW", "--note",
        "mine",
      ]),
    WriteCommand(
      name: "copy add of the pack", words: ["copy", "add", "pack:book/1q84-2009", "--place", "K2/3", "--on", "2019-03"]),
    WriteCommand(
      name: "copy edit", words: ["copy", "edit", "c1", "--place", "elsewhere", "--note", "not where it was"],
      isRepeatable: true),
    WriteCommand(name: "copy remove", words: ["copy", "remove", "c1", "c2", "--yes"]),
    WriteCommand(
      name: "represent", words: ["represent", "6"], start: .after([["add", "vinyl", "--title", "Giant Steps"]]),
      isRepeatable: true),
    WriteCommand(
      name: "represent none", words: ["represent", "--none"],
      start: .after([["add", "vinyl", "--title", "Giant Steps"], ["represent", "6"]])),
    WriteCommand(name: "log", words: ["log", "2"]),
    WriteCommand(
      name: "log with a card",
      words: [
        "log", "3", "--on", "2024-05", "--started", "2024", "--stars", "4.5", "--note", "in bed", "--comment", "again",
      ]),
    WriteCommand(name: "log of the pack", words: ["log", "pack:book/1q84-2009", "--page", "120", "--comment", "slow"]),
    WriteCommand(
      name: "log to the end", words: ["log", "6", "--stars", "5"],
      start: .after([["add", "pack:book/1q84-2009"], ["log", "6", "--page", "120", "--comment", "slow"]])),
    WriteCommand(name: "rate", words: ["rate", "2", "4.5"]),
    WriteCommand(
      name: "diary edit", words: ["diary", "edit", "1", "--on", "2020", "--stars", "4", "other words"],
      start: .after([["log", "2"]])),
    WriteCommand(
      name: "diary remove", words: ["diary", "remove", "1", "2", "--yes"],
      start: .after([["log", "2"], ["log", "3"]])),
    WriteCommand(name: "recent remove", words: ["recent", "remove", "@1", "@2"]),
    WriteCommand(name: "favorite", words: ["favorite"], parts: ["2", "3"]),
    WriteCommand(name: "unfavorite", words: ["unfavorite"], parts: ["4", "5"]),
    WriteCommand(name: "tag add", words: ["tag", "add", "winter"], parts: ["1", "2", "3"]),
    WriteCommand(
      name: "tag remove", words: ["tag", "remove", "winter", "1", "2"],
      start: .after([["tag", "add", "winter", "1", "2", "3"]])),
    WriteCommand(
      name: "tag rename", words: ["tag", "rename", "winter", "cold", "--yes"],
      start: .after([["tag", "add", "winter", "1", "2", "3"], ["tag", "add", "cold", "3", "4"]])),
    WriteCommand(name: "pile add", words: ["pile", "add", "next"], parts: ["1", "2", "3"]),
    WriteCommand(
      name: "pile move", words: ["pile", "move", "next", "4", "first"],
      start: .after([["pile", "add", "next", "1", "2", "3", "4"]])),
    WriteCommand(
      name: "pile remove", words: ["pile", "remove", "next", "1", "3"],
      start: .after([["pile", "add", "next", "1", "2", "3", "4"]])),
    WriteCommand(
      name: "pile remove of all", words: ["pile", "remove", "next", "--all", "--yes"],
      start: .after([["pile", "add", "next", "1", "2", "3", "4"]])),
    WriteCommand(
      name: "shelf save", words: ["shelf", "save", "fresh", "added:-2w..", "kind:book"], isRepeatable: true),
    WriteCommand(
      name: "shelf save over another", words: ["shelf", "save", "fresh", "kind:book", "--yes"],
      start: .after([["shelf", "save", "fresh", "kind:movie"]]), isRepeatable: true),
    WriteCommand(
      name: "shelf forget", words: ["shelf", "forget", "fresh"],
      start: .after([["shelf", "save", "fresh", "kind:movie"]])),
    WriteCommand(
      name: "wish", words: ["wish", "1", "--up-to", "30000 KRW", "--note", "the first pressing", "--yes"]),
    WriteCommand(name: "wish of words", words: ["wish", "a demo tape", "--kind", "vinyl", "--note", "from the band"]),
    WriteCommand(
      name: "wish again", words: ["wish", "1", "--up-to", "12.50 EUR"], start: .after([["wish", "1", "--yes"]])),
    WriteCommand(
      name: "wishes tie", words: ["wishes", "tie", "w1", "2"],
      start: .after([["wish", "a demo tape", "--kind", "vinyl"]])),
    WriteCommand(
      name: "wishes remove", words: ["wishes", "remove", "w1", "w2", "--yes"],
      start: .after([["wish", "one", "--kind", "book"], ["wish", "two", "--kind", "book"]])),
    WriteCommand(
      name: "lend", words: ["lend", "c1", "to", "Anna", "--due", "2w", "--note", "careful"], start: .changed(copies)),
    WriteCommand(
      name: "return", words: ["return", "c1"],
      start: .changed {
        try copies($0)
        try $0.run("INSERT INTO loan (copy_id, person, lent_on) VALUES (1, 'Anna', '2026-01-01')")
      }),
    WriteCommand(name: "remove", words: ["remove", "2", "4", "--yes"]),
    WriteCommand(
      name: "add of another edition",
      words: ["add", "book", "--title", "토지", "--creator", "박경리", "--year", "1994", "--yes"]),
    WriteCommand(name: "merge", words: ["merge", "2", "5", "--yes"]),
    WriteCommand(name: "edition add", words: ["edition", "add", "2", "5"]),
    WriteCommand(
      name: "edition remove", words: ["edition", "remove", "2"], start: .after([["edition", "add", "2", "5"]])),
    WriteCommand(name: "show", words: ["show", "3"], onlyShows: true),
    WriteCommand(name: "profile use", words: ["profile", "use", "club"], start: .after(club)),
    WriteCommand(
      name: "profile use of the first", words: ["profile", "use", "default"], start: .after(club.dropLast())),
    WriteCommand(name: "profile wipe", words: ["profile", "wipe", "club", "--confirm", "club"], start: .after(club)),
    WriteCommand(name: "genre rename", words: ["genre", "rename", "Drama", "Tragedies of Mine", "--yes"]),
    WriteCommand(name: "genre merge", words: ["genre", "merge", "Bebop", "Hard Bop", "Jazz", "--yes"]),
    WriteCommand(name: "genre alias", words: ["genre", "alias", "Hobbits of Mine", "Fantasy", "--yes"]),
    WriteCommand(
      name: "edit back to the labels", words: ["edit", "6", "genres!"],
      start: .after([["add", "pack:book/1q84-2009"], ["edit", "6", "genre=Jazz"]])),
    WriteCommand(
      name: "edit back to a source", words: ["edit", "1", "year!", "genre+=Jazz"],
      start: .after([["edit", "1", "year=1970"]])),
    // A GIF of 20 × 12 pixels.
    WriteCommand(
      name: "cover set", words: ["cover", "set", "1", "-"],
      input: "GIF89a\u{14}\0\u{C}\0\0\0\0,\0\0\0\0\u{14}\0\u{C}\0\0\u{2}\u{2}D\u{1}\0;"),
    WriteCommand(
      name: "cover remove", words: ["cover", "remove", "1", "2", "--yes"],
      start: .changed {
        try $0.run(
          "INSERT INTO cover (item_id, bytes, media_type) SELECT id, x'00', 'image/gif' FROM item WHERE id IN (1, 2)")
      }),
    WriteCommand(name: "genre parent", words: ["genre", "parent", "Fantasy", "--root", "--yes"]),
    WriteCommand(name: "undo", words: ["undo"], start: .after([["remove", "2", "4", "--yes"]])),
    WriteCommand(name: "undo of several", words: ["undo", "3", "--yes"]),
    WriteCommand(
      name: "redo", words: ["redo"], start: .after([["edit", "1", "title=Changed", "genre+=Jazz"], ["undo"]])),
    WriteCommand(name: "config set", words: ["config", "set", "player", "vlc"], isRepeatable: true),
    WriteCommand(name: "config unset", words: ["config", "unset", "locale.country"]),
    WriteCommand(name: "source key", words: ["source", "key", "tmdb"], input: "\(key)-new\n", isRepeatable: true),
    WriteCommand(
      name: "source key, another", words: ["source", "key", "kakao"], input: "\(key)-kakao\n", isRepeatable: true),
    WriteCommand(name: "backup", words: ["backup", "copy.db", "--yes"], isRepeatable: true),
    WriteCommand(
      name: "backup over another", words: ["backup", "copy.db", "--yes"],
      start: .after([["backup", "copy.db"], ["favorite", "2"]]),
      isRepeatable: true),
    WriteCommand(
      name: "doctor --fix of people", words: ["doctor", "--fix"],
      start: .changed { try $0.run("INSERT INTO person (name) VALUES ('Nobody'), ('Nobody Else')") },
      tellsByStatus: true),
    WriteCommand(
      name: "doctor --fix of the index", words: ["doctor", "--fix"],
      start: .changed {
        try $0.run("INSERT INTO item_search (item_search) VALUES ('delete-all')")
      }, tellsByStatus: true),
    WriteCommand(
      name: "migration from 1", words: ["card", "add", "1", "--stars", "3", "after all"], start: .saved("v1.db"),
      halfway: ["list"]),
    WriteCommand(
      name: "migration from 4", words: ["edit", "1", "title=After All"], start: .saved("v4.db"), halfway: ["list"]),
    WriteCommand(name: "migration from 5", words: ["favorite", "4"], start: .saved("v5.db"), halfway: ["list"]),
    WriteCommand(name: "migration from 6", words: ["favorite", "2"], start: .saved("v6.db"), halfway: ["favorites"]),
    WriteCommand(
      name: "migration from 7", words: ["edit", "5", "genre+=Jazz"], start: .saved("v7.db"), halfway: ["genres"]),
    WriteCommand(
      name: "migration from 8", words: ["edit", "3", "genre+=Jazz"], start: .saved("v8.db"), halfway: ["list"]),
    WriteCommand(name: "migration from 9", words: ["favorite", "2"], start: .saved("v9.db"), halfway: ["favorites"]),
    WriteCommand(name: "migration from 10", words: ["favorite", "3"], start: .saved("v10.db"), halfway: ["list"]),
  ]

  /// The deed with some of its parts alone: a bit for each.
  func doing(_ parts: Int) -> WriteCommand {
    guard !self.parts.isEmpty else { return self }
    let chosen = self.parts.enumerated().filter { parts >> $0.offset & 1 == 1 }.map(\.element)
    var command = self
    command.parts = []
    if areLines {
      command.input = chosen.map { "\($0)\n" }.joined()
    } else {
      command.words += chosen
    }
    return command
  }

  /// The bits of the whole deed.
  var whole: Int { 1 << max(1, parts.count) - 1 }

  // MARK: Doing it

  /// Starts the command, with its input ready.
  func begin(
    in home: Home, program: String, under tracer: [String] = [], adding variables: [String: String] = [:]
  ) throws -> Performance {
    let command = doing(whole)
    var variables = variables
    var terminal: PseudoTerminal?
    if let editor {
      terminal = try PseudoTerminal(width: 100)
      // By its name: a blank in the path would end the program's name.
      let path = StandIn.path
      let slash = path.lastIndex(of: "/") ?? path.startIndex
      variables["VISUAL"] = String(path[slash...].dropFirst())
      variables["PATH"] = "\(path[..<slash]):\(home.environment["PATH"] ?? "")"
      variables["STAND_IN"] = "\(editor) && touch '\(home[Self.edited])'"
    }
    let launch = try home.launch(command.words, program: program, terminal: terminal, under: tracer, adding: variables)
    if let terminal {
      // Whatever it asks, should it fail.
      terminal.type("n\n")
    } else {
      launch.type(command.input)
      launch.closeInput()
    }
    return Performance(launch: launch, terminal: terminal)
  }

  /// Does it to the end.
  func perform(in home: Home, program: String) throws -> Outcome {
    try begin(in: home, program: program).finish()
  }

  /// A deed that is being done.
  struct Performance {
    var launch: Launch
    var terminal: PseudoTerminal?

    /// Waits until the command ends. In a terminal, errors are part of the output.
    func finish() -> Outcome {
      guard let terminal else { return launch.finish() }
      terminal.readToEnd()
      return Outcome(status: launch.wait(), outputBytes: Array(terminal.text.utf8), errorBytes: launch.errorBytes)
    }
  }
}
